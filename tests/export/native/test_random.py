"""Programs made at random, with branches and loops and without: as NumPy computes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from tests.backends.random_control import random_control
from tests.backends.random_programs import Made, random_program
from tests.export.native.exported import here
from twinoar.backends.numpy import NumpyExecutable
from twinoar.core.ir.program import copy_program
from twinoar.export.native import export
from twinoar.export.native.loaded import LoadedLibrary
from twinoar.passes.pipeline import lower
from twinoar.testing.checks import agree

FAILS = 18  # the seed of a Program one of whose assertions does not hold
TOLERANCE = 1e-9  # of float64


def by_numpy(made: Made) -> list[np.ndarray]:
    oracle = NumpyExecutable(lower(copy_program(made.program)[0]))
    feeds = dict(zip(oracle.feed_names, made.feeds, strict=True))
    return list(oracle.run(feeds, made.states)[0])


def library(made: Made, folder: Path) -> LoadedLibrary:
    """The Program, which changes no state, as a library."""
    made.program.updates.clear()
    for name, array in made.states.items():
        made.program.states[name].data = paddle.to_tensor(array)
    return LoadedLibrary(export(made.program, str(folder), target=here(), name="net")[0])


@pytest.mark.parametrize("seed", [2, 5, 11, 23, 31])
def test_branches_and_loops_give_the_same_bits(seed, tmp_path):
    made = random_control(seed)
    found = library(made, tmp_path).run(*made.feeds)
    for x, y in zip(found, by_numpy(made), strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("seed", [1, 7, 19])
def test_straight_programs_agree(seed, tmp_path):
    made = random_program(seed)
    found = library(made, tmp_path).run(*made.feeds)
    for x, y in zip(found, by_numpy(made), strict=True):
        agree(x, np.asarray(y), TOLERANCE)


def test_an_assertion_that_does_not_hold_is_told(tmp_path):
    made = random_control(FAILS)
    with pytest.raises(ValueError, match="assert does not hold"):
        library(made, tmp_path).run(*made.feeds)
