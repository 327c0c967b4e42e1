"""The text of what shows frames on a board, in LLVM IR: written, read, forgotten."""

from __future__ import annotations

from twinoar.backends.mpi.words import (
    BOARD_BYTES,
    LATE,
    MESSAGES,
    NEXT_FRAME,
    OWN_RANK,
    SEQUENCE,
    SLOT_BYTES,
    SLOTS,
    STARTS,
    field,
)
from twinoar.runtime.collective.call import FRAME_BYTES

BOARDS = f"""
; Write the frame of a flight where others read it.
define internal void @tell(ptr %flight, ptr %stage, ptr %board, i64 %size) {{
entry:
{field("number", "board", NEXT_FRAME, "i64")}{field("rank", "board", OWN_RANK, "i64")}
{field("frames", "stage", MESSAGES, "ptr")}{field("bytes", "stage", BOARD_BYTES, "i64")}
  %following = add i64 %number, 1
  store i64 %following, ptr %number.at
  %sequence.at = getelementptr i64, ptr %stage, i64 {SEQUENCE}
  store i64 %number, ptr %sequence.at
  %starts = getelementptr i64, ptr %board, i64 {STARTS}
  %waiting = getelementptr i64, ptr %starts, i64 %size
  %late = add i64 %number, {LATE}
  %late.index = and i64 %late, {SLOTS - 1}
  %late.at = getelementptr i64, ptr %waiting, i64 %late.index
  %old = load ptr, ptr %late.at
  %is.read = icmp eq ptr %old, null
  br i1 %is.read, label %write, label %read
read:
  %ignored = call i32 @advance(ptr %old)
  br label %write
write:
  %index = and i64 %number, {SLOTS - 1}
  %unread.at = getelementptr i64, ptr %waiting, i64 %index
  store ptr %flight, ptr %unread.at
  %start.at = getelementptr i64, ptr %starts, i64 %rank
  %start = load ptr, ptr %start.at
  %offset = mul i64 %index, {SLOT_BYTES}
  %slot = getelementptr i8, ptr %start, i64 %offset
  %own.offset = mul i64 %rank, {FRAME_BYTES}
  %own = getelementptr i8, ptr %frames, i64 %own.offset
  %to = getelementptr i8, ptr %slot, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %own, i64 %bytes, i1 false)
  store atomic i64 %number, ptr %slot release, align 8
  ret void
}}

; Read what others have written: how many ranks there are of which all is read, from `first` on.
define internal i64 @read(ptr %stage, ptr %board, i64 %first, i64 %size) {{
entry:
{field("number", "stage", SEQUENCE, "i64")}{field("rank", "board", OWN_RANK, "i64")}
{field("frames", "stage", MESSAGES, "ptr")}{field("bytes", "stage", BOARD_BYTES, "i64")}
  %starts = getelementptr i64, ptr %board, i64 {STARTS}
  %index = and i64 %number, {SLOTS - 1}
  %offset = mul i64 %index, {SLOT_BYTES}
  br label %next
next:
  %n = phi i64 [ %first, %entry ], [ %following, %own ], [ %following, %copy ]
  %more = icmp slt i64 %n, %size
  br i1 %more, label %look, label %all
look:
  %following = add i64 %n, 1
  %is.own = icmp eq i64 %n, %rank
  br i1 %is.own, label %own, label %other
own:
  br label %next
other:
  %start.at = getelementptr i64, ptr %starts, i64 %n
  %start = load ptr, ptr %start.at
  %slot = getelementptr i8, ptr %start, i64 %offset
  %found = load atomic i64, ptr %slot acquire, align 8
  %is.there = icmp eq i64 %found, %number
  br i1 %is.there, label %copy, label %some
copy:
  %from = getelementptr i8, ptr %slot, i64 8
  %to.offset = mul i64 %n, {FRAME_BYTES}
  %to = getelementptr i8, ptr %frames, i64 %to.offset
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  br label %next
all:
  call void @forget(ptr %stage, ptr %board, i64 %size)
  ret i64 %size
some:
  ret i64 %n
}}

; Nobody waits for the frames of a stage any more.
define internal void @forget(ptr %stage, ptr %board, i64 %size) {{
{field("number", "stage", SEQUENCE, "i64")}
  %starts = getelementptr i64, ptr %board, i64 {STARTS}
  %waiting = getelementptr i64, ptr %starts, i64 %size
  %index = and i64 %number, {SLOTS - 1}
  %unread.at = getelementptr i64, ptr %waiting, i64 %index
  store ptr null, ptr %unread.at
  ret void
}}
"""
