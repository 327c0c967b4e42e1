"""Texts of kernels for machines that lack something, and for equal bits on all of them.

Bits differ where LLVM may choose: whether a product and a sum are rounded once, in which order a
sum is taken, which zero a maximum is. Portable texts leave no choice, and are planned for one
machine that none is.
"""

from __future__ import annotations

import re

from twinoar.export.native import support
from twinoar.export.native.targets import COMMON as COMMON

SOFT = {"f32": ("float", support.FUSED_SINGLE), "f64": ("double", support.FUSED_DOUBLE)}
VECTOR = re.compile(r"@llvm\.fmuladd\.(v(\d+)f(32|64))")
LOOSE = re.compile(r"\b(contract|reassoc|nsz|fast|afn|arcp) (?=[\w<])")


def without_fused(text: str) -> str:
    """A text that calls functions of ours where it fuses products and sums."""
    for suffix, (kind, _) in SOFT.items():
        name = f"twinoar_fma_{suffix}"
        text = re.sub(
            rf"declare {kind} @llvm\.fma\.{suffix}\(.*\)",
            f"declare {kind} @{name}({kind}, {kind}, {kind})",
            text,
        ).replace(f"@llvm.fma.{suffix}(", f"@{name}(")
    return text


def exact(text: str) -> str:
    """A text that has the same bits everywhere; it calls functions of ours."""
    return _unfused(LOOSE.sub("", without_fused(text)))


def plain(text: str) -> str:
    """A text whose sums have one order, for a compiler that fuses where it is told to."""
    return LOOSE.sub("", without_fused(text))


def exact_alone(text: str) -> str:
    """The same, with these functions."""
    text = exact(text)
    for suffix, (kind, definition) in SOFT.items():
        declared = re.compile(rf"declare {kind} @twinoar_fma_{suffix}\(.*\)")
        if declared.search(text):
            text = declared.sub("", text) + definition
    return text


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
