"""Derived rules of division hold on every operator's samples, cut in two and in three."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

import twinoar as paddle
import twinoar.ops  # its effect is wanted: every operator is there
from twinoar.compile.element import has_element
from twinoar.core.interpreter import under
from twinoar.core.observer import OPERATOR
from twinoar.core.op.definition import registry
from twinoar.core.spec import Spec
from twinoar.distributed.auto_parallel.cutting import is_shared_by_all, part
from twinoar.distributed.auto_parallel.strategies import (
    SUM,
    local_attrs,
    partial_strategy,
    strategies,
)
from twinoar.eager.tensor import Tensor
from twinoar.errors import TwinoarError
from twinoar.testing.calls import arrays_of, gradients_eagerly, run_eagerly
from twinoar.testing.sample import samples_of

OFTEN = 3  # how often a way to divide an operator is tried
TOLERANCE, NARROW = 1e-4, 2e-2


class Calls:
    """Keeps the calls that run."""

    by_operator = True

    def __init__(self):
        self.found = []

    def started(self, call):
        return None

    def ended(self, call, results, began):
        if call.kind == OPERATOR and results is not None:
            self.found.append((call, results if isinstance(results, tuple) else (results,)))


def calls_of(op):
    """The calls of operators that the samples of `op` make, backward as well."""
    calls = Calls()
    for sample in samples_of(op):
        if sample.error is not None:
            continue
        arrays = arrays_of(sample)
        with under(observers=(calls,)):
            results = run_eagerly(op, sample, arrays)
            if sample.gradient and not op.stops_gradients:
                seeds = [np.ones_like(x) for x in results if x is not None and x.dtype.kind == "f"]
                try:
                    gradients_eagerly(op, sample, arrays, seeds)
                except (TwinoarError, ValueError):
                    continue
    return calls.found


def spec_of(x):
    return Spec(tuple(x.shape), x.dtype) if isinstance(x, Tensor) else x


COMBINED = {
    "sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min, "avg": np.mean, "any": np.any,
    "all": np.all,
}  # fmt: skip


def part_of(x, lie, rank, count):
    """The part of an array that a rank has."""
    if not isinstance(lie, int):
        return x
    start, end = part(x.shape[lie], rank, count)
    return np.ascontiguousarray(x[(slice(None),) * lie + (slice(start, end),)])


def parts(x, lie, count):
    """What each rank has: of sums, shares that no rank has nothing of."""
    if lie != SUM:
        return [part_of(x, lie, rank, count) for rank in range(count)]
    shares = np.arange(1, count + 1) / np.arange(1, count + 1).sum()
    return [np.asarray(x * share, x.dtype) for share in shares]


def whole_of(found, lie):
    """What the results of all ranks are together."""
    if isinstance(lie, int):
        return np.concatenate(found, lie)
    return found[0] if lie is None else COMBINED[lie](np.stack(found), axis=0)


def divided(call, results, strategy, count):
    """What `count` ranks give together under a strategy."""
    whole = spec_of(results[0])
    given = [
        parts(x.numpy(), lie, count) if isinstance(x, Tensor) else [x] * count
        for x, lie in zip(call.operands, strategy.takes, strict=True)
    ]
    ranks = []
    for rank in range(count):
        operands = [Tensor(x[rank]) if isinstance(x[rank], np.ndarray) else x[rank] for x in given]
        local = part_of(results[0].numpy(), strategy.gives[0], rank, count)
        attrs = local_attrs(call.op, call.attrs, whole, spec_of(Tensor(local)))
        found = call.op.function(*arguments(call.op, operands), **attrs)
        ranks.append(found if isinstance(found, tuple) else (found,))
    return [whole_of([r[n].numpy() for r in ranks], lie) for n, lie in enumerate(strategy.gives)]


def arguments(op, operands):
    """Operands as a call of the operator takes them."""
    fixed = len(op.operands) - 1
    return (*operands[:fixed], operands[fixed:]) if op.variadic else operands


def is_usable(strategy, call, results, count):
    """Whether each rank gets a part, of equal parts where they have to be."""
    pairs = zip((*call.operands, *results), (*strategy.takes, *strategy.gives), strict=True)
    sizes = [x.shape[lie] for x, lie in pairs if isinstance(lie, int)]
    return all(is_shared_by_all(n, count) and not (strategy.equal and n % count) for n in sizes)


def ways(call, results):
    """All ways to divide a call; sums of parts of one operand, and of all, among them."""
    operands, specs = [spec_of(x) for x in call.operands], [spec_of(r) for r in results]
    yield from strategies(call.op, operands, call.attrs, specs)
    floats = [k for k, x in enumerate(operands) if isinstance(x, Spec) and x.dtype.is_floating]
    for which in {frozenset([k]) for k in floats} | {frozenset(floats)}:
        linear = partial_strategy(call.op, operands, call.attrs, specs, which) if which else None
        if linear is not None:
            yield linear


def is_tensor(x):
    return isinstance(x, Tensor)


def is_narrow(x):
    return x.dtype.is_floating and x.numpy().itemsize <= 2


@pytest.mark.parametrize("op", registry.values(), ids=lambda op: op.name)
def test_parts_make_the_whole(op):
    seen = Counter()
    for call, results in calls_of(op):
        if call.op.takes_blocks or any(r is None for r in results):
            continue
        for strategy, count in itertools.product(ways(call, results), (2, 3)):
            case = call.op.name, strategy, count
            if seen[case] == OFTEN or not is_usable(strategy, call, results, count):
                continue
            seen[case] += 1
            for got, want in zip(divided(call, results, strategy, count), results, strict=True):
                narrow = any(map(is_narrow, (want, *filter(is_tensor, call.operands))))
                np.testing.assert_allclose(
                    np.asarray(got, np.complex128),
                    np.asarray(want.numpy(), np.complex128),
                    rtol=NARROW if narrow else TOLERANCE,
                    atol=NARROW if narrow else TOLERANCE,
                    err_msg=f"{call.op.name} {dict(call.attrs)}: {strategy} by {count}",
                )


def rules_of(name, shapes, results, **attrs):
    """The strategies of a call, as text."""
    given = [Spec(s, paddle.float32) for s in shapes]
    found = strategies(registry[name], given, attrs, [Spec(s, paddle.float32) for s in results])
    return sorted(map(str, found))


def test_rules_are_those_that_a_person_would_write():
    assert rules_of("matmul", [(4, 6), (6, 8)], [(4, 8)], transpose_x=False, transpose_y=False) == [
        "R, S1 -> S1", "S0, R -> S0", "S1, S0 -> P(sum)",
    ]  # fmt: skip
    assert rules_of("softmax", [(4, 6)], [(4, 6)], axis=1) == ["S0 -> S0"]
    for name, reduction in (("sum", "sum"), ("mean", "avg"), ("max", "max")):
        found = rules_of(name, [(4, 6)], [(6,)], axis=(0,), keepdim=False)
        assert found == [f"S0 -> P({reduction})", "S1 -> S0"]
    assert rules_of("transpose", [(4, 6)], [(6, 4)], perm=(1, 0)) == ["S0 -> S1", "S1 -> S0"]
    assert rules_of("reshape", [(4, 6)], [(24,)], shape=(24,)) == ["S0 -> S0"]


def test_most_operators_with_an_element_have_a_rule():
    """131 of 158 had one in the first attempt at deriving them."""
    found, those = set(), set()
    for op in registry.values():
        if not has_element(op):
            continue
        those.add(op.name)
        for call, results in calls_of(op):
            if call.op is op and None not in results and any(True for _ in ways(call, results)):
                found.add(op.name)
                break
    assert len(found) > 0.85 * len(those)


def test_what_a_procedure_computes_apart_may_be_cut():
    """Scans, sorts and decompositions have no element; they say what they compute together."""
    assert rules_of("cumsum", [(4, 6)], [(4, 6)], axis=-1, reverse=False) == ["S0 -> S0"]
    both = [(4, 6, 8)] * 2
    sort = rules_of("sort", both[:1], both, axis=1, descending=True)
    assert sort == ["S0 -> S0, S0", "S2 -> S2, S2"]
    mode = rules_of("mode", [(4, 6, 8)], [(4, 8)] * 2, axis=1, keepdim=False)
    assert mode == ["S0 -> S0, S0", "S2 -> S1, S1"]
    matrices = [(4, 6, 6), (4, 6, 2)]
    assert rules_of("solve", matrices, matrices[1:]) == ["S0, S0 -> S0"]
    assert rules_of("solve", [(6, 6), (4, 6, 2)], [(4, 6, 2)]) == []
    assert rules_of("determinant", [(4, 6, 6)], [(4,)]) == ["S0 -> S0"]
    assert rules_of("gcd", [(4, 1), (4, 6)], [(4, 6)]) == ["S0, S0 -> S0"]


def test_most_samples_of_what_computes_apart_can_be_cut():
    those = [op for op in registry.values() if "apart" in op.rules]
    found = [
        op.name
        for op in those
        if any(
            is_usable(strategy, call, results, 2)
            for call, results in calls_of(op)
            if call.op is op and None not in results
            for strategy in ways(call, results)
        )
    ]
    assert len(those) > 30
    assert len(found) > 0.85 * len(those), sorted({op.name for op in those} - set(found))
