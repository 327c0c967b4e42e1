"""Every function of fluid.layers gives what Paddle 1.8.5 gave, at once and in a Program."""

from __future__ import annotations

import numpy as np
import pytest

from tests.fluid.layers.evaluate import RECORDED, at_once, in_a_program

IN_PROGRAMS_ALONE = ("auc", "autoincreased_step_counter", "create_global_var")


@pytest.mark.parametrize("evaluate", [at_once, in_a_program], ids=["at_once", "in_a_program"])
@pytest.mark.parametrize("case", RECORDED)
def test_the_results_are_those_of_paddle(case: str, evaluate) -> None:
    if evaluate is at_once and case.startswith(tuple(f"L.{name}(" for name in IN_PROGRAMS_ALONE)):
        pytest.skip("what it makes lives in a Program")
    found, expected = evaluate(case), RECORDED[case]
    assert [[a.dtype.name, list(a.shape)] for a in found] == [e[:2] for e in expected]
    for array, (_, _, flat) in zip(found, expected, strict=True):
        np.testing.assert_allclose(array.reshape(-1), np.array(flat), rtol=1e-5, atol=1e-6)
