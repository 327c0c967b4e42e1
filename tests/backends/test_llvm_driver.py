"""The native driver: kernels in parts and batches, primitives, callbacks, failures, times."""

from __future__ import annotations

import ctypes
import gc
import threading
import time
import weakref
from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest

from tests.threads import in_threads
from twinoar.backends.llvm import driver, jit
from twinoar.backends.llvm.driver import (
    Block,
    Command,
    Entry,
    Routine,
    Target,
    callback,
    clear,
    copy,
    kernel,
)
from twinoar.errors import ArgumentError, ProgramError
from twinoar.runtime import openmp

# Appends (lo, hi, part) to the records of its part: arguments are the counts and the records, 64
# for each part.
RECORD = """
define void @record(ptr %arguments, i64 %lo, i64 %hi, i64 %part) {
  %counts = load ptr, ptr %arguments
  %records.at = getelementptr ptr, ptr %arguments, i64 1
  %records = load ptr, ptr %records.at
  %count.at = getelementptr i64, ptr %counts, i64 %part
  %count = load i64, ptr %count.at
  %after = add i64 %count, 1
  store i64 %after, ptr %count.at
  %first = mul i64 %part, 64
  %place = add i64 %first, %count
  %record = getelementptr [3 x i64], ptr %records, i64 %place
  store i64 %lo, ptr %record
  %hi.at = getelementptr i64, ptr %record, i64 1
  store i64 %hi, ptr %hi.at
  %part.at = getelementptr i64, ptr %record, i64 2
  store i64 %part, ptr %part.at
  ret void
}
"""
# Adds 1 to the iterations lo to hi of the array that its argument points to.
COUNT = """
define void @count(ptr %arguments, i64 %lo, i64 %hi, i64 %part) {
entry:
  %array = load ptr, ptr %arguments
  br label %next
next:
  %i = phi i64 [ %lo, %entry ], [ %following, %step ]
  %more = icmp slt i64 %i, %hi
  br i1 %more, label %step, label %exit
step:
  %at = getelementptr i64, ptr %array, i64 %i
  %old = load i64, ptr %at
  %new = add i64 %old, 1
  store i64 %new, ptr %at
  %following = add i64 %i, 1
  br label %next
exit:
  ret void
}
"""
# Looks at a flag until another thread sets it, or the iterations are over; stores what it saw last.
WAIT = """
define void @wait(ptr %arguments, i64 %lo, i64 %hi, i64 %part) {
entry:
  %flag = load ptr, ptr %arguments
  %seen.at = getelementptr ptr, ptr %arguments, i64 1
  %seen = load ptr, ptr %seen.at
  br label %look
look:
  %i = phi i64 [ %lo, %entry ], [ %next, %look ]
  %value = load atomic i64, ptr %flag monotonic, align 8
  %unset = icmp eq i64 %value, 0
  %next = add i64 %i, 1
  %left = icmp slt i64 %next, %hi
  %again = and i1 %unset, %left
  br i1 %again, label %look, label %exit
exit:
  store i64 %value, ptr %seen
  ret void
}
"""
Calls = list[tuple[int, int, int]]


@pytest.fixture(scope="module")
def record() -> jit.Code:
    return jit.load(RECORD, ["record"])


@pytest.fixture(scope="module")
def count() -> jit.Code:
    return jit.load(COUNT, ["count"])


def pointers(*arrays: np.ndarray) -> np.ndarray:
    return np.array([array.ctypes.data for array in arrays], np.int64)


def calls_of(record: jit.Code, size: int, parts: int, grain: int = 1) -> Calls:
    """The calls of a kernel with `size` iterations, by part and then in order."""
    counts, records = np.zeros(parts, np.int64), np.zeros((parts, 64, 3), np.int64)
    arguments = pointers(counts, records)
    block = Block(arguments.ctypes.data, size)
    Routine([kernel(record.address("record"), [block], parts=parts, grain=grain)]).run()
    return [tuple(map(int, row)) for p in range(parts) for row in records[p, : counts[p]]]


@pytest.mark.parametrize("size", [0, 1, 7, 16, 1000])
def test_a_serial_kernel_is_called_once_with_all_iterations(record: jit.Code, size: int) -> None:
    assert calls_of(record, size, parts=1) == [(0, size, 0)]


@pytest.mark.parametrize("parts", [2, 3, 8])
@pytest.mark.parametrize("grain", [1, 16])
@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 100, 1000])
def test_parts_divide_the_iterations(record: jit.Code, size: int, grain: int, parts: int) -> None:
    calls = calls_of(record, size, parts, grain)
    assert [part for _, _, part in calls] == list(range(parts)), "each part is called once"
    borders = [0, *(hi for _, hi, _ in calls)]
    assert [lo for lo, _, _ in calls] == borders[:-1] and borders[-1] == size
    assert all(border % grain == 0 or border == size for border in borders)
    lengths = [hi - lo for lo, hi, _ in calls]
    assert max(lengths) - min(lengths) <= 2 * grain - 1


def test_parts_are_the_same_with_any_number_of_threads(
    record: jit.Code, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = openmp.runtime()
    if runtime is None:
        pytest.skip("the system has no libgomp")
    before = openmp.threads()
    try:
        found = []
        for threads in (1, 2, 5):
            runtime.omp_set_num_threads(threads)
            found.append(calls_of(record, 1000, parts=5, grain=8))
    finally:
        runtime.omp_set_num_threads(before)
    assert found[0] == found[1] == found[2]


def test_without_a_runtime_all_parts_run_in_one_thread(
    record: jit.Code, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_runtime = calls_of(record, 100, parts=3)
    monkeypatch.setattr(openmp, "addresses", dict)
    driver._driver.cache_clear()
    try:
        assert calls_of(record, 100, parts=3) == with_runtime
    finally:
        driver._driver.cache_clear()


@pytest.mark.parametrize("parts", [1, 2, 3, 50])
@pytest.mark.parametrize("sizes", [[5, 0, 100, 1, 33], [1] * 20, [0, 0, 7], [4096]])
def test_a_batch_does_each_iteration_of_each_block_once(
    count: jit.Code, sizes: Sequence[int], parts: int
) -> None:
    arrays = [np.zeros(size + 1, np.int64) for size in sizes]
    arguments = pointers(*arrays)
    blocks = [Block(arguments[n:].ctypes.data, size) for n, size in enumerate(sizes)]
    Routine([kernel(count.address("count"), blocks, parts=parts, grain=4)]).run()
    assert [array.tolist() for array in arrays] == [[1] * size + [0] for size in sizes]


def test_a_batch_is_divided_evenly(record: jit.Code) -> None:
    counts, records = np.zeros(2, np.int64), np.zeros((2, 64, 3), np.int64)
    arguments = pointers(counts, records)
    blocks = [Block(arguments.ctypes.data, size) for size in (30, 50, 20)]
    Routine([kernel(record.address("record"), blocks, parts=2, grain=10)]).run()
    assert records[0, :2].tolist() == [[0, 30, 0], [0, 20, 0]]
    assert records[1, :2].tolist() == [[20, 50, 1], [0, 20, 1]]


def test_commands_run_in_order(count: jit.Code) -> None:
    array = np.zeros(8, np.int64)
    arguments = pointers(array)
    seen = []
    adding = kernel(count.address("count"), [Block(arguments.ctypes.data, 8)])
    look = callback(lambda: seen.append(array.sum()))
    Routine([adding, look, adding, adding, look]).run()
    assert seen == [8, 24]


def test_a_routine_without_commands_does_nothing() -> None:
    Routine([]).run()
    assert Routine([]).timed() == []


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("size", [0, 1, 1000, 100_000])
def test_copy_and_clear(size: int, parts: int) -> None:
    source = np.random.default_rng(0).integers(1, 255, size + 1, np.uint8)
    target, zeros = np.zeros_like(source), source.copy()
    places, place = pointers(target, source), pointers(zeros)
    commands = [copy(places.ctypes.data, size, parts=parts), clear(place.ctypes.data, size)]
    Routine(commands).run()
    assert (target[:size] == source[:size]).all() and target[size] == 0
    assert not zeros[:size].any() and zeros[size] == source[size]


def test_arguments_may_change_between_runs() -> None:
    first, second = np.ones(10, np.uint8), np.ones(10, np.uint8)
    place = pointers(first)
    routine = Routine([clear(place.ctypes.data, 10)])
    place[0] = second.ctypes.data
    routine.run()
    assert first.all() and not second.any()


class Boom(Exception):
    pass


def test_what_a_callback_raises_ends_the_run_and_is_raised() -> None:
    seen = []

    def boom() -> None:
        raise Boom("in the middle")

    routine = Routine([callback(lambda: seen.append(1)), callback(boom), callback(seen.clear)])
    for _ in range(2):
        with pytest.raises(Boom, match="in the middle"):
            routine.run()
    assert seen == [1, 1]
    with pytest.raises(Boom):
        routine.timed()


EXECUTE = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p
)


def executing(status: int, calls: list[tuple[int, ...]]) -> tuple[Command, object]:
    """A command for a stand-in of oneDNN's execute function, and what must be kept for it."""

    def execute(*given: int) -> int:
        calls.append(given)
        return status

    function = EXECUTE(execute)
    fields = np.array([11, 22, 3, 44], np.int64)
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    return driver.primitive(address, fields.ctypes.data), (function, fields)


def test_a_primitive_gets_its_four_arguments() -> None:
    calls: list[tuple[int, ...]] = []
    command, kept = executing(0, calls)
    Routine([command]).run()
    assert calls == [(11, 22, 3, 44)] and kept


def test_a_primitive_that_fails_ends_the_run_and_is_named() -> None:
    calls: list[tuple[int, ...]] = []
    command, kept = executing(5, calls)
    routine = Routine([callback(lambda: None), command, command])
    with pytest.raises(ProgramError, match="command 1 of 3 failed, a primitive"):
        routine.run()
    assert len(calls) == 1 and kept


PLACE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)


def test_each_run_places_words_where_the_addresses_say() -> None:
    addresses, words = np.array([1000, 2000], np.int64), np.zeros(2, np.int64)
    targets = [Target(words.ctypes.data + 8, 0, 24), Target(words.ctypes.data, 1)]
    routine = Routine([driver.placing(addresses.ctypes.data, targets)])
    for start in (2000, 5000):
        addresses[1] = start
        routine.run()
        assert words.tolist() == [start, 1024]


@pytest.mark.parametrize("status", [0, 1])
def test_a_function_is_told_the_address_of_a_place_and_may_refuse(status: int) -> None:
    told = []

    def place(*given: int) -> int:
        told.append(given)
        return status

    function, addresses = PLACE(place), np.array([1000], np.int64)
    target = Target(77, 0, 8, ctypes.cast(function, ctypes.c_void_p).value or 0)
    routine = Routine([driver.placing(addresses.ctypes.data, [target])])
    if status:
        with pytest.raises(ProgramError, match="command 0 of 1 failed, a place"):
            routine.run()
    else:
        routine.run()
    assert told == [(77, 1008)]


def test_nothing_is_placed_where_there_are_no_targets() -> None:
    Routine([driver.placing(0, [])]).run()


def test_each_command_is_timed() -> None:
    commands = [callback(lambda n=n: time.sleep(n / 1000)) for n in (0, 2, 0)]
    times = Routine(commands).timed()
    assert len(times) == 3 and min(times) > 0 and times[1] >= 2_000_000


def test_a_run_does_not_hold_the_lock_of_python() -> None:
    code = jit.load(WAIT, ["wait"])
    flag, seen = np.zeros(1, np.int64), np.zeros(1, np.int64)
    arguments = pointers(flag, seen)
    raise_flag = threading.Timer(0.01, flag.fill, args=(1,))
    raise_flag.start()
    Routine([kernel(code.address("wait"), [Block(arguments.ctypes.data, 1 << 33)])]).run()
    raise_flag.join()
    assert seen[0] == 1


def test_routines_of_many_threads_run_at_the_same_time(count: jit.Code) -> None:
    arrays = [np.zeros(1000, np.int64) for _ in range(4)]
    arguments = pointers(*arrays)

    def run(n: int) -> None:
        block = Block(arguments[n:].ctypes.data, 1000)
        routine = Routine([kernel(count.address("count"), [block], parts=2)] * 50)
        for _ in range(20):
            routine.run()

    in_threads(partial(run, n) for n in range(4))
    assert all((array == 1000).all() for array in arrays)


def test_a_routine_goes_with_its_last_reference() -> None:
    routine = Routine([callback(lambda: None)])
    alive = weakref.ref(routine)
    gc.disable()
    try:
        del routine
        assert alive() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("wrong", [{"parts": 0}, {"grain": 0}, {"blocks": []}])
def test_a_kernel_without_blocks_parts_or_grain_is_an_error(wrong: dict[str, object]) -> None:
    with pytest.raises(ArgumentError, match="expected one or more"):
        kernel(**({"address": 1, "blocks": [Block(1, 1)]} | wrong))


def test_a_check_ends_the_run_where_a_word_is_not_zero() -> None:
    words, ran = np.zeros(4, np.int64), []
    routine = Routine([driver.check(words.ctypes.data, 4), callback(lambda: ran.append(1))])
    routine.run()
    assert ran == [1]
    words[3] = 1 << 40
    with pytest.raises(ProgramError, match="command 0 of 2 failed, a check"):
        routine.run()
    assert ran == [1]


def test_a_routine_is_repeated_with_addresses_that_move_on() -> None:
    rows, seen = np.arange(12, dtype=np.int64).reshape(4, 3), []
    words = np.zeros(1, np.int64)
    moves = np.array([rows[3:].ctypes.data, words.ctypes.data, -rows.strides[0]], np.int64)
    routine = Routine([callback(lambda: seen.append(words.item()))])
    Routine([driver.repeat(routine, 4, moves.ctypes.data, 1)]).run()
    assert seen == [rows[t:].ctypes.data for t in (3, 2, 1, 0)]


def test_what_a_repeated_callback_raises_ends_the_run_and_is_raised() -> None:
    def fail() -> None:
        seen.append(len(seen))
        if len(seen) == 3:
            raise ValueError("third")

    seen: list[int] = []
    outer = Routine([driver.repeat(Routine([callback(fail)]), 9), callback(lambda: seen.clear())])
    with pytest.raises(ValueError, match="third"):
        outer.run()
    assert seen == [0, 1, 2]


@pytest.mark.parametrize("byte", [0, 1])
def test_a_byte_chooses_one_of_two_routines(byte: int) -> None:
    condition, seen = np.array([byte], np.uint8), []
    words = np.array([condition.ctypes.data], np.int64)
    sides = [Routine([callback(lambda n=n: seen.append(n))]) for n in (1, 0)]
    Routine([driver.branch(words.ctypes.data, *sides)]).run()
    assert seen == [byte]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_loop_prepares_before_its_first_test_and_its_first_body(count: int) -> None:
    condition, seen = np.zeros(1, np.uint8), []
    words = np.array([condition.ctypes.data], np.int64)

    def test() -> None:
        seen.append("test")
        condition[0] = seen.count("body") < count

    def noting(name: str) -> Routine:
        return Routine([callback(lambda: seen.append(name))])

    loop = driver.loop(
        words.ctypes.data, Routine([callback(test)]), noting("body"), noting("first"),
        noting("prepare"),
    )  # fmt: skip
    routine = Routine([loop])
    assert routine.polls, "nobody knows how long it takes"
    routine.run()
    assert seen == ["first", "test", *["prepare"][:count], *["body", "test"] * count]


def test_what_runs_once_runs_until_it_has_not_failed() -> None:
    seen: list[int] = []

    def fails_at_first() -> None:
        seen.append(len(seen))
        if len(seen) == 1:
            raise ValueError("first")

    outer = Routine([driver.once(Routine([callback(fails_at_first)]))])
    with pytest.raises(ValueError, match="first"):
        outer.run()
    outer.run()
    outer.run()
    assert seen == [0, 1]


def test_the_time_of_what_ran_inside_last_is_taken() -> None:
    inner = Routine([callback(lambda: time.sleep(0.002)), callback(lambda: None)])
    outer = Routine([driver.repeat(inner, 2)])
    with outer.watched() as found:
        outer.run()
        slow, fast = found[inner]
    assert slow >= 2_000_000 > fast
    outer.run()


def test_an_entry_finds_memory_by_the_objects_of_arrays(count: jit.Code) -> None:
    arguments, addresses = np.zeros(1, np.int64), np.zeros(2, np.int64)
    place = driver.placing(addresses.ctypes.data, [Target(arguments.ctypes.data, 1)])
    add = kernel(count.address("count"), [Block(arguments.ctypes.data, 5)])
    entry = Entry(Routine([place, add]), addresses.ctypes.data, 2)
    first, second, other = np.zeros(5, np.int64), np.zeros((1, 9), np.int64)[:, 2:], np.zeros(5)
    assert entry.run(id(other), id(first))
    assert entry.run(id(other), id(second))
    assert entry.run(id(other), id(second))
    assert first.tolist() == [1] * 5
    assert second.tolist() == [[2] * 5 + [0] * 2]
    assert not other.any()


def test_an_entry_tells_that_a_command_has_failed(count: jit.Code) -> None:
    flag, addresses = np.ones(1, np.int64), np.zeros(1, np.int64)
    routine = Routine([driver.check(flag.ctypes.data, 1)])
    entry = Entry(routine, addresses.ctypes.data, 1)
    assert not entry.run(id(flag))
    with pytest.raises(ProgramError):
        routine.run()
    flag[0] = 0
    assert entry.run(id(flag))
