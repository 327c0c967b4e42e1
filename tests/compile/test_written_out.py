"""Loops that are written out as statements: which, and which stay loops."""

import numpy as np
import pytest

import twinoar
from twinoar.compile import pipeline
from twinoar.compile.schedule import Loop
from twinoar.ops.conv.winograd import winograd_filter, winograd_input
from twinoar.ops.window.patches import patches


def stores(body):
    return sum(stores(s.body) if isinstance(s, Loop) else 1 for s in body)


@pytest.mark.parametrize(
    "function,shape,count",
    [
        (lambda x: patches(x, (3, 3), (1, 1), (1, 1, 1, 1)), (2, 64, 4, 4), 9),
        (lambda x: winograd_input(x, (1, 1, 1, 1)), (2, 6, 6, 32), 16),
        (lambda w: winograd_filter(w), (16, 16, 3, 3), 16),
        (lambda x: twinoar.nn.functional.relu(x), (8, 6, 6, 32), 1),  # asks elements, not counters
        (lambda x: patches(x, (5, 5)), (2, 64, 6, 6), 1),  # 25 statements are too many
        (lambda x: patches(x, (3, 3)), (2, 2, 4, 4), 1),  # 2 channels fill no vector
    ],
    ids=["windows", "tiles", "filters", "relu", "large windows", "few channels"],
)
def test_narrow_loops_are_statements_where_others_fill_vectors(function, shape, count, monkeypatch):
    nests = []
    schedule = pipeline.schedule

    def watched(kernel):
        nests.append(schedule(kernel))
        return nests[-1]

    monkeypatch.setattr(pipeline, "schedule", watched)
    x = twinoar.to_tensor(np.random.default_rng(0).standard_normal(shape).astype("float32"))
    with twinoar.config.override(backend="native"):
        found = twinoar.jit.to_static(function)(x)
    with twinoar.config.override(backend="numpy"):
        np.testing.assert_allclose(found.numpy(), function(x).numpy(), rtol=1e-5, atol=1e-5)
    assert max(stores(nest.body) for nest in nests) == count
