"""Networks over time: layers are what their cells do step by step, in every mode."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, nn
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError

KINDS = {"LSTM": nn.LSTMCell, "GRU": nn.GRUCell, "SimpleRNN": nn.SimpleRNNCell}
LENGTHS = [5, 2]


def inputs(*shape):
    return paddle.to_tensor(np.random.RandomState(0).randn(*shape).astype("float32"))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def step(kind, cell, x, h, c):
    """One step of a cell, in NumPy."""
    of_x = x @ cell.weight_ih.numpy().T + cell.bias_ih.numpy()
    of_h = h @ cell.weight_hh.numpy().T + cell.bias_hh.numpy()
    if kind == "SimpleRNN":
        return np.tanh(of_x + of_h), c
    if kind == "GRU":
        (r, z, g), (rh, zh, gh) = np.split(of_x, 3, -1), np.split(of_h, 3, -1)
        z, g = sigmoid(z + zh), np.tanh(g + sigmoid(r + rh) * gh)
        return z * h + (1 - z) * g, c
    i, f, g, o = np.split(of_x + of_h, 4, -1)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def by_hand(kind, cell, x, reverse, lengths):
    """Outputs [N,T,H], zeros behind the end, and the last state, one sequence after the other."""
    outs, ends = [], []
    for sequence, length in zip(x, lengths, strict=True):
        h = c = np.zeros((1, 3), "float32")
        out = np.zeros((len(sequence), 3), "float32")
        for t in range(length)[:: -1 if reverse else 1]:
            h, c = step(kind, cell, sequence[None, t], h, c)
            out[t] = h
        outs.append(out)
        ends.append((h[0], c[0]))
    return np.stack(outs), ends


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lengths", [None, LENGTHS])
def test_layers_do_what_cells_do_for_each_sequence(kind, lengths):
    net = getattr(nn, kind)(4, 3, direction="bidirect")
    x = inputs(2, 5, 4)
    given = None if lengths is None else paddle.to_tensor(lengths)
    out, states = net(x, sequence_length=given)
    hs = states[0] if kind == "LSTM" else states
    for n, cell in enumerate((net[0].cell_fw, net[0].cell_bw)):
        expected, ends = by_hand(kind, cell, x.numpy(), n == 1, lengths or [5, 5])
        np.testing.assert_allclose(out.numpy()[..., 3 * n : 3 * n + 3], expected, atol=1e-6)
        np.testing.assert_allclose(hs.numpy()[n], [h for h, _ in ends], atol=1e-6)
        if kind == "LSTM":
            np.testing.assert_allclose(states[1].numpy()[n], [c for _, c in ends], atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reverse", [False, True])
def test_a_layer_is_its_cell_over_time(kind, reverse):
    net = getattr(nn, kind)(4, 3)
    cell = net[0].cell
    x = inputs(2, 5, 4)
    rnn = nn.RNN(cell, is_reverse=reverse)
    out, end = rnn(x, sequence_length=paddle.to_tensor(LENGTHS))
    expected, ends = by_hand(kind, cell, x.numpy(), reverse, LENGTHS)
    valid = np.arange(5) < np.array(LENGTHS)[:, None]
    np.testing.assert_allclose(out.numpy()[valid], expected[valid], atol=1e-6)
    h = end[0] if kind == "LSTM" else end
    np.testing.assert_allclose(h.numpy(), [e for e, _ in ends], atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_gradients_are_equal_in_converted_code(kind, backend):
    net = getattr(nn, kind)(4, 3, num_layers=2, direction="bidirect")
    x = inputs(2, 5, 4)

    def gradients(function):
        out, _ = function(x)
        (out * out).sum().backward()
        found = [p.grad.numpy() for p in net.parameters()]
        net.clear_gradients()
        return [out.numpy(), *found]

    expected = gradients(net)
    spec = paddle.static.InputSpec([None, None, 4], "float32", "x")
    for specs in (None, [spec]):
        with config.override(backend=backend):
            found = gradients(paddle.jit.to_static(net, input_spec=specs))
        net = copy(kind, net)
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def copy(kind, net):
    """The same layer anew: `to_static` changes a layer's forward."""
    made = getattr(nn, kind)(4, 3, num_layers=2, direction="bidirect")
    made.set_state_dict(net.state_dict())
    return made


def test_parameters_have_paddles_names():
    net = nn.LSTM(4, 3, num_layers=2, direction="bidirect")
    names = list(net.state_dict())
    assert names[:5] == [
        "weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l0_reverse",
    ]  # fmt: skip
    assert "1.cell_bw.bias_hh" in names and len(names) == 32
    assert len(net.parameters()) == 16
    assert [p.shape for p in nn.GRU(4, 3).parameters()] == [[9, 4], [9, 3], [9], [9]]


def test_time_first_and_states_to_start_from():
    net = nn.LSTM(4, 3, num_layers=2)
    x = inputs(2, 5, 4)
    start = inputs(2, 2, 3), inputs(2, 2, 3) * 0.5
    out, ends = net(x, start)
    major = nn.LSTM(4, 3, num_layers=2, time_major=True)
    major.set_state_dict(net.state_dict())
    other, others = major(x.transpose([1, 0, 2]), start)
    np.testing.assert_array_equal(out.numpy(), other.numpy().transpose(1, 0, 2))
    for a, b in zip(ends, others, strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())
    assert not np.allclose(out.numpy(), net(x)[0].numpy())


def test_dropout_between_layers_in_training_alone():
    net = nn.GRU(4, 3, num_layers=3, dropout=0.5)
    x = inputs(2, 5, 4)
    net.train()
    assert not np.allclose(net(x)[0].numpy(), net(x)[0].numpy())
    net.eval()
    np.testing.assert_array_equal(net(x)[0].numpy(), net(x)[0].numpy())
    out, h = net(x)
    assert h.shape == [3, 2, 3] and out.shape == [2, 5, 3]


def test_projection():
    net = nn.LSTM(4, 3, num_layers=2, direction="bidirect", proj_size=2)
    out, (h, c) = net(inputs(2, 5, 4), sequence_length=paddle.to_tensor(LENGTHS))
    assert (out.shape, h.shape, c.shape) == ([2, 5, 4], [4, 2, 2], [4, 2, 3])
    out.sum().backward()
    assert all(p.grad is not None for p in net.parameters())


def test_a_cell_of_ones_own():
    class Sum(nn.RNNCellBase):
        def forward(self, inputs, states):
            states = states + inputs
            return states * 2, states

        @property
        def state_shape(self):
            return (4,)

    x = inputs(2, 5, 4)
    out, end = nn.RNN(Sum())(x)
    np.testing.assert_allclose(out.numpy(), 2 * x.numpy().cumsum(1), rtol=1e-5)
    np.testing.assert_allclose(end.numpy(), x.numpy().sum(1), rtol=1e-5)


@pytest.mark.parametrize("make", [lambda: nn.LSTM(4, 3, 2), lambda: nn.RNN(nn.GRUCell(4, 3))])
def test_any_number_of_steps_in_one_program(make):
    net = make()
    static = paddle.jit.to_static(
        net, input_spec=[paddle.static.InputSpec([2, None, 4], "float32", "x")]
    )
    for steps in (1, 5, 3):
        x = inputs(2, steps, 4)
        found = static(x)[0].numpy()
        np.testing.assert_allclose(found, make_like(net, x), rtol=1e-5, atol=1e-6)


def make_like(net, x):
    with paddle.no_grad():
        return type(net).forward(net, x)[0].numpy()


def test_saved_and_loaded(tmp_path):
    net = nn.GRU(4, 3, direction="bidirect")
    net.eval()
    x = inputs(2, 5, 4)
    expected = net(x)[0].numpy()
    spec = paddle.static.InputSpec([None, 5, 4], "float32", "x")
    paddle.jit.save(net, str(tmp_path / "gru"), [spec])
    found = paddle.jit.load(str(tmp_path / "gru"))(x)[0]
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5, atol=1e-6)


def test_what_cannot_be_is_refused():
    with pytest.raises(ArgumentError, match="direction must be forward or bidirect"):
        nn.LSTM(4, 3, direction="backward")
    with pytest.raises(ArgumentError, match="hidden_size of GRUCell must be positive"):
        nn.GRUCell(4, 0)
    with pytest.raises(ArgumentError, match="activation must be 'tanh' or 'relu'"):
        nn.SimpleRNN(4, 3, activation="gelu")
    with pytest.raises(ArgumentError, match="proj_size must be in"):
        nn.LSTM(4, 3, proj_size=3)
    with pytest.raises(ShapeError, match="expected sequences"):
        nn.LSTM(4, 3)(inputs(2, 4))
    with pytest.raises(ShapeError, match=r"initial states must be \[2,N,3\]"):
        nn.GRU(4, 3, 2)(inputs(2, 5, 4), inputs(1, 2, 3))
    with pytest.raises(TypeMismatchError, match="cell must be a Layer"):
        nn.RNN("LSTM")


def test_parameters_come_cell_by_cell_under_paddles_names() -> None:
    layer = nn.LSTM(3, 4, num_layers=2, proj_size=2)
    cell = [[16, 3], [16, 2], [16], [16], [4, 2]]
    assert [p.shape for p in layer.parameters()] == [*cell, [16, 2], *cell[1:]]
    names = [name for name, _ in layer.named_parameters()]
    assert names[4:6] == ["weight_ih_l1", "weight_hh_l1"] and names[-1] == "1.cell.weight_ho"
    assert layer.state_dict()["weight_ih_l1"] is layer.state_dict()["0.cell.weight_ho"]


def test_a_bias_that_is_switched_off_has_no_second_name() -> None:
    layer = nn.LSTM(3, 4, num_layers=2, bias_hh_attr=False)
    assert list(layer.state_dict())[:3] == ["weight_ih_l0", "weight_hh_l0", "bias_ih_l0"]
    assert "bias_hh_l0" not in layer.state_dict()
