"""Exports prove themselves: what is saved is compared with the plain Python function."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar import cli, nn
from twinoar.errors import ArgumentError, VerificationError
from twinoar.export import save as save_load
from twinoar.export.entry_point import EntryPoint
from twinoar.export.proof import read_samples
from twinoar.jit.compare import difference, gap
from twinoar.static import InputSpec

VECTOR = [InputSpec([None, 3], "float32", "x")]


class Branching(nn.Layer):
    """A branch that ordinary inputs reach on one side, and a loop."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.drop = nn.Dropout(0.5)
        self.calls = 0
        self.log = []

    def forward(self, x):
        self.calls += 1
        self.log.append(self.calls)
        y = self.drop(self.fc(x))
        if x.sum() > 50:
            y = y + 1
        while y.sum() > 4:
            y = y / 2
        return y


def compiled_wrong(monkeypatch, wrong):
    """Let functions be converted as if their source were that of `wrong`."""
    monkeypatch.setattr(EntryPoint, "trace", _tracing(EntryPoint.trace, wrong))


def _tracing(trace, wrong):
    def traced(self):
        self.traced = wrong
        return trace(self)

    return traced


@pytest.mark.filterwarnings("ignore::twinoar.jit.changes.LostChangeWarning")
def test_a_proof_reaches_both_sides_of_a_branch_and_all_numbers_of_iterations(tmp_path):
    proof = paddle.jit.save(Branching(), str(tmp_path / "m"), VECTOR, verify=True)
    assert proof.unreached == []
    assert {len(s.inputs[0]) for s in proof.samples["forward"]} >= {1, 2, 3, 7}


def test_what_no_input_reaches_is_told(tmp_path):
    @paddle.jit.to_static(input_spec=VECTOR)
    def f(x):
        if (x * 0).sum() > 1:
            x = x + 1
        return x

    proof = paddle.jit.save(f, str(tmp_path / "m"), verify=True)
    (text,) = proof.unreached
    assert "test_verify.py" in text and "never held" in text and text in str(proof)


def test_a_wrong_program_is_refused_with_the_line_where_it_parts(tmp_path, monkeypatch):
    def function(x):
        y = x + 1
        y = y * 2
        return y.sum()

    trace = EntryPoint.trace

    def tampered(self):
        found = trace(self)
        for o in found.program.main.ops:
            if o.op.name == "multiply":
                o.operands = o.operands[0], 3.0
        return found

    monkeypatch.setattr(EntryPoint, "trace", tampered)
    with pytest.raises(VerificationError) as caught:
        paddle.jit.save(function, str(tmp_path / "m"), VECTOR)
    assert caught.value.operator == "multiply" and "first difference" in str(caught.value)
    assert "test_verify.py" in str(caught.value.source) and "y * 2" in str(caught.value.source)
    assert list(tmp_path.iterdir()) == []


def test_a_difference_that_writing_makes_is_found(tmp_path, monkeypatch):
    read = save_load.read_program

    def tampered(*args, **kwargs):
        program = read(*args, **kwargs)
        for o in program.main.ops:
            if o.op.name == "relu":
                program.main.replace(o.results[0], o.operands[0])
        return program

    monkeypatch.setattr(save_load, "read_program", tampered)
    with pytest.raises(VerificationError, match="saved and read back"):
        paddle.jit.save(nn.ReLU(), str(tmp_path / "m"), VECTOR)


def test_a_difference_in_one_branch_alone_is_found(tmp_path, monkeypatch):
    def right(x):
        if x.sum() > 50:
            return x * 2
        return x

    def wrong(x):
        return x * 1

    compiled_wrong(monkeypatch, wrong)
    with pytest.raises(VerificationError, match="gives"):
        paddle.jit.save(right, str(tmp_path / "m"), VECTOR, verify=True)


def test_a_program_that_fails_where_python_does_not_is_refused(tmp_path, monkeypatch):
    compiled_wrong(monkeypatch, lambda x: x.reshape([2, 3]) + 1)
    with pytest.raises(VerificationError, match="fails where"):
        paddle.jit.save(lambda x: x + 1, str(tmp_path / "m"), VECTOR)


def test_an_old_model_stays_when_the_new_one_is_refused(tmp_path, monkeypatch):
    paddle.jit.save(nn.Linear(3, 2), str(tmp_path / "m"), VECTOR)
    before = {f.name: f.read_bytes() for f in tmp_path.iterdir()}
    compiled_wrong(monkeypatch, lambda x: x * 2)
    with pytest.raises(VerificationError):
        paddle.jit.save(lambda x: x * 1, str(tmp_path / "m"), VECTOR)
    assert {f.name: f.read_bytes() for f in tmp_path.iterdir()} == before


def test_verify_false_saves_without_a_proof(tmp_path, monkeypatch):
    compiled_wrong(monkeypatch, lambda x: x * 2)
    found = paddle.jit.save(lambda x: x * 1, str(tmp_path / "m"), VECTOR, verify=False)
    assert found is None and (tmp_path / "m.pdmodel").exists()


@pytest.mark.filterwarnings("ignore::twinoar.jit.changes.LostChangeWarning")
def test_saving_leaves_everything_as_it_was(tmp_path, capsys):
    net = Branching()
    net.fc.weight.stop_gradient = True
    net(paddle.ones([2, 3]))
    key, weight = paddle.get_rng_state()[0].tolist(), net.fc.weight.numpy()
    paddle.jit.save(net, str(tmp_path / "m"), VECTOR, verify=True)
    assert (net.calls, net.log, net.training, net.drop.training) == (1, [1], True, True)
    assert paddle.get_rng_state()[0].tolist() == key
    np.testing.assert_array_equal(net.fc.weight.numpy(), weight)
    assert net.fc.weight.grad is None and capsys.readouterr().out == ""


COUNT = 0


def counting(x):
    global COUNT
    COUNT += 1
    print("called")
    return x * 2


@pytest.mark.filterwarnings("ignore::twinoar.jit.changes.LostChangeWarning")
def test_globals_and_prints_are_left_alone(tmp_path, capsys):
    paddle.jit.save(counting, str(tmp_path / "m"), VECTOR, verify=True)
    assert COUNT == 0 and capsys.readouterr().out == ""


def test_inputs_of_calls_are_used_where_none_can_be_made(tmp_path):
    @paddle.jit.to_static
    def f(x):
        assert x[1] == x[0] + 1233.5
        return x * 2

    spec = [InputSpec([2], "float32")]
    with pytest.raises(ArgumentError, match=r"cannot be verified(?s:.*)call it once"):
        paddle.jit.save(f, str(tmp_path / "m"), spec, verify=True)
    f(paddle.to_tensor([1.0, 1234.5]))
    proof = paddle.jit.save(f, str(tmp_path / "m"), spec, verify=True)
    assert proof.samples["forward"][0].inputs[0].tolist() == [1.0, 1234.5]


def test_a_function_without_an_end_is_saved_and_not_verified(tmp_path):
    def endless(x):
        while (x * 0).sum() == 0:
            x = x + 1
        return x

    spec = [InputSpec([2], "float32")]
    assert paddle.jit.save(endless, str(tmp_path / "m"), spec) is None
    assert (tmp_path / "m.pdmodel").exists()


def test_random_outputs_are_compared_in_shape(tmp_path):
    def noisy(x):
        return x + paddle.rand([3]), x * 2

    proof = paddle.jit.save(noisy, str(tmp_path / "m"), VECTOR, verify=True)
    assert any("random" in note for note in proof.notes)
    noise, doubled = proof.samples["forward"][0].outputs
    assert noise is None and doubled is not None


def test_dropout_without_a_mode_is_saved_switched_off(tmp_path):
    def f(x):
        return nn.functional.dropout(x, 0.5)

    proof = paddle.jit.save(f, str(tmp_path / "m"), VECTOR, verify=True)
    assert any("switched off" in note for note in proof.notes)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64", "int64", "bool", "uint8"])
def test_every_dtype_has_inputs(tmp_path, dtype):
    def f(x):
        return paddle.concat([x, x], axis=0)

    proof = paddle.jit.save(f, str(tmp_path / "m"), [InputSpec([None, 2], dtype)], verify=True)
    samples = read_samples((tmp_path / "m.verify.npz").read_bytes(), "m")
    assert len(samples["forward"]) == len(proof.samples["forward"])
    assert cli.main(["verify", str(tmp_path / "m")]) == 0


def test_equal_names_are_equal_sizes(tmp_path):
    spec = [InputSpec(["N", 2], "float32", "a"), InputSpec(["N", None], "float32", "b")]

    def f(a, b):
        return paddle.concat([a, b], axis=1)

    proof = paddle.jit.save(f, str(tmp_path / "m"), spec, verify=True)
    assert all(len(a) == len(b) for a, b in (s.inputs for s in proof.samples["forward"]))


def test_the_command_repeats_the_proof_and_finds_a_changed_parameter(tmp_path, capsys):
    prefix = str(tmp_path / "m")
    paddle.jit.save(nn.Linear(3, 2), prefix, VECTOR, verify=True)
    assert cli.main(["verify", prefix]) == 0
    assert "inputs give the same" in capsys.readouterr().out
    file = Path(prefix + ".pdiparams")
    changed = bytearray(file.read_bytes())
    changed[-2] ^= 0x40
    file.write_bytes(changed)
    assert cli.main(["verify", prefix]) == 1
    assert "DIFFERENT" in capsys.readouterr().out


def test_the_command_says_what_is_missing(tmp_path, capsys):
    prefix = str(tmp_path / "m")
    paddle.jit.save(nn.Linear(3, 2), prefix, VECTOR, verify=False)
    assert cli.main(["verify", prefix]) == 2
    assert "verify=True" in capsys.readouterr().err
    Path(prefix + ".verify.npz").write_bytes(b"nothing")
    assert cli.main(["verify", prefix]) == 2


def test_the_proof_of_a_replaced_model_goes(tmp_path):
    prefix = str(tmp_path / "m")
    paddle.jit.save(nn.Linear(3, 2), prefix, VECTOR, verify=True)
    paddle.jit.save(nn.Linear(3, 2), prefix, VECTOR, verify=False)
    assert not Path(prefix + ".verify.npz").exists()


@pytest.mark.parametrize(
    ("found", "wanted", "same"),
    [
        ([1.0, np.nan], [1.0, np.nan], True),
        ([1.0, 2.0], [1.0, np.nan], False),
        ([np.inf], [np.inf], True),
        ([-np.inf], [np.inf], False),
        ([1.0], [1.0 + 1e-5], True),
        ([1.0], [1.01], False),
        ([1e6, 1.0], [1e6, 1.1], True),
        ([[1.0]], [1.0], False),
    ],
)
def test_values_are_the_same_up_to_rounding(found, wanted, same):
    a, b = np.float32(found), np.float32(wanted)
    assert (gap(a, b) <= 1) is same
    if not same:
        assert "not" in difference(a, b)


def test_integers_are_the_same_exactly():
    assert gap(np.int64([10**9]), np.int64([10**9 + 1])) > 1
    assert gap(np.int64([1]), np.int32([1])) > 1


def step_of(model, optimizer):
    def step(x, y):
        loss = ((model(x) - y) ** 2).mean()
        if loss > 0.5:
            loss = loss * 2
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step


def train(check):
    paddle.seed(5)
    model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.BatchNorm1D(8), nn.Linear(8, 1))
    optimizer = paddle.optimizer.Adam(0.01, parameters=model.parameters())
    step = paddle.jit.to_static(step_of(model, optimizer), check=check)
    data = [(paddle.randn([5, 4]), paddle.randn([5, 1])) for _ in range(3)]
    return [step(x, y).item() for x, y in data], model.state_dict()


def test_checked_training_is_training():
    losses, state = train(check=True)
    wanted, unchecked = train(check=False)
    assert losses == wanted
    for name, tensor in state.items():
        np.testing.assert_array_equal(tensor.numpy(), unchecked[name].numpy())


@pytest.fixture
def wrongly(monkeypatch):
    """Makes a checked function whose Program is that of another one."""

    def make(right, wrong, check=True):
        function = paddle.jit.to_static(right, check=check)
        monkeypatch.setattr(type(function), "_converted", property(lambda self: wrong))
        return function

    return make


def test_check_names_the_operator_that_differs(wrongly):
    function = wrongly(lambda x: (x + 1).exp(), lambda x: (x + 2).exp())
    with pytest.raises(VerificationError) as caught:
        function(paddle.ones([2]))
    assert caught.value.operator == "add" and "as a Program, gives" in str(caught.value)


def test_check_compares_states(wrongly):
    state = nn.Linear(2, 2)

    def update(by):
        def f(x):
            with paddle.no_grad():
                state.bias.set_value(state.bias + by)
            return x * 1

        return f

    before = state.bias.numpy()
    with pytest.raises(VerificationError, match="leaves in"):
        wrongly(update(1.0), update(2.0))(paddle.ones([2]))
    np.testing.assert_array_equal(state.bias.numpy(), before)


def test_check_counts_calls(wrongly):
    function = wrongly(lambda x: x.abs(), lambda x: x * 1, check=1)
    assert function(paddle.ones([2])).tolist() == [1, 1]
    assert function(-paddle.ones([2])).tolist() == [-1, -1]


def test_check_of_a_layer_and_a_method():
    class Net(nn.Layer):
        @paddle.jit.to_static(check=True)
        def forward(self, x):
            return x * 2 if x.sum() > 0 else x

    assert Net()(paddle.ones([2])).tolist() == [2, 2]
    layer = paddle.jit.to_static(nn.Linear(2, 2), check=2)
    assert layer(paddle.ones([1, 2])).shape == [1, 2]


def test_check_must_be_a_number_of_calls():
    with pytest.raises(ArgumentError, match="check must be"):
        paddle.jit.to_static(lambda x: x, check=-1)


def test_a_model_is_verified_without_its_python(tmp_path):
    source = tmp_path / "model_code.py"
    source.write_text("def f(x):\n    return x * 2\n")
    spec = importlib.util.spec_from_file_location("model_code", source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    paddle.jit.save(module.f, str(tmp_path / "m"), VECTOR, verify=True)
    source.unlink()
    assert cli.main(["verify", str(tmp_path / "m")]) == 0
