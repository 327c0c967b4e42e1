"""Functions of LLVM IR that every exported model brings, so that it needs no library.

`memcpy` and its like are what LLVM calls of its own accord; they are internal, and so no other
code's. A fused product and sum is computed from separate ones where a processor has none.
"""

from __future__ import annotations

# memcpy, memmove and memset as LLVM calls them; SIZE is the type of a size.
MEMORY = """
define internal ptr @memcpy(ptr %target, ptr %source, SIZE %size) "no-builtins" noinline nounwind {
entry:
  br label %head
head:
  %i = phi SIZE [ 0, %entry ], [ %next, %body ]
  %more = icmp ult SIZE %i, %size
  br i1 %more, label %body, label %exit
body:
  %from = getelementptr i8, ptr %source, SIZE %i
  %to = getelementptr i8, ptr %target, SIZE %i
  %byte = load i8, ptr %from
  store i8 %byte, ptr %to
  %next = add SIZE %i, 1
  br label %head
exit:
  ret ptr %target
}
define internal ptr @memmove(ptr %target, ptr %source, SIZE %size) "no-builtins" noinline nounwind {
entry:
  %forward = icmp ule ptr %target, %source
  br i1 %forward, label %up, label %head
up:
  %same = call ptr @memcpy(ptr %target, ptr %source, SIZE %size)
  ret ptr %target
head:
  %i = phi SIZE [ %size, %entry ], [ %next, %body ]
  %more = icmp ne SIZE %i, 0
  br i1 %more, label %body, label %exit
body:
  %next = sub SIZE %i, 1
  %from = getelementptr i8, ptr %source, SIZE %next
  %to = getelementptr i8, ptr %target, SIZE %next
  %byte = load i8, ptr %from
  store i8 %byte, ptr %to
  br label %head
exit:
  ret ptr %target
}
define internal ptr @memset(ptr %target, i32 %word, SIZE %size) "no-builtins" noinline nounwind {
entry:
  %byte = trunc i32 %word to i8
  br label %head
head:
  %i = phi SIZE [ 0, %entry ], [ %next, %body ]
  %more = icmp ult SIZE %i, %size
  br i1 %more, label %body, label %exit
body:
  %to = getelementptr i8, ptr %target, SIZE %i
  store i8 %byte, ptr %to
  %next = add SIZE %i, 1
  br label %head
exit:
  ret ptr %target
}
@llvm.compiler.used = appending global [3 x ptr] [ptr @memcpy, ptr @memmove, ptr @memset],
  section "llvm.metadata"
"""

# The product of two float32 is exact in float64. Its sum is rounded to odd there, so that rounding
# it to float32 is as rounding once (Boldo and Melquiond, "Emulation of FMA and correctly rounded
# sums: proved algorithms using rounding to odd", 2008).
FUSED_SINGLE = """
define float @twinoar_fma_f32(float %a, float %b, float %c) alwaysinline nounwind {
  %x = fpext float %a to double
  %y = fpext float %b to double
  %z = fpext float %c to double
  %p = fmul double %x, %y
  %s = fadd double %p, %z
  %v = fsub double %s, %p
  %w = fsub double %s, %v
  %e1 = fsub double %z, %v
  %e2 = fsub double %p, %w
  %e = fadd double %e1, %e2
  %bits = bitcast double %s to i64
  %ebits = bitcast double %e to i64
  %inexact = fcmp one double %e, 0.0
  %last = and i64 %bits, 1
  %even = icmp eq i64 %last, 0
  %signs = xor i64 %bits, %ebits
  %apart = icmp slt i64 %signs, 0
  %step = select i1 %apart, i64 -1, i64 1
  %moved = add i64 %bits, %step
  %moves = and i1 %inexact, %even
  %odd = select i1 %moves, i64 %moved, i64 %bits
  %t = bitcast i64 %odd to double
  %r = fptrunc double %t to float
  ret float %r
}
"""

# Dekker's product and Knuth's sum, each with its error. It overflows for operands beyond 2^996.
FUSED_DOUBLE = """
define double @twinoar_fma_f64(double %a, double %b, double %c) alwaysinline nounwind {
  %p = fmul double %a, %b
  %sa = fmul double %a, 134217729.0
  %da = fsub double %sa, %a
  %ah = fsub double %sa, %da
  %al = fsub double %a, %ah
  %sb = fmul double %b, 134217729.0
  %db = fsub double %sb, %b
  %bh = fsub double %sb, %db
  %bl = fsub double %b, %bh
  %hh = fmul double %ah, %bh
  %hl = fmul double %ah, %bl
  %lh = fmul double %al, %bh
  %ll = fmul double %al, %bl
  %t1 = fsub double %hh, %p
  %t2 = fadd double %t1, %hl
  %t3 = fadd double %t2, %lh
  %e = fadd double %t3, %ll
  %s = fadd double %p, %c
  %v = fsub double %s, %p
  %w = fsub double %s, %v
  %f1 = fsub double %c, %v
  %f2 = fsub double %p, %w
  %f = fadd double %f1, %f2
  %rest = fadd double %e, %f
  %sum = fadd double %s, %rest
  %sound = fcmp ord double %rest, 0.0
  %r = select i1 %sound, double %sum, double %s
  ret double %r
}
"""

# Loops of 2^32 iterations and more ask whether to end: here nobody can ask for it.
POLL = """
define i32 @poll() {
  ret i32 0
}
"""

# The text of a code, of texts that lie one behind the other, each ended by a zero byte.
NTH_TEXT = """
define internal ptr @twinoar_text(ptr %texts, i32 %number) "no-builtins" nounwind {
entry:
  br label %head
head:
  %at = phi ptr [ %texts, %entry ], [ %after, %skip ]
  %n = phi i32 [ %number, %entry ], [ %less, %skip ]
  %here = icmp eq i32 %n, 0
  br i1 %here, label %exit, label %next
next:
  %p = phi ptr [ %at, %head ], [ %after.one, %next ]
  %byte = load i8, ptr %p
  %after.one = getelementptr i8, ptr %p, i64 1
  %ends = icmp eq i8 %byte, 0
  br i1 %ends, label %skip, label %next
skip:
  %after = phi ptr [ %after.one, %next ]
  %less = sub i32 %n, 1
  br label %head
exit:
  ret ptr %at
}
"""

# Whether elements are those of a verification: |x - y| <= allowed (|y| + scale), or both no number.
NEAR = """
define internal i1 @twinoar_near_NAME(ptr %found, ptr %wanted, i64 %count, double %allowed,
  double %scale) noinline nounwind {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %fits ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %body, label %yes
body:
  %at.found = getelementptr MEMORY, ptr %found, i64 %i
  %at.wanted = getelementptr MEMORY, ptr %wanted, i64 %i
  %raw.x = load MEMORY, ptr %at.found
  %raw.y = load MEMORY, ptr %at.wanted
WIDEN
  %difference = fsub double %x, %y
  %distance = call double @llvm.fabs.f64(double %difference)
  %size = call double @llvm.fabs.f64(double %y)
  %base = fadd double %size, %scale
  %limit = fmul double %base, %allowed
  %near = fcmp ole double %distance, %limit
  %finite = fcmp one double %size, 0x7FF0000000000000
  %near.finite = and i1 %near, %finite
  %same = fcmp oeq double %x, %y
  %x.none = fcmp uno double %x, 0.0
  %y.none = fcmp uno double %y, 0.0
  %none = and i1 %x.none, %y.none
  %equal = or i1 %same, %none
  %is.right = or i1 %near.finite, %equal
  br i1 %is.right, label %fits, label %no
fits:
  %next = add i64 %i, 1
  br label %head
no:
  ret i1 false
yes:
  ret i1 true
}
"""

SAME = """
define internal i1 @twinoar_same(ptr %found, ptr %wanted, i64 %size)
  "no-builtins" noinline nounwind {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %fits ]
  %more = icmp slt i64 %i, %size
  br i1 %more, label %body, label %yes
body:
  %at.found = getelementptr i8, ptr %found, i64 %i
  %at.wanted = getelementptr i8, ptr %wanted, i64 %i
  %x = load i8, ptr %at.found
  %y = load i8, ptr %at.wanted
  %equal = icmp eq i8 %x, %y
  br i1 %equal, label %fits, label %no
fits:
  %next = add i64 %i, 1
  br label %head
no:
  ret i1 false
yes:
  ret i1 true
}
"""

# How elements of a dtype become float64: LLVM's type in memory, and the lines for %raw.N to %N.
WIDENED = {
    "float64": ("double", ("%N = fadd double %raw.N, -0.0",)),
    "float32": ("float", ("%N = fpext float %raw.N to double",)),
    "float16": ("half", ("%N = fpext half %raw.N to double",)),
    "bfloat16": (
        "i16",
        (
            "%wide.N = zext i16 %raw.N to i32",
            "%high.N = shl i32 %wide.N, 16",
            "%single.N = bitcast i32 %high.N to float",
            "%N = fpext float %single.N to double",
        ),
    ),
}


def near(dtype: str) -> str:
    """The function that compares elements of a floating dtype."""
    memory, lines = WIDENED[dtype]
    widened = [f"  {line.replace('N', name)}" for name in "xy" for line in lines]
    text = NEAR.replace("NAME", dtype).replace("MEMORY", memory)
    return text.replace("WIDEN", "\n".join(widened))
