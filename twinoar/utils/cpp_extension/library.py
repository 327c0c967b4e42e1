"""A library of operators, loaded: its C functions, called with NumPy arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.core.dtype import BY_NAME, DType
from twinoar.core.spec import Spec
from twinoar.errors import ExtensionError, FileError
from twinoar.utils.cpp_extension.declaration import Declaration, read_description

Pointer, Int64, Int32 = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32
Slots = Sequence[Any]  # for each input one thing, a list of things, or None


class TensorView(ctypes.Structure):
    """A tensor on its way into C++."""

    _fields_ = (("data", Pointer), ("shape", Pointer), ("rank", Int32), ("dtype", Int32))


class AttributeView(ctypes.Structure):
    """An attribute on its way into C++."""

    _fields_ = (("data", Pointer), ("count", Int64))


class ResultView(ctypes.Structure):
    """A tensor that came out of C++."""

    _fields_ = (
        ("handle", Pointer),
        ("data", Pointer),
        ("shape", ctypes.POINTER(Int64)),
        ("rank", Int32),
        ("dtype", Int32),
    )


CALL = (Int32, Pointer, Pointer, Pointer)
FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "twinoar_operators": (ctypes.c_char_p, ()),
    "twinoar_error": (ctypes.c_char_p, ()),
    "twinoar_run": (Pointer, CALL),
    "twinoar_infer_shapes": (Pointer, CALL),
    "twinoar_infer_dtypes": (Pointer, CALL),
    "twinoar_count": (Int64, (Pointer,)),
    "twinoar_take": (None, (Pointer, Int64, Pointer)),
    "twinoar_release": (None, (Pointer,)),
    "twinoar_free": (None, (Pointer,)),
}


class Memory:
    """The memory of a result, for NumPy; C++ frees it with the last array on it."""

    __slots__ = ("__array_interface__", "handle", "release")

    def __init__(self, view: ResultView, dtype: np.dtype[Any], release: Callable[[int], None]):
        self.handle, self.release = view.handle, release
        self.__array_interface__ = {
            "version": 3,
            "data": (view.data, False),
            "shape": tuple(view.shape[: view.rank]),
            "typestr": dtype.str if dtype.kind != "V" else f"<u{dtype.itemsize}",
        }

    def __del__(self) -> None:
        self.release(self.handle)


class Library:
    """A shared library of operators.

    Raises FileError where it cannot be loaded, ExtensionError where it is no library of operators
    or of another interface.
    """

    def __init__(self, path: Path):
        self.path = path
        try:
            library = ctypes.CDLL(str(path))
        except OSError as error:
            raise FileError(
                f"{path} cannot be loaded: {error}", cure="build it on this machine"
            ) from error
        for name, (result, arguments) in FUNCTIONS.items():
            if not hasattr(library, name):
                raise ExtensionError(
                    f"{path} is no library of operators: it lacks {name}",
                    cure='include "paddle/extension.h", and build with load or setup',
                )
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        self.functions = library
        text = library.twinoar_operators().decode()
        names, self.declarations = read_description(text, str(path))
        self.dtypes: list[DType] = [BY_NAME[name] for name in names]
        self.codes = {d.numpy: i for i, d in enumerate(self.dtypes, 1)}

    def run(self, op: Declaration, slots: Slots, attrs: dict[str, Any]) -> list[np.ndarray]:
        """What the kernel returns for arrays by slot. They are read where they lie."""
        return self._call("twinoar_run", op, slots, attrs, _Tensor.of_array, self._array)

    def infer_shapes(
        self, op: Declaration, slots: Slots, attrs: dict[str, Any]
    ) -> list[tuple[int, ...]]:
        """The shapes of the results, for Specs by slot; a size may be -1."""
        return self._call("twinoar_infer_shapes", op, slots, attrs, _Tensor.of_spec, self._shape)

    def infer_dtypes(self, op: Declaration, slots: Slots, attrs: dict[str, Any]) -> list[DType]:
        """The element types of the results, for Specs by slot."""
        return self._call("twinoar_infer_dtypes", op, slots, attrs, _Tensor.of_spec, self._dtype)

    def _call(
        self,
        function: str,
        op: Declaration,
        slots: Slots,
        attrs: dict[str, Any],
        tensor_of: Callable[[Any], _Tensor],
        result_of: Callable[[ResultView], Any],
    ) -> list[Any]:
        counts = [-1 if s is None else len(s) if isinstance(s, list) else 1 for s in slots]
        given: list[Any] = []
        for slot in slots:
            given += slot if isinstance(slot, list) else () if slot is None else (slot,)
        tensors = [tensor_of(x) for x in given]
        packed = [a.packed(attrs[a.name]) for a in op.attributes]
        results = getattr(self.functions, function)(
            op.index,
            (TensorView * len(tensors))(*[t.view(self.codes) for t in tensors]),
            (Int64 * len(counts))(*counts),
            (AttributeView * len(packed))(*[_attribute_view(*p) for p in packed]),
        )
        if results is None:
            raise ExtensionError(
                self.functions.twinoar_error().decode(errors="replace"),
                cure="it is the C++ code of the operator that raised this",
            )
        try:
            return [
                self._taken(results, i, result_of)
                for i in range(self.functions.twinoar_count(results))
            ]
        finally:
            self.functions.twinoar_free(results)

    def _taken(self, results: int, i: int, result_of: Callable[[ResultView], Any]) -> Any:
        view = ResultView()
        self.functions.twinoar_take(results, i, ctypes.byref(view))
        return result_of(view)

    def _array(self, view: ResultView) -> np.ndarray:
        dtype = self.dtypes[view.dtype - 1].numpy
        memory = Memory(view, dtype, self.functions.twinoar_release)
        array = np.asarray(memory)
        return array.view(dtype) if dtype.kind == "V" else array

    def _shape(self, view: ResultView) -> tuple[int, ...]:
        shape = tuple(view.shape[: view.rank])
        self.functions.twinoar_release(view.handle)
        return shape

    def _dtype(self, view: ResultView) -> DType:
        self.functions.twinoar_release(view.handle)
        return self.dtypes[view.dtype - 1]


class _Tensor:
    """What C++ gets to see of an array or a Spec, and what keeps it alive during the call."""

    __slots__ = ("array", "dtype", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], array: np.ndarray | None):
        self.shape, self.dtype, self.array = (Int64 * len(shape))(*shape), dtype, array

    @classmethod
    def of_array(cls, array: np.ndarray) -> _Tensor:
        """The array itself, or where it is not contiguous a copy."""
        dense = array if array.flags.c_contiguous else array.copy(order="C")
        return cls(dense.shape, dense.dtype, dense)

    @classmethod
    def of_spec(cls, spec: Spec) -> _Tensor:
        """A shape and an element type."""
        return cls(spec.shape, spec.dtype.numpy, None)  # type: ignore[arg-type]  # known sizes

    def view(self, codes: dict[Any, int]) -> TensorView:
        data = None if self.array is None else self.array.__array_interface__["data"][0]
        return TensorView(data, ctypes.addressof(self.shape), len(self.shape), codes[self.dtype])


def _attribute_view(data: Any, count: int) -> AttributeView:
    address = (
        ctypes.cast(ctypes.c_char_p(data), Pointer).value
        if isinstance(data, bytes)
        else data.__array_interface__["data"][0]
    )
    return AttributeView(address, count)
