"""Functions of padded sequences do to each what a plain loop over the sequences does."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, static
from twinoar.errors import (
    ArgumentError,
    DTypeError,
    ShapeError,
    TwinoarError,
    TypeMismatchError,
    UnsupportedError,
)

nn = static.nn
BATCH, TIME, WIDTH = 4, 5, 3
LENGTHS = np.array([3, 5, 0, 1])
random = np.random.default_rng(3)
X = random.standard_normal((BATCH, TIME, WIDTH)).astype("float32")
Y = random.standard_normal((BATCH, 2, WIDTH)).astype("float32")
OTHER = np.array([1, 0, 2, 2])
IDS = random.integers(1, 9, (BATCH, TIME))


def sequences(x, lengths=LENGTHS):
    """The steps of each sequence alone."""
    return [x[i, :n] for i, n in enumerate(lengths)]


def padded(parts, time, value=0.0):
    out = np.full((len(parts), time, *parts[0].shape[1:]), value, parts[0].dtype)
    for i, part in enumerate(parts):
        out[i, : len(part)] = part
    return out


def pooled(reduce, x=X, empty=0.0):
    return np.stack([reduce(s) if len(s) else np.full(x.shape[2:], empty) for s in sequences(x)])


def softmax(s):
    e = np.exp(s - s.max(0)) if len(s) else s
    return e / e.sum(0)


# name: (the layer of (x, y, ids, lengths, others), what the loop gives)
CASES = {
    "average": (
        lambda x, y, ids, n, m: nn.sequence_pool(x, "average", lengths=n),
        lambda: pooled(lambda s: s.mean(0)),
    ),
    "sum": (
        lambda x, y, ids, n, m: nn.sequence_pool(x, "SUM", lengths=n),
        lambda: pooled(lambda s: s.sum(0)),
    ),
    "sqrt": (
        lambda x, y, ids, n, m: nn.sequence_pool(x, "sqrt", lengths=n),
        lambda: pooled(lambda s: s.sum(0) / np.sqrt(len(s))),
    ),
    "max with a value for no steps": (
        lambda x, y, ids, n, m: nn.sequence_pool(x, "max", False, -7.0, lengths=n),
        lambda: pooled(lambda s: s.max(0), empty=-7.0),
    ),
    "first": (
        lambda x, y, ids, n, m: nn.sequence_first_step(x, lengths=n),
        lambda: pooled(lambda s: s[0]),
    ),
    "last": (
        lambda x, y, ids, n, m: nn.sequence_last_step(x, lengths=n),
        lambda: pooled(lambda s: s[-1]),
    ),
    "softmax": (
        lambda x, y, ids, n, m: nn.sequence_softmax(x[:, :, 0], lengths=n),
        lambda: padded([softmax(s) for s in sequences(X[:, :, 0])], TIME),
    ),
    "softmax of steps of width 1": (
        lambda x, y, ids, n, m: nn.sequence_softmax(x[:, :, 1:2], lengths=n),
        lambda: padded([softmax(s) for s in sequences(X[:, :, 1:2])], TIME),
    ),
    "concat": (
        lambda x, y, ids, n, m: nn.sequence_concat([x, y, x], lengths=[n, m, n])[0],
        lambda: padded(
            [
                np.concatenate([a, b, a])
                for a, b in zip(sequences(X), sequences(Y, OTHER), strict=True)
            ],
            2 * TIME + 2,
        ),
    ),
    "lengths of concat": (
        lambda x, y, ids, n, m: nn.sequence_concat([x, y], lengths=[n, m])[1],
        lambda: LENGTHS + OTHER,
    ),
    "slice": (
        lambda x, y, ids, n, m: nn.sequence_slice(x, m, 2 - m.astype("int32")),
        lambda: padded([x[o : o + 2 - o] for x, o in zip(X, OTHER, strict=True)], TIME),
    ),
    "expand": (
        lambda x, y, ids, n, m: nn.sequence_expand(y, x, lengths=n),
        lambda: np.repeat(Y, LENGTHS, 0),
    ),
    "expand_as": (
        lambda x, y, ids, n, m: nn.sequence_expand_as(y[:, 0], x, lengths=n),
        lambda: padded(
            [np.repeat(a[:1], k, 0) for a, k in zip(Y, LENGTHS, strict=True)], TIME
        ),
    ),
    "pad": (
        lambda x, y, ids, n, m: nn.sequence_pad(x, 9.0, lengths=n)[0],
        lambda: padded(sequences(X), TIME, 9.0),
    ),
    "pad to more steps": (
        lambda x, y, ids, n, m: nn.sequence_pad(x, 9.0, 7, lengths=n)[0],
        lambda: padded(sequences(X), 7, 9.0),
    ),
    "pad with a step": (
        lambda x, y, ids, n, m: nn.sequence_pad(x, y[0, 0], lengths=n)[0],
        lambda: np.where(np.arange(TIME)[:, None] < LENGTHS[:, None, None], X, Y[0, 0]),
    ),
    "unpad": (
        lambda x, y, ids, n, m: nn.sequence_unpad(x, n.reshape([-1, 1])),
        lambda: padded(sequences(X), TIME),
    ),
    "reshape": (
        lambda x, y, ids, n, m: nn.sequence_reshape(x, 1, lengths=n)[0][:, :3],
        lambda: X[:, 0, :, None],
    ),
    "lengths of reshape": (
        lambda x, y, ids, n, m: nn.sequence_reshape(x, 1, lengths=n)[1],
        lambda: LENGTHS * WIDTH,
    ),
    "enumerate": (
        lambda x, y, ids, n, m: nn.sequence_enumerate(ids, 3, 99, lengths=n),
        lambda: np.stack(
            [
                [[s[t + w] if t + w < len(s) else 99 for w in range(3)] for t in range(TIME)]
                for s in sequences(IDS)
            ]
        ),
    ),
    "reverse": (
        lambda x, y, ids, n, m: nn.sequence_reverse(x, lengths=n),
        lambda: np.stack(
            [np.concatenate([x[:n][::-1], x[n:]]) for x, n in zip(X, LENGTHS, strict=True)]
        ),
    ),
}  # fmt: skip


@pytest.fixture
def programs():
    main, startup = static.Program(), static.Program()
    scope = static.scope_guard(static.Scope())
    with paddle.utils.unique_name.guard(), scope, static.program_guard(main, startup):
        yield main, startup


def inputs(batch=None):
    return [
        static.data("x", [batch, TIME, WIDTH]),
        static.data("y", [batch, 2, WIDTH]),
        static.data("ids", [batch, TIME], "int64"),
        static.data("lengths", [batch], "int64"),
        static.data("other", [batch], "int64"),
    ]


FEED = {"x": X, "y": Y, "ids": IDS, "lengths": LENGTHS, "other": OTHER}


def run(main, fetch, startup=None):
    executor = static.Executor()
    if startup is not None:
        executor.run(startup)
    return executor.run(main, feed=FEED, fetch_list=fetch)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("name", CASES)
def test_what_a_loop_over_the_sequences_gives(programs, name, backend):
    layer, loop = CASES[name]
    out = layer(*inputs(BATCH))
    with config.override(backend=backend):
        (found,) = run(programs[0], [out])
    assert found.shape == loop().shape
    np.testing.assert_allclose(found, loop(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", CASES)
def test_padding_decides_nothing_and_gets_no_gradient(programs, name):
    x, *rest = inputs(BATCH)
    x.stop_gradient = False
    out = CASES[name][0](x, *rest)
    if name in ("reverse", "slice", "reshape") or not out.dtype.is_floating:
        return  # the first leaves padding in place, the others look at whole batches
    (gradient,) = static.gradients([paddle.sum(out * out)], [x])
    if gradient is None:
        return
    (slope,) = run(programs[0], [gradient])
    for s, n in zip(slope, LENGTHS, strict=True):
        assert not s[n:].any()


@pytest.mark.parametrize("name", CASES)
def test_a_file_gives_what_the_program_gives(programs, name, tmp_path):
    given = inputs()
    out = CASES[name][0](*given)
    (expected,) = run(programs[0], [out])
    static.save_inference_model(tmp_path / "net", given, [out], program=programs[0])
    program, names, fetches = static.load_inference_model(tmp_path / "net")
    (found,) = static.Executor().run(program, {n: FEED[n] for n in names}, fetches)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def scattered():
    out = np.zeros((BATCH, 10), "float32")
    for row, (ids, n) in enumerate(zip(IDS, LENGTHS, strict=True)):
        for t in range(n):
            out[row, ids[t]] += X[row, t, 0]
    return out


def test_scatter_adds_the_updates_of_each_sequence(programs):
    x, _, ids, n, _ = inputs()
    target = paddle.zeros([BATCH, 10])
    out = nn.sequence_scatter(target, ids, x[:, :, 0], lengths=n)
    np.testing.assert_allclose(run(programs[0], [out])[0], scattered(), rtol=1e-6)


def convolved(weight, bias, size, start):
    out = np.zeros((BATCH, TIME, weight.shape[1]), "float32")
    for row, s in enumerate(sequences(X)):
        for t in range(len(s)):
            seen = [
                s[t + start + k] if 0 <= t + start + k < len(s) else np.zeros(WIDTH)
                for k in range(size)
            ]
            out[row, t] = np.tanh(np.concatenate(seen) @ weight + bias)
    return out


@pytest.mark.parametrize(("size", "start"), [(3, None), (2, None), (4, -1), (1, 0), (2, 1)])
def test_convolution_sees_zeros_outside_of_a_sequence(programs, size, start):
    main, startup = programs
    x, _, _, n, _ = inputs()
    out = nn.sequence_conv(x, 4, size, padding_start=start, act="tanh", lengths=n, name="conv")
    test = main.clone(for_test=True)
    paddle.optimizer.SGD(0.1).minimize(paddle.mean(out))
    run(main, [out], startup)
    state = main.state_dict()
    assert state["conv.b_0"].any()
    first = -(size // 2) if start is None else start
    expected = convolved(state["conv.w_0"], state["conv.b_0"], size, first)
    np.testing.assert_allclose(run(test, [out.name])[0], expected, rtol=1e-5, atol=1e-6)


def test_without_lengths_all_steps_count(programs):
    x, y, *_ = inputs()
    outs = [
        nn.sequence_pool(x, "average"),
        nn.sequence_pool(x, "sqrt"),
        nn.sequence_last_step(x),
        nn.sequence_reverse(x),
        nn.sequence_concat([x, y]),
        nn.sequence_softmax(x[:, :, 0]),
        nn.sequence_expand_as(y[:, 0], x),
        nn.sequence_expand(y, x),
        nn.sequence_reshape(x, 5),
        nn.sequence_pad(x, 0.0)[1],
    ]
    found = run(programs[0], outs)
    expected = [
        X.mean(1),
        X.sum(1) / np.sqrt(TIME),
        X[:, -1],
        X[:, ::-1],
        np.concatenate([X, Y], 1),
        np.stack([softmax(s) for s in X[:, :, 0]]),
        np.repeat(Y[:, :1], TIME, 1),
        np.repeat(Y, TIME, 0),
        X.reshape(BATCH, 3, 5),
        np.full(BATCH, TIME),
    ]
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_a_length_above_the_time_is_the_time(programs):
    x, *_ = inputs(BATCH)
    lengths = paddle.full([BATCH, 1], 9, "int64")
    outs = [
        nn.sequence_pool(x, "average", lengths=lengths),
        nn.sequence_reverse(x, lengths=lengths),
    ]
    found = run(programs[0], outs)
    np.testing.assert_allclose(found[0], X.mean(1), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(found[1], X[:, ::-1])


def test_sequences_of_any_time_and_batch(programs):
    x, n = static.data("x", [None, None, WIDTH]), static.data("lengths", [None], "int64")
    outs = [
        nn.sequence_pool(x, "average", lengths=n),
        nn.sequence_reverse(x, lengths=n),
        nn.sequence_concat([x, x], lengths=[n, n])[0],
        nn.sequence_pad(x, 9.0, 7, lengths=n)[0],
        nn.sequence_expand_as(x[:, 0], x, lengths=n),
    ]
    found = static.Executor().run(programs[0], {"x": X, "lengths": LENGTHS}, outs)
    expected = [
        pooled(lambda s: s.mean(0)),
        CASES["reverse"][1](),
        padded([np.concatenate([s, s]) for s in sequences(X)], 2 * TIME),
        padded(sequences(X), 7, 9.0),
        padded([np.repeat(a[:1], k, 0) for a, k in zip(X, LENGTHS, strict=True)], TIME),
    ]
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_sequences_work_eagerly_too():
    x, n = paddle.to_tensor(X), paddle.to_tensor(LENGTHS)
    found = nn.sequence_pool(x, "average", lengths=n).numpy()
    np.testing.assert_allclose(found, pooled(lambda s: s.mean(0)), rtol=1e-5, atol=1e-6)


def test_a_sequence_longer_than_maxlen_is_refused_when_it_comes(programs):
    x, _, _, n, _ = inputs()
    out, _ = nn.sequence_pad(x, 0.0, 4, lengths=n)
    with pytest.raises(ValueError, match="more than maxlen=4"):
        run(programs[0], [out])


WRONG = {
    "pool": (lambda x, ids, n: nn.sequence_pool(x, "mean"), ArgumentError, "average"),
    "no Variable": (lambda x, ids, n: nn.sequence_pool(X, "sum"), TypeMismatchError, "ndarray"),
    "no time": (lambda x, ids, n: nn.sequence_reverse(n), ShapeError, "[batch, time"),
    "lengths of another batch": (
        lambda x, ids, n: nn.sequence_pool(x, "sum", lengths=n[:3]),
        ShapeError,
        "lengths must be [4]",
    ),
    "lengths that are no integers": (
        lambda x, ids, n: nn.sequence_pool(x, "sum", lengths=x[:, 0, 0]), DTypeError, "integers",
    ),
    "stride": (
        lambda x, ids, n: nn.sequence_conv(x, 2, filter_stride=2), UnsupportedError, "one step",
    ),
    "activation": (lambda x, ids, n: nn.sequence_conv(x, 2, act="rellu"), ArgumentError, "rellu"),
    "steps": (lambda x, ids, n: nn.sequence_reshape(x, 4), ShapeError, "divides time * width"),
    "one tensor": (lambda x, ids, n: nn.sequence_concat(x), TypeMismatchError, "list"),
    "too few lengths": (
        lambda x, ids, n: nn.sequence_concat([x, x], lengths=[n]), ArgumentError, "as many",
    ),
    "windows of floats": (lambda x, ids, n: nn.sequence_enumerate(x, 2), DTypeError, "integers"),
    "window": (lambda x, ids, n: nn.sequence_enumerate(ids, 0), ArgumentError, "positive"),
    "maxlen": (lambda x, ids, n: nn.sequence_pad(x, 0.0, 4), ArgumentError, "maxlen is 4"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_sequences_are_refused(programs, name):
    call, error, text = WRONG[name]
    x, _, ids, n, _ = inputs(BATCH)
    with pytest.raises(TwinoarError) as raised:
        call(x, ids, n)
    assert type(raised.value) is error
    assert text in str(raised.value)
