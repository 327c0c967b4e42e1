"""Kernels divided among threads of the caller: NAME_run_threads, and what divides them.

A model that is exported for so many threads has kernels in as many parts, whoever runs these: its
bits do not depend on that. The caller gives a function that runs parts, which lies with its context
in the workspace while a run lasts; NAME_run has none, and runs all parts itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from twinoar.compile.commands import Launch
from twinoar.export.native.text import Lines

POOL_BYTES = 16  # of the workspace: the function, and its context
RUN = "run_threads"
# %command: kernel, blocks, how many of these, iterations of a grain, grains, parts. A block:
# arguments, iterations, the grains before it.
TEXT = """
define internal void @twinoar_part(ptr %command, i64 %part) nounwind {
entry:
  %function = load ptr, ptr %command
  %blocks.at = getelementptr i64, ptr %command, i64 1
  %blocks = load ptr, ptr %blocks.at
  %count.at = getelementptr i64, ptr %command, i64 2
  %count = load i64, ptr %count.at
  %grain.at = getelementptr i64, ptr %command, i64 3
  %grain = load i64, ptr %grain.at
  %grains.at = getelementptr i64, ptr %command, i64 4
  %grains = load i64, ptr %grains.at
  %parts.at = getelementptr i64, ptr %command, i64 5
  %parts = load i64, ptr %parts.at
  %first.product = mul i64 %grains, %part
  %first = udiv i64 %first.product, %parts
  %last.product = add i64 %first.product, %grains
  %last = udiv i64 %last.product, %parts
  %alone = icmp eq i64 %count, 1
  br label %next
next:
  %n = phi i64 [ 0, %entry ], [ %following, %done ]
  %more = icmp slt i64 %n, %count
  br i1 %more, label %look, label %exit
look:
  %place = mul i64 %n, 3
  %arguments.at = getelementptr i64, ptr %blocks, i64 %place
  %arguments = load ptr, ptr %arguments.at
  %size.at = getelementptr i64, ptr %arguments.at, i64 1
  %size = load i64, ptr %size.at
  %start.at = getelementptr i64, ptr %arguments.at, i64 2
  %start = load i64, ptr %start.at
  %first.own = sub i64 %first, %start
  %first.inside = call i64 @llvm.smax.i64(i64 %first.own, i64 0)
  %lo.whole = mul i64 %first.inside, %grain
  %lo = call i64 @llvm.smin.i64(i64 %lo.whole, i64 %size)
  %last.own = sub i64 %last, %start
  %hi.whole = mul i64 %last.own, %grain
  %hi = call i64 @llvm.smin.i64(i64 %hi.whole, i64 %size)
  %some = icmp slt i64 %lo, %hi
  %called = or i1 %some, %alone
  br i1 %called, label %execute, label %done
execute:
  call void %function(ptr %arguments, i64 %lo, i64 %hi, i64 %part)
  br label %done
done:
  %following = add i64 %n, 1
  br label %next
exit:
  ret void
}

define internal void @twinoar_spread(ptr %command, ptr %pool) noinline nounwind {
entry:
  %parts.at = getelementptr i64, ptr %command, i64 5
  %parts = load i64, ptr %parts.at
  %is.alone = icmp eq ptr %pool, null
  br i1 %is.alone, label %head, label %look
look:
  %parallel = load ptr, ptr %pool
  %context.at = getelementptr i8, ptr %pool, i64 8
  %context = load ptr, ptr %context.at
  %is.none = icmp eq ptr %parallel, null
  br i1 %is.none, label %head, label %given
given:
  call void %parallel(ptr %context, ptr @twinoar_part, ptr %command, i64 %parts)
  ret void
head:
  %part = phi i64 [ 0, %entry ], [ 0, %look ], [ %following, %body ]
  %more = icmp ult i64 %part, %parts
  br i1 %more, label %body, label %exit
body:
  call void @twinoar_part(ptr %command, i64 %part)
  %following = add i64 %part, 1
  br label %head
exit:
  ret void
}
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
"""
DECLARED = """\
/* Runs it as {name}_run does, with the same bits; parallel runs parts of kernels in threads.

   parallel calls function(argument, part) once for each part below count, which is {threads} at
   most, in any threads and any order, and returns when all have ended: see twinoar_threads.h. */
int32_t {name}_run_threads(const {name}_model *model, const void *const *inputs,
                           void *const *outputs, void *workspace, size_t bytes,
                           void (*parallel)(void *context, void (*function)(void *argument,
                                                                            size_t part),
                                            void *argument, size_t count),
                           void *context);

"""


def declared(description: Mapping[str, Any]) -> str:
    """What the header says of it; nothing for a model of one thread."""
    if description.get("threads", 1) == 1:
        return ""
    return DECLARED.format(name=description["name"], threads=description["threads"])


def launched(c: Launch, symbol: str, blocks: Sequence[str], pool: int, lines: Lines) -> None:
    """Print what runs the parts of a kernel. blocks: where the arguments of each lie."""
    table, command = lines.room(3 * len(blocks)), lines.room(6)
    grains = 0
    for n, (where, block) in enumerate(zip(blocks, c.blocks, strict=True)):
        for m, (kind, value) in enumerate((("ptr", where), ("i64", block.size), ("i64", grains))):
            lines.do(f"store {kind} {value}, ptr {lines.at(table, 24 * n + 8 * m)}, align 8")
        grains += -(-block.size // c.grain)
    words = [
        ("ptr", f"@{symbol}"), ("ptr", table), ("i64", len(blocks)), ("i64", c.grain),
        ("i64", grains), ("i64", c.parts),
    ]  # fmt: skip
    for n, (kind, word) in enumerate(words):
        lines.do(f"store {kind} {word}, ptr {lines.at(command, 8 * n)}, align 8")
    where = lines.at("%workspace", pool) if c.at_once else "null"
    lines.do(f"call void @twinoar_spread(ptr {command}, ptr {where})")
