"""`twinoar precision` says where a saved model loses bits, and where the first bad result is."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.cli import main
from twinoar.errors import ArgumentError
from twinoar.inspection import precision


class Growing(paddle.nn.Layer):
    """A product that float16 does not hold, and a sum that follows."""

    def forward(self, x):
        return paddle.nn.functional.relu(paddle.matmul(x * 300.0, x * 300.0)).mean()


def saved(layer, folder, *shape):
    layer.eval()
    path = str(folder / "model")
    spec = paddle.static.InputSpec(list(shape), "float32", "x")
    paddle.jit.save(layer, path, input_spec=[spec])
    return path


@pytest.fixture
def lenet(tmp_path):
    paddle.seed(0)
    return saved(paddle.vision.models.LeNet(), tmp_path, None, 1, 28, 28)


def test_products_have_the_bits_of_their_dtype(lenet):
    found = precision.losses_of(lenet)
    products = [x for x in found if x.operator in ("conv2d", "matmul")]
    assert {x.dtype for x in products} == {"bfloat16"}
    assert all(6 < x.bits < 11 for x in products)
    assert {x.dtype for x in found if x.operator == "relu"} == {"float32"}
    assert found[0].lost == 24 - found[0].bits
    assert not any(x.is_bad for x in found)


def test_what_is_exact_loses_nothing(lenet):
    bias = next(x for x in precision.losses_of(lenet) if x.operator == "reshape")
    assert (bias.bits, bias.error, bias.lost) == (24.0, 0.0, 0.0)


def test_float16_has_more_bits_than_bfloat16(lenet):
    wide, narrow = (precision.losses_of(lenet, dtype=d) for d in ("float16", "bfloat16"))
    assert wide[0].bits > narrow[0].bits + 2


def test_the_first_bad_result_is_where_float16_ends(tmp_path):
    path = saved(Growing(), tmp_path, 8, 8)
    found = precision.losses_of(path, dtype="float16")
    assert [(x.operator, x.is_bad) for x in found[:4]] == [
        ("scale", False), ("scale", False), ("matmul", True), ("relu", True),
    ]  # fmt: skip
    text = precision.table(found)
    assert next(x for x in text.splitlines() if x.startswith(">")).split()[1] == "matmul"
    assert "the first bad result is 2 of matmul: 0.0 bits right" in text


def test_inputs_are_taken_by_name(tmp_path):
    path = saved(Growing(), tmp_path, 2, 2)
    small = {"x": np.full((2, 2), 0.01, np.float32)}
    assert not any(x.is_bad for x in precision.losses_of(path, dtype="float16", inputs=small))
    with pytest.raises(ArgumentError, match=r"no input y[\s\S]*its inputs are x"):
        precision.losses_of(path, inputs={"y": small["x"]})


def test_the_command_prints_a_table_and_writes_a_page(tmp_path, capsys):
    path, page = saved(Growing(), tmp_path, 8, 8), tmp_path / "page.html"
    assert main(["precision", path, "--dtype", "float16", "-o", str(page)]) == 1
    out = capsys.readouterr().out
    assert "bits right" in out and str(page) in out
    text = page.read_text()
    assert text.count("<tr class=first>") == 1 and text.count("<meter") == 6
    np.savez(tmp_path / "inputs.npz", x=np.full((8, 8), 0.01, np.float32))
    arguments = ["precision", path, "--level", "O2", "-i", str(tmp_path / "inputs.npz")]
    assert main(arguments) == 0
    assert "every result has at least" in capsys.readouterr().out


def test_what_does_not_read_is_told(tmp_path, capsys):
    assert main(["precision", str(tmp_path / "nothing")]) == 2
    assert "cannot read" in capsys.readouterr().err
    path = saved(Growing(), tmp_path, 2, 2)
    assert main(["precision", path, "-i", str(tmp_path / "nothing.npz")]) == 2
    assert "nothing.npz" in capsys.readouterr().err
