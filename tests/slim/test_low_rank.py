"""Two smaller layers compute nearly what one did, and exactly where nothing was lost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.slim import factorize

GENERATOR = np.random.default_rng(4)


def of_rank(rows: int, columns: int, rank: int) -> np.ndarray:
    return GENERATOR.normal(size=(rows, rank)) @ GENERATOR.normal(size=(rank, columns))


def given(layer: Any, matrix: np.ndarray) -> Any:
    shape = layer.weight.shape
    layer.weight.set_value(matrix.reshape(shape).astype("float32"))
    return layer


LAYERS: dict[str, Any] = {
    "linear": (lambda: given(nn.Linear(12, 10), of_rank(12, 10, 3)), [4, 12]),
    "no bias": (lambda: given(nn.Linear(12, 10, bias_attr=False), of_rank(12, 10, 3)), [4, 12]),
    "conv1d": (lambda: given(nn.Conv1D(4, 8, 3, padding=1), of_rank(8, 12, 3)), [2, 4, 9]),
    "conv2d": (
        lambda: given(nn.Conv2D(4, 12, 3, stride=2, padding=1, dilation=2), of_rank(12, 36, 3)),
        [2, 4, 9, 9],
    ),
    "reflected": (
        lambda: given(nn.Conv2D(4, 12, 3, padding=1, padding_mode="reflect"), of_rank(12, 36, 3)),
        [2, 4, 6, 6],
    ),
    "channels last": (
        lambda: given(nn.Conv2D(4, 12, 3, data_format="NHWC"), of_rank(12, 36, 3)),
        [2, 6, 6, 4],
    ),
    "conv3d": (lambda: given(nn.Conv3D(2, 12, 2), of_rank(12, 16, 3)), [1, 2, 4, 4, 4]),
}


@pytest.mark.parametrize("kind", LAYERS)
def test_a_weight_of_low_rank_is_divided_without_loss(kind: str) -> None:
    make, shape = LAYERS[kind]
    model = nn.Sequential(make())
    x = paddle.to_tensor(GENERATOR.normal(size=shape).astype("float32"))
    before = model(x).numpy()
    (found,) = factorize(model, energy=1 - 1e-9)
    assert found.rank == 3 and found.error < 1e-4
    assert sum(p.size for p in model.parameters() if len(p.shape) > 1) == found.after
    np.testing.assert_allclose(model(x).numpy(), before, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("energy", [0.5, 0.8, 0.95])
def test_the_share_of_energy_is_kept(energy: float) -> None:
    model = nn.Sequential(nn.Linear(64, 64))
    before = model[0].weight.numpy()
    (found,) = factorize(model, energy=energy) or (None,)
    if found is None:  # that share takes more than half of the rank: nothing would be saved
        sizes = np.square(np.linalg.svd(before, compute_uv=False))
        assert sizes[:31].sum() < energy * sizes.sum()
        return
    product = model[0][0].weight.numpy() @ model[0][1].weight.numpy()
    error = np.linalg.norm(product - before) / np.linalg.norm(before)
    assert error == pytest.approx(found.error, rel=1e-3)
    assert error**2 <= 1 - energy


def test_a_layer_in_two_places_stays_one_layer() -> None:
    layer = given(nn.Linear(12, 12), of_rank(12, 12, 2))
    model = nn.Sequential(layer, nn.ReLU(), layer)
    assert len(factorize(model, rank=2)) == 1
    assert model[0] is model[2]


def test_tied_weights_and_groups_are_left_alone() -> None:
    one, other = nn.Linear(12, 12), nn.Linear(12, 12)
    other.weight = one.weight
    model = nn.Sequential(one, other, nn.Conv2D(8, 8, 3, groups=2))
    assert factorize(model, rank=1) == []
    assert model[1].weight is model[0].weight


def test_only_the_named_are_divided() -> None:
    model = nn.Sequential(nn.Sequential(nn.Linear(12, 12)), nn.Linear(12, 12))
    assert [f.name for f in factorize(model, rank=0.25, names=["0.0"])] == ["0.0"]
    assert isinstance(model[1], nn.Linear)


def test_bad_calls_are_refused() -> None:
    model = nn.Sequential(nn.Linear(12, 12))
    for settings in ({"energy": 0}, {"energy": 1.5}, {"rank": 0}, {"rank": 1.5}):
        with pytest.raises(ArgumentError):
            factorize(model, **settings)
    with pytest.raises(UnknownNameError):
        factorize(model, names=["nobody"])
    model[0].register_forward_post_hook(lambda layer, x, y: y)
    with pytest.raises(ArgumentError, match="hooks"):
        factorize(model, rank=1)
