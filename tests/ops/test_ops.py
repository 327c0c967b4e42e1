"""What holds of every operator, shown on its samples."""

from __future__ import annotations

import importlib
import pkgutil

import ml_dtypes
import numpy as np
import pytest

import twinoar.ops
from tests.ops.calls import (
    append_gradients,
    arrays_of,
    build,
    call,
    execute,
    gradients_eagerly,
    is_float,
    run_eagerly,
    second_gradients_eagerly,
)
from twinoar.core.builder import infer
from twinoar.core.ir import Block
from twinoar.core.op import missing_rules, registry
from twinoar.core.parse import parse
from twinoar.core.sample import samples_of
from twinoar.core.spec import Spec
from twinoar.core.verify import verify
from twinoar.eager.tensor import Tensor

for module in pkgutil.iter_modules(twinoar.ops.__path__):
    importlib.import_module(f"twinoar.ops.{module.name}")

EVERY = [
    (op, s, f"{op.name}-{i}") for op in registry.values() for i, s in enumerate(samples_of(op))
]
GOOD = [pytest.param(op, s, id=name) for op, s, name in EVERY if s.error is None]
BAD = [pytest.param(op, s, id=name) for op, s, name in EVERY if s.error is not None]
SMOOTH = [
    pytest.param(op, s, id=name)
    for op, s, name in EVERY
    if s.error is None and s.gradient and any(map(is_float, arrays_of(s)))
]
STEP = 1e-6


def in_float64(sample):
    return [a.astype(np.float64) if is_float(a) else a for a in arrays_of(sample)]


def close(a, b, tolerance):
    """Compare in float64; `tolerance` is relative, and absolute around zero."""
    assert a.shape == b.shape and a.dtype == b.dtype
    if a.dtype.kind in "fcV":
        a, b = (x.astype(np.complex128 if x.dtype.kind == "c" else np.float64) for x in (a, b))
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)
    else:
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("op", registry.values(), ids=lambda op: op.name)
def test_operator_is_complete(op):
    assert missing_rules(op) == [] and op.doc


@pytest.mark.parametrize(("op", "sample"), GOOD)
def test_inference_equals_kernel(op, sample):
    arrays = arrays_of(sample)
    results = run_eagerly(op, sample)
    (operator,) = [o for o in build(op, sample).main.ops if o.op is op][-1:] or [None]
    specs = infer(op, operator.operands, operator.attrs)
    assert len(specs) == len(results)
    for spec, array in zip(specs, results, strict=True):
        assert isinstance(spec, Spec)
        assert spec.dtype.numpy == array.dtype
        assert len(spec.shape) == array.ndim
        assert all(d is None or d == n for d, n in zip(spec.shape, array.shape, strict=True)), (
            spec,
            array.shape,
        )
    for before, after in zip(arrays_of(sample), arrays, strict=True):
        np.testing.assert_array_equal(before, after, err_msg="the kernel wrote into an operand")


@pytest.mark.parametrize(("op", "sample"), GOOD)
def test_eager_equals_static(op, sample):
    program = verify(build(op, sample))
    for a, b in zip(run_eagerly(op, sample), execute(program, arrays_of(sample)), strict=True):
        close(a, b, sample.tolerance)


@pytest.mark.parametrize(("op", "sample"), GOOD)
def test_text_parses_back(op, sample):
    program = build(op, sample)
    text = str(program)
    again = parse(text)
    assert str(again) == text
    for a, b in zip(
        execute(program, arrays_of(sample)), execute(again, arrays_of(sample)), strict=True
    ):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize(("op", "sample"), [p for p in SMOOTH if p.values[1].half])
def test_half_precision_keeps_its_dtype(op, sample, dtype):
    half = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}[dtype]
    arrays = [a.astype(half) if is_float(a) else a for a in arrays_of(sample)]
    program = build(op, sample, arrays)
    specs = [v.spec for v in program.main.outputs]
    for spec, array in zip(specs, run_eagerly(op, sample, arrays), strict=True):
        assert array.dtype == spec.dtype.numpy


def seeds_and_weights(op, sample, arrays):
    random = np.random.default_rng(7)
    results = run_eagerly(op, sample, arrays)
    seeds = [np.asarray(random.standard_normal(a.shape), a.dtype) for a in results if is_float(a)]
    weights = [random.standard_normal(a.shape) for a in arrays if is_float(a)]
    return seeds, [np.asarray(w) for w in weights]


def weighted(results, seeds):
    return sum(
        float((a.astype(np.float64) * s).sum())
        for a, s in zip(filter(is_float, results), seeds, strict=True)
    )


def moved(arrays, directions, step):
    remaining = iter(directions)
    return [np.asarray(a + step * next(remaining)) if is_float(a) else a for a in arrays]


@pytest.mark.parametrize(("op", "sample"), SMOOTH)
def test_first_gradient_is_the_slope(op, sample):
    arrays = in_float64(sample)
    seeds, directions = seeds_and_weights(op, sample, arrays)
    ups, downs = (run_eagerly(op, sample, moved(arrays, directions, s)) for s in (STEP, -STEP))
    slope = (weighted(ups, seeds) - weighted(downs, seeds)) / (2 * STEP)
    found = gradients_eagerly(op, sample, arrays, seeds)
    derivative = sum(
        float((g * d).sum()) for g, d in zip(found, directions, strict=True) if g is not None
    )
    for g, a in zip(found, filter(is_float, arrays), strict=True):
        assert g is None or (g.shape == a.shape and g.dtype == a.dtype)
    assert derivative == pytest.approx(slope, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(("op", "sample"), [p for p in SMOOTH if p.values[1].second])
def test_second_gradient_is_the_slope_of_the_first(op, sample):
    arrays = in_float64(sample)
    seeds, directions = seeds_and_weights(op, sample, arrays)
    weights = [np.random.default_rng(8).standard_normal(d.shape) for d in directions]

    def first(step):
        found = gradients_eagerly(op, sample, moved(arrays, directions, step), seeds)
        return sum(
            float((g * w).sum()) for g, w in zip(found, weights, strict=True) if g is not None
        )

    slope = (first(STEP) - first(-STEP)) / (2 * STEP)
    _, seconds = second_gradients_eagerly(op, sample, arrays, seeds, weights)
    derivative = sum(
        float((g * d).sum()) for g, d in zip(seconds, directions, strict=True) if g is not None
    )
    assert derivative == pytest.approx(slope, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize(("op", "sample"), SMOOTH)
def test_static_gradients_equal_eager_ones(op, sample):
    arrays = in_float64(sample)
    seeds, weights = seeds_and_weights(op, sample, arrays)
    program = build(op, sample, arrays)
    wanted = [v for v in program.main.inputs if not v.stop_gradient]
    seed_variables = [program.main.add_input(Tensor(s).spec) for s in seeds]
    firsts = append_gradients(program, seed_variables, wanted)
    expected_first = gradients_eagerly(op, sample, arrays, seeds)
    assert [g is None for g in firsts] == [g is None for g in expected_first]
    program.main.outputs = [g for g in firsts if g is not None]
    verify(parse(str(program)))
    found = execute(verify(program), [*arrays, *seeds])
    for a, b in zip(found, [g for g in expected_first if g is not None], strict=True):
        close(a, b, 1e-9)
    if sample.second:
        _, expected_second = second_gradients_eagerly(op, sample, arrays, seeds, weights)
        check_second(program, wanted, firsts, arrays, seeds, weights, expected_second)


def check_second(program, wanted, firsts, arrays, seeds, weights, expected):
    pairs = [
        (g, w)
        for g, w in zip(firsts, weights, strict=True)
        if g is not None and not g.stop_gradient
    ]
    if not pairs:
        return
    program.main.outputs = [g for g, _ in pairs]
    weight_variables = [program.main.add_input(Tensor(w).spec) for _, w in pairs]
    seconds = append_gradients(program, weight_variables, wanted)
    program.main.outputs = [g for g in seconds if g is not None]
    found = iter(execute(verify(program), [*arrays, *seeds, *(w for _, w in pairs)]))
    for g, e in zip(seconds, expected, strict=True):
        if g is not None and e is not None:
            close(next(found), e, 1e-8)


@pytest.mark.parametrize(("op", "sample"), BAD)
def test_wrong_call_is_refused_eagerly_with_context(op, sample):
    with pytest.raises(sample.error) as caught:
        call(op, sample, [Tensor(a) for a in arrays_of(sample)])
    check_message(caught.value, op, sample)


@pytest.mark.parametrize(("op", "sample"), [p for p in BAD if p.values[1].static_error])
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


@pytest.mark.parametrize(("op", "sample"), GOOD)
def test_nested_blocks_are_closed(op, sample):
    for o in build(op, sample).main.walk():
        assert all(isinstance(b, Block) for b in o.blocks.values())
