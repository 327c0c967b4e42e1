"""Networks as lists of layers, cut into stages that processes have one each."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from twinoar.core.interpreter import recording, using
from twinoar.distributed.fleet.recomputing import in_turn, recompute
from twinoar.distributed.fleet.stages import cuts_of
from twinoar.distributed.fleet.strategy import DistributedStrategy
from twinoar.distributed.fleet.topology import CommunicateTopology, kept_groups
from twinoar.distributed.group import new_group
from twinoar.distributed.world import get_rank, get_world_size
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError
from twinoar.nn.container import LayerDict
from twinoar.nn.layer import Layer
from twinoar.ops.collective.all_reduce import all_reduce_sum
from twinoar.ops.index.selected_rows import dense
from twinoar.ops.math.fill import zeros_of
from twinoar.ops.random.uniform import generator
from twinoar.runtime.collective import current_world

FIRST_SEED = 1234  # Paddle's: layer number i is made by this plus i


class LayerDesc:
    """A layer that is made when its stage is: its class, and the arguments.

    >>> LayerDesc(twinoar.nn.Linear, 2, 3).build_layer().weight.shape
    [2, 3]
    """

    def __init__(self, layer_func: Callable[..., Any], *inputs: Any, **kwargs: Any):
        if not callable(layer_func):
            raise TypeMismatchError(
                f"LayerDesc takes a class of layers, received {type(layer_func).__name__}"
            )
        self.layer_func, self.inputs, self.kwargs = layer_func, inputs, kwargs

    def build_layer(self, **extra_kwargs: Any) -> Any:
        """The layer."""
        return self.layer_func(*self.inputs, **{**self.kwargs, **extra_kwargs})


class SharedLayerDesc(LayerDesc):
    """A layer that stands in several places by one key, with one weight.

    forward_func(layer, x): what it computes there; without it, what the layer does.
    """

    def __init__(
        self,
        key: str,
        layer_func: Callable[..., Any],
        forward_func: Callable[..., Any] | None = None,
        shared_weight_attr: str = "weight",
        *inputs: Any,
        **kwargs: Any,
    ):
        super().__init__(layer_func, *inputs, **kwargs)
        self.layer_name, self.forward_func = key, forward_func
        self.shared_weight_attr = shared_weight_attr


class PipelineLayer(Layer):
    """Layers in turn, cut into stages; each process makes those of its own.

    layers: of LayerDesc, SharedLayerDesc, layers or functions. num_stages: how many processes they
    are divided among, or topology, whose axis "pipe" says so. loss_fn: the loss of outputs and
    labels, for `train_batch`; several in a list. seg_method: "uniform", "layer:Name" (as many
    layers of that name each), "parameters" (as many elements of parameters each), or where each
    stage begins. recompute_interval: so many layers each are computed twice; 0 for none.
    num_virtual_pipeline_stages: so many chunks of layers for each process, which take turns.
    recompute_ctx, use_cudagraph: without effect. Layer number i is made by the seed 1234 + i, so
    that any number of stages begins alike. Its parameters are named by i. Raises ArgumentError
    where layers or processes cannot be divided so, UnsupportedError for use_dualpipev.

    >>> network = PipelineLayer([LayerDesc(twinoar.nn.Linear, 2, 3), twinoar.tanh], num_stages=1)
    >>> list(network.state_dict()), network(twinoar.ones([4, 2])).shape
    (['0.weight', '0.bias'], [4, 3])
    """

    def __init__(
        self,
        layers: Sequence[Any],
        num_stages: int | None = None,
        topology: CommunicateTopology | None = None,
        loss_fn: Any = None,
        seg_method: Any = "uniform",
        recompute_interval: int = 0,
        recompute_ctx: Any = None,
        num_virtual_pipeline_stages: int | None = None,
        use_cudagraph: bool = False,
        use_dualpipev: bool = False,
    ):
        super().__init__()
        if use_dualpipev:
            raise UnsupportedError(
                "use_dualpipev: stages that lie as a V are not served",
                cure='use num_virtual_pipeline_stages, or schedule_mode "ZBH1"',
            )
        self._topo = _topology_for(num_stages, topology)
        self._num_stages, self._stage_id = _place_in(self._topo)
        self._num_virtual_pipeline_stages = num_virtual_pipeline_stages or 1
        self._loss_fn = loss_fn if isinstance(loss_fn, list) else [loss_fn]
        self._recompute_interval = recompute_interval
        self._layers_desc = list(layers)
        parts = self._num_stages * self._num_virtual_pipeline_stages
        self.segment_parts = cuts_of(self._layers_desc, parts, seg_method)
        self.shared_layers = LayerDict()
        self._model_chunks = [
            self._chunk(*self.segment_parts[stage : stage + 2])
            for stage in range(self._stage_id, parts, self._num_stages)
        ]
        self.run_function = [f for chunk in self._model_chunks for f in chunk]
        self.shared_comm = SharedWeights(self)

    def _chunk(self, first: int, end: int) -> list[Callable[..., Any]]:
        """The functions that stand for the layers from the first on, before `end`."""
        return [self._made(i, self._layers_desc[i]) for i in range(first, end)]

    def _made(self, index: int, given: Any) -> Any:
        """The function that stands for one of `layers`; what it holds becomes a sublayer."""
        if isinstance(given, SharedLayerDesc):
            key = given.layer_name
            if key not in self.shared_layers:
                self.shared_layers[key] = _built(given, index)
            layer = self.shared_layers[key]
            return layer if given.forward_func is None else partial(given.forward_func, layer)
        made = _built(given, index) if isinstance(given, LayerDesc) else given
        if isinstance(made, Layer):
            self.add_sublayer(str(index), made)
        elif not callable(made):
            raise TypeMismatchError(f"layer {index} is a {type(made).__name__}")
        return made

    def get_stage_from_index(self, layer_idx: int) -> int:
        """The process, counted along the pipeline, that has a layer. Raises ArgumentError."""
        if not 0 <= layer_idx < len(self._layers_desc):
            raise ArgumentError(f"layer {layer_idx} of {len(self._layers_desc)}")
        part = int(np.searchsorted(self.segment_parts, layer_idx, side="right")) - 1
        return part % self._num_stages

    def get_num_virtual_stages(self) -> int:
        """How many chunks of layers each process has."""
        return self._num_virtual_pipeline_stages

    def get_model_chunks(self) -> list[list[Callable[..., Any]]] | None:
        """The functions of each chunk of this process; None where there is one chunk."""
        return self._model_chunks if len(self._model_chunks) > 1 else None

    def allreduce_shared_weight_gradients(self) -> None:
        """Let the gradients of shared weights be their sums over the stages that have them."""
        self.shared_comm.add_gradients()

    def forward(self, input: Any, chunk_id: int | None = None) -> Any:
        """What the last layer of this process returns, or of one of its chunks."""
        functions = self.run_function if chunk_id is None else self._model_chunks[chunk_id]
        step = self._recompute_interval
        if step <= 0 or not self.training:
            return in_turn(functions)(input)
        for first in range(0, len(functions), step):
            given = input if isinstance(input, tuple) else (input,)
            input = recompute(in_turn(functions[first : first + step]), *given)
        return input


def _topology_for(
    num_stages: int | None, topology: CommunicateTopology | None
) -> CommunicateTopology:
    """How ranks lie: as is given, as `fleet.init` has said, or the stages next to each other."""
    if num_stages is None and topology is None:
        raise ArgumentError("PipelineLayer needs num_stages or topology", cure="num_stages=1")
    if topology is not None:
        if num_stages not in (None, topology.get_dim("pipe")):
            raise ArgumentError(
                f"num_stages is {num_stages}, the topology's pipe {topology.get_dim('pipe')}"
            )
        return topology
    assert num_stages is not None
    kept = kept_groups()
    if kept is not None and kept._size("pipe") == num_stages:
        return kept.topology()
    size = get_world_size()
    if num_stages < 1 or size % num_stages:
        raise ArgumentError(
            f"num_stages is {num_stages}, there are {size} processes",
            cure="start a multiple of num_stages processes, and set pp_degree in hybrid_configs",
        )
    return CommunicateTopology(["data", "pipe", "model"], [size // num_stages, num_stages, 1])


def _place_in(topology: CommunicateTopology) -> tuple[int, int]:
    """The number of stages, and which of them this process is."""
    count = topology.get_dim("pipe")
    return count, (topology.get_coord(get_rank()).pipe if count > 1 else 0)


_BUILDING = threading.RLock()  # the generator is one for the threads that play ranks


def _built(given: LayerDesc, index: int) -> Any:
    """A layer whose weights its place decides, not how many were drawn before it."""
    with _BUILDING:
        before = generator.get_state()
        generator.manual_seed(FIRST_SEED + index)
        try:
            return given.build_layer()
        finally:
            generator.set_state(before)


class SharedWeights:
    """The weights of `SharedLayerDesc`s that several stages have: equal, with added gradients.

    The first stage that has one says how it begins, and counts it in norms of all gradients.
    """

    def __init__(self, network: PipelineLayer):
        self._shared: list[tuple[Any, Any]] = []  # (group, parameter)
        for key, attributes in _shared_names(network._layers_desc).items():
            places = range(len(network._layers_desc))
            stages = sorted(
                {
                    network.get_stage_from_index(i)
                    for i in places
                    if getattr(network._layers_desc[i], "layer_name", None) == key
                }
            )
            for ranks in network._topo.get_comm_list("pipe") if len(stages) > 1 else ():
                group = new_group([ranks[s] for s in stages])
                if group.is_member():
                    layer = network.shared_layers[key]
                    self._shared += [(group, getattr(layer, name)) for name in attributes]
        for group, parameter in self._shared:
            there = current_world().of(group.id)
            parameter.set_value(there.broadcast(parameter.numpy(), 0))
            parameter.is_firstly_shared = there.rank == 0

    def add_gradients(self) -> None:
        """Let each gradient be the sum over the stages that have the weight."""
        with using(recording(False)) as here:
            for group, parameter in self._shared:
                g = here.gradients.read(here, parameter)
                own = zeros_of(parameter.spec) if g is None else dense(g)
                here.gradients.set(here, parameter, all_reduce_sum(own, group.id))


def _shared_names(layers: Sequence[Any]) -> dict[str, list[str]]:
    """The attributes that each key shares, in the order in which all processes see them."""
    found: dict[str, list[str]] = {}
    for given in layers:
        if isinstance(given, SharedLayerDesc):
            attributes = given.shared_weight_attr
            names = [attributes] if isinstance(attributes, str) else list(attributes)
            known = found.setdefault(given.layer_name, [])
            known += [n for n in names if n not in known]
    return found


class NoPipelineParallel(Layer):
    """A PipelineLayer that trains in one process: `fleet.distributed_model` makes it.

    `train_batch` divides a batch by the strategy's `pipeline_configs`: `accumulate_steps` parts of
    `micro_batch_size`.
    """

    def __init__(self, layers: PipelineLayer, strategy: DistributedStrategy, hcg: Any = None):
        super().__init__(f"{layers.full_name()}_meta_parallel_base")
        self._layers, self._strategy = layers, strategy
        self.micro_batch_size = strategy.pipeline_configs["micro_batch_size"]
        self.accumulate_steps = strategy.pipeline_configs["accumulate_steps"]

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layers compute."""
        return self._layers(*inputs, **kwargs)

    def train_batch(
        self,
        data: Any,
        optimizer: Any,
        lr_scheduler: Any = None,
        scaler: Any = None,
        loss_fn_idx: int = 0,
    ) -> Any:
        """One step on (inputs, labels): the mean loss of the parts; gradients are averaged."""
        self._layers.train()
        losses = []
        for inputs, labels in self._parts(data):
            loss = self._loss(inputs, labels, loss_fn_idx) / self.accumulate_steps
            (loss if scaler is None else scaler.scale(loss)).backward()
            losses.append(loss.detach())
        finish_step(optimizer, lr_scheduler, scaler)
        return sum(losses[1:], losses[0])

    def eval_batch(self, data: Any, compute_loss: bool = True, loss_fn_idx: int = 0) -> Any:
        """The mean loss of (inputs, labels), or the outputs of the parts."""
        self._layers.eval()
        if not compute_loss:
            return [self._layers(inputs) for inputs, _ in self._parts(data)]
        parts = self._parts(data)
        losses = [self._loss(inputs, labels, loss_fn_idx) for inputs, labels in parts]
        return sum(losses[1:], losses[0]) / self.accumulate_steps

    def _loss(self, inputs: Any, labels: Any, number: int) -> Any:
        return loss_function(self._layers, number)(self._layers(inputs), labels)

    def _parts(self, data: Any) -> list[tuple[Any, Any]]:
        """The batch in `accumulate_steps` parts."""
        return micro_batches(data, self.micro_batch_size, self.accumulate_steps)


def finish_step(optimizer: Any, lr_scheduler: Any, scaler: Any) -> None:
    """Step by the gradients that are there, and begin anew."""
    if scaler is None:
        optimizer.step()
    else:
        scaler.step(optimizer)
        scaler.update()
    optimizer.clear_grad()
    if lr_scheduler is not None:
        lr_scheduler.step()


def loss_function(layers: PipelineLayer, number: int) -> Callable[..., Any]:
    """The loss of a network with this number. Raises ArgumentError where there is none."""
    known = [f for f in layers._loss_fn if f is not None]
    if not 0 <= number < len(known):
        raise ArgumentError(
            f"train_batch needs a loss: there are {len(known)}, loss_fn_idx is {number}",
            cure="make PipelineLayer with loss_fn",
        )
    found: Callable[..., Any] = known[number]
    return found


def micro_batches(data: Any, size: int, count: int) -> list[tuple[Any, Any]]:
    """(inputs, labels) in `count` parts of `size` rows; of an iterator, its next parts.

    What a process does not need, it may give as None. Raises ArgumentError for other sizes.
    """
    if not isinstance(data, tuple | list):
        found = [(part[0], part[1]) for part, _ in zip(data, range(count), strict=False)]
        if len(found) < count:
            raise ArgumentError(f"{len(found)} micro-batches are left, {count} are needed")
        return found
    inputs, labels = data
    if count == 1:
        return [(inputs, labels)]
    return [(_rows(inputs, i, size, count), _rows(labels, i, size, count)) for i in range(count)]


def _rows(data: Any, number: int, size: int, count: int) -> Any:
    """Part `number` of `count`, of each tensor of `data`."""
    if isinstance(data, tuple | list):
        return type(data)(_rows(x, number, size, count) for x in data)
    if isinstance(data, dict):
        return {name: _rows(x, number, size, count) for name, x in data.items()}
    if data is None:
        return None
    if data.shape[0] != size * count:
        raise ArgumentError(
            f"a batch of {data.shape[0]} rows for {count} parts of {size}",
            cure="make accumulate_steps * micro_batch_size the size of the batch",
        )
    return data[number * size : (number + 1) * size]


__all__ = ["LayerDesc", "NoPipelineParallel", "PipelineLayer", "SharedLayerDesc"]
