"""DARTS: gradients of what a network is made of, what is found, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.slim.nas.darts import Architect, DARTSearch, Network, count_parameters_in_MB
from twinoar.slim.nas.darts.architect import DECAY
from twinoar.slim.nas.darts.get_genotype import get_genotype
from twinoar.slim.nas.darts.operations import OPERATIONS

SMALL = ["none", "skip_connect", "sep_conv_3x3"]


class Curve(nn.Layer):
    """(w a x - y)^2, with a weight w and one that is searched, a."""

    def __init__(self) -> None:
        super().__init__()
        self.w, self.a = self.create_parameter([1]), self.create_parameter([1])
        self.w.set_value(np.array([1.5], "f4"))
        self.a.set_value(np.array([0.5], "f4"))

    def arch_parameters(self) -> list[Any]:
        return [self.a]

    def _loss(self, x: Any, y: Any) -> Any:
        return ((self.w * self.a * x - y) ** 2).mean()


def small(**given: Any) -> Network:
    paddle.seed(2)
    return Network(2, 2, 3, **{"steps": 2, "multiplier": 2, "primitives": SMALL, **given})


def stripes(count: int = 3, seed: int = 0) -> Any:
    """Batches of images, told apart by the direction of their stripes."""

    def batches() -> Any:
        random = np.random.default_rng(seed)
        for _ in range(count):
            labels = random.integers(0, 2, 8)
            images = random.standard_normal((8, 3, 8, 8)) * 0.1
            for image, label in zip(images, labels, strict=True):
                image[:, ::2] += label
                image[:, :, ::2] += 1 - label
            yield images.astype("f4"), labels[:, None]

    return batches


def ahead(w: float, a: float, rate: float) -> float:
    """The loss on other data (x 3, y 2) after a step on the first (x 2, y 1)."""
    w = w - rate * (2 * (w * a * 2 - 1) * a * 2 + DECAY * w)
    return (w * a * 3 - 2) ** 2


def test_a_step_is_looked_ahead() -> None:
    model, rate = Curve(), 0.1
    architect = Architect(model, rate, 1e-3, unrolled=True)
    data = [paddle.to_tensor([v]) for v in (2.0, 1.0, 3.0, 2.0)]
    (found,) = architect.gradients(*data)
    wanted = (ahead(1.5, 0.5 + 1e-5, rate) - ahead(1.5, 0.5 - 1e-5, rate)) / 2e-5
    assert found.item() == pytest.approx(wanted, rel=1e-3)
    assert model.w.item() == 1.5 and not model.w.grad.item()


def test_without_it_the_gradient_is_that_of_other_data() -> None:
    architect = Architect(Curve(), 0.1, 1e-3, unrolled=False)
    data = [paddle.to_tensor([v]) for v in (2.0, 1.0, 3.0, 2.0)]
    (found,) = architect.gradients(*data)
    assert found.item() == pytest.approx(2 * (1.5 * 0.5 * 3 - 2) * 1.5 * 3, rel=1e-5)


@pytest.mark.parametrize("unrolled", [False, True])
def test_a_search_learns_and_says_what_it_found(unrolled: bool, tmp_path) -> None:
    net = small()
    before = net.alphas_normal.numpy().copy()
    search = DARTSearch(
        net, stripes(), stripes(seed=1), learning_rate=0.1, num_epochs=3, arch_learning_rate=0.05,
        unrolled=unrolled, save_dir=str(tmp_path),
    )  # fmt: skip
    found = search.train()
    assert search.valid_one_epoch() > 0.8
    assert np.abs(net.alphas_normal.numpy() - before).max() > 0.01
    assert len(found.normal) == 4 and list(found.normal_concat) == [2, 3]
    assert {name for name, _ in found.normal} <= set(SMALL[1:])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["0", "1", "2"]
    kept = paddle.load(str(tmp_path / "2" / "params"))
    np.testing.assert_array_equal(kept["alphas_normal"], net.alphas_normal)


def test_operations_are_weighed_only_after_the_first_epochs() -> None:
    net = small()
    before = net.alphas_reduce.numpy().copy()
    search = DARTSearch(
        net, stripes(1), stripes(1), num_epochs=1, epochs_no_archopt=1, save_dir=None
    )
    search.train()
    np.testing.assert_array_equal(net.alphas_reduce, before)


def test_readers_may_be_sets_of_data_and_loaders() -> None:
    images = paddle.randn([6, 3, 8, 8])
    data = paddle.io.TensorDataset([images, paddle.to_tensor([0, 1] * 3)])
    loader = paddle.io.DataLoader(data, batch_size=2)
    DARTSearch(small(), data, loader, batchsize=3, num_epochs=1, save_dir=None).train()


def test_the_strongest_edges_are_taken() -> None:
    net = small()
    alphas = np.zeros([5, 3], "f4")
    alphas[1, 2], alphas[2, 1], alphas[4, 2], alphas[3, 0] = 1.0, 2.0, 3.0, 9.0
    net.alphas_normal.set_value(alphas)
    found = get_genotype(net).normal
    # Where "none" is strong, all others of the edge are weak.
    assert found == [
        ("sep_conv_3x3", 1),
        ("skip_connect", 0),
        ("sep_conv_3x3", 2),
        ("skip_connect", 0),
    ]


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("stride", [1, 2])
def test_operations_keep_or_halve_the_size(name: str, stride: int) -> None:
    out = OPERATIONS[name](4, stride, True)(paddle.randn([2, 4, 8, 8]))
    assert out.shape == [2, 4, 8 // stride, 8 // stride]
    assert bool((out == 0).all()) is (name == "none")


def test_millions_of_parameters_are_counted() -> None:
    assert count_parameters_in_MB(nn.Linear(10, 20).parameters()) == 220 / 1e6


@pytest.mark.parametrize(
    ("error", "message", "make"),
    [
        (UnknownNameError, "no operation 'conv'", lambda: small(primitives=["none", "conv"])),
        (ArgumentError, "primitives must have", lambda: small(primitives=["none"])),
        (ArgumentError, "multiplier", lambda: small(multiplier=3)),
        (ArgumentError, "arch_parameters", lambda: Architect(nn.Linear(1, 1), 0.1, 0.1, False)),
        (ArgumentError, "1 or more", lambda: DARTSearch(small(), [], [], num_epochs=0)),
        (ArgumentError, "expected a Dataset", lambda: DARTSearch(small(), 3, [])),
        (ArgumentError, "no batches", lambda: DARTSearch(small(), [], [], save_dir=None).train()),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told(error: type[Exception], message: str, make: Any) -> None:
    with pytest.raises(error, match=message):
        make()
