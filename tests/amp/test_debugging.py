"""Where numbers stop being finite."""

import csv

import numpy as np
import pytest

import twinoar as paddle
from twinoar.amp import debugging
from twinoar.errors import (
    ArgumentError,
    DTypeError,
    FileError,
    NotFiniteError,
    ProgramError,
    TypeMismatchError,
    UnsupportedError,
)

REPORT = debugging.DebugMode.CHECK_NAN_INF


def test_finite_numbers_are_counted_without_a_word(capsys):
    counts, values = debugging.check_numerics(paddle.to_tensor([1.0, 0.0, 2.0]), "op", "x")
    assert counts.tolist() == [0, 0, 1]
    assert values.tolist() == [2.0, 0.0, 1.0]
    assert (counts.dtype, values.dtype) == (paddle.int64, paddle.float32)
    assert capsys.readouterr().out == ""


def test_what_is_not_finite_is_printed_as_paddle_does(capsys):
    x = paddle.to_tensor([1.0, 0.0, float("nan"), float("inf")])
    counts, values = debugging.check_numerics(x, "op", "x", REPORT)
    assert counts.tolist() == [1, 1, 1]
    np.testing.assert_array_equal(values.numpy(), [np.inf, 0.0, np.nan])
    assert capsys.readouterr().out == (
        "[PRECISION] [ERROR] in [device=cpu, op=op, tensor=x, dtype=fp32], numel=4, num_nan=1, "
        "num_inf=1, num_zero=1, max=inf, min=0.000000e+00, mean=nan\n"
    )


def test_what_is_not_finite_is_an_error_where_that_is_asked_for():
    with pytest.raises(NotFiniteError, match="num_nan=1"):
        debugging.check_numerics(paddle.to_tensor([float("nan")]), "op", "x")
    with pytest.raises(DTypeError, match="int64"):
        debugging.check_numerics(paddle.to_tensor([1]), "op", "x")


class Inverse(paddle.nn.Layer):
    @debugging.check_layer_numerics
    def forward(self, x):
        return 1 / x


def test_a_layer_is_checked_where_it_is_decorated():
    assert Inverse()(paddle.to_tensor([2.0])).tolist() == [0.5]
    with pytest.raises(NotFiniteError, match="op=Inverse, tensor=output0"):
        Inverse()(paddle.to_tensor([0.0]))
    with pytest.raises(TypeMismatchError, match="first argument"):
        Inverse()(2.0)


def test_the_checker_stops_at_the_first_result_that_is_not_finite():
    debugging.enable_tensor_checker(debugging.TensorCheckerConfig(enable=True))
    try:
        with pytest.raises(NotFiniteError, match="elementwise_div"):
            paddle.to_tensor([1.0]) / paddle.to_tensor([0.0])
    finally:
        debugging.disable_tensor_checker()
    assert (paddle.to_tensor([1.0]) / paddle.to_tensor([0.0])).item() == float("inf")


def test_a_checker_that_is_off_checks_nothing():
    checker = debugging.TensorCheckerConfig(enable=False, debug_mode=REPORT)
    debugging.enable_tensor_checker(checker)
    assert (paddle.to_tensor([1.0]) / paddle.to_tensor([0.0])).item() == float("inf")


@pytest.fixture
def checker():
    """Turns a checker with these settings on; it is off after the test."""

    def turn_on(mode=REPORT, **settings):
        debugging.enable_tensor_checker(debugging.TensorCheckerConfig(True, mode, **settings))

    yield turn_on
    debugging.disable_tensor_checker()


def compute(factor=1.0):
    x = paddle.to_tensor([1.0, 0.0], stop_gradient=False)
    (x * factor / paddle.to_tensor([0.5, 1.0])).sum().backward()


def lines(text):
    return [line.split("op=")[1].split(",")[0] for line in text.splitlines()]


def test_reports_go_on(checker, capsys):
    checker()
    compute(float("inf"))
    assert lines_of(capsys)[:3] == ["elementwise_mul", "elementwise_div", "reduce_sum"]


def test_all_results_are_told_of_where_that_is_asked_for(checker, capsys):
    checker(debugging.DebugMode.CHECK_ALL)
    paddle.to_tensor([1.0, 2.0]) + 1.0
    assert capsys.readouterr().out == (
        "[PRECISION] in [device=cpu, op=elementwise_add, tensor=, dtype=fp32], numel=2, num_nan=0, "
        "num_inf=0, num_zero=0, max=3.000000e+00, min=2.000000e+00, mean=2.500000e+00\n"
    )


def test_what_float16_does_not_hold_is_told_of(checker, capsys):
    checker(debugging.DebugMode.CHECK_ALL_FOR_OVERFLOW)
    paddle.to_tensor([30000.0]) * 2.0
    assert capsys.readouterr().out == ""
    paddle.to_tensor([-40000.0]) * 2.0
    assert "min=-8.000000e+04" in capsys.readouterr().out


@pytest.mark.parametrize(
    "lists", [{"checked_op_list": ["elementwise_div"]}, {"skipped_op_list": ["multiply", "sum"]}]
)
def test_operators_are_chosen_by_lists(checker, capsys, lists):
    checker(debugging.DebugMode.CHECK_ALL, **lists)
    x = paddle.to_tensor([2.0])
    (x * x / x).sum()
    assert lines_of(capsys) == ["elementwise_div"]


def lines_of(capsys):
    return lines(capsys.readouterr().out)


def test_steps_are_chosen(capsys):
    debugging.TensorCheckerConfig.current_step_id = 0
    config = debugging.TensorCheckerConfig(True, debugging.DebugMode.CHECK_ALL, debug_step=[1, 3])
    found = []
    for _ in range(4):
        debugging.enable_tensor_checker(config)
        paddle.to_tensor([1.0]) + 1.0
        found.append(len(lines_of(capsys)))
        debugging.disable_tensor_checker()
    assert found == [0, 1, 1, 0]


def test_programs_are_checked_operator_by_operator(checker, capsys):
    converted = paddle.jit.to_static(lambda x: paddle.exp(x) / 0.0)
    converted(paddle.to_tensor([1.0]))
    checker()
    converted(paddle.to_tensor([1.0]))
    assert lines_of(capsys) == ["elementwise_div"]


def test_two_runs_are_compared(checker, tmp_path):
    for name, low in (("wide", False), ("low", True)):
        checker(debugging.DebugMode.CHECK_ALL, output_dir=str(tmp_path / name))
        x = paddle.to_tensor([[3.0, 1.0], [1.0, 1.0]])
        with paddle.amp.auto_cast(enable=low, dtype="bfloat16"):
            y = x @ x
            y * (float("inf") if low else 1.0)
        debugging.disable_tensor_checker()
    target = tmp_path / "compared.csv"
    debugging.compare_accuracy(str(tmp_path / "wide"), str(tmp_path / "low"), str(target))
    with target.open() as file:
        rows = list(csv.DictReader(file))
    found = [(r["op"], r["dtype_first"], r["dtype_second"], r["is_normal"]) for r in rows]
    assert found == [
        ("matmul_v2", "fp32", "bf16", "True"),
        ("elementwise_mul", "fp32", "bf16", "False"),
    ]
    assert (rows[0]["max_first"], rows[0]["max_second"]) == ("1.000000e+01", "1.000000e+01")


def test_scaled_gradients_agree(checker, tmp_path):
    for name, scale in (("wide", 1.0), ("low", 64.0)):
        checker(debugging.DebugMode.CHECK_ALL, output_dir=str(tmp_path / name))
        paddle.to_tensor([1.0, 2.0]) * scale
        debugging.disable_tensor_checker()
    found = {}
    for scale in (1.0, 64.0):
        target = tmp_path / "compared.csv"
        folders = (str(tmp_path / "wide"), str(tmp_path / "low"))
        debugging.compare_accuracy(*folders, str(target), loss_scale=scale)
        found[scale] = target.read_text().rstrip().endswith("True")
    assert found == {1.0: False, 64.0: True}


def test_operators_are_counted_by_precision(capsys):
    x = paddle.ones([2, 2])
    with debugging.collect_operator_stats():
        with paddle.amp.auto_cast(dtype="bfloat16"):
            y = x @ x
            y.exp()
        paddle.to_tensor([1]) + 1
        y.astype("float16") + y.astype("float16")
    table = capsys.readouterr().out.splitlines()
    assert len({len(line) for line in table if line.startswith("<")}) == 1
    rows = [[cell.strip() for cell in row.split("|")] for row in table[2:-2]]
    counted = {name: [int(n) for n in counts] for name, *counts in rows}
    assert counted == {
        "cast": [0, 3, 2, 0],
        "elementwise_add": [1, 0, 0, 1],
        "exp": [0, 0, 1, 0],
        "matmul_v2": [0, 1, 0, 0],
    }
    assert "op count: 4" in table[-2]


def test_counting_ends_with_its_block(capsys):
    with pytest.raises(ZeroDivisionError), debugging.collect_operator_stats():
        raise ZeroDivisionError
    assert "op count: 0" in capsys.readouterr().out
    debugging.disable_operator_stats_collection()
    assert capsys.readouterr().out == ""


def test_counting_twice_is_refused(capsys):
    with (
        debugging.collect_operator_stats(),
        pytest.raises(ProgramError, match="counted already"),
    ):
        debugging.enable_operator_stats_collection()


def write_log(folder, text):
    folder.mkdir()
    (folder / "worker_cpu").write_text(text)
    return str(folder)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda _: debugging.TensorCheckerConfig(True, 1), ArgumentError),
        (lambda _: debugging.TensorCheckerConfig(True, debug_step=3), TypeMismatchError),
        (lambda _: debugging.TensorCheckerConfig(True, debug_step=[3, 3]), ArgumentError),
        (lambda _: debugging.TensorCheckerConfig(True, checked_op_list="exp"), TypeMismatchError),
        (lambda _: debugging.enable_tensor_checker(True), TypeMismatchError),
        (lambda _: debugging.compare_accuracy("a", "b", "c.xlsx"), ArgumentError),
        (lambda path: debugging.compare_accuracy(path, path, f"{path}/c.csv"), FileError),
        (lambda path: debugging.compare_accuracy(*[path] * 2, "c.csv", 1, True), UnsupportedError),
    ],
)
def test_what_is_wrong_is_refused(call, error, tmp_path):
    with pytest.raises(error):
        call(str(tmp_path))


def test_a_log_that_is_none_is_refused_with_its_line(tmp_path):
    folder = write_log(tmp_path / "log", "a line\n")
    with pytest.raises(FileError, match="line 1: expected a"):
        debugging.compare_accuracy(folder, folder, str(tmp_path / "c.csv"))
    assert not (tmp_path / "c.csv").exists()
