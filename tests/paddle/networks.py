"""The same networks, made and run with Paddle's API, whoever serves it.

The functions run in the real Paddle's Python too, so they need NumPy only; `paddle` is the
framework. Weights and inputs depend on the network's name alone.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

RESNETS = (
    *("resnet18", "resnet34", "resnet50", "resnet101", "resnet152"),
    *("resnext50_32x4d", "resnext50_64x4d", "resnext101_32x4d", "resnext101_64x4d"),
    *("resnext152_32x4d", "resnext152_64x4d", "wide_resnet50_2", "wide_resnet101_2"),
)
# Other networks for images, and the size of those they are given here.
OTHERS = {
    "alexnet": 224,
    "vgg11": 32,
    "vgg13": 32,
    "vgg16": 32,
    "vgg19": 32,
    "googlenet": 224,
    "mobilenet_v1": 64,
    "mobilenet_v2": 64,
    "mobilenet_v3_small": 64,
    "mobilenet_v3_large": 64,
    **{f"densenet{layers}": 64 for layers in (121, 161, 169, 201, 264)},
    **{f"shufflenet_v2_{kind}": 64 for kind in ("x0_25", "x0_33", "x0_5", "x1_0", "x1_5")},
    "shufflenet_v2_x2_0": 64,
    "shufflenet_v2_swish": 64,
    "inception_v3": 128,
    "squeezenet1_0": 64,
    "squeezenet1_1": 64,
}
MODELS = (*RESNETS, *OTHERS)
COMPARED = (
    *("alexnet", "vgg11", "mobilenet_v1", "mobilenet_v2", "mobilenet_v3_small", "densenet121"),
    *("googlenet", "inception_v3", "shufflenet_v2_x0_25", "squeezenet1_0", "squeezenet1_1"),
)
SOURCE, TARGET, IMAGES = (2, 5, 8), (2, 3, 8), (2, 3, 64, 64)


def attention(paddle: Any, **options: Any) -> Any:
    return paddle.nn.MultiHeadAttention(8, 2, need_weights=True, **options)


def encoder_layer(paddle: Any, **options: Any) -> Any:
    return paddle.nn.TransformerEncoderLayer(8, 2, 12, dropout=0.0, **options)


def decoder_layer(paddle: Any, **options: Any) -> Any:
    return paddle.nn.TransformerDecoderLayer(8, 2, 12, dropout=0.0, **options)


def encoder(paddle: Any) -> Any:
    return paddle.nn.TransformerEncoder(encoder_layer(paddle), 2, paddle.nn.LayerNorm(8))


def transformer(paddle: Any, **options: Any) -> Any:
    return paddle.nn.Transformer(8, 2, 2, 1, 12, dropout=0.0, **options)


def function(paddle: Any, call: Callable) -> Any:
    """A layer without parameters."""

    class Function(paddle.nn.Layer):
        def forward(self, *inputs: Any) -> Any:
            return call(*inputs)

    return Function()


def product_attention(paddle: Any, **options: Any) -> Any:
    attend = paddle.nn.functional.scaled_dot_product_attention
    return function(paddle, lambda *inputs: attend(*inputs, **options))


def stepwise_encoder(paddle: Any) -> Any:
    """Given one position after the other, with a cache."""

    class Stepwise(paddle.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.encoder = encoder(paddle)

        def forward(self, x: Any) -> tuple:
            cache = self.encoder.gen_cache(x)
            outs = []
            for i in range(x.shape[1]):
                out, cache = self.encoder(x[:, i : i + 1], cache=cache)
                outs.append(out)
            return *outs, cache[0].k, cache[1].v

    return Stepwise()


def stepwise_decoder(paddle: Any) -> Any:
    """Given one position after the other, with a cache."""

    class Stepwise(paddle.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.decoder = paddle.nn.TransformerDecoder(decoder_layer(paddle), 2)

        def forward(self, x: Any, memory: Any) -> tuple:
            cache = self.decoder.gen_cache(memory)
            outs = []
            for i in range(x.shape[1]):
                out, cache = self.decoder(x[:, i : i + 1], memory, cache=cache)
                outs.append(out)
            own, static = self.decoder.gen_cache(memory, do_zip=True)
            return *outs, own[0].k, static[1].v

    return Stepwise()


def causal(length: int) -> np.ndarray:
    return np.tril(np.ones((length, length), bool))


# Name: what makes it, the shapes of its inputs, and arrays that follow them.
NETWORKS: dict[str, tuple[Callable, Sequence[tuple], Sequence[Any]]] = {
    "attention": (attention, [TARGET], []),
    "attention to others": (
        lambda paddle: attention(paddle, kdim=6, vdim=4, bias_attr=False),
        [TARGET, (2, 5, 6), (2, 5, 4)],
        [np.arange(15).reshape(3, 5) % 4 != 0],
    ),
    "attention, integer mask": (attention, [TARGET] * 3, [causal(3).astype("int64")]),
    "attention, added mask": (
        attention,
        [TARGET] * 3,
        [np.linspace(-2, 2, 36).reshape(2, 2, 3, 3).astype("float32")],
    ),
    "encoder layer": (encoder_layer, [TARGET], [causal(3)]),
    "encoder layer, norm first": (
        lambda paddle: encoder_layer(paddle, normalize_before=True, activation="gelu"),
        [TARGET],
        [],
    ),
    "encoder": (encoder, [SOURCE], [causal(5)]),
    "decoder layer": (decoder_layer, [TARGET, SOURCE], [causal(3)]),
    "decoder layer, norm first": (
        lambda paddle: decoder_layer(paddle, normalize_before=True, layer_norm_eps=1e-3),
        [TARGET, SOURCE],
        [causal(3), np.ones((3, 5), "int64")],
    ),
    "transformer": (transformer, [SOURCE, TARGET], [causal(5), causal(3), np.ones((3, 5), bool)]),
    "transformer, attributes": (
        lambda paddle: transformer(paddle, weight_attr=[None, None], bias_attr=[False, None, None]),
        [SOURCE, TARGET],
        [],
    ),
    "stepwise encoder": (stepwise_encoder, [TARGET], []),
    "stepwise decoder": (stepwise_decoder, [TARGET, SOURCE], []),
    "subsequent mask": (
        lambda paddle: function(
            paddle, lambda x: x + transformer(paddle).generate_square_subsequent_mask(3).exp()
        ),
        [(3, 3)],
        [],
    ),
    "product attention": (product_attention, [(2, 3, 2, 4)] * 3, []),
    "product attention, truth mask": (product_attention, [(2, 3, 2, 4)] * 3, [causal(3)]),
    "product attention, causal": (
        lambda paddle: product_attention(paddle, is_causal=True, scale=0.3),
        [(2, 5, 2, 4), (2, 3, 2, 4), (2, 3, 2, 4)],
        [],
    ),
    "product attention, groups": (product_attention, [(3, 4, 2), (5, 2, 2), (5, 2, 2)], []),
    **{
        name: (lambda paddle, name=name: getattr(paddle.vision.models, name)(), [IMAGES], [])
        for name in ("resnet18", "resnet50", "resnext50_32x4d", "wide_resnet50_2")
    },
    **{
        name: (
            lambda paddle, name=name: getattr(paddle.vision.models, name)(num_classes=3),
            [(2, 3, OTHERS[name], OTHERS[name])],
            [],
        )
        for name in COMPARED
    },
}
IN_USE = ("resnet50", "resnext50_32x4d", "wide_resnet50_2", *COMPARED)


LARGE = 2000  # elements whose spread is told by chance to a few percent


def members(paddle: Any, name: str) -> list:
    """Each parameter of one of `MODELS`: name, shape, own name, and how far from zero it begins,
    which is 0 for those of few elements.
    """
    paddle.seed(7)
    with paddle.utils.unique_name.guard():
        state = getattr(paddle.vision.models, name)(num_classes=3).state_dict()
    return [
        [key, list(value.shape), value.name, spread(value.numpy())] for key, value in state.items()
    ]


def spread(a: np.ndarray) -> float:
    return float(np.sqrt(np.square(a).mean(dtype=np.float64))) if a.size > LARGE else 0.0


def results(paddle: Any, name: str) -> dict[str, Any]:
    """What one of `NETWORKS` gives: names, outputs and gradients as `summary` has them."""
    make, shapes, more = NETWORKS[name]
    random = np.random.default_rng(zlib.crc32(name.encode()))
    with paddle.utils.unique_name.guard():
        layer = make(paddle)
    state = layer.state_dict()
    layer.set_state_dict({key: weight(key, list(p.shape), random) for key, p in state.items()})
    layer.training = True
    if name in IN_USE:
        layer.eval()
    inputs = [random.normal(size=shape).astype("float32") for shape in shapes]
    tensors = [paddle.to_tensor(array, stop_gradient=False) for array in inputs]
    outs = layer(*tensors, *map(paddle.to_tensor, more))
    outs = list(outs) if isinstance(outs, (list, tuple)) else [outs]
    total = sum((out * paddle.to_tensor(direction(out.shape))).sum() for out in outs)
    total.backward()
    trained = {key: p for key, p in state.items() if not p.stop_gradient}
    wanted = {f"input {i}": tensor for i, tensor in enumerate(tensors)} | trained
    return {
        "members": [[key, list(p.shape), p.name] for key, p in state.items()],
        "outputs": [summary(out) for out in outs],
        "gradients": {key: summary(value.grad) for key, value in wanted.items()},
    }


def weight(name: str, shape: list[int], random: np.random.Generator) -> np.ndarray:
    if len(shape) == 1:
        middle = 1.0 if name.endswith(("weight", "_variance")) else 0.0
        return (middle + random.uniform(-0.3, 0.3, shape)).astype("float32")
    inputs = shape[0] if len(shape) == 2 else math.prod(shape[1:])
    return random.normal(0, inputs**-0.5, shape).astype("float32")


def direction(shape: Sequence[int]) -> np.ndarray:
    random = np.random.default_rng(math.prod(shape))
    return random.normal(size=list(shape)).astype("float32")


def summary(x: Any) -> list:
    """Shape, length, and length along a direction."""
    array = np.asarray(x.numpy(), "float64")
    along = direction(array.shape)
    return [
        list(array.shape),
        float(np.linalg.norm(array)),
        float((array * along).sum() / (np.linalg.norm(along) or 1.0)),
    ]
