"""compat.nn: layers with PyTorch's arguments, parameters and masks."""

import math

import numpy as np
import pytest

import twinoar as paddle
from twinoar.compat import nn
from twinoar.compat.nn import functional
from twinoar.errors import ArgumentError


def test_a_linear_layer_keeps_a_row_for_each_result():
    layer = nn.Linear(400, 3)
    assert layer.weight.shape == [3, 400]
    for parameter in (layer.weight, layer.bias):
        assert np.abs(parameter.numpy()).max() <= 1 / math.sqrt(400)
    x = paddle.rand([2, 400])
    expected = x.numpy() @ layer.weight.numpy().T + layer.bias.numpy()
    np.testing.assert_allclose(layer(x).numpy(), expected, rtol=1e-4, atol=1e-6)
    assert nn.Linear(2, 3, bias=False).bias is None
    assert repr(nn.Linear(2, 3)) == "Linear(in_features=2, out_features=3, bias=True)"


def test_padding_begins_with_the_last_axis():
    x = paddle.ones([1, 2, 3])
    assert functional.pad(x, (1, 2)).shape == [1, 2, 6]
    assert functional.pad(x, (1, 1, 0, 1, 2, 0)).shape == [3, 3, 5]
    assert functional.pad(x, (1, 0), value=5.0)[0, 0].tolist() == [5.0, 1.0, 1.0, 1.0]


def test_pooling_counts_the_padding_unless_told_otherwise():
    x = paddle.ones([1, 1, 2])
    assert nn.AvgPool1d(2, 1, 1)(x).tolist() == [[[0.5, 1.0, 0.5]]]
    assert nn.AvgPool1D(2, 1, 1, count_include_pad=False)(x).tolist() == [[[1.0, 1.0, 1.0]]]
    image, volume = paddle.ones([1, 1, 2, 2]), paddle.ones([1, 1, 2, 2, 2])
    assert nn.AvgPool2d(2, divisor_override=1)(image).tolist() == [[[[4.0]]]]
    assert nn.AvgPool3d(2, divisor_override=4)(volume).item() == 2.0


def test_shares_and_windows():
    assert nn.Softmax(0)(paddle.zeros([2, 4])).tolist() == [[0.5] * 4] * 2
    assert nn.Unfold(2, 1, 0, 2)(paddle.ones([1, 3, 4, 4])).shape == [1, 12, 4]


def attention(**options):
    paddle.seed(3)
    layer = nn.MultiheadAttention(8, 2, **options)
    layer.eval()
    return layer


def test_attention_takes_positions_first_or_the_batch():
    q, k = paddle.rand([5, 3, 8]), paddle.rand([4, 3, 8])
    layer, first = attention(), attention(batch_first=True)
    out, weights = layer(q, k, k)
    assert (out.shape, weights.shape) == ([5, 3, 8], [3, 5, 4])
    np.testing.assert_allclose(weights.numpy().sum(-1), 1.0, rtol=1e-5)
    swapped = [x.transpose([1, 0, 2]) for x in (q, k, k)]
    other = first(*swapped, need_weights=False)
    assert other[1] is None
    np.testing.assert_allclose(other[0].numpy().transpose(1, 0, 2), out.numpy(), atol=1e-6)
    one, one_weights = layer(q[:, 1], k[:, 1], k[:, 1])
    np.testing.assert_allclose(one.numpy(), out.numpy()[:, 1], atol=1e-6)
    np.testing.assert_allclose(one_weights.numpy(), weights.numpy()[1], atol=1e-6)


def test_masks_hide_positions_where_they_are_true():
    x, layer = paddle.rand([4, 3, 8]), attention()
    later = paddle.triu(paddle.ones([4, 4], "bool"), 1)
    _, causal = layer(x, x, x, is_causal=True)
    _, masked = layer(x, x, x, attn_mask=later)
    np.testing.assert_array_equal(causal.numpy(), masked.numpy())
    assert (np.triu(causal.numpy(), 1) == 0).all()
    padding = paddle.to_tensor([[False, False, True, True]] * 3)
    _, padded = layer(x, x, x, key_padding_mask=padding, average_attn_weights=False)
    assert padded.shape == [3, 2, 4, 4]
    assert (padded.numpy()[..., 2:] == 0).all()
    _, both = layer(x, x, x, key_padding_mask=padding, attn_mask=later.astype("float32") * -1e9)
    assert (both.numpy()[:, 0, 1:] == 0).all()


def test_positions_are_added():
    x = paddle.rand([4, 3, 8])
    later = paddle.triu(paddle.ones([4, 4], "bool"), 1)
    for options, added in (({"add_zero_attn": True}, 1), ({"add_bias_kv": True}, 1)):
        _, weights = attention(**options)(x, x, x, attn_mask=later)
        assert weights.shape == [3, 4, 4 + added]
        assert (weights.numpy()[..., -1] > 0).all()


def test_keys_and_values_of_other_sizes_and_gradients():
    layer = attention(kdim=4, vdim=6, bias=False)
    out, _ = layer(paddle.rand([5, 3, 8]), paddle.rand([4, 3, 4]), paddle.rand([4, 3, 6]))
    out.sum().backward()
    names = ["q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj.weight"]
    assert [name for name, p in layer.named_parameters() if p.grad is not None] == names
    with pytest.raises(ArgumentError, match="num_heads 3 must divide embed_dim 8"):
        nn.MultiheadAttention(8, 3)
