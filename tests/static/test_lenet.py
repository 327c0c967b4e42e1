"""LeNet on handwritten digits: the static training gives the losses of the eager one, natively."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn, static
from twinoar.vision.datasets import Digits
from twinoar.vision.models import LeNet

STEPS, BATCH = 4, 32


@pytest.fixture(scope="module")
def batches():
    """Images as MNIST has them, [32,1,28,28] in [-1, 1], and labels [32,1]."""
    digits = Digits(mode="train", backend="cv2")
    found = []
    for step in range(STEPS):
        samples = [digits[i] for i in range(step * BATCH, (step + 1) * BATCH)]
        small = np.stack([image for image, _ in samples])
        large = np.pad(small.repeat(3, 1).repeat(3, 2), ((0, 0), (2, 2), (2, 2)))
        labels = np.stack([label for _, label in samples])
        found.append(((large / 127.5 - 1.0).astype(np.float32)[:, None], labels))
    return found


@pytest.fixture(scope="module")
def eager(batches):
    """The losses of an eager training, and the parameters that it began with."""
    paddle.seed(3)
    net = LeNet()
    first = [p.numpy() for p in net.parameters()]
    optimizer = paddle.optimizer.Adam(1e-3, parameters=net.parameters())
    losses = []
    for images, labels in batches:
        loss = nn.functional.cross_entropy(net(paddle.to_tensor(images)), paddle.to_tensor(labels))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.numpy())
    return losses, first


@pytest.fixture
def training(eager):
    """The two Programs of a training, and its loss."""
    main, startup = static.Program(), static.Program()
    with static.scope_guard(static.Scope()), static.program_guard(main, startup):
        images = static.data("images", [None, 1, 28, 28])
        labels = static.data("labels", [None, 1], "int64")
        loss = nn.functional.cross_entropy(LeNet()(images), labels)
        paddle.optimizer.Adam(1e-3).minimize(loss)
        yield main, startup, loss


def run(main, loss, batches):
    exe = static.Executor()
    return [
        exe.run(main, feed={"images": images, "labels": labels}, fetch_list=[loss])[0]
        for images, labels in batches
    ]


def test_losses_are_those_of_the_eager_training(training, batches, eager):
    main, startup, loss = training
    losses, first = eager
    static.Executor().run(startup)
    main.set_state_dict(dict(zip([p.name for p in main.all_parameters()], first, strict=True)))
    # The compiler adds in another order than eager kernels do: a few units in the last place.
    np.testing.assert_allclose(run(main, loss, batches), losses, rtol=2e-6)


def test_a_seed_starts_both_with_the_same_parameters(training, eager):
    main, startup, _ = training
    _, first = eager
    paddle.seed(3)
    static.Executor().run(startup)
    for p, value in zip(main.all_parameters(), first, strict=True):
        np.testing.assert_array_equal(p.get_value().numpy(), value)


def test_a_step_is_one_native_call_without_parts_on_numpy(training, batches):
    main, startup, loss = training
    static.Executor().run(startup)
    run(main, loss, batches[:1])
    (executable,) = main.executables().values()
    explained = main.explain()
    assert "NumPy" not in explained
    assert type(executable).__name__ == "NativeExecutable"
    assert {"conv2d", "matmul"} <= set(explained.replace(",", " ").split())
