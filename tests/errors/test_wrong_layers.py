"""Wrong uses of layers, optimizers, schedules, data loading and metrics."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from tests.errors.wrong import Wrong, assert_helpful, ints, leaf, ones
from twinoar import io, metric, nn, optimizer
from twinoar.errors import (
    ArgumentError,
    AxisError,
    DTypeError,
    NotTensorError,
    ProgramError,
    ShapeError,
    TypeMismatchError,
    UnknownNameError,
    UnsupportedError,
)
from twinoar.io.dataset import UnsizedError
from twinoar.vision import transforms


class Samples(io.Dataset):
    """Four samples, which `make` makes."""

    def __init__(self, make: object):
        self.make = make

    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> object:
        return self.make(index)


class Stream(io.IterableDataset):
    """No samples."""

    def __iter__(self) -> object:
        return iter(())


def first_batch(make: object, **options: object) -> object:
    return next(iter(io.DataLoader(Samples(make), batch_size=2, **options)))


def parameters() -> list:
    return nn.Linear(2, 2).parameters()


def sgd(rate: object = 0.1, **options: object) -> optimizer.SGD:
    return optimizer.SGD(
        rate, parameters=options.pop("parameters", None) or parameters(), **options
    )


def state_of_another_dtype() -> None:
    layer = nn.Linear(2, 2)
    layer.set_state_dict({k: v.astype("float64") for k, v in layer.state_dict().items()})


def state_of_lists() -> None:
    nn.Linear(2, 2).set_state_dict({"weight": [[1.0, 2.0], [3.0, 4.0]]})


def optimizer_state_of_another_shape() -> None:
    adam = optimizer.Adam(0.1, parameters=parameters())
    state = {f"{p.name}_moment1_0": ones(7) for p in adam._parameter_list}
    adam.set_state_dict(state)


def sublayer_before_super() -> None:
    class Forgetful(nn.Layer):
        def __init__(self) -> None:
            self.inner = nn.Linear(2, 2)
            super().__init__()

    Forgetful()


def buffer_of_a_list() -> None:
    nn.Layer().register_buffer("steps", [1.0])


def sublayer_of_text() -> None:
    nn.Layer().add_sublayer("inner", "Linear")


def parameter_of_a_tensor() -> None:
    nn.Layer().add_parameter("w", ones(2))


def parameter_with_a_dot() -> None:
    layer = nn.Layer()
    layer.add_parameter("a.b", layer.create_parameter([2]))


def parameter_replaced_by_a_tensor() -> None:
    nn.Linear(2, 2).weight = ones(2, 2)


def set_rate_of_a_schedule() -> None:
    sgd(optimizer.lr.StepDecay(0.1, 3)).set_lr(0.2)


def same_parameter_twice() -> None:
    p = parameters()
    optimizer.SGD(0.1, parameters=[{"params": p}, {"params": p}])


LAYERS = {
    "Linear": Wrong(lambda: nn.Linear(3, 2)(ones(2, 4)), ShapeError, "3 rows", "4 columns"),
    "Linear of an array": Wrong(
        lambda: nn.Linear(3, 2)([[1.0, 2.0, 3.0]]), NotTensorError, "Tensor", "list"
    ),
    "Linear of no width": Wrong(lambda: nn.Linear(3, -2), ArgumentError, "known", "[3, -2]"),
    "Linear of text": Wrong(lambda: nn.Linear("3", 2), TypeMismatchError, "integers", "str"),
    "Linear of a fraction": Wrong(
        lambda: nn.Linear(3, 2.5), TypeMismatchError, "integers", "float"
    ),
    "Conv2D": Wrong(
        lambda: nn.Conv2D(3, 4, 3)(ones(1, 5, 8, 8)), ShapeError, "expects 3", "5 channels"
    ),
    "Conv2D without a batch": Wrong(
        lambda: nn.Conv2D(3, 4, 3)(ones(3, 8, 8)), ShapeError, "4 dimensions", "received 3"
    ),
    "Conv2D of a small image": Wrong(
        lambda: nn.Conv2D(1, 4, 5)(ones(1, 1, 3, 3)), ShapeError, "5 elements", "into 3"
    ),
    "Conv2D with groups": Wrong(
        lambda: nn.Conv2D(3, 4, 3, groups=2), ShapeError, "divide", "2 groups"
    ),
    "Conv2D with a data format": Wrong(
        lambda: nn.Conv2D(3, 4, 3, data_format="HWCN"), ArgumentError, "NCHW", "HWCN"
    ),
    "Conv2D with a padding mode": Wrong(
        lambda: nn.Conv2D(3, 4, 3, padding_mode="mirror"), ArgumentError, "reflect", "mirror"
    ),
    "MaxPool2D": Wrong(
        lambda: nn.MaxPool2D(5)(ones(1, 1, 3, 3)), ShapeError, "5 elements", "into 3"
    ),
    "BatchNorm2D": Wrong(
        lambda: nn.BatchNorm2D(3)(ones(2, 4, 5, 5)), ShapeError, "shape [3]", "4 channels"
    ),
    "BatchNorm2D without space": Wrong(
        lambda: nn.BatchNorm2D(3)(ones(2, 3)), ShapeError, "4", "[2, 3]"
    ),
    "LayerNorm": Wrong(lambda: nn.LayerNorm(4)(ones(2, 3)), ShapeError, "[4]", "[2, 3]"),
    "GroupNorm": Wrong(lambda: nn.GroupNorm(2, 3)(ones(1, 3, 2, 2)), ShapeError, "groups", "3"),
    "Embedding": Wrong(lambda: nn.Embedding(5, 2)(ints(5)), AxisError, "5 rows", "holds 5"),
    "Embedding of floats": Wrong(
        lambda: nn.Embedding(5, 2)(ones(2)), DTypeError, "integers", "float32"
    ),
    "Embedding with a padding": Wrong(
        lambda: nn.Embedding(5, 2, padding_idx=9), ArgumentError, "[-5, 5)", "9"
    ),
    "Dropout": Wrong(lambda: nn.Dropout(2.0), ArgumentError, "[0, 1]", "2.0"),
    "CrossEntropyLoss": Wrong(
        lambda: nn.CrossEntropyLoss()(ones(2, 3), ints(0, 3)), AxisError, "0 to 2", "label 3"
    ),
    "CrossEntropyLoss with a reduction": Wrong(
        lambda: nn.CrossEntropyLoss(reduction="avg"), ArgumentError, "'mean'", "'avg'"
    ),
    "MSELoss": Wrong(
        lambda: nn.MSELoss()(ones(2, 3), ones(4, 3)), ShapeError, "broadcast", "[4, 3]"
    ),
    "Sequential of text": Wrong(lambda: nn.Sequential("Linear"), TypeMismatchError, "Layer", "str"),
    "Sequential out of range": Wrong(lambda: nn.Sequential(nn.ReLU())[3], AxisError, "1", "3"),
    "LayerList of a number": Wrong(
        lambda: nn.LayerList([nn.ReLU(), 3]), TypeMismatchError, "Layer", "int"
    ),
    "a layer without forward": Wrong(
        lambda: nn.Layer()(ones(2)), UnsupportedError, "forward", "Layer"
    ),
    "a member before super().__init__": Wrong(
        sublayer_before_super, ProgramError, "super().__init__()", "Forgetful"
    ),
    "a buffer of a list": Wrong(buffer_of_a_list, TypeMismatchError, "Tensor", "list"),
    "a sublayer of text": Wrong(sublayer_of_text, TypeMismatchError, "Layer", "str"),
    "a parameter of a tensor": Wrong(
        parameter_of_a_tensor, TypeMismatchError, "Parameter", "Tensor"
    ),
    "a parameter with a dot": Wrong(parameter_with_a_dot, ArgumentError, "dot", "'a.b'"),
    "a parameter replaced": Wrong(
        parameter_replaced_by_a_tensor, TypeMismatchError, "Parameter", "Tensor"
    ),
    "a state of another dtype": Wrong(state_of_another_dtype, DTypeError, "float32", "float64"),
    "a state of lists": Wrong(state_of_lists, TypeMismatchError, "Tensor", "list"),
    "no state": Wrong(
        lambda: nn.Linear(2, 2).set_state_dict(3), TypeMismatchError, "dictionary", "int"
    ),
    "a parameter attribute": Wrong(
        lambda: nn.Linear(2, 2, weight_attr=3.5), TypeMismatchError, "ParamAttr", "3.5"
    ),
    "an initializer": Wrong(
        lambda: paddle.ParamAttr(initializer="zeros"),
        TypeMismatchError,
        "Constant(0.5)",
        "received str",
    ),
    "an initial value of another shape": Wrong(
        lambda: nn.Linear(2, 2, nn.initializer.Assign(np.ones(3))), ShapeError, "[2, 2]", "[3]"
    ),
    "to a dtype": Wrong(lambda: nn.Linear(2, 2).to(dtype="f99"), DTypeError, "float32", "f99"),
    "to a device": Wrong(lambda: nn.Linear(2, 2).to("gpu"), ArgumentError, "cpu", "gpu"),
    "a clip norm": Wrong(lambda: nn.ClipGradByGlobalNorm("1"), TypeMismatchError, "number", "'1'"),
}

OPTIMIZERS = {
    "no parameters": Wrong(lambda: optimizer.SGD(0.1), ArgumentError, "parameters=", "needs"),
    "a tensor for parameters": Wrong(
        lambda: optimizer.SGD(0.1, parameters=leaf(2)), TypeMismatchError, "list", "Tensor"
    ),
    "a layer for parameters": Wrong(
        lambda: optimizer.SGD(0.1, parameters=nn.Linear(2, 2)),
        TypeMismatchError,
        "layer.parameters()",
        "Linear",
    ),
    "names for parameters": Wrong(
        lambda: optimizer.SGD(0.1, parameters=["w"]), TypeMismatchError, "layer.parameters()", "str"
    ),
    "a negative rate": Wrong(lambda: sgd(-0.1), ArgumentError, "at least 0", "-0.1"),
    "a rate of text": Wrong(lambda: sgd("0.1"), TypeMismatchError, "number", "'0.1'"),
    "no rate": Wrong(lambda: sgd(None), ArgumentError, "number", "None"),
    "a beta": Wrong(
        lambda: optimizer.Adam(0.1, beta1=1.5, parameters=parameters()),
        ArgumentError,
        "[0, 1)",
        "1.5",
    ),
    "an epsilon": Wrong(
        lambda: optimizer.Adam(0.1, epsilon=-1.0, parameters=parameters()),
        ArgumentError,
        "at least 0",
        "-1.0",
    ),
    "a momentum": Wrong(
        lambda: optimizer.Momentum(0.1, None, parameters=parameters()),
        ArgumentError,
        "number",
        "None",
    ),
    "a decay": Wrong(lambda: sgd(weight_decay="0.1"), TypeMismatchError, "number", "'0.1'"),
    "a clip": Wrong(lambda: sgd(grad_clip=1.0), TypeMismatchError, "ClipGradBy", "1.0"),
    "a setting of a group": Wrong(
        lambda: optimizer.SGD(0.1, parameters=[{"params": parameters(), "lr": 1.0}]),
        ArgumentError,
        "learning_rate",
        "'lr'",
    ),
    "a parameter in two groups": Wrong(
        same_parameter_twice, ArgumentError, "once", "more than one"
    ),
    "a rate beside a schedule": Wrong(
        set_rate_of_a_schedule, ArgumentError, "set_lr_scheduler", "schedule"
    ),
    "a schedule of a number": Wrong(
        lambda: sgd().set_lr_scheduler(0.1), TypeMismatchError, "LRScheduler", "float"
    ),
    "a state of another shape": Wrong(
        optimizer_state_of_another_shape, ShapeError, "[2, 2]", "[7]"
    ),
    "a state of nothing known": Wrong(
        lambda: optimizer.Adam(0.1, parameters=parameters()).set_state_dict({"x": ones(1)}),
        UnknownNameError,
        "wanted is linear",
        "it has x",
    ),
    "a loss that is no tensor": Wrong(
        lambda: sgd().minimize(0.5), TypeMismatchError, "Tensor", "float"
    ),
    "a negative rate of a schedule": Wrong(
        lambda: optimizer.lr.StepDecay(-0.1, 3), ArgumentError, "at least 0", "-0.1"
    ),
    "a step size": Wrong(
        lambda: optimizer.lr.StepDecay(0.1, "3"), TypeMismatchError, "integer", "'3'"
    ),
    "boundaries": Wrong(
        lambda: optimizer.lr.PiecewiseDecay([1, 2], [0.1]), ArgumentError, "3 values", "received 1"
    ),
    "milestones": Wrong(
        lambda: optimizer.lr.MultiStepDecay(0.1, 3), TypeMismatchError, "list or tuple", "3"
    ),
    "a function of the epoch": Wrong(
        lambda: optimizer.lr.LambdaDecay(0.1, 0.5), TypeMismatchError, "function", "0.5"
    ),
}

LOADING = {
    "a batch size": Wrong(
        lambda: io.DataLoader(Samples(int), batch_size=0), ArgumentError, "batch_size", "0"
    ),
    "a batch size of text": Wrong(
        lambda: io.DataLoader(Samples(int), batch_size="4"),
        ArgumentError,
        "positive integer",
        "'4'",
    ),
    "workers": Wrong(
        lambda: io.DataLoader(Samples(int), num_workers=-1), ArgumentError, "at least 0", "-1"
    ),
    "no dataset": Wrong(lambda: io.DataLoader(3), TypeMismatchError, "Dataset", "int"),
    "shuffling a stream": Wrong(
        lambda: io.DataLoader(Stream(), shuffle=True), ArgumentError, "IterableDataset", "shuffle"
    ),
    "a batch sampler and a batch size": Wrong(
        lambda: io.DataLoader(
            Samples(int), batch_size=2, batch_sampler=io.BatchSampler(Samples(int), batch_size=2)
        ),
        ArgumentError,
        "leave",
        "batch_size",
    ),
    "samples of two shapes": Wrong(
        lambda: first_batch(lambda i: np.ones(i + 1)), ShapeError, "one shape", "[1], [2]"
    ),
    "samples of two lengths": Wrong(
        lambda: first_batch(lambda i: (1,) * (i + 1)), ShapeError, "equally many", "[1, 2]"
    ),
    "samples of None": Wrong(
        lambda: first_batch(lambda i: None), TypeMismatchError, "arrays", "NoneType"
    ),
    "samples of dates": Wrong(
        lambda: first_batch(lambda i: np.array(["2020"], "M8[Y]")),
        DTypeError,
        "Tensor",
        "datetime64",
    ),
    "a seed of a sampler": Wrong(
        lambda: io.RandomSampler(Samples(int), num_samples=-1), ArgumentError, "num_samples", "-1"
    ),
    "tensors of two lengths": Wrong(
        lambda: io.TensorDataset([ones(2), ones(3)]), ShapeError, "equally many rows", "(3,)"
    ),
    "a dataset without __getitem__": Wrong(
        lambda: io.Dataset()[0], UnsupportedError, "__getitem__", "Dataset"
    ),
    "the length of a stream": Wrong(
        lambda: len(io.DataLoader(Stream())), UnsizedError, "count the batches", "IterableDataset"
    ),
    "a split of a dataset": Wrong(
        lambda: io.random_split(Samples(int), [1, 1]), ArgumentError, "4", "[1, 1]"
    ),
    "an image of text": Wrong(
        lambda: transforms.ToTensor()("image"), TypeMismatchError, "ndarray", "str"
    ),
    "a size of an image": Wrong(
        lambda: transforms.Resize("3")(np.ones((4, 4, 3), "uint8")), ArgumentError, "integer", "'3'"
    ),
    "accuracy of one dimension": Wrong(
        lambda: metric.accuracy(ones(3), paddle.to_tensor([[1]])), ShapeError, "[N,k]", "[1]"
    ),
    "accuracy of k": Wrong(
        lambda: metric.accuracy(ones(2, 3), paddle.to_tensor([[1], [0]]), k=9),
        ArgumentError,
        "3",
        "9",
    ),
}

CASES = {
    f"{kind}-{name}": wrong
    for kind, table in (("layer", LAYERS), ("optimizer", OPTIMIZERS), ("loading", LOADING))
    for name, wrong in table.items()
}


@pytest.mark.parametrize("name", CASES)
def test_the_error_is_helpful(name: str) -> None:
    assert_helpful(CASES[name])


def test_a_refused_state_changes_nothing() -> None:
    layer = nn.Linear(2, 2)
    before = layer.weight.tolist()
    with pytest.raises(DTypeError):
        layer.set_state_dict({"weight": ones(2, 2), "bias": ones(2).astype("float64")})
    assert layer.weight.tolist() == before
