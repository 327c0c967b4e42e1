"""A primitive: one compiled operation of oneDNN; and a command: a primitive with its memory."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from ctypes import byref, c_char_p, c_int, c_int64, c_void_p
from dataclasses import field, replace
from typing import Any

from twinoar.backends.onednn.attributes import (
    SCALES,
    WEIGHTS,
    PostOp,
    Precision,
    Scales,
    attributes,
    post_arguments,
)
from twinoar.backends.onednn.layout import Layout, described, described_bytes
from twinoar.backends.onednn.library import (
    Handle,
    call,
    create,
    engine,
    library,
    made,
)
from twinoar.core.dtype import bfloat16, float16, float32, int8, uint8
from twinoar.errors import ArgumentError
from twinoar.late import dataclass
from twinoar.runtime import openmp

COMPUTED = (float16, bfloat16, float32, int8, uint8)

IMPLEMENTATION, ARGUMENT = 8, 255

# The library's number of each argument, by the name that it has here.
ARGUMENTS = {
    "src": 1, "dst": 17, "weights": 33, "bias": 41, "workspace": 64, "scratchpad": 80,
    "diff_src": 129, "diff_dst": 145, "diff_weights": 161, "diff_bias": 169,
}  # fmt: skip
OPTIONAL = ("workspace", "scratchpad")


@dataclass(frozen=True)
class Recipe:
    """What a primitive was made of, by `built` or as a reorder, and among how many threads."""

    function: str
    arguments: tuple[Any, ...]
    names: tuple[str, ...] = ()
    post: tuple[PostOp, ...] = ()
    precision: Precision = "strict"
    scales: Scales | None = None
    threads: int = field(default_factory=openmp.threads)


class Primitive:
    """One compiled operation, for fixed layouts; it may be executed by many threads at once.

    arguments: name to the library's number, in the order of the primitive's function, then
    "post_<i>", "scales", "workspace" and "scratchpad" where it needs them.
    """

    def __init__(self, descriptor: Handle, arguments: Mapping[str, int], recipe: Recipe):
        self._descriptor, self.recipe = descriptor, recipe
        self._scales = None if recipe.scales is None else recipe.scales.layout.descriptor()
        self._handle = made("primitive", "primitive_create", descriptor)
        self.arguments = dict(arguments)
        for name in OPTIONAL:
            if self.nbytes(name, ARGUMENTS[name]):
                self.arguments[name] = ARGUMENTS[name]

    @property
    def function(self) -> str:
        """What it computes: matmul, convolution_forward, reorder."""
        return self.recipe.function

    @property
    def descriptor(self) -> Handle:
        """The library's description, which the primitive of its gradient may ask for."""
        return self._descriptor

    @property
    def handle(self) -> int:
        """The address of the library's object, which lives as long as this one."""
        return self._handle.address

    @property
    def implementation(self) -> str:
        """The library's name for the kernel: its kind and the instructions that it uses."""
        found = c_char_p()
        call("primitive_desc_query", self._descriptor, IMPLEMENTATION, 0, byref(found))
        return (found.value or b"").decode()

    @property
    def is_reference(self) -> bool:
        """Whether the kernel is the library's plain loop: right, and slower by a hundred times."""
        return self.implementation.startswith("ref")

    @property
    def scratchpad_bytes(self) -> int:
        """Bytes of scratch memory that an execution needs, 64-byte aligned for speed."""
        return self.nbytes("scratchpad", ARGUMENTS["scratchpad"])

    def layout(self, name: str) -> Layout:
        """The layout in which the argument is read or written."""
        found = described(self._argument_descriptor(self._number(name)))
        return replace(found, origin=(self, name))

    def nbytes(self, name: str, number: int | None = None) -> int:
        """Bytes of the argument, 0 where the primitive has no use for it."""
        return described_bytes(
            self._argument_descriptor(self._number(name) if number is None else number)
        )

    def _number(self, name: str) -> int:
        if name not in self.arguments:
            raise ArgumentError(f"expected one of {', '.join(self.arguments)}, got {name!r}")
        return self.arguments[name]

    def _argument_descriptor(self, number: int) -> int:
        """The library's own description of the argument; a null pointer for one that is absent."""
        if (
            self._scales is not None and number == SCALES | WEIGHTS
        ):  # of which the library tells nothing
            return self._scales.address
        found = library().dnnl_primitive_desc_query_md(self._descriptor, ARGUMENT, number)
        return found or 0


class _Argument(ctypes.Structure):
    _fields_ = (("number", c_int), ("memory", c_void_p))


class CommandArguments(ctypes.Structure):
    """What a native caller passes to the library: fields of 8 bytes each, in this order."""

    _fields_ = (
        ("primitive", c_void_p),
        ("stream", c_void_p),
        ("count", c_int64),
        ("arguments", c_void_p),
    )


class Command:
    """A primitive, a stream and the place of each argument: all that one execution needs.

    It changes with `set`; threads that run at once have a command and a stream each.
    """

    def __init__(self, primitive: Primitive, stream: Handle):
        self.primitive, self._stream = primitive, stream
        self._memories = {
            name: made(
                "memory", "memory_create", primitive._argument_descriptor(number), engine(), None
            )
            for name, number in primitive.arguments.items()
        }
        count = len(self._memories)
        self._list = (_Argument * count)(
            *(
                _Argument(primitive.arguments[name], memory.address)
                for name, memory in self._memories.items()
            )
        )
        self._arguments = CommandArguments(
            primitive.handle, stream.address, count, ctypes.addressof(self._list)
        )

    def set(self, name: str, address: int) -> None:
        """Place the argument; raises ArgumentError for a name that the primitive does not have."""
        call("memory_set_data_handle", c_void_p(self.memory_address(name)), c_void_p(address))

    def memory_address(self, name: str) -> int:
        """The library's object for an argument, which `place_address` takes."""
        if name not in self._memories:
            raise ArgumentError(f"expected one of {', '.join(self._memories)}, got {name!r}")
        address: int = self._memories[name].address
        return address

    @property
    def arguments_address(self) -> int:
        """Where the `CommandArguments` are; valid as long as this object lives."""
        return ctypes.addressof(self._arguments)

    def execute(self) -> None:
        """Run once, in this thread, without the GIL; raises ProgramError if the library fails."""
        mine = self._arguments
        call("primitive_execute", mine.primitive, mine.stream, mine.count, mine.arguments)


def built(
    function: str,
    arguments: Sequence[Any],
    names: Sequence[str],
    post: Sequence[PostOp] = (),
    precision: Precision = "strict",
    scales: Scales | None = None,
) -> Primitive | None:
    """The primitive that a C function describes, None where the library has none.

    arguments: those between the engine and the attributes; a Layout stands for its description.
    names: of the primitive's arguments.
    """
    layouts = [argument for argument in arguments if isinstance(argument, Layout)]
    if not all(layout.dtype in COMPUTED for layout in layouts):
        return None
    passed = [a.descriptor() if isinstance(a, Layout) else a for a in arguments]
    extra = attributes(post, precision, scales)
    describing = f"{function}_primitive_desc_create"
    descriptor = create("primitive_desc", describing, engine(), *passed, extra)
    if descriptor is None:
        return None
    numbers = {name: ARGUMENTS[name] for name in names}
    numbers |= post_arguments(post)
    if scales is not None:
        numbers["scales"] = SCALES | WEIGHTS
    recipe = Recipe(function, tuple(arguments), tuple(names), tuple(post), precision, scales)
    return Primitive(descriptor, numbers, recipe)
