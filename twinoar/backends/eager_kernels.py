"""Native kernels for large operators in eager mode: each call is compiled once, then found again.

What is compiled is a Program of that one operator, or of its gradient rule, for arrays of certain
shapes that lie in a certain order; results lie in the order that costs least, so images stay
channels-last from one convolution to the next. Where nothing is gained (views, operators without a
native form, TWINOAR_BACKEND=numpy) there is no such kernel, and NumPy's runs.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from twinoar.backends import native
from twinoar.backends.behind import Behind, Job
from twinoar.backends.choice import is_native, may_compile
from twinoar.backends.open_calls import OpenCalls
from twinoar.core.interpreter import is_observed_by_operator, products_now
from twinoar.core.op.definition import Op, registry
from twinoar.core.spec import Spec
from twinoar.eager.tensor import Tensor
from twinoar.errors import AxisError
from twinoar.runtime.allocator import hold_at_fork
from twinoar.runtime.own_values import own_values

# Elements from which a native kernel is faster than NumPy's, which is
LARGE = 16384  # one NumPy function
LARGE_RULE = 4096  # a contraction, a procedure, or a few operators: a gradient rule, a body
# Bytes from which that is so where NumPy's function is as fast in one thread, of these dtypes; the
# system takes larger results back and gives them anew, page by page.
ONE_FUNCTION = 1 << 19
BY_NUMPY = frozenset(map(np.dtype, ("f4", "f8", "i4", "i8", "?")))
SEVERAL_PASSES = 512  # a kernel of many NumPy functions: composite operators, random draws
# Calls of an operator that are compiled at once: as many as networks have layers, and of those
# whose operands are alike but for the first, the data, fewer. Others are when it pays:
AT_FIRST_SIGHT, ALIKE = 96, 16
COMPILATION = 64  # what it costs, in calls that are just as large as the sizes above
AGAIN = 128  # and in calls below these sizes, of what Python calls many NumPy functions for
BRIEF = 4  # operators of a gradient rule from which that is one
KEPT = 2048  # calls that are remembered; a process that makes up new ones starts over
PLAIN = frozenset({int, bool, str, type(None)})  # what an attribute is most often
Arrays = list[np.ndarray]


class History:
    """What a process has called so far, which decides what it has compiled.

    Ranks that are threads of one process have one each, as they would in processes of their own:
    with one for all, the rank that comes first by chance would run a call by NumPy that the next
    runs compiled, and bits would depend on time.

    operations: what runs a call, None where there is no native kernel. seen: elements that NumPy
    has gone through, by call. compiled: how many calls of an operator are; alike: of those whose
    operands but the first agree. open: which calls differ in sizes alone.
    """

    __slots__ = ("alike", "compiled", "open", "operations", "seen")

    def __init__(self) -> None:
        self.operations: dict[Hashable, Any] = {}
        self.seen: dict[Hashable, int] = {}
        self.compiled: dict[Op, int] = {}
        self.alike: dict[Hashable, int] = {}
        self.open = OpenCalls()

    def begin_anew(self) -> None:
        """Forget all calls, but those that differ in sizes alone."""
        self.operations.clear()
        self.seen.clear()
        self.compiled.clear()
        self.alike.clear()


class EagerKernels:
    """Finds, or makes, the native kernel of a call; any number of threads may ask."""

    def __init__(self) -> None:
        self._made: dict[Hashable, Any] = {}  # operations that any rank has asked for
        self._begun: dict[Hashable, Job] = {}  # compilations that another thread has begun
        self._of_process = History()
        self._brief: set[Callable] = set()  # gradient rules of so few operators that these are fast
        self._behind = Behind()  # before the lock, which who forks has to take first
        self._lock = threading.Lock()
        hold_at_fork(self._lock)
        self._thread = _Thread()

    def forward(self, op: Op, operands: Sequence[Any], attrs: dict[str, Any]) -> Any:
        """The results of a call on arrays and plain values; None where NumPy shall compute them."""
        if op.shows_memory and operands[0].flags.c_contiguous:  # NumPy makes a view, in no time
            return None
        limit, is_small = _limit(op), False
        if op.is_one_function:
            for x in operands:
                if x.__class__ is np.ndarray and (
                    x.nbytes >= ONE_FUNCTION or x.dtype not in BY_NUMPY
                ):
                    break
            else:
                return None
        for x in operands:
            if x.__class__ is np.ndarray and x.size >= limit:
                break
        else:
            if op.elements_rule is None or op.elements_rule(*operands, **attrs) < limit:
                is_small = True
                if not op.is_compiled_small or limit == sys.maxsize:
                    return None
        if not may_compile() or is_observed_by_operator():
            return None
        arrays: Arrays = []
        key = op, products_now(), _signature((*operands, *attrs.values()), arrays)
        found = self._run(key, op, arrays, op, operands, attrs, is_small)
        return found if found is None or len(found) > 1 else found[0]

    @staticmethod
    def knows(op: Op) -> bool:
        """False for what a user's function or a traced Program is: `gradient` takes none."""
        return registry.defined.get(op.name) is op

    def gradient(self, op: Op, rule: Callable, asked: Sequence[Any], elements: int) -> tuple | None:
        """What a gradient rule of `op` returns; None where its operators shall run one by one.

        asked: Tensors, sequences of them, and plain values. elements: of the largest of them.
        """
        is_small = elements < min(_limit(op), LARGE_RULE)
        if is_small and rule in self._brief:
            return None
        if not may_compile() or is_observed_by_operator():
            return None
        arrays: Arrays = []
        key = rule, products_now(), _signature(asked, arrays)
        found = self._run(key, op, arrays, rule, asked, {}, is_small)
        return found and tuple([Tensor(a) if a.__class__ is np.ndarray else a for a in found])

    def _run(
        self,
        key: Hashable,
        op: Op,
        arrays: Arrays,
        function: Callable,
        arguments: Sequence[Any],
        attrs: dict[str, Any],
        is_small: bool = False,
    ) -> tuple | None:
        bound = self._thread.bound
        try:
            ready = bound.get(key)
        except TypeError:  # an attribute without a hash, such as a slice
            return None
        if ready is None:
            operation = self._operation(key, op, arrays, function, arguments, attrs, is_small)
            if operation is None:
                return None
            if len(bound) >= KEPT:
                bound.clear()
            ready = bound[key] = self._thread.bind(operation)
        if ready.is_busy:  # the garbage collector runs code of users in the middle of a call
            return None
        try:
            return ready.run(arrays)
        except AxisError:  # an index outside: NumPy's kernel says which
            return None

    def _operation(
        self,
        key: Hashable,
        op: Op,
        arrays: Arrays,
        function: Callable,
        arguments: Sequence[Any],
        attrs: dict[str, Any],
        is_small: bool,
    ) -> Any:
        """What is compiled for a call, or None; compiled now where that is likely to pay."""
        history = self._history()
        operations = history.operations
        if key in operations:
            return operations[key]
        if op.takes_blocks or not is_native():
            return None
        with self._lock:
            if key in operations:
                return operations[key]
            products = products_now()
            if function is op and not is_small and key not in history.seen:
                plain = [np.ndarray if x.__class__ is np.ndarray else x for x in arguments]
                rest = products, _signature((*plain, *attrs.values()), [])
                found = history.open.operation(
                    rest, op, arguments, attrs, products, self._behind.finished
                )
                if found is not None:  # not kept here: a text that grows makes ever new ones
                    return found
            least = BRIEF if is_small and function is not op else 0

            def make() -> Any:  # the compiler is loaded when it is wanted
                target = native.host(products)
                return native.make_operation(function, arguments, attrs, target, least)

            alike = function, tuple([array.shape for array in arrays[1:]])
            met = history.compiled.get(op, 0), history.alike.get(alike, 0)
            if is_small:
                if not self._is_worth(history, key, 1, AGAIN, make):
                    return None
            elif met[0] >= AT_FIRST_SIGHT or met[1] >= ALIKE:
                rule = op.elements_rule if function is op else None
                made = 0 if rule is None else rule(*arguments, **attrs)
                elements = made + sum(array.size for array in arrays)
                if not self._is_worth(history, key, elements, COMPILATION * _limit(op), make):
                    return None
            if len(operations) >= KEPT:
                history.begin_anew()
            history.compiled[op], history.alike[alike] = met[0] + 1, met[1] + 1
            found = operations[key] = self._finished(key, make)
            if found is None and least:
                self._brief.add(function)
            return found

    def _history(self) -> History:
        """That of the rank that this thread plays, else of the process."""
        own = own_values.get()
        if own is None:
            return self._of_process
        found: History | None = own.get(self)
        if found is None:
            found = own.setdefault(self, History())
        return found

    def _is_worth(
        self,
        history: History,
        key: Hashable,
        elements: int,
        worth: float,
        make: Callable[[], Any],
    ) -> bool:
        """Whether NumPy has gone through as many elements for a call as compilation is worth.

        Elements, or calls where they are small, and not seconds, so that the same program gives
        the same bits each time. While NumPy runs a call that has come again, for the last time,
        another thread begins to compile.
        """
        seen = history.seen
        before = seen.get(key, 0)
        if before >= worth:
            return True
        if len(seen) >= KEPT:
            seen.clear()
        seen[key] = before + elements
        if before and before + elements >= worth and not (key in self._made or key in self._begun):
            if len(self._begun) >= KEPT:  # of calls that never came again
                self._begun.clear()
            self._begun[key] = self._behind.begin(make)
        return False

    def _finished(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` gives, which no other rank has asked for yet, or was begun."""
        if key not in self._made:
            if len(self._made) >= KEPT:
                self._made.clear()
            self._made[key] = self._behind.finished(self._begun.pop(key, make))
        return self._made[key]


_limits: dict[Op, float] = {}


def _limit(op: Op) -> float:
    """The elements of an operand from which an operator runs natively.

    More than there are for one that a user's function or a traced Program is: it may do anything,
    and each call may make a new one.
    """
    found = _limits.get(op)
    if found is not None:
        return found
    if registry.defined.get(op.name) is not op:
        return sys.maxsize
    if "compiled_from" in op.rules:
        found = op.rules["compiled_from"]
    elif op.elements_rule is not None:
        found = SEVERAL_PASSES
    elif op.kernel_rule is None or "library" in op.rules or "procedure" in op.rules:
        found = LARGE_RULE
    elif not op.derives_kernel and (op.body is None or "scalar" in op.rules):
        found = LARGE
    else:
        found = SEVERAL_PASSES
    _limits[op] = found
    return found


class _Thread(threading.local):
    """What each thread has of its own: operations bound to memory, by key, and that memory."""

    def __init__(self) -> None:
        self.bound: dict[Hashable, Any] = {}
        self.arena = np.empty(0, np.uint8)

    def bind(self, operation: Any) -> Any:
        """An operation that works in this thread's arena, which all of them share."""
        if operation.arena_bytes > self.arena.size:
            self.arena = operation.new_arena(max(operation.arena_bytes, 2 * self.arena.size))
        return operation.bind(self.arena)


def _signature(values: Any, arrays: Arrays) -> tuple:
    """What tells calls apart that need different kernels; the arrays are appended to `arrays`."""
    found: list[Any] = []
    for x in values:
        kind = x.__class__
        if kind is np.ndarray:
            arrays.append(x)
            found += (x.shape, x.strides, x.dtype)
        elif kind in PLAIN:
            found += (kind, x)
        elif kind is tuple or kind is list:
            found.append(_signature(x, arrays))
        elif kind is float:
            found.append(x.hex())  # -0.0 equals 0.0, and nan nothing
        elif kind is Spec:
            found += (x.shape, x.dtype.name)  # its own hash takes longer
        elif isinstance(x, Tensor):
            data = x._data
            arrays.append(data)
            found += (data.shape, data.strides, data.dtype)
        else:
            found += (kind, x)
    return tuple(found)
