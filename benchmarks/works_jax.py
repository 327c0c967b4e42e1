"""The works for JAX, each one jitted call: `works_jax.py FOLDER`.

FOLDER: where works.py wrote weights and data.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path

import jax
import jax.numpy as jnp
from jax import lax, nn
from turns import Work, serve
from works import (
    ADAM_RATE,
    DEPTHS,
    ENCODER_LAYERS,
    HEADS,
    NARROW_STAGES,
    RECURRENT_LAYERS,
    SGD_RATE,
    STAGES,
    WIDTH,
    WORKS,
    WRITTEN,
    mean,
    read,
)

Array = jax.Array
Weights = dict[str, Array]

EPSILON = 1e-5  # of both normalizations
BETA1, BETA2, ADAM_EPSILON = 0.9, 0.999, 1e-8


def linear(w: Weights, name: str, x: Array) -> Array:
    return x @ w[f"{name}.weight"] + w[f"{name}.bias"]


def conv(
    w: Weights, name: str, x: Array, stride: int = 1, padding: int = 0, groups: int = 1
) -> Array:
    pads, weight = [(padding, padding)] * 2, w[f"{name}.weight"]
    out = lax.conv_general_dilated(x, weight, (stride, stride), pads, feature_group_count=groups)
    bias = w.get(f"{name}.bias")
    return out if bias is None else out + bias[:, None, None]


def max_pool(x: Array, size: int, stride: int, padding: int = 0) -> Array:
    pads = ((0, 0), (0, 0), (padding, padding), (padding, padding))
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, size, size), (1, 1, stride, stride), pads)


def standardized(x: Array, axes: tuple[int, ...]) -> Array:
    centered = x - x.mean(axes, keepdims=True)
    return centered * lax.rsqrt((centered**2).mean(axes, keepdims=True) + EPSILON)


def layer_norm(w: Weights, name: str, x: Array) -> Array:
    return standardized(x, (-1,)) * w[f"{name}.weight"] + w[f"{name}.bias"]


def batch_norm(w: Weights, name: str, x: Array, training: bool) -> Array:
    """In training the running statistics are not moved: a favor to this peer."""
    weight, bias, mean, variance = (
        w[f"{name}.{kind}"][:, None, None] for kind in ("weight", "bias", "_mean", "_variance")
    )
    if training:
        return standardized(x, (0, 2, 3)) * weight + bias
    return (x - mean) * lax.rsqrt(variance + EPSILON) * weight + bias


def mlp(w: Weights, x: Array, training: bool) -> Array:
    x = nn.relu(linear(w, "0", x))
    x = nn.relu(linear(w, "2", x))
    return linear(w, "4", x)


def deep(w: Weights, x: Array, training: bool, depth: int) -> Array:
    for number in range(depth):
        x = nn.relu(linear(w, str(2 * number), x))
    return linear(w, str(2 * depth), x)


def lenet(w: Weights, x: Array, training: bool) -> Array:
    x = max_pool(nn.relu(conv(w, "features.0", x, padding=1)), 2, 2)
    x = max_pool(nn.relu(conv(w, "features.3", x)), 2, 2)
    x = x.reshape(x.shape[0], -1)
    return linear(w, "fc.2", linear(w, "fc.1", linear(w, "fc.0", x)))


def encoder(w: Weights, tokens: Array, training: bool, causal: bool = False) -> Array:
    x = w["embedding.weight"][tokens]
    for number in range(ENCODER_LAYERS):
        layer = f"encoder.layers.{number}"
        x = x + attention(w, f"{layer}.self_attn", layer_norm(w, f"{layer}.norm1", x), causal)
        hidden = linear(w, f"{layer}.linear1", layer_norm(w, f"{layer}.norm2", x))
        x = x + linear(w, f"{layer}.linear2", nn.gelu(hidden, approximate=False))
    return linear(w, "scores", x)


def attention(w: Weights, name: str, x: Array, causal: bool) -> Array:
    n, t, d = x.shape

    def heads(part: str) -> Array:
        split = linear(w, f"{name}.{part}", x).reshape(n, t, HEADS, d // HEADS)
        return split.transpose(0, 2, 1, 3)  # [N,heads,T,D]

    q, k, v = heads("q_proj"), heads("k_proj"), heads("v_proj")
    scores = q @ k.swapaxes(-1, -2) * (d // HEADS) ** -0.5
    shares = nn.softmax(jnp.where(jnp.tri(t) == 1, scores, -jnp.inf) if causal else scores)
    return linear(w, f"{name}.out_proj", (shares @ v).transpose(0, 2, 1, 3).reshape(n, t, d))


language = functools.partial(encoder, causal=True)


def following(
    w: Weights, token: Array, position: Array, keys: Array, values: Array
) -> tuple[Array, Array, Array]:
    """Scores [1,1,V] after `token`, and the keys and values [layers,heads,T,D] with its own."""
    x = w["embedding.weight"][token]
    hidden = jnp.where(jnp.arange(WRITTEN) <= position, 0.0, -jnp.inf)
    for number in range(ENCODER_LAYERS):
        layer = f"encoder.layers.{number}"
        normed, name = layer_norm(w, f"{layer}.norm1", x), f"{layer}.self_attn"
        q, k, v = (linear(w, f"{name}.{part}_proj", normed).reshape(HEADS, 1, -1) for part in "qkv")
        place = (number, 0, position, 0)
        keys = lax.dynamic_update_slice(keys, k[None], place)
        values = lax.dynamic_update_slice(values, v[None], place)
        scores = q @ keys[number].swapaxes(-1, -2) * (WIDTH // HEADS) ** -0.5
        out = (nn.softmax(scores + hidden) @ values[number]).reshape(1, 1, WIDTH)
        x = x + linear(w, f"{name}.out_proj", out)
        inner = linear(w, f"{layer}.linear1", layer_norm(w, f"{layer}.norm2", x))
        x = x + linear(w, f"{layer}.linear2", nn.gelu(inner, approximate=False))
    return linear(w, "scores", x), keys, values


def recurrent(w: Weights, tokens: Array, training: bool) -> Array:
    x = w["embedding.weight"][tokens].swapaxes(0, 1)  # [T,N,D]
    for layer in range(RECURRENT_LAYERS):
        biases = w[f"lstm.bias_ih_l{layer}"] + w[f"lstm.bias_hh_l{layer}"]
        given = x @ w[f"lstm.weight_ih_l{layer}"].T + biases
        kernel = w[f"lstm.weight_hh_l{layer}"].T

        def cell(state: tuple, given: Array, kernel: Array = kernel) -> tuple[tuple, Array]:
            h, c = state
            i, f, g, o = jnp.split(given + h @ kernel, 4, -1)
            c = nn.sigmoid(f) * c + nn.sigmoid(i) * jnp.tanh(g)
            h = nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        zeros = jnp.zeros((x.shape[1], WIDTH))
        x = lax.scan(cell, (zeros, zeros), given)[1]
    return linear(w, "scores", x.swapaxes(0, 1))


def mobilenet_v2(w: Weights, x: Array, training: bool) -> Array:
    def conv_norm(
        conv_name: str, norm_name: str, x: Array, stride: int = 1, groups: int = 1
    ) -> Array:
        padding = w[f"{conv_name}.weight"].shape[-1] // 2
        return batch_norm(w, norm_name, conv(w, conv_name, x, stride, padding, groups), training)

    x = nn.relu6(conv_norm("features.0.0", "features.0.1", x, 2))
    number = 1
    for wider, after, blocks, first_stride in NARROW_STAGES:
        for i in range(blocks):
            block, part, out, stride = f"features.{number}.conv", 0, x, 1 if i else first_stride
            if wider != 1:
                out, part = nn.relu6(conv_norm(f"{block}.0.0", f"{block}.0.1", out)), 1
            out = nn.relu6(
                conv_norm(f"{block}.{part}.0", f"{block}.{part}.1", out, stride, out.shape[1])
            )
            out = conv_norm(f"{block}.{part + 1}", f"{block}.{part + 2}", out)
            x = x + out if stride == 1 and x.shape[1] == after else out
            number += 1
    x = nn.relu6(conv_norm("features.18.0", "features.18.1", x))
    return linear(w, "classifier.1", x.mean((2, 3)))


def resnet18(w: Weights, x: Array, training: bool) -> Array:
    norm = functools.partial(batch_norm, w, training=training)
    x = max_pool(nn.relu(norm("bn1", conv(w, "conv1", x, 2, 3))), 3, 2, 1)
    for stage, (_, first_stride) in enumerate(STAGES, 1):
        for number, stride in enumerate((first_stride, 1)):
            block = f"layer{stage}.{number}"
            out = nn.relu(norm(f"{block}.bn1", conv(w, f"{block}.conv1", x, stride, 1)))
            out = norm(f"{block}.bn2", conv(w, f"{block}.conv2", out, 1, 1))
            if f"{block}.downsample.0.weight" in w:
                shortcut = conv(w, f"{block}.downsample.0", x, stride)
                x = norm(f"{block}.downsample.1", shortcut)
            x = nn.relu(out + x)
    return linear(w, "fc", x.mean((2, 3)))


MODELS = {
    "mlp": mlp,
    **{f"deep_{n}": functools.partial(deep, depth=n) for n in DEPTHS},
    "lenet": lenet,
    "enc": encoder,
    "r18": resnet18,
    "mobilenet_v2": mobilenet_v2,
    "lstm": recurrent,
    "lm": language,
}


def sgd(w: Weights, gradients: Weights, state: tuple) -> tuple[Weights, tuple]:
    return jax.tree.map(lambda p, g: p - SGD_RATE * g, w, gradients), state


def adam(w: Weights, gradients: Weights, state: tuple) -> tuple[Weights, tuple]:
    m, v, time = state
    time = time + 1
    m = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * g, m, gradients)
    v = jax.tree.map(lambda v, g: BETA2 * v + (1 - BETA2) * g * g, v, gradients)

    def moved(p: Array, m: Array, v: Array) -> Array:
        size = jnp.sqrt(v / (1 - BETA2**time)) + ADAM_EPSILON
        return p - ADAM_RATE * (m / (1 - BETA1**time)) / size

    return jax.tree.map(moved, w, m, v), (m, v, time)


def make(folder: Path, name: str) -> Work:
    """The work `name`; a call of it returns the loss, or what the model gives."""
    work = WORKS[name]
    x, labels, weights = jax.tree.map(jnp.asarray, read(name, folder))
    if work.model == "silu":
        function = jax.jit(lambda x: nn.silu(x * 1.5 + 0.25))
        return lambda: function(x).block_until_ready()
    model = MODELS[work.model]
    if work.writes:
        return functools.partial(written, jax.jit(functools.partial(following, weights)), x)
    if work.optimizer is None:
        function = jax.jit(functools.partial(model, training=False))
        return lambda: function(weights, x).block_until_ready()
    return train_step(model, adam if work.optimizer == "adam" else sgd, weights, x, labels)


def written(following: Callable, token: Array) -> Array:
    """The scores of the last of WRITTEN tokens after `token`, each the likeliest."""
    keys = values = jnp.zeros((ENCODER_LAYERS, HEADS, WRITTEN, WIDTH // HEADS))
    for position in range(WRITTEN):
        scores, keys, values = following(token, position, keys, values)
        token = scores.argmax(-1)
    return scores.block_until_ready()


def train_step(
    model: Callable, update: Callable, weights: Weights, x: Array, labels: Array
) -> Work:
    def loss_of(w: Weights, x: Array, labels: Array) -> Array:
        scores = model(w, x, training=True)
        logs = nn.log_softmax(scores.reshape(-1, scores.shape[-1]))
        return -jnp.take_along_axis(logs, labels.reshape(-1, 1), 1).mean()

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def step(w: Weights, state: tuple, x: Array, labels: Array) -> tuple[Weights, tuple, Array]:
        loss, gradients = jax.value_and_grad(loss_of)(w, x, labels)
        return *update(w, gradients, state), loss

    zeros = functools.partial(jax.tree.map, jnp.zeros_like)
    holder = [weights, (zeros(weights), zeros(weights), jnp.float32(0)) if update is adam else ()]

    def call() -> Array:
        holder[0], holder[1], loss = step(*holder, x, labels)
        return jax.block_until_ready((holder, loss))[1]

    return call


def main() -> None:
    folder = Path(sys.argv[1])
    offered = [
        name
        for name, work in WORKS.items()
        if work.precision == "float32" and (work.model in MODELS or work.model == "silu")
    ]
    serve("jax jit", {name: functools.partial(make, folder, name) for name in offered}, mean)


if __name__ == "__main__":
    main()
