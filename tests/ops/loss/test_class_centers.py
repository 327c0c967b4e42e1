"""class_center_sample: the classes of labels, and others that a draw adds."""

from __future__ import annotations

import pytest

import twinoar as paddle
from twinoar.errors import AxisError, UnsupportedError
from twinoar.nn import functional as F

LABEL = [17, 10, 5, 18, 8, 8, 19, 14, 10, 14]


def test_labels_are_places_among_the_classes() -> None:
    places, classes = F.class_center_sample(paddle.to_tensor(LABEL), 20, 12)
    assert classes[places].tolist() == LABEL


@pytest.mark.parametrize(("wanted", "count"), [(6, 7), (7, 7), (12, 12), (20, 20)])
def test_classes_that_occur_are_filled_up_with_others(wanted: int, count: int) -> None:
    _, classes = F.class_center_sample(paddle.to_tensor(LABEL), 20, wanted)
    assert classes[:7].tolist() == sorted(set(LABEL))
    assert len(set(classes.tolist())) == count


def test_the_others_are_drawn_by_the_seed() -> None:
    def drawn(seed: int) -> list[int]:
        paddle.seed(seed)
        return F.class_center_sample(paddle.to_tensor([3]), 100, 5)[1].tolist()

    assert drawn(1) == drawn(1) != drawn(2)


def test_a_program_samples_too() -> None:
    sample = paddle.jit.to_static(lambda label: F.class_center_sample(label, 20, 9))
    places, classes = sample(paddle.to_tensor(LABEL))
    assert classes[places].tolist() == LABEL
    assert classes.shape == [9]


@pytest.mark.parametrize("converted", [False, True])
def test_a_label_beyond_the_classes_is_refused(converted: bool) -> None:
    def sample(label: paddle.Tensor) -> tuple[paddle.Tensor, paddle.Tensor]:
        return F.class_center_sample(label, 20, 3)

    with pytest.raises(AxisError, match="label 20 names no class"):
        (paddle.jit.to_static(sample) if converted else sample)(paddle.to_tensor([20]))


def test_a_converted_step_draws_what_an_eager_one_draws() -> None:
    def sample(label: paddle.Tensor) -> tuple[paddle.Tensor, paddle.Tensor]:
        return F.class_center_sample(label, 500, 40)

    drawn = []
    for function in (sample, paddle.jit.to_static(sample)):
        paddle.seed(3)
        drawn.append([function(paddle.to_tensor(LABEL))[1].tolist() for _ in range(3)])
    assert drawn[0] == drawn[1] and drawn[0][0] != drawn[0][1]


def test_a_group_of_processes_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="not divided among processes"):
        F.class_center_sample(paddle.to_tensor([2]), 20, 3, group=object())
