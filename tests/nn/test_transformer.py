"""Attention and Transformer: what masks, caches and attributes do; wrong arguments are told.

Numbers are compared with the real Paddle's in tests/paddle.
"""

from __future__ import annotations

import numpy as np
import pytest

import twinoar
from twinoar import nn
from twinoar.errors import ArgumentError
from twinoar.nn import functional


def sequence(length: int = 4, size: int = 8) -> twinoar.Tensor:
    twinoar.seed(length)
    return twinoar.rand([2, length, size])


def encoder(**options: object) -> nn.TransformerEncoder:
    twinoar.seed(1)
    layer = nn.TransformerEncoderLayer(8, 2, 16, **{"dropout": 0.0, **options})
    return nn.TransformerEncoder(layer, 2)


def assert_close(x: object, y: object) -> None:
    np.testing.assert_allclose(np.asarray(x), np.asarray(y), rtol=1e-5, atol=1e-6)


def test_a_position_that_is_masked_has_no_share() -> None:
    layer = nn.MultiHeadAttention(8, 2, need_weights=True)
    mask = twinoar.to_tensor([True, True, False, True])
    _, weights = layer(sequence(), attn_mask=mask)
    assert weights[:, :, :, 2].abs().max().item() == 0.0
    assert_close(weights.sum(-1), np.ones((2, 2, 4)))


@pytest.mark.parametrize("dtype", ["bool", "int32", "float32"])
def test_masks_of_truth_values_integers_and_floats_mean_the_same(dtype: str) -> None:
    twinoar.seed(3)
    layer = nn.MultiHeadAttention(8, 2)
    wanted = np.tril(np.ones((4, 4), bool))
    mask = np.where(wanted, 0.0, -1e9) if dtype == "float32" else wanted
    given = twinoar.to_tensor(mask).astype(dtype)
    x = sequence()
    first = layer(x[:, :1])  # alone, it sees itself only, as under the mask
    assert_close(layer(x, attn_mask=given)[:, :1], first)


def test_steps_with_a_cache_are_the_whole_under_a_causal_mask() -> None:
    model, x = encoder(), sequence()
    mask = twinoar.to_tensor(np.tril(np.ones((4, 4), bool)))
    cache, steps = model.gen_cache(x), []
    for i in range(4):
        out, cache = model(x[:, i : i + 1], cache=cache)
        steps.append(out)
    assert_close(twinoar.concat(steps, 1), model(x, mask))
    assert cache[0].k.shape == [2, 2, 4, 4]


def test_a_static_cache_stands_for_the_memory() -> None:
    twinoar.seed(2)
    layer = nn.MultiHeadAttention(8, 2)
    query, memory = sequence(3), sequence(5)
    cache = layer.gen_cache(memory, memory, nn.MultiHeadAttention.StaticCache)
    out, same = layer(query, None, None, None, cache)
    assert same is cache
    assert_close(out, layer(query, memory, memory))


def test_layers_of_a_stack_have_parameters_of_their_own() -> None:
    model = encoder()
    first, second = (layer.linear1.weight for layer in model.layers)
    assert first.name != second.name
    assert not np.array_equal(first.numpy(), second.numpy())


def test_dropout_works_in_training_only() -> None:
    model, x = encoder(dropout=0.5), sequence()
    assert not np.array_equal(model(x).numpy(), model(x).numpy())
    model.eval()
    assert np.array_equal(model(x).numpy(), model(x).numpy())


@pytest.mark.parametrize("length", [1, 2, 3])
def test_attributes_may_be_given_for_parts(length: int) -> None:
    starts = [nn.initializer.Constant(float(i)) for i in range(length)]
    model = nn.Transformer(8, 2, 1, 1, 16, weight_attr=starts)
    decoder = model.decoder.layers[0]
    found = [
        layer.weight[0, 0].item()
        for layer in (decoder.self_attn.q_proj, decoder.cross_attn.q_proj, decoder.linear1)
    ]
    assert found == {1: [0, 0, 0], 2: [0, 0, 1], 3: [0, 1, 2]}[length]
    assert model.encoder.layers[0].linear2.weight[0, 0].item() == length - 1


def test_a_name_that_parts_share_is_numbered() -> None:
    layer = nn.TransformerEncoderLayer(8, 2, 16, weight_attr=twinoar.ParamAttr(name="shared"))
    assert layer.self_attn.q_proj.weight.name == "shared_0"
    assert layer.linear1.weight.name == "shared_1"


def test_custom_stacks_take_their_places() -> None:
    class Sum(nn.Layer):
        def forward(self, tgt, memory, tgt_mask=None, memory_mask=None):
            return tgt + memory.sum(1, keepdim=True)

    own = encoder()
    model = nn.Transformer(8, 2, custom_encoder=own, custom_decoder=Sum())
    x = sequence()
    assert_close(model(x, x), x + own(x).sum(1, keepdim=True))


def test_a_layer_of_ones_own_is_stacked_by_its_config() -> None:
    class Own(nn.TransformerEncoderLayer):
        def forward(self, src, src_mask=None, cache=None):
            return super().forward(src, src_mask, cache) * 2

    layer = Own(8, 2, 16, dropout=0.0)
    assert [type(layer) for layer in nn.TransformerEncoder(layer, 3).layers] == [Own] * 3


def test_an_encoder_is_the_same_as_a_program_of_unknown_sizes() -> None:
    model = encoder()
    spec = twinoar.static.InputSpec([None, None, 8], "float32")
    static = twinoar.jit.to_static(encoder(), input_spec=[spec])
    for length in (2, 5):
        assert_close(static(sequence(length)), model(sequence(length)))


def test_a_decoder_saved_and_loaded_gives_the_same(tmp_path) -> None:
    model = nn.Transformer(8, 2, 1, 1, 16, dropout=0.0)
    spec = [twinoar.static.InputSpec([2, n, 8], "float32") for n in (5, 3)]
    twinoar.jit.save(model, str(tmp_path / "model"), input_spec=spec)
    x, y = sequence(5), sequence(3)
    assert_close(twinoar.jit.load(str(tmp_path / "model"))(x, y), model(x, y))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: nn.MultiHeadAttention(8, 3), "num_heads must divide embed_dim"),
        (lambda: nn.MultiHeadAttention(0, 1), "num_heads must divide embed_dim"),
        (lambda: nn.TransformerEncoderLayer(8, 2, 0), "must be at least 1"),
        (lambda: nn.TransformerEncoderLayer(8, 2, 4, activation="none"), "received 'none'"),
        (lambda: nn.TransformerEncoderLayer(8, 2, 4, bias_attr=[None]), "expected 2 attributes"),
        (lambda: nn.Transformer(8, 2, 1, 1, 4, weight_attr=[]), "expected 1, 2 or 3"),
    ],
)
def test_wrong_arguments_are_told(make, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        make()


def test_dropped_attention_is_scaled_up() -> None:
    twinoar.seed(5)
    q, v = twinoar.zeros([1, 1, 1, 4]), twinoar.ones([1, 1000, 1, 1])
    k = twinoar.zeros([1, 1000, 1, 4])
    out = functional.scaled_dot_product_attention(q, k, v, dropout_p=0.5)
    assert 0.85 < out.item() < 1.15
    whole = functional.scaled_dot_product_attention(q, k, v, dropout_p=0.5, training=False)
    assert_close(whole.flatten(), [1.0])


def test_attention_that_is_causal_ignores_the_mask() -> None:
    q = twinoar.rand([1, 3, 1, 2])
    attend = functional.scaled_dot_product_attention
    wrong = twinoar.zeros([3, 3], dtype="bool")
    assert_close(attend(q, q, q, wrong, is_causal=True), attend(q, q, q, is_causal=True))


def test_a_backend_and_heads_that_differ_are_told() -> None:
    q, k = twinoar.rand([1, 3, 4, 2]), twinoar.rand([1, 3, 2, 2])
    attend = functional.scaled_dot_product_attention
    with pytest.raises(NotImplementedError, match="backend='p2p'"):
        attend(q, q, q, backend="p2p")
    with pytest.raises(ValueError, match="query has 4 heads, key 2"):
        attend(q, k, k, enable_gqa=False)
