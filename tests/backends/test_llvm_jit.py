"""From the text of LLVM IR to functions: what is called, shared, kept, refused and shown."""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from twinoar import config
from twinoar.backends.llvm import cache, jit
from twinoar.backends.llvm.target import attributes, cores, processor, tuned
from twinoar.compile.target import Target
from twinoar.errors import ProgramError

ADD = """
define i64 @function(i64 %x) {{
  %y = add i64 %x, {number}
  ret i64 %y
}}
"""

# target[i] = 2 * source[i] + 1
LOOP = """
define void @function(ptr noalias %target, ptr noalias %source, i64 %count) {attributes} {{
entry:
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %loop, label %exit
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds float, ptr %source, i64 %i
  %x = load float, ptr %from
  %y = call float @llvm.fmuladd.f32(float %x, float 2.0, float 1.0)
  %to = getelementptr inbounds float, ptr %target, i64 %i
  store float %y, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %loop, label %exit
exit:
  ret void
}}
declare float @llvm.fmuladd.f32(float, float, float)
"""

OTHERS = {  # by their widest registers
    "xmm": Target("x86_64-unknown-linux-gnu", "x86-64", "", 128),
    "ymm": Target("x86_64-unknown-linux-gnu", "x86-64-v3", "", 256),
    "zmm": Target("x86_64-unknown-linux-gnu", "x86-64-v4", "", 512),
    ".4s": Target("aarch64-unknown-linux-gnu", "generic", "+neon", 128),
}

STATUS = Path("/proc/self/status")
LOAD_ONE = "from twinoar.backends.llvm import jit; jit.load({text!r}, ['function'])"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty cache for each test."""
    with config.override(cache_dir=tmp_path):
        yield tmp_path / cache.FOLDER


def call(code: jit.Code, x: int) -> int:
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(code.address("function"))(x)


def add(number: int) -> str:
    return ADD.format(number=number)


def test_a_loaded_function_can_be_called() -> None:
    assert call(jit.load(add(5), ["function"]), 37) == 42


def test_many_texts_give_their_code_in_order() -> None:
    codes = jit.load_many([add(n) for n in range(20)], ["function"])
    assert [call(code, 100) for code in codes] == list(range(100, 120))


def test_equal_texts_share_their_code() -> None:
    first, other, again = jit.load_many([add(1), add(2), add(1)], ["function"])
    assert first is again and first is not other
    assert jit.load(add(1), ["function"]) is first


def test_no_texts_give_no_code() -> None:
    assert jit.load_many([], ["function"]) == []


def test_code_goes_with_its_last_reference() -> None:
    code = jit.load(add(77), ["function"])
    tracker = code._tracker
    del code
    gc.collect()
    assert jit.load(add(77), ["function"])._tracker is not tracker


def test_a_name_that_was_not_asked_for_is_not_known() -> None:
    with pytest.raises(KeyError):
        jit.load(add(1), ["function"]).address("another")


def test_a_loop_computes_what_numpy_does() -> None:
    code = jit.load(LOOP.format(attributes=attributes(processor())), ["function"])
    source = np.random.default_rng(0).standard_normal(1003).astype(np.float32)
    target = np.empty_like(source)
    pointers = [ctypes.c_void_p] * 2
    function = ctypes.CFUNCTYPE(None, *pointers, ctypes.c_int64)(code.address("function"))
    function(target.ctypes.data, source.ctypes.data, source.size)
    np.testing.assert_array_equal(target, 2 * source + 1)


def test_symbols_are_bound_by_address() -> None:
    triple = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(lambda x: 3 * x)
    text = """
    declare i64 @triple(i64)
    define i64 @function(i64 %x) {
      %y = call i64 @triple(i64 %x)
      ret i64 %y
    }
    """
    address = ctypes.cast(triple, ctypes.c_void_p).value or 0
    assert call(jit.load(text, ["function"], {"triple": address}), 5) == 15


def test_code_may_call_the_c_library() -> None:
    text = """
    declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
    define i64 @function(i64 %size) {
      %place = alloca i8, i64 %size
      call void @llvm.memset.p0.i64(ptr %place, i8 7, i64 %size, i1 false)
      %last.at = getelementptr i8, ptr %place, i64 1233
      %last = load i8, ptr %last.at
      %wide = zext i8 %last to i64
      ret i64 %wide
    }
    """
    assert call(jit.load(text, ["function"]), 1234) == 7


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("define i64 @function(", "refuses the text"),
        ("define i64 @function() { ret i32 0 }", "refuses the text"),
        (
            "declare void @unknown() define void @function() { call void @unknown() ret void }",
            "link",
        ),
        ("define void @another() { ret void }", "cannot link"),
    ],
    ids=["syntax", "types", "unknown function", "missing function"],
)
def test_what_llvm_refuses_is_an_error(text: str, reason: str) -> None:
    with pytest.raises(ProgramError, match=reason):
        jit.load(text, ["function"])


def test_what_was_compiled_is_found_on_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jit.load(add(8), ["function"])
    assert len(list(folder.iterdir())) == 1
    monkeypatch.setattr(jit, "_compiled", None)
    assert call(jit.load(add(8), ["function"]), 1) == 9


def test_a_damaged_entry_is_compiled_again(folder: Path) -> None:
    jit.load(add(9), ["function"])
    (entry,) = folder.iterdir()
    sound = entry.read_bytes()
    entry.write_bytes(sound[: len(sound) // 2])
    assert call(jit.load(add(9), ["function"]), 1) == 10
    assert entry.read_bytes() == sound


def test_another_process_finds_it_too(folder: Path) -> None:
    jit.load(add(10), ["function"])
    (entry,) = folder.iterdir()
    written = entry.stat().st_mtime_ns
    program = LOAD_ONE.format(text=add(10))
    environment = os.environ | {"TWINOAR_CACHE_DIR": str(folder.parent)}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment, timeout=60)
    assert [each.stat().st_mtime_ns for each in folder.iterdir()] == [written]


def test_threads_compile_to_the_same_bytes(folder: Path) -> None:
    texts = [
        LOOP.format(attributes=attributes(processor())).replace("2.0", f"{n}.0") for n in range(24)
    ]
    one_by_one = [jit._compiled(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(jit._compiled, texts)) == one_by_one


def test_many_threads_may_load_the_same() -> None:
    start = threading.Barrier(4)

    def load(_: int) -> int:
        start.wait()
        return call(jit.load(add(11), ["function"]), 0)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(load, range(4))) == [11] * 4


@pytest.mark.skipif(not STATUS.exists(), reason="the system does not tell how much memory is used")
def test_compiling_leaves_no_memory_behind() -> None:
    def used_kib() -> int:
        return int(STATUS.read_text().split("VmRSS:")[1].split()[0])

    for number in range(20):
        jit._compiled(add(number))
    before = used_kib()
    for number in range(100):
        jit._compiled(add(number))
    assert used_kib() - before < 1500, "a set of passes has 30 KiB"


def test_loops_of_this_processor_use_its_widest_registers() -> None:
    wide = jit.optimized(LOOP.format(attributes=attributes(processor())))
    assert f"<{processor().vector_bytes // 4} x float>" in wide


@pytest.mark.parametrize(("register", "target"), OTHERS.items(), ids=OTHERS)
def test_loops_of_other_processors_use_theirs(register: str, target: Target) -> None:
    text = jit.assembly(LOOP.format(attributes=attributes(target)), target)
    wider = {"xmm": "ymm", "ymm": "zmm"}.get(register, "none wider")
    assert register in text and wider not in text


@pytest.mark.parametrize(("cpu", "gathers"), [("znver4", False), ("icelake-server", True)])
def test_processors_whose_gathers_are_slow_read_one_by_one(cpu: str, gathers: bool) -> None:
    target = Target("x86_64-unknown-linux-gnu", cpu, tuned(cpu, "+avx512f"), 512)
    place = """%squared = mul i64 %i, %i
  %from = getelementptr inbounds float, ptr %source, i64 %squared"""
    text = LOOP.replace("%from = getelementptr inbounds float, ptr %source, i64 %i", place)
    found = jit.assembly(text.format(attributes=attributes(target)), target)
    assert ("vgather" in found) is gathers


def test_this_process_may_use_a_core() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)


def test_a_target_knows_its_features() -> None:
    target = Target("x86_64-unknown-linux-gnu", "x86-64", "+fma,-avx512f", 256)
    assert target.has("fma") and not target.has("avx512f") and not target.has("avx")


def resident_bytes() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc")
def test_code_that_goes_takes_its_memory_along() -> None:
    machine_code = jit._compiled(add(1))

    def work(count: int) -> None:
        for n in range(count):
            jit._linked(machine_code, ["function"], {})
            if not n % 4:
                jit._compiled(add(1))

    work(200)
    before = resident_bytes()
    work(1200)
    assert resident_bytes() - before < 2 << 20  # 11 MiB where all hang on one linker


def test_code_for_another_processor_stays_a_text():
    other = replace(processor(), triple="aarch64-unknown-linux-gnu", cpu="generic", features="")
    text = "define void @nothing() {\n  ret void\n}\n"
    code = jit.load(text, ["nothing"], target=other)
    assert code.text == text
    with pytest.raises(ProgramError, match="nothing is for another processor"):
        code.address("nothing")
