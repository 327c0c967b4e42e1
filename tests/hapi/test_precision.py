"""A Model trains in mixed precision, in eager and in static mode."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, TypeMismatchError


@pytest.fixture(params=[False, True], ids=["eager", "static"])
def is_static(request):
    if request.param:
        paddle.enable_static()
    yield request.param
    paddle.disable_static()


def model():
    network = paddle.nn.Sequential(
        paddle.nn.Linear(4, 16), paddle.nn.ReLU(), paddle.nn.Linear(16, 4)
    )
    spec = paddle.static.InputSpec
    return paddle.Model(network, [spec([None, 4], "float32", "x")], [spec([None, 1], "int64", "y")])


def prepared(configs):
    paddle.seed(2)
    made = model()
    adam = paddle.optimizer.Adam(0.05, parameters=made.parameters())
    made.prepare(adam, paddle.nn.CrossEntropyLoss(), paddle.metric.Accuracy(), configs)
    return made


def trained(configs):
    program_guard, scope_guard = paddle.static.program_guard, paddle.static.scope_guard
    main, startup = paddle.static.Program(), paddle.static.Program()
    with program_guard(main, startup), scope_guard(paddle.static.Scope()):
        made = prepared(configs)
        x = np.eye(4, dtype=np.float32)
        data = [(x[i % 4], np.array([i % 4])) for i in range(32)]
        made.fit(data, batch_size=8, epochs=6, verbose=0)
        found = made.evaluate(data, batch_size=8, verbose=0)
        predicted = made.predict_batch([x])[0]
        return found, predicted, [p.dtype.name for p in made.parameters()]


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("level", ["O1", "O2"])
def test_it_learns_as_in_float32(level, dtype, is_static):
    found, predicted, dtypes = trained({"level": level, "dtype": dtype})
    assert float(found["acc"]) == 1.0
    assert predicted.argmax(1).tolist() == [0, 1, 2, 3]
    assert set(dtypes) == {dtype if level == "O2" else "float32"}


def test_a_level_alone_is_of_float16(is_static):
    found, _, _ = trained("O1")
    assert float(found["acc"]) == 1.0


def test_lists_and_scaling_are_handed_on():
    settings = {"init_loss_scaling": 8.0, "incr_every_n_steps": 3, "custom_black_list": {"relu"}}
    made = prepared(settings)
    assert made._steps.scaler.state_dict()["scale"].tolist() == [8.0]
    assert made.precision.level == "O1"
    made.train_batch([np.eye(4, dtype=np.float32)], [np.arange(4)[:, None]])
    assert made._steps.scaler.state_dict()["incr_count"] == 1


def test_level_o0_is_float32():
    assert not prepared("O0")._steps.scaler.is_enable()
    assert not prepared(None).precision.is_mixed


@pytest.mark.parametrize(
    ("configs", "error", "message"),
    [
        ("O3", ArgumentError, "level among .*'O3'"),
        ({"level": "OD"}, ArgumentError, "level among .*'OD'"),
        ({"use_pure_fp16": True}, ArgumentError, "there is no 'use_pure_fp16'"),
        ({"use_fp16_guard": True}, ArgumentError, "'use_fp16_guard' is for Programs"),
        ({"dtype": "int8"}, ArgumentError, "dtype among"),
        (3, TypeMismatchError, "a level or a dict, received int"),
    ],
)
def test_bad_configs(configs, error, message):
    with pytest.raises(error, match=message):
        prepared(configs)
