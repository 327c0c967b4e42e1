"""The processors that models are exported for, and what each of them can be written as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from twinoar.backends.llvm.target import processor
from twinoar.compile.target import Target
from twinoar.core.near import near_names
from twinoar.errors import ArgumentError, UnknownNameError, UnsupportedError

Kind = Literal["object", "shared", "static", "executable", "wasm", "c"]
HOST = "host"
KINDS: tuple[Kind, ...] = ("object", "shared", "static", "executable", "wasm", "c")

X86_V2 = ("sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "cx16")
X86_V3 = (*X86_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
X86_V4 = (*X86_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
# Gathers are slow where what was found out about them in 2023 is mended: a depthwise convolution of
# 96 channels took 12.9 ms with them, and takes 3.5 without.
TUNING = ("prefer-no-gather", "prefer-no-scatter")
NEON = ("neon", "fp-armv8")
WASM = ("simd128", "bulk-memory", "mutable-globals", "nontrapping-fptoint", "sign-ext")


@dataclass(frozen=True)
class Machine:
    """A processor to export for.

    kinds: what can be written. word_bits: of an address. fuses: it rounds a product and a sum once
    where that is asked for, in one instruction. levels: the machines whose code it holds, of which
    one is chosen where it runs.
    """

    name: str
    target: Target
    kinds: tuple[Kind, ...]
    word_bits: int = 64
    fuses: bool = True
    levels: tuple[str, ...] = ()

    @property
    def features(self) -> list[str]:
        """What the processor must have."""
        given = [f.removeprefix("+") for f in self.target.features.split(",")]
        return [f for f in given if f and f not in TUNING]

    @property
    def is_wasm(self) -> bool:
        """True for what pages run."""
        return "wasm" in self.kinds

    @property
    def is_source(self) -> bool:
        """True for what a compiler of C makes code of."""
        return "c" in self.kinds


def _target(triple: str, cpu: str, features: Sequence[str], vector_bits: int) -> Target:
    told = ",".join(f"+{name}" for name in features)
    return Target(triple, cpu, told, vector_bits, offset_bytes=4)


# What portable code is planned for: vectors of 16 bytes, which all have that have any.
COMMON = Target("portable", "generic", "", 128, offset_bytes=4)
ELF: tuple[Kind, ...] = ("object", "shared", "static", "executable")
LINUX, ARM = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"
LEVELS = ("x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4-vnni")
MACHINES = {
    m.name: m
    for m in (
        Machine("x86-64", _target(LINUX, "x86-64", (), 128), ELF, levels=LEVELS),
        Machine("x86-64-v2", _target(LINUX, "x86-64-v2", X86_V2, 128), ELF, fuses=False),
        Machine("x86-64-v3", _target(LINUX, "x86-64-v3", X86_V3, 256), ELF),
        Machine("x86-64-v4", _target(LINUX, "x86-64-v4", (*X86_V4, *TUNING), 512), ELF),
        Machine(
            "x86-64-v4-vnni",
            _target(LINUX, "x86-64-v4", (*X86_V4, "avx512vnni", *TUNING), 512),
            ELF,
        ),
        Machine("aarch64", _target(ARM, "generic", NEON, 128), ELF),
        Machine("aarch64-dotprod", _target(ARM, "generic", (*NEON, "dotprod"), 128), ELF),
        Machine(
            "riscv64",
            _target("riscv64-unknown-linux-gnu", "generic-rv64", ("m", "a", "f", "d", "c"), 64),
            ELF,
        ),
        Machine(
            "wasm32",
            _target("wasm32-unknown-unknown", "generic", WASM, 128),
            ("wasm",),
            word_bits=32,
            fuses=False,
        ),
        Machine("c", COMMON, ("c",), fuses=False),
    )
}


def host_name() -> str:
    """The last of the targets whose instructions this machine has. Raises UnsupportedError."""
    own = processor()
    architecture = own.triple.partition("-")[0]
    found = [
        name
        for name, machine in MACHINES.items()
        if machine.target.triple.partition("-")[0] == architecture
        and not machine.levels
        and all(own.has(f) for f in machine.features)
    ]
    if not found:
        raise UnsupportedError(
            f"no target is for a {own.cpu} ({own.triple})", cure=f"choose of {', '.join(MACHINES)}"
        )
    return found[-1]


def machine_for(target: str, kind: str) -> Machine:
    """The machine of a name, or "host". Raises UnknownNameError, and ArgumentError for its kind."""
    if target == HOST:
        target = host_name()
    if target not in MACHINES:
        raise UnknownNameError(f"there is no target {target!r}", cure=near_names(target, MACHINES))
    machine = MACHINES[target]
    if kind == "c" and not machine.is_source:
        raise ArgumentError("C is the same for all processors", cure="give target='c'")
    if kind not in machine.kinds:
        raise ArgumentError(
            f"a model for {target} is written as {' or '.join(machine.kinds)}, not as {kind!r}",
            cure=f"give kind={machine.kinds[0]!r}",
        )
    return machine
