"""Strategies: Paddle's settings with its defaults, checked, and what each means here."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.errors import ArgumentError, TypeMismatchError, UnknownNameError


@pytest.mark.parametrize(
    ("strategy", "name", "default"),
    [
        (static.BuildStrategy, "memory_optimize", None),
        (static.BuildStrategy, "enable_inplace", True),
        (static.BuildStrategy, "fuse_elewise_add_act_ops", False),
        (static.BuildStrategy, "trainers_endpoints", []),
        (static.BuildStrategy, "num_trainers", 1),
        (static.BuildStrategy, "debug_graphviz_path", ""),
        (static.ExecutionStrategy, "num_threads", 0),
        (static.ExecutionStrategy, "num_iteration_per_drop_scope", 100),
        (static.ExecutionStrategy, "use_experimental_executor", True),
    ],
)
def test_defaults_are_paddles(strategy, name, default):
    assert getattr(strategy(), name) == default


@pytest.mark.parametrize(
    ("strategy", "name", "value", "error", "match"),
    [
        (static.BuildStrategy, "memory_optimise", True, UnknownNameError, "memory_optimize"),
        (static.BuildStrategy, "memory_optimize", 3, TypeMismatchError, "type bool"),
        (static.BuildStrategy, "fuse_bn_act_ops", "yes", TypeMismatchError, "type bool"),
        (static.BuildStrategy, "reduce_strategy", 1, TypeMismatchError, "ReduceStrategy"),
        (static.ExecutionStrategy, "num_thread", 2, UnknownNameError, "num_threads"),
        (static.ExecutionStrategy, "num_threads", 2.5, TypeMismatchError, "type int"),
        (static.ExecutionStrategy, "num_threads", True, TypeMismatchError, "type int"),
    ],
)
def test_wrong_settings_are_refused(strategy, name, value, error, match):
    chosen = strategy()
    with pytest.raises(error) as caught:
        setattr(chosen, name, value)
    assert match in str(caught.value)


def test_settings_say_what_they_mean():
    strategy = static.BuildStrategy()
    assert repr(strategy) == "BuildStrategy:\n  all by default"
    strategy.memory_optimize = True
    strategy.reduce_strategy = static.BuildStrategy.ReduceStrategy.Reduce
    assert "memory_optimize = True  # the compiler does it always" in repr(strategy)
    assert "no use for it" in repr(strategy)
    assert static.BuildStrategy().trainers_endpoints is not strategy.trainers_endpoints


def test_a_compiled_program_runs_as_its_program(tmp_path):
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [2])
        y = paddle.tanh(x)
    strategy = static.BuildStrategy()
    strategy.debug_graphviz_path = str(tmp_path / "graph.svg")
    compiled = static.CompiledProgram(main, build_strategy=strategy)
    feed = {"x": np.ones(2, np.float32)}
    exe = static.Executor()
    found, expected = (exe.run(p, feed, [y])[0] for p in (compiled, main))
    np.testing.assert_array_equal(found, expected)
    assert "tanh" in (tmp_path / "graph.svg").read_text()
    assert compiled.global_block() is main.global_block()
    assert not hasattr(compiled, "with_data_parallel")  # neither has Paddle 2.6 it


def test_wrong_compiled_programs_are_refused(tmp_path):
    with pytest.raises(TypeMismatchError, match="expected a static Program"):
        static.CompiledProgram(3)
    with pytest.raises(TypeMismatchError, match="must be a BuildStrategy"):
        static.CompiledProgram(static.Program(), static.ExecutionStrategy())
    strategy = static.BuildStrategy()
    strategy.debug_graphviz_path = str(tmp_path / "graph.doc")
    with pytest.raises(ArgumentError):
        static.CompiledProgram(static.Program(), strategy)


def test_there_are_as_many_cpu_places_as_asked_for(monkeypatch):
    assert len(static.cpu_places(3)) == 3
    assert static.cpu_places() == [paddle.CPUPlace()]
    monkeypatch.setenv("CPU_NUM", "2")
    assert len(static.cpu_places()) == 2
