"""What holds of every operator, shown on its samples."""

import ml_dtypes
import numpy as np
import pytest

import twinoar.ops  # noqa: F401  # its effect is wanted: every operator is there
from tests.samples import every_sample
from twinoar.core.ir.program import Block
from twinoar.core.op.definition import missing_rules, registry
from twinoar.eager.tensor import Tensor
from twinoar.testing import checks
from twinoar.testing.calls import arrays_of, build, call, is_float, run_eagerly
from twinoar.testing.sample import samples_of

EVERY = [
    (op, s, f"{op.name}-{i}") for op in registry.values() for i, s in enumerate(samples_of(op))
]
GOOD = [pytest.param(op, s, id=name) for op, s, name in EVERY if s.error is None]
BAD = [pytest.param(op, s, id=name) for op, s, name in EVERY if s.error is not None]
SMOOTH = [
    pytest.param(op, s, id=name)
    for op, s, name in EVERY
    if s.error is None
    and s.gradient
    and not op.stops_gradients
    and any(map(is_float, arrays_of(s)))
]


@pytest.mark.parametrize("op", registry.values(), ids=lambda op: op.name)
def test_operator_is_complete(op):
    assert missing_rules(op) == [] and op.doc


@every_sample(GOOD)
def test_inference_equals_kernel(op, sample):
    checks.inference(op, sample)


@every_sample(GOOD)
def test_eager_equals_static(op, sample):
    checks.eager_and_static(op, sample)


@every_sample(GOOD)
def test_text_parses_back(op, sample):
    checks.text(op, sample)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@every_sample([p for p in SMOOTH if p.values[1].half])
def test_half_precision_keeps_its_dtype(op, sample, dtype):
    half = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}[dtype]
    arrays = [a.astype(half) if is_float(a) else a for a in arrays_of(sample)]
    program = build(op, sample, arrays)
    specs = [v.spec for v in program.main.outputs]
    for spec, array in zip(specs, run_eagerly(op, sample, arrays), strict=True):
        assert array.dtype == spec.dtype.numpy


@every_sample(SMOOTH)
def test_first_gradient_is_the_slope(op, sample):
    checks.first_gradient(op, sample)


@every_sample([p for p in SMOOTH if p.values[1].second])
def test_second_gradient_is_the_slope_of_the_first(op, sample):
    checks.second_gradient(op, sample)


@every_sample(SMOOTH)
def test_static_gradients_equal_eager_ones(op, sample):
    checks.static_gradients(op, sample)


@every_sample(BAD)
def test_wrong_call_is_refused_eagerly_with_context(op, sample):
    with pytest.raises(sample.error) as caught:
        call(op, sample, [Tensor(a) for a in arrays_of(sample)])
    check_message(caught.value, op, sample)


@every_sample([p for p in BAD if p.values[1].static_error])
def test_wrong_call_is_refused_statically_with_context(op, sample):
    with pytest.raises(sample.error) as caught:
        build(op, sample)
    check_message(caught.value, op, sample)


def check_message(error, op, sample):
    text = str(error)
    assert sample.match in text
    assert error.source is not None and "tests" in error.source.file
    if error.operator is not None:
        assert error.operator in text


@every_sample(GOOD)
def test_nested_blocks_are_closed(op, sample):
    for o in build(op, sample).main.walk():
        assert all(isinstance(b, Block) for b in o.blocks.values())
