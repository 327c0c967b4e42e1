"""What every observer does, and what those of extremes compute."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, ShapeError
from twinoar.quantization import observers

OF_GROUPS = "GroupWiseWeightObserver"  # takes weights of many rows alone
FACTORIES = sorted({*observers.__all__} - {OF_GROUPS})
LAYER = paddle.nn.Linear(3, 2)


def made(name: str, **arguments: Any) -> Any:
    return getattr(observers, name)(**arguments)._instance(LAYER)


def dequantized(observer: Any, x: np.ndarray) -> np.ndarray:
    """What integers of an observer's scale and zero point stand for."""
    unit = observer.scales().numpy() / (2 ** (observer.bit_length() - 1) - 1)
    zero, (low, high) = observer.zero_points().numpy(), observer.qmin_qmax
    return (np.clip(np.round(x / unit) + zero, low, high) - zero) * unit


@pytest.mark.parametrize("name", FACTORIES)
def test_values_pass_as_they_are(name: str) -> None:
    x = paddle.randn([3, 2])
    assert made(name)(x) is x


@pytest.mark.parametrize("name", FACTORIES)
def test_nothing_seen_has_no_scale(name: str) -> None:
    observer = made(name)
    observer(paddle.zeros([0, 2]))
    assert observer.scales() is None and observer.zero_points() is None
    assert observer.min_value() is None and observer.max_value() is None


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", FACTORIES)
def test_what_is_not_finite_is_refused_and_leaves_nothing_behind(name: str, bad: float) -> None:
    observer = made(name)
    with pytest.raises(ArgumentError, match="finite"):
        observer(paddle.to_tensor([[1.0, bad]] * 3))
    assert observer.scales() is None


@pytest.mark.parametrize("constant", [0.0, 2.5, -2.5])
@pytest.mark.parametrize("name", FACTORIES)
def test_a_constant_is_kept(name: str, constant: float) -> None:
    observer = made(name)
    observer(paddle.full([3, 2], constant))
    kept = dequantized(observer, np.full((3, 2), constant))
    # MSE and EMD clip at the largest magnitude, or where a step ends: all but exact
    np.testing.assert_allclose(kept, constant, rtol=2e-2, atol=1e-7)


@pytest.mark.parametrize("name", [n for n in FACTORIES if "Channel" not in n])
def test_one_element_without_axes_is_enough(name: str) -> None:
    observer = made(name)
    observer(paddle.to_tensor(3.0))
    assert abs(dequantized(observer, np.float64(3.0)) - 3.0) < 0.06


@pytest.mark.parametrize("name", FACTORIES)
def test_more_values_change_a_scale_that_was_asked_for(name: str) -> None:
    observer = made(name)
    observer(paddle.ones([3, 2]))
    before = observer.scales().numpy().max()
    observer(paddle.full([3, 2], 9.0))
    assert observer.scales().numpy().max() > before


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64", "int32"])
@pytest.mark.parametrize("name", FACTORIES)
def test_values_of_every_dtype_give_float32_scales(name: str, dtype: str) -> None:
    observer = made(name)
    observer(paddle.full([3, 2], 2, dtype))
    assert observer.scales().dtype == paddle.float32


@pytest.mark.parametrize(("sign", "symmetric"), [(s, t) for s in (0, 1) for t in (0, 1)])
@pytest.mark.parametrize("span", [(-1.0, 3.0), (2.0, 3.0), (-3.0, -2.0)])
def test_the_range_is_kept_to_half_a_step(sign: bool, symmetric: bool, span: tuple) -> None:
    observer = made("MinMaxObserver", sign=bool(sign), symmetric=bool(symmetric))
    x = np.linspace(*span, 999)
    observer(paddle.to_tensor(x))
    width = max(span[1], 0) - min(span[0], 0)
    levels = 127 if symmetric else 255
    largest = np.abs(span).max() if symmetric else width
    # one step at an end, where the zero point is rounded
    assert np.abs(dequantized(observer, x) - x).max() <= largest / levels * 1.01
    assert dequantized(observer, np.zeros(1)) == 0.0


def test_samples_count_alike_in_batches_of_any_size() -> None:
    observer = made("AVGObserver")
    observer(paddle.to_tensor([[1.0, -4.0], [0.0, 2.0], [3.0, 3.0]]))
    observer(paddle.to_tensor([[-11.0, 0.0]]))
    assert observer.scales().item() == 5.0


def test_the_moving_average_is_weighted_by_powers_of_the_rate() -> None:
    observer, seen = made("EMAObserver", moving_rate=0.9), [1.0, 5.0, 2.0, 8.0]
    for x in seen:
        observer(paddle.to_tensor([x, -x / 2]))
    powers = 0.9 ** np.arange(len(seen))[::-1]
    np.testing.assert_allclose(observer.scales().item(), np.average(seen, weights=powers), 1e-6)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("EMAObserver", {"moving_rate": 1.5}),
        ("HistObserver", {"percent": 0.2}),
        ("HistObserver", {"bins_count": 7}),
        ("KLObserver", {"bins_count": 64}),
        ("MSEObserver", {"quant_bits": 1}),
    ],
)
def test_arguments_without_meaning_are_refused(name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError):
        made(name, **arguments)


def test_a_layer_without_known_channels_is_refused() -> None:
    factory = observers.AbsMaxChannelWiseWeightObserver()
    with pytest.raises(ArgumentError, match="no axis of channels is known of ReLU"):
        factory._instance(paddle.nn.ReLU())


def test_filters_have_a_scale_for_each() -> None:
    layer = paddle.nn.Conv2D(2, 5, 3)
    observer = observers.AbsMaxChannelWiseWeightObserver()._instance(layer)
    observer(layer.weight)
    expected = layer.weight.abs().max([1, 2, 3])
    np.testing.assert_array_equal(observer.scales().numpy(), expected.numpy())
    assert observer.quant_axis() == 0


def test_groups_of_rows_have_scales_and_others_are_told() -> None:
    observer = made(OF_GROUPS, group_size=64)
    with pytest.raises(ShapeError, match="groups of 64 rows"):
        observer(paddle.ones([63, 2]))
    observer(paddle.concat([paddle.ones([64, 2]), paddle.full([64, 2], -3.0)]))
    assert observer.scales().tolist() == [[1.0, 1.0], [3.0, 3.0]]
    with pytest.raises(ArgumentError, match="group_size must be 64 or 128"):
        made(OF_GROUPS, group_size=3)
