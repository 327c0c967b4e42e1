"""Saved models become models of integers, by data or by their weights alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar
from tests.static.quantization.programs import Network, images, rounded, types
from twinoar import io, static
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.slim.quant import quant_post_dynamic, quant_post_static
from twinoar.static.quantization import (
    PostTrainingQuantization,
    PostTrainingQuantizationProgram,
    WeightQuantization,
)
from twinoar.static.quantization.post_training_quantization import ALGORITHMS
from twinoar.static.scope import Scope


@pytest.fixture
def model(tmp_path: Path) -> str:
    """The prefix of a saved network."""
    network = Network(optimizer=False)
    with static.scope_guard(network.scope):
        static.save_inference_model(
            tmp_path / "floats" / "model", [network.x], [network.y], program=network.test
        )
    return str(tmp_path / "floats" / "model")


def run(prefix: str, x: np.ndarray) -> np.ndarray:
    with static.scope_guard(static.Scope()):
        program, (name,), fetches = static.load_inference_model(prefix)
        (found,) = static.Executor().run(program, {name: x}, fetches)
    return np.asarray(found)


def ptq(model: str, scope: Scope | None = None, **given: Any) -> PostTrainingQuantization:
    given = {"data_loader": [[images(seed=n)] for n in range(3)], **given}
    return PostTrainingQuantization(static.Executor(), model, scope or Scope(), **given)


@pytest.mark.parametrize("algo", sorted(ALGORITHMS))
def test_the_model_of_integers_is_near_that_of_floats(
    algo: str, model: str, tmp_path: Path
) -> None:
    made = ptq(model, algo=algo)
    program = made.quantize()
    assert types(program).count("quantize_linear") == 3
    assert types(program).count("dequantize_linear") == 6
    made.save_quantized_model(str(tmp_path / "integers"))
    expected = run(model, images(seed=9))
    found = run(str(tmp_path / "integers" / "model"), images(seed=9))
    # Of 8 bits some hundredths of what it computes; on little data these two clip more than others.
    bound = {"KL": 0.2, "avg": 0.1}.get(algo, 0.05)
    assert np.abs(found - expected).max() < bound * np.ptp(expected)


def test_scales_are_those_of_all_batches(model: str) -> None:
    scope = Scope()
    ptq(model, scope, algo="abs_max", data_loader=[[images() * n] for n in (1, 3, 2)]).quantize()
    assert np.array(scope.find_var("x@scale")).item() == np.abs(images() * 3).max()


def test_weights_are_the_nearest_integers_of_each_channel(model: str) -> None:
    scope = Scope()
    ptq(model, scope).quantize()
    weight, kept, scale = (
        np.array(scope.find_var(f"fc_0.w_0{end}")) for end in ("", ".integers", "@scale")
    )
    assert kept.dtype == np.int8
    np.testing.assert_allclose(
        kept * scale / 127, rounded(weight, np.abs(weight).max(0)), atol=1e-6
    )


def _samples() -> Iterator[list[np.ndarray]]:
    return ([image] for image in np.concatenate([images(seed=n) for n in range(3)]))


@pytest.mark.parametrize(
    "given",
    [
        {"data_loader": [{"x": images(seed=n)} for n in range(3)]},
        {"data_loader": [[{"x": images(seed=n)}] for n in range(3)]},
        {"data_loader": lambda: iter([images(seed=n) for n in range(3)])},
        {"data_loader": [[images(seed=n)] for n in range(9)], "batch_nums": 3},
        {"data_loader": None, "batch_generator": lambda: ([images(seed=n)] for n in range(3))},
        {"data_loader": None, "sample_generator": _samples, "batch_size": 4},
        {
            "data_loader": io.DataLoader(
                io.TensorDataset([np.concatenate([images(seed=n) for n in range(3)])]),
                batch_size=4,
            )
        },
    ],
    ids=["dict", "list of dict", "function", "batch_nums", "batches", "samples", "DataLoader"],
)
def test_data_comes_in_all_of_paddles_forms(given: dict[str, Any], model: str) -> None:
    scopes = [Scope(), Scope()]
    for scope, more in zip(scopes, ({}, given), strict=True):
        ptq(model, scope, **more).quantize()
    values = [np.array(scope.find_var("pool2d_0.tmp_0@scale")) for scope in scopes]
    np.testing.assert_array_equal(*values)


def test_readers_of_a_tensor_can_be_left_alone(model: str) -> None:
    program = ptq(model, skip_tensor_list=["x"]).quantize()
    assert types(program).count("quantize_linear") == 2


def test_what_other_operators_read_can_be_quantized_too(model: str) -> None:
    program = ptq(model, is_full_quantize=True).quantize()
    assert types(program).count("quantize_linear") > 3


def test_a_program_is_quantized_as_a_model_is(model: str) -> None:
    network = Network(optimizer=False)
    test = static.normalize_program(network.test, [network.x], [network.y])
    before = str(test)
    made = PostTrainingQuantizationProgram(
        network.executor, test, scope=network.scope, data_loader=network.batches()
    ).quantize()
    assert str(test) == before
    expected = ptq(model, quantizable_op_type=["conv2d", "mul"]).quantize()
    # Names of scopes are not in files: there nothing is to be skipped.
    assert types(made).count("quantize_linear") == types(expected).count("quantize_linear") - 1


@pytest.mark.parametrize(
    ("given", "error", "told"),
    [
        ({"algo": "best"}, ArgumentError, "KL"),
        ({"algo": "ptf"}, UnsupportedError, "mse"),
        ({"round_type": "adaround"}, UnsupportedError, "GPTQ"),
        ({"bias_correction": True}, UnsupportedError, "correct_biases"),
        ({"data_loader": None}, ArgumentError, "one of batch_generator"),
        ({"data_loader": []}, ArgumentError, "no batch"),
        ({"data_loader": [[]]}, ArgumentError, "a batch has 0 arrays"),
        ({"data_loader": [[images() * np.nan]]}, ArgumentError, "%x: values .* must be finite"),
        ({"weight_quantize_type": "log"}, ArgumentError, "channel_wise_abs_max"),
        ({"activation_quantize_type": "log"}, ArgumentError, "range_abs_max"),
        ({"quantizable_op_type": ["lstm"]}, ArgumentError, "no operator of the types"),
        ({"activation_bits": 1}, ArgumentError, "bit"),
        ({"optimize_model": True}, UnsupportedError, "optimize_model"),
    ],
)
def test_what_cannot_be_done_is_refused(
    given: dict[str, Any], error: type[Exception], told: str, model: str
) -> None:
    with pytest.raises(error, match=told):
        ptq(model, **given).quantize()


def test_saving_before_data_has_passed_is_refused(model: str, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="call quantize"):
        ptq(model).save_quantized_model(str(tmp_path / "integers"))


def test_a_model_of_integers_is_not_quantized_again(model: str, tmp_path: Path) -> None:
    made = ptq(model)
    made.quantize()
    made.save_quantized_model(str(tmp_path / "integers"))
    with pytest.raises(ArgumentError, match="quantized already"):
        ptq(str(tmp_path / "integers" / "model")).quantize()


def test_weights_that_are_not_finite_are_refused_and_lose_nothing(model: str) -> None:
    scope = Scope()
    made = ptq(model, scope)
    weight = np.array(scope.find_var("fc_0.w_0"))
    scope.var("fc_0.w_0").set(np.where(weight == weight.max(), np.nan, weight))
    with pytest.raises(ArgumentError, match=r"weight fc_0\.w_0 is not finite"):
        made.quantize()
    scope.var("fc_0.w_0").set(weight)
    made.quantize()


def test_quantizing_after_training_leaves_the_scales_of_training_alone() -> None:
    network = Network(optimizer=False)
    network.scope.var("x@scale").set(np.full(1, 7.0, "f4"))
    program = PostTrainingQuantizationProgram(
        network.executor, network.test, scope=network.scope, data_loader=network.batches(),
        fetch_list=[network.y],
    ).quantize()  # fmt: skip
    assert network.weight("x@scale").item() == 7.0
    assert "x@scale_1" in program.states


@pytest.fixture
def _static_mode() -> Iterator[None]:
    twinoar.enable_static()
    yield
    twinoar.disable_static()


@pytest.mark.usefixtures("_static_mode")
@pytest.mark.parametrize("algo", sorted(ALGORITHMS))
def test_programs_are_quantized_while_others_are_built(algo: str, model: str) -> None:
    with static.program_guard(static.Program()):
        program = ptq(model, algo=algo).quantize()
        assert not static.default_main_program().main.ops
    assert types(program).count("quantize_linear") == 3


def test_slim_saves_models_of_integers_by_data(model: str, tmp_path: Path) -> None:
    folder, data = str(Path(model).parent), [[images(seed=n)] for n in range(3)]
    names = {"model_filename": "model.pdmodel", "params_filename": "model.pdiparams"}
    quant_post_static(
        static.Executor(), folder, str(tmp_path / "slim"), data_loader=data, algo="KL", **names
    )
    made = ptq(model)
    made.quantize()
    made.save_quantized_model(str(tmp_path / "ours"))
    found, expected = (run(str(tmp_path / n / "model"), images(seed=9)) for n in ("slim", "ours"))
    np.testing.assert_array_equal(found, expected)


def _by_slim(model: str, folder: Path) -> None:
    quant_post_dynamic(model, str(folder))


def _by_weights(model: str, folder: Path) -> None:
    WeightQuantization(model).quantize_weight_to_int(str(folder))


@pytest.mark.parametrize("save", [_by_slim, _by_weights])
def test_models_with_weights_of_integers_compute_in_floats(
    save: Callable[[str, Path], None], model: str, tmp_path: Path
) -> None:
    save(model, tmp_path / "integers")
    sizes = [Path(f"{m}.pdiparams").stat().st_size for m in (model, tmp_path / "integers/model")]
    # Integers have a quarter of the bytes; each state besides has some names and sizes.
    assert sizes[1] < 0.75 * sizes[0]
    expected = run(model, images(seed=9))
    found = run(str(tmp_path / "integers" / "model"), images(seed=9))
    assert np.abs(found - expected).max() < 0.02 * np.ptp(expected)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"weight_bits": 16}, ArgumentError),
        ({"generate_test_model": True}, UnsupportedError),
        ({"threshold_rate": 0.1}, UnsupportedError),
        ({"save_params_filename": "other"}, ArgumentError),
        ({"quantizable_op_type": ["lstm"]}, ArgumentError),
    ],
)
def test_weights_are_not_quantized_otherwise(
    given: dict[str, Any], error: type[Exception], model: str, tmp_path: Path
) -> None:
    with pytest.raises(error):
        WeightQuantization(model).quantize_weight_to_int(str(tmp_path / "integers"), **given)
    assert not (tmp_path / "integers").exists()


def test_weights_of_16_bits_say_what_to_use(model: str) -> None:
    with pytest.raises(UnsupportedError, match="convert_to_mixed_precision"):
        WeightQuantization(model).convert_weight_to_fp16("folder")
