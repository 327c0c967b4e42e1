"""Turned places are stretched as in transformers, recorded by written/write_rotations.py."""

from __future__ import annotations

import json
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.pretrained.test_models import CLOSE, io_of
from twinoar import nn, pretrained
from twinoar.errors import FileError, UnsupportedError
from twinoar.pretrained.config import Config
from twinoar.pretrained.llama import Turning
from twinoar.pretrained.rotary import KINDS, Speeds
from twinoar.static import InputSpec

WRITTEN = Path(__file__).parent / "written"
RECORDED = json.loads((WRITTEN / "rotations.json").read_text())
MODELS = zipfile.ZipFile(WRITTEN / "rotations.zip")
NAMES = sorted({name.partition("/")[0] for name in MODELS.namelist()})


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    def extracted(name: str) -> Path:
        MODELS.extractall(tmp_path, [n for n in MODELS.namelist() if n.startswith(f"{name}/")])
        return tmp_path / name

    return extracted


def of_config(config: dict[str, Any]) -> Speeds:
    return Speeds(Config(config), config["head_dim"])


def kind_of(recorded: dict[str, Any]) -> str:
    return recorded["config"]["rope_parameters"]["rope_type"]


@pytest.mark.parametrize("recorded", RECORDED["of"], ids=kind_of)
def test_speeds_are_those_of_transformers(recorded: dict[str, Any]) -> None:
    speeds = of_config(recorded["config"])
    for length, (wanted, scale) in zip(RECORDED["lengths"], recorded["found"], strict=True):
        np.testing.assert_allclose(speeds(length), wanted, rtol=1e-5)
        assert speeds.scale == pytest.approx(scale, rel=1e-6)


def test_each_kind_is_recorded() -> None:
    kinds = {kind_of(recorded) for recorded in RECORDED["of"]}
    assert kinds == set(KINDS) - {"default"}


@pytest.mark.parametrize("name", NAMES)
def test_a_model_computes_what_transformers_does(folder: Any, name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = pretrained.load(folder(name))
    inputs, output, _ = io_of(folder(name))
    seen = inputs["attention_mask"].numpy() > 0
    np.testing.assert_allclose(model(**inputs).numpy()[seen], output[seen], **CLOSE)


@pytest.mark.parametrize("kind", ["dynamic", "longrope"])
def test_one_program_serves_short_texts_and_long_ones(kind: str, tmp_path: Path) -> None:
    recorded = next(recorded for recorded in RECORDED["of"] if kind_of(recorded) == kind)
    config = Config(recorded["config"] | {"hidden_size": 64})

    class Angles(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.turning = Turning(config)

        def forward(self, text):
            return self.turning(paddle.arange(text.shape[1]), text.shape[1])

    layer = Angles()
    layer.eval()
    paddle.jit.save(layer, str(tmp_path / "net"), [InputSpec([None, None], "int64", "text")])
    again = paddle.jit.load(str(tmp_path / "net"))
    short, long = (again(paddle.zeros([1, length], "int64")) for length in (3, 40))
    np.testing.assert_allclose(short[0], layer(paddle.zeros([1, 3]))[0], atol=1e-5)
    np.testing.assert_allclose(long[0], layer(paddle.zeros([1, 40]))[0], atol=1e-5)
    assert not np.allclose(short[0], long[0][:3])


@pytest.mark.parametrize("length", [3, 40])
def test_the_length_may_be_a_tensor(length: int) -> None:
    for recorded in RECORDED["of"][:10]:
        speeds = of_config(recorded["config"])
        np.testing.assert_array_equal(speeds(paddle.to_tensor(length)), speeds(length))


LONG = {"rope_type": "longrope", "short_factor": [1.0, 1.0], "long_factor": [2.0, 2.0]}
YARN = {"rope_type": "yarn", "factor": 2.0, "rope_theta": 1e4}
REFUSED = [
    ({"rope_type": "wavy"}, UnsupportedError, "kind wavy are not read"),
    ({"rope_type": ["yarn"]}, UnsupportedError, "are not read"),
    ({**YARN, "odd": 1}, UnsupportedError, "odd=1"),
    ({**YARN, "partial_rotary_factor": 0.5}, UnsupportedError, "partial_rotary_factor"),
    ({**YARN, "rope_theta": 1.0}, FileError, "another rope_theta"),
    ({**YARN, "beta_fast": -1.0}, FileError, "beta_fast must be a number above 0"),
    ({**YARN, "truncate": 1}, FileError, "truncate must be true or false"),
    ({**LONG, "long_factor": [2.0]}, FileError, "long_factor must be 2 numbers above 0"),
    ({**LONG, "short_factor": [1.0, 0.0]}, FileError, "short_factor must be 2 numbers above 0"),
    ({**LONG, "factor": 0}, FileError, "factor must be a number above 0"),
    ({**LONG, "original_max_position_embeddings": 1}, FileError, "a length of more than 1"),
    ({"rope_type": "dynamic"}, FileError, "nothing of factor"),
]


@pytest.mark.parametrize(("told", "error", "said"), REFUSED)
def test_what_makes_no_sense_is_refused(told: dict[str, Any], error: Any, said: str) -> None:
    config = {"rope_parameters": told, "max_position_embeddings": 8}
    with pytest.raises(error, match=said):
        Speeds(Config(config), 4)
