"""The rules of operators in the loop language say what their NumPy kernels say."""

import ml_dtypes
import numpy as np
import pytest

from tests.ops.test_ops import BAD, GOOD
from tests.samples import every_sample
from twinoar import config
from twinoar.backends.host import host
from twinoar.backends.native.executable import NativeExecutable
from twinoar.compile.commands import If, Unless, While
from twinoar.compile.element import has_element, result_reader
from twinoar.compile.evaluation import elements, reader_of
from twinoar.core.dtype import BY_NUMPY
from twinoar.core.ir.program import Variable
from twinoar.core.loop.expression import Axis, axis_value, walk
from twinoar.core.op.definition import registry
from twinoar.core.spec import Spec
from twinoar.testing.calls import arrays_of, build, execute, is_float, run_eagerly
from twinoar.testing.checks import close

LONGEST_HOST_LIST = 15  # operators whose `host` rule says why compiled Programs call Python
COMMANDS = {
    "assert": [Unless],
    "if": [If],
    "while": [While],
    "while_gradient": [While, While],
    "while_second_gradient": [While, While, While, While],
}
DECLINES = {
    "arange": "bounds that are data",
    "concat": "more than eight parts, each of which a procedure copies",
    "constant": "elements that differ: they are data",
    "floor_divide": "float64, whose steps the data counts: a procedure",
    "linspace": "a number of elements that is data",
    "pow": "an integer to a negative number, an error",
    "remainder": "float64, whose steps the data counts: a procedure",
    "stack": "more than eight parts, each of which a procedure copies",
}
VIEWS = {
    "broadcast_to", "diagonal", "flatten", "flip", "reshape", "slice", "split", "squeeze",
    "strided_slice", "transpose", "unbind", "unsqueeze",
}  # fmt: skip

RULED = [p for p in GOOD if has_element(p.values[0])]
HALF = [
    p
    for p in RULED
    if p.values[1].half and p.values[1].gradient and any(map(is_float, arrays_of(p.values[1])))
]
ROUNDED = 0.03  # how far 16-bit floats may be when one side rounds at each step
NUMBERS = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 7.0, 1e10, -1e10]
OUT_OF_RANGE = [
    p
    for p in BAD
    if has_element(p.values[0])
    and "is out of range" in p.values[1].match
    and not p.values[1].static_error
]


def has_only_floats(sample):
    arrays = arrays_of(sample)
    return bool(arrays) and all(map(is_float, arrays))


def is_pointwise(op):
    return "scalar" in op.rules or op.name in ("clip", "floor_divide", "pow", "remainder")


FIRST = {p.values[0].name: p for p in reversed(RULED) if has_only_floats(p.values[1])}
POINTWISE = [p for p in FIRST.values() if is_pointwise(p.values[0])]


def last_call(op, sample, arrays):
    """The operator of a sample's Program, and its operands: Readers and numbers."""
    program = build(op, sample, arrays)
    operator = [o for o in program.main.ops if o.op is op][-1]
    program.main.outputs = [x for x in operator.operands if isinstance(x, Variable)]
    values = iter(execute(program, arrays))
    operands = operator.operands
    return operator, [reader_of(next(values)) if isinstance(x, Variable) else x for x in operands]


def readers(op, sample, arrays):
    """By the rules of `op`, the results of a sample, beside those of its kernel."""
    operator, operands = last_call(op, sample, arrays)
    results = run_eagerly(op, sample, arrays)
    specs = [None if r is None else Spec(r.shape, BY_NUMPY[r.dtype]) for r in results]
    found = [result_reader(op, operands, operator.attrs, specs, n) for n in range(len(specs))]
    assert op.name in DECLINES or all(f or r is None for f, r in zip(found, results, strict=True))
    return [(f, r) for f, r in zip(found, results, strict=True) if f is not None]


def check(op, sample, arrays, tolerance):
    for reader, result in readers(op, sample, arrays):
        close(elements(reader), result, tolerance)


@every_sample(RULED)
def test_elements_by_the_rule_are_those_of_the_kernel(op, sample):
    check(op, sample, arrays_of(sample), sample.tolerance)


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16], ids=["float16", "bfloat16"])
@every_sample(HALF)
def test_rules_serve_16_bit_floats(op, sample, dtype):
    arrays = [a.astype(dtype) if is_float(a) else a for a in arrays_of(sample)]
    check(op, sample, arrays, ROUNDED)


@every_sample(POINTWISE)
def test_rules_treat_special_numbers_as_the_kernel_does(op, sample):
    numbers = np.array(NUMBERS, np.float32)
    given = [np.repeat(numbers, numbers.size), np.tile(numbers, numbers.size)]
    arrays = [given[n % 2] for n, _ in enumerate(arrays_of(sample))]
    check(op, sample, arrays, sample.tolerance)


@every_sample([p for p in RULED if p.values[0].name in VIEWS])
def test_a_view_is_one_load_at_a_sum_of_multiples(op, sample):
    for reader, _ in readers(op, sample, arrays_of(sample)):
        element = reader[tuple(axis_value(Axis(n)) for n in reader.shape)]
        kinds = [e.kind for e in walk(element)]
        assert set(kinds) <= {"load", "linear", "axis", "const"} and kinds.count("load") == 1


@every_sample(OUT_OF_RANGE)
def test_positions_out_of_range_are_noticed(op, sample):
    operator, operands = last_call(op, sample, arrays_of(sample))
    specs = [r.spec for r in operator.results]
    with pytest.raises(IndexError, match="out of range"):
        elements(result_reader(op, operands, operator.attrs, specs))


def test_primitives_without_a_rule_have_a_reason():
    ruled = {"scalar", "lower", "library", "procedure", "counted"}
    own = [op for op in registry.values() if op.__module__.startswith("twinoar.")]
    lacking = {op.name for op in own if not op.body and not ruled & op.rules.keys()}
    hosted = {op.name for op in own if "host" in op.rules}
    assert lacking - COMMANDS.keys() == hosted
    among_ranks = {o.name for o in own if ".collective." in o.__module__}  # MPI's, from Python
    assert len(hosted - among_ranks) <= LONGEST_HOST_LIST


@every_sample([p for p in GOOD if p.values[0].name in COMMANDS])
def test_operators_that_are_commands_run_without_python(op, sample):
    arrays = arrays_of(sample)
    with config.override(strict=True):
        native = NativeExecutable(build(op, sample, arrays), host())
        found = native.execute(arrays, ())[0]
    for x, y in zip(found, run_eagerly(op, sample, arrays), strict=True):
        close(x, y, sample.tolerance)
    (form,) = native.forms.values()
    kinds = [type(c) for c in form.commands.walk() if isinstance(c, (If, Unless, While))]
    assert kinds == COMMANDS[op.name] and not form.commands.is_hosted
