"""CTC: the likelihood of labels is the sum over all paths that give them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, AxisError
from twinoar.nn import CTCLoss
from twinoar.nn.functional import ctc_loss

LABELS = np.array([[1, 1], [2, 1], [2, 2]], "int32")
LENGTHS = np.array([2, 2, 1])
FRAMES = np.array([4, 3, 4])


def scores() -> np.ndarray:
    return np.random.default_rng(0).standard_normal((4, 3, 3))


def loss(reduction: str = "none", **settings: object) -> np.ndarray:
    x = to_tensor(scores())
    given = [to_tensor(a) for a in (LABELS, FRAMES, LENGTHS)]
    return ctc_loss(x, *given, reduction=reduction, **settings).numpy()


def read(path: tuple[int, ...], blank: int) -> list[int]:
    """The labels of a path: repetitions merged, blanks dropped."""
    return [label for label, _ in itertools.groupby(path) if label != blank]


@pytest.mark.parametrize("blank", [0, -1 % 3])
def test_the_loss_is_that_of_all_paths_counted_one_by_one(blank: int) -> None:
    labels = LABELS if blank == 0 else LABELS - 1
    chances = np.exp(scores()) / np.exp(scores()).sum(2, keepdims=True)
    wanted = []
    for b in range(3):
        paths = itertools.product(range(3), repeat=FRAMES[b])
        fitting = [p for p in paths if read(p, blank) == labels[b, : LENGTHS[b]].tolist()]
        wanted.append(-np.log(sum(chances[np.arange(len(p)), b, p].prod() for p in fitting)))
    given = [to_tensor(a) for a in (labels, FRAMES, LENGTHS)]
    found = ctc_loss(to_tensor(scores()), *given, blank=blank, reduction="none")
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-12)


def test_reductions() -> None:
    each = loss()
    np.testing.assert_allclose(loss("sum"), each.sum())
    np.testing.assert_allclose(loss("mean"), (each / LENGTHS).mean())
    layer = CTCLoss(reduction="sum")
    given = [to_tensor(a) for a in (scores(), LABELS, FRAMES, LENGTHS)]
    np.testing.assert_allclose(layer(*given).numpy(), each.sum())


def test_norm_by_times_divides_gradients_by_the_frames() -> None:
    def gradient(norm_by_times: bool) -> np.ndarray:
        x = to_tensor(scores(), stop_gradient=False)
        given = [to_tensor(a) for a in (LABELS, FRAMES, LENGTHS)]
        ctc_loss(x, *given, reduction="sum", norm_by_times=norm_by_times).backward()
        return x.grad.numpy()

    np.testing.assert_allclose(gradient(True), gradient(False) / FRAMES[:, None])
    assert (gradient(False)[3, 1] == 0).all()  # behind the sequence


def test_labels_that_do_not_fit_into_the_frames_cost_nothing() -> None:
    x = to_tensor(scores()[:2, :1], stop_gradient=False)  # 1, 1 needs a blank between
    labels = to_tensor(LABELS[:1])
    out = ctc_loss(x, labels, to_tensor([2]), to_tensor([2]), reduction="none")
    out.backward()
    assert out.item() == 0 and not x.grad.any().item()


def test_what_makes_no_sense_is_refused() -> None:
    x, two = to_tensor(scores()[:, :1]), to_tensor([2])
    with pytest.raises(AxisError, match="label 3 names no class"):
        ctc_loss(x, to_tensor([[1, 3]]), two, two)
    with pytest.raises(ArgumentError, match="0 to 4 frames"):
        ctc_loss(x, to_tensor([[1, 2]]), two + 3, two)
    with pytest.raises(ArgumentError, match="reduction of CTCLoss must be"):
        CTCLoss(reduction="all")
