"""What the package's own objects and settings hold is seen as it is at each call."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.core import settings
from twinoar.errors import ConversionError
from twinoar.jit import to_static
from twinoar.nn.initializer import Constant

OPTIMIZER = paddle.optimizer
FLAG = "FLAGS_check_nan_inf"


@pytest.fixture(autouse=True)
def _settings_of_before():
    yield
    paddle.set_default_dtype("float32")
    paddle.set_flags({FLAG: False})
    paddle.set_printoptions(precision=8)


def tensor(*values):
    return paddle.to_tensor(list(values), dtype="float32")


def parameter(value=1.0, shape=(1,)):
    return paddle.create_parameter(list(shape), "float32", default_initializer=Constant(value))


def network():
    return nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)))


def total(x, parameters):
    for p in parameters:
        x = x + p.sum()
    return x


# Each gives a function, and what changes something between its calls; i is 1, 2, ...


def rate_of_an_optimizer():
    sgd = OPTIMIZER.SGD(0.5, parameters=[parameter()])
    return lambda x: x * sgd.get_lr(), lambda i: sgd.set_lr(0.1 * i)


def rate_of_a_schedule_in_an_optimizer():
    schedule = OPTIMIZER.lr.StepDecay(0.5, 1)
    sgd = OPTIMIZER.SGD(schedule, parameters=[parameter()])
    return lambda x: x * sgd.get_lr(), lambda i: schedule.step()


def schedule_that_is_replaced():
    sgd = OPTIMIZER.SGD(OPTIMIZER.lr.StepDecay(0.5, 1), parameters=[parameter()])
    made = OPTIMIZER.lr.StepDecay
    return lambda x: x * sgd.get_lr(), lambda i: sgd.set_lr_scheduler(made(0.5 + i, 1))


def schedule_that_is_called():
    schedule = OPTIMIZER.lr.StepDecay(0.5, 1)
    return lambda x: x * schedule(), lambda i: schedule.step()


def last_rate():
    schedule = OPTIMIZER.lr.NoamDecay(8, 2)
    return lambda x: x * schedule.last_lr, lambda i: schedule.step()


def formula_of_a_schedule():
    schedule = OPTIMIZER.lr.PolynomialDecay(0.5, 4)
    return lambda x: x * schedule.get_lr(), lambda i: schedule.step()


def state_of_a_schedule():
    schedule = OPTIMIZER.lr.StepDecay(0.5, 1)
    return lambda x: x * schedule.state_dict()["last_lr"], lambda i: schedule.step()


class Halved(OPTIMIZER.lr.LRScheduler):
    factor = 0.5

    def get_lr(self):
        return self.base_lr * self.factor**self.last_epoch


def schedule_of_the_user():
    schedule = Halved(0.5)

    def change(i):
        schedule.factor = i / 10
        schedule.step()

    return lambda x: x * schedule() + schedule.get_lr(), change


def parameter_that_is_replaced():
    net = network()

    def change(i):
        net[1][0].weight = parameter(float(i), [2, 2])

    return lambda x: total(x, net.parameters()), change


def parameter_that_is_added():
    net = network()
    return (
        lambda x: total(x, net.parameters()),
        lambda i: net[1].add_parameter(f"extra_{i}", parameter(float(i), [2])),
    )


def sublayer_that_is_added():
    net = network()
    return (
        lambda x: x * len(list(net.named_sublayers())) + len(net.parameters()),
        lambda i: net[1].add_sublayer(f"extra_{i}", nn.Linear(2, i)),
    )


def sublayer_that_is_added_to_one_in_a_list():
    nets = [network()]
    return (
        lambda x: x * sum(len(net.parameters()) for net in nets),
        lambda i: nets[0][1].add_sublayer(f"extra_{i}", nn.Linear(2, 2)),
    )


def buffer_that_is_registered():
    net = network()
    return (
        lambda x: x * len(net.state_dict()) + len(list(net.named_buffers())),
        lambda i: net[1][0].register_buffer(f"extra_{i}", paddle.ones([1])),
    )


def sizes_of_parameters():
    net = network()
    return (
        lambda x: x * sum(int(np.prod(p.shape)) for p in net.parameters()),
        lambda i: net.add_parameter("extra", parameter(1.0, [i])),
    )


def list_of_parameters():
    parameters = nn.ParameterList([parameter()])
    return lambda x: total(x, parameters), lambda i: parameters.append(parameter(float(i)))


def parameters_that_are_frozen():
    net = network()

    def change(i):
        net[0].weight.trainable = i % 2 == 1
        net[0].bias.stop_gradient = i % 3 == 1

    def function(x):
        free = sum(1 for p in net.parameters() if not p.stop_gradient)
        return x * free + sum(p.trainable for p in net.parameters())

    return function, change


def names_of_parameters():
    net = network()

    def change(i):
        net[0].weight.name = "w" * i

    return lambda x: x * len(net[0].weight.name), change


def traits_of_parameters():
    p = parameter()

    def change(i):
        p.factor = i

    return lambda x: x * getattr(p, "factor", 9), change


def flags():
    return (
        lambda x: x * (2 if paddle.get_flags(FLAG)[FLAG] else 3),
        lambda i: paddle.set_flags({FLAG: i % 2 == 1}),
    )


def default_dtype_of_new_tensors():
    return (
        lambda x: paddle.zeros([2]) + len(paddle.get_default_dtype()),
        lambda i: paddle.set_default_dtype("float64" if i % 2 else "float32"),
    )


def precision_of_texts():
    third = paddle.to_tensor([1 / 3])
    text = str(third)
    return (
        lambda x: x * len(text) + (paddle.get_default_dtype() == "float64"),
        lambda i: paddle.set_printoptions(precision=i),
    )


def metric():
    accuracy = paddle.metric.Accuracy()

    def change(i):
        scores = tensor([0.1, 0.9], [0.8, 0.2]) if i % 2 else tensor([0.9, 0.1], [0.8, 0.2])
        accuracy.update(accuracy.compute(scores, paddle.to_tensor([[1], [0]])))

    return lambda x: x * float(accuracy.accumulate()), change


def batches_of_a_sampler():
    sampler = paddle.io.BatchSampler(dataset=list(range(10)), batch_size=2)

    def change(i):
        sampler.batch_size = i + 1

    return lambda x: x * len(sampler) + len(list(sampler)), change


def part_of_a_dataset():
    part = paddle.io.Subset([1.0, 2.0, 3.0], [0, 1])

    def change(i):
        part.indices[0] = i % 3

    return lambda x: x * part[0], change


def norm_of_a_clip():
    clip = nn.ClipGradByNorm(1.0)

    def change(i):
        clip.clip_norm = float(i)

    return lambda x: clip([(x, x * 3)])[0][1], change


def distribution():
    normal = paddle.distribution.Normal(tensor(0.0, 0.0), tensor(1.0, 1.0))

    def change(i):
        normal.loc = tensor(float(i), 1.0)

    return lambda x: normal.log_prob(x) + normal.mean, change


def coefficient_of_a_regularizer():
    decay = paddle.regularizer.L2Decay(0.5)

    def change(i):
        decay.coeff = decay._coeff = float(i)

    return lambda x: decay(x, x), change


def transforms_in_a_row():
    steps = paddle.vision.transforms.Compose([lambda v: v])
    return lambda x: steps(x), lambda i: steps.transforms.append(lambda v: v * i)


def trained(**settings):
    """A step of training, with what it trains and what trains it."""
    p = parameter()
    momentum = OPTIMIZER.Momentum(0.5, parameters=[p], **settings)

    def step(x):
        (p * x.sum()).sum().backward()
        momentum.step()
        momentum.clear_grad()
        return p.detach()

    return step, p, momentum


def clip_of_an_optimizer():
    clip = nn.ClipGradByNorm(0.5)
    step, *_ = trained(grad_clip=clip)

    def change(i):
        clip.clip_norm = float(i)

    return step, change


def setting_of_a_group():
    p = parameter()
    groups = [{"params": [p], "weight_decay": 0.1}]
    momentum = OPTIMIZER.Momentum(0.5, parameters=groups)

    def step(x):
        (p * x.sum()).sum().backward()
        momentum.step()
        momentum.clear_grad()
        return p.detach()

    def change(i):
        momentum._groups[0].learning_rate = float(i)

    return step, change


def rate_of_a_parameter():
    step, p, _ = trained()
    p.optimize_attr = {"learning_rate": 1.0}

    def change(i):
        p.optimize_attr["learning_rate"] = float(i)

    return step, change


def regularizer_of_a_parameter():
    step, p, _ = trained()

    def change(i):
        p.regularizer = paddle.regularizer.L2Decay(float(i))

    return step, change


def parameter_that_is_not_clipped():
    step, p, _ = trained(grad_clip=nn.ClipGradByNorm(0.5))

    def change(i):
        p.need_clip = i % 2 == 0

    return step, change


CASES = [
    rate_of_an_optimizer, rate_of_a_schedule_in_an_optimizer, schedule_that_is_replaced,
    schedule_that_is_called, last_rate, formula_of_a_schedule, state_of_a_schedule,
    schedule_of_the_user, parameter_that_is_replaced, parameter_that_is_added,
    sublayer_that_is_added, sublayer_that_is_added_to_one_in_a_list, buffer_that_is_registered,
    sizes_of_parameters, list_of_parameters, parameters_that_are_frozen, names_of_parameters,
    traits_of_parameters, flags, default_dtype_of_new_tensors, precision_of_texts, metric,
    batches_of_a_sampler, part_of_a_dataset, norm_of_a_clip, distribution,
    coefficient_of_a_regularizer, transforms_in_a_row, clip_of_an_optimizer, setting_of_a_group,
    rate_of_a_parameter, regularizer_of_a_parameter, parameter_that_is_not_clipped,
]  # fmt: skip


def results(make, convert):
    """What five calls give, with a change after each."""
    paddle.seed(1)
    function, change = make()
    function = convert(function)
    found = []
    for i in range(1, 6):
        result = function(tensor(1.0, 2.0))
        found.append((str(result.dtype), result.numpy()))
        change(i)
    _restore()
    return found


def _restore():
    paddle.set_default_dtype("float32")
    paddle.set_flags({FLAG: False})
    paddle.set_printoptions(precision=8)


@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_calls_see_what_has_changed(make):
    expected, found = results(make, lambda f: f), results(make, to_static)
    for (dtype, array), (wanted_dtype, wanted) in zip(found, expected, strict=True):
        assert dtype == wanted_dtype
        np.testing.assert_allclose(array, wanted, rtol=1e-6)


def test_a_training_step_makes_one_program():
    step, *_ = trained(grad_clip=nn.ClipGradByNorm(0.5), weight_decay=0.1)
    static = to_static(step)
    for i in range(4):
        static(tensor(float(i), 2.0))
    assert len(static.program_cache) == 1 and not static.why_recompiled()


def test_a_program_is_found_again_when_a_setting_comes_back():
    static = to_static(lambda x: x + paddle.zeros([1]))
    for name in ("float32", "float64", "float32", "float64"):
        paddle.set_default_dtype(name)
        static(tensor(1.0))
    assert len(static.program_cache) == 2


def test_a_setting_that_a_function_leaves_changed_is_refused():
    def function(x):
        paddle.set_default_dtype("float64")
        return x + 1

    with pytest.raises(ConversionError, match="the default dtype"):
        to_static(function)(tensor(1.0))


def test_a_setting_that_a_function_sets_back_is_fine():
    def function(x):
        paddle.set_default_dtype("float64")
        zeros = paddle.zeros([1])
        paddle.set_default_dtype("float32")
        return zeros + x.astype("float64")

    assert to_static(function)(tensor(1.0)).dtype == paddle.float64


def test_what_an_optimizer_remembers_is_refused_in_a_trace():
    _, _, momentum = trained()
    with pytest.raises(ConversionError, match="state_dict of an optimizer"):
        to_static(lambda x: x * len(momentum.state_dict()))(tensor(1.0))


@pytest.mark.parametrize("changed", [False, True])
def test_a_setting_of_a_module_that_is_imported_meanwhile(changed):
    weather = ["fine"]

    def imported():
        settings.announce("the weather", lambda: weather[0])
        weather[0] = "foul" if changed else "fine"

    @to_static
    def function(x):
        imported()
        return x * 2.0

    try:
        if changed:
            with pytest.raises(ConversionError, match="the function changes the weather"):
                function(tensor(1))
        else:
            assert function(tensor(1)).tolist() == [2.0]
    finally:
        for kept in (settings.READERS, settings.FIRST):
            kept.pop("the weather", None)
