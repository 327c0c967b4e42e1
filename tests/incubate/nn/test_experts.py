"""Mixtures of experts, against loops over tokens in Python."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.incubate.nn import functional as F

RANDOM = np.random.default_rng(15)
S, D, E, K = 7, 3, 4, 2


def t(x):
    return paddle.to_tensor(np.asarray(x))


def gates(count=S):
    x = RANDOM.uniform(0.1, 1.0, (count, E)).astype("float32")
    return x / x.sum(-1, keepdims=True)


def choices_of(scores):
    return np.argsort(-scores, -1, kind="stable")[:, :K]


def sent(x, scores, bias, capacity, padded):
    """Rows, weights, rows of choices, and ends, one choice after the other."""
    chosen = choices_of(scores if bias is None else scores + bias)
    order = [(s, k) for k in range(K) for s in range(len(x))]
    order = order if padded else [(s, k) for s in range(len(x)) for k in range(K)]
    queues = {e: [(s, k) for s, k in order if chosen[s, k] == e] for e in range(E)}
    rows = np.zeros((E * capacity if padded else len(x) * K, D), "float32")
    weights, index = np.zeros((len(x), K), "float32"), np.zeros((K, len(x)), int)
    start = 0
    for e, queue in queues.items():
        for place, (s, k) in enumerate(queue[:capacity]):
            row = (e * capacity if padded else start) + place
            rows[row], weights[s, k], index[k, s] = x[s], scores[s, e], row
        start += len(queue)
    return rows, weights, index, np.cumsum([len(q) for q in queues.values()]), chosen


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("capacity", [0, 1, 3, 9])
@pytest.mark.parametrize("biased", [False, True])
def test_tokens_go_to_the_experts_of_their_gates(padded, capacity, biased):
    x, scores = RANDOM.standard_normal((S, D)).astype("float32"), gates()
    bias = RANDOM.uniform(0, 1, E).astype("float32") if biased else None
    given = t(x), t(scores), None if bias is None else t(bias)
    found = F.moe_gate_dispatch(*given, K, capacity, padded)
    wanted = sent(x, scores, bias, capacity, padded)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)
    assert [o.dtype.name for o in found[1:]] == ["float32", "int32", "int64", "int32"]


@pytest.mark.parametrize("world", [1, 2, 4])
def test_permuted_rows_begin_with_the_first_expert_of_each_rank(world):
    x, scores = t(RANDOM.standard_normal((S, D)).astype("float32")), t(gates())
    found = F.moe_gate_dispatch_permute(x, scores, None, K, 3, world)
    wanted = F.moe_gate_dispatch(x, scores, None, K, 3, True)
    stages = wanted[0].reshape([world, E // world, 3, D])
    for rank in range(world):
        for local in range(E // world):
            assert found[0][local, rank].tolist() == stages[rank, local].tolist()
    for one, other in zip(found[1:], wanted[1:], strict=True):
        assert one.tolist() == other.tolist()


@pytest.mark.parametrize("bounds", [(0, 4), (1, 3), (2, 2)])
@pytest.mark.parametrize("capacity", [1, 2, 9])
@pytest.mark.parametrize("padded, backwards", [(False, False), (False, True), (True, False)])
def test_a_range_of_experts_gets_its_tokens(bounds, capacity, padded, backwards):
    x, scores = RANDOM.standard_normal((S, D)).astype("float32"), gates()
    chosen = choices_of(scores)
    weights = np.take_along_axis(scores, chosen, 1)
    found = F.moe_gate_dispatch_partial_nosoftmaxtopk(
        t(x), t(weights), t(chosen.astype("int32")), K, capacity, E, padded, *bounds, backwards
    )
    rows, kept_weights, index = [], np.zeros_like(weights), np.zeros((K, S), int)
    numbers = np.zeros(E, int)
    for e in range(*bounds):
        queue = [(s, k) for k in range(K) for s in range(S) if chosen[s, k] == e]
        numbers[e] = len(queue)
        queue = queue[max(len(queue) - capacity, 0) :] if backwards else queue[:capacity]
        numbers[e] = numbers[e] if padded else len(queue)
        for s, k in sorted(queue):
            kept_weights[s, k], index[k, s] = weights[s, k], len(rows)
            rows.append(s)
        rows += [S] * (capacity - len(queue)) if padded else []
    with_none = np.concatenate([x, np.zeros((1, D), "float32")])
    counts = np.bincount(chosen.ravel(), minlength=E)
    wanted = with_none[np.array(rows, int)], kept_weights, index, rows, counts, numbers
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, np.asarray(other).reshape(one.shape), rtol=1e-6)


def test_what_is_sent_and_combined_is_weighted_by_the_gates():
    x, scores = t(RANDOM.standard_normal((S, D)).astype("float32")), t(gates())
    x.stop_gradient = scores.stop_gradient = False
    rows, weights, index, *_ = F.moe_gate_dispatch(x, scores, None, K, S, True)
    out = F.moe_combine(rows * 2.0, weights, index.T)
    wanted = x * 2.0 * weights.sum(-1, keepdim=True)
    np.testing.assert_allclose(out, wanted, rtol=1e-5)
    out.sum().backward()
    for given in (x, scores):
        assert given.grad.abs().sum().item() > 0
    chosen = np.zeros((S, E), bool)
    np.put_along_axis(chosen, choices_of(scores.numpy()), True, 1)
    slope = np.where(chosen, 2.0 * x.numpy().sum(-1, keepdims=True), 0.0)
    np.testing.assert_allclose(scores.grad, slope, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_rows_are_combined_by_their_weights(dtype):
    x, weights = RANDOM.standard_normal((5, D)), RANDOM.standard_normal((S, K))
    index = RANDOM.integers(0, 5, (S, K))
    given = t(x).astype(dtype), t(weights).astype("float32")
    found = F.moe_combine(*given, t(index.astype("int32")))
    assert found.dtype == given[0].dtype
    wanted = (x[index] * weights[..., None]).sum(1)
    np.testing.assert_allclose(found.astype("float32"), wanted, rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("masked", ["none", "tokens", "all", "longer"])
@pytest.mark.parametrize("grouped", [False, True])
def test_the_loss_of_gates_is_that_of_the_formula(whole, masked, grouped):
    scores = gates()
    sends = RANDOM.integers(0, 2, (S, E))
    tokens = RANDOM.integers(0, 2, S).astype("float32") if masked != "none" else None
    every = {"all": np.ones(S, bool), "longer": np.arange(2 * S) < 11}.get(masked)
    found = F.cal_aux_loss(
        *(t(scores), t(sends if whole else sends.sum(0))),
        *(None if m is None else t(m) for m in (tokens, every)),
        *(E, grouped, K, 1e-6),
    )
    length = S if masked == "none" else tokens.sum() if every is None else every.sum()
    share = sends.sum(0) / length
    loss = E * (share * scores.sum(0) / length).sum() / (K if grouped else 1)
    loss *= length / tokens.sum() if masked == "longer" else 1
    for one, other in zip(found, (loss, length, share), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def test_the_gradient_of_the_loss_is_that_of_the_own_tokens():
    scores, sends = t(gates()), t(RANDOM.integers(0, 2, (S, E)))
    scores.stop_gradient = False
    masks = paddle.ones([S]), paddle.ones([2 * S], "bool")
    loss, length, share = F.cal_aux_loss(scores, sends, *masks, E, False, K, 1e-6)
    loss.backward()
    wanted = np.broadcast_to((share * E / length).numpy(), (S, E))
    np.testing.assert_allclose(scores.grad, wanted, rtol=1e-5)


@pytest.mark.parametrize("counts", [[2, 0, 1, 3], [0, 0], [1], [0, 0, 0, 5]])
@pytest.mark.parametrize("local", [1, 2])
def test_ranks_and_experts_are_repeated_for_their_tokens(counts, local):
    found = F.build_src_rank_and_local_expert_id(t(counts), counts, local)
    experts = np.repeat(np.arange(len(counts)), counts)
    assert found[0].tolist() == (experts // local).tolist()
    assert found[1].tolist() == (experts % local).tolist()
    assert found[0].dtype == found[1].dtype == paddle.int32


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("number", [0, 3])
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_experts_of_two_modalities_are_numbered(grouped, number, dtype):
    ids = RANDOM.integers(0, 6, (S, K)).astype(dtype)
    found = F.expand_modality_expert_id(t(ids), number, 6, 1, grouped)
    wanted = ids + np.arange(K) * 6 * grouped
    if number:
        wanted = wanted // number * 2 * number + wanted % number + number
    assert found.tolist() == wanted.tolist() and found.dtype.name == dtype


def test_a_converted_range_has_rows_of_any_number():
    x, weights = t(np.ones((S, D), "float32")), t(np.ones((S, K), "float32"))

    @paddle.jit.to_static
    def send(x, weights, ids):
        return F.moe_gate_dispatch_partial_nosoftmaxtopk(
            x, weights, ids, K, 9, E, False, 0, 2, False
        )[0]

    for _ in range(3):
        ids = choices_of(gates()).astype("int32")
        assert send(x, weights, t(ids)).shape == [int((ids < 2).sum()), D]


@pytest.mark.parametrize("count", [0, 1])
def test_few_tokens_are_sent(count):
    x, scores = t(np.ones((count, D), "float32")), t(gates(count))
    assert F.moe_gate_dispatch(x, scores, None, K, 2, True)[0].shape == [E * 2, D]
    assert F.moe_gate_dispatch(x, scores, None, K, 2, False)[0].shape == [count * K, D]


def test_what_does_not_fit_is_told():
    x, scores = t(np.ones((S, D), "float32")), t(gates())
    with pytest.raises(ArgumentError, match="k must be from 1 to 4"):
        F.moe_gate_dispatch(x, scores, None, 5, 2, True)
    with pytest.raises(ShapeError, match="as many rows"):
        F.moe_gate_dispatch(x[1:], scores, None, K, 2, True)
    with pytest.raises(ShapeError, match="corr_bias must be"):
        F.moe_gate_dispatch(x, scores, paddle.ones([1]), K, 2, True)
    with pytest.raises(DTypeError, match="must be floating"):
        F.moe_gate_dispatch(x, scores.astype("int32"), None, K, 2, True)
    with pytest.raises(ArgumentError, match="must divide 4 experts"):
        F.moe_gate_dispatch_permute(x, scores, None, K, 2, 3)
    with pytest.raises(ShapeError, match="scatter_index must be"):
        F.moe_combine(x, paddle.ones([S, K]), paddle.ones([K, S], "int32"))
    with pytest.raises(ArgumentError, match="must be within 4 experts"):
        ids = paddle.zeros([S, K], "int32")
        F.moe_gate_dispatch_partial_nosoftmaxtopk(
            x, paddle.ones([S, K]), ids, K, 2, E, False, 0, 5, False
        )
    with pytest.raises(ShapeError, match="must be \\[2\\]"):
        F.build_src_rank_and_local_expert_id(t([1, 2, 3]), [1, 2], 1)
    with pytest.raises(DTypeError, match="must be integers"):
        F.expand_modality_expert_id(scores, 2, 1, 0, False)
