"""The texts of a model as the object file of a machine: without what it lacks."""

from __future__ import annotations

import re

from twinoar.backends.llvm.whole import object_file
from twinoar.export.native import support
from twinoar.export.native.interface import Written
from twinoar.export.native.targets import Machine

INTRINSICS = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare double @llvm.fabs.f64(double)
"""
SOFT = {"f32": "float", "f64": "double"}  # fused products and sums, of these
VECTOR = re.compile(r"@llvm\.fmuladd\.(v(\d+)f(32|64))")
LOOSE = re.compile(r"\b(contract|reassoc|fast|afn|arcp) ")


def object_code(written: Written, machine: Machine, *, portable: bool = False) -> bytes:
    """The object file. portable: no sum is reordered, and no product fused with one."""
    fuses = machine.fuses and not portable
    kernels = {
        symbol: _adapted(re.sub(rf"@{name}\(", f"@{symbol}(", text), fuses, portable)
        for symbol, (name, text) in written.kernels.items()
    }
    declared = [f"declare void @{symbol}(ptr, i64, i64, i64)" for symbol in kernels]
    soft = [] if fuses else [support.FUSED_SINGLE, support.FUSED_DOUBLE]
    memory = support.MEMORY.replace("SIZE", f"i{machine.word_bits}")
    main = "\n".join([memory, support.POLL, *soft, INTRINSICS, written.text, *declared])
    texts = [main, *kernels.values()]
    is_relocated = not machine.is_wasm
    return object_file(texts, written.exported, machine.target, is_relocated=is_relocated)


def _adapted(text: str, fuses: bool, portable: bool) -> str:
    """A kernel's text for a machine: without what it lacks, or what would differ elsewhere."""
    if not fuses:
        for suffix, kind in SOFT.items():
            name = f"twinoar_fma_{suffix}"
            text = re.sub(
                rf"declare {kind} @llvm\.fma\.{suffix}\(.*\)",
                f"declare {kind} @{name}({kind}, {kind}, {kind})",
                text,
            ).replace(f"@llvm.fma.{suffix}(", f"@{name}(")
    return _unfused(LOOSE.sub("", text)) if portable else text


def _unfused(text: str) -> str:
    """Products and sums of vectors that are rounded each."""
    for suffix, lanes, bits in dict.fromkeys(VECTOR.findall(text)):
        kind = f"<{lanes} x {'float' if bits == '32' else 'double'}>"
        name = f"twinoar_add_product_{suffix}"
        text = re.sub(rf"declare .*@llvm\.fmuladd\.{suffix}\(.*\)", "", text)
        text = text.replace(f"@llvm.fmuladd.{suffix}(", f"@{name}(")
        text += (
            f"define internal {kind} @{name}({kind} %a, {kind} %b, {kind} %c) alwaysinline {{\n"
            f"  %p = fmul {kind} %a, %b\n  %s = fadd {kind} %p, %c\n  ret {kind} %s\n}}\n"
        )
    return text
