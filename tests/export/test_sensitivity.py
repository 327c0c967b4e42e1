"""Where rounding decides a result, the proof asks for what rounding leaves, and no less."""

from __future__ import annotations

import time

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.core.dtype import float32
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.errors import VerificationError
from twinoar.export.loaded import LoadedModel
from twinoar.export.sensitivity import is_rounding, spreads
from twinoar.jit.kept import array_of
from twinoar.jit.recording import Record
from twinoar.static import InputSpec


def spread(function, *inputs: np.ndarray) -> np.ndarray:
    """How far rounding moves the result of a function."""
    specs = [Spec(x.shape, float32) for x in inputs]
    program = trace(function, *specs)
    (found,) = spreads(program, array_of, inputs, lambda: Record(time.perf_counter() + 60))
    return found


def noise(x):
    """What two orders of a sum leave between them, and nothing else."""
    return (x.sum(1) - x.flip(1).sum(1)) * 1e6


def normed(x):
    for _ in range(3):
        x = nn.functional.instance_norm(x)
    return x


def draw(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype("float32")


def test_rounding_hardly_moves_a_product() -> None:
    assert 0 < spread(lambda x, y: x @ y, draw(5, 64), draw(64, 3)).max() < 1e-5


def test_it_moves_what_is_the_difference_of_equal_sums_by_all_there_is() -> None:
    x = draw(2, 4096)
    assert (spread(noise, x) > 1.0).all()


def test_norms_of_pixels_that_are_nearly_equal_turn_it_into_any_size() -> None:
    near = 0.3 + 1e-7 * draw(1, 2, 2, 2)
    assert spread(normed, near).max() > 0.1
    assert spread(normed, draw(1, 2, 2, 2)).max() < 1e-4


def test_whole_numbers_are_exact() -> None:
    x = np.array([[2.0, 3.0]], "float32")
    assert spread(lambda x: paddle.floor(x) * 1.0, x).max() == 0.0


def test_what_is_more_than_rounding_is_told_apart() -> None:
    wanted, moved = np.ones(3, "float32"), np.full(3, 1e-3)
    assert is_rounding(wanted + np.float32(4e-3), wanted, moved)
    assert not is_rounding(wanted + np.float32(4e-2), wanted, moved)
    assert not is_rounding(wanted, np.array([1, 1, np.nan], "float32"), moved)
    assert not is_rounding(wanted.astype("float64"), wanted, moved)


class Noise(nn.Layer):
    def forward(self, x):
        return noise(x), x * 2.0


def test_a_network_that_rounding_decides_is_saved_and_it_is_told(tmp_path) -> None:
    spec = [InputSpec([None, 4096], "float32", "x")]
    proof = paddle.jit.save(Noise(), str(tmp_path / "m"), spec, verify=True)
    assert "rounding decides output 0" in str(proof)
    assert "output 1" not in str(proof)


def test_a_wrong_result_beside_it_is_refused(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = LoadedModel._run

    def wrong(self, *args, **kwargs):
        first, second = run(self, *args, **kwargs)
        return [first, second + 1e-2]  # which rounding leaves alone

    monkeypatch.setattr(LoadedModel, "_run", wrong)
    spec = [InputSpec([None, 4096], "float32", "x")]
    with pytest.raises(VerificationError, match="when the saved model is compiled"):
        paddle.jit.save(Noise(), str(tmp_path / "m"), spec, verify=True)
    assert list(tmp_path.iterdir()) == []
