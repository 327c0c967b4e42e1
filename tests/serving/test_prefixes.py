"""Texts that begin alike have pages in common: what is read, what is copied, what is forgotten."""

from __future__ import annotations

import threading
from functools import partial

import numpy as np
import pytest

from tests.serving.live import wait_until
from tests.serving.test_paged import KEPT, Counting, counting_from, took, written
from twinoar.serving.generation import Generation
from twinoar.serving.paged import PagedEngine, Plan
from twinoar.serving.pool import Pool
from twinoar.serving.sampling import Sampling, Word

PROMPT = counting_from(1, 9)


def engine_of(model: Counting, plan: Plan) -> PagedEngine:
    return PagedEngine(model, KEPT, plan, (), 99)


def test_what_a_text_before_has_read_is_not_read_again() -> None:
    model = Counting()
    engine = engine_of(model, Plan(4, 2, 64, 4, 64))
    assert written(engine, [PROMPT], 3) == [counting_from(10, 3)]
    before = model.read
    assert written(engine, [PROMPT], 3) == [counting_from(10, 3)]
    assert model.read - before == 1 + 2  # 8 of 9 words lay in pages; of 3 written, 2 are read
    assert engine.free_pages() == 64
    assert engine.close(10)


def test_a_text_that_goes_on_otherwise_has_the_pages_up_to_there() -> None:
    model = Counting()
    engine = engine_of(model, Plan(4, 2, 64, 4, 64))
    written(engine, [PROMPT], 1)
    before = model.read
    assert written(engine, [[*PROMPT[:5], 6, 7, 8, 9, 10, 11, 12]], 1) == [[13]]
    assert model.read - before == 4
    assert written(engine, [counting_from(2, 9)], 1) == [[11]]  # which begins otherwise
    assert model.read - before == 4 + 9
    assert engine.close(10)


def test_what_was_written_is_found_as_well() -> None:
    """As the next turn of a conversation has it."""
    model = Counting()
    engine = engine_of(model, Plan(4, 2, 64, 4, 64))
    written(engine, [[1, 2, 3]], 8)
    before = model.read
    assert written(engine, [counting_from(1, 11)], 1) == [[12]]
    assert model.read - before == 1
    assert engine.close(10)


def test_a_page_that_is_known_is_copied_before_a_text_writes_into_it() -> None:
    model = Counting()
    engine = engine_of(model, Plan(4, 4, 64, 4, 64))
    written(engine, [counting_from(1, 8)], 1)
    before, known = model.read, engine.pool.find(counting_from(1, 8))
    keys = engine.pool.keys[:, known].copy()
    assert written(engine, [counting_from(1, 8)], 6) == [counting_from(9, 6)]
    assert model.read - before == 1 + 5  # the last word again, as its scores are needed
    np.testing.assert_array_equal(engine.pool.keys[:, known], keys)
    assert engine.close(10)


def test_texts_at_the_same_time_have_the_page_once() -> None:
    gate = threading.Semaphore(0)
    model = Counting(gate)
    engine = engine_of(model, Plan(4, 2, 64, 16, 64))
    ended = threading.Semaphore(0)
    first, second = ([], [])  # type: tuple[list[int], list[int]]

    def ask(text: list[int]) -> None:
        take = partial(took, text)
        engine.submit(Generation(PROMPT, 9, Sampling(0), take, lambda _: ended.release()))

    ask(first)
    gate.release()
    wait_until(lambda: len(first) == 1)
    ask(second)
    gate.release(3)
    wait_until(lambda: len(second) >= 1)
    assert 64 - engine.free_pages() < 2 * 5
    gate.release(99)
    assert ended.acquire(timeout=20)
    assert ended.acquire(timeout=20)
    assert first == second == counting_from(10, 9)
    assert engine.free_pages() == 64
    assert engine.close(10)


def test_of_copies_of_a_prompt_one_reads_it_for_all_and_others_pass() -> None:
    gate = threading.Semaphore(0)
    model = Counting(gate)
    engine = engine_of(model, Plan(8, 2, 64, 4, 64))
    threading.Timer(0.2, gate.release, [1000]).start()
    texts = written(engine, [PROMPT, PROMPT, counting_from(21, 9), PROMPT], 3)
    assert texts == [counting_from(10, 3)] * 2 + [counting_from(30, 3), counting_from(10, 3)]
    assert model.read == 2 * 9 + 2 * 1 + 4 * 2
    assert engine.close(10)


def test_a_text_that_waited_for_another_to_read_goes_on_when_that_is_given_up() -> None:
    gate = threading.Semaphore(0)
    engine = engine_of(Counting(gate), Plan(8, 2, 64, 4, 64))
    first = Generation(PROMPT, 3, Sampling(0), lambda _: None, lambda _: None)
    engine.submit(first)
    gate.release()
    first.cancel()
    gate.release(1000)
    assert written(engine, [PROMPT], 3) == [counting_from(10, 3)]
    assert engine.close(10)


def test_pages_that_others_need_are_forgotten_and_the_longest_unused_first() -> None:
    model = Counting()
    engine = engine_of(model, Plan(1, 2, 8, 4, 64))
    written(engine, [counting_from(1, 5)], 1)
    written(engine, [counting_from(11, 5)], 1)
    written(engine, [counting_from(21, 9)], 1)  # takes five of eight pages
    assert engine.pool.find(counting_from(21, 9)) != []
    assert len(engine.pool.find(counting_from(1, 5))) < 2
    assert len(engine.pool.find(counting_from(11, 5))) == 2
    assert written(engine, [counting_from(1, 5)], 4) == [counting_from(6, 4)]
    assert engine.close(10)


def test_texts_that_have_no_room_beside_each_other_stay_right() -> None:
    model = Counting()
    engine = engine_of(model, Plan(8, 2, 7, 4, 64))
    prompts = [[*counting_from(1, 2 + n % 5)] for n in range(24)]
    texts = written(engine, prompts, 7)
    assert texts == [counting_from(len(prompt) + 1, 7) for prompt in prompts]
    assert engine.free_pages() == 7
    assert engine.close(10)


@pytest.mark.parametrize("pages", [4, 5])
def test_a_text_alone_that_fills_the_pool_ends(pages: int) -> None:
    engine = engine_of(Counting(), Plan(2, 2, pages, 4, 64))
    for _ in range(2):  # and again, when its pages are known
        whole = written(engine, [counting_from(1, 6)], 99)
        assert whole == [counting_from(7, 2 * pages - 6)]
    assert engine.free_pages() == pages
    assert engine.close(10)


def test_nothing_is_shared_where_the_plan_says_so() -> None:
    model = Counting()
    engine = engine_of(model, Plan(4, 2, 64, 4, 64, shares=False))
    written(engine, [PROMPT], 1)
    written(engine, [PROMPT], 1)
    assert model.read == 2 * 9
    assert engine.close(10)


def test_a_prompt_whose_words_are_told_is_read_whole() -> None:
    model = Counting()
    engine = engine_of(model, Plan(4, 2, 64, 4, 64))
    written(engine, [PROMPT], 1)
    found: list[Word] = []
    ended = threading.Event()
    engine.submit(
        Generation(
            PROMPT, 0, Sampling(0), found.append, lambda _: ended.set(), likeliest=1,
            tells_prompt=True,
        )
    )  # fmt: skip
    assert ended.wait(20)
    assert [word.token for word in found] == PROMPT
    assert found[0].logprob is None
    assert all(word.likeliest[0][0] == word.token for word in found[1:])
    assert engine.close(10)


def test_a_prompt_that_gave_its_pages_back_is_not_told_twice() -> None:
    engine = engine_of(Counting(), Plan(2, 2, 6, 4, 64))
    texts: list[list[int]] = [[], []]
    ended = threading.Semaphore(0)
    for first, text in zip((1, 11), texts, strict=True):
        engine.submit(
            Generation(
                counting_from(first, 8), 3, Sampling(0), partial(took, text),
                lambda _: ended.release(), likeliest=0, tells_prompt=True,
            )
        )  # fmt: skip
    assert ended.acquire(timeout=20)
    assert ended.acquire(timeout=20)
    assert texts == [counting_from(1, 11), counting_from(11, 11)]
    assert engine.close(10)


# The pool by itself.


def test_a_page_is_known_by_all_words_before_it_and_not_by_its_own_alone() -> None:
    pool = Pool(KEPT, 8, 2)
    pages = pool.take(2)
    pool.keep(pages, [1, 2, 3, 4], 4)
    assert pool.find([1, 2, 3, 4, 5]) == pages
    assert pool.find([1, 2, 3]) == pages[:1]
    assert pool.find([3, 4]) == []
    assert pool.find([9, 9, 3, 4]) == []
    assert pool.find([]) == []


def test_a_page_is_free_when_the_last_text_gives_it_back() -> None:
    pool = Pool(KEPT, 4, 2)
    pages = pool.take(1)
    pool.keep(pages, [1, 2], 2)
    pool.share(pages)
    pool.give_back(pages)
    assert (pool.free(), pool.is_shared(pages[0])) == (3, True)
    pool.give_back(pages)
    assert (pool.free(), pool.find([1, 2])) == (4, pages)
    assert sorted(pool.take(4)) == [0, 1, 2, 3]
    assert pool.find([1, 2]) == []
