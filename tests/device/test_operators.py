"""Every operator gives on the simulated accelerator what it gives on the CPU."""

import numpy as np
import pytest

import twinoar as paddle
from tests.samples import every_sample
from twinoar.core.device import Device
from twinoar.core.op.definition import registry
from twinoar.eager.elsewhere import moved
from twinoar.eager.tensor import Tensor
from twinoar.testing.calls import arrays_of, call, is_float
from twinoar.testing.sample import samples_of

SIM = Device("sim", 0)
GOOD = [
    pytest.param(op, s, id=f"{op.name}-{i}")
    for op in registry.values()
    for i, s in enumerate(samples_of(op))
    if s.error is None and "anywhere" not in op.rules  # which say themselves where results lie
]
SMOOTH = [
    p
    for p in GOOD
    if p.values[1].gradient
    and not p.values[0].stops_gradients
    and any(map(is_float, arrays_of(p.values[1])))
]


def run(op, sample, device, wants_gradient=False):
    """The results of a call on a device, that of new tensors, and the gradients of its operands."""
    paddle.set_device(str(device))
    tensors = [
        Tensor(moved(a, device), not (wants_gradient and is_float(a))) for a in arrays_of(sample)
    ]
    out = call(op, sample, tensors)
    results = [x for x in (out if isinstance(out, (tuple, list)) else [out]) if x is not None]
    if wants_gradient:
        seen = [x for x in results if not x.stop_gradient]
        if seen:
            paddle.autograd.backward(seen, [paddle.ones_like(x) for x in seen])
    return results, [t.grad for t in tensors]


def assert_same(found, wanted, tolerance):
    for a, b in zip(found, wanted, strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            assert a.place == paddle.CustomPlace("sim", 0)
            np.testing.assert_allclose(
                a.numpy().astype(complex), b.numpy().astype(complex), tolerance, tolerance
            )


@every_sample(GOOD)
def test_results_are_those_of_the_cpu(op, sample, chip):
    found, _ = run(op, sample, SIM)
    wanted, _ = run(op, sample, Device("cpu"))
    assert_same(found, wanted, max(sample.tolerance, 1e-5))


@every_sample(SMOOTH)
def test_gradients_are_those_of_the_cpu(op, sample, chip):
    _, found = run(op, sample, SIM, wants_gradient=True)
    _, wanted = run(op, sample, Device("cpu"), wants_gradient=True)
    assert_same(found, wanted, max(sample.tolerance, 1e-4))
