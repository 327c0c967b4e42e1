"""Which instructions an x86-64 processor has, asked by code of ours as LLVM IR.

The two instructions that tell it, `cpuid` and `xgetbv`, stand as bytes before the bodies of
functions: these return before the body, which only tells LLVM what is read and written, so no
assembler is needed. Source: Intel, Software Developer's Manual, volume 2, CPUID and XGETBV.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# push rbx; mov eax, [rdi]; mov ecx, [rdi+4]; cpuid; mov [rdi], eax; mov [rdi+4], ebx;
# mov [rdi+8], ecx; mov [rdi+12], edx; pop rbx; ret
CPUID = bytes.fromhex("53 8B07 8B4F04 0FA2 8907 895F04 894F08 89570C 5B C3")
# xor ecx, ecx; xgetbv; mov [rdi], eax; ret
XGETBV = bytes.fromhex("31C9 0F01D0 8907 C3")


@dataclass(frozen=True)
class Word:
    """A word that a processor tells: of a leaf of cpuid a register, 0 for eax to 3 for edx."""

    leaf: int
    register: int


BASIC, STRUCTURED, MORE, EXTENDED = Word(1, 2), Word(7, 1), Word(7, 2), Word(0x80000001, 2)
STATES = Word(-1, 0)  # the registers that the system keeps: xgetbv, where there is that
# By level the bits that must be set; a level has those before it.
BITS: dict[str, dict[Word, Sequence[int]]] = {
    "x86-64-v2": {BASIC: (0, 9, 13, 19, 20, 23)},
    "x86-64-v3": {
        BASIC: (12, 22, 27, 28, 29), STRUCTURED: (3, 5, 8), EXTENDED: (5,), STATES: (1, 2),
    },
    "x86-64-v4": {STRUCTURED: (16, 17, 28, 30, 31), STATES: (5, 6, 7)},
    "x86-64-v4-vnni": {MORE: (11,)},
}  # fmt: skip


def _instruction(name: str, code: bytes) -> str:
    """What it is asked and what it tells lie in memory: LLVM may change other arguments."""
    content = "".join(f"\\{byte:02X}" for byte in code)
    return f"""
define internal void @twinoar_{name}(ptr %memory) noinline optnone nounwind
  prologue [{len(code)} x i8] c"{content}" {{
  %word = load volatile i32, ptr %memory, align 4
  store volatile i32 %word, ptr %memory, align 4
  ret void
}}
"""


HIGHEST = """
; A register of a leaf of cpuid, 0 where there is no such leaf.
define internal i32 @twinoar_told(i32 %leaf, i32 %register) noinline nounwind {
entry:
  %out = alloca [4 x i32], align 4
  %base = and i32 %leaf, -2147483648
  %part = getelementptr i32, ptr %out, i32 1
  store volatile i32 %base, ptr %out, align 4
  store volatile i32 0, ptr %part, align 4
  call void @twinoar_cpuid(ptr %out)
  %most = load volatile i32, ptr %out, align 4
  %is.known = icmp uge i32 %most, %leaf
  br i1 %is.known, label %known, label %none
known:
  store volatile i32 %leaf, ptr %out, align 4
  store volatile i32 0, ptr %part, align 4
  call void @twinoar_cpuid(ptr %out)
  %where = getelementptr i32, ptr %out, i32 %register
  %word = load volatile i32, ptr %where, align 4
  ret i32 %word
none:
  ret i32 0
}

; The registers that the system keeps, 0 where it does not tell.
define internal i32 @twinoar_states() noinline nounwind {
entry:
  %out = alloca i32, align 4
  %basic = call i32 @twinoar_told(i32 1, i32 2)
  %told = and i32 %basic, 134217728
  %is.told = icmp ne i32 %told, 0
  br i1 %is.told, label %known, label %none
known:
  store volatile i32 0, ptr %out, align 4
  call void @twinoar_xgetbv(ptr %out)
  %word = load volatile i32, ptr %out, align 4
  ret i32 %word
none:
  ret i32 0
}
"""


def level_text(levels: Sequence[str]) -> str:
    """The function `twinoar_level`: how many of the levels, in order, the processor has."""
    words = dict.fromkeys(word for level in levels for word in BITS[level])
    lines, names = [], {}
    for n, word in enumerate(words):
        names[word] = f"%word{n}"
        asked = (
            "states()" if word is STATES else f"told(i32 {_signed(word.leaf)}, i32 {word.register})"
        )
        lines.append(f"  %word{n} = call i32 @twinoar_{asked}")
    count, has = "0", "true"
    for n, level in enumerate(levels):
        for m, (word, bits) in enumerate(BITS[level].items()):
            mask = _signed(sum(1 << bit for bit in bits))
            lines += [
                f"  %bits{n}.{m} = and i32 {names[word]}, {mask}",
                f"  %all{n}.{m} = icmp eq i32 %bits{n}.{m}, {mask}",
                f"  %has{n}.{m} = and i1 {has}, %all{n}.{m}",
            ]
            has = f"%has{n}.{m}"
        lines += [f"  %one{n} = zext i1 {has} to i32", f"  %count{n} = add i32 {count}, %one{n}"]
        count = f"%count{n}"
    body = "\n".join(lines)
    head = "define internal i32 @twinoar_level() noinline nounwind"
    made = f"{head} {{\n{body}\n  ret i32 {count}\n}}\n"
    return "".join([_instruction("cpuid", CPUID), _instruction("xgetbv", XGETBV), HIGHEST, made])


def _signed(word: int) -> int:
    return word - (1 << 32) if word >= 1 << 31 else word
