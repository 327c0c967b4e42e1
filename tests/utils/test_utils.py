"""The small names of `utils`, flags by Paddle's names, and devices that this version lacks."""

import pytest

import twinoar as paddle
from twinoar import config
from twinoar.errors import (
    ArgumentError,
    MissingModuleError,
    NotFiniteError,
    TypeMismatchError,
    UnsupportedError,
)


def test_flags_that_twinoar_has_are_set():
    name = "FLAGS_use_mkldnn"
    before = config.onednn
    try:
        paddle.set_flags({name: not before})
        assert config.onednn is not before and paddle.get_flags(name) == {name: not before}
    finally:
        config.onednn = before


@pytest.fixture
def finite():
    paddle.set_flags({"FLAGS_check_nan_inf": True})
    yield
    paddle.set_flags({"FLAGS_check_nan_inf": 0})
    assert paddle.get_flags("FLAGS_check_nan_inf") == {"FLAGS_check_nan_inf": False}


@pytest.mark.parametrize("run", [lambda f: f, paddle.jit.to_static], ids=["eager", "program"])
def test_results_that_are_not_finite_are_refused_where_that_is_checked(finite, run):
    x = paddle.to_tensor([-1.0, 0.0, 1.0])
    assert run(lambda x: paddle.exp(x))(x).shape == [3]
    with pytest.raises(NotFiniteError, match="1 results are nan and 1 inf, of 3 float32") as caught:
        run(lambda x: paddle.exp(paddle.log(x)))(x)
    assert caught.value.operator == "log" and caught.value.source.file == __file__


def test_gradients_that_are_not_finite_are_refused_where_that_is_checked(finite):
    x = paddle.zeros([600])
    x.stop_gradient = False
    with pytest.raises(NotFiniteError, match="600 inf"):
        paddle.sqrt(x).sum().backward()


def test_flags_that_are_fixed_warn_of_another_value():
    name = "FLAGS_check_nan_inf_level"
    paddle.set_flags({name: 0})
    with pytest.warns(UserWarning, match="is 0 here, and stays so"):
        paddle.set_flags({name: 1})
    assert paddle.get_flags([name]) == {name: 0}


def test_flags_that_change_no_result_are_remembered():
    name = "FLAGS_eager_delete_tensor_gb"
    before = paddle.get_flags(name)
    paddle.set_flags({name: 2})
    assert paddle.get_flags([name]) == {name: 2.0}
    paddle.set_flags(before)


def test_flags_that_there_are_not_are_refused():
    with pytest.raises(ArgumentError, match="no flag 'FLAGS_nope'"):
        paddle.get_flags("FLAGS_nope")
    with pytest.raises(TypeMismatchError, match="must be a dict"):
        paddle.set_flags("FLAGS_benchmark")


@pytest.mark.parametrize("place", [paddle.CUDAPlace, paddle.XPUPlace])
def test_devices_that_are_missing_are_refused(place):
    with pytest.raises(ArgumentError, match=r"there is no device \w+Place\(0\)"):
        place(0)


def test_modules_that_may_be_missing():
    assert paddle.utils.try_import("math").sqrt(4.0) == 2.0
    with pytest.raises(MissingModuleError, match=r"no_such_thing\.part is not installed") as caught:
        paddle.utils.try_import("no_such_thing.part")
    assert caught.value.cure == "pip install no_such_thing"


def test_versions():
    paddle.utils.require_version("2.0", "9.0")
    with pytest.raises(UnsupportedError, match=r"wanted is 9\.0 or newer"):
        paddle.utils.require_version("9.0")
    with pytest.raises(ArgumentError, match="must be numbers"):
        paddle.utils.require_version("two")


def test_run_check_works_in_static_mode_too(capsys):
    with paddle.static.program_guard(paddle.static.Program()):
        paddle.utils.run_check()
    assert "works" in capsys.readouterr().out
