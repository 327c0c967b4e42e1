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
from functools import partial
from typing import Any

import numpy as np

from twinoar.backends import native
from twinoar.backends.behind import Behind, Job
from twinoar.backends.choice import is_native, may_compile
from twinoar.core.interpreter import is_observed_by_operator, products_now
from twinoar.core.op.definition import Op, registry
from twinoar.core.spec import Spec
from twinoar.eager.tensor import Tensor
from twinoar.errors import AxisError
from twinoar.runtime.allocator import hold_at_fork

# Elements from which a native kernel is faster than NumPy's, which is
LARGE = 16384  # one NumPy function
LARGE_RULE = 4096  # a contraction, a procedure, or a few operators: a gradient rule, a body
SEVERAL_PASSES = 512  # a kernel of many NumPy functions: composite operators, random draws
AT_FIRST_SIGHT = 16  # calls of an operator that are compiled at once; others when it pays:
COMPILATION = 64  # what it costs, in calls that are just as large as the sizes above
KEPT = 2048  # calls that are remembered; a process that makes up new ones starts over
Arrays = list[np.ndarray]


class EagerKernels:
    """Finds, or makes, the native kernel of a call; any number of threads may ask."""

    def __init__(self) -> None:
        self._operations: dict[Hashable, Any] = {}  # None where there is no native kernel
        self._seen: dict[Hashable, int] = {}  # elements that NumPy has gone through, by call
        self._begun: dict[Hashable, Job] = {}  # compilations that another thread has begun
        self._compiled: dict[Op, int] = {}
        self._behind = Behind()  # before the lock, which who forks has to take first
        self._lock = threading.Lock()
        hold_at_fork(self._lock)
        self._thread = _Thread()

    def forward(self, op: Op, operands: Sequence[Any], attrs: dict[str, Any]) -> Any:
        """The results of a call on arrays and plain values; None where NumPy shall compute them."""
        if op.shows_memory and operands[0].flags.c_contiguous:  # NumPy makes a view, in no time
            return None
        limit = _limit(op)
        for x in operands:
            if x.__class__ is np.ndarray and x.size >= limit:
                break
        else:
            if op.elements_rule is None or op.elements_rule(*operands, **attrs) < limit:
                return None
        if not may_compile() or is_observed_by_operator():
            return None
        arrays: Arrays = []
        key = op, products_now(), _signature((*operands, *attrs.values()), arrays)
        found = self._run(key, op, arrays, op, operands, attrs)
        return found if found is None or len(found) > 1 else found[0]

    @staticmethod
    def least_of_rule(op: Op) -> float:
        """Elements of an array from which `gradient` is worth asking for a call of `op`."""
        return min(_limit(op), LARGE_RULE) if registry.defined.get(op.name) is op else sys.maxsize

    def gradient(self, op: Op, rule: Callable, asked: Sequence[Any]) -> tuple | None:
        """What a gradient rule of `op` returns; None where its operators shall run one by one.

        asked: Tensors, sequences of them, and plain values.
        """
        if not may_compile() or is_observed_by_operator():
            return None
        arrays: Arrays = []
        key = rule, products_now(), _signature(asked, arrays)
        found = self._run(key, op, arrays, rule, asked, {})
        return found and tuple([Tensor(a) if a.__class__ is np.ndarray else a for a in found])

    def _run(
        self,
        key: Hashable,
        op: Op,
        arrays: Arrays,
        function: Callable,
        arguments: Sequence[Any],
        attrs: dict[str, Any],
    ) -> tuple | None:
        bound = self._thread.bound
        try:
            ready = bound.get(key)
        except TypeError:  # an attribute without a hash, such as a slice
            return None
        if ready is None:
            operation = self._operation(key, op, arrays, function, arguments, attrs)
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
    ) -> Any:
        """What is compiled for a call, or None; compiled now where that is likely to pay."""
        operations = self._operations
        if key in operations:
            return operations[key]
        if op.takes_blocks or not is_native():
            return None
        with self._lock:
            if key in operations:
                return operations[key]
            target = native.host(products_now())
            make = partial(native.make_operation, function, arguments, attrs, target)
            ready: Callable[[], Any] | Job = make
            if self._compiled.get(op, 0) >= AT_FIRST_SIGHT:
                rule = op.elements_rule if function is op else None
                made = 0 if rule is None else rule(*arguments, **attrs)
                worth = self._worth(key, op, made + sum(array.size for array in arrays), make)
                if worth is None:
                    return None
                ready = worth
            if len(operations) >= KEPT:
                operations.clear()
                self._seen.clear()
                self._begun.clear()
                self._compiled.clear()
            self._compiled[op] = self._compiled.get(op, 0) + 1
            found = operations[key] = self._behind.finished(ready)
            return found

    def _worth(
        self, key: Hashable, op: Op, elements: int, make: Callable[[], Any]
    ) -> Callable[[], Any] | Job | None:
        """`make`, if NumPy has gone through as many elements for a call as compilation is worth.

        Elements and not seconds, so that the same program gives the same bits each time. While
        NumPy runs a call that has come again, for the last time, another thread begins to compile.
        """
        seen = self._seen
        before, worth = seen.get(key, 0), COMPILATION * _limit(op)
        if before >= worth:
            return self._begun.pop(key, make)
        if len(seen) >= KEPT:
            seen.clear()
            self._begun.clear()
        seen[key] = before + elements
        if before and before + elements >= worth:
            self._begun[key] = self._behind.begin(make)
        return None


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
