"""From the text of LLVM IR to functions in memory that can be called.

`load` optimizes, compiles and links, or finds what was compiled before in memory or on the disk.
What it gives keeps the machine code in memory. `optimized` and `assembly` show what becomes of the
text on the way.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from weakref import WeakValueDictionary

import llvmlite
import llvmlite.binding as llvm
from llvmlite.binding import ffi

from twinoar.backends.llvm import cache
from twinoar.backends.llvm.target import BRIEF, cores, processor
from twinoar.compile.target import Target
from twinoar.core.report import report
from twinoar.errors import ProgramError

FORMAT = "1"  # to be raised when this module makes other code of the same text
SPEED_LEVEL = 3
# Of brief texts: the least at which LLVM still contracts a product and a sum, as it does above.
BRIEF_LEVEL = 1
LINKED = 32  # object files of one linker: another one takes 2 ms and 130 KiB
CURE = "report it, with the text that TWINOAR_DEBUG=5 prints"
NO_SYMBOLS: Mapping[str, int] = {}

_numbers = itertools.count()


class Code:
    """Functions in memory, which stay there as long as this object; `text` is their LLVM IR.

    Those for another processor are their text alone.
    """

    __slots__ = ("__weakref__", "_tracker", "text")

    def __init__(self, tracker: llvm.ResourceTracker | None, text: str):
        self._tracker, self.text = tracker, text

    def address(self, name: str) -> int:
        """Where the function `name` is; KeyError if it was not among those asked for.

        Raises ProgramError for code of another processor.
        """
        if self._tracker is None:
            raise ProgramError(
                f"{name} is for another processor", cure="export the model to run it there"
            )
        address: int = self._tracker[name]
        return address


_loaded: WeakValueDictionary[tuple[str, tuple[object, ...]], Code] = WeakValueDictionary()


def load(
    ir: str,
    names: Sequence[str],
    symbols: Mapping[str, int] = NO_SYMBOLS,
    target: Target | None = None,
) -> Code:
    """The functions `names` that the text `ir` defines.

    target: what it is for, this machine without; for another processor it stays a text. It may
    call the functions in `symbols`, whose addresses these are, and those of the C library.
    Raises ProgramError where LLVM refuses the text, or it calls a function that is not known.
    """
    (code,) = load_many([ir], names, symbols, target)
    return code


def load_many(
    irs: Sequence[str],
    names: Sequence[str],
    symbols: Mapping[str, int] = NO_SYMBOLS,
    target: Target | None = None,
) -> list[Code]:
    """As `load`, for texts that all define `names`, on all cores; equal texts share their Code."""
    if target is not None and target.processor != processor().processor:
        return [Code(None, ir) for ir in irs]
    keys = [key(ir) for ir in irs]
    texts = dict(zip(keys, irs, strict=True))
    bound = (*names, *symbols.items())
    codes = {k: code for k in texts if (code := _loaded.get((k, bound))) is not None}
    for k, machine_code in _machine_codes(
        {k: t for k, t in texts.items() if k not in codes}
    ).items():
        tracker = _linked(machine_code, names, symbols)
        codes[k] = _loaded[k, bound] = Code(tracker, texts[k])
    for k, code in codes.items():
        code.text = texts[k]  # which `kept` did not know
    return [codes[k] for k in keys]


def kept(
    keys: Sequence[str], names: Sequence[str], symbols: Mapping[str, int] = NO_SYMBOLS
) -> list[Code] | None:
    """As `load_many`, for the keys of texts that were compiled before; None if one is not there.

    The text of such Code is empty, until it is asked for by its text.
    """
    bound = (*names, *symbols.items())
    found = []
    for k in keys:
        code = _loaded.get((k, bound))
        if code is None:
            machine_code = cache.get(k)
            if machine_code is None:
                return None
            code = _loaded[k, bound] = Code(_linked(machine_code, names, symbols), "")
        found.append(code)
    return found


def optimized(ir: str, target: Target | None = None) -> str:
    """The text after LLVM's passes; raises as `load` does."""
    with _generator(ir, target or processor()) as generator:
        return str(_optimized(ir, generator))


def assembly(ir: str, target: Target | None = None) -> str:
    """The instructions that the text becomes, in assembly language; raises as `load` does."""
    with _generator(ir, target or processor()) as generator:
        text: str = generator.machine.emit_assembly(_optimized(ir, generator))
        return text


def key(ir: str) -> str:
    """What tells the machine code of a text from any other."""
    return cache.key_of(*versions(), processor().processor, ir)


def versions() -> tuple[str, str, str]:
    """What makes other machine code of the same text for the same processor."""
    return FORMAT, llvmlite.__version__, ".".join(map(str, llvm.llvm_version_info))


def _machine_codes(texts: Mapping[str, str]) -> dict[str, bytes]:
    """The texts, by key, as object files: from the disk, or else compiled on all cores."""
    kept = {key: code for key in texts if (code := cache.get(key)) is not None}
    missing = [key for key in texts if key not in kept]
    if texts:
        report(1, f"LLVM: {len(missing)} texts to compile, {len(kept)} found on the disk")
    if not missing:
        return kept
    with ThreadPoolExecutor(max_workers=min(len(missing), cores())) as pool:
        compiled = dict(zip(missing, pool.map(_compiled, map(texts.get, missing)), strict=True))
    for key, machine_code in compiled.items():
        cache.put(key, machine_code)
    return kept | compiled


def _compiled(ir: str) -> bytes:
    """The text as an object file."""
    with _generator(ir, processor()) as generator, ffi.OutputString() as complaint:
        module = _optimized(ir, generator)
        emit = _unlocked(ffi.lib.LLVMPY_TargetMachineEmitToMemory)
        buffer = emit(generator.machine, module, int(True), complaint)
        if not buffer:
            raise ProgramError(f"LLVM cannot compile: {complaint}", cure=CURE)
    start, size = ffi.lib.LLVMPY_GetBufferStart(buffer), ffi.lib.LLVMPY_GetBufferSize(buffer)
    try:
        return ctypes.string_at(start, size)
    finally:
        ffi.lib.LLVMPY_DisposeMemoryBuffer(buffer)


def _optimized(ir: str, generator: _Generator) -> llvm.ModuleRef:
    """The text after LLVM's passes, in a context of its own."""
    try:
        module = llvm.parse_assembly(ir, llvm.create_context())
        module.verify()
    except RuntimeError as refusal:
        raise ProgramError(f"LLVM refuses the text: {refusal}", cure=CURE) from None
    module.triple = generator.machine.triple
    module.data_layout = str(generator.machine.target_data)
    passes = generator.passes()
    _unlocked(ffi.lib.LLVMPY_RunNewModulePassManager)(passes, module, generator.builder)
    # llvmlite 0.50 never frees it: the method that would is hidden by one of a base class.
    ffi.lib.LLVMPY_DisposeNewModulePassManger(passes)
    passes.detach()
    return module


def _unlocked(function: Any) -> Callable[..., Any]:
    """The C function behind llvmlite's lock.

    One lock around all of LLVM would keep threads from compiling at the same time, which LLVM
    allows for modules in different contexts and a target machine for each thread.
    """
    unlocked: Callable[..., Any] = getattr(function, "_cfn", function)
    return unlocked


class _Generator:
    """LLVM's generator of code for `target`, and what makes its passes; for a thread at a time."""

    def __init__(self, target: Target, is_brief: bool):
        if target.triple != processor().triple:
            llvm.initialize_all_targets()
            llvm.initialize_all_asmprinters()
        level = BRIEF_LEVEL if is_brief else SPEED_LEVEL
        self.is_brief = is_brief
        self.machine = llvm.Target.from_triple(target.triple).create_target_machine(
            target.cpu, target.features, level, reloc="pic", codemodel="small", jit=True
        )
        options = llvm.create_pipeline_tuning_options(level)
        options.loop_vectorization = options.loop_interleaving = options.loop_unrolling = True
        options.slp_vectorization = True
        self.builder = llvm.create_pass_builder(self.machine, options)

    def passes(self) -> llvm.ModulePassManager:
        """All of LLVM's; of brief texts the one that puts variables into registers."""
        if not self.is_brief:
            return self.builder.getModulePassManager()
        passes = llvm.create_new_module_pass_manager()
        passes.add_sroa_pass()
        return passes


_idle: dict[tuple[Target, bool], list[_Generator]] = {}


@contextmanager
def _generator(ir: str, target: Target) -> Iterator[_Generator]:
    """One that no other thread uses meanwhile; LLVM frees a builder only in part, so they stay."""
    is_brief = BRIEF in ir
    idle = _idle.setdefault((target, is_brief), [])
    try:
        generator = idle.pop()
    except IndexError:
        generator = _Generator(target, is_brief)
    try:
        yield generator
    finally:
        idle.append(generator)


@functools.lru_cache(maxsize=1)
def _linker(_group: int) -> llvm.LLJIT:
    """What links a group of object files.

    Some 10 KiB that LLVM notes of each file go with the linker alone, and that goes with the last
    of its Codes.
    """
    with _generator("", processor()) as generator:
        return llvm.create_lljit_compiler(
            generator.machine, use_jit_link=True, suppress_errors=True
        )


def _linked(
    compiled: bytes, names: Sequence[str], symbols: Mapping[str, int]
) -> llvm.ResourceTracker:
    """An object file in memory, its calls bound to `symbols`, else to the C library by name.

    LLVM calls the C library of its own accord: memset for a loop that clears, and fmaf where the
    processor has no such instruction.
    """
    library = llvm.JITLibraryBuilder().add_object_img(compiled)
    for name in names:
        library.export_symbol(name)
    for name, address in symbols.items():
        library.import_symbol(name, address)
    number = next(_numbers)
    try:
        return library.link(_linker(number // LINKED), f"code{number}")
    except RuntimeError as refusal:
        raise ProgramError(f"LLVM cannot link: {refusal}", cure=CURE) from None
