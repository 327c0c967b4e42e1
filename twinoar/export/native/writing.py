"""Writing a model as a library of its own: for a machine that need not be this one."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from twinoar.backends.numpy import NumpyExecutable
from twinoar.core.ir.program import Program, copy_program
from twinoar.errors import ArgumentError, TwinoarError, UnsupportedError
from twinoar.export.native import page
from twinoar.export.native.archive import static_library
from twinoar.export.native.c_file import refuse_halves, source
from twinoar.export.native.code import object_code
from twinoar.export.native.elf import ElfObject
from twinoar.export.native.header import C_TYPES, header
from twinoar.export.native.integers import rounds_to_integers
from twinoar.export.native.interface import Sample, Written, written
from twinoar.export.native.levels import LeveledInterface
from twinoar.export.native.model import Shapes, compiled_for, program_of
from twinoar.export.native.portable import COMMON, exact_alone
from twinoar.export.native.program import program
from twinoar.export.native.shared import executable, shared_library
from twinoar.export.native.sized_page import sized_header, sized_script, sized_types
from twinoar.export.native.system import CALL, system_for
from twinoar.export.native.targets import MACHINES, Kind, Machine, machine_for
from twinoar.export.native.trained_header import trained_header
from twinoar.export.native.trained_page import trained_script, trained_types
from twinoar.export.native.wasm import module, undefined
from twinoar.export.samples import Samples
from twinoar.formats.atomic import AtomicFiles, path_text
from twinoar.jit.kept import array_of
from twinoar.passes.pipeline import lower
from twinoar.tracebacks import showing_users_frames

Weights = Literal["inside", "beside"]
MOST_THREADS = 256
# A value beside the middle of two integers of 8 bits becomes either of them, by its last bits:
# ResNet-18 differs by 0.012 of its largest output from what NumPy computes of the Program.
INTEGERS_DIFFER = 0.05
MOST_SAMPLES = 40  # inputs that are tried until one is found that the model takes


@showing_users_frames
def export(
    model: Any,
    folder: str,
    *,
    target: str,
    kind: Kind = "shared",
    name: str | None = None,
    input_spec: Sequence | None = None,
    shapes: Shapes | None = None,
    weights: Weights = "inside",
    portable_bits: bool = False,
    threads: int = 1,
) -> list[str]:
    """Write a model as machine code that needs neither Python nor another library.

    model: the prefix of a saved model, a Layer, a function under `to_static`, or a static Program
    with outputs. folder: it is made. target: x86-64, whose code is for all levels of it,
    x86-64-v2, -v3, -v4 or -v4-vnni, aarch64, aarch64-dotprod, riscv64, wasm32, c, or "host". kind:
    "shared" (libNAME.so), "static" (libNAME.a), "object" (NAME.o), each with NAME.h; "executable"
    (NAME, a program that reads and writes files of NumPy); "wasm", an npm package; or, for the
    target "c", "c": NAME.c and NAME.h, C11 for any processor.
    name: of the functions; that of the saved model without, or "model". input_spec: an InputSpec
    for each input of a Layer or function. shapes: numbers for sizes that are open, by input.
    weights: in the file, or in NAME.weights beside it, which may be mapped. portable_bits: results
    have the bits that they have on all other targets; it is slower. threads: at most so many of the
    caller's run parts of kernels in NAME_run_threads, with the same bits; it is for libraries.

    Returns the paths of the files. Raises UnsupportedError for an operator that only Python runs,
    with its line, ArgumentError for a size that is not known, and FileError; then nothing is
    written.

    >>> import tempfile
    >>> from twinoar.export.native import export
    >>> net = twinoar.nn.Sequential(twinoar.nn.Linear(4, 2), twinoar.nn.ReLU())
    >>> spec = [twinoar.static.InputSpec([1, 4], "float32", "x")]
    >>> folder = tempfile.mkdtemp()
    >>> files = export(net, folder, target="aarch64", name="net", input_spec=spec)
    >>> [file.removeprefix(folder) for file in files]
    ['/libnet.so', '/net.h']
    """
    machine = machine_for(target, kind)
    if weights not in ("inside", "beside"):
        raise ArgumentError(f"weights are 'inside' or 'beside', received {weights!r}")
    if kind == "executable" and weights == "beside":
        raise ArgumentError("a program has its weights inside", cure="leave out weights")
    _check_threads(threads, machine, kind)
    folder = path_text(folder)
    name = name_of(name, model)
    program = program_of(model, input_spec, shapes)
    refuse_ports(program)
    if machine.is_source:
        refuse_halves(program)
    sample = sample_of(program)
    if machine.levels:
        _refuse_portable(machine, portable_bits)
        made = _leveled(program, name, machine, sample, weights, threads)
    else:
        planned, adapted = (COMMON, exact_alone) if portable_bits else (machine.target, str)
        compiled = compiled_for(program, replace(planned, threads=threads), adapted)
        made = written(compiled, name, machine, sample, inside=weights == "inside")
    around = _program(made, machine) if kind == "executable" else None
    code = object_code(made, machine, portable=portable_bits, program=around)
    paths = write_files(files_of(made, code, machine, kind), made, folder, weights)
    if kind == "executable":
        program_file = Path(paths[0])
        mode = program_file.stat().st_mode
        program_file.chmod(mode | (mode & 0o444) >> 2)  # who may read it may run it
    return paths


def _refuse_portable(machine: Machine, portable_bits: bool) -> None:
    if portable_bits:
        raise ArgumentError(
            f"code with portable bits is the same for all of {machine.name}",
            cure=f"give target={machine.levels[0]!r}",
        )


def _leveled(
    program: Program, name: str, machine: Machine, sample: Sample, weights: Weights, threads: int
) -> Written:
    """A model for each of the machine's levels, as one text."""
    targets = [replace(MACHINES[level].target, threads=threads) for level in machine.levels]
    models = [compiled_for(copy_program(program)[0], target) for target in targets]
    return LeveledInterface(models, name, machine, sample, weights == "inside").written()


def _check_threads(threads: int, machine: Machine, kind: Kind) -> None:
    if not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise ArgumentError(f"expected 1 to {MOST_THREADS} threads, received {threads!r}")
    if threads > 1 and (machine.is_wasm or kind in ("executable", "c")):
        raise ArgumentError(
            f"a model for {machine.name} as {kind!r} runs in one thread",
            cure="leave out threads, or export a library",
        )


def library_for(target: str, kind: Kind, weights: Weights) -> Machine:
    """The processor of what others link or load. Raises ArgumentError for a program, and others."""
    if kind == "executable":
        raise ArgumentError(
            "a program runs one model of one size", cure="export a library, or use export"
        )
    if weights not in ("inside", "beside"):
        raise ArgumentError(f"weights are 'inside' or 'beside', received {weights!r}")
    machine = machine_for(target, kind)
    if machine.levels:
        raise ArgumentError(
            f"a library for all {machine.name} runs one model of one size",
            cure=f"choose one of {', '.join(machine.levels)}, or use export",
        )
    return machine


def write_files(files: dict[str, bytes], made: Written, folder: str, weights: Weights) -> list[str]:
    """Write all files or none; their paths."""
    if weights == "beside":
        files = files | {f"{made.name}.weights": made.data}
    with AtomicFiles() as beside:
        for file, content in files.items():
            beside.write(str(Path(folder) / file), content)
    return [str(Path(folder) / file) for file in files]


def name_of(name: str | None, model: Any) -> str:
    """The name of the functions: one that C takes."""
    found = name or (Path(model).name if isinstance(model, (str, Path)) else "model")
    found = found if name else re.sub(r"\W", "_", found.removesuffix(".pdmodel"))
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", found):
        raise ArgumentError(
            f"the functions of a model cannot be called {found!r}_run",
            cure="give name= (--name) letters, digits and _",
        )
    return found


def refuse_ports(program: Program, held: Collection[str] = ()) -> None:
    """Raise where there is no output, or a dtype that no language around has.

    held: inputs that nobody gives, as they are in a block.
    """
    if not program.main.outputs:
        raise ArgumentError(
            "the Program returns nothing", cure="give it outputs: program.main.outputs = [...]"
        )
    for v in (*program.main.inputs, *program.main.outputs):
        if v.name not in held and v.spec.dtype.name not in C_TYPES:
            raise UnsupportedError(
                f"{v.name} is {v.spec}, for which C has no type",
                cure=f"let the model take and give {', '.join(C_TYPES)}",
            )


def sample_of(program: Program) -> Sample:
    """Inputs that the model takes, and what it computes of them on NumPy."""
    lowered = lower(copy_program(program)[0])
    executable = NumpyExecutable(lowered)
    states = [array_of(lowered.states[name]) for name in executable.state_names]
    refused: TwinoarError | None = None
    for _, inputs in zip(range(MOST_SAMPLES), Samples(program).first(), strict=False):
        try:
            with np.errstate(all="ignore"):
                outputs, _ = executable.execute(inputs, states)
        except TwinoarError as error:
            refused = error
            continue
        allowed = INTEGERS_DIFFER if rounds_to_integers(program) else 0.0
        return Sample(inputs, [np.asarray(x) for x in outputs], allowed)
    assert refused is not None
    raise refused


def _program(made: Written, machine: Machine) -> str:
    system = system_for(machine.target.triple)
    return program(made.description, system, machine.word_bits)


def files_of(made: Written, code: bytes, machine: Machine, kind: Kind) -> dict[str, bytes]:
    """The files, by name."""
    name = made.name
    told = _telling(made.description)
    if kind == "c":
        declared = told.header(made.description, "any processor")
        text = source(name, code, declared, made.data_symbol, made.data)
        return {f"{name}.c": text, f"{name}.h": declared.encode()}
    lacking = undefined(code) if machine.is_wasm else ElfObject(code).undefined
    if missing := [s for s in lacking if s not in (made.data_symbol, CALL)]:
        raise UnsupportedError(
            f"{machine.name} has no instructions for what the model computes: it calls "
            f"{', '.join(missing)}",
            cure="choose another processor, or other dtypes",
        )
    if kind == "wasm":
        return {
            f"{name}.wasm": module(code, made.exported, made.data_symbol, made.data),
            f"{name}.js": told.script(made.description).encode(),
            f"{name}.d.ts": told.types(made.description).encode(),
            "package.json": page.package(made.description).encode(),
        }
    if kind == "executable":
        return {name: executable(code, made.data_symbol, made.data)}
    head = told.header(made.description, machine.name).encode()
    if kind == "shared":
        file = f"lib{name}.so"
        return {
            file: shared_library(code, made.data_symbol, made.data, file),
            f"{name}.h": head,
        }
    if made.data_symbol is not None:
        code = ElfObject(code).with_data(made.data_symbol, made.data)
    if kind == "static":
        symbols = list(made.exported)
        return {f"lib{name}.a": static_library(code, f"{name}.o", symbols), f"{name}.h": head}
    return {f"{name}.o": code, f"{name}.h": head}


class _Telling(NamedTuple):
    """What writes about a model: its C header, its ES module, and the types of that."""

    header: Callable[[Mapping[str, Any], str], str]
    script: Callable[[Mapping[str, Any]], str]
    types: Callable[[Mapping[str, Any]], str]


def _telling(description: Mapping[str, Any]) -> _Telling:
    """That of a training, of a model for several sizes, or of one size."""
    if "states" in description:
        return _Telling(trained_header, trained_script, trained_types)
    if "sizes" in description:
        return _Telling(sized_header, sized_script, sized_types)
    return _Telling(header, page.script, page.types)
