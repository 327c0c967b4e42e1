"""The block of memory in which a model that trains keeps its states, and the caller keeps it.

It is a safetensors file as it stands: parameters, what the optimizer remembers, learning rates, the
random state. Who writes its bytes to a file has saved the training; other tools read that file, and
`load_state` brings it back. Its first bytes say whose it is, so that others are refused.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.core.ir.program import Program
from twinoar.core.layer_like import LayerLike
from twinoar.core.near import near_names
from twinoar.errors import ArgumentError, DTypeError, TypeMismatchError, UnknownNameError
from twinoar.export.native.data import ALIGNMENT
from twinoar.formats.atomic import path_text
from twinoar.formats.safetensors import LENGTH, METADATA, NAME_OF, opened
from twinoar.ops.random.uniform import generator
from twinoar.optimizer.lr import LRScheduler
from twinoar.optimizer.optimizer import Optimizer

MARK = 72  # bytes that tell one block from those of other models: the length, and the digest
RANDOM, RATE = "random_state", "learning_rate"


@dataclass(frozen=True)
class Block:
    """The block of a model. content: what it holds at first. offsets: of each array, by name."""

    content: bytes
    offsets: Mapping[str, int]
    arrays: Mapping[str, np.ndarray]

    @property
    def mark(self) -> bytes:
        """What each block of this model begins with."""
        return self.content[:MARK]

    def described(self) -> list[dict[str, Any]]:
        """Name, shape, dtype and offset in bytes of each array."""
        return [
            {
                "name": name, "shape": list(array.shape), "dtype": array.dtype.name,
                "offset": self.offsets[name],
            }
            for name, array in self.arrays.items()
        ]  # fmt: skip


def block_of(name: str, arrays: Mapping[str, np.ndarray]) -> Block:
    """The block of the model `name` that holds these arrays at first.

    The format has no gaps, so those lie first that end where vectors begin, then larger elements.
    """
    order = sorted(arrays, key=lambda n: (arrays[n].nbytes % ALIGNMENT != 0, -arrays[n].itemsize))
    places: dict[str, int] = {}
    at = 0
    told: dict[str, Any] = {}
    for key in order:
        array = arrays[key]
        if array.dtype not in NAME_OF:
            raise DTypeError(
                f"the state {key} is {array.dtype.name}, which its block cannot hold",
                cure=f"let it be one of {', '.join(str(d) for d in NAME_OF)}",
            )
        places[key], end = at, at + array.nbytes
        told[key] = {
            "dtype": NAME_OF[array.dtype], "shape": list(array.shape), "data_offsets": [at, end],
        }  # fmt: skip
        at = end
    head = _head(name, told)
    content = head + b"".join(np.ascontiguousarray(arrays[key]).tobytes() for key in order)
    offsets = {key: len(head) + place for key, place in places.items()}
    return Block(content, offsets, {key: arrays[key] for key in order})


def _head(name: str, told: Mapping[str, Any]) -> bytes:
    """The header, whose end is where vectors begin; the digest of what it tells comes first."""
    digest = hashlib.blake2b(json.dumps([name, told]).encode(), digest_size=16).hexdigest()
    header = {METADATA: {"layout": digest, "model": name}, **told}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-(LENGTH.size + len(text)) % ALIGNMENT)
    head = LENGTH.pack(len(text)) + text
    assert head.index(digest.encode()) + len(digest) <= MARK
    return head


def load_state(path: str | os.PathLike[str], *holders: Any) -> None:
    """Go on here from where a device has trained.

    path: the bytes of its state, in a file. holders: the Layers whose parameters and buffers are
    set, the optimizers, in the order in which the step uses them, of which also the learning rate
    unless it follows a schedule, and static Programs. The random state is set where the file has
    one. What nobody holds is left out.
    Raises FileError for a file that does not read, and UnknownNameError where it lacks a parameter
    of a Layer, or anything of an optimizer's or Program's; then nothing of that one is set.

    >>> import tempfile
    >>> import twinoar as paddle
    >>> from twinoar.export.native import export_training, load_state
    >>> net = paddle.nn.Linear(2, 1)
    >>> opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    >>> @paddle.jit.to_static(input_spec=[paddle.static.InputSpec([4, 2], "float32", "x")])
    ... def step(x):
    ...     loss = net(x).square().mean()
    ...     loss.backward()
    ...     opt.step()
    ...     opt.clear_grad()
    ...     return loss
    >>> from twinoar.export.native.loaded import LoadedTraining
    >>> library, _ = export_training(step, tempfile.mkdtemp(), target="host", name="net")
    >>> device = LoadedTraining(library)
    >>> losses = [float(device.step(np.ones([4, 2], np.float32))[0]) for _ in range(9)]
    >>> device.save(library + ".safetensors")
    >>> load_state(library + ".safetensors", net, opt)
    >>> losses[0] > losses[-1] > net(paddle.ones([4, 2])).square().mean().item()
    True
    """
    name = path_text(path)
    found = opened(name)
    optimizers = [x for x in holders if isinstance(x, Optimizer)]
    for holder in holders:
        if isinstance(holder, Optimizer):
            place = optimizers.index(holder)
            _set_optimizer(holder, found, f"{RATE}_{place}" if place else RATE)
        elif isinstance(holder, LayerLike):
            _set_layer(holder, found, name)
        elif isinstance(holder, Program):
            _set_program(holder, found, name)
        else:
            raise TypeMismatchError(
                f"expected Layers, optimizers and Programs, received {type(holder).__name__}",
                cure="pass what holds the states",
            )
    if RANDOM in found:
        generator.set_state(found[RANDOM])


def _set_layer(layer: Any, found: Mapping[str, np.ndarray], path: str) -> None:
    held = list(layer.state_dict().values())
    missing = [t.name for t in held if t.name not in found and not t.stop_gradient]
    if missing:
        raise UnknownNameError(
            f"{path} has no {missing[0]!r}: {near_names(missing[0], found)}",
            cure="make the Layer first, as the program did that exported it: names are counted",
        )
    for t in held:
        if t.name in found:
            t.set_value(found[t.name].astype(t.dtype.numpy))


def _set_optimizer(optimizer: Any, found: Mapping[str, np.ndarray], name: str) -> None:
    """name: of its learning rate."""
    names = [p.name for p in optimizer._trained()]
    mine = {k: v for k, v in found.items() if any(k.startswith(f"{n}_") for n in names)}
    if mine:
        schedule = optimizer._learning_rate
        told = {"LR_Scheduler": schedule.state_dict()} if isinstance(schedule, LRScheduler) else {}
        optimizer.set_state_dict({**mine, **told})
    if isinstance(optimizer._learning_rate, LRScheduler):
        return
    if name in found:
        optimizer.set_lr(float(found[name]))


def _set_program(program: Any, found: Mapping[str, np.ndarray], path: str) -> None:
    wanted = {s.name for s in program.updates}
    missing: Sequence[str] = sorted(wanted - found.keys())
    if missing:
        raise UnknownNameError(
            f"{path} has no {missing[0]!r}: {near_names(missing[0], found)}",
            cure="pass the Program that was exported",
        )
    if not wanted:
        raise ArgumentError(
            "the Program has no states that a run changes", cure="pass the one that trains"
        )
    program.set_state_dict({n: found[n] for n in wanted})
