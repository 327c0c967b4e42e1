"""The text of the native driver: what `driver` loads, in LLVM IR."""

DRIVER = """
%Command = type { ptr, ptr, ptr, i64, i64, i64, i64, i64 }  ; as _Command of `driver`
%Block = type { ptr, i64, i64 }                             ; as _Block there
%Target = type { ptr, i64, i64, ptr }                       ; as _Target there
%Inner = type { ptr, i64, ptr }                             ; as _Inner there
%Loop = type { ptr, i64, ptr, i64 }                         ; as _Loop there
%Branch = type { ptr, ptr, ptr, ptr, ptr }                  ; as _Branch there
%Move = type { ptr, ptr, i64 }                              ; as triples of words there
%Stack = type { ptr, i64, i64, i64 }  ; records, how many, for how many is room, was memory lacking
%Timespec = type { i64, i64 }

declare i32 @clock_gettime(i32, ptr)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; The number of the command that failed, or -1. If times is not null it gets each one's nanoseconds.
define i64 @run(ptr %commands, i64 %count, ptr %times) {
entry:
  %timed = icmp ne ptr %times, null
  br label %next
next:
  %number = phi i64 [ 0, %entry ], [ %following, %done ]
  %more = icmp slt i64 %number, %count
  br i1 %more, label %start, label %success
start:
  %command = getelementptr %Command, ptr %commands, i64 %number
  %way = load ptr, ptr %command
  br i1 %timed, label %measure, label %execute
execute:
  %status.plain = call i32 %way(ptr %command)
  br label %done
measure:
  %before = call i64 @now()
  %status.timed = call i32 %way(ptr %command)
  %after = call i64 @now()
  %duration = sub i64 %after, %before
  %time = getelementptr i64, ptr %times, i64 %number
  store i64 %duration, ptr %time
  br label %done
done:
  %status = phi i32 [ %status.plain, %execute ], [ %status.timed, %measure ]
  %failed = icmp ne i32 %status, 0
  %following = add i64 %number, 1
  br i1 %failed, label %failure, label %next
failure:
  ret i64 %number
success:
  ret i64 -1
}

@stopped = global i64 0  ; not 0 where what polls shall return
@ask = global ptr null   ; lets Python handle signals
@asked = internal global i64 0

; Not 0 where the loop that asks shall end. Python is asked by the thread that runs the commands.
define i32 @poll() {
entry:
  %stopped = load atomic i64, ptr @stopped monotonic, align 8
  %now = call i64 @now()
  %asked = load atomic i64, ptr @asked monotonic, align 8
  %since = sub i64 %now, %asked
  %is.due = icmp sgt i64 %since, 50000000
  br i1 %is.due, label %due, label %told
due:
  %thread = call i32 @omp_get_thread_num()
  %is.first = icmp eq i32 %thread, 0
  br i1 %is.first, label %call, label %told
call:
  store atomic i64 %now, ptr @asked monotonic, align 8
  %function = load ptr, ptr @ask
  call void %function()
  %answer = load atomic i64, ptr @stopped monotonic, align 8
  br label %told
told:
  %word = phi i64 [ %stopped, %entry ], [ %stopped, %due ], [ %answer, %call ]
  %stops = icmp ne i64 %word, 0
  %result = zext i1 %stops to i32
  ret i32 %result
}

define internal i64 @now() {
  %time = alloca %Timespec
  %ignored = call i32 @clock_gettime(i32 1, ptr %time)  ; 1: the monotonic clock
  %now = load %Timespec, ptr %time
  %seconds = extractvalue %Timespec %now, 0
  %rest = extractvalue %Timespec %now, 1
  %whole = mul i64 %seconds, 1000000000
  %nanoseconds = add i64 %whole, %rest
  ret i64 %nanoseconds
}

; A way to run a command: its parts one after the other in this thread.
define i32 @serial(ptr %command.at) {
entry:
  %command = load %Command, ptr %command.at
  %parts = extractvalue %Command %command, 6
  br label %next
next:
  %part = phi i64 [ 0, %entry ], [ %following, %execute ]
  %more = icmp slt i64 %part, %parts
  br i1 %more, label %execute, label %exit
execute:
  call void @part(ptr %command.at, i64 %part)
  %following = add i64 %part, 1
  br label %next
exit:
  ret i32 0
}

; A way to run a command: its parts in the threads of a region, 0 being as many as there are.
define i32 @parallel(ptr %command) {
  call void @GOMP_parallel(ptr @share, ptr %command, i32 0, i32 0)
  ret i32 0
}

; The parts of this thread: one if there are as many threads, else every so many.
define internal void @share(ptr %command.at) {
entry:
  %command = load %Command, ptr %command.at
  %parts = extractvalue %Command %command, 6
  %thread = call i32 @omp_get_thread_num()
  %threads = call i32 @omp_get_num_threads()
  %first = zext i32 %thread to i64
  %step = zext i32 %threads to i64
  br label %next
next:
  %part = phi i64 [ %first, %entry ], [ %following, %execute ]
  %more = icmp slt i64 %part, %parts
  br i1 %more, label %execute, label %exit
execute:
  call void @part(ptr %command.at, i64 %part)
  %following = add i64 %part, %step
  br label %next
exit:
  ret void
}

; One part: grains first to last of all blocks together, counted from 0 in the first block.
define internal void @part(ptr %command.at, i64 %part) {
entry:
  %command = load %Command, ptr %command.at
  %function = extractvalue %Command %command, 1
  %blocks = extractvalue %Command %command, 2
  %count = extractvalue %Command %command, 3
  %grain = extractvalue %Command %command, 4
  %grains = extractvalue %Command %command, 5
  %parts = extractvalue %Command %command, 6
  %first.product = mul i64 %grains, %part
  %first = udiv i64 %first.product, %parts
  %last.product = add i64 %first.product, %grains
  %last = udiv i64 %last.product, %parts
  %alone = icmp eq i64 %count, 1
  br label %next
next:
  %number = phi i64 [ 0, %entry ], [ %following, %done ]
  %more = icmp slt i64 %number, %count
  br i1 %more, label %look, label %exit
look:
  %block.at = getelementptr %Block, ptr %blocks, i64 %number
  %block = load %Block, ptr %block.at
  %arguments = extractvalue %Block %block, 0
  %size = extractvalue %Block %block, 1
  %start = extractvalue %Block %block, 2
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
  %following = add i64 %number, 1
  br label %next
exit:
  ret void
}

; A way to run a command: as dnnl_primitive_execute(primitive, stream, count, arguments).
define i32 @primitive(ptr %command.at) {
  %command = load %Command, ptr %command.at
  %function = extractvalue %Command %command, 1
  %fields.at = extractvalue %Command %command, 2
  %fields = load { ptr, ptr, i64, ptr }, ptr %fields.at
  %primitive = extractvalue { ptr, ptr, i64, ptr } %fields, 0
  %stream = extractvalue { ptr, ptr, i64, ptr } %fields, 1
  %count.wide = extractvalue { ptr, ptr, i64, ptr } %fields, 2
  %count = trunc i64 %count.wide to i32
  %arguments = extractvalue { ptr, ptr, i64, ptr } %fields, 3
  %status = call i32 %function(ptr %primitive, ptr %stream, i32 %count, ptr %arguments)
  ret i32 %status
}

; A way to run a command: as a function without arguments.
define i32 @callback(ptr %command.at) {
  %command = load %Command, ptr %command.at
  %function = extractvalue %Command %command, 1
  %status = call i32 %function()
  ret i32 %status
}

; A way to run a command: as a function of the address of its words.
define i32 @native(ptr %command.at) {
  %command = load %Command, ptr %command.at
  %function = extractvalue %Command %command, 1
  %words = extractvalue %Command %command, 2
  %status = call i32 %function(ptr %words)
  ret i32 %status
}

define i32 @nothing(ptr %words) {
  ret i32 0
}

; A way to run a command: as a function without arguments, where a byte is 0. Not at all where the
; number of blocks is 0.
define i32 @unless(ptr %command.at) {
entry:
  %command = load %Command, ptr %command.at
  %words = extractvalue %Command %command, 2
  %count = extractvalue %Command %command, 3
  %holds = call i1 @holds(ptr %words)
  %is.off = icmp eq i64 %count, 0
  %skips = or i1 %holds, %is.off
  br i1 %skips, label %success, label %tell
tell:
  %status = call i32 @callback(ptr %command.at)
  ret i32 %status
success:
  ret i32 0
}

; A way to run a command: it fails if any of so many words is not zero.
define i32 @check(ptr %command.at) {
entry:
  %command = load %Command, ptr %command.at
  %words = extractvalue %Command %command, 2
  %count = extractvalue %Command %command, 3
  br label %next
next:
  %number = phi i64 [ 0, %entry ], [ %following, %look ]
  %more = icmp slt i64 %number, %count
  br i1 %more, label %look, label %success
look:
  %word.at = getelementptr i64, ptr %words, i64 %number
  %word = load i64, ptr %word.at
  %raised = icmp ne i64 %word, 0
  %following = add i64 %number, 1
  br i1 %raised, label %failure, label %next
failure:
  ret i32 1
success:
  ret i32 0
}

; A way to run a command: it tells each target where its place is.
define i32 @place(ptr %command.at) {
entry:
  %command = load %Command, ptr %command.at
  %addresses = extractvalue %Command %command, 1
  %targets = extractvalue %Command %command, 2
  %count = extractvalue %Command %command, 3
  br label %next
next:
  %number = phi i64 [ 0, %entry ], [ %following, %done ]
  %more = icmp slt i64 %number, %count
  br i1 %more, label %look, label %success
look:
  %target.at = getelementptr %Target, ptr %targets, i64 %number
  %target = load %Target, ptr %target.at
  %holder = extractvalue %Target %target, 0
  %place = extractvalue %Target %target, 1
  %offset = extractvalue %Target %target, 2
  %function = extractvalue %Target %target, 3
  %start.at = getelementptr ptr, ptr %addresses, i64 %place
  %start = load ptr, ptr %start.at
  %address = getelementptr i8, ptr %start, i64 %offset
  %is.word = icmp eq ptr %function, null
  br i1 %is.word, label %write, label %tell
write:
  store ptr %address, ptr %holder
  br label %done
tell:
  %told = call i32 %function(ptr %holder, ptr %address)
  br label %done
done:
  %status = phi i32 [ 0, %write ], [ %told, %tell ]
  %failed = icmp ne i32 %status, 0
  %following = add i64 %number, 1
  br i1 %failed, label %failure, label %next
failure:
  ret i32 1
success:
  ret i32 0
}

; The commands of another routine, if there is one. Not 0 where one of them failed.
define internal i32 @inner(ptr %inner.at) {
entry:
  %none = icmp eq ptr %inner.at, null
  br i1 %none, label %nothing, label %execute
nothing:
  ret i32 0
execute:
  %inner = load %Inner, ptr %inner.at
  %commands = extractvalue %Inner %inner, 0
  %count = extractvalue %Inner %inner, 1
  %times = extractvalue %Inner %inner, 2
  %failed.at = call i64 @run(ptr %commands, i64 %count, ptr %times)
  %failed = icmp sge i64 %failed.at, 0
  %status = zext i1 %failed to i32
  ret i32 %status
}

; Whether the byte is not 0 whose address stands there.
define internal i1 @holds(ptr %words) {
  %byte.at = load ptr, ptr %words
  %byte = load i8, ptr %byte.at
  %holds = icmp ne i8 %byte, 0
  ret i1 %holds
}

; A way to run a command: one of two lists of other commands, by a byte.
define i32 @branch(ptr %command.at) {
entry:
  %branch.at = getelementptr %Command, ptr %command.at, i64 0, i32 2
  %branch = load ptr, ptr %branch.at
  %words = load ptr, ptr %branch
  %holds = call i1 @holds(ptr %words)
  %number = select i1 %holds, i64 1, i64 2
  %inner.at = getelementptr ptr, ptr %branch, i64 %number
  %inner = load ptr, ptr %inner.at
  %status = call i32 @inner(ptr %inner)
  ret i32 %status
}

; A way to run a command: a test, and while its byte is not 0 a body and the test again. Another
; list of commands comes before the first test, and one before the first body. It ends after as
; many iterations as the number of blocks says, at the latest.
define i32 @while(ptr %command.at) {
entry:
  %most.at = getelementptr %Command, ptr %command.at, i64 0, i32 3
  %most = load i64, ptr %most.at
  %branch.at = getelementptr %Command, ptr %command.at, i64 0, i32 2
  %branch.here = load ptr, ptr %branch.at
  %branch = load %Branch, ptr %branch.here
  %words = extractvalue %Branch %branch, 0
  %before.test = extractvalue %Branch %branch, 1
  %test = extractvalue %Branch %branch, 2
  %before.body = extractvalue %Branch %branch, 3
  %body = extractvalue %Branch %branch, 4
  %status.before = call i32 @inner(ptr %before.test)
  %failed.before = icmp ne i32 %status.before, 0
  br i1 %failed.before, label %failure, label %again
again:
  %prepare = phi ptr [ %before.body, %entry ], [ null, %done ]
  %number = phi i64 [ 0, %entry ], [ %following, %done ]
  %status.test = call i32 @inner(ptr %test)
  %failed.test = icmp ne i32 %status.test, 0
  br i1 %failed.test, label %failure, label %look
look:
  %holds = call i1 @holds(ptr %words)
  %more = icmp ult i64 %number, %most
  %goes.on = and i1 %holds, %more
  br i1 %goes.on, label %first, label %success
first:
  %status.first = call i32 @inner(ptr %prepare)
  %failed.first = icmp ne i32 %status.first, 0
  br i1 %failed.first, label %failure, label %iterate
iterate:
  %status.body = call i32 @inner(ptr %body)
  %failed.body = icmp ne i32 %status.body, 0
  br i1 %failed.body, label %failure, label %done
done:
  %following = add i64 %number, 1
  %stop = call i32 @poll()
  %stops = icmp ne i32 %stop, 0
  br i1 %stops, label %failure, label %again
failure:
  ret i32 1
success:
  ret i32 0
}

; A way to run a command: other commands, until they have not failed once.
define i32 @once(ptr %command.at) {
entry:
  %inner.at = getelementptr %Command, ptr %command.at, i64 0, i32 2
  %inner = load ptr, ptr %inner.at
  %status = call i32 @inner(ptr %inner)
  %failed = icmp ne i32 %status, 0
  br i1 %failed, label %exit, label %success
success:
  store ptr null, ptr %inner.at
  br label %exit
exit:
  ret i32 %status
}

; A way to run a command: other commands so many times, each time with addresses moved on.
define i32 @repeat(ptr %command.at) {
entry:
  %command = load %Command, ptr %command.at
  %loop.at = extractvalue %Command %command, 2
  %loop = load %Loop, ptr %loop.at
  %inner = extractvalue %Loop %loop, 0
  %iterations = extractvalue %Loop %loop, 1
  %moves = extractvalue %Loop %loop, 2
  %moved = extractvalue %Loop %loop, 3
  br label %iteration
iteration:
  %t = phi i64 [ 0, %entry ], [ %following, %done ]
  %more = icmp slt i64 %t, %iterations
  br i1 %more, label %next, label %success
next:
  %number = phi i64 [ 0, %iteration ], [ %number.following, %move ]
  %more.moves = icmp slt i64 %number, %moved
  br i1 %more.moves, label %move, label %execute
move:
  %move.at = getelementptr %Move, ptr %moves, i64 %number
  %fields = load %Move, ptr %move.at
  %start = extractvalue %Move %fields, 0
  %holder = extractvalue %Move %fields, 1
  %step = extractvalue %Move %fields, 2
  %offset = mul i64 %t, %step
  %address = getelementptr i8, ptr %start, i64 %offset
  store ptr %address, ptr %holder
  %number.following = add i64 %number, 1
  br label %next
execute:
  %status = call i32 @inner(ptr %inner)
  %failed = icmp ne i32 %status, 0
  br i1 %failed, label %failure, label %done
done:
  %following = add i64 %t, 1
  %stop = call i32 @poll()
  %stops = icmp ne i32 %stop, 0
  br i1 %stops, label %failure, label %iteration
failure:
  ret i32 1
success:
  ret i32 0
}

; The pieces of a record to where it lies on a stack, or back. Words: the stack, the address of a
; byte, how many pieces there are, the bytes of all, then the address and the bytes of each.
define internal void @pieces(ptr %words, i64 %number, i1 %back) {
entry:
  %stack = load ptr, ptr %words
  %data = load ptr, ptr %stack
  %count.at = getelementptr i64, ptr %words, i64 2
  %count = load i64, ptr %count.at
  %bytes.at = getelementptr i64, ptr %words, i64 3
  %bytes = load i64, ptr %bytes.at
  %start = mul i64 %number, %bytes
  br label %next
next:
  %n = phi i64 [ 0, %entry ], [ %n.following, %piece ]
  %offset = phi i64 [ %start, %entry ], [ %offset.following, %piece ]
  %more = icmp slt i64 %n, %count
  br i1 %more, label %piece, label %exit
piece:
  %pair = mul i64 %n, 2
  %place = add i64 %pair, 4
  %piece.at = getelementptr ptr, ptr %words, i64 %place
  %piece.address = load ptr, ptr %piece.at
  %size.at = getelementptr i64, ptr %piece.at, i64 1
  %size = load i64, ptr %size.at
  %kept = getelementptr i8, ptr %data, i64 %offset
  %to = select i1 %back, ptr %piece.address, ptr %kept
  %from = select i1 %back, ptr %kept, ptr %piece.address
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %size, i1 false)
  %n.following = add i64 %n, 1
  %offset.following = add i64 %offset, %size
  br label %next
exit:
  ret void
}

; A way to run a command: a record more on a stack. It fails where there is no memory for it.
define i32 @push(ptr %command.at) {
entry:
  %words.at = getelementptr %Command, ptr %command.at, i64 0, i32 2
  %words = load ptr, ptr %words.at
  %stack = load ptr, ptr %words
  %records.at = getelementptr %Stack, ptr %stack, i64 0, i32 1
  %records = load i64, ptr %records.at
  %room.at = getelementptr %Stack, ptr %stack, i64 0, i32 2
  %room = load i64, ptr %room.at
  %is.full = icmp sge i64 %records, %room
  br i1 %is.full, label %grow, label %write
grow:
  %bytes.at = getelementptr i64, ptr %words, i64 3
  %bytes = load i64, ptr %bytes.at
  %twice = mul i64 %room, 2
  %more = call i64 @llvm.smax.i64(i64 %twice, i64 8)
  %product = mul i64 %more, %bytes
  %asked = call i64 @llvm.smax.i64(i64 %product, i64 1)
  %old = load ptr, ptr %stack
  %new = call ptr @realloc(ptr %old, i64 %asked)
  %lacks = icmp eq ptr %new, null
  br i1 %lacks, label %failure, label %grown
grown:
  store ptr %new, ptr %stack
  store i64 %more, ptr %room.at
  br label %write
write:
  call void @pieces(ptr %words, i64 %records, i1 false)
  %following = add i64 %records, 1
  store i64 %following, ptr %records.at
  ret i32 0
failure:
  %lacking.at = getelementptr %Stack, ptr %stack, i64 0, i32 3
  store i64 1, ptr %lacking.at
  ret i32 1
}

; A way to run a command: the last record of a stack back to where it was; the byte says whether
; there was one.
define i32 @pop(ptr %command.at) {
entry:
  %words.at = getelementptr %Command, ptr %command.at, i64 0, i32 2
  %words = load ptr, ptr %words.at
  %stack = load ptr, ptr %words
  %byte.at = getelementptr ptr, ptr %words, i64 1
  %byte = load ptr, ptr %byte.at
  %records.at = getelementptr %Stack, ptr %stack, i64 0, i32 1
  %records = load i64, ptr %records.at
  %some = icmp sgt i64 %records, 0
  %answer = zext i1 %some to i8
  store i8 %answer, ptr %byte
  br i1 %some, label %read, label %exit
read:
  %last = sub i64 %records, 1
  store i64 %last, ptr %records.at
  call void @pieces(ptr %words, i64 %last, i1 true)
  br label %exit
exit:
  ret i32 0
}

; The memory of a stack given back.
define void @release(ptr %stack) {
  %data = load ptr, ptr %stack
  call void @free(ptr %data)
  ret void
}

define void @copy(ptr %arguments, i64 %lo, i64 %hi, i64 %part) {
  %target = load ptr, ptr %arguments
  %source.at = getelementptr ptr, ptr %arguments, i64 1
  %source = load ptr, ptr %source.at
  %to = getelementptr i8, ptr %target, i64 %lo
  %from = getelementptr i8, ptr %source, i64 %lo
  %bytes = sub i64 %hi, %lo
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  ret void
}

define void @clear(ptr %arguments, i64 %lo, i64 %hi, i64 %part) {
  %target = load ptr, ptr %arguments
  %to = getelementptr i8, ptr %target, i64 %lo
  %bytes = sub i64 %hi, %lo
  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 %bytes, i1 false)
  ret void
}
"""
REGIONS = """
declare void @GOMP_parallel(ptr, ptr, i32, i32)
declare i32 @omp_get_thread_num()
declare i32 @omp_get_num_threads()
"""
# What stands for the runtime where there is none.
ONE_THREAD = """
define internal void @GOMP_parallel(ptr %function, ptr %data, i32 %threads, i32 %flags) {
  call void %function(ptr %data)
  ret void
}
define internal i32 @omp_get_thread_num() {
  ret i32 0
}
define internal i32 @omp_get_num_threads() {
  ret i32 1
}
"""
