"""Models in a lower precision: as near as it allows, and their files stand for themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar import inference, nn, static
from twinoar.core.dtype import bfloat16, float16, float32
from twinoar.errors import ArgumentError, FileError, TypeMismatchError
from twinoar.inference import PlaceType, PrecisionType, convert_to_mixed_precision

NEAR = {PrecisionType.Bfloat16: 4e-2, PrecisionType.Half: 4e-3}
LOW = {PrecisionType.Bfloat16: bfloat16, PrecisionType.Half: float16}


def converted(
    prefix: Path, folder: Path, precision: PrecisionType, **kwargs
) -> inference.Predictor:
    """A Predictor of the model, in the precision."""
    files = [f"{prefix}.pdmodel", f"{prefix}.pdiparams"]
    mixed = [str(folder / "mixed.pdmodel"), str(folder / "mixed.pdiparams")]
    convert_to_mixed_precision(*files, *mixed, precision, PlaceType.CPU, **kwargs)
    return inference.create_predictor(inference.Config(*mixed))


@pytest.fixture(scope="module")
def saved(tmp_path_factory) -> Path:
    """A convolution with batch normalization, a softmax and a branch."""
    paddle.seed(3)

    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Conv2D(3, 8, 3), nn.BatchNorm2D(8), nn.ReLU())
            self.head = nn.Linear(8, 4)

        def forward(self, x):
            y = nn.functional.softmax(self.head(self.body(x).mean([2, 3])))
            if y.sum() > 0:
                return y * 2
            return y - 1

    net = paddle.jit.to_static(Net())
    net.eval()
    prefix = tmp_path_factory.mktemp("model") / "net"
    paddle.jit.save(net, str(prefix), input_spec=[static.InputSpec([None, 3, 8, 8], name="x")])
    return prefix


@pytest.mark.parametrize("precision", NEAR)
@pytest.mark.parametrize("name", ["simplenet", "lenet", "encoder", "recurrent", "control"])
def test_models_of_paddle_stay_near(paddle_fixtures, tmp_path, name, precision) -> None:
    folder = paddle_fixtures / "paddle-2.6.2" / name
    kept = np.load(folder / "io.npz")
    inputs = [kept[k] for k in sorted(kept) if k.startswith("input")]
    wanted = [kept[k] for k in sorted(kept) if k.startswith("output")]
    predictor = converted(folder / "inference", tmp_path, precision)
    for found, expected in zip(predictor.run(inputs), wanted, strict=True):
        assert found.dtype == expected.dtype
        assert np.abs(found - expected).max() <= NEAR[precision] * np.abs(expected).max()
    held = [s.spec.dtype for s in predictor.program.states.values() if s.spec.ndim > 1]
    assert LOW[precision] in held or name == "control"


@pytest.mark.parametrize("precision", NEAR)
def test_weights_are_kept_low_and_statistics_are_folded_before(saved, tmp_path, precision) -> None:
    predictor = converted(saved, tmp_path, precision)
    states = predictor.program.states.values()
    assert {s.spec.dtype for s in states if s.spec.dtype.is_floating} == {LOW[precision]}
    assert "batch_norm" not in str(predictor.program)
    whole, half = (Path(f"{p}.pdiparams").stat().st_size for p in (saved, tmp_path / "mixed"))
    assert half < whole
    x = np.random.default_rng(0).standard_normal((2, 3, 8, 8)).astype(np.float32)
    config = inference.Config(f"{saved}.pdmodel", f"{saved}.pdiparams")
    (expected,) = inference.create_predictor(config).run([x])
    (found,) = predictor.run([x])
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, atol=NEAR[precision])


def test_inputs_and_outputs_are_low_if_asked(saved, tmp_path) -> None:
    predictor = converted(saved, tmp_path, PrecisionType.Half, keep_io_types=False)
    assert predictor.get_input_names() == ["x"]
    x = np.ones((1, 3, 8, 8), np.float16)
    assert predictor.program.main.inputs[0].spec.dtype is float16
    assert predictor.run([x])[0].shape == (1, 4)


def test_a_black_list_stays_and_a_white_list_goes(saved, tmp_path) -> None:
    def dtypes(**kwargs) -> dict[str, object]:
        main = converted(saved, tmp_path, PrecisionType.Bfloat16, **kwargs).program.main
        return {o.op.name: o.results[0].spec.dtype for o in main.ops if o.op.name != "cast"}

    plain = dtypes()
    assert plain["conv2d"] is bfloat16 and plain["softmax"] is float32
    assert dtypes(black_list={"conv2d"})["conv2d"] is float32
    assert dtypes(white_list={"softmax"})["softmax"] is bfloat16


def test_a_file_of_paddle_3_is_written_where_its_name_says_so(saved, tmp_path) -> None:
    mixed = [str(tmp_path / "mixed.json"), str(tmp_path / "mixed.pdiparams")]
    files = [f"{saved}.pdmodel", f"{saved}.pdiparams", *mixed]
    convert_to_mixed_precision(*files, PrecisionType.Bfloat16, PlaceType.GPU)
    assert Path(mixed[0]).read_text().startswith("{")
    predictor = inference.create_predictor(inference.Config(*mixed))
    assert predictor.run([np.ones((1, 3, 8, 8), np.float32)])[0].dtype == np.float32


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((PrecisionType.Int8, PlaceType.CPU), ArgumentError, "to Half or Bfloat16"),
        ((PrecisionType.Half, "cpu"), TypeMismatchError, "expected a PlaceType"),
        ((PrecisionType.Half, PlaceType.CPU, True, {"relu"}), ArgumentError, "share"),
    ],
)
def test_bad_arguments_are_told_and_nothing_is_written(
    saved, tmp_path, arguments, error, message
) -> None:
    files = [f"{saved}.pdmodel", f"{saved}.pdiparams", *(str(tmp_path / n) for n in "ab")]
    with pytest.raises(error, match=message):
        convert_to_mixed_precision(*files, *arguments, white_list={"relu"})
    with pytest.raises(ArgumentError, match="unknown"):
        convert_to_mixed_precision(*files, PrecisionType.Half, PlaceType.CPU, grey_list={"relu"})
    with pytest.raises(FileError):
        convert_to_mixed_precision(
            str(tmp_path / "none"), "", *files[2:], PrecisionType.Half, PlaceType.CPU
        )
    assert not list(tmp_path.iterdir())
