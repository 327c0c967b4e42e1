"""Networks as lists of layers that several processes would divide into stages: one has them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from twinoar.autograd.recomputation import recompute
from twinoar.distributed.fleet.recomputing import in_turn
from twinoar.distributed.fleet.strategy import DistributedStrategy
from twinoar.distributed.world import refuse_more
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.nn.container import LayerDict
from twinoar.nn.layer import Layer


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
    """Layers in turn, as one stage.

    layers: of LayerDesc, SharedLayerDesc, layers or functions. num_stages: 1. loss_fn: the loss of
    outputs and labels, for `train_batch`. recompute_interval: so many layers each are computed
    twice; 0 for none. The other arguments say how stages are divided. Raises UnsupportedError for
    several stages.

    >>> network = PipelineLayer([LayerDesc(twinoar.nn.Linear, 2, 3), twinoar.tanh], num_stages=1)
    >>> list(network.state_dict()), network(twinoar.ones([4, 2])).shape
    (['0.weight', '0.bias'], [4, 3])
    """

    def __init__(
        self,
        layers: Sequence[Any],
        num_stages: int | None = None,
        topology: Any = None,
        loss_fn: Any = None,
        seg_method: str = "uniform",
        recompute_interval: int = 0,
        recompute_ctx: Any = None,
        num_virtual_pipeline_stages: int | None = None,
        use_cudagraph: bool = False,
        use_dualpipev: bool = False,
    ):
        super().__init__()
        if num_stages is None and topology is None:
            raise ArgumentError("PipelineLayer needs num_stages or topology", cure="num_stages=1")
        refuse_more("num_stages", num_stages, "pass num_stages=1")
        refuse_more("num_virtual_pipeline_stages", num_virtual_pipeline_stages, "leave it out")
        if topology is not None:
            refuse_more("the topology's pipe", topology.get_dim("pipe"), "make its size 1")
        self._loss_fn, self._recompute_interval = loss_fn, recompute_interval
        self.shared_layers = LayerDict()
        self.run_function = [self._made(str(i), given) for i, given in enumerate(layers)]

    def _made(self, name: str, given: Any) -> Any:
        """The function that stands for one of `layers`; what it holds becomes a sublayer."""
        if isinstance(given, SharedLayerDesc):
            key = given.layer_name
            if key not in self.shared_layers:
                self.shared_layers[key] = given.build_layer()
            layer = self.shared_layers[key]
            return layer if given.forward_func is None else partial(given.forward_func, layer)
        made = given.build_layer() if isinstance(given, LayerDesc) else given
        if isinstance(made, Layer):
            self.add_sublayer(name, made)
        elif not callable(made):
            raise TypeMismatchError(f"layer {name} is a {type(made).__name__}")
        return made

    def get_stage_from_index(self, layer_idx: int) -> int:
        """The stage of a layer: 0."""
        return 0

    def get_num_virtual_stages(self) -> int:
        """1."""
        return 1

    def allreduce_shared_weight_gradients(self) -> None:
        """Add up the gradients of shared layers over stages: there is one."""

    def forward(self, input: Any, chunk_id: int | None = None) -> Any:
        """What the last layer returns."""
        step = self._recompute_interval
        if step <= 0 or not self.training:
            return in_turn(self.run_function)(input)
        for first in range(0, len(self.run_function), step):
            given = input if isinstance(input, tuple) else (input,)
            input = recompute(in_turn(self.run_function[first : first + step]), *given)
        return input


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
            loss = self._loss(inputs, labels) / self.accumulate_steps
            (loss if scaler is None else scaler.scale(loss)).backward()
            losses.append(loss.detach())
        if scaler is None:
            optimizer.step()
        else:
            scaler.step(optimizer)
            scaler.update()
        optimizer.clear_grad()
        if lr_scheduler is not None:
            lr_scheduler.step()
        return sum(losses[1:], losses[0])

    def eval_batch(self, data: Any, compute_loss: bool = True, loss_fn_idx: int = 0) -> Any:
        """The mean loss of (inputs, labels), or the outputs of the parts."""
        self._layers.eval()
        if not compute_loss:
            return [self._layers(inputs) for inputs, _ in self._parts(data)]
        losses = [self._loss(inputs, labels) for inputs, labels in self._parts(data)]
        return sum(losses[1:], losses[0]) / self.accumulate_steps

    def _loss(self, inputs: Any, labels: Any) -> Any:
        if self._layers._loss_fn is None:
            raise ArgumentError("train_batch needs a loss", cure="make PipelineLayer with loss_fn")
        return self._layers._loss_fn(self._layers(inputs), labels)

    def _parts(self, data: Any) -> list[tuple[Any, Any]]:
        """The batch in `accumulate_steps` parts."""
        inputs, labels = data
        size, count = self.micro_batch_size, self.accumulate_steps
        rows = (inputs[0] if isinstance(inputs, tuple | list) else inputs).shape[0]
        if count > 1 and rows != size * count:
            raise ArgumentError(
                f"a batch of {rows} rows for {count} parts of {size}",
                cure="make accumulate_steps * micro_batch_size the size of the batch",
            )
        if count == 1:
            return [(inputs, labels)]
        return [
            (_rows(inputs, i * size, size), _rows(labels, i * size, size)) for i in range(count)
        ]


def _rows(data: Any, first: int, count: int) -> Any:
    if isinstance(data, tuple | list):
        return type(data)(_rows(x, first, count) for x in data)
    return data[first : first + count]


__all__ = ["LayerDesc", "NoPipelineParallel", "PipelineLayer", "SharedLayerDesc"]
