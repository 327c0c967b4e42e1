"""Functions of fluid.layers give what Paddle 1.8.5 gave, at once and in Programs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.fluid.layers.evaluate import RECORDED, at_once, in_a_program, of_any_batch
from twinoar.errors import ProgramError

MAKES_STATES = {  # of a Program: where operators run at once, a layer of nn is made once
    "GRUCell", "LSTMCell", "auc", "autoincreased_step_counter", "batch_norm",
    "bilinear_tensor_product", "center_loss", "conv2d", "conv2d_transpose", "conv3d",
    "conv3d_transpose", "create_global_var", "data_norm", "deformable_conv", "embedding", "fc",
    "gru_unit", "layer_norm", "lstm_unit", "prelu", "rnn", "row_conv", "spectral_norm",
}  # fmt: skip


WANTS_KNOWN_SIZES = (
    "L.rnn(L.GRUCell(2, C(0.1), C(0.2)), T(np.arange(6).reshape(3, 1, 2) / 10), time_major",
    "L.spectral_norm(",
    "L.squeeze(T(np.zeros((1, 2, 1))), [])",  # only a size that is known to be 1 goes
)


@pytest.mark.parametrize(
    "evaluate",
    [at_once, in_a_program, of_any_batch],
    ids=["at_once", "in_a_program", "of_any_batch"],
)
@pytest.mark.parametrize("case", RECORDED)
def test_the_results_are_those_of_paddle(case: str, evaluate) -> None:
    if evaluate is at_once and case.removeprefix("L.").partition("(")[0] in MAKES_STATES:
        with pytest.raises(ProgramError, match="none is being built"):
            evaluate(case)
        return
    if evaluate is of_any_batch and case.startswith(WANTS_KNOWN_SIZES):
        pytest.skip("it asks for sizes that are known")
    found, expected = evaluate(case), RECORDED[case]
    assert [[a.dtype.name, list(a.shape)] for a in found] == [e[:2] for e in expected]
    for array, (_, _, flat) in zip(found, expected, strict=True):
        np.testing.assert_allclose(array.reshape(-1), np.array(flat), rtol=1e-5, atol=1e-6)
