"""Recurrent networks as one operator: sequences whose length only a run knows."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config
from twinoar.jit import to_static
from twinoar.ops.sequence.recurrent import rnn
from twinoar.static import InputSpec
from twinoar.testing.sample import samples_of

SAMPLES = [s for s in samples_of(rnn) if s.error is None]


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("sample", SAMPLES, ids=range(len(SAMPLES)))
def test_a_length_that_only_a_run_knows_makes_no_difference(sample, backend):
    (x, *states), weights = (
        [None if a is None else paddle.to_tensor(a) for a in part]
        for part in (sample.args[:4], sample.args[4])
    )

    def run(x):
        return rnn(x, *states, weights, **sample.kwargs)

    with config.override(backend=backend):
        found = to_static(run, input_spec=[InputSpec([None, 2, 4])])(x)
    for a, b in zip(found, run(x), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5, atol=1e-6)


def test_times_after_the_end_of_a_sequence_give_zeros_and_keep_the_state():
    sample = SAMPLES[2]  # in both directions, with lengths
    x, h, c, length = sample.args[:4]
    states = map(paddle.to_tensor, (x, h, c, length))
    out, last, _ = rnn(*states, [*map(paddle.to_tensor, sample.args[4])], **sample.kwargs)
    for n, count in enumerate(length):
        assert not out.numpy()[count:, n].any()
        np.testing.assert_array_equal(last.numpy()[0, n], out.numpy()[count - 1, n, :3])
        np.testing.assert_array_equal(last.numpy()[1, n], out.numpy()[0, n, 3:])
