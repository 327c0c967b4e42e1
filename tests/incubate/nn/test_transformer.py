"""Parts of a transformer in one layer, against the layers of nn with the same weights."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.incubate.nn import (
    FusedFeedForward,
    FusedMultiHeadAttention,
    FusedTransformerEncoderLayer,
)
from twinoar.incubate.nn import functional as F

N, T, E, HEADS = 2, 3, 8, 2
RANDOM = np.random.default_rng(11)


def normal(*shape):
    return paddle.to_tensor(RANDOM.standard_normal(shape).astype("float32"))


def filled(layer):
    """The layer with other numbers in all parameters than it begins with."""
    for parameter in layer.parameters():
        parameter.set_value(normal(*parameter.shape) * 0.5)
    return layer.eval()


def by_heads(layer):
    """The projections of an `nn.MultiHeadAttention` as one weight and one bias."""
    parts = (layer.q_proj, layer.k_proj, layer.v_proj)
    weight = paddle.stack([p.weight.T.reshape([HEADS, E // HEADS, E]) for p in parts])
    return weight, paddle.stack([p.bias.reshape([HEADS, E // HEADS]) for p in parts])


def unfused(layer):
    """A layer of `nn` and a fused one with its weights."""
    fused = FusedTransformerEncoderLayer(
        E, HEADS, 16, normalize_before=layer.normalize_before, activation="gelu"
    )
    attention, network = fused.fused_attn, fused.ffn
    weight, bias = by_heads(layer.self_attn)
    attention.qkv_weight.set_value(weight)
    attention.qkv_bias.set_value(bias)
    before = layer.normalize_before
    pairs = [
        (attention.linear_weight, layer.self_attn.out_proj.weight),
        (attention.linear_bias, layer.self_attn.out_proj.bias),
        (attention.pre_ln_scale if before else attention.ln_scale, layer.norm1.weight),
        (attention.pre_ln_bias if before else attention.ln_bias, layer.norm1.bias),
        (network._linear1_weight, layer.linear1.weight),
        (network._linear1_bias, layer.linear1.bias),
        (network._linear2_weight, layer.linear2.weight),
        (network._linear2_bias, layer.linear2.bias),
        (network._ln1_scale if before else network._ln2_scale, layer.norm2.weight),
        (network._ln1_bias if before else network._ln2_bias, layer.norm2.bias),
    ]
    for own, other in pairs:
        own.set_value(other)
    return fused.eval()


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("kind", ["none", "bool", "int32", "float32"])
def test_an_encoder_layer_is_that_of_nn(before, kind):
    layer = filled(
        nn.TransformerEncoderLayer(E, HEADS, 16, activation="gelu", normalize_before=before)
    )
    x, mask = normal(N, T, E), None
    if kind != "none":
        mask = paddle.tril(paddle.ones([T, T])).astype(kind)
    found = unfused(layer)(x, mask)
    np.testing.assert_allclose(found, layer(x, mask), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("before", [False, True])
def test_a_cache_gives_what_the_whole_sequence_gives(before):
    fused = filled(FusedTransformerEncoderLayer(E, HEADS, 16, normalize_before=before))
    x = normal(N, T, E)
    whole = fused(x, paddle.tril(paddle.ones([T, T])).astype("bool"))
    cache = paddle.zeros([2, N, HEADS, 0, E // HEADS])
    for k in range(T):
        out, cache = fused(x[:, k : k + 1], None, cache)
        np.testing.assert_allclose(out[:, 0], whole[:, k], rtol=1e-4, atol=1e-5)
    assert cache.shape == [2, N, HEADS, T, E // HEADS]


def test_a_transposed_weight_is_of_the_same_attention():
    one = filled(FusedMultiHeadAttention(E, HEADS))
    other = FusedMultiHeadAttention(E, HEADS, transpose_qkv_wb=True).eval()
    other.set_state_dict(
        {
            **one.state_dict(),
            "qkv_weight": one.qkv_weight.reshape([3 * E, E]).T,
            "qkv_bias": one.qkv_bias.flatten(),
        }
    )
    x = normal(N, T, E)
    np.testing.assert_allclose(other(x), one(x), rtol=1e-5, atol=1e-6)


def test_without_residual_the_input_is_not_added():
    x, weight, last = normal(N, T, E), normal(3, HEADS, E // HEADS, E), normal(E, E)
    off = {"dropout_rate": 0.0, "attn_dropout_rate": 0.0, "pre_layer_norm": True}
    with_x = F.fused_multi_head_attention(x, weight, last, **off)
    without = F.fused_multi_head_attention(x, weight, last, add_residual=False, **off)
    np.testing.assert_allclose(with_x - x, without, rtol=1e-3, atol=1e-4)
    wide, narrow = normal(E, 4), normal(4, E)
    off = {"dropout1_rate": 0.0, "dropout2_rate": 0.0, "pre_layer_norm": True}
    with_x = F.fused_feedforward(x, wide, narrow, **off)
    without = F.fused_feedforward(x, wide, narrow, add_residual=False, **off)
    np.testing.assert_allclose(with_x - x, without, rtol=1e-3, atol=1e-4)


def test_dropout_scales_outside_of_training_where_the_mode_says_so():
    x, wide, narrow = normal(2, E), normal(E, 4), normal(4, E)
    given = {"pre_layer_norm": True, "training": False, "mode": "downscale_in_infer"}
    found = F.fused_feedforward(x, wide, narrow, **given, dropout1_rate=0.5, dropout2_rate=0.25)
    plain = F.fused_feedforward(x, wide, narrow, **given, dropout1_rate=0.0, dropout2_rate=0.0)
    np.testing.assert_allclose(found - x, (plain - x) * 0.375, rtol=1e-3, atol=1e-4)


def test_training_leaves_out_a_share():
    layer, x = FusedTransformerEncoderLayer(E, HEADS, 16, 0.5), normal(N, T, E)
    assert (layer(x) - layer(x)).abs().max().item() > 0
    layer.eval()
    assert (layer(x) - layer(x)).abs().max().item() == 0


def test_a_layer_trains_when_converted():
    layer, x = FusedTransformerEncoderLayer(E, HEADS, 16, 0.0), normal(N, T, E)
    target = normal(N, T, E)
    step = paddle.jit.to_static(layer)
    optimizer = paddle.optimizer.Adam(0.01, parameters=layer.parameters())
    losses = []
    for _ in range(15):
        loss = ((step(x) - target) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.item())
    assert losses[-1] < losses[0] * 0.9


@pytest.mark.parametrize("shape", [(0, T, E), (1, 1, E)])
def test_few_elements_are_attended(shape):
    assert FusedTransformerEncoderLayer(E, HEADS, 4)(paddle.ones(shape)).shape == list(shape)


def test_biases_may_be_absent():
    layer = FusedTransformerEncoderLayer(E, HEADS, 16, bias_attr=False)
    assert sorted(name for name in layer.state_dict() if "bias" in name) == ["ffn._ln2_bias"]
    assert layer(normal(N, T, E)).shape == [N, T, E]


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: FusedMultiHeadAttention(8, 2, kdim=4), "attends to its input"),
        (lambda: FusedMultiHeadAttention(8, 2, need_weights=True), "returns no shares"),
        (lambda: FusedMultiHeadAttention(8, 2, nranks=2, ring_id=0), "one process"),
        (lambda: FusedFeedForward(8, 8, ring_id=1), "one process"),
    ],
)
def test_what_is_not_served_is_refused(make, message):
    with pytest.raises(UnsupportedError, match=message):
        make()


def test_another_key_is_refused():
    with pytest.raises(UnsupportedError, match="another key or value"):
        FusedMultiHeadAttention(8, 2)(normal(1, 2, 8), normal(1, 2, 8))


def test_what_does_not_fit_is_told():
    with pytest.raises(ArgumentError, match="must divide"):
        FusedMultiHeadAttention(8, 3)
    with pytest.raises(ArgumentError, match="at least 1"):
        FusedFeedForward(8, 0)
    x, last = normal(N, T, E), normal(E, E)
    with pytest.raises(ShapeError, match="must be \\[3,heads,D,8\\]"):
        F.fused_multi_head_attention(x, normal(3, 2, 4, 7), last)
    with pytest.raises(ShapeError, match="x must be"):
        F.fused_multi_head_attention(x[0], normal(3, 2, 4, 8), last)
    with pytest.raises(ArgumentError, match="num_heads must divide 8, received -1"):
        F.fused_multi_head_attention(x, normal(8, 24), last, transpose_qkv_wb=True)
    with pytest.raises(ArgumentError, match="must be one of"):
        F.fused_feedforward(x, normal(8, 8), normal(8, 8), activation="no")
