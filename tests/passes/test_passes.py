"""Each pass: text before and text after, from the files beside this one."""

from pathlib import Path

import numpy as np
import pytest

from twinoar import config, passes
from twinoar.backends.numpy import compile_numpy
from twinoar.core.ir.parse import parse
from twinoar.core.ir.program import copy_program
from twinoar.core.ir.verify import verify
from twinoar.errors import ProgramError
from twinoar.passes.dead import eliminate_dead
from twinoar.passes.decompose import decompose
from twinoar.passes.manager import run_passes
from twinoar.passes.pipeline import PIPELINE, lower

CASES = sorted(Path(__file__).parent.glob("*.ir"))


def read_case(path):
    """(pass, before, after) of a file: `pass NAME`, a program, `=>`, a program."""
    head, _, rest = path.read_text().partition("\n")
    before, after = rest.split("\n=>\n")
    return passes.get(head.removeprefix("pass ").strip()), before.strip(), after.strip()


def run(program, seed=0):
    lowered, _ = copy_program(program)
    lower(lowered)
    random = np.random.default_rng(seed)
    feeds = {
        v.name: np.asarray(
            random.standard_normal([d if isinstance(d, int) else 2 for d in v.spec.shape]),
            v.spec.dtype.numpy,
        )
        for v in program.main.inputs
    }
    states = {
        s.name: random.uniform(0.5, 2, s.spec.shape).astype(s.spec.dtype.numpy)
        for s in program.states.values()
        if not s.is_constant
    }
    return compile_numpy(lowered).run(feeds, states)


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_pass_gives_the_text_after(path):
    one, before, after = read_case(path)
    program = verify(parse(before))
    assert verify(one(program)).to_text(sources=False) == after


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_pass_keeps_the_results(path):
    _, before, after = read_case(path)
    (expected, states), (found, states_after) = run(parse(before)), run(parse(after))
    for a, b in zip(expected, found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)
    assert states_after.keys() <= states.keys()


def test_manager_records_and_disables():
    _, before, _ = read_case(Path(__file__).with_name("dead_operators.ir"))
    records = []
    with config.override(passes=["-eliminate_dead"], check=True):
        run_passes(parse(before), PIPELINE, records)
    assert [r.name for r in records] == [p.__name__ for p in PIPELINE if p is not eliminate_dead]


def test_manager_prints_differences(capsys):
    _, before, _ = read_case(Path(__file__).with_name("dead_operators.ir"))
    with config.override(debug=3):
        run_passes(parse(before), [eliminate_dead])
    assert "pass eliminate_dead" in capsys.readouterr().err


def test_primitive_that_the_target_lacks_is_an_error():
    program = parse(
        "program p {\n  main(%x: f32[2]) {\n    %y: f32[2] = tanh(%x)\n    return %y\n  }\n}"
    )
    with pytest.raises(ProgramError, match="primitive that the target has no rule for"):
        decompose(program, keep=lambda op: False)


def test_sizes_that_data_decides_are_those_of_the_body():
    program = parse(
        "program p {\n  main(%x: f32[3], %m: b8[3]) {\n    %y: f32[K] = masked_select(%x, %m)\n"
        "    %z: f32[K] = tanh(%y)\n    return %z\n  }\n}"
    )
    verify(decompose(program, keep=lambda op: op.body is None))
