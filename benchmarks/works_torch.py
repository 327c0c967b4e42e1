"""The works for torch: `works_torch.py MODE FOLDER`.

MODE: `eager`; `compile`; `channels_last`, which is eager with images and kernels in that layout;
`frozen`, for the use of a model: compiled, channels-last, with weights as constants that are folded
and packed. Optimizers are fused where torch has them. FOLDER: where works.py wrote weights and
data. The amp works run under autocast, the bf16 works with weights of bfloat16.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
import torch._inductor.config
from models_torch import Bert, MobileNetV3, UNet, VisionTransformer, encoder
from torch import nn
from torch.nn import functional
from turns import THREADS, Work, serve
from works import (
    ADAM_RATE,
    DEPTHS,
    NARROW_STAGES,
    RECURRENT_LAYERS,
    SGD_RATE,
    STAGES,
    TABLE_ROWS,
    TABLE_WIDTH,
    TABLES,
    VOCABULARY,
    WIDTH,
    WORKS,
    WRITTEN,
    Sizes,
    mean,
    read,
    sizes,
    widths,
)

MODES = ("eager", "compile", "channels_last", "frozen")
CONVOLUTIONS = ("lenet", "r18", "mobilenet_v2", "mobilenet_v3", "unet")


class LeNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 6, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(6, 16, 5),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.fc = nn.Sequential(nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc(self.features(x).flatten(1))


class Encoder(nn.Module):
    def __init__(self, model: str = "enc") -> None:
        super().__init__()
        self.size = size = sizes(model)
        self.embedding = nn.Embedding(size.vocabulary, size.width)
        self.encoder = encoder(size)
        self.scores = nn.Linear(size.width, size.vocabulary)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.scores(self.encoder(self.embedding(tokens)))


class Language(Encoder):
    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        mask = nn.Transformer.generate_square_subsequent_mask(tokens.shape[1])
        return self.scores(self.encoder(self.embedding(tokens), mask, is_causal=True))

    def following(
        self, token: torch.Tensor, position: torch.Tensor, kept: torch.Tensor
    ) -> torch.Tensor:
        """Scores [1,1,V] after `token`; its keys and values are written into `kept`,
        [layers,2,heads,T,D], at `position`, [1].
        """
        mask = torch.arange(WRITTEN) <= position
        x = self.embedding(token)
        for number, layer in enumerate(self.encoder.layers):
            attention = layer.self_attn
            given = functional.linear(
                layer.norm1(x), attention.in_proj_weight, attention.in_proj_bias
            )
            q, k, v = given.reshape(3, self.size.heads, 1, -1)
            keys, values = kept[number]
            keys.index_copy_(1, position, k)
            values.index_copy_(1, position, v)
            out = functional.scaled_dot_product_attention(q, keys, values, mask)
            x = x + attention.out_proj(out.reshape(1, 1, -1))
            x = x + layer.linear2(functional.gelu(layer.linear1(layer.norm2(x))))
        return self.scores(x)


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, WIDTH)
        self.lstm = nn.LSTM(WIDTH, WIDTH, RECURRENT_LAYERS, batch_first=True)
        self.scores = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.scores(self.lstm(self.embedding(tokens))[0])


class DeepFM(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.ModuleList(
            nn.Embedding(TABLE_ROWS, TABLE_WIDTH, sparse=True) for _ in range(TABLES)
        )
        self.pairs = nn.Linear(TABLE_WIDTH, 2)
        self.deep = nn.Sequential(
            nn.Linear(TABLES * TABLE_WIDTH, 256), nn.ReLU(), nn.Linear(256, 2)
        )

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        v = torch.stack([table(ids[:, k]) for k, table in enumerate(self.embedding)], 1)
        pairs = v.sum(1) ** 2 - (v**2).sum(1)
        return self.pairs(pairs / TABLES) + self.deep(v.flatten(1))


class Block(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = functional.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return functional.relu(out + (x if self.downsample is None else self.downsample(x)))


class ResNet18(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        inputs = 64
        for stage, (outputs, stride) in enumerate(STAGES, 1):
            blocks = nn.Sequential(Block(inputs, outputs, stride), Block(outputs, outputs, 1))
            setattr(self, f"layer{stage}", blocks)
            inputs = outputs
        self.fc = nn.Linear(512, 1000)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = functional.relu(self.bn1(self.conv1(x)))
        x = functional.max_pool2d(x, 3, 2, 1)
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(x.mean((2, 3)))


class InvertedResidual(nn.Module):
    def __init__(self, before: int, after: int, stride: int, wider: int) -> None:
        super().__init__()
        inside = before * wider
        self.adds = stride == 1 and before == after
        self.conv = nn.Sequential(
            *([conv_norm(before, inside, 1)] if wider != 1 else []),
            conv_norm(inside, inside, 3, stride, inside),
            nn.Conv2d(inside, after, 1, bias=False),
            nn.BatchNorm2d(after),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.conv(x) if self.adds else self.conv(x)


class MobileNetV2(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        parts, before = [conv_norm(3, 32, 3, 2)], 32
        for wider, after, blocks, first_stride in NARROW_STAGES:
            for number in range(blocks):
                stride = first_stride if number == 0 else 1
                parts.append(InvertedResidual(before, after, stride, wider))
                before = after
        self.features = nn.Sequential(*parts, conv_norm(before, 1280, 1))
        self.classifier = nn.Sequential(nn.Identity(), nn.Linear(1280, 1000))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.classifier(self.features(x).mean((2, 3)))


def conv_norm(
    before: int, after: int, size: int, stride: int = 1, groups: int = 1
) -> nn.Sequential:
    conv = nn.Conv2d(before, after, size, stride, size // 2, groups=groups, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(after), nn.ReLU6())


def mlp() -> nn.Module:
    return nn.Sequential(
        nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10)
    )


def deep(depth: int) -> nn.Module:
    layers: list[nn.Module] = []
    for before, after in pairwise(widths(depth)):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


MODELS = {
    **{f"deep_{n}": functools.partial(deep, n) for n in DEPTHS},
    "mlp": mlp,
    "lenet": LeNet,
    "enc": Encoder,
    "r18": ResNet18,
    "mobilenet_v2": MobileNetV2,
    "lstm": Recurrent,
    "lm": Language,
    "gpt2": functools.partial(Language, "gpt2"),
    "deepfm": DeepFM,
    "vit": VisionTransformer,
    "bert": Bert,
    "unet": UNet,
    "mobilenet_v3": MobileNetV3,
}


NAMES = (
    *((f"{part}_proj.", "in_proj_") for part in "qkv"),
    ("._mean", ".running_mean"),
    ("._variance", ".running_var"),
)


def state_of(weights: dict[str, np.ndarray]) -> dict[str, torch.Tensor]:
    """Weights by torch's names: linear ones are [outputs,inputs], those of q, k and v are one."""
    state: dict[str, torch.Tensor] = {}
    for name, weight in weights.items():
        transposed = weight.ndim == 2 and not name.startswith(("embedding", "lstm"))
        value = torch.from_numpy(weight.T.copy() if transposed else weight)
        for ours, theirs in NAMES:
            name = name.replace(ours, theirs)
        state[name] = torch.cat([state[name], value]) if name in state else value
    return state


def make(mode: str, folder: Path, name: str) -> Work:
    """The work `name`; a call of it returns the loss, or what the model gives."""
    work = WORKS[name]
    array, label_array, weights = read(name, folder)
    x, labels = torch.from_numpy(array), torch.from_numpy(label_array)
    is_compiled = mode in ("compile", "frozen")
    compiled = functools.partial(torch.compile, dynamic=False) if is_compiled else as_it_is
    if work.model == "copy":
        return functools.partial(torch.empty_like(x).copy_, x)
    if work.model == "silu":
        return functools.partial(compiled(silu), x)
    model = MODELS[work.model]()
    counts = {k: v for k, v in model.state_dict().items() if k.endswith("num_batches_tracked")}
    model.load_state_dict(state_of(weights) | counts)
    if work.precision == "bf16":
        model = model.to(torch.bfloat16)
        x = x if work.tokens else x.to(torch.bfloat16)
    if mode in ("channels_last", "frozen") and x.ndim == 4:
        x = x.to(memory_format=torch.channels_last)
        model = model.to(memory_format=torch.channels_last)
    autocast = functools.partial(
        torch.autocast, "cpu", torch.bfloat16, enabled=work.precision == "amp"
    )
    if work.writes:
        following = compiled(model.eval().following)
        return functools.partial(written, following, x, sizes(work.model))
    if work.optimizer is None:
        return use(compiled(model.eval()), x, autocast)
    return train_step(model, work.optimizer, compiled, autocast, x, labels)


def as_it_is(function: Callable) -> Callable:
    return function


def use(model: Callable, x: torch.Tensor, autocast: Callable) -> Work:
    def call() -> torch.Tensor:
        with torch.no_grad(), autocast():
            return model(x)

    return call


def written(following: Callable, token: torch.Tensor, size: Sizes) -> torch.Tensor:
    """The scores of the last of WRITTEN tokens after `token`, each the likeliest."""
    kept = torch.zeros(size.layers, 2, size.heads, WRITTEN, size.width // size.heads)
    with torch.no_grad():
        for position in range(WRITTEN):
            scores = following(token, torch.tensor([position]), kept)
            token = scores.argmax(-1)
    return scores


def train_step(
    model: nn.Module,
    optimizer: str,
    compiled: Callable,
    autocast: Callable,
    x: torch.Tensor,
    labels: torch.Tensor,
) -> Work:
    rules = rules_of(model, optimizer)

    def loss_of(x: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        with autocast():
            scores = model(x)
        scores = scores.float()
        return functional.cross_entropy(scores.reshape(-1, scores.shape[-1]), labels.reshape(-1))

    forward = compiled(loss_of)

    def step() -> torch.Tensor:
        loss = forward(x, labels)
        loss.backward()
        for rule in rules:
            rule.step()
            rule.zero_grad()
        return loss.detach()

    return step


def rules_of(model: nn.Module, optimizer: str) -> list[torch.optim.Optimizer]:
    """What trains the parameters; of lazy Adam two, as torch has one for sparse gradients alone."""
    if optimizer == "sgd":
        return [torch.optim.SGD(model.parameters(), SGD_RATE, fused=True)]
    if optimizer == "adam":
        return [torch.optim.Adam(model.parameters(), ADAM_RATE, fused=True)]
    tables = set(model.embedding.parameters())
    others = [p for p in model.parameters() if p not in tables]
    sparse = torch.optim.SparseAdam(list(tables), ADAM_RATE)
    return [sparse, torch.optim.Adam(others, ADAM_RATE, fused=True)]


def silu(x: torch.Tensor) -> torch.Tensor:
    return functional.silu(x * 1.5 + 0.25)


def offered(mode: str) -> list[str]:
    """The works that make sense in this mode."""
    if mode == "channels_last":
        return [name for name, work in WORKS.items() if work.model in CONVOLUTIONS]
    if mode == "frozen":
        return [name for name, work in WORKS.items() if work.is_use]
    return [name for name, work in WORKS.items() if work.model != "copy" or mode == "eager"]


def main() -> None:
    mode, folder = sys.argv[1:]
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", THREADS)))
    # The works share one function to compile; past its limit torch would go on uncompiled.
    torch._dynamo.config.recompile_limit = len(WORKS)
    torch._inductor.config.freezing = mode == "frozen"
    works = {name: functools.partial(make, mode, Path(folder), name) for name in offered(mode)}
    serve(f"torch {mode}", works, mean)


if __name__ == "__main__":
    main()
