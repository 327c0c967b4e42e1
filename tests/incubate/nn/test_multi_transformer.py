"""A stack of layers in one, against the layers of nn and against itself without caches."""

import numpy as np
import pytest

import twinoar as paddle
from tests.incubate.nn.test_transformer import by_heads, filled
from twinoar import nn
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.incubate.nn import FusedMultiTransformer
from twinoar.incubate.nn import functional as F

N, T, E, HEADS, ROOM = 2, 5, 8, 2, 7
SIZE = E // HEADS
RANDOM = np.random.default_rng(17)
BIASES = [f"{part}_bias_attrs" for part in ("ln", "qkv", "linear", "ffn_ln", "ffn1", "ffn2")]


def normal(*shape):
    return paddle.to_tensor(RANDOM.standard_normal(shape).astype("float32"))


def model(**options):
    biases = {name: paddle.ParamAttr() for name in BIASES}
    return filled(FusedMultiTransformer(E, HEADS, 16, num_layers=2, **{**biases, **options}))


def causal(length):
    mask = np.triu(np.full((length, length), -1e9, "float32"), 1)
    return paddle.to_tensor(np.tile(mask, (N, 1, 1, 1)))


def stacked(layer, count=2):
    """The lists of a layer of `nn`, so often."""
    weight, bias = by_heads(layer.self_attn)
    parts = (
        *(layer.norm1.weight, layer.norm1.bias, weight, bias),
        *(layer.self_attn.out_proj.weight, layer.self_attn.out_proj.bias),
        *(layer.norm2.weight, layer.norm2.bias, layer.linear1.weight, layer.linear1.bias),
        *(layer.linear2.weight, layer.linear2.bias),
    )
    return [[part] * count for part in parts]


@pytest.mark.parametrize("before", [False, True])
def test_layers_are_those_of_nn(before):
    layer = filled(
        nn.TransformerEncoderLayer(E, HEADS, 16, activation="gelu", normalize_before=before)
    )
    x, mask = normal(N, T, E), causal(T)
    found = F.fused_multi_transformer(
        x, *stacked(layer), pre_layer_norm=before, attn_mask=mask, activation="gelu"
    )
    np.testing.assert_allclose(found, layer(layer(x, mask), mask), rtol=1e-3, atol=1e-4)


def test_a_weight_may_have_the_input_first():
    one, other = model(), model(trans_qkvw=False)
    for own, given in zip(other.parameters(), one.parameters(), strict=True):
        is_turned = own.shape != given.shape
        own.set_value(given.transpose([3, 0, 1, 2]) if is_turned else given)
    x = normal(N, T, E)
    np.testing.assert_allclose(other(x), one(x), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("groups", [-1, 1])
@pytest.mark.parametrize("rotary", [None, False, True])
@pytest.mark.parametrize(
    "options", [{}, {"norm_type": "rmsnorm"}, {"activation": "swiglu"}, {"residual_alpha": 0.5}]
)
@pytest.mark.parametrize("by_row", [False, True])
def test_steps_with_caches_give_what_the_whole_sequence_gives(groups, rotary, options, by_row):
    own = model(gqa_group_size=groups, use_neox_rotary_style=bool(rotary), **options)
    x, angle = normal(N, T, E), normal(2, N, 1, T, SIZE)
    turns = {} if rotary is None else {"rotary_emb_dims": 1}
    table = {} if rotary is None else {"rotary_embs": angle}
    whole = own(x, causal(T), **turns, **table)
    heads = HEADS if groups < 1 else groups
    caches = [paddle.full([2, N, heads, ROOM, SIZE], np.nan) for _ in range(2)]
    begin = {} if rotary is None else {"rotary_embs": angle[:, :, :, :3]}
    out, same = own(x[:, :3], causal(3), caches, **turns, **begin)
    assert same[0] is caches[0]
    np.testing.assert_allclose(out, whole[:, :3], rtol=1e-3, atol=1e-4)
    for k in range(3, T):
        lengths = {"seq_lens": paddle.full([N], k, "int32")} if by_row else {}
        out, _ = own(
            *(x[:, k : k + 1], None, caches),
            time_step=paddle.full([1], k, "int32"),
            **turns,
            **table,
            **lengths,
        )
        np.testing.assert_allclose(out[:, 0], whole[:, k], rtol=1e-3, atol=1e-4)


def test_a_prefix_comes_before_the_prompt():
    own, x = model(), normal(N, T, E)
    caches = [paddle.zeros([2, N, HEADS, ROOM, SIZE]) for _ in range(2)]
    whole, _ = own(x, causal(T), caches)
    prefix = [cache[:, :, :, :2].clone() for cache in caches]
    mask = causal(T)[:, :, 2:]
    again = [paddle.zeros([2, N, HEADS, ROOM, SIZE]) for _ in range(2)]
    out, _ = own(x[:, 2:], mask, again, prefix)
    np.testing.assert_allclose(out, whole[:, 2:], rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(again[1], caches[1], rtol=1e-3, atol=1e-4)


def test_a_converted_step_writes_into_its_caches():
    own, x = model(), normal(N, 1, E)
    one, other = ([paddle.zeros([2, N, HEADS, ROOM, SIZE]) for _ in range(2)] for _ in range(2))

    @paddle.jit.to_static
    def step(x, first, second, at):
        return own(x, None, [first, second], time_step=at)[0]

    for k in range(3):
        at = paddle.full([1], k, "int64")
        found, wanted = step(x * k, *one, at), own(x * k, None, other, time_step=at)[0]
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def test_biases_are_made_for_attributes_alone():
    bare = FusedMultiTransformer(E, HEADS, 16, num_layers=2)
    assert bare.qkv_biases is None and len(bare.parameters()) == 12
    assert len(model().parameters()) == 24
    assert set(bare.state_dict()) == {p.name for p in bare.parameters()}


def test_attributes_may_be_of_each_layer():
    attrs = [paddle.ParamAttr(name=f"of_layer.{k}.qkv") for k in range(3)]
    own = FusedMultiTransformer(E, HEADS, 16, qkv_weight_attrs=attrs)
    assert [p.name for p in own.qkv_weights] == [a.name for a in attrs]
    assert own(normal(N, T, E)).shape == [N, T, E]
    other = FusedMultiTransformer(E, HEADS, 16, num_layers=3)
    for p, q in zip(other.parameters(), own.parameters(), strict=True):
        p.set_value(q)
    x = normal(N, T, E)
    np.testing.assert_allclose(other(x), own(x), rtol=1e-6)


def test_gradients_reach_all_parameters():
    own = model().train()
    own(normal(N, T, E), causal(T)).sum().backward()
    assert all(p.grad is not None for p in own.parameters())


def test_what_is_not_served_is_refused():
    own, x = model(), normal(N, T, E)
    with pytest.raises(UnsupportedError, match="no beams"):
        own(x, beam_offset=paddle.zeros([N]))
    with pytest.raises(UnsupportedError, match="one process"):
        FusedMultiTransformer(E, HEADS, 16, num_layers=1, nranks=2, ring_id=0)
    noisy = model(dropout_rate=0.5).train()
    caches = [paddle.zeros([2, N, HEADS, ROOM, SIZE]) for _ in range(2)]
    with pytest.raises(UnsupportedError, match="no dropout"):
        noisy(x[:, :1], None, caches, time_step=paddle.zeros([1], "int32"))


def test_what_does_not_fit_is_told():
    own, x = model(), normal(N, T, E)
    with pytest.raises(ArgumentError, match="must be positive"):
        FusedMultiTransformer(E, HEADS, 16)
    with pytest.raises(ArgumentError, match="there are 2 layers, received 1"):
        FusedMultiTransformer(E, HEADS, 16, num_layers=2, ln_scale_attrs=[None])
    with pytest.raises(ArgumentError, match="2 layers, received 1 tensors as cache_kvs"):
        own(x, None, [paddle.zeros([2, N, HEADS, ROOM, SIZE])])
    with pytest.raises(ArgumentError, match="of one position"):
        own(x, time_step=paddle.zeros([1], "int32"))
    with pytest.raises(ShapeError, match="has 3 positions, 5 are written"):
        own(x, None, [paddle.zeros([2, N, HEADS, 3, SIZE]) for _ in range(2)])
    with pytest.raises(ShapeError, match="rotary_embs must be"):
        own(x, rotary_embs=normal(2, N, T, SIZE), rotary_emb_dims=1)
    with pytest.raises(ArgumentError, match="norm_type must be"):
        model(norm_type="batchnorm")(x)
    with pytest.raises(ShapeError, match="the weight of an attention must be"):
        own._trans_qkvw = False
        own(x)
