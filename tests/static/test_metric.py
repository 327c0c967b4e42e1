"""Metrics of Programs: what they count over runs."""

import numpy as np
import pytest

from twinoar import metric, static
from twinoar.errors import ArgumentError, ProgramError, UnsupportedError


def batches():
    random = np.random.default_rng(1)
    for _ in range(4):
        scores = random.random((16, 1), dtype=np.float32)
        labels = (scores + random.normal(0, 0.4, (16, 1)) > 0.5).astype(np.int64)
        yield np.concatenate([1 - scores, scores], 1), labels


def areas(slide_steps, num_thresholds=20):
    main, startup = static.Program(), static.Program()
    with static.scope_guard(static.Scope()), static.program_guard(main, startup):
        x, y = static.data("x", [None, 2]), static.data("y", [None, 1], "int64")
        whole, recent, states = static.auc(
            x, y, num_thresholds=num_thresholds, slide_steps=slide_steps
        )
        exe = static.Executor()
        exe.run(startup)
        return [exe.run(main, {"x": a, "y": b}, [whole, recent, *states]) for a, b in batches()]


def expected(first, last):
    auc = metric.Auc(num_thresholds=20)
    for scores, labels in list(batches())[first:last]:
        auc.update(scores, labels)
    return auc.accumulate()


@pytest.mark.parametrize("slide_steps", [1, 2, 3])
def test_areas_are_of_all_runs_and_of_the_last_ones(slide_steps):
    for run, (whole, recent, *_) in enumerate(areas(slide_steps), 1):
        assert whole == pytest.approx(expected(0, run))
        assert recent == pytest.approx(expected(max(0, run - slide_steps), run))


def test_without_slide_steps_both_areas_are_of_all_runs():
    for whole, recent, *states in areas(0):
        assert whole == recent
        assert [s.shape for s in states] == [(1, 21)] * 4


def test_buffers_have_paddles_shapes_and_types():
    *_, states = areas(2)[-1][0], areas(2)[-1][2:]
    assert [s.shape for s in states] == [(64,), (64,), (1, 21), (1, 21)]
    assert {s.dtype.name for s in states} == {"int64"}
    assert sum(int(s.sum()) for s in states[2:]) == 64


@pytest.mark.parametrize("weight", [None, 0.5])
def test_sums_for_click_through_rates(weight):
    main, startup = static.Program(), static.Program()
    with static.scope_guard(static.Scope()), static.program_guard(main, startup):
        x, y, w = (static.data(name, [None, 1]) for name in "xyw")
        sums = static.ctr_metric_bundle(x, y, None if weight is None else w)
        exe = static.Executor()
        exe.run(startup)
        feed = {"x": np.float32([[0.3], [0.7]]), "y": np.float32([[0], [1]])}
        feed["w"] = np.float32([[weight or 1], [2]])
        first, second = (exe.run(main, feed, list(sums)) for _ in range(2))
    share = weight or 1.0  # of the fourth and the last, as in Paddle 2.6.2
    expected = [0.18, 0.6, 1.0, 1.2426302 * share, 1.0, 2.0 * share]
    np.testing.assert_allclose([a.item() for a in first], expected, rtol=1e-6)
    for once, twice in zip(first, second, strict=True):
        np.testing.assert_allclose(2 * once, twice, rtol=1e-6)


def test_wrong_calls_are_refused():
    with static.program_guard(static.Program(), static.Program()):
        x, y = static.data("x", [None, 2]), static.data("y", [None, 1], "int64")
        with pytest.raises(UnsupportedError, match="ins_tag_weight"):
            static.auc(x, y, ins_tag_weight=x)
        with pytest.raises(ArgumentError, match="slide_steps"):
            static.auc(x, y, slide_steps=-1)
    with pytest.raises(ProgramError, match="none is being built"):
        static.auc(x, y)
