"""Products, layouts, commands and the loading of oneDNN, against NumPy."""

import ctypes
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from tests.backends.onednn_calls import executed, memory, packed, run, unpacked
from tests.threads import in_threads
from twinoar.backends.onednn import (
    Binary,
    Command,
    CommandArguments,
    Eltwise,
    Layout,
    Sum,
    available,
    execute_address,
    library,
    matmul,
    new_stream,
    reorder,
    unavailable_reason,
)
from twinoar.core.dtype import dtype_of, float32
from twinoar.errors import ArgumentError, DTypeError, ProgramError, UnsupportedError

needs_library = pytest.mark.skipif(not available(), reason=str(unavailable_reason()))

random = np.random.default_rng(0)


def normal(*shape, dtype="float32"):
    return random.standard_normal(shape).astype(dtype_of(dtype).numpy)


def rows(*dims, dtype="float32"):
    return Layout.row_major(dims, dtype_of(dtype))


def close(found, expected):
    """Sums of up to a thousand float32 terms, in another order."""
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())


PRODUCTS = {
    "matrix": ((64, 784), (784, 128)),
    "row": ((1, 5), (5, 7)),
    "batch": ((3, 4, 5), (3, 5, 6)),
    "broadcast": ((2, 3, 4, 5), (1, 1, 5, 6)),
    "both broadcast": ((2, 1, 4, 5), (1, 3, 5, 6)),
}


@needs_library
@pytest.mark.parametrize("weights", [Layout.row_major, Layout.any])
@pytest.mark.parametrize("name", PRODUCTS)
def test_matmul_is_the_product(name, weights):
    x, y = (normal(*dims) for dims in PRODUCTS[name])
    expected = x @ y
    primitive = matmul(rows(*x.shape), weights(y.shape, float32), rows(*expected.shape))
    (found,) = run(primitive, "dst", src=x, weights=y)
    close(found, expected)


@needs_library
@pytest.mark.parametrize("of_x", [False, True])
@pytest.mark.parametrize("of_y", [False, True])
def test_a_transposed_operand_is_one_with_other_strides(of_x, of_y):
    x = normal(32, 16).T if of_x else normal(16, 32)
    y = normal(8, 32).T if of_y else normal(32, 8)
    dst = np.empty((16, 8), np.float32)
    primitive = matmul(Layout.of(x), Layout.of(y), Layout.of(dst))
    executed(primitive, {"src": x, "weights": y, "dst": dst})
    close(dst, x @ y)


@needs_library
def test_matmul_reads_and_writes_the_heads_of_attention_where_they_lie():
    q, k = normal(2, 16, 4, 8), normal(2, 16, 4, 8)  # [N,T,heads,D]
    scores = np.empty((2, 4, 16, 16), np.float32)
    q, k = q.transpose(0, 2, 1, 3), k.transpose(0, 2, 3, 1)
    primitive = matmul(Layout.of(q), Layout.of(k), Layout.of(scores))
    executed(primitive, {"src": q, "weights": k, "dst": scores})
    close(scores, q @ k)

    out = np.empty((2, 16, 4, 8), np.float32).transpose(0, 2, 1, 3)
    values = q
    primitive = matmul(Layout.of(scores), Layout.of(values), Layout.of(out))
    executed(primitive, {"src": scores, "weights": values, "dst": out})
    close(out, scores @ values)


@needs_library
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_half_precision_accumulates_in_float32_where_the_processor_has_it(dtype):
    x, y = normal(16, 256, dtype=dtype), normal(256, 32, dtype=dtype)
    primitive = matmul(Layout.of(x), Layout.any(y.shape, dtype_of(dtype)), rows(16, 32))
    if primitive is None:
        pytest.skip(f"the library has no {dtype} product on this processor")
    (found,) = run(primitive, "dst", src=x, weights=y)
    close(found, x.astype("float32") @ y.astype("float32"))


@needs_library
def test_there_is_no_product_of_integers_or_of_float64():
    for dtype in ("float64", "int32", "int64"):
        assert matmul(rows(2, 3, dtype=dtype), rows(3, 4, dtype=dtype), rows(2, 4)) is None


@needs_library
def test_layouts_that_contradict_each_other_are_an_error():
    with pytest.raises(ProgramError, match="dnnl_matmul"):
        matmul(rows(2, 3), rows(4, 5), rows(2, 5))


ELTWISE = {
    "relu": lambda x: np.maximum(x, 0),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "exp": np.exp,
    "square": np.square,
    "abs": np.abs,
    "gelu_tanh": lambda x: x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
}
WITH_NUMBERS = {
    "relu": ((0.1,), lambda x: np.where(x > 0, x, 0.1 * x)),
    "elu": ((0.5,), lambda x: np.where(x > 0, x, 0.5 * np.expm1(x))),
    "linear": ((2.0, -1.0), lambda x: 2 * x - 1),
    "softplus": ((2.0,), lambda x: np.log1p(np.exp(2 * x)) / 2),
    "hardsigmoid": ((0.2, 0.5), lambda x: np.clip(0.2 * x + 0.5, 0, 1)),
    "hardswish": ((0.2, 0.5), lambda x: x * np.clip(0.2 * x + 0.5, 0, 1)),
    "swish": ((1.5,), lambda x: x / (1 + np.exp(-1.5 * x))),
    "clip": ((-0.5, 0.25), lambda x: np.clip(x, -0.5, 0.25)),
    "pow": ((3.0, 2.0), lambda x: 3 * x**2),
    "mish": ((), lambda x: x * np.tanh(np.log1p(np.exp(x)))),
}
CASES = [(kind, (), f) for kind, f in ELTWISE.items()]
CASES += [(kind, numbers, f) for kind, (numbers, f) in WITH_NUMBERS.items()]


@needs_library
@pytest.mark.parametrize(("kind", "numbers", "function"), CASES)
def test_a_function_of_each_element_follows_the_product(kind, numbers, function):
    x, y, bias = normal(8, 16), normal(16, 32), normal(1, 32)
    post = [Eltwise(kind, *numbers)]
    primitive = matmul(rows(8, 16), rows(16, 32), rows(8, 32), bias=rows(1, 32), post=post)
    (found,) = run(primitive, "dst", src=x, weights=y, bias=bias)
    np.testing.assert_allclose(found, function(x @ y + bias), rtol=1e-4, atol=1e-4)


@needs_library
@pytest.mark.parametrize("dims", [(8, 32), (1, 32), (8, 1), (1, 1)])
@pytest.mark.parametrize("kind", ["add", "sub", "mul", "div", "max", "min"])
def test_an_array_that_broadcasts_joins_the_product(kind, dims):
    functions = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide,
                 "max": np.maximum, "min": np.minimum}  # fmt: skip
    x, y, other = normal(8, 16), normal(16, 32), 1 + abs(normal(*dims))
    post = [Eltwise("abs"), Binary(kind, rows(*dims))]
    primitive = matmul(rows(8, 16), rows(16, 32), rows(8, 32), post=post)
    assert list(primitive.arguments)[:4] == ["src", "weights", "dst", "post_1"]
    (found,) = run(primitive, "dst", src=x, weights=y, post_1=other)
    close(found, functions[kind](abs(x @ y), other))


@needs_library
def test_an_update_of_weights_is_one_product():
    x, g, w, rate = normal(64, 16), normal(64, 32), normal(16, 32), np.full((1, 1), -0.1, "float32")
    expected = w - 0.1 * (x.T @ g)
    post = [Binary("mul", rows(1, 1)), Sum()]
    primitive = matmul(Layout.of(x.T), Layout.of(g), Layout.of(w), post=post)
    executed(primitive, {"src": x, "weights": g, "dst": w, "post_0": rate})
    close(w, expected)


@needs_library
def test_a_reorder_there_and_back_changes_nothing():
    x = normal(5, 7, 3, 3)
    tiles = matmul(rows(64, 35), Layout.any((35, 9), float32), rows(64, 9)).layout("weights")
    matrix = x.reshape(35, 9)
    np.testing.assert_array_equal(unpacked(packed(matrix, tiles), tiles), matrix)
    last = Layout.channels_last(x.shape, float32)
    np.testing.assert_array_equal(
        packed(x, last).view(np.float32).reshape(5, 3, 3, 7), x.transpose(0, 2, 3, 1)
    )


@needs_library
def test_a_reorder_rounds_to_another_element_type():
    x, found = normal(3, 5), np.empty((3, 5), dtype_of("bfloat16").numpy)
    executed(reorder(Layout.of(x), Layout.of(found)), {"src": x, "dst": found})
    np.testing.assert_array_equal(found, x.astype(found.dtype))


@needs_library
def test_a_layout_is_described_by_its_numbers():
    x = np.empty((4, 6, 8), np.float32)
    layout = Layout.of(x[:, ::2].transpose(2, 0, 1))
    assert layout == Layout((8, 4, 3), float32, (1, 48, 16))
    assert layout.is_plain and not layout.is_any
    assert layout.nbytes == 4 * (1 + 7 + 3 * 48 + 2 * 16)
    assert Layout.channels_last((2, 3, 4, 5), float32).strides == (60, 1, 15, 3)
    assert Layout.any((2, 3), float32).is_any
    with pytest.raises(ArgumentError, match="strides"):
        _ = Layout.any((2, 3), float32).nbytes
    assert rows(6, 2, 3).split(3) == rows(3, 2, 2, 3)


@needs_library
def test_layouts_of_equal_places_match_although_axes_of_size_1_differ():
    layout = Layout((4, 1, 3), float32, (3, 3, 1))
    other = Layout((4, 1, 3), float32, (3, 1, 1))
    assert layout != other and layout.matches(other)
    assert not rows(4, 3).matches(Layout.channels_last((4, 3, 1), float32))


@needs_library
def test_a_primitive_tells_the_layouts_that_it_was_given():
    given = {"src": Layout((8, 16), float32, (1, 8)), "weights": rows(16, 4), "dst": rows(8, 4)}
    primitive = matmul(**given)
    assert {name: primitive.layout(name) for name in given} == given


@needs_library
def test_an_element_type_that_the_library_lacks_has_no_description():
    with pytest.raises(DTypeError, match="int64"):
        rows(2, 3, dtype="int64").descriptor()


@needs_library
def test_an_argument_that_a_primitive_lacks_is_an_error_that_lists_them():
    primitive = matmul(rows(2, 3), rows(3, 4), rows(2, 4))
    with pytest.raises(ArgumentError, match="src, weights, dst"):
        primitive.layout("bias")
    with pytest.raises(ArgumentError, match="src, weights, dst"):
        Command(primitive, new_stream()).set("bias", 0)


@needs_library
def test_native_code_runs_a_command_from_its_four_fields():
    x, y, out = normal(2, 3), normal(3, 4), np.zeros((2, 4), np.float32)
    primitive = matmul(Layout.of(x), Layout.of(y), Layout.of(out))
    command = Command(primitive, new_stream())
    scratch = memory(primitive.scratchpad_bytes)
    places = {"src": x, "weights": y, "dst": out, "scratchpad": scratch}
    for name in primitive.arguments:
        command.set(name, places[name].ctypes.data)
    fields = CommandArguments.from_address(command.arguments_address)
    signature = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p
    )
    execute = signature(execute_address())
    assert execute(fields.primitive, fields.stream, fields.count, fields.arguments) == 0
    close(out, x @ y)


@needs_library
def test_threads_share_a_primitive_with_a_command_each():
    y = normal(64, 64)
    primitive = matmul(rows(64, 64), rows(64, 64), rows(64, 64))
    inputs = [normal(64, 64) for _ in range(4)]
    found = [np.empty((64, 64), "float32") for _ in inputs]

    def work(i):
        for _ in range(20):
            executed(primitive, {"src": inputs[i], "weights": y, "dst": found[i]})

    in_threads(partial(work, i) for i in range(4))
    for x, out in zip(inputs, found, strict=True):
        close(out, x @ y)


@needs_library
def test_the_same_execution_gives_the_same_bits():
    x, y = normal(33, 500), normal(500, 65)
    primitive = matmul(rows(33, 500), rows(500, 65), rows(33, 65))
    first, second = (run(primitive, "dst", src=x, weights=y)[0] for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_importing_twinoar_and_this_package_loads_no_library():
    code = (
        "import twinoar, twinoar.backends.onednn.library as l;"
        "assert l.library.cache_info().misses == 0"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_the_wheel_the_reason_is_told(monkeypatch):
    monkeypatch.setattr(library, "DISTRIBUTION", "onednn-that-nobody-made")
    with pytest.raises(UnsupportedError, match="onednn-that-nobody-made is not installed"):
        library._path()


def test_without_a_library_that_it_needs_the_reason_is_told(tmp_path):
    with pytest.raises(UnsupportedError, match="cannot be loaded"):
        library._loaded(tmp_path / "libdnnl.so.3")
