"""The texts of a model as the object file of a machine."""

from __future__ import annotations

import re

from twinoar.backends.llvm.whole import object_file
from twinoar.export.native import support
from twinoar.export.native.c_file import definitions
from twinoar.export.native.interface import Written
from twinoar.export.native.portable import SOFT, exact, plain, without_fused
from twinoar.export.native.program import EXPORTED
from twinoar.export.native.targets import Machine

INTRINSICS = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare double @llvm.fabs.f64(double)
"""


def object_code(
    written: Written, machine: Machine, *, portable: bool = False, program: str | None = None
) -> bytes:
    """The object file, or functions of C.

    portable: no sum is reordered, and no product fused with one. program: the text of a program
    around the model, whose beginning is all that others see then.
    """
    adapted = exact if portable else str if machine.fuses else without_fused
    if machine.is_source:
        adapted = plain
    kernels = {
        symbol: adapted(re.sub(rf"@{name}\(", f"@{symbol}(", text))
        for symbol, (name, text) in written.kernels.items()
    }
    declared = [f"declare void @{symbol}(ptr, i64, i64, i64)" for symbol in kernels]
    soft = [] if adapted is str else [text for _, text in SOFT.values()]
    memory = support.MEMORY.replace("SIZE", f"i{machine.word_bits}")
    memory = "" if machine.is_source else memory
    main = "\n".join([memory, support.POLL, *soft, INTRINSICS, written.text, *declared])
    texts = [main, *kernels.values()]
    if machine.is_source:
        return definitions(texts, written.exported)
    is_relocated = not machine.is_wasm
    exported = written.exported
    if program is not None:
        texts[0] += program
        exported = EXPORTED
    return object_file(texts, exported, machine.target, is_relocated=is_relocated)
