"""What two sides of a branch have made of a place, as one value."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dim import SymbolicDim, names_in
from twinoar.core.dtype import literal_dtype
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Variable
from twinoar.core.spec import Spec
from twinoar.core.tree import LEAF
from twinoar.core.values import Value
from twinoar.jit.runtime.journal import MISSING, Place
from twinoar.jit.runtime.lists import flatten, stack_of, unflatten
from twinoar.jit.runtime.names import RESULT
from twinoar.jit.runtime.undefined import Undefined
from twinoar.ops.control.number import Number, as_number
from twinoar.ops.math.cast import cast, python_dtype
from twinoar.ops.math.fill import fill, zeros_of

PLAIN = (bool, int, float, complex, str, bytes, type(None), range, slice, type)
NUMBERS = (bool, int, float, complex)


class Differ(Exception):
    """Two values that cannot be one; its text says what they are."""

    def __init__(self, a: Any, b: Any):
        super().__init__(a, b)
        self.values = a, b


class Pending:
    """A leaf of a merged value that an output of the operator will be. is_number: a Python one."""

    def __init__(self, index: int, is_number: bool):
        self.index, self.is_number = index, is_number

    def value(self, results: tuple[Variable, ...]) -> Variable:
        """The leaf."""
        v = results[self.index]
        return as_number(v) if self.is_number else v


class Outputs:
    """The values that both blocks of a branch return, in pairs."""

    def __init__(self, then: Builder, orelse: Builder):
        self.sides = then, orelse
        self.pairs: list[tuple[Variable, Variable]] = []

    def merge(self, a: Any, b: Any) -> Any:
        """`a` after one side and `b` after the other: a value with Pending leaves.

        Where one is MISSING zeros fill its place. Raises Differ where they cannot be one.
        """
        if a is MISSING or b is MISSING:
            leaves, structure = flatten(b if a is MISSING else a)
            made = [self._leaf(*((MISSING, x) if a is MISSING else (x, MISSING))) for x in leaves]
            return unflatten(structure, made)
        (these, structure), (those, other) = flatten(a), flatten(b)
        if structure != other:
            raise Differ(a, b)
        try:
            made = [self._leaf(x, y) for x, y in zip(these, those, strict=True)]
        except Differ as inner:
            raise (inner if structure == LEAF else Differ(a, b)) from None
        return unflatten(structure, made)

    def _leaf(self, a: Any, b: Any) -> Any:
        if a is MISSING or b is MISSING:
            return self._filled(a, b)
        if is_same(a, b):
            return a
        dtype = shared_dtype(a, b)
        if dtype is None:
            raise Differ(a, b)
        number = not is_tensor(a) and not is_tensor(b)
        first, second = (lifted(s, x, dtype) for s, x in zip(self.sides, (a, b), strict=True))
        return self._output(first, second, number)

    def _filled(self, a: Any, b: Any) -> Any:
        known = b if a is MISSING else a
        if not is_symbolic(known):
            return known
        then, orelse = self.sides
        v = lifted(orelse if a is MISSING else then, known, None)
        zeros = zeros_in(then if a is MISSING else orelse, v.spec)
        pair = (zeros, v) if a is MISSING else (v, zeros)
        return self._output(*pair, not is_tensor(known))

    def _output(self, a: Variable, b: Variable, number: bool) -> Pending:
        pair = a, b
        for index, known in enumerate(self.pairs):
            if known[0] is a and known[1] is b:
                return Pending(index, number)
        self.pairs.append(pair)
        return Pending(len(self.pairs) - 1, number)


def lifted(builder: Builder, x: Any, dtype: Any) -> Variable:
    """`x` as a Variable of the builder's block; of `dtype`, where that is not None."""
    with using(builder):
        if isinstance(x, SymbolicDim):
            return fill.function((), x, dtype or python_dtype(0))
        if isinstance(x, NUMBERS):
            return builder.lift(np.asarray(x, (dtype or literal_dtype(x)).numpy))
        v = builder.lift(x)
        return v if dtype is None or v.dtype is dtype else cast(v, dtype)


def zeros_in(builder: Builder, spec: Spec) -> Variable:
    """Zeros of `spec` in the builder's block, with 1 for sizes that only another block knows."""
    with using(builder):
        return zeros_of(outside_spec(builder, spec))


def outside_spec(builder: Builder, spec: Spec) -> Spec:
    """`spec`, with 1 for sizes that the inputs of the Program do not tell."""
    known: frozenset[str] = frozenset()
    for v in builder.program.main.inputs:
        for d in v.spec.shape:
            known |= names_in(d)
    return Spec(tuple(d if names_in(d) <= known else 1 for d in spec.shape), spec.dtype)


def is_same(a: Any, b: Any) -> bool:
    """True for one object, and for equal plain values of one type."""
    if a is b:
        return True
    if type(a) is not type(b) or not isinstance(a, (*PLAIN, SymbolicDim)):
        return False
    if isinstance(a, float):
        return a.hex() == b.hex()  # 0.0 is not -0.0, nan is nan
    return bool(a == b)


def is_symbolic(x: Any) -> bool:
    """True for what a Program computes: tensors, and numbers that only a run knows."""
    return isinstance(x, (Value, SymbolicDim))


def is_tensor(x: Any) -> bool:
    """True for tensors, not for numbers that only a run knows."""
    return isinstance(x, Value) and not isinstance(x, Number)


def rank(x: Any) -> int:
    """Number of dimensions; 0 of numbers."""
    return x.ndim if isinstance(x, Value) else 0


def number_kind(x: Any) -> type | None:
    """The Python type that a number has, or will have when the Program runs; None of others."""
    if isinstance(x, Number):
        return x.python_type
    if isinstance(x, SymbolicDim):
        return int
    return type(x) if isinstance(x, NUMBERS) else None


def shared_dtype(a: Any, b: Any) -> Any:
    """The dtype of one value that is `a` or `b`; None if there is none.

    A number takes that of a tensor it fits.
    """
    kinds = number_kind(a), number_kind(b)
    if rank(a) != rank(b):
        return None
    if is_tensor(a) and is_tensor(b):
        return a.dtype if a.dtype is b.dtype else None
    if is_tensor(a) or is_tensor(b):
        tensor, kind = (a, kinds[1]) if is_tensor(a) else (b, kinds[0])
        if kind is None or (kind is bool) != (tensor.dtype == "bool"):
            return None
        fits = python_dtype(kind()).category <= tensor.dtype.category
        return tensor.dtype if fits else None
    return python_dtype(kinds[0]()) if kinds[0] is not None and kinds[0] is kinds[1] else None


def parted(a: Any, b: Any, name: str) -> tuple[str, Any, Any]:
    """The first items in which two values of that name cannot be one, by their name in it.

    >>> parted((1, {"a": "x"}), (1, {"a": "y"}), "pair")
    ("item 'a' of item 1 of pair", 'x', 'y')
    """
    keys = _keys(a)
    if type(a) is type(b) and keys == _keys(b):
        for key in keys:
            if not _may_be_one(a[key], b[key]):
                return parted(a[key], b[key], f"item {key!r} of {name}")
    return name, a, b


def _may_be_one(a: Any, b: Any) -> bool:
    (these, structure), (those, other) = flatten(a), flatten(b)
    return structure == other and all(
        is_same(x, y) or shared_dtype(x, y) is not None for x, y in zip(these, those, strict=True)
    )


def _keys(x: Any) -> tuple:
    """What the items of a container are called; nothing of other values."""
    if isinstance(x, dict):
        return tuple(x)
    is_open = isinstance(x, (list, tuple)) and stack_of(x) is None
    return tuple(range(len(x))) if is_open else ()


def cure_of_text(place: Place, *values: Any) -> str:
    """How to do without a text that a tensor decides; nothing where they are not all texts."""
    verb = "return" if place.key == RESULT else "keep"
    told = f"a str cannot depend on a tensor: {verb} a number, and choose the text outside"
    return told if all(isinstance(v, str) for v in values) else ""


def described(x: Any) -> str:
    """What a value is, in few words."""
    if isinstance(x, Number):
        return f"{'an int' if x.python_type is int else f'a {x.python_type.__name__}'} of the run"
    if isinstance(x, Value):
        return str(x.spec)
    if x is None:
        return "None"
    if isinstance(x, NUMBERS):
        return f"the {type(x).__name__} {x!r}"
    if isinstance(x, str):
        return f"the text {x!r}"
    if isinstance(x, (list, tuple, dict)):
        return f"a {type(x).__name__} of {len(x)}"
    if isinstance(x, Undefined):
        return "undefined"
    article = "an" if type(x).__name__[0] in "aeiou" else "a"
    return f"{article} {type(x).__name__}"


def told_apart(a: Any, b: Any) -> tuple[str, str]:
    """What two values are; objects of one class are told to be two."""
    first, second = described(a), described(b)
    if first != second or a is b:
        return first, second
    kind = type(a).__name__
    return f"one {kind}", f"another {kind}"


def cure_of_object(*values: Any) -> str:
    """How to do without an object of a class that a tensor decides; nothing for what may be one."""
    kinds = {type(v) for v in values}
    is_object = len(kinds) == 1 and all(hasattr(v, "__dict__") for v in values)
    if not is_object or any(isinstance(v, Value) or callable(v) for v in values):
        return ""
    return (
        f"let a tensor decide the attributes of one {kinds.pop().__name__}: make it after the "
        "branch or loop, from tensors that this assigns, or before, and assign its attributes"
    )


def finished(x: Any, results: tuple[Variable, ...]) -> Any:
    """`x` with results in the places of Pending leaves."""
    leaves, structure = flatten(x)
    if not any(isinstance(leaf, Pending) for leaf in leaves):
        return x
    made = [leaf.value(results) if isinstance(leaf, Pending) else leaf for leaf in leaves]
    return unflatten(structure, made)
