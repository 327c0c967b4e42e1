"""Static Programs in files: what is saved is what runs, and both files appear together."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import twinoar
from twinoar import static
from twinoar.core.interpreter import current
from twinoar.core.spec import Spec
from twinoar.errors import (
    ArgumentError,
    FileError,
    ProgramError,
    TypeMismatchError,
    UnsupportedError,
)
from twinoar.formats.paddle import schema, tensors
from twinoar.formats.paddle.attribute import attribute_value
from twinoar.ops.control.host import host_call, register_function
from twinoar.ops.math.fill import fill, ones_of
from twinoar.ops.optimizer.momentum import momentum
from twinoar.ops.random.dropout import dropout
from twinoar.ops.reduce.reduction import mean
from twinoar.static.mode import building

FEED = {"x": np.arange(8, dtype="f4").reshape(2, 4) / 8, "y": np.ones((2, 1), "f4")}


class Net:
    """Two layers with dropout between them, a loss, and where asked momentum's steps."""

    def __init__(self, trains: bool = False, p: float = 0.5):
        self.main, self.startup = static.Program(), static.Program()
        with static.program_guard(self.main, self.startup):
            self.x, self.y = static.data("x", [None, 4]), static.data("y", [None, 1])
            w, b, v = parameter("fc.w", 4, 3), parameter("fc.b", 3), parameter("out.w", 3, 1)
            self.hidden = dropout(twinoar.tanh(twinoar.matmul(self.x, w) + b), p)
            self.out = twinoar.matmul(self.hidden, v) * 2.0
            error = self.out - self.y
            self.loss = mean(error * error)
            if trains:
                self.train()
        self.executor = static.Executor()
        self.executor.run(self.startup)

    def train(self) -> None:
        rate = current().live_number("learning_rate_0", lambda: 0.1)
        found = static.append_backward(self.loss)
        with building(self.main, self.startup, "optimize") as builder:
            for p, g in found:
                velocity = builder.create_state(
                    p.spec, lambda s: fill(s.shape), f"{p.name}_velocity_0"
                )
                following = momentum(p, g, velocity, rate)
                builder.rebind(p, following[0])
                builder.rebind(velocity, following[1])

    def run(self, fetches, feed=FEED, program=None):
        return self.executor.run(program or self.main, feed, fetches)

    def expected(self) -> np.ndarray:
        return self.run([self.out], {"x": FEED["x"]}, self.main.clone(for_test=True))[0]


def parameter(name: str, *shape: int):
    spec = Spec(shape)
    start = 0.1 * np.arange(1, spec.size + 1, dtype="f4").reshape(shape)
    return current().create_parameter(
        spec, lambda s: ones_of(s) * twinoar.to_tensor(start), name=name
    )


@pytest.fixture(autouse=True)
def own_scope():
    with static.scope_guard(static.Scope()):
        yield


def test_a_saved_model_computes_the_same_in_another_scope(tmp_path: Path) -> None:
    net = Net()
    expected = net.expected()
    static.save_inference_model(
        tmp_path / "net", [net.x], [net.out], net.executor, program=net.main
    )
    with static.scope_guard(static.Scope()):
        program, feeds, fetches = static.load_inference_model(str(tmp_path / "net"), net.executor)
        assert feeds == ["x"]
        found = net.executor.run(program, {"x": FEED["x"]}, fetches)
    np.testing.assert_array_equal(found[0], expected)


def test_the_model_is_pruned_to_its_fetches_and_for_inference(tmp_path: Path) -> None:
    net = Net(trains=True)
    static.save_inference_model(tmp_path / "net", net.x, net.out, program=net.main)
    desc = schema.read_program((tmp_path / "net.pdmodel").read_bytes(), "net")
    kinds = [op.type for op in desc.blocks[0].ops]
    assert kinds[0] == "feed" and kinds[-2:] == ["scale", "fetch"]
    assert "momentum" not in kinds and "reduce_mean" not in kinds
    (drop,) = [op for op in desc.blocks[0].ops if op.type == "dropout"]
    assert {a.name: attribute_value(a) for a in drop.attrs}["is_test"] is True
    stored = [v.name for v in desc.blocks[0].vars if v.persistable]
    assert stored == ["fc.b", "fc.w", "out.w", "feed", "fetch"]
    assert desc.version.version == 2_006_002


def test_no_path_and_no_source_line_is_in_the_model(tmp_path: Path) -> None:
    net = Net()
    static.save_inference_model(tmp_path / "net", net.x, net.out, program=net.main)
    data = (tmp_path / "net.pdmodel").read_bytes()
    assert b"test_inference_io" not in data and b"op_callstack" not in data


def test_parameters_are_in_the_order_of_their_names(tmp_path: Path) -> None:
    net = Net()
    static.save_inference_model(tmp_path / "net", net.x, net.out, program=net.main)
    data = (tmp_path / "net.pdiparams").read_bytes()
    found = tensors.load(data, ["out.w", "fc.w", "fc.b"], "net")
    assert {name: a.shape for name, a in found.items()} == {
        "fc.b": (3,),
        "fc.w": (4, 3),
        "out.w": (3, 1),
    }


def test_any_variable_can_be_fed(tmp_path: Path) -> None:
    net = Net()
    static.save_inference_model(tmp_path / "tail", net.hidden, net.out, program=net.main)
    program, feeds, fetches = static.load_inference_model(tmp_path / "tail")
    assert feeds == [net.hidden.name]
    hidden = np.ones((1, 3), "f4")
    (found,) = net.executor.run(program, {feeds[0]: hidden}, fetches)
    np.testing.assert_allclose(found, [[1.2]], rtol=1e-6)


def test_a_missing_feed_is_named() -> None:
    net = Net()
    with pytest.raises(ProgramError, match="the fetches need y too"):
        static.normalize_program(net.main, [net.x], [net.loss])


def test_an_operator_without_a_file_form_names_the_line(tmp_path: Path) -> None:
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [2])
        out = host_call([x], register_function(np.sort), (Spec((2,)),))
    with pytest.raises(UnsupportedError, match="py_func has no form") as caught:
        static.save_inference_model(tmp_path / "net", x, out)
    assert "test_inference_io.py" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_states_that_have_no_value_leave_no_file(tmp_path: Path) -> None:
    net = Net()
    with static.scope_guard(static.Scope()), pytest.raises(ProgramError, match="not initialized"):
        static.save_inference_model(tmp_path / "net", net.x, net.out, program=net.main)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "error"),
    [(("x", 3), TypeMismatchError), (("x", []), ArgumentError), ((3, "y"), TypeMismatchError)],
)
def test_what_is_no_variable_is_refused(arguments: tuple, error: type) -> None:
    with pytest.raises(error):
        static.normalize_program(Net().main, *arguments)


def test_bytes_hold_the_same_model_as_files(tmp_path: Path) -> None:
    net = Net()
    expected = net.expected()
    model = static.serialize_program(net.x, net.out, program=net.main)
    parameters = static.serialize_persistables(net.x, net.out, net.executor, program=net.main)
    static.save_to_file(str(tmp_path / "m.pdmodel"), model)
    with static.scope_guard(static.Scope()):
        program = static.deserialize_program(static.load_from_file(str(tmp_path / "m.pdmodel")))
        static.deserialize_persistables(program, parameters, net.executor)
        (found,) = net.executor.run(program, {"x": FEED["x"]}, program.main.outputs)
        np.testing.assert_array_equal(found, expected)
        program, _, fetches = static.load_inference_model(
            None, net.executor, model_filename=model, params_filename=parameters
        )
        (found,) = net.executor.run(program, {"x": FEED["x"]}, fetches)
    np.testing.assert_array_equal(found, expected)


def test_a_loaded_model_can_be_saved_again(tmp_path: Path) -> None:
    net = Net()
    static.save_inference_model(tmp_path / "one", net.x, net.out, program=net.main)
    program, _, fetches = static.load_inference_model(tmp_path / "one")
    static.save_inference_model(tmp_path / "two", program.main.inputs, fetches, program=program)
    program, feeds, fetches = static.load_inference_model(tmp_path / "two")
    (found,) = net.executor.run(program, {feeds[0]: FEED["x"]}, fetches)
    np.testing.assert_array_equal(found, net.expected())


def test_a_damaged_or_missing_file_is_named(tmp_path: Path) -> None:
    net = Net()
    static.save_inference_model(tmp_path / "net", net.x, net.out, program=net.main)
    parameters = tmp_path / "net.pdiparams"
    parameters.write_bytes(parameters.read_bytes()[:-1])
    with pytest.raises(FileError, match=r"net\.pdiparams"):
        static.load_inference_model(tmp_path / "net")
    parameters.unlink()
    with pytest.raises(FileError, match=r"net\.pdiparams"):
        static.load_inference_model(tmp_path / "net")
    (tmp_path / "net.pdmodel").rename(tmp_path / "net.json")
    with pytest.raises(FileError, match=r"net\.pdiparams"):
        static.load_inference_model(tmp_path / "net")


def test_a_training_program_goes_on_where_it_was_saved(tmp_path: Path) -> None:
    net = Net(trains=True, p=0.0)
    net.run([net.loss])
    static.save(net.main, tmp_path / "net")
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".pdmodel", ".pdopt", ".pdparams"]
    again = twinoar.load(tmp_path / "net.pdmodel")
    assert type(again) is static.Program
    expected = [net.run([net.loss])[0] for _ in range(3)]
    with static.scope_guard(static.Scope()):
        static.load(again, tmp_path / "net", net.executor)
        found = [net.run([net.loss.name], program=again)[0] for _ in range(3)]
    np.testing.assert_array_equal(found, expected)
    assert len(set(map(float, expected))) == 3


def test_operators_keep_their_roles(tmp_path: Path) -> None:
    net = Net(trains=True)
    twinoar.save(net.main, tmp_path / "net.pdmodel")
    again = twinoar.load(tmp_path / "net.pdmodel")
    assert {o.role for o in again.main.ops} == {"forward", "backward", "optimize"}
    test = again.clone(for_test=True)
    assert {o.role for o in test.main.ops} == {"forward"} and test.updates == {}


def test_optimizer_states_and_parameters_are_kept_apart(tmp_path: Path) -> None:
    net = Net(trains=True)
    static.save(net.main, tmp_path / "net")
    for ending, names in (
        (".pdparams", {"fc.w", "fc.b", "out.w"}),
        (".pdopt", {"fc.w_velocity_0", "fc.b_velocity_0", "out.w_velocity_0", "learning_rate_0"}),
    ):
        assert set(twinoar.load(str(tmp_path / f"net{ending}"), return_numpy=True)) == names


def test_states_are_set_from_a_saved_state(tmp_path: Path) -> None:
    net = Net()
    static.save(net.main, tmp_path / "net")
    before = net.expected()
    state = static.load_program_state(tmp_path / "net")
    static.set_program_state(net.main, {**{k: v * 0 for k, v in state.items()}, "other": 1})
    assert not net.expected().any()
    static.load(net.main, tmp_path / "net")
    np.testing.assert_array_equal(net.expected(), before)


def test_a_state_without_a_value_in_the_files_is_named(tmp_path: Path) -> None:
    net = Net()
    static.save(net.main, tmp_path / "net")
    with static.program_guard(net.main, net.startup):
        parameter("more", 2)
    with pytest.raises(FileError, match="has no value for more"):
        static.load(net.main, tmp_path / "net")


def test_a_startup_program_survives_a_file(tmp_path: Path) -> None:
    net = Net()
    twinoar.save(net.startup, tmp_path / "startup.pdmodel")
    again = twinoar.load(tmp_path / "startup.pdmodel")
    expected = net.expected()
    with static.scope_guard(static.Scope()):
        net.executor.run(again)
        np.testing.assert_array_equal(net.expected(), expected)


def test_an_input_that_is_changed_in_place_is_fed_as_it_comes(tmp_path):
    with static.scope_guard(static.Scope()), static.program_guard(static.Program()):
        x = static.data("x", [2])
        out = x.scale_(3.0) + 1.0
        static.save_inference_model(tmp_path / "net", [x], [out])
        program, _, fetches = static.load_inference_model(tmp_path / "net")
        (found,) = static.Executor().run(program, {"x": np.ones(2, "float32")}, fetches)
    np.testing.assert_array_equal(found, [4.0, 4.0])
