"""Passes for inference, on models as they are loaded, and saving what they made."""

import numpy as np
import pytest

import twinoar as paddle
from tests.passes.programs import types
from twinoar import nn, passes, static


def saved(layer, folder, shape):
    layer.eval()
    spec = [static.InputSpec(shape, name="x")]
    paddle.jit.save(layer, str(folder / "model"), input_spec=spec)
    return paddle.jit.load(str(folder / "model"))


def images():
    return paddle.to_tensor(np.random.default_rng(0).standard_normal((2, 3, 6, 6), "float32"))


def network():
    """Convolutions and a matrix, each with batch norm, whose statistics have moved."""
    paddle.seed(1)
    net = nn.Sequential(
        nn.Conv2D(3, 4, 3), nn.BatchNorm2D(4), nn.ReLU(),
        nn.Conv2D(4, 2, 3, bias_attr=False), nn.BatchNorm2D(2), nn.Dropout(0.5),
        nn.Flatten(), nn.Linear(8, 5), nn.BatchNorm1D(5),
    )  # fmt: skip
    for _ in range(3):
        net(images() * 2 + 1)
    return net


def test_batch_norm_and_dropout_become_part_of_the_weights(tmp_path):
    loaded = saved(network(), tmp_path, [None, 3, 6, 6])
    before = loaded(images()).numpy()
    loaded.apply_passes("for_inference")
    assert types(loaded.program()) == [
        "conv2d",
        "add",
        "relu",
        "conv2d",
        "add",
        "flatten",
        "linear",
    ]
    np.testing.assert_allclose(loaded(images()).numpy(), before, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("conv", "norm", "shape", "format"),
    [
        (nn.Conv3D, nn.BatchNorm3D, [2, 3, 4, 5, 4], "NCDHW"),
        (nn.Conv2D, nn.BatchNorm2D, [2, 5, 4, 3], "NHWC"),
        (nn.Conv2D, nn.BatchNorm2D, [2, 3, 5, 4], "NCHW"),
    ],
)
def test_all_convolutions_take_batch_norm_in(tmp_path, conv, norm, shape, format):
    paddle.seed(4)
    net = nn.Sequential(conv(3, 4, 2, data_format=format), norm(4, data_format=format))
    x = paddle.randn(shape)
    net(x * 3 + 2)
    loaded = saved(net, tmp_path, [None, *shape[1:]])
    before = loaded(x).numpy()
    loaded.apply_passes("for_inference")
    assert "batch_norm" not in types(loaded.program())
    np.testing.assert_allclose(loaded(x).numpy(), before, rtol=1e-4, atol=1e-5)


def test_what_passes_made_is_saved_and_loaded(tmp_path):
    loaded = saved(network(), tmp_path, [None, 3, 6, 6])
    loaded.apply_passes(passes.INFERENCE)
    names = sorted(p.name for p in loaded.parameters())
    assert len(names) == 6 and all(name.endswith(".folded") for name in names)
    paddle.jit.save(loaded, str(tmp_path / "small"))
    again = paddle.jit.load(str(tmp_path / "small"))
    assert "batch_norm" not in types(again.program())
    np.testing.assert_allclose(again(images()).numpy(), loaded(images()).numpy(), rtol=1e-6)


def test_saving_writes_the_program_as_users_wrote_it(tmp_path):
    loaded = saved(network(), tmp_path, [None, 3, 6, 6])
    assert types(loaded.program()).count("batch_norm") == 3


def test_weights_in_a_scope_are_given_by_value_and_saved(tmp_path):
    paddle.enable_static()
    try:
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup):
            x = static.data("x", [None, 3])
            y = static.nn.batch_norm(static.nn.fc(x, 4), is_test=True)
        executor = static.Executor()
        executor.run(startup)
        feed = {"x": np.ones((2, 3), "float32")}
        (wanted,) = executor.run(main, feed, [y])
        written = static.normalize_program(main, x, y)
        changed = passes.for_inference(written, written.state_dict())
        prefix = str(tmp_path / "model")
        static.save_inference_model(
            prefix, changed.main.inputs, changed.main.outputs, program=changed
        )
        loaded, _, fetches = static.load_inference_model(prefix)
        (found,) = executor.run(loaded, feed, fetches)
    finally:
        paddle.disable_static()
    assert types(changed) == ["linear"] and "batch_norm" not in types(loaded)
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


@pytest.mark.parametrize("masked", [False, True])
def test_multi_head_attention_is_one_operator(tmp_path, masked):
    paddle.seed(2)
    attention = nn.MultiHeadAttention(8, 2)
    mask = paddle.to_tensor(np.tril(np.ones((5, 5), bool)))

    class Block(nn.Layer):
        def __init__(self):
            super().__init__()
            self.attention = attention

        def forward(self, x):
            return self.attention(x, x, x, mask if masked else None)

    loaded = saved(Block(), tmp_path, [None, 5, 8])
    x = paddle.randn([2, 5, 8])
    before = loaded(x).numpy()
    loaded.apply_passes(["drop_identities", "fuse_linear", "fuse_attention"])
    found = types(loaded.program())
    assert found.count("scaled_dot_product_attention") == 1
    assert found.count("linear") == 4 and "softmax" not in found and "transpose" not in found
    np.testing.assert_allclose(loaded(x).numpy(), before, rtol=1e-5, atol=1e-6)


def test_batch_norm_in_training_stays():
    main = static.Program()
    with static.program_guard(main):
        nn.BatchNorm1D(4)(nn.Linear(3, 4)(static.data("x", [None, 3])))
    assert "batch_norm" in types(passes.run(main, ["fold_linear_bn"]))
