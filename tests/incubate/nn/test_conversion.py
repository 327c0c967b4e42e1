"""Fused functions are compositions: they convert, are saved, and have gradients."""

import numpy as np
import pytest

import twinoar as paddle
from tests.incubate.nn.conversions import CALLS, called, tensors_of


def gradients(function, arrays):
    given = tensors_of(arrays)
    (function(**given) ** 2).sum().backward()
    return {name: x.grad for name, x in given.items() if not x.stop_gradient}


@pytest.mark.parametrize("name", CALLS)
def test_a_converted_call_is_the_same_with_the_same_gradients(name):
    settings, arrays = CALLS[name]
    function = called(name, **settings)
    converted = paddle.jit.to_static(called(name, **settings))
    wanted = function(**tensors_of(arrays))
    found = converted(**tensors_of(arrays))
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    for key, wanted in gradients(function, arrays).items():
        found = gradients(converted, arrays)[key]
        assert (found is None) == (wanted is None), key
        if wanted is not None:
            np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5, err_msg=key)


@pytest.mark.parametrize("name", CALLS)
def test_a_saved_call_is_the_same(name, tmp_path):
    settings, arrays = CALLS[name]

    class Calls(paddle.nn.Layer):
        def forward(self, *given):
            return called(name, **settings)(**dict(zip(arrays, given, strict=True)))

    specs = [paddle.static.InputSpec(x.shape, str(x.dtype)) for x in arrays.values()]
    paddle.jit.save(Calls(), str(tmp_path / "calls"), input_spec=specs)
    given = [paddle.to_tensor(x) for x in arrays.values()]
    found = paddle.jit.load(str(tmp_path / "calls"))(*given)
    wanted = called(name, **settings)(**tensors_of(arrays))
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", CALLS)
def test_a_gradient_is_a_slope(name):
    settings, arrays = CALLS[name]
    function = called(name, **settings)
    wide = {k: x.astype("float64") if x.dtype.kind == "f" else x for k, x in arrays.items()}
    found = gradients(function, wide)
    for key, gradient in found.items():
        if gradient is None:
            continue
        step = np.zeros_like(wide[key])
        at = np.unravel_index(step.size // 2, step.shape)
        step[at] = 1e-5

        def total(sign, key=key, step=step):
            given = tensors_of({**wide, key: wide[key] + sign * step})
            return (function(**given) ** 2).sum().item()

        slope = (total(1) - total(-1)) / 2e-5
        np.testing.assert_allclose(gradient.numpy()[at], slope, rtol=1e-4, atol=1e-6, err_msg=key)


@pytest.mark.parametrize("dtype, error", [("float16", 2e-2), ("bfloat16", 1e-1)])
@pytest.mark.parametrize("name", CALLS)
def test_half_precision_is_near_and_stays(name, dtype, error):
    settings, arrays = CALLS[name]
    given = {
        k: x.astype(dtype) if x.is_floating_point() else x for k, x in tensors_of(arrays).items()
    }
    found = called(name, **settings)(**given)
    wanted = called(name, **settings)(**tensors_of(arrays))
    assert found.dtype.name == dtype
    scale = np.abs(wanted.numpy()).max()
    np.testing.assert_allclose(found.astype("float32"), wanted, atol=error * scale)
