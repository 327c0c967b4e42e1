"""What goes into a Program: `data` declares an input, InputSpec describes one."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dim import SymbolicDim, symbol
from twinoar.core.dtype import DType, default_dtype, dtype_of
from twinoar.core.interpreter import current
from twinoar.core.ir.program import Variable
from twinoar.core.op.explain import Told
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, DTypeError, ProgramError, ShapeError, TypeMismatchError


def data(name: str, shape: Any, dtype: Any = None, lod_level: int = 0) -> Variable:
    """Declare the input `name` of the default main Program.

    shape: sizes; None or -1 for one that each run decides, a string for one that has a name. dtype
    defaults to the default dtype. Returns the Variable, with stop_gradient=True; the same one where
    it is declared again. Raises ProgramError outside a static graph, ArgumentError where the name
    is that of another input.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program()):
    ...     print(static.data("x", [None, 3], "float32"))
    var x : LOD_TENSOR.shape(-1, 3).dtype(float32).stop_gradient(True)
    """
    builder = current()
    if builder.runs or not hasattr(builder.program, "shape_of"):
        raise ProgramError(
            "data() declares the input of a Program, and none is being built",
            cure="call enable_static() first",
        )
    if not isinstance(name, str):
        raise TypeMismatchError(
            f"the name of an input must be a string, received {type(name).__name__}",
            cure="write static.data('x', shape, dtype)",
        )
    program = builder.program
    chosen = default_dtype() if dtype is None else dtype_of(dtype)
    sizes = _checked(shape)
    declared = next((v for v in program.main.inputs if v.name == name), None)
    if declared is None:
        return program.main.add_input(Spec(program.shape_of(sizes), chosen), name)
    if declared.dtype != chosen or not _is_declared(sizes, declared.shape):
        raise ArgumentError(
            f"the program already has an input {name!r}, {declared.spec}",
            cure="choose another name, or the same shape and dtype",
        )
    return declared


def _is_declared(sizes: tuple, shape: list) -> bool:
    """True if `sizes`, as a user writes them, are those of a declared shape."""
    return len(sizes) == len(shape) and all(
        symbol(given) == size
        if isinstance(given, str)
        else not isinstance(size, int)
        if given in (None, -1)
        else given == size
        for given, size in zip(sizes, shape, strict=True)
    )


def setitem(x: Any, index: Any, value: Any) -> Any:
    """x, after `x[index] = value`.

    >>> setitem(twinoar.zeros([2]), 1, 3.0).tolist()
    [0.0, 3.0]
    """
    x[index] = value
    return x


class InputSpec(Told):
    """Shape, dtype and name of an input; enforced at every call.

    shape: sizes; None or -1 where any size fits, a string for a size with a name: equal names are
    equal sizes.

    >>> InputSpec([None, 784], "float32", "x")
    InputSpec(shape=(-1, 784), dtype=paddle.float32, name=x, stop_gradient=False)
    """

    def __init__(
        self,
        shape: Any,
        dtype: Any = "float32",
        name: str | None = None,
        stop_gradient: bool = False,
    ):
        self.shape = tuple(-1 if d is None else d for d in _checked(shape))
        self.dtype: DType = dtype_of(dtype)
        self.name, self.stop_gradient = name, stop_gradient

    @classmethod
    def from_tensor(cls, tensor: Value, name: str | None = None) -> InputSpec:
        """The spec of a Tensor or Variable."""
        shape = [None if isinstance(d, SymbolicDim) else d for d in tensor.spec.shape]
        return cls(shape, tensor.dtype, name or getattr(tensor, "name", None))

    @classmethod
    def from_numpy(cls, ndarray: np.ndarray, name: str | None = None) -> InputSpec:
        """The spec of an array."""
        return cls(ndarray.shape, ndarray.dtype, name)

    def batch(self, batch_size: int) -> InputSpec:
        """Put a batch dimension in front, in place. Returns self."""
        self.shape = (int(batch_size), *self.shape)
        return self

    def unbatch(self) -> InputSpec:
        """Take the first dimension away, in place; returns self. Raises ArgumentError at none."""
        if not self.shape:
            raise ArgumentError("an InputSpec without dimensions cannot be unbatched")
        self.shape = self.shape[1:]
        return self

    def to_spec(self, fresh: Any) -> Spec:
        """The Spec; `fresh()` supplies unknown sizes."""
        return Spec(
            tuple(
                fresh() if d == -1 else symbol(d) if isinstance(d, str) else d for d in self.shape
            ),
            self.dtype,
        )

    def check(self, value: Any, where: str) -> None:
        """Raise ShapeError or DTypeError where `value` (Tensor or ndarray) does not fit."""
        shape, dtype = tuple(value.shape), dtype_of(value.dtype)
        if dtype != self.dtype:
            raise DTypeError(
                f"{where} must be {self.dtype.name}, received {dtype.name}",
                cure=f"cast it with astype('{self.dtype.name}')",
            )
        if len(shape) != len(self.shape):
            raise ShapeError(
                f"{where} must have shape {list(self.shape)}, received {list(shape)}: "
                f"{len(shape)} dimensions",
                cure="give as many dimensions: unsqueeze adds one",
            )
        for axis, (wanted, size) in enumerate(zip(self.shape, shape, strict=True)):
            if (
                isinstance(wanted, int)
                and wanted != -1
                and isinstance(size, int)
                and wanted != size
            ):
                raise ShapeError(
                    f"{where} must have shape {list(self.shape)}, received {list(shape)}: "
                    f"dimension {axis} is {size}",
                    cure=f"pass size {wanted}, or declare the dimension None in the InputSpec",
                )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InputSpec) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple:
        return self.shape, self.dtype, self.name, self.stop_gradient

    def __repr__(self) -> str:
        return (
            f"InputSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name}, "
            f"stop_gradient={self.stop_gradient})"
        )


def _checked(shape: Any) -> tuple:
    if isinstance(shape, int):
        shape = (shape,)
    if not isinstance(shape, (list, tuple, np.ndarray)):
        raise TypeMismatchError(
            f"a shape must be a list or tuple, received {type(shape).__name__}",
            cure="write [a, b], also for one",
        )
    sizes = tuple(int(d) if isinstance(d, np.integer) else d for d in shape)
    for d in sizes:
        allowed = d is None or isinstance(d, (str, SymbolicDim)) or (isinstance(d, int) and d >= -1)
        if not allowed or isinstance(d, bool):
            raise ArgumentError(
                "sizes must be at least 0, or None, -1 or a name where unknown, "
                f"received {d!r} in {list(sizes)}",
                cure="write None where any size fits",
            )
    return sizes


def check_symbols(specs: list, tensors: list) -> None:
    """Raise ShapeError where one named size of the specs is two different sizes."""
    sizes: dict[str, tuple[int, str]] = {}
    for i, (spec, tensor) in enumerate(zip(specs, tensors, strict=True)):
        if not isinstance(spec, InputSpec):
            continue
        for axis, dim in enumerate(spec.shape):
            if not isinstance(dim, str):
                continue
            where = f"dimension {axis} of {spec.name or f'input {i}'}"
            known, first = sizes.setdefault(dim, (tensor.shape[axis], where))
            if known != tensor.shape[axis]:
                raise ShapeError(
                    f"the size {dim} is {known} in {first}, and {tensor.shape[axis]} in {where}"
                )
