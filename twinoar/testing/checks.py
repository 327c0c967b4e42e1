"""What holds of every operator, shown on its samples: each check raises where one does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from twinoar.backends import native
from twinoar.backends.choice import is_native
from twinoar.backends.numpy import NumpyExecutable
from twinoar.core.ir.builder import infer
from twinoar.core.ir.parse import parse
from twinoar.core.ir.program import Program, Variable, copy_program
from twinoar.core.ir.verify import verify
from twinoar.core.op.definition import Op, operator_of
from twinoar.core.spec import Spec
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, TypeMismatchError, VerificationError
from twinoar.passes.pipeline import lower
from twinoar.testing.calls import (
    append_gradients,
    arrays_of,
    build,
    execute,
    gradients_eagerly,
    is_float,
    run_eagerly,
    second_gradients_eagerly,
)
from twinoar.testing.sample import Sample, SampleMaker

STEP = 1e-6  # of finite differences
ULPS = 64  # natively sums come in another order, and functions are rounded otherwise
Arrays = list[np.ndarray]


def check(op: Op, *args: Any, tolerance: float = 1e-5, **kwargs: Any) -> str:
    """Hold an operator against itself: its rules, its modes and its gradients must agree.

    args, kwargs: a call of it, with arrays or Tensors for operands; without any, its samples are
    taken (`@name.samples`). Checked are inference against the kernel, eager against static mode,
    the text of the Program, native code against NumPy, and first and second gradients against
    finite differences, in float64. tolerance: relative, of results in float32. Returns a line for
    each check. Raises VerificationError, which names the operator, the check and the difference.

    >>> import numpy as np
    >>> from twinoar import custom
    >>> @custom.elementwise
    ... def cubed(x):
    ...     return x * x * x
    >>> print(custom.check(cubed, np.linspace(-1, 1, 5, dtype="float32")).splitlines()[0])
    cubed: inference is what the kernel gives
    """
    found = operator_of(op)
    if found is None:
        raise TypeMismatchError(f"check wants an operator, received {type(op).__name__}")
    op = found
    samples = [_sample(args, kwargs, tolerance)] if args or kwargs else _samples(op)
    lines = []
    for description, one in CHECKS.items():
        for sample in samples:
            if one in OF_GRADIENTS and not _is_smooth(op, sample):
                continue
            if one in OF_NATIVE_CODE and not is_native():
                continue
            try:
                one(op, sample)
            except VerificationError as error:
                raise VerificationError(
                    f"{op.name}: it does not hold that {description}: {error.message}",
                    cure=f"the call was {op.name}{_shown(sample)}",
                ) from error
            line = f"{op.name}: {description}"
            if line not in lines:
                lines.append(line)
    return "\n".join(lines)


def _sample(args: tuple, kwargs: dict, tolerance: float) -> Sample:
    plain = [x.numpy() if isinstance(x, Tensor) else x for x in args]
    named = {k: x.numpy() if isinstance(x, Tensor) else x for k, x in kwargs.items()}
    return Sample(tuple(plain), named, tolerance=tolerance)


def _samples(op: Op) -> list[Sample]:
    if "samples" not in op.rules:
        raise ArgumentError(
            f"{op.name} has no samples to be checked on",
            cure=f"give a call, check({op.name}, array, ...), or define @{op.name}.samples",
        )
    return [s for s in op.rules["samples"](SampleMaker(op.name)) if s.error is None]


def _is_smooth(op: Op, sample: Sample) -> bool:
    has_gradient = not op.stops_gradients and (op.body is not None or op.grad_rule is not None)
    return has_gradient and sample.gradient and any(map(is_float, arrays_of(sample)))


def _shown(sample: Sample) -> str:
    def shown(x: Any) -> str:
        return str(Tensor(x).spec) if isinstance(x, np.ndarray) else repr(x)

    given = [shown(x) for x in sample.args] + [f"{k}={shown(x)}" for k, x in sample.kwargs.items()]
    return f"({', '.join(given)})"


def require(condition: bool, message: str) -> None:
    """Raise VerificationError unless the condition holds."""
    if not condition:
        raise VerificationError(message)


def close(a: np.ndarray, b: np.ndarray, tolerance: float) -> None:
    """Two arrays are equal in shape, dtype, and within the tolerance in their elements.

    It is relative, and absolute around zero; integers are equal.
    """
    require(
        a.shape == b.shape and a.dtype == b.dtype,
        f"{a.dtype}{list(a.shape)} stands against {b.dtype}{list(b.shape)}",
    )
    if a.dtype.kind in "fcV":
        a, b = (x.astype(np.complex128 if x.dtype.kind == "c" else np.float64) for x in (a, b))
    else:
        tolerance = 0.0
    _require_near(a, b, tolerance, tolerance)


def _require_near(a: np.ndarray, b: np.ndarray, relative: float, absolute: float) -> None:
    try:
        np.testing.assert_allclose(a, b, rtol=relative, atol=absolute)
    except AssertionError as error:
        raise VerificationError(str(error).strip()) from None


def in_float64(sample: Sample) -> Arrays:
    """The arrays of a sample, floating ones in float64."""
    return [a.astype(np.float64) if is_float(a) else a for a in arrays_of(sample)]


def inference(op: Op, sample: Sample) -> None:
    """Inferred specs are those of what the kernel gives, which writes into no operand."""
    arrays = arrays_of(sample)
    kept = [a.copy() for a in arrays]
    results = run_eagerly(op, sample, arrays)
    operators = [o for o in build(op, sample).main.ops if o.op is op]
    specs = infer(op, operators[-1].operands, operators[-1].attrs)
    require(len(specs) == len(results), f"{len(specs)} results are inferred, {len(results)} given")
    for spec, array in zip(specs, results, strict=True):
        fits = (
            isinstance(spec, Spec)
            and spec.dtype.numpy == array.dtype
            and len(spec.shape) == array.ndim
            and all(d is None or d == n for d, n in zip(spec.shape, array.shape, strict=True))
        )
        require(fits, f"{spec} is inferred, {array.dtype}{list(array.shape)} given")
    for before, after in zip(kept, arrays, strict=True):
        same = np.array_equal(before, after, equal_nan=is_float(before))
        require(same, "the kernel wrote into an operand")


def eager_and_static(op: Op, sample: Sample) -> None:
    """A Program gives what eager mode gives."""
    program = verify(build(op, sample))
    for a, b in zip(run_eagerly(op, sample), execute(program, arrays_of(sample)), strict=True):
        close(a, b, sample.tolerance)


def text(op: Op, sample: Sample) -> None:
    """The text of a Program parses back to one that computes the same bits."""
    program = build(op, sample)
    printed = str(program)
    again = parse(printed)
    require(str(again) == printed, f"{printed}\nparses back to\n{again}")
    for a, b in zip(
        execute(program, arrays_of(sample)), execute(again, arrays_of(sample)), strict=True
    ):
        close(a, b, 0.0)


def on_both(program: Program, arrays: Arrays) -> tuple[Arrays, Arrays]:
    """The outputs of a Program on NumPy, and natively."""
    lowered, _ = copy_program(program)
    oracle = NumpyExecutable(lower(lowered))
    feeds = dict(zip(oracle.feed_names, arrays, strict=True))
    return oracle.run(feeds, {})[0], native.NativeExecutable(program, native.host()).run(feeds, {})[
        0
    ]


def agree(native: np.ndarray, wanted: np.ndarray, tolerance: float) -> None:
    """What native code gives is what NumPy gives, up to rounding on the way."""
    if wanted.dtype.kind not in "fc":
        close(native, wanted, 0.0)
        return
    wide = np.complex128 if wanted.dtype.kind == "c" else np.float64
    width = 1e-2 if wanted.dtype.itemsize == 2 else np.finfo(wanted.dtype).eps * ULPS
    bound = max(tolerance, width)
    scale = np.abs(wanted.astype(wide))
    largest = scale[np.isfinite(scale)].max(initial=1.0)
    require(
        native.shape == wanted.shape and native.dtype == wanted.dtype,
        f"{native.dtype}{list(native.shape)} stands against {wanted.dtype}{list(wanted.shape)}",
    )
    _require_near(native.astype(wide), wanted.astype(wide), bound, bound * largest)


def native_results(op: Op, sample: Sample) -> None:
    """Native code gives what the NumPy kernel gives."""
    wanted, found = on_both(build(op, sample), arrays_of(sample))
    for a, b in zip(found, wanted, strict=True):
        agree(a, b, sample.tolerance)


def native_gradients(op: Op, sample: Sample) -> None:
    """Native code gives the gradients that NumPy kernels give."""
    program = build(op, sample)
    inputs = [v for v in program.main.inputs if not v.stop_gradient]
    values = [a for a in run_eagerly(op, sample) if a is not None]
    results = [
        (v, a) for v, a in zip(program.main.outputs, values, strict=True) if not v.stop_gradient
    ]
    seeds = [program.main.add_input(v.spec) for v, _ in results]
    found = append_gradients(program, seeds, inputs)
    program.main.outputs = [v for v in found if isinstance(v, Variable)]
    generator = np.random.default_rng(0)
    arrays = [generator.standard_normal(a.shape).astype(a.dtype) for _, a in results]
    wanted, compiled = on_both(program, [*arrays_of(sample), *arrays])
    for a, b in zip(compiled, wanted, strict=True):
        agree(a, b, sample.tolerance)


def seeds_and_weights(op: Op, sample: Sample, arrays: Arrays) -> tuple[Arrays, Arrays]:
    """Random numbers for each floating result, and for each floating operand."""
    random = np.random.default_rng(7)
    results = run_eagerly(op, sample, arrays)
    seeds = [np.asarray(random.standard_normal(a.shape), a.dtype) for a in results if is_float(a)]
    weights = [random.standard_normal(a.shape) for a in arrays if is_float(a)]
    return seeds, [np.asarray(w) for w in weights]


def _weighted(results: Any, seeds: Arrays) -> float:
    return sum(
        float((a.astype(np.float64) * s).sum())
        for a, s in zip(filter(is_float, results), seeds, strict=True)
    )


def _moved(arrays: Arrays, directions: Arrays, step: float) -> Arrays:
    remaining = iter(directions)
    return [np.asarray(a + step * next(remaining)) if is_float(a) else a for a in arrays]


def _require_slope(derivative: float, slope: float, relative: float, absolute: float) -> None:
    bound = max(relative * abs(slope), absolute)
    require(
        abs(derivative - slope) <= bound,
        f"the derivative is {derivative:.9g}, the slope {slope:.9g}",
    )


def first_gradient(op: Op, sample: Sample) -> None:
    """The first gradient is the slope of the results, by finite differences."""
    arrays = in_float64(sample)
    seeds, directions = seeds_and_weights(op, sample, arrays)
    ups, downs = (run_eagerly(op, sample, _moved(arrays, directions, s)) for s in (STEP, -STEP))
    slope = (_weighted(ups, seeds) - _weighted(downs, seeds)) / (2 * STEP)
    found = gradients_eagerly(op, sample, arrays, seeds)
    for g, a in zip(found, filter(is_float, arrays), strict=True):
        require(
            g is None or (g.shape == a.shape and g.dtype == a.dtype),
            "the gradient is not of the shape and dtype of its operand",
        )
    _require_slope(_along(found, directions), slope, 1e-5, 1e-6)


def second_gradient(op: Op, sample: Sample) -> None:
    """The second gradient is the slope of the first."""
    if not sample.second:
        return
    arrays = in_float64(sample)
    seeds, directions = seeds_and_weights(op, sample, arrays)
    weights = [np.random.default_rng(8).standard_normal(d.shape) for d in directions]

    def first(step: float) -> float:
        return _along(
            gradients_eagerly(op, sample, _moved(arrays, directions, step), seeds), weights
        )

    slope = (first(STEP) - first(-STEP)) / (2 * STEP)
    _, seconds = second_gradients_eagerly(op, sample, arrays, seeds, weights)
    _require_slope(_along(seconds, directions), slope, 1e-4, 1e-5)


def _along(gradients: Any, directions: Arrays) -> float:
    return sum(
        float((g * d).sum()) for g, d in zip(gradients, directions, strict=True) if g is not None
    )


def static_gradients(op: Op, sample: Sample) -> None:
    """A Program's gradients, first and second, are those of eager mode."""
    arrays = in_float64(sample)
    seeds, weights = seeds_and_weights(op, sample, arrays)
    program = build(op, sample, arrays)
    wanted = [v for v in program.main.inputs if not v.stop_gradient]
    seed_variables = [program.main.add_input(Tensor(s).spec) for s in seeds]
    firsts = append_gradients(program, seed_variables, wanted)
    expected = gradients_eagerly(op, sample, arrays, seeds)
    require(
        [g is None for g in firsts] == [g is None for g in expected],
        "an operand has a gradient in one mode alone",
    )
    program.main.outputs = [g for g in firsts if g is not None]
    verify(parse(str(program)))
    found = execute(verify(program), [*arrays, *seeds])
    for a, b in zip(found, [g for g in expected if g is not None], strict=True):
        close(a, b, 1e-9)
    if sample.second:
        _, seconds = second_gradients_eagerly(op, sample, arrays, seeds, weights)
        pairs = list(_differentiable(firsts, weights))
        _static_seconds(program, wanted, pairs, [*arrays, *seeds], seconds)


def _differentiable(firsts: list, weights: Arrays) -> Iterator[tuple[Variable, np.ndarray]]:
    for g, w in zip(firsts, weights, strict=True):
        if g is not None and not g.stop_gradient:
            yield g, w


def _static_seconds(
    program: Program, wanted: list, pairs: list, arrays: Arrays, expected: list
) -> None:
    """The gradients of first gradients by their weights, against what is expected."""
    if not pairs:
        return
    program.main.outputs = [g for g, _ in pairs]
    weight_variables = [program.main.add_input(Tensor(w).spec) for _, w in pairs]
    seconds = append_gradients(program, weight_variables, wanted)
    program.main.outputs = [g for g in seconds if g is not None]
    found = iter(execute(verify(program), [*arrays, *(w for _, w in pairs)]))
    for g, e in zip(seconds, expected, strict=True):
        if g is not None and e is not None:
            close(next(found), e, 1e-8)


OF_GRADIENTS = {first_gradient, second_gradient, static_gradients, native_gradients}
OF_NATIVE_CODE = {native_results, native_gradients}
CHECKS: dict[str, Callable[[Op, Sample], None]] = {
    "inference is what the kernel gives": inference,
    "a Program gives what eager mode gives": eager_and_static,
    "a Program's text parses back": text,
    "native code gives what the NumPy kernel gives": native_results,
    "the gradient is the slope of the result": first_gradient,
    "the second gradient is the slope of the first": second_gradient,
    "a Program's gradients are those of eager mode": static_gradients,
    "native gradients are those of NumPy": native_gradients,
}
