"""The oneDNN library: where it is, its C functions, and the lifetime of what they make.

It is loaded on first use. Its numbers (of element types, statuses, arguments) are those of the
headers of oneDNN 3, which a later 3 keeps.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from ctypes import byref, c_float, c_int, c_size_t, c_void_p
from pathlib import Path
from typing import Any

from twinoar.core.dtype import DType, bfloat16, float16, float32, int8, int32, uint8
from twinoar.errors import ProgramError, UnsupportedError
from twinoar.runtime import openmp

DISTRIBUTION = "onednn-cpu-gomp"
FILE = "libdnnl.so.3"
OLDEST = (3, 2)
CURE = "pip install 'twinoar[onednn]'"

DATA_TYPES: dict[DType, int] = {float16: 1, bfloat16: 2, float32: 3, int32: 4, int8: 5, uint8: 6}
DTYPES = {number: dtype for dtype, number in DATA_TYPES.items()}

SUCCESS, UNIMPLEMENTED = 0, 3
STATUSES = (
    "success", "out of memory", "invalid arguments", "unimplemented", "last implementation reached",
    "runtime error", "not required",
)  # fmt: skip
CPU, IN_ORDER = 1, 1

MAXIMUM_RANK = 12
Dims = ctypes.c_int64 * MAXIMUM_RANK

_POINTER, _INT, _FLOAT = c_void_p, c_int, c_float
_WINDOW = [_POINTER] * 4  # strides, dilation, padding before, padding after
_POOL = [_POINTER, *_WINDOW]  # strides, kernel size, and the rest
_PROTOTYPES: dict[str, list[Any]] = {
    "engine_create": [_POINTER, _INT, c_size_t],
    "engine_destroy": [_POINTER],
    "stream_create": [_POINTER, _POINTER, ctypes.c_uint],
    "stream_destroy": [_POINTER],
    "memory_desc_create_with_strides": [_POINTER, _INT, _POINTER, _INT, _POINTER],
    "memory_desc_create_with_tag": [_POINTER, _INT, _POINTER, _INT, _INT],
    "memory_desc_clone": [_POINTER, _POINTER],
    "memory_desc_equal": [_POINTER, _POINTER],
    "memory_desc_query": [_POINTER, _INT, _POINTER],
    "memory_desc_get_size": [_POINTER],
    "memory_desc_destroy": [_POINTER],
    "memory_create": [_POINTER, _POINTER, _POINTER, _POINTER],
    "memory_set_data_handle": [_POINTER, _POINTER],
    "memory_destroy": [_POINTER],
    "primitive_attr_create": [_POINTER],
    "primitive_attr_set_scratchpad_mode": [_POINTER, _INT],
    "primitive_attr_set_fpmath_mode": [_POINTER, _INT],
    "primitive_attr_set_scales_mask": [_POINTER, _INT, _INT],
    "primitive_attr_set_post_ops": [_POINTER, _POINTER],
    "primitive_attr_destroy": [_POINTER],
    "post_ops_create": [_POINTER],
    "post_ops_append_eltwise": [_POINTER, _INT, _FLOAT, _FLOAT],
    "post_ops_append_sum": [_POINTER, _FLOAT, ctypes.c_int32, _INT],
    "post_ops_append_binary": [_POINTER, _INT, _POINTER],
    "post_ops_destroy": [_POINTER],
    "matmul_primitive_desc_create": [_POINTER] * 7,
    "convolution_forward_primitive_desc_create": (
        [_POINTER, _POINTER, _INT, _INT] + [_POINTER] * 4 + _WINDOW + [_POINTER]
    ),
    "convolution_backward_data_primitive_desc_create": (
        [_POINTER, _POINTER, _INT] + [_POINTER] * 3 + _WINDOW + [_POINTER] * 2
    ),
    "convolution_backward_weights_primitive_desc_create": (
        [_POINTER, _POINTER, _INT] + [_POINTER] * 4 + _WINDOW + [_POINTER] * 2
    ),
    "deconvolution_forward_primitive_desc_create": (
        [_POINTER, _POINTER, _INT, _INT] + [_POINTER] * 4 + _WINDOW + [_POINTER]
    ),
    "pooling_forward_primitive_desc_create": (
        [_POINTER, _POINTER, _INT, _INT] + [_POINTER] * 2 + _POOL + [_POINTER]
    ),
    "pooling_backward_primitive_desc_create": (
        [_POINTER, _POINTER, _INT] + [_POINTER] * 2 + _POOL + [_POINTER] * 2
    ),
    "reorder_primitive_desc_create": [_POINTER] * 6,
    "primitive_desc_query": [_POINTER, _INT, _INT, _POINTER],
    "primitive_desc_query_md": [_POINTER, _INT, _INT],
    "primitive_desc_destroy": [_POINTER],
    "primitive_create": [_POINTER, _POINTER],
    "primitive_destroy": [_POINTER],
    "primitive_execute": [_POINTER, _POINTER, _INT, _POINTER],
    "get_effective_cpu_isa": [],
}
_RESULTS: dict[str, Any] = {"memory_desc_get_size": c_size_t, "primitive_desc_query_md": c_void_p}


class Handle:
    """An object of the library, destroyed when the last reference to it goes."""

    __slots__ = ("_as_parameter_", "_destroy")

    def __init__(self, address: int, destroy: Any):
        self._as_parameter_, self._destroy = address, destroy

    @property
    def address(self) -> int:
        """Where the object is."""
        return self._as_parameter_

    def __del__(self) -> None:
        self._destroy(self._as_parameter_)


class _Version(ctypes.Structure):
    _fields_ = (("major", c_int), ("minor", c_int), ("patch", c_int))

    @property
    def text(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


def available() -> bool:
    """Whether the library can be used here; `unavailable_reason` says why not."""
    return unavailable_reason() is None


@functools.cache
def unavailable_reason() -> str | None:
    """Why the library cannot be used here, or None if it can."""
    try:
        library()
    except UnsupportedError as error:
        return error.message
    return None


@functools.cache
def library() -> ctypes.CDLL:
    """The library, its functions typed; raises UnsupportedError where it cannot be loaded."""
    loaded = _loaded(_path())
    for name, arguments in _PROTOTYPES.items():
        function = getattr(loaded, f"dnnl_{name}")
        function.argtypes, function.restype = arguments, _RESULTS.get(name, c_int)
    return loaded


@functools.cache
def identity() -> str:
    """The library and the instructions that it uses here: what its choices depend on."""
    loaded = library()
    version = loaded.dnnl_version().contents
    instructions = loaded.dnnl_get_effective_cpu_isa()
    return f"oneDNN {version.text}, instructions {instructions:#x}"


def _path() -> Path:
    """The library's file in the wheel; raises UnsupportedError where the wheel is absent."""
    name = DISTRIBUTION.replace("-", "_")
    found = [info for folder in sys.path for info in Path(folder).glob(f"{name}-*.dist-info")]
    if not found:
        raise UnsupportedError(f"{DISTRIBUTION} is not installed", cure=CURE)
    # As importlib.metadata has it, which loads what mails and tables are read with.
    for row in (found[0] / "RECORD").read_text().splitlines():
        file = Path(found[0].parent, row.partition(",")[0])
        if file.name == FILE:
            return file.resolve()
    raise UnsupportedError(f"{DISTRIBUTION} has no file {FILE}", cure=CURE)


def _loaded(path: Path) -> ctypes.CDLL:
    """The library at `path`; raises UnsupportedError where it, or one it needs, is unfit."""
    openmp.runtime()  # first: it is loaded with the settings that our own kernels need
    try:
        loaded = ctypes.CDLL(str(path))
    except OSError as failure:  # libgomp is absent, or another processor is meant
        raise UnsupportedError(f"oneDNN cannot be loaded: {failure}", cure=CURE) from None
    loaded.dnnl_version.restype = ctypes.POINTER(_Version)
    version = loaded.dnnl_version().contents
    if version.major != OLDEST[0] or version.minor < OLDEST[1]:
        served = ".".join(map(str, OLDEST))
        raise UnsupportedError(
            f"expected oneDNN {served} or a later 3, found {version.text}", cure=CURE
        )
    return loaded


def call(function: str, *arguments: Any) -> None:
    """Call a C function; raises ProgramError if its status is not success."""
    _check(function, getattr(library(), f"dnnl_{function}")(*arguments))


def create(kind: str, function: str, *arguments: Any) -> Handle | None:
    """What a C function makes, None where the library has no implementation; else as `call`.

    kind: "memory_desc", "primitive" and so on, which names the function that destroys it.
    """
    made = c_void_p()
    status = getattr(library(), f"dnnl_{function}")(byref(made), *arguments)
    if status == UNIMPLEMENTED:
        return None
    _check(function, status)
    assert made.value is not None
    return Handle(made.value, getattr(library(), f"dnnl_{kind}_destroy"))


def made(kind: str, function: str, *arguments: Any) -> Handle:
    """What a C function makes; raises ProgramError where it makes nothing."""
    handle = create(kind, function, *arguments)
    if handle is None:
        _check(function, UNIMPLEMENTED)
    assert handle is not None
    return handle


def _check(function: str, status: int) -> None:
    if status != SUCCESS:
        meaning = STATUSES[status] if status < len(STATUSES) else f"status {status}"
        raise ProgramError(f"oneDNN expected arguments that dnnl_{function} takes, got: {meaning}")


@functools.cache
def engine() -> Handle:
    """The processor as the library sees it; one for the process."""
    return made("engine", "engine_create", CPU, 0)


def new_stream() -> Handle:
    """A queue of executions; each thread that runs primitives at a time needs its own."""
    return made("stream", "stream_create", engine(), IN_ORDER)


def execute_address() -> int:
    """Where `dnnl_primitive_execute(primitive, stream, count, arguments)` is, for native code."""
    return _address("dnnl_primitive_execute")


def place_address() -> int:
    """Where the function is that moves an argument: `int (void *memory, void *address)`."""
    return _address("dnnl_memory_set_data_handle")


def _address(function: str) -> int:
    address = ctypes.cast(library()[function], c_void_p).value
    assert address is not None
    return address
