"""Floats of 8 bits: tensors hold them, operators move and convert them, and none computes."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, jit, static
from twinoar.core.dtype import ALL, FLOAT8, dtype_of
from twinoar.core.op.definition import registry
from twinoar.errors import DTypeError, UnsupportedError
from twinoar.testing.sample import samples_of

NAMES = [d.name for d in FLOAT8]
MOVES = [name for name, op in sorted(registry.items()) if op.rules.get("moves")]
MAKES = ["cast", "copy_to", "fill", "fill_like", "numel", "print", "shape", "view_dtype"]


def every(name: str) -> np.ndarray:
    """All 256 of them."""
    return np.arange(256, dtype=np.uint8).view(dtype_of(name).numpy)


def nearest(x: np.ndarray, name: str) -> np.ndarray:
    """By a search among all: the nearest, of two the even one, at most the largest."""
    known = every(name).astype(np.float64)[:128]
    known = known[np.isfinite(known)]
    size = np.minimum(np.abs(x.astype(np.float64)), known[-1])
    high = np.searchsorted(known, size).clip(1, len(known) - 1)
    low = high - 1
    below, above = size - known[low], known[high] - size
    chosen = np.where((above < below) | ((above == below) & (high % 2 == 0)), high, low)
    return np.where(np.isnan(x), np.nan, np.copysign(known[chosen], x)).astype(np.float32)


def numbers(name: str) -> np.ndarray:
    """Each number, what lies half way between two, what lies beside that, and ends."""
    known = np.sort(every(name).astype(np.float64)[:128])
    known = known[np.isfinite(known)]
    half = (known[1:] + known[:-1]) / 2
    beside = [np.nextafter(half.astype("f4"), np.float32(to)) for to in (0, np.inf)]
    ends = [known[-1] * 1.01, 1e9, np.inf, np.nan, 1e-30, 0.0]
    found = np.concatenate([known, half, *beside, ends])
    return np.concatenate([found, -found])


@pytest.mark.parametrize("name", NAMES)
def test_it_is_a_dtype_by_its_names(name):
    dtype = getattr(paddle, name)
    assert dtype in (name, f"paddle.{name}")
    assert dtype == getattr(ml_dtypes, name)
    assert (dtype.is_stored, dtype.itemsize) == (True, 1)
    assert not (dtype.is_floating or dtype.is_integer or dtype.is_differentiable)
    assert pickle.loads(pickle.dumps(dtype)) is copy.deepcopy(dtype) is dtype


@pytest.mark.parametrize(
    ("name", "largest", "eps", "tiny"),
    [("float8_e4m3fn", 448, 0.125, 2.0**-6), ("float8_e5m2", 57344, 0.25, 2.0**-14)],
)
def test_it_has_limits(name, largest, eps, tiny):
    found = paddle.finfo(name)
    assert (found.max, found.min, found.eps) == (largest, -largest, eps)
    assert (found.smallest_normal, found.bits) == (tiny, 8)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("source", ["float32", "float64"])
@pytest.mark.parametrize("name", NAMES)
def test_numbers_become_the_nearest(name, source, backend, monkeypatch):
    monkeypatch.setattr(config, "backend", backend)
    x = paddle.to_tensor(numbers(name).astype(source))
    wanted = nearest(x.numpy(), name)
    cast = jit.to_static(lambda x: (x.astype(name), x.astype(name).astype("float32")))
    for stored, wide in (cast(x), (x.astype(name), x.astype(name).astype("float32"))):
        assert stored.dtype == name
        np.testing.assert_array_equal(wide.numpy(), wanted)
        np.testing.assert_array_equal(stored.numpy().astype("float32"), wanted)
        assert not np.signbit(wide.numpy()[0])
        assert np.signbit(wide.numpy()[len(wanted) // 2]), "-0.0 keeps its sign"


@pytest.mark.parametrize("target", [d.name for d in ALL])
@pytest.mark.parametrize("name", NAMES)
def test_each_number_is_converted_as_its_float32(name, target):
    x = paddle.to_tensor(every(name))
    wanted = paddle.to_tensor(every(name).astype("float32")).astype(target).numpy()
    for found in (x.astype(target), jit.to_static(lambda x: x.astype(target))(x)):
        assert found.dtype == target
        np.testing.assert_array_equal(found.numpy().astype("c16"), wanted.astype("c16"))


@pytest.mark.parametrize("source", ["bool", "int32", "int64", "float16", "bfloat16"])
@pytest.mark.parametrize("name", NAMES)
def test_other_types_are_converted(name, source):
    x = paddle.to_tensor(np.array([0, 1, 17, 449, 61440, 60000])).astype(source)
    wanted = nearest(x.astype("float32").numpy(), name)
    for found in (x.astype(name), jit.to_static(lambda x: x.astype(name))(x)):
        np.testing.assert_array_equal(found.astype("float32").numpy(), wanted)


def written(x, value):
    x[:] = value
    return x


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "make",
    [
        lambda d: paddle.full([2], 1e9, d),
        lambda d: paddle.to_tensor([1e9, 1e9], dtype=d),
        lambda d: paddle.full_like(paddle.ones([2]), 1e9, d),
        lambda d: jit.to_static(lambda: paddle.full([2], 1e9, d))(),
        lambda d: paddle.zeros([2], d).fill_(1e9),
        lambda d: written(paddle.zeros([2], d), 1e9),
        lambda d: paddle.nn.functional.pad(paddle.zeros([0], d), [0, 2], value=1e9),
    ],
    ids=["full", "to_tensor", "full_like", "to_static", "fill_", "setitem", "pad"],
)
def test_what_is_made_of_numbers_ends_at_the_largest(name, make):
    found = make(name)
    assert found.dtype == name
    assert found.tolist() == [paddle.finfo(name).max] * 2


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("name", [m for m in MOVES if m not in MAKES])
def test_what_moves_elements_takes_it(name, backend, monkeypatch):
    """The calls of samples give what float32 gives, which holds the same numbers."""
    monkeypatch.setattr(config, "backend", backend)
    op, random, ran = registry[name], np.random.default_rng(0), 0
    for sample in samples_of(op):
        floats = [isinstance(a, np.ndarray) and a.dtype == np.float32 for a in sample.args]
        if sample.error or not any(floats):
            continue
        small = [
            random.integers(0, 120, a.shape).astype(np.int8).view(FLOAT8[0].numpy) if f else a
            for a, f in zip(sample.args, floats, strict=True)
        ]
        wide = [a.astype("f4") if f else a for a, f in zip(small, floats, strict=True)]
        try:
            found = called(op, small, sample.kwargs)
        except UnsupportedError as error:
            assert "have no type in common" in str(error)
            continue
        ran += 1
        wanted = called(op, wide, sample.kwargs)
        for a, b in zip(found, wanted, strict=True):
            assert (a.dtype == FLOAT8[0]) == (b.dtype == np.float32)
            np.testing.assert_array_equal(a.astype(b.dtype), b)
    takes_none = (
        "concat", "constant", "distributed_lookup_table", "listen_and_serv", "receive_from",
        "receive_parameter", "send_barrier", "stack",
    )  # fmt: skip
    assert ran or name in takes_none, "which take no array, or a list"


def called(op, args, kwargs):
    """What a call gives, in a compiled Program as in eager mode."""
    tensors = [paddle.to_tensor(a) for a in args if isinstance(a, np.ndarray)]

    def call(*tensors):
        left = iter(tensors)
        given = [next(left) if isinstance(a, np.ndarray) else a for a in args]
        found = op(*given, **kwargs)
        return list(found) if isinstance(found, (list, tuple)) else [found]

    eager = [t.numpy() for t in call(*tensors)]
    for a, t in zip(eager, jit.to_static(call)(*tensors), strict=True):
        np.testing.assert_array_equal(a.astype("f8"), t.numpy().astype("f8"))
    return eager


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x + x,
        lambda x: x * 2,
        lambda x: 2 - x,
        lambda x: -x,
        lambda x: x == x,
        lambda x: x @ x,
        lambda x: x.sum(),
        lambda x: x.max(),
        lambda x: paddle.exp(x),
        lambda x: paddle.sort(x),
        lambda x: paddle.unique(x),
        lambda x: paddle.isnan(x),
        lambda x: paddle.allclose(x, x),
        lambda x: paddle.nn.functional.relu(x),
        lambda x: paddle.nn.functional.softmax(x),
        lambda x: paddle.concat([x, x.astype("float32")]),
        lambda x: paddle.where(x.astype("bool"), x, 0.0),
        lambda x: x.astype("float32").sum(dtype=x.dtype),
        lambda x: x.astype("float32") + x,
    ],
)
def test_no_operator_computes(call):
    x = paddle.to_tensor([[1.0, -2.0], [3.0, 4.0]], dtype="float8_e4m3fn")
    for way in (call, jit.to_static(call)):
        with pytest.raises(UnsupportedError, match=r"only store") as caught:
            way(x)
        assert 'x.astype("float32")' in str(caught.value)


def test_what_a_loaded_program_gives_is_watched(tmp_path):
    """Nothing of the process that runs it has named the type."""
    path = tmp_path / "net"
    spec = [static.InputSpec([2], "float32", "x")]
    jit.save(jit.to_static(lambda x: x.astype("float8_e5m2"), input_spec=spec), str(path))
    code = (
        "import sys, twinoar; found = twinoar.jit.load(sys.argv[1])(twinoar.to_tensor([1.1, 3.0]));"
        "print(found.tolist()); found + found"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False
    )
    assert ran.stdout == "[1.0, 3.0]\n"
    assert "add does not compute with float8_e5m2" in ran.stderr


def test_eager_calls_are_not_watched_before_the_type_is_asked_for():
    code = "import twinoar.core.observer as o; print(o.EVERYWHERE)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_a_gradient_ends_where_it_is_made():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    assert x.astype("float8_e4m3fn").stop_gradient
    (x.astype("float8_e4m3fn").astype("float32") + x).sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_lists_of_it_are_moved():
    x = paddle.to_tensor(every("float8_e5m2")[:6])
    for call in (paddle.concat, paddle.stack):
        for found in (call([x, x]), jit.to_static(lambda x, call=call: call([x, x]))(x)):
            wide = call([x.astype("float32")] * 2)
            np.testing.assert_array_equal(found.astype("float32").numpy(), wide.numpy())


def test_it_is_shown_as_numbers():
    x = paddle.to_tensor([1.0, 300.0], dtype="float8_e4m3fn")
    assert "dtype=float8_e4m3fn" in repr(x)
    assert "288." in repr(x)
    assert (x[0].item(), x.element_size(), x.is_floating_point()) == (1.0, 1, False)


def test_a_program_holds_it_as_a_constant(tmp_path):
    weight = paddle.to_tensor(every("float8_e4m3fn").reshape(16, 16)[:, :15])

    def scaled(x):
        return x @ weight.astype("float32")

    traced = jit.to_static(scaled, input_spec=[static.InputSpec([None, 16], "float32", "x")])
    x = paddle.to_tensor(np.random.default_rng(0).normal(size=(3, 16)).astype("float32"))
    wanted = scaled(x).numpy()
    np.testing.assert_allclose(traced(x).numpy(), wanted, rtol=1e-5)
    jit.save(traced, str(tmp_path / "net"))
    np.testing.assert_allclose(jit.load(str(tmp_path / "net"))(x).numpy(), wanted, rtol=1e-5)


def test_it_has_no_form_in_pickled_parameters(tmp_path):
    with pytest.raises(DTypeError, match="cannot hold elements of type float8_e4m3fn"):
        paddle.save({"x": paddle.ones([2], "float8_e4m3fn")}, str(tmp_path / "x.pdparams"))


def test_it_is_no_default():
    with pytest.raises(DTypeError, match="must be floating"):
        paddle.set_default_dtype("float8_e4m3fn")
