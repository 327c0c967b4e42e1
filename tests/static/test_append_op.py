"""Every operator, appended by what it says of itself: Paddle's type, slots and attributes."""

from __future__ import annotations

import pytest

from tests.samples import every_sample
from twinoar import static
from twinoar.core.dtype import BY_NUMPY
from twinoar.core.ir.program import Operator, Variable
from twinoar.core.op.definition import registry
from twinoar.core.spec import Spec
from twinoar.testing.calls import arrays_of, call
from twinoar.testing.sample import samples_of

DESCRIBED = [
    pytest.param(op, sample, id=f"{op.name}-{i}")
    for op in registry.values()
    if {"samples", "desc"} <= op.rules.keys() and not op.takes_blocks
    if not op.name.endswith("_whole")  # of shape [1], as in Paddle 1; Paddle 2 has the type for []
    for i, sample in enumerate(samples_of(op))
    if sample.error is None
]


def specs(values):
    """Element types and known sizes."""
    return [
        (v.dtype, [d if isinstance(d, int) else None for d in v.shape])
        for v in values
        if isinstance(v, Variable)
    ]


def has_paddles_form(o: Operator | None) -> bool:
    """Numbers among the operands have no slot, and some attributes no name of Paddle's."""
    if o is None or any(not isinstance(x, Variable | None) for x in o.operands):
        return False
    return o.op.rules["desc"].attrs.keys() <= o.all_attrs().keys()


NOTED = ("op_role", "op_role_var", "op_namescope", "op_device", "op_callstack")


@every_sample(DESCRIBED)
def test_an_operator_is_appended_by_what_it_shows(op, sample) -> None:
    main = static.Program()
    with static.program_guard(main, static.Program()):
        block = main.global_block()
        call(
            op,
            sample,
            [main.add_state(Spec(a.shape, BY_NUMPY[a.dtype])) for a in arrays_of(sample)],
        )
        first = next((o for o in block.ops if o.op is op), None)
        if not has_paddles_form(first):
            pytest.skip("it has a number as an operand, or no form of Paddle's")
        block.append_op(
            first.type,
            {slot: first.input(slot) for slot in first.input_names if first.input(slot)},
            attrs={k: v for k, v in first.all_attrs().items() if k not in NOTED},
        )
    again = block.ops[-1]
    assert again.type == first.type
    assert specs(again.results) == specs(first.results)
