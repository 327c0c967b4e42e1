"""Runs the calls of `calls.txt` in a Paddle, ours or the real one; it needs that, NumPy and Pillow.

A call is one Python expression. It finds the namespace as `paddle`, its usual abbreviations, and
the functions of `Tools`, whose random numbers depend on the text of the call alone.
"""

from __future__ import annotations

import math
import operator
import tempfile
import warnings
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

STEPS = 20


class Tools:
    """What calls are written with, in one call: tensors made here want gradients if they float."""

    def __init__(self, paddle: Any, call: str, folder: Path):
        self.paddle = paddle
        self.random = np.random.RandomState(zlib.crc32(call.encode()))
        self.folder = str(folder)
        self.leaves: list[Any] = []

    def namespace(self) -> dict[str, Any]:
        """The names that the call finds."""
        paddle = self.paddle
        own = (
            "x",
            "u",
            "ints",
            "bools",
            "t",
            "array",
            "image",
            "photo",
            "fixed",
            "drawn",
            "trained",
        )
        own += ("rates", "program", "parameter", "folder", "after", "raised")
        short = {"nn": "nn", "F": "nn.functional", "T": "vision.transforms", "static": "static"}
        short |= {"lr": "optimizer.lr", "I": "nn.initializer"}
        found: dict[str, Any] = {"paddle": paddle, "np": np, "math": math}
        for name, path in short.items():
            value = paddle
            for part in path.split("."):
                value = getattr(value, part, None)
            found[name] = value
        return found | {name: getattr(self, name) for name in own}

    def array(self, *shape: int, dtype: str = "float32") -> np.ndarray:
        """Normal numbers."""
        return self.random.standard_normal(shape).astype(dtype)

    def image(self, height: int = 8, width: int = 10, channels: int = 3) -> np.ndarray:
        """Bytes, [height, width, channels]."""
        return self.random.randint(0, 256, (height, width, channels)).astype("uint8")

    def photo(self, height: int = 8, width: int = 10) -> Any:
        """An image of random bytes."""
        return Image.fromarray(self.image(height, width))

    def leaf(self, values: np.ndarray) -> Any:
        made = self.paddle.to_tensor(values, stop_gradient=values.dtype.kind not in "fc")
        self.leaves.append(made)
        return made

    def x(self, *shape: int, dtype: str = "float32") -> Any:
        """A tensor of normal numbers."""
        return self.leaf(np.asarray(self.array(*shape, dtype=dtype)))

    def u(self, low: float, high: float, *shape: int, dtype: str = "float32") -> Any:
        """A tensor of uniform numbers."""
        return self.leaf(np.asarray(self.random.uniform(low, high, shape)).astype(dtype))

    def ints(self, low: int, high: int, *shape: int, dtype: str = "int64") -> Any:
        """A tensor of integers below `high`."""
        return self.leaf(np.asarray(self.random.randint(low, high, shape)).astype(dtype))

    def bools(self, *shape: int) -> Any:
        """A tensor of truth values."""
        return self.leaf(np.asarray(self.random.randint(0, 2, shape) > 0))

    def t(self, values: Any, dtype: str | None = None) -> Any:
        """A tensor of these values, without a gradient."""
        return self.paddle.to_tensor(values, dtype=dtype)

    def parameter(self, *shape: int, name: str | None = None) -> Any:
        """A parameter of normal numbers."""
        made = self.paddle.create_parameter(list(shape), "float32", name=name)
        made.set_value(self.array(*shape))
        self.leaves.append(made)
        return made

    def fixed(self, layer: Any) -> Any:
        """The layer with numbers of ours for parameters."""
        for _, made in layer.named_parameters():
            if not made.stop_gradient:  # statistics are not
                made.set_value(self.array(*made.shape) * np.float32(0.3))
                self.leaves.append(made)
        return layer

    def drawn(self, sample: Any) -> list[Any]:
        """Of random numbers, what does not depend on the generator: form and rough moments."""
        values = np.asarray(sample.numpy(), "float64")
        moments = [float(np.round(f(values) * 5)) / 5 for f in (np.mean, np.std)]
        return [str(sample.dtype).rpartition(".")[2], list(sample.shape), moments]

    def trained(self, make: Callable) -> list[Any]:
        """Two parameters after steps of an optimizer made of them; its rate; its state's forms."""
        with self.paddle.utils.unique_name.guard():
            weights = [self.parameter(3, 4, name="w"), self.parameter(4, name="b")]
            optimizer = make(weights)
            for _ in range(STEPS):
                rows = self.paddle.to_tensor(self.array(5, 3))
                loss = ((rows.matmul(weights[0]) + weights[1]) ** 2).mean()
                loss.backward()
                optimizer.step()
                optimizer.clear_grad()
        return [*(w.detach() for w in weights), optimizer.get_lr(), shapes(optimizer.state_dict())]

    def rates(self, schedule: Any, steps: int = 12, **given: Any) -> list[float]:
        """The learning rates that a schedule gives, and its state."""
        found = []
        for step in range(steps):
            found.append(float(schedule()))
            schedule.step(**{name: value[step] for name, value in given.items()})
        return [*found, sorted(schedule.state_dict())]

    def program(self, build: Callable, **feeds: np.ndarray) -> Any:
        """The results of a static program that `build` makes of variables for the feeds."""
        paddle = self.paddle
        paddle.enable_static()
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.scope_guard(paddle.static.Scope()):
            with paddle.static.program_guard(main, startup):
                inputs = [
                    paddle.static.data(name, list(value.shape), str(value.dtype))
                    for name, value in feeds.items()
                ]
                out = build(*inputs)
            executor = paddle.static.Executor()
            executor.run(startup)
            fetched = list(out) if isinstance(out, (list, tuple)) else [out]
            return executor.run(main, feed=feeds, fetch_list=fetched)

    def after(self, *values: Any) -> Any:
        """The last of the values; those before are for their effects."""
        return values[-1]

    def raised(self, call: Callable) -> bool:
        """Whether the call raises an error."""
        try:
            call()
        except Exception:
            return True
        return False


def shapes(state: dict[str, Any]) -> dict[str, Any]:
    """The shapes of what a state holds."""
    return {name: list(getattr(v, "shape", [])) for name, v in sorted(state.items())}


def known(paddle: Any, value: Any) -> Any:
    """`value` in terms of NumPy and Python."""
    if isinstance(value, paddle.Tensor):
        dtype = str(value.dtype).rpartition(".")[2]
        wide = value.astype("float32") if dtype in ("bfloat16", "float16") else value
        array = wide.detach().numpy()
        stopped = value.stop_gradient if array.dtype.kind in "fc" else None
        return {"dtype": dtype, "stopped": stopped, "array": array}
    if isinstance(value, (list, tuple)):
        return [known(paddle, item) for item in value]
    if isinstance(value, dict):
        return {key: known(paddle, item) for key, item in value.items()}
    if isinstance(value, paddle.nn.Layer):
        return {"text": repr(value), "shapes": shapes(value.state_dict())}
    if isinstance(value, (np.ndarray, Image.Image)):
        value = np.asarray(value)
        return {"dtype": str(value.dtype), "stopped": None, "array": value}
    value = value.item() if isinstance(value, np.generic) else value
    for kind in (bool, int, float, complex, str, bytes):
        if isinstance(value, kind):
            return kind(value)
    if value is None:
        return value
    if isinstance(value, paddle.dtype):
        return str(value).rpartition(".")[2]
    return type(value).__name__


def differentiable(paddle: Any, value: Any) -> dict[int, Any]:
    """The tensors in `value` that lead back to others, each once."""
    if isinstance(value, (list, tuple)):
        return {k: v for item in value for k, v in differentiable(paddle, item).items()}
    floats = isinstance(value, paddle.Tensor) and "float" in str(value.dtype)
    return {id(value): value} if floats and not value.stop_gradient and not value.is_leaf else {}


def weights(paddle: Any, result: Any) -> Any:
    """What each element of a result counts in the sum whose gradients are compared."""
    values = np.cos(np.arange(math.prod(result.shape), dtype="float64"))
    return paddle.to_tensor(values.reshape(result.shape).astype("float32")).astype(result.dtype)


def gradients(paddle: Any, value: Any, leaves: list[Any]) -> list[Any]:
    """The gradients of the leaves after `backward` from all that leads back to them."""
    results = list(differentiable(paddle, value).values())
    if results:
        paddle.autograd.backward(results, [weights(paddle, r) for r in results])
    return [
        known(paddle, leaf.grad if leaf.grad is None else leaf.grad.detach()) for leaf in leaves
    ]


def outcome(paddle: Any, call: str) -> dict[str, Any]:
    """What a call returns, and the gradients of what it was given; or its error."""
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(paddle, call, Path(folder))
        return attempt(paddle, lambda: eval(call, tools.namespace()), tools.leaves)


def sampled(paddle: Any, name: str, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The outcome of the function of that name for arguments in which arrays stand for tensors."""
    tools = Tools(paddle, name, Path())

    def given(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return type(value)(given(item) for item in value)
        return tools.leaf(value) if isinstance(value, np.ndarray) else value

    def call() -> Any:
        function = operator.attrgetter(name.removeprefix("paddle."))(paddle)
        return function(*given(args), **{key: given(value) for key, value in kwargs.items()})

    return attempt(paddle, call, tools.leaves)


def attempt(paddle: Any, call: Callable[[], Any], leaves: list[Any]) -> dict[str, Any]:
    """What the call returns, and the gradients of the leaves that it makes; or its error."""
    paddle.seed(0)
    np.random.seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = call()
            found = {"results": known(paddle, value)}
            return found | {"gradients": gradients(paddle, value, leaves)}
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"[-300:]}
        finally:
            paddle.disable_static()


def outcomes(paddle: Any, calls: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The outcome of each call."""
    return {call: outcome(paddle, call) for call in calls}


def outcomes_of_samples(paddle: Any, samples: dict[str, tuple]) -> dict[str, dict[str, Any]]:
    """The outcome of each sample: the name of a function, arguments, keyword arguments."""
    return {key: sampled(paddle, *sample) for key, sample in samples.items()}
