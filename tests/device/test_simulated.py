"""Training, moving, saving and failing on the simulated accelerator."""

import gc

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.core.device import HostCopies, register_backend
from twinoar.core.op.definition import registry
from twinoar.errors import ArgumentError, DeviceError, OutOfMemoryError, TypeMismatchError
from twinoar.vision.models import LeNet

RANDOM = np.random.default_rng(5)
IMAGES = RANDOM.standard_normal((4, 8, 1, 28, 28)).astype("float32")
LABELS = RANDOM.integers(0, 10, (4, 8))


def train(device, mode):
    """The losses of four steps, the copies to the host that they took, and the network."""
    paddle.set_device(device)
    paddle.seed(3)
    net = LeNet()
    optimizer = paddle.optimizer.Adam(1e-3, parameters=net.parameters())
    forward = paddle.jit.to_static(net) if mode == "to_static" else net

    def step(x, y):
        loss = nn.functional.cross_entropy(forward(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    if mode == "whole step":
        step = paddle.jit.to_static(step)
    batches = [
        (paddle.to_tensor(x), paddle.to_tensor(y)) for x, y in zip(IMAGES, LABELS, strict=True)
    ]
    before = HostCopies.count
    losses = [step(x, y) for x, y in batches]
    copies = HostCopies.count - before
    return [float(loss) for loss in losses], copies, net


@pytest.mark.parametrize("mode", ["eager", "to_static", "whole step"])
def test_lenet_trains_to_the_losses_of_the_cpu(mode, chip):
    found, copies, net = train("sim:0", mode)
    assert all(p.place == paddle.CustomPlace("sim", 0) for p in net.parameters())
    wanted, _, _ = train("cpu", mode)
    np.testing.assert_allclose(found, wanted, 1e-4)
    assert copies <= 2  # none is part of a step


def test_calls_return_before_the_chip_is_done(chip):
    x = paddle.ones([256, 256])
    chip.synchronize()
    chip.pause()
    y = x @ x
    assert not y._data.memory.ready.is_set()
    chip.resume()
    assert y.sum().item() == 256.0**3


def test_its_memory_is_no_array(chip):
    x = paddle.ones([2])
    with pytest.raises(TypeMismatchError, match="memory of sim:0 is no array of the CPU"):
        np.asarray(x._data)
    with pytest.raises(TypeMismatchError):
        bool(x._data)
    assert np.asarray(x).tolist() == [1.0, 1.0]


def test_operands_on_two_devices_are_refused_by_name(chip):
    here, there = paddle.ones([3]), paddle.to_tensor([1.0, 2.0, 3.0], place="sim:1")
    with pytest.raises(DeviceError, match="add: operands lie on sim:0 and sim:1"):
        here + there
    with pytest.raises(DeviceError, match="multiply: operands lie on cpu and sim:0"):
        here * here.cpu()


def test_a_program_whose_data_lie_on_two_devices_is_refused(chip):
    layer = nn.Linear(3, 2)
    forward = paddle.jit.to_static(layer.forward)
    with pytest.raises(DeviceError, match=r"lies? on"):
        forward(paddle.ones([1, 3]).to("cpu"))
    with pytest.raises(DeviceError, match=r"lies? on"):
        forward(paddle.ones([1, 3]).to("sim:1"))
    assert forward(paddle.ones([1, 3])).place == paddle.CustomPlace("sim", 0)


def test_numbers_of_the_cpu_go_where_they_are_used(chip):
    x = paddle.ones([2])
    with paddle.device.device("cpu"):
        number = paddle.to_tensor(3.0)
    assert (x * number).tolist() == [3.0, 3.0]


def test_gradients_flow_from_device_to_device(chip):
    x = paddle.to_tensor([1.0, 2.0], place="cpu", stop_gradient=False)
    (x.to("sim:0") ** 2).to("sim:1").sum().backward()
    assert x.grad.place == paddle.CPUPlace()
    assert x.grad.tolist() == [2.0, 4.0]


def test_views_share_memory_there_too(chip):
    x = paddle.zeros([2, 3])
    row = x[1]
    row[:] = 5.0
    x[0, 0] = 1.0
    assert x.tolist() == [[1, 0, 0], [5, 5, 5]]
    assert row.tolist() == [5, 5, 5]
    assert x.reshape([3, 2]).place == x.place


def test_the_device_of_a_block_is_that_of_new_tensors():
    with paddle.device.device("sim:1"):
        assert paddle.rand([2]).place == paddle.CustomPlace("sim", 1)
        assert paddle.get_device() == "sim:1"
        with paddle.no_grad():
            assert paddle.zeros([2]).place == paddle.CustomPlace("sim", 1)
        assert nn.Linear(2, 2).weight.place == paddle.CustomPlace("sim", 1)
    assert paddle.ones([2]).place == paddle.CPUPlace()


def test_a_model_is_saved_there_and_loaded_here(chip, tmp_path):
    net = LeNet()
    net.eval()
    x = paddle.rand([2, 1, 28, 28])
    wanted = net(x).numpy()
    paddle.save(net.state_dict(), str(tmp_path / "net.pdparams"))
    paddle.jit.save(net, str(tmp_path / "net"), [paddle.static.InputSpec([None, 1, 28, 28])])
    paddle.set_device("cpu")
    other = LeNet()
    other.set_state_dict(paddle.load(str(tmp_path / "net.pdparams")))
    other.eval()
    np.testing.assert_allclose(other(x.cpu()).numpy(), wanted, 1e-5, 1e-5)
    loaded = paddle.jit.load(str(tmp_path / "net"))
    np.testing.assert_allclose(loaded(x.cpu()).numpy(), wanted, 1e-5, 1e-5)


def test_states_that_are_loaded_lie_where_the_parameters_do(chip, tmp_path):
    layer = nn.Linear(2, 2)
    paddle.save(layer.state_dict(), str(tmp_path / "layer"))
    layer.set_state_dict(paddle.load(str(tmp_path / "layer")))
    assert layer.weight.place == paddle.CustomPlace("sim", 0)
    layer.weight.set_value(np.ones([2, 2], "float32"))
    assert layer(paddle.ones([1, 2])).place == paddle.CustomPlace("sim", 0)


def test_batches_of_a_loader_lie_on_the_device(chip):
    data = paddle.io.TensorDataset([IMAGES[0], LABELS[0]])
    for x, y in paddle.io.DataLoader(data, batch_size=4):
        assert x.place == y.place == paddle.CustomPlace("sim", 0)


def test_the_optimizers_states_lie_with_their_parameters(chip):
    paddle.set_device("cpu")
    layer = nn.Linear(2, 2)
    layer.to("sim:1")
    optimizer = paddle.optimizer.Adam(parameters=layer.parameters())
    layer(paddle.ones([1, 2]).to("sim:1")).sum().backward()
    optimizer.step()
    assert layer.weight.place == paddle.CustomPlace("sim", 1)


def test_an_executor_runs_where_its_place_says(chip):
    paddle.enable_static()
    try:
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup):
            x = paddle.static.data("x", [None, 4])
            y = paddle.static.nn.fc(x, 3)
        executor = paddle.static.Executor(paddle.CustomPlace("sim", 0))
        executor.run(startup)
        before = chip.launches
        (found,) = executor.run(main, feed={"x": np.ones((2, 4), "float32")}, fetch_list=[y])
    finally:
        paddle.disable_static()
    assert isinstance(found, np.ndarray) and found.shape == (2, 3)
    assert chip.launches > before


@pytest.mark.parametrize("mode", ["eager", "to_static"])
def test_a_launch_that_fails_is_told_when_its_result_is_looked_at(mode, chip):
    def double(x):
        return x * 2

    run = paddle.jit.to_static(double) if mode == "to_static" else double
    x = paddle.ones([4])
    run(x)
    chip.synchronize()
    chip.fail_next.add("launch")
    y = run(x)
    with pytest.raises(DeviceError, match="sim:0: chip 0: the launch failed"):
        y.numpy()
    with pytest.raises(DeviceError, match="the launch failed"):
        (y + 1).numpy()
    with pytest.raises(DeviceError, match="the launch failed"):
        paddle.device.synchronize()
    assert run(x).tolist() == [2.0] * 4


def test_memory_that_runs_out_is_told(chip):
    chip.fail_next.add("allocate")
    with pytest.raises(OutOfMemoryError, match="sim:0: chip 0"):
        paddle.ones([4]) + 1


def test_memory_is_counted_and_given_back(chip):
    gc.collect()
    before = paddle.device.memory_allocated()
    paddle.device.reset_peak_memory_stats()
    x = paddle.ones([1024])
    assert paddle.device.memory_allocated() == before + 4096
    del x
    paddle.device.synchronize()
    assert paddle.device.memory_allocated() == before
    assert paddle.device.max_memory_allocated() >= before + 4096


def test_what_is_asked_of_devices():
    assert paddle.device.get_all_custom_device_type() == ["sim"]
    assert paddle.device.get_available_device() == ["cpu", "sim:0", "sim:1"]
    assert paddle.device.is_compiled_with_custom_device("sim")
    assert paddle.device.get_device_name("sim:0") == "simulated chip"
    assert paddle.CustomPlace("sim", 1).is_custom_place()
    assert repr(paddle.CustomPlace("sim", 1)) == "Place(sim:1)"
    with pytest.raises(ArgumentError, match="there is no device 'sim:2'"):
        paddle.set_device("sim:2")


def test_streams_and_events(chip):
    stream = paddle.device.current_stream()
    start, end = paddle.device.Event(enable_timing=True), paddle.device.Event(enable_timing=True)
    start.record(stream)
    x = paddle.ones([64, 64])
    for _ in range(3):
        x = x @ x * 0.01
    end.record()
    end.synchronize()
    assert end.query() and start.elapsed_time(end) >= 0
    with paddle.device.stream_guard(paddle.device.Stream("sim:0")):
        assert (x + 1).place == paddle.CustomPlace("sim", 0)
    stream.wait_stream(paddle.device.Stream("sim:1"))
    stream.synchronize()


def test_the_operators_that_the_host_runs_are_those_without_a_rule(plug_in):
    own = [op for op in registry.values() if op.__module__.startswith("twinoar.ops.")]
    hosted = {op.name for op in own if not op.body and not plug_in.runs(op)}
    assert 0 < len(hosted) <= 110


def test_an_entry_point_that_is_no_back_end_of_its_kind_is_refused(plug_in):
    with pytest.raises(TypeMismatchError, match="devices of kind 'xpu' is a SimBackend"):
        register_backend("xpu", plug_in)
    with pytest.raises(ArgumentError, match="of kind 'sim' are served already"):
        register_backend("sim", type(plug_in)())


def test_a_tensor_says_where_it_lies(plug_in):
    x = paddle.ones([2]).to("sim:1")
    assert (x.device, x.device.type, x.device.index, x.is_cuda) == ("sim:1", "sim", 1, False)
    assert x.get_device() == 1
    assert (x.cpu().device, x.cpu().get_device()) == ("cpu", -1)
    with pytest.raises(DeviceError, match="memory of sim:1 has no address here"):
        x.data_ptr()


@pytest.mark.parametrize(
    "make",
    [
        lambda where: paddle.hann_window(4, device=where),
        lambda where: paddle.device.FloatTensor(2, device=where),
        lambda where: paddle.as_tensor([1.0], device=where),
        lambda where: nn.Embedding(3, 2, device=where).weight,
        lambda where: paddle.compat.nn.Linear(2, 2, device=where).weight,
        lambda where: paddle.utils.dlpack.from_dlpack(np.ones(2, "float32"), device=where),
        lambda where: next(iter(paddle.io.DataLoader([np.ones(2)], places=where))),
    ],
)
@pytest.mark.parametrize("where", ["sim:1", paddle.CPUPlace()])
def test_what_takes_a_device_makes_its_values_there(make, where, plug_in):
    found = make(where)
    found = found[0] if isinstance(found, list) else found
    assert str(found.place) == f"Place({where})" if isinstance(where, str) else found.place == where


@pytest.mark.parametrize(
    "use",
    [
        lambda x: x[[0, 2]],
        lambda x: x[np.array([True, False, True])],
        lambda x: x[[True, False, True], [0, 1]],
        lambda x: x[:, [1, 0]],
        lambda x: x[-1, 1:],
        lambda x: put(x, [0, 2], [5.0, 6.0]),
        lambda x: put(x, (slice(None), [1]), 7),
        lambda x: put(x, np.array([True, False, True]), np.float32(8.0)),
        lambda x: put(x, 1, [3.0, 4.0]),
        lambda x: x + np.ones([3, 2], "float32"),
        lambda x: paddle.maximum(x, np.full([2], 2.5, "float32")),
    ],
)
def test_lists_and_arrays_go_to_the_tensor_they_are_used_with(use, plug_in):
    x = paddle.arange(6, dtype="float32").reshape([3, 2])
    found = use(x.to("sim:1"))
    assert found.place == paddle.CustomPlace("sim", 1)
    np.testing.assert_array_equal(found.cpu(), use(x))


def put(x, item, value):
    """A copy of x with a part replaced."""
    x = x.clone()
    x[item] = value
    return x
