"""Passes by name, and running them on Programs of users."""

import pytest

import twinoar as paddle
from tests.passes.programs import program, types
from twinoar import config, passes, static
from twinoar.core.ir.parse import parse
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError, UnknownNameError
from twinoar.passes import registry

TWICE = """
    %0: f32[2,3] = tanh(%x)
    %1: f32[2,3] = multiply(%0, 1.0)
    %unused: f32[2,3] = exp(%x)
    return %1
"""


@pytest.fixture(autouse=True)
def restored(monkeypatch):
    monkeypatch.setattr(registry, "_passes", dict(registry._passes))


@passes.rewrite(lambda x: paddle.tanh(x))
def tanh_to_abs(x):
    """Another operator of the same shape."""
    return paddle.abs(x)


def test_a_function_and_a_rule_are_known_by_name():
    passes.register(tanh_to_abs)

    @passes.register("no_exp")
    def without(given):
        return passes.get("eliminate_dead")(given)

    assert passes.get("tanh_to_abs") is tanh_to_abs and passes.get("no_exp") is without
    assert {"tanh_to_abs", "no_exp", "simplify"} <= set(passes.names())


def test_the_program_that_is_given_stays_as_it_is():
    given = program(TWICE)
    before = given.to_text()
    changed = passes.run(given, ["simplify", tanh_to_abs, "eliminate_dead"])
    assert types(changed) == ["abs"] and given.to_text() == before


def test_what_each_pass_did_is_recorded():
    record = []
    passes.run(program(TWICE), [tanh_to_abs, "eliminate_dead"], record=record)
    first, second = record
    assert (first.name, first.hits, second.hits) == ("tanh_to_abs", 1, None)
    assert (second.operators_before, second.operators_after) == (3, 2)
    assert second.difference() == (
        "@@ -4,3 +4,2 @@\n"
        "     %1: f32[2,3] = multiply(%0, 1.0)\n"
        "-    %unused: f32[2,3] = exp(%x)\n"
        "     return %1"
    )
    assert parse(first.after).to_text() == second.before


def test_hits_are_those_of_one_run():
    record = []
    for _ in range(2):
        passes.run(program(TWICE), tanh_to_abs, record=record)
    assert [r.hits for r in record] == [1, 1]


def test_an_unknown_name_has_near_ones():
    with pytest.raises(UnknownNameError, match="fuse_linear"):
        passes.run(program(TWICE), ["fuse_linaer"])


def test_a_name_is_taken_once():
    with pytest.raises(ArgumentError, match="a pass of twinoar's own"):
        passes.register("simplify")(tanh_to_abs)
    passes.register("mine")(tanh_to_abs)
    with pytest.raises(ArgumentError, match="there is already a pass mine"):
        passes.register("mine")(lambda given: given)


def test_a_pass_that_is_defined_anew_takes_its_place():
    def define(result):
        @passes.register
        def again(given):
            return result

        return again

    define(1)
    assert define(2) is passes.get("again")


def broken(given):
    given.main.ops.reverse()
    return given


@pytest.mark.parametrize(
    ("one", "error", "message"),
    [
        (lambda given: None, TypeMismatchError, "pass <lambda> must return a Program"),
        (broken, ProgramError, "pass broken leaves a Program .* reads %0, which is not defined"),
        (3, TypeMismatchError, "expected a pass or the name of one, received int"),
    ],
)
def test_a_pass_that_is_wrong_is_named(one, error, message):
    with pytest.raises(error, match=message):
        passes.run(program(TWICE), [one])


def test_only_programs_have_passes():
    with pytest.raises(TypeMismatchError, match="expected a Program, received Linear"):
        passes.run(paddle.nn.Linear(2, 2), [])


def test_a_variable_leaves_passes_out_and_adds_registered_ones():
    passes.register(tanh_to_abs)
    with config.override(passes=["-tanh_to_abs"]):
        assert types(passes.run(program(TWICE), [tanh_to_abs]))[0] == "tanh"
    main = static.Program()
    with static.program_guard(main):
        y = paddle.tanh(static.data("x", [2]))
    with config.override(passes=["+tanh_to_abs"]):
        (found,) = static.Executor().run(main, {"x": paddle.to_tensor([-2.0, 3.0])}, [y])
    assert found.tolist() == [2.0, 3.0]


def test_an_added_pass_that_nobody_registered_is_an_error():
    main = static.Program()
    with static.program_guard(main):
        y = paddle.tanh(static.data("x", [2]))
    with config.override(passes=["+nothing_like_this"]), pytest.raises(UnknownNameError):
        static.Executor().run(main, {"x": paddle.to_tensor([-2.0, 3.0])}, [y])


def test_converted_functions_and_loaded_models_have_programs(tmp_path):
    layer = paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.Tanh())
    spec = [static.InputSpec([None, 2], name="x")]
    converted = paddle.jit.to_static(layer, input_spec=spec)
    concrete = converted.forward.concrete_program.main_program
    assert types(passes.run(concrete, tanh_to_abs))[-1] == "abs"
    paddle.jit.save(converted, str(tmp_path / "model"))
    loaded = paddle.jit.load(str(tmp_path / "model"))
    assert "abs" in types(passes.run(loaded.program(), tanh_to_abs))


def test_handles_are_fetched_after_a_rule_was_applied_in_place():
    main = static.Program()
    with static.program_guard(main):
        y = paddle.tanh(static.data("x", [2]))
    feed, executor = {"x": paddle.to_tensor([-2.0, 3.0])}, static.Executor()
    tanh_to_abs(main)
    for built, fetch in ((main, y), (main, y.name), (passes.run(main, []), y)):
        (found,) = executor.run(built, feed, [fetch])
        assert found.tolist() == [2.0, 3.0]


def test_what_a_static_program_may_return_is_kept():
    main = static.Program()
    with static.program_guard(main):
        y = paddle.tanh(static.data("x", [2]) * 1.0)
    changed = passes.run(main, ["simplify", "eliminate_dead"])
    assert types(changed) == ["tanh"] and changed.main.outputs == []
    (found,) = static.Executor().run(changed, {"x": paddle.zeros([2])}, [y])
    assert found.tolist() == [0.0, 0.0]
