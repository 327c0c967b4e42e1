"""Rotary position embedding, against pairs turned as complex numbers."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, ShapeError
from twinoar.incubate.nn import functional as F

RANDOM = np.random.default_rng(8)
N, T, HEADS, D = 2, 5, 3, 8
Q = RANDOM.standard_normal((N, T, HEADS, D)).astype("float32")
K = RANDOM.standard_normal((N, T, 1, D)).astype("float32")
POSITIONS = np.array([[4, 1, 0, 0, 2], [1, 2, 3, 4, 0]])


def turned(x, positions, neighbours=True, base=10000.0):
    """x times exp(i angle), where the numbers of a pair are real and imaginary part."""
    angle = positions[..., None] * base ** (-2.0 * np.arange(D // 2) / D)
    angle = np.exp(1j * angle)[..., None, :]
    halves = (x[..., ::2], x[..., 1::2]) if neighbours else np.split(x, 2, -1)
    pairs = (halves[0] + 1j * halves[1]) * angle
    parts = [pairs.real, pairs.imag]
    return np.stack(parts, -1).reshape(x.shape) if neighbours else np.concatenate(parts, -1)


def tables(length, neighbours, dtype="float32"):
    angle = np.arange(length)[:, None] * 10000.0 ** (-2.0 * np.arange(D // 2) / D)
    angle = np.repeat(angle, 2, -1) if neighbours else np.concatenate([angle, angle], -1)
    return [paddle.to_tensor(f(angle).astype(dtype)) for f in (np.sin, np.cos)]


@pytest.mark.parametrize("time_major", [False, True])
@pytest.mark.parametrize("base", [10000.0, 500.0])
def test_angles_are_those_of_the_positions(time_major, base):
    order = (1, 0, 2, 3) if time_major else (0, 1, 2, 3)
    given = [paddle.to_tensor(x.transpose(order)) for x in (Q, K)]
    q, k, v = F.fused_rotary_position_embedding(*given, time_major=time_major, rotary_emb_base=base)
    for found, x in ((q, Q), (k, K)):
        wanted = turned(x, np.arange(T), base=base)
        np.testing.assert_allclose(found.numpy().transpose(order), wanted, rtol=1e-4, atol=1e-5)
    assert v is None


@pytest.mark.parametrize("neighbours", [False, True])
@pytest.mark.parametrize("time_major", [False, True])
@pytest.mark.parametrize("flat", [False, True])
def test_rows_are_those_of_position_ids(neighbours, time_major, flat):
    order = (1, 0, 2, 3) if time_major else (0, 1, 2, 3)
    sin, cos = tables(7, neighbours)
    if not flat:
        sin, cos = (paddle.reshape(x, [1, 7, 1, D]) for x in (sin, cos))
    _, _, v = F.fused_rotary_position_embedding(
        paddle.to_tensor(Q.transpose(order)),
        v=paddle.to_tensor(K.transpose(order)),
        sin=sin,
        cos=cos,
        position_ids=paddle.to_tensor(POSITIONS),
        use_neox_rotary_style=neighbours,
        time_major=time_major,
    )
    wanted = turned(K, POSITIONS, neighbours)
    np.testing.assert_allclose(v.numpy().transpose(order), wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("count", [2, 6, 8])
def test_a_part_of_a_head_is_turned_and_its_pairs_parted(count):
    sin, cos = RANDOM.standard_normal((2, 1, T + 2, 1, count)).astype("float32")
    found = F.fused_partial_rope(*(paddle.to_tensor(x) for x in (Q, cos, sin)))
    rest, pairs = Q[..., : D - count], Q[..., D - count :]
    one, other = pairs[..., ::2], pairs[..., 1::2]
    halves, quarter = np.concatenate([one, other], -1), np.concatenate([-other, one], -1)
    wanted = np.concatenate([rest, halves * cos[:, :T] + quarter * sin[:, :T]], -1)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


def test_half_precision_stays():
    sin, cos = tables(T, True)
    q = paddle.to_tensor(Q).astype("float16")
    assert F.fused_rotary_position_embedding(q, sin=sin, cos=cos)[0].dtype == paddle.float16


@pytest.mark.parametrize("shape", [(0, 3, 2, 4), (1, 1, 1, 2), (2, 0, 1, 2)])
def test_few_elements_are_turned(shape):
    assert F.fused_rotary_position_embedding(paddle.ones(shape))[0].shape == list(shape)


def test_what_does_not_fit_is_told():
    q, (sin, cos) = paddle.to_tensor(Q), tables(T, True)
    with pytest.raises(ShapeError, match="even D"):
        F.fused_rotary_position_embedding(q[..., :3])
    with pytest.raises(ArgumentError, match="need sin and cos"):
        F.fused_rotary_position_embedding(q, position_ids=paddle.to_tensor(POSITIONS))
    with pytest.raises(ArgumentError, match="need sin and cos"):
        F.fused_rotary_position_embedding(q, sin=sin)
    with pytest.raises(ShapeError, match="must be of 5 positions"):
        F.fused_rotary_position_embedding(q, sin=sin[:1], cos=cos[:1])
    with pytest.raises(ShapeError, match="position_ids must be"):
        F.fused_rotary_position_embedding(q, sin=sin, cos=cos, position_ids=paddle.ones([5]))
    with pytest.raises(ShapeError, match="P must be even"):
        F.fused_partial_rope(q, paddle.ones([1, T, 1, 3]), paddle.ones([1, T, 1, 3]))
    with pytest.raises(ShapeError, match="sin must be"):
        F.fused_rotary_position_embedding(q, sin=sin[:, :4], cos=cos[:, :4])
