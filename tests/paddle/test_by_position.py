"""Operators called by position or by type give what they give in Paddle 3.3.1."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar
from tests.paddle.by_position import CALLS, outcome, space
from twinoar.compat.inside import by_position, by_type

ORDER = """
from paddle.base.framework import OpProtoHolder
holder, found = OpProtoHolder.instance(), {}
for type in given["types"]:
    if hasattr(paddle._legacy_C_ops, type):
        proto = holder.get_op_proto(type)
        found[type] = [i.name for i in proto.inputs], [o.name for o in proto.outputs]
answer(found)
"""
RUN = """
sys.path.insert(0, given["scripts"])
import by_position
answer(by_position.outcomes(paddle, paddle._C_ops, paddle._legacy_C_ops))
"""


@pytest.fixture(scope="module")
def expected(paddle_3: Callable) -> list[Any]:
    """What Paddle 3.3.1 gives."""
    found: list[Any] = paddle_3(RUN, scripts=Path(__file__).parent)
    return found


def assert_alike(found: Any, expected: Any) -> None:
    if isinstance(expected, dict):
        assert found["dtype"] == expected["dtype"]
        np.testing.assert_allclose(found["elements"], expected["elements"], 1e-4, 1e-5)
    elif isinstance(expected, list) and found is not None:
        for ours, theirs in zip(found, expected, strict=False):
            if ours is not None:  # what only Paddle's gradients need
                assert_alike(ours, theirs)


@pytest.mark.parametrize("call", CALLS)
def test_a_call_gives_what_it_gives_in_paddle(call: str, expected: list[Any]) -> None:
    found = outcome(eval(call, space(twinoar, by_position, by_type)))
    assert_alike(found, expected[CALLS.index(call)])


def test_slots_have_the_order_in_which_paddle_takes_them(paddle_3: Callable) -> None:
    from twinoar.compat.inside.operators import RESULTS, UNORDERED
    from twinoar.formats.paddle.program_desc import form_of, operators_by_type

    forms = {
        type: form_of(ops[0])
        for type, ops in operators_by_type().items()
        if type not in UNORDERED and not any(o == "ParamOut" for o in form_of(ops[0]).outputs)
    }
    orders = paddle_3(ORDER, types=sorted(forms))
    assert isinstance(orders, dict)
    wrong = []
    for type, (inputs, outputs) in orders.items():
        form = forms[type]
        slots, results = list(form.inputs), list(dict.fromkeys(form.outputs + form.extra_outputs))
        # Paddle 3 writes the slots of its newer operators in small letters.
        same = [x.lower() for x in slots] == [x.lower() for x in inputs[: len(slots)]]
        takes = same or type in ("pow", "deformable_conv_v1")
        gives = list(RESULTS.get(type, results)) == outputs or len(outputs) == 1
        if not (takes and gives):
            wrong.append((type, inputs, outputs))
    assert wrong == []
