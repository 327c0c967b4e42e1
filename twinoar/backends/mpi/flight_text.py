"""The text of what carries a flight, in LLVM IR: messages posted, tested, combined, waited for.

A flight is words of memory (`flight` lays them out): a head, lanes, their stages, their messages.
The lanes of a flight travel independently, a few at a time; the stages of a lane follow each other.
A stage posts messages, by MPI_Isend and MPI_Irecv, which have the same signature, and once all of
them have travelled calls a kernel, such as a sum of what has arrived. Where ranks share memory, the
stage of frames writes its own on a board (see `board`) and reads there those of others.
"""

from __future__ import annotations

import platform

from twinoar.backends.mpi.board_text import BOARDS
from twinoar.backends.mpi.words import (
    ADDRESS,
    AFTER,
    AFTER_WORDS,
    BASE,
    BEFORE,
    BEFORE_WORDS,
    BOARD,
    BYTE,
    BYTES,
    COMM,
    DIFFERENT,
    ERROR,
    FAILED,
    FLAG,
    FUNCTION,
    GATE,
    LANE_COUNT,
    LANE_WORDS,
    LANES,
    LOOK,
    LOOKED,
    MESSAGE_COUNT,
    MESSAGE_WORDS,
    MESSAGES,
    NEIGHBOR,
    NEXT,
    PEER,
    PROBE,
    QUICK_LOOKS,
    REQUEST,
    STAGE,
    STAGE_COUNT,
    STAGE_WORDS,
    STAGES,
    STATUS,
    TAG,
    TEST,
    TESTED,
    WINDOW,
    field,
)

PROBE_TAG = 32_767  # no message has it
YIELD_NANOSECONDS = 20_000_000  # a wait so short only gives way to others; a longer one sleeps
LOOK_NANOSECONDS = 50_000_000  # how often a wait asks Python whether it is to go on
NAP_NANOSECONDS = 200_000


# What lets the other thread of a core go on, by processor.
_PAUSES = {
    "x86_64": ("declare void @llvm.x86.sse2.pause()", "call void @llvm.x86.sse2.pause()"),
    "aarch64": ("declare void @llvm.aarch64.hint(i32)", "call void @llvm.aarch64.hint(i32 1)"),
}
_DECLARED, _PAUSE = _PAUSES.get(platform.machine().lower(), ("", "fence acquire"))


FLIGHT = f"""
{_DECLARED}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @sched_yield()
declare i32 @nanosleep(ptr, ptr)
declare i32 @clock_gettime(i32, ptr)

define internal i64 @now() {{
  %time = alloca {{ i64, i64 }}
  %ignored = call i32 @clock_gettime(i32 1, ptr %time)  ; 1: the monotonic clock
  %both = load {{ i64, i64 }}, ptr %time
  %seconds = extractvalue {{ i64, i64 }} %both, 0
  %rest = extractvalue {{ i64, i64 }} %both, 1
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %rest
  ret i64 %now
}}

; Post the messages of a stage, after its first kernel. Not 0 where MPI fails.
define internal i32 @post(ptr %flight, ptr %stage) {{
entry:
{field("messages", "stage", MESSAGES, "ptr")}{field("count", "stage", MESSAGE_COUNT, "i64")}
{field("before", "stage", BEFORE, "ptr")}{field("words", "stage", BEFORE_WORDS, "ptr")}
{field("comm", "flight", COMM, "ptr")}{field("byte", "flight", BYTE, "ptr")}
{field("board", "stage", BOARD, "ptr")}
  %none = icmp eq ptr %before, null
  br i1 %none, label %begin, label %prepare
prepare:
  %prepared = call i32 %before(ptr %words)
  br label %begin
begin:
  %is.message = icmp eq ptr %board, null
  br i1 %is.message, label %next, label %tell
tell:
  call void @tell(ptr %flight, ptr %stage, ptr %board, i64 %count)
  ret i32 0
next:
  %n = phi i64 [ 0, %begin ], [ %following, %send ]
  %more = icmp slt i64 %n, %count
  br i1 %more, label %send, label %success
send:
  %place = mul i64 %n, {MESSAGE_WORDS}
  %message = getelementptr i64, ptr %messages, i64 %place
{field("function", "message", FUNCTION, "ptr")}{field("address", "message", ADDRESS, "ptr")}
{field("bytes", "message", BYTES, "i32")}{field("peer", "message", PEER, "i32")}
{field("tag", "message", TAG, "i32")}
  %request = getelementptr i64, ptr %message, i64 {REQUEST}
  %status = call i32 %function(ptr %address, i32 %bytes, ptr %byte, i32 %peer, i32 %tag,
      ptr %comm, ptr %request)
  %following = add i64 %n, 1
  %failed = icmp ne i32 %status, 0
  br i1 %failed, label %failure, label %next
failure:
  %error.at = getelementptr i64, ptr %flight, i64 {ERROR}
  store i64 {FAILED}, ptr %error.at
  ret i32 1
success:
  ret i32 0
}}

; One step of a lane: 1 where a stage has ended, 0 where one is on its way, 2 where it failed.
define internal i32 @step(ptr %flight, ptr %lane) {{
entry:
{field("stages", "lane", STAGES, "ptr")}{field("stage.count", "lane", STAGE_COUNT, "i64")}
{field("number", "lane", STAGE, "i64")}{field("tested", "lane", TESTED, "i64")}
{field("test", "flight", TEST, "ptr")}
  %error.at = getelementptr i64, ptr %flight, i64 {ERROR}
  %status.at = getelementptr i64, ptr %flight, i64 {STATUS}
  %flag.at = getelementptr i64, ptr %flight, i64 {FLAG}
  %is.over = icmp sge i64 %number, %stage.count
  br i1 %is.over, label %nothing, label %look
look:
  %place = mul i64 %number, {STAGE_WORDS}
  %stage = getelementptr i64, ptr %stages, i64 %place
{field("messages", "stage", MESSAGES, "ptr")}{field("count", "stage", MESSAGE_COUNT, "i64")}
{field("board", "stage", BOARD, "ptr")}
  %is.message = icmp eq ptr %board, null
  br i1 %is.message, label %next, label %listen
listen:
  %read = call i64 @read(ptr %stage, ptr %board, i64 %tested, i64 %count)
  store i64 %read, ptr %tested.at
  %is.read = icmp sge i64 %read, %count
  br i1 %is.read, label %finish, label %nothing
next:
  %n = phi i64 [ %tested, %look ], [ %following, %arrived ]
  store i64 %n, ptr %tested.at
  %more = icmp slt i64 %n, %count
  br i1 %more, label %ask, label %finish
ask:
  %message.place = mul i64 %n, {MESSAGE_WORDS}
  %message = getelementptr i64, ptr %messages, i64 %message.place
  %request = getelementptr i64, ptr %message, i64 {REQUEST}
  store i32 0, ptr %flag.at
  %status = call i32 %test(ptr %request, ptr %flag.at, ptr %status.at)
  %failed = icmp ne i32 %status, 0
  br i1 %failed, label %broken, label %answered
answered:
  %flag = load i32, ptr %flag.at
  %is.there = icmp ne i32 %flag, 0
  br i1 %is.there, label %arrived, label %nothing
arrived:
  %following = add i64 %n, 1
  br label %next
finish:
{field("after", "stage", AFTER, "ptr")}{field("words", "stage", AFTER_WORDS, "ptr")}
  %none = icmp eq ptr %after, null
  br i1 %none, label %advance, label %combine
combine:
  %found = call i32 %after(ptr %words)
  %differs = icmp ne i32 %found, 0
  br i1 %differs, label %different, label %advance
advance:
  %number.following = add i64 %number, 1
  store i64 %number.following, ptr %number.at
  store i64 0, ptr %tested.at
  %has.more = icmp slt i64 %number.following, %stage.count
  br i1 %has.more, label %begin, label %ended
begin:
  %next.stage = getelementptr i64, ptr %stage, i64 {STAGE_WORDS}
  %begun = call i32 @post(ptr %flight, ptr %next.stage)
  %lost = icmp ne i32 %begun, 0
  br i1 %lost, label %failure, label %ended
ended:
  ret i32 1
nothing:
  ret i32 0
different:
  store i64 {DIFFERENT}, ptr %error.at
  ret i32 2
broken:
  store i64 {FAILED}, ptr %error.at
  ret i32 2
failure:
  ret i32 2
}}

; As far as a flight comes now: 1 where all has arrived, 0 where not yet, 2 where it failed.
define internal i32 @advance(ptr %flight) {{
entry:
{field("lanes", "flight", LANES, "ptr")}{field("count", "flight", LANE_COUNT, "i64")}
{field("window", "flight", WINDOW, "i64")}{field("gate", "flight", GATE, "i64")}
{field("error", "flight", ERROR, "i64")}
  %base.at = getelementptr i64, ptr %flight, i64 {BASE}
  %next.at = getelementptr i64, ptr %flight, i64 {NEXT}
  %has.failed = icmp ne i64 %error, 0
  br i1 %has.failed, label %failure, label %again
again:
  br label %more
more:
  %moved.more = phi i32 [ 0, %again ], [ 1, %posted ]
  %base.more = load i64, ptr %base.at
  %next.more = load i64, ptr %next.at
  %is.left = icmp slt i64 %next.more, %count
  %end = add i64 %base.more, %window
  %is.inside = icmp slt i64 %next.more, %end
  %is.first = icmp eq i64 %next.more, 0
  %is.free = icmp eq i64 %gate, 0
  %is.passed = icmp sgt i64 %base.more, 0
  %may.0 = or i1 %is.first, %is.free
  %may.1 = or i1 %may.0, %is.passed
  %may.2 = and i1 %is.left, %is.inside
  %may = and i1 %may.1, %may.2
  br i1 %may, label %start, label %walk
start:
  %start.place = mul i64 %next.more, {LANE_WORDS}
  %new = getelementptr i64, ptr %lanes, i64 %start.place
  %new.stage = getelementptr i64, ptr %new, i64 {STAGE}
  store i64 0, ptr %new.stage
  %new.tested = getelementptr i64, ptr %new, i64 {TESTED}
  store i64 0, ptr %new.tested
  %stages = load ptr, ptr %new
  %next.one = add i64 %next.more, 1
  store i64 %next.one, ptr %next.at
  %begun = call i32 @post(ptr %flight, ptr %stages)
  %lost = icmp ne i32 %begun, 0
  br i1 %lost, label %failure, label %posted
posted:
  br label %more
walk:
  %until = load i64, ptr %next.at
  br label %lane
lane:
  %n = phi i64 [ %base.more, %walk ], [ %n.following, %stepped ]
  %moved = phi i32 [ %moved.more, %walk ], [ %moved.or, %stepped ]
  %has = icmp slt i64 %n, %until
  br i1 %has, label %take, label %shift
take:
  %place = mul i64 %n, {LANE_WORDS}
  %lane.here = getelementptr i64, ptr %lanes, i64 %place
  %stepped.to = call i32 @step(ptr %flight, ptr %lane.here)
  %n.following = add i64 %n, 1
  %bad = icmp eq i32 %stepped.to, 2
  br i1 %bad, label %failure, label %stepped
stepped:
  %moved.or = or i32 %moved, %stepped.to
  br label %lane
shift:
  %base = load i64, ptr %base.at
  %inside = icmp slt i64 %base, %until
  br i1 %inside, label %ask, label %told
ask:
  %base.place = mul i64 %base, {LANE_WORDS}
  %oldest = getelementptr i64, ptr %lanes, i64 %base.place
  %oldest.count.at = getelementptr i64, ptr %oldest, i64 {STAGE_COUNT}
  %oldest.count = load i64, ptr %oldest.count.at
  %oldest.at = getelementptr i64, ptr %oldest, i64 {STAGE}
  %oldest.stage = load i64, ptr %oldest.at
  %is.over = icmp sge i64 %oldest.stage, %oldest.count
  br i1 %is.over, label %over, label %told
over:
  %base.one = add i64 %base, 1
  store i64 %base.one, ptr %base.at
  br label %shift
told:
  %base.now = load i64, ptr %base.at
  %is.done = icmp sge i64 %base.now, %count
  br i1 %is.done, label %done, label %rest
rest:
  %goes.on = icmp ne i32 %moved, 0
  br i1 %goes.on, label %again, label %waiting
waiting:
  ret i32 0
done:
  ret i32 1
failure:
  ret i32 2
}}

; Begin a flight. Not 0 where it failed.
define i32 @begin(ptr %flight) {{
  %base.at = getelementptr i64, ptr %flight, i64 {BASE}
  store i64 0, ptr %base.at
  %next.at = getelementptr i64, ptr %flight, i64 {NEXT}
  store i64 0, ptr %next.at
  %error.at = getelementptr i64, ptr %flight, i64 {ERROR}
  store i64 0, ptr %error.at
  %found = call i32 @progress(ptr %flight)
  ret i32 %found
}}

; Let a flight go on that was begun. Not 0 where it failed.
define i32 @progress(ptr %flight) {{
entry:
{field("count", "flight", LANE_COUNT, "i64")}{field("base", "flight", BASE, "i64")}
  %is.done = icmp sge i64 %base, %count
  br i1 %is.done, label %success, label %move
move:
  %found = call i32 @advance(ptr %flight)
  %failed = icmp eq i32 %found, 2
  %status = zext i1 %failed to i32
  ret i32 %status
success:
  ret i32 0
}}

; Wait for a flight that was begun. Not 0 where it failed, or Python said that it is to end.
define i32 @await(ptr %flight) {{
entry:
  %nap = alloca {{ i64, i64 }}
  store {{ i64, i64 }} {{ i64 0, i64 {NAP_NANOSECONDS} }}, ptr %nap
{field("count", "flight", LANE_COUNT, "i64")}{field("look", "flight", LOOK, "ptr")}
{field("most", "flight", QUICK_LOOKS, "i64")}
  %error.at = getelementptr i64, ptr %flight, i64 {ERROR}
  %base.at = getelementptr i64, ptr %flight, i64 {BASE}
  %base = load i64, ptr %base.at
  %is.over = icmp sge i64 %base, %count
  br i1 %is.over, label %success, label %again
again:
  %n = phi i64 [ 0, %entry ], [ %n.one, %quick ], [ %n.one, %yield ], [ %n.one, %sleep ]
  %start = phi i64 [ 0, %entry ], [ %start, %quick ], [ %began, %yield ], [ %began, %sleep ]
  %looked = phi i64 [ 0, %entry ], [ %looked, %quick ], [ %looked.then, %yield ],
      [ %looked.now, %sleep ]
  %found = call i32 @advance(ptr %flight)
  %n.one = add i64 %n, 1
  switch i32 %found, label %wait [ i32 1, label %success  i32 2, label %failure ]
wait:
  %is.quick = icmp slt i64 %n, %most
  br i1 %is.quick, label %quick, label %slow
quick:
  {_PAUSE}
  br label %again
slow:
  call void @let_go_on(ptr %flight)
  %now = call i64 @now()
  %is.new = icmp eq i64 %start, 0
  %began = select i1 %is.new, i64 %now, i64 %start
  %looked.then = select i1 %is.new, i64 %now, i64 %looked
  %waited = sub i64 %now, %began
  %is.short = icmp slt i64 %waited, {YIELD_NANOSECONDS}
  br i1 %is.short, label %yield, label %long
yield:
  %yielded = call i32 @sched_yield()
  br label %again
long:
  %since = sub i64 %now, %looked.then
  %is.due = icmp sgt i64 %since, {LOOK_NANOSECONDS}
  br i1 %is.due, label %ask, label %sleep
ask:
  %answer = call i32 %look()
  %ends = icmp ne i32 %answer, 0
  br i1 %ends, label %ended, label %sleep
sleep:
  %looked.now = phi i64 [ %looked.then, %long ], [ %now, %ask ]
  %slept = call i32 @nanosleep(ptr %nap, ptr null)
  br label %again
ended:
  store i64 {LOOKED}, ptr %error.at
  br label %failure
failure:
  call void @abandon(ptr %flight)
  ret i32 1
success:
  ret i32 0
}}

; Let MPI go on with what else is on its way, which others may wait for before they come here.
define internal void @let_go_on(ptr %flight) {{
entry:
{field("probe", "flight", PROBE, "ptr")}{field("peer", "flight", NEIGHBOR, "i32")}
{field("comm", "flight", COMM, "ptr")}
  %none = icmp eq ptr %probe, null
  br i1 %none, label %end, label %ask
ask:
  %status.at = getelementptr i64, ptr %flight, i64 {STATUS}
  %flag.at = getelementptr i64, ptr %flight, i64 {FLAG}
  %ignored = call i32 %probe(i32 %peer, i32 {PROBE_TAG}, ptr %comm, ptr %flag.at, ptr %status.at)
  br label %end
end:
  ret void
}}

; Forget a flight that has failed, so that nobody looks for its frames any more.
define internal void @abandon(ptr %flight) {{
entry:
{field("lanes", "flight", LANES, "ptr")}
  %stage = load ptr, ptr %lanes
{field("board", "stage", BOARD, "ptr")}{field("size", "stage", MESSAGE_COUNT, "i64")}
  %number.at = getelementptr i64, ptr %lanes, i64 {STAGE}
  %number = load i64, ptr %number.at
  %has.none = icmp eq ptr %board, null
  %is.read = icmp sgt i64 %number, 0
  %is.forgotten = or i1 %has.none, %is.read
  br i1 %is.forgotten, label %end, label %forget
forget:
  call void @forget(ptr %stage, ptr %board, i64 %size)
  br label %end
end:
  ret void
}}

; 0 where the frames of all ranks begin with the same number. Words: the first frame, how many
; there are, the bytes from one to the next, the number.
define i32 @agree(ptr %words) {{
entry:
  %frames = load ptr, ptr %words
  %count.at = getelementptr i64, ptr %words, i64 1
  %count = load i64, ptr %count.at
  %stride.at = getelementptr i64, ptr %words, i64 2
  %stride = load i64, ptr %stride.at
  %number.at = getelementptr i64, ptr %words, i64 3
  %number = load i64, ptr %number.at
  br label %next
next:
  %n = phi i64 [ 0, %entry ], [ %following, %look ]
  %more = icmp slt i64 %n, %count
  br i1 %more, label %look, label %success
look:
  %offset = mul i64 %n, %stride
  %frame = getelementptr i8, ptr %frames, i64 %offset
  %other = load i64, ptr %frame
  %following = add i64 %n, 1
  %same = icmp eq i64 %other, %number
  br i1 %same, label %next, label %failure
failure:
  ret i32 1
success:
  ret i32 0
}}
"""
TEXT = BOARDS + FLIGHT
FUNCTIONS = ("begin", "progress", "await", "agree")
