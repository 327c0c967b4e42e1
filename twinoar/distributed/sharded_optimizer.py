"""An optimizer of which each rank has a part: the moments of its own parameters, and no others.

Each rank updates its own, and all get the new values of them. So moments take as much less memory
as there are ranks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.core.dtype import float32
from twinoar.core.interpreter import current, recording, using
from twinoar.core.spec import Spec
from twinoar.distributed.data_parallel import MEGABYTE, DataParallel, buckets
from twinoar.distributed.group import Group, member
from twinoar.errors import TypeMismatchError, UnsupportedError
from twinoar.nn.clip import ClipGradByGlobalNorm, needs_clip, scaled, squared_norm
from twinoar.ops.collective.all_reduce import all_reduce_max, all_reduce_sum
from twinoar.ops.collective.root import broadcast_from, root_reduce_avg
from twinoar.ops.math.fill import zeros_of
from twinoar.ops.math.root import sqrt
from twinoar.ops.shape.concat import concat, split
from twinoar.ops.shape.reshape import reshape
from twinoar.optimizer import Optimizer
from twinoar.optimizer.lr import LRScheduler
from twinoar.runtime.collective import current_world

BUFFER_BYTES = 25 * MEGABYTE


def owners_of(parameters: Sequence[Any], count: int) -> list[int]:
    """Which of `count` ranks has each parameter, so that all have about as many elements.

    >>> owners_of([twinoar.zeros([4]), twinoar.zeros([3]), twinoar.zeros([2])], 2)
    [0, 1, 1]
    """
    sizes = [int(np.prod(p.shape)) for p in parameters]
    loads, owners = [0] * count, [0] * len(sizes)
    for i in sorted(range(len(sizes)), key=lambda i: (-sizes[i], i)):
        owners[i] = loads.index(min(loads))
        loads[owners[i]] += sizes[i]
    return owners


class ShardedOptimizer:
    """`optimizer`, whose moments the ranks of a group share.

    All ranks make and step it together, with the gradients of all on each (or of its own alone).
    The optimizer is used up by it. Gradients are clipped by the norm of all of them. Raises
    UnsupportedError for an optimizer that has stepped.
    """

    def __init__(self, optimizer: Optimizer, group: Group | None = None):
        if not isinstance(optimizer, Optimizer):
            raise TypeMismatchError(f"expected an Optimizer, received {type(optimizer).__name__}")
        if optimizer.has_stepped:
            raise UnsupportedError(
                "an optimizer that has stepped has the moments of all parameters",
                cure="divide it among ranks before its first step",
            )
        there = member(group)
        self._optimizer, self._group = optimizer, there
        self._parameters = [p for p in optimizer._trained() if not p.stop_gradient]
        self._owners = owners_of(self._parameters, there.nranks)
        own = {id(p) for p in self.parameters_of(there.rank)}
        self._clips = {}
        for part in optimizer._groups:
            self._clips[id(part)], part.grad_clip = part.grad_clip, None
            part.settings["params"] = [p for p in part.parameters if id(p) in own]
        optimizer._parameter_list = self.parameters_of(there.rank)

    def parameters_of(self, rank: int) -> list[Any]:
        """The parameters that a rank of the group updates."""
        return [p for p, o in zip(self._parameters, self._owners, strict=True) if o == rank]

    def step(self) -> None:
        """Update the parameters of this rank, and give all ranks the new values."""
        optimizer = self._optimizer
        pairs = optimizer._gradients(self.parameters_of(self._group.rank))
        with using(recording(False)):
            for part, own in self._by_part(pairs):
                clip = self._clips[id(part)]
                optimizer.apply_gradients(own if clip is None else self._clipped(clip, own))
            for rank in range(self._group.nranks):
                self._share(rank)

    def _trained(self) -> list[Any]:
        """All parameters, for a GradScaler."""
        return self._parameters

    def skipping(self, found: Any) -> Any:
        """Within the block a step changes nothing where `found`, one truth value, is true."""
        return self._optimizer.skipping(found)

    def overflow_of_all(self, found: Any) -> Any:
        """Whether a gradient of any rank overflowed; `found`: of this one, None without any."""
        own = zeros_of(Spec((), float32)) if found is None else reshape(found, []).astype("float32")
        return all_reduce_max(own, self._group.id).astype("bool")

    def _by_part(self, pairs: list[Any]) -> list[Any]:
        """The optimizer's groups with this rank's gradients, also where it has none."""
        found = {id(part): own for part, own in self._optimizer._by_group(pairs)}
        return [(part, found.get(id(part), [])) for part in self._optimizer._groups]

    def _clipped(self, clip: Any, pairs: list[Any]) -> list[Any]:
        if not isinstance(clip, ClipGradByGlobalNorm) or getattr(clip, "is_over_ranks", False):
            clipped: list[Any] = clip(pairs)  # by each gradient alone, or itself by those of all
            return clipped
        total = zeros_of(self._parameters[0].spec).sum().astype("float32")
        for p, g in pairs:
            total = total + squared_norm(g) if needs_clip(p) else total
        norm = sqrt(all_reduce_sum(total, self._group.id))
        return [(p, scaled(g, norm, clip.clip_norm) if needs_clip(p) else g) for p, g in pairs]

    def _share(self, rank: int) -> None:
        """Give all ranks the parameters that one has updated."""
        parameters = self.parameters_of(rank)
        for bucket in buckets(parameters, BUFFER_BYTES):
            chosen = [parameters[i] for i in bucket]
            flat = concat([reshape(p.detach(), [-1]) for p in chosen])
            found = broadcast_from(flat, rank, self._group.id)
            parts = split(found, [int(np.prod(p.shape)) for p in chosen])
            for p, part in zip(chosen, parts, strict=True):
                current().rebind(p, reshape(part, p.shape))

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Fill the gradients of all parameters with zeros, or forget them."""
        for p in self._parameters:
            p.clear_gradient(set_to_zero)

    clear_gradients = clear_grad

    def minimize(self, loss: Any, *args: Any, **kwargs: Any) -> tuple[list, list]:
        """A step by the gradients that `loss.backward()` has left."""
        self.step()
        return [], self._optimizer._gradients(self._parameters)

    def state_dict(self) -> dict[str, Any]:
        """What is remembered of this rank's parameters."""
        return self._optimizer.state_dict()

    def whole_state_dict(self) -> dict[str, Any]:
        """What all ranks remember, on each of them; arrays in place of tensors."""
        there = current_world().of(self._group.id)
        found: dict[str, Any] = {}
        for part in there.all_gather_object(_as_arrays(self.state_dict())):
            for name, value in part.items():
                is_table = isinstance(value, dict) and isinstance(found.get(name), dict)
                found[name] = {**found[name], **value} if is_table else value
        return found

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from a state of this rank, or from the whole: others' parts are left out."""
        others = {p.name for p in self._parameters} - {
            p.name for p in self.parameters_of(self._group.rank)
        }
        kept = {n: v for n, v in state_dict.items() if not _is_of(n, others)}
        masters = kept.get("master_weights")
        if isinstance(masters, Mapping):
            kept["master_weights"] = {n: v for n, v in masters.items() if n not in others}
        self._optimizer.set_state_dict(kept)

    set_dict = set_state_dict

    def get_lr(self) -> float:
        """The learning rate now."""
        return self._optimizer.get_lr()

    def set_lr(self, value: float) -> None:
        """Set the learning rate."""
        self._optimizer.set_lr(value)

    def set_lr_scheduler(self, scheduler: LRScheduler) -> None:
        """Let a schedule set the learning rate."""
        self._optimizer.set_lr_scheduler(scheduler)


def _is_of(entry: str, names: set[str]) -> bool:
    """Whether an entry of a state, such as linear_0.w_0_moment1_0, is of one of the parameters."""
    return any(entry.startswith(f"{name}_") for name in names)


def _as_arrays(state: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in state.items():
        if isinstance(value, Mapping):
            found[name] = _as_arrays(value)
        else:
            found[name] = value.numpy() if hasattr(value, "numpy") else value
    return found


class ShardedGradients(DataParallel):
    """A network whose gradients become means on the ranks that update by them, None on others."""

    def __init__(self, layers: Any, optimizer: ShardedOptimizer, group: Group | None = None):
        super().__init__(layers, group=group)
        self._optimizer = optimizer

    def _average(self, here: Any, reached: Sequence[Any]) -> None:
        there, reached_ids = self._optimizer._group, {id(p) for p in reached}
        for rank in range(there.nranks):
            own = [p for p in self._optimizer.parameters_of(rank) if id(p) in reached_ids]
            held = [here.gradients.read(here, p) for p in own]
            grads = [zeros_of(p.spec) if g is None else g for p, g in zip(own, held, strict=True)]
            for bucket in buckets(grads, self._buffer_bytes):
                flat = concat([reshape(grads[i], [-1]) for i in bucket])
                found = root_reduce_avg(flat, rank, there.id)
                parts = split(found, [int(np.prod(own[i].shape)) for i in bucket])
                for i, part in zip(bucket, parts, strict=True):
                    mean = reshape(part, own[i].shape) if rank == there.rank else None
                    here.gradients.set(here, own[i], mean)


__all__ = ["ShardedGradients", "ShardedOptimizer", "owners_of"]
