"""How fast this machine copies and multiplies at most: what times are held against.

Measured once, the best of several rounds, and kept on disk beside the compiled code.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Mapping

import numpy as np

from twinoar.backends import onednn
from twinoar.backends.llvm import cache, driver
from twinoar.backends.llvm.jit import load
from twinoar.compile.target import Target
from twinoar.core.dtype import bfloat16
from twinoar.late import dataclass

FORMAT = "2"  # to be raised when this module measures otherwise
ROUNDS = 25
COPIED = tuple(1 << n for n in (14, 16, 18, 20, 22, 24, 26))  # bytes: from a first cache to memory
COPIES_BYTES = 1 << 27  # about so many are copied in a round
ITERATIONS = 200_000
CHAINS = 12  # products that do not wait for each other, enough for the latency of each
SIDE = 1024  # of a large product of matrices

PRODUCTS = """
define void @products(ptr %arguments, i64 %lo, i64 %hi, i64 %part) {{
entry:
  %x = load VECTOR, ptr %arguments, align 4
  br label %next
next:
  %i = phi i64 [ %lo, %entry ], [ %following, %next ]
{chains}
  %following = add i64 %i, 1
  %more = icmp slt i64 %following, %hi
  br i1 %more, label %next, label %exit
exit:
{sums}
  %offset = mul i64 %part, {bytes}
  %place = getelementptr i8, ptr %arguments, i64 %offset
  %beside = getelementptr i8, ptr %place, i64 {bytes}
  store VECTOR %s{last}, ptr %beside, align 4
  ret void
}}
declare VECTOR @llvm.fma.TYPE(VECTOR, VECTOR, VECTOR)
"""


@dataclass(frozen=True)
class Machine:
    """The speeds that a step can reach.

    copies: bytes read and written a second, by the bytes in use. peaks: operations a second, by the
    name of the dtype.
    """

    copies: Mapping[int, float]
    peaks: Mapping[str, float]
    threads: int = 1

    def floor(self, bytes_: int, operations: int, dtype: str) -> float:
        """The seconds that moving the bytes or doing the operations takes at least."""
        fewer = max((n for n in self.copies if n <= bytes_), default=min(self.copies))
        # Copies of more bytes cannot be faster, whatever was measured.
        rate = max(speed for n, speed in self.copies.items() if n >= fewer)
        return max(bytes_ / rate, operations / self.peaks.get(dtype, self.peaks["float32"]))

    def __str__(self) -> str:
        copies = ", ".join(
            f"{speed / 1e9:.0f} of {_size(n)}" for n, speed in sorted(self.copies.items())
        )
        peaks = ", ".join(f"{speed / 1e9:.0f} in {name}" for name, speed in self.peaks.items())
        return f"copies, GB/s: {copies}; GFLOP/s: {peaks}; {self.threads} threads"


@functools.cache
def machine(target: Target) -> Machine:
    """The machine at hand, which the target is, with the threads that kernels have."""
    key = cache.key_of("machine", FORMAT, repr(target))
    kept = cache.get(key)
    if kept is None:
        copies = {2 * n: _copy_speed(n, target.threads) for n in COPIED}
        peaks = {"float32": _product_speed(target)}
        narrow = _narrow_product_speed() if target.library else None
        if narrow is not None:
            peaks["bfloat16"] = max(narrow, peaks["float32"])
        kept = json.dumps({"copies": copies, "peaks": peaks}).encode()
        cache.put(key, kept)
    found = json.loads(kept)
    return Machine(
        {int(n): speed for n, speed in found["copies"].items()}, found["peaks"], target.threads
    )


def _copy_speed(size: int, threads: int) -> float:
    """Bytes read and written a second by copies of `size` bytes, on one thread or on all."""
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    arguments = np.array([target.ctypes.data, source.ctypes.data], np.int64)
    repeats = max(1, min(1000, COPIES_BYTES // (2 * size)))
    best = math.inf
    for parts in {1, threads}:
        command = driver.copy(arguments.ctypes.data, size, parts=parts)
        best = min(best, _best(driver.Routine([command] * repeats).timed))
    return 2 * size / best


def _product_speed(target: Target) -> float:
    """Operations a second of fused multiplications and additions on all threads."""
    threads, lanes = target.threads, target.vector_bytes // 4
    words = np.zeros((threads + 1) * lanes, np.float32)
    code = load(_products(lanes), ["products"])
    block = driver.Block(words.ctypes.data, ITERATIONS * threads)
    kernel = driver.kernel(code.address("products"), [block], parts=threads)
    routine = driver.Routine([kernel])
    return 2 * CHAINS * lanes * ITERATIONS * threads / _best(routine.timed)


def _products(lanes: int) -> str:
    """The text of a loop of multiplications and additions in registers."""
    chains, sums = [], []
    for k in range(CHAINS):
        chains.append(f"  %y{k} = phi VECTOR [ %x, %entry ], [ %z{k}, %next ]")
    for k in range(CHAINS):
        chains.append(
            f"  %z{k} = call VECTOR @llvm.fma.TYPE(VECTOR %y{k}, VECTOR %x, VECTOR %y{k})"
        )
        before = f"%s{k - 1}" if k else "%x"
        sums.append(f"  %s{k} = fadd VECTOR {before}, %z{k}")
    text = PRODUCTS.format(
        chains="\n".join(chains), sums="\n".join(sums), bytes=4 * lanes, last=CHAINS - 1
    )
    return text.replace("VECTOR", f"<{lanes} x float>").replace("TYPE", f"v{lanes}f32")


def _narrow_product_speed() -> float | None:
    """Operations a second of a large product in bfloat16, None where the library has none."""
    layout = onednn.Layout.row_major((SIDE, SIDE), bfloat16)
    primitive = onednn.matmul(layout, onednn.Layout.any((SIDE, SIDE), bfloat16), layout)
    if primitive is None or primitive.is_reference:
        return None
    command = onednn.Command(primitive, onednn.new_stream())
    memory = {name: np.zeros(primitive.nbytes(name), np.uint8) for name in primitive.arguments}
    for name, array in memory.items():
        command.set(name, array.ctypes.data)
    run = driver.primitive(onednn.execute_address(), command.arguments_address)
    return 2 * SIDE**3 / _best(driver.Routine([run]).timed)


def _best(timed: Callable[[], list[int]]) -> float:
    """The least seconds that one command of a routine took: what else runs can only add."""
    return min(min(timed()) for _ in range(ROUNDS)) * 1e-9


def _size(count: int) -> str:
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count >> 10} KiB"
