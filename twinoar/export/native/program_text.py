"""Functions of LLVM IR of a program without libraries: files, texts, numbers and the clock.

Names in capitals are numbers of the system, see `system`. A failure is a text, null where all went
well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from twinoar.export.native.system import System

HEAD_BYTES = 4000  # the most that the head of an array may have
ROOM_BYTES = 4096  # of memory for it

TEXTS: Mapping[str, str] = {
    "cannot_read": "cannot be opened",
    "cannot_write": "cannot be written",
    "no_array": "is not a file of NumPy (.npy)",
    "other_array": "holds another array",
    "too_short": "ends before the array does",
    "too_long": "goes on behind the array",
}

FUNCTIONS = r"""
declare hidden i64 @twinoar_system(i64, i64, i64, i64, i64, i64, i64)

define internal i64 @twinoar_length(ptr %text) "no-builtins" noinline nounwind {
entry:
  br label %head
head:
  %n = phi i64 [ 0, %entry ], [ %more, %head ]
  %where = getelementptr i8, ptr %text, i64 %n
  %byte = load i8, ptr %where
  %more = add i64 %n, 1
  %ends = icmp eq i8 %byte, 0
  br i1 %ends, label %exit, label %head
exit:
  ret i64 %n
}

define internal i1 @twinoar_equal(ptr %a, ptr %b) "no-builtins" noinline nounwind {
entry:
  br label %head
head:
  %n = phi i64 [ 0, %entry ], [ %more, %same ]
  %at.a = getelementptr i8, ptr %a, i64 %n
  %at.b = getelementptr i8, ptr %b, i64 %n
  %x = load i8, ptr %at.a
  %y = load i8, ptr %at.b
  %is.same = icmp eq i8 %x, %y
  br i1 %is.same, label %same, label %no
same:
  %more = add i64 %n, 1
  %ends = icmp eq i8 %x, 0
  br i1 %ends, label %yes, label %head
no:
  ret i1 false
yes:
  ret i1 true
}

; Whether a head of NumPy says what is wanted. Blanks do not count, nor does the last comma.
define internal i1 @twinoar_same_head(ptr %found, ptr %wanted) "no-builtins" noinline nounwind {
entry:
  br label %head
head:
  %f = phi ptr [ %found, %entry ], [ %f.next, %same ], [ %f.skipped, %skip ]
  %w = phi ptr [ %wanted, %entry ], [ %w.next, %same ], [ %w, %skip ]
  %x = load i8, ptr %f
  %y = load i8, ptr %w
  %is.same = icmp eq i8 %x, %y
  br i1 %is.same, label %same, label %other
same:
  %f.next = getelementptr i8, ptr %f, i64 1
  %w.next = getelementptr i8, ptr %w, i64 1
  %ends = icmp eq i8 %x, 0
  br i1 %ends, label %yes, label %head
other:
  %is.blank = icmp eq i8 %x, 32
  %is.line = icmp eq i8 %x, 10
  %is.comma = icmp eq i8 %x, 44
  %is.brace = icmp eq i8 %y, 125
  %is.last = and i1 %is.comma, %is.brace
  %is.space = or i1 %is.blank, %is.line
  %is.skipped = or i1 %is.space, %is.last
  br i1 %is.skipped, label %skip, label %no
skip:
  %f.skipped = getelementptr i8, ptr %f, i64 1
  br label %head
no:
  ret i1 false
yes:
  ret i1 true
}

; So many bytes, or what there is; a call that a signal ended is made again.
define internal i64 @twinoar_moved(i64 %how, i64 %file, ptr %memory, i64 %size) noinline nounwind {
entry:
  br label %head
head:
  %done = phi i64 [ 0, %entry ], [ %more, %go ], [ %done, %body ]
  %rest = sub i64 %size, %done
  %is.all = icmp eq i64 %rest, 0
  br i1 %is.all, label %exit, label %body
body:
  %where = getelementptr i8, ptr %memory, i64 %done
  %address = ptrtoint ptr %where to i64
  %n = call i64 @twinoar_system(i64 %how, i64 %file, i64 %address, i64 %rest, i64 0, i64 0, i64 0)
  %is.interrupted = icmp eq i64 %n, -4
  br i1 %is.interrupted, label %head, label %check
check:
  %is.some = icmp sgt i64 %n, 0
  br i1 %is.some, label %go, label %exit
go:
  %more = add i64 %done, %n
  br label %head
exit:
  ret i64 %done
}

define internal void @twinoar_say(i64 %file, ptr %text) noinline nounwind {
  %size = call i64 @twinoar_length(ptr %text)
  %n = call i64 @twinoar_moved(i64 WRITE, i64 %file, ptr %text, i64 %size)
  ret void
}

define internal void @twinoar_say_number(i64 %file, i64 %number) noinline nounwind {
entry:
  %room = alloca [24 x i8]
  %end = getelementptr i8, ptr %room, i64 23
  store i8 0, ptr %end
  br label %head
head:
  %n = phi i64 [ %number, %entry ], [ %rest, %head ]
  %at = phi ptr [ %end, %entry ], [ %before, %head ]
  %before = getelementptr i8, ptr %at, i64 -1
  %rest = udiv i64 %n, 10
  %tens = mul i64 %rest, 10
  %digit = sub i64 %n, %tens
  %byte = trunc i64 %digit to i8
  %char = add i8 %byte, 48
  store i8 %char, ptr %before
  %ends = icmp eq i64 %rest, 0
  br i1 %ends, label %exit, label %head
exit:
  call void @twinoar_say(i64 %file, ptr %before)
  ret void
}

; The number that a text is, 0 for any other text and for more than nine digits.
define internal i64 @twinoar_number(ptr %text) "no-builtins" noinline nounwind {
entry:
  br label %head
head:
  %n = phi i64 [ 0, %entry ], [ %more, %digit ]
  %at = phi ptr [ %text, %entry ], [ %next, %digit ]
  %char = load i8, ptr %at
  %ends = icmp eq i8 %char, 0
  br i1 %ends, label %exit, label %body
body:
  %value = sub i8 %char, 48
  %is.digit = icmp ult i8 %value, 10
  %is.small = icmp ult i64 %n, 100000000
  %goes.on = and i1 %is.digit, %is.small
  br i1 %goes.on, label %digit, label %none
digit:
  %wide = zext i8 %value to i64
  %tens = mul i64 %n, 10
  %more = add i64 %tens, %wide
  %next = getelementptr i8, ptr %at, i64 1
  br label %head
none:
  ret i64 0
exit:
  ret i64 %n
}

define internal i64 @twinoar_opened(ptr %path, i64 %how, i64 %standard) noinline nounwind {
entry:
  %dash = alloca i16
  store i16 45, ptr %dash
  %is.standard = call i1 @twinoar_equal(ptr %path, ptr %dash)
  br i1 %is.standard, label %standing, label %open
standing:
  ret i64 %standard
open:
  %address = ptrtoint ptr %path to i64
  %file = call i64 @twinoar_system(i64 OPENAT, i64 -100, i64 %address, i64 %how, i64 420,
    i64 0, i64 0)
  ret i64 %file
}

define internal void @twinoar_closed(i64 %file) noinline nounwind {
  %n = call i64 @twinoar_system(i64 CLOSE, i64 %file, i64 0, i64 0, i64 0, i64 0, i64 0)
  ret void
}

define internal ptr @twinoar_array_read(ptr %path, ptr %wanted, ptr %into, i64 %size, ptr %room)
  noinline nounwind {
entry:
  %file = call i64 @twinoar_opened(ptr %path, i64 0, i64 0)
  %is.none = icmp slt i64 %file, 0
  br i1 %is.none, label %unopened, label %begin
begin:
  %first = call i64 @twinoar_moved(i64 READ, i64 %file, ptr %room, i64 10)
  %is.first = icmp eq i64 %first, 10
  %word = load i64, ptr %room
  %magic = and i64 %word, 281474976710655
  %is.magic = icmp eq i64 %magic, MAGIC
  %is.array = and i1 %is.first, %is.magic
  br i1 %is.array, label %version, label %strange
version:
  %at.version = getelementptr i8, ptr %room, i64 6
  %number = load i8, ptr %at.version
  %is.one = icmp eq i8 %number, 1
  %at.length = getelementptr i8, ptr %room, i64 8
  br i1 %is.one, label %short, label %long
short:
  %word.short = load i16, ptr %at.length, align 1
  %length.short = zext i16 %word.short to i64
  br label %head
long:
  %at.rest = getelementptr i8, ptr %room, i64 10
  %rest = call i64 @twinoar_moved(i64 READ, i64 %file, ptr %at.rest, i64 2)
  %word.long = load i32, ptr %at.length, align 1
  %length.long = zext i32 %word.long to i64
  br label %head
head:
  %length = phi i64 [ %length.short, %short ], [ %length.long, %long ]
  %is.possible = icmp ule i64 %length, HEAD_BYTES
  br i1 %is.possible, label %read, label %strange
read:
  %text = getelementptr i8, ptr %room, i64 16
  %found = call i64 @twinoar_moved(i64 READ, i64 %file, ptr %text, i64 %length)
  %end = getelementptr i8, ptr %text, i64 %found
  store i8 0, ptr %end
  %is.same = call i1 @twinoar_same_head(ptr %text, ptr %wanted)
  br i1 %is.same, label %elements, label %other
elements:
  %n = call i64 @twinoar_moved(i64 READ, i64 %file, ptr %into, i64 %size)
  %is.whole = icmp eq i64 %n, %size
  br i1 %is.whole, label %whole, label %short.of
whole:
  %is.standard = icmp eq i64 %file, 0
  br i1 %is.standard, label %well, label %last
last:
  %more = call i64 @twinoar_moved(i64 READ, i64 %file, ptr %room, i64 1)
  call void @twinoar_closed(i64 %file)
  %is.end = icmp eq i64 %more, 0
  br i1 %is.end, label %well, label %longer
well:
  ret ptr null
unopened:
  ret ptr @twinoar_cannot_read
strange:
  ret ptr @twinoar_no_array
other:
  ret ptr @twinoar_other_array
short.of:
  ret ptr @twinoar_too_short
longer:
  ret ptr @twinoar_too_long
}

define internal ptr @twinoar_array_written(ptr %path, ptr %head, i64 %head_size, ptr %from,
  i64 %size) noinline nounwind {
entry:
  %file = call i64 @twinoar_opened(ptr %path, i64 577, i64 1)
  %is.none = icmp slt i64 %file, 0
  br i1 %is.none, label %failed, label %begin
begin:
  %first = call i64 @twinoar_moved(i64 WRITE, i64 %file, ptr %head, i64 %head_size)
  %second = call i64 @twinoar_moved(i64 WRITE, i64 %file, ptr %from, i64 %size)
  %is.first = icmp eq i64 %first, %head_size
  %is.second = icmp eq i64 %second, %size
  %is.whole = and i1 %is.first, %is.second
  br i1 %is.whole, label %whole, label %failed
whole:
  %is.standard = icmp eq i64 %file, 1
  br i1 %is.standard, label %well, label %last
last:
  call void @twinoar_closed(i64 %file)
  br label %well
well:
  ret ptr null
failed:
  ret ptr @twinoar_cannot_write
}

; Nanoseconds of a clock that goes on evenly.
define internal i64 @twinoar_now() noinline nounwind {
  %time = alloca [2 x i64]
  %address = ptrtoint ptr %time to i64
  %n = call i64 @twinoar_system(i64 CLOCK_GETTIME, i64 1, i64 %address, i64 0, i64 0, i64 0, i64 0)
  %seconds = load volatile i64, ptr %time
  %where = getelementptr i64, ptr %time, i64 1
  %rest = load volatile i64, ptr %where
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %rest
  ret i64 %now
}

; So much memory, or null.
define internal ptr @twinoar_memory(i64 %size) noinline nounwind {
  %address = call i64 @twinoar_system(i64 MMAP, i64 0, i64 %size, i64 3, i64 34, i64 -1, i64 0)
  %is.none = icmp ugt i64 %address, -4096
  %found = inttoptr i64 %address to ptr
  %memory = select i1 %is.none, ptr null, ptr %found
  ret ptr %memory
}

define internal void @twinoar_complain(ptr %path, ptr %reason, ptr %about) noinline nounwind {
  call void @twinoar_say(i64 2, ptr %path)
  call void @twinoar_say(i64 2, ptr @twinoar_blank)
  call void @twinoar_say(i64 2, ptr %reason)
  call void @twinoar_say(i64 2, ptr %about)
  ret void
}

define void @twinoar_begin(ptr %stack) nounwind {
  %count = load i64, ptr %stack
  %names = getelementptr i8, ptr %stack, i64 8
  %status = call i32 @twinoar_program(i64 %count, ptr %names)
  %code = zext i32 %status to i64
  %never = call i64 @twinoar_system(i64 EXIT_GROUP, i64 %code, i64 0, i64 0, i64 0, i64 0, i64 0)
  unreachable
}
"""


def functions(system: System) -> str:
    """The functions for a system."""
    text = FUNCTIONS.replace("HEAD_BYTES", str(HEAD_BYTES))
    text = text.replace("MAGIC", str(int.from_bytes(b"\x93NUMPY", "little")))
    for name, number in asdict(system).items():
        text = text.replace(f" {name.upper()},", f" {number},")
    constants = [constant(f"twinoar_{name}", words) for name, words in TEXTS.items()]
    return "\n".join([text, *constants, constant("twinoar_blank", " ")])


def constant(name: str, text: str | bytes) -> str:
    """A text that ends with a zero byte, as a constant."""
    content = (text.encode() if isinstance(text, str) else text) + b"\0"
    literal = "".join(f"\\{byte:02X}" for byte in content)
    return f'@{name} = internal constant [{len(content)} x i8] c"{literal}"'
