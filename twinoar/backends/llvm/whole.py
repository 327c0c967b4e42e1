"""From several texts of LLVM IR to one object file, for any processor: what is exported.

`jit` compiles each kernel for itself, to be run here. Here all are one module, in which LLVM knows
all callers, and nothing is kept or run.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import llvmlite.binding as llvm

from twinoar.compile.target import Target
from twinoar.errors import ProgramError

SPEED_LEVEL = 3
CURE = "report it, with the model"


def object_file(
    texts: Sequence[str], exported: Collection[str], target: Target, *, is_relocated: bool
) -> bytes:
    """The object file of texts that call each other's functions.

    exported: the functions that others may call; all else is internal. is_relocated: it may lie
    anywhere in memory. Raises ProgramError where LLVM refuses a text.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    # RISC-V reaches all of memory from where it is only so.
    model = "medium" if target.triple.startswith("riscv") else "small"
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        target.cpu,
        target.features,
        SPEED_LEVEL,
        reloc="pic" if is_relocated else "static",
        codemodel=model,
    )
    module = _linked(texts, exported, machine)
    options = llvm.create_pipeline_tuning_options(SPEED_LEVEL)
    options.loop_vectorization = options.loop_interleaving = options.loop_unrolling = True
    options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def joined(texts: Sequence[str]) -> str:
    """One text of texts that call each other's functions, as LLVM prints it."""
    return str(_together(texts, None))


def _together(texts: Sequence[str], machine: llvm.TargetMachine | None) -> llvm.ModuleRef:
    context = llvm.create_context()
    try:
        module, *others = (llvm.parse_assembly(text, context) for text in texts)
        for part in (module, *others):
            if machine is not None:
                part.triple, part.data_layout = machine.triple, str(machine.target_data)
        for part in others:
            module.link_in(part)
        module.verify()
    except RuntimeError as refusal:
        raise ProgramError(f"LLVM refuses the text: {refusal}", cure=CURE) from None
    return module


def _linked(
    texts: Sequence[str], exported: Collection[str], machine: llvm.TargetMachine
) -> llvm.ModuleRef:
    """One module of all."""
    module = _together(texts, machine)
    for function in module.functions:
        if not function.is_declaration and function.name not in exported:
            function.linkage = "internal"
    return module
