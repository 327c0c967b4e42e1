"""PipelineParallel: one interpreter of schedules, in each process for its stages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from twinoar.autograd.api import backward, no_grad
from twinoar.autograd.halves import backward_in_halves
from twinoar.core.interpreter import current, recording, using
from twinoar.distributed.data_parallel import MEGABYTE, average_gradients, is_alone, share_state
from twinoar.distributed.fleet.agreement import Experts, add_parts, divided_scaler
from twinoar.distributed.fleet.messages import Key, Mailbox, tensors_of
from twinoar.distributed.fleet.pipeline import (
    PipelineLayer,
    finish_step,
    loss_function,
    micro_batches,
)
from twinoar.distributed.fleet.schedule import (
    SCHEDULES,
    Command,
    Schedule,
    given_by,
    needed_by,
)
from twinoar.distributed.fleet.strategy import DistributedStrategy
from twinoar.distributed.fleet.topology import HybridCommunicateGroup, is_divided
from twinoar.distributed.group import communicator_of
from twinoar.eager.tensor import Tensor, to_tensor
from twinoar.errors import ArgumentError, DistributedError, TypeMismatchError
from twinoar.nn.layer import Layer
from twinoar.ops.math.fill import zeros_of


class PipelineParallel(Layer):
    """A PipelineLayer whose stages are in several processes: `fleet.distributed_model` makes it.

    Each batch goes through in `pipeline_configs["accumulate_steps"]` parts, in the order that
    `schedule_mode` names: "1F1B", "FThenB", "VPP" (which chunks of layers need) or "ZBH1". Raises
    DistributedError, on all processes of the pipeline, where they are made differently.
    """

    def __init__(
        self, layers: PipelineLayer, hcg: HybridCommunicateGroup, strategy: DistributedStrategy
    ):
        if not isinstance(layers, PipelineLayer):
            raise TypeMismatchError(
                f"a pipeline takes a PipelineLayer, received {type(layers).__name__}"
            )
        super().__init__(f"{layers.full_name()}_meta_parallel_base")
        self._layers, self._hcg, self._strategy = layers, hcg, strategy
        configs = strategy.pipeline_configs
        self.micro_batch_size = configs["micro_batch_size"]
        self.accumulate_steps = configs["accumulate_steps"]
        self.num_stages, self.stage_id = layers._num_stages, layers._stage_id
        self.chunks = layers.get_num_virtual_stages()
        self.global_rank = hcg.get_global_rank()
        self.pp_group = hcg._group(("pipe",))
        self.schedule_mode = self._mode(configs["schedule_mode"])
        self.schedule: Schedule = SCHEDULES[self.schedule_mode](
            self.num_stages, self.accumulate_steps, self.chunks
        )
        self._known: tuple[dict, dict] = ({}, {})
        self._compare()
        self._share()

    def _mode(self, name: str) -> str:
        if name == "1F1B" and self.chunks > 1:
            return "VPP"
        if name not in SCHEDULES:
            raise ArgumentError(f"schedule_mode is {name!r}", cure=f"expected {list(SCHEDULES)}")
        return name

    def _compare(self) -> None:
        """Raise DistributedError, on all ranks, where one is made for another pipeline."""
        own = {
            "schedule_mode": self.schedule_mode,
            "accumulate_steps": self.accumulate_steps,
            "micro_batch_size": self.micro_batch_size,
            "chunks": self.chunks,
            "stages that begin at layers": self._layers.segment_parts,
        }
        there = communicator_of(self.pp_group)
        first, *others = there.all_gather_object(own)
        for rank, other in zip(there.ranks[1:], others, strict=True):
            for name, value in other.items():
                if value != first[name]:
                    raise DistributedError(
                        f"the pipelines of the ranks differ: {name} is {first[name]} on rank "
                        f"{there.ranks[0]}, {value} on rank {rank}",
                        cure="build the same PipelineLayer with the same strategy everywhere",
                    )

    def _share(self) -> None:
        """Let what is not divided begin equal where the same stage is in several processes."""
        divided, averaged = self._hcg._group(("model",)), self._hcg.averaged_group()
        if divided.nranks > 1:
            share_state(self._layers, communicator_of(divided), is_divided)
        if averaged.nranks > 1:
            share_state(self._layers, communicator_of(averaged), is_alone)
        self._experts = Experts(self._layers, self._hcg)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layers of this process compute."""
        return self._layers(*inputs, **kwargs)

    def is_pipeline_first_stage(self, ignore_virtual: bool = False) -> bool:
        """Whether this process has the first layers."""
        return self.stage_id == 0

    def is_pipeline_last_stage(self, ignore_virtual: bool = False) -> bool:
        """Whether this process has the last layers."""
        return self.stage_id == self.num_stages - 1

    def get_static_scheduler(self) -> str:
        """What this process does, as Paddle writes it: "f0;f1;b0;b1;"."""
        letters = {"forward": "f", "backward": "b", "input": "b", "weight": "w"}
        return "".join(
            f"{letters[c.kind]}{c.micro}" + (f"_vp{c.chunk}" if self.chunks > 1 else "") + ";"
            for c in self.schedule[self.stage_id]
        )

    def train_batch(
        self,
        data: Any,
        optimizer: Any,
        lr_scheduler: Any = None,
        scaler: Any = None,
        loss_fn_idx: int = 0,
        return_micro_batch_loss: bool = False,
    ) -> Any:
        """One step on (inputs, labels): the mean loss of the parts, on all stages.

        The first stage needs the inputs and the last the labels; others may give None. Gradients
        are means over the parts, and over the processes that train on other data.
        """
        self._layers.train()
        loss = self.forward_backward_pipeline(
            data,
            scaler,
            return_micro_batch_loss=return_micro_batch_loss,
            loss_fn_idx=loss_fn_idx,
        )
        finish_step(optimizer, lr_scheduler, scaler)
        return loss

    def forward_backward_pipeline(
        self,
        data: Any,
        scaler: Any = None,
        static_scheduler: bool = False,
        return_micro_batch_loss: bool = False,
        loss_fn_idx: int = 0,
    ) -> Any:
        """The loss of a batch, whose gradients are added to those of the parameters.

        static_scheduler: return what this process would do, as a text, and do nothing.
        """
        if static_scheduler:
            return self.get_static_scheduler()
        if scaler is not None:
            divided_scaler(scaler, self._hcg)
        step = Step(self, data, loss_function(self._layers, loss_fn_idx), scaler)
        step.run(self.schedule)
        self._layers.allreduce_shared_weight_gradients()
        self._average()
        return self._from_last_stage(step.losses, return_micro_batch_loss)

    def _average(self) -> None:
        """Let gradients be their means over the processes that train on other data."""
        group = self._hcg.averaged_group()
        if group.nranks > 1:
            trained = [p for p in self._layers.parameters() if not (p.stop_gradient or is_alone(p))]
            with using(recording(False)):
                average_gradients(current(), trained, group.id, 25 * MEGABYTE)
                add_parts(current(), trained, self._hcg.sequence_parts())
                self._experts.average(current())

    def eval_batch(
        self,
        data: Any,
        compute_loss: bool = False,
        loss_fn_idx: int = 0,
        return_host_tensor: bool = False,
    ) -> Any:
        """The mean loss of (inputs, labels) on all stages, or what this one returns, by part."""
        self._layers.eval()
        loss = loss_function(self._layers, loss_fn_idx) if compute_loss else None
        step = Step(self, data, loss, None)
        with no_grad():
            forward = tuple(tuple(c for c in row if c.kind == "forward") for row in self.schedule)
            step.run(forward)
        if not compute_loss:
            return step.outputs
        return self._from_last_stage(step.losses, False)

    def _from_last_stage(self, losses: Sequence[Tensor], is_apart: bool) -> Tensor:
        """The sum of the parts' losses, or each of them, on all stages."""
        there = communicator_of(self.pp_group)
        found = there.all_gather_object([loss.numpy() for loss in losses])[-1]
        return to_tensor(found if is_apart else sum(found[1:], found[0]))


class Step:
    """One batch on its way through this process's stages.

    losses: of the parts, divided by their number, on the last stage. kept: what parts in flight
    need for going back, by (chunk, micro-batch). outputs: of each part, where there is no loss.
    """

    def __init__(self, network: PipelineParallel, data: Any, loss: Any, scaler: Any):
        self._network, self._loss, self._scaler = network, loss, scaler
        self._layers = network._layers
        self._rank, self._ranks = network.stage_id, network.num_stages
        self._stages = self._ranks * network.chunks
        self._count = network.accumulate_steps
        needs_data = self._rank in (0, self._ranks - 1)
        self._parts = (
            micro_batches(data, network.micro_batch_size, self._count) if needs_data else []
        )
        self.losses: list[Tensor] = []
        self.outputs: list[Any] = []
        self.kept: dict[tuple[int, int], tuple[list[Tensor], list[Tensor]]] = {}
        self._later: dict[tuple[int, int], Callable[[], Any]] = {}

    def run(self, schedule: Schedule) -> None:
        """Do what the schedule says for this rank."""
        network = self._network
        there = communicator_of(network.pp_group)
        self._mail = Mailbox(there, network._known, self._expected(schedule))
        kinds = {
            "forward": self._forward,
            "backward": self._backward,
            "input": self._input_half,
            "weight": self._weight_half,
        }
        for command in schedule[self._rank]:
            kinds[command.kind](command)
        self._mail.finish()

    def _expected(self, schedule: Schedule) -> dict[int, list[Key]]:
        """What each rank sends to this one, in its order."""
        found: dict[int, list[Key]] = {}
        for peer, row in enumerate(schedule):
            for command in row:
                key = given_by(command, peer, self._ranks, self._stages)
                if key is not None and self._target(key) == self._rank:
                    found.setdefault(peer, []).append(key)
        return found

    def _target(self, key: Key) -> int:
        """The rank to which a stage sends."""
        kind, stage, _ = key
        return (stage + (1 if kind == "forward" else -1)) % self._ranks

    def _received(self, command: Command) -> Any:
        """What another rank has sent for a command; None where it needs nothing."""
        key = needed_by(command, self._rank, self._ranks, self._stages)
        return None if key is None else self._mail.take(key, key[1] % self._ranks)

    def _send(self, command: Command, values: Any) -> None:
        key = given_by(command, self._rank, self._ranks, self._stages)
        if key is not None:
            self._mail.send(key, values, self._target(key))

    def _forward(self, command: Command) -> None:
        chunk, micro = command.chunk, command.micro
        given = self._received(command)
        is_first = given is None
        output = self._layers(
            self._parts[micro][0] if is_first else given,
            chunk_id=chunk if self._network.chunks > 1 else None,
        )
        stage = chunk * self._ranks + self._rank
        if stage == self._stages - 1 and self._loss is not None:
            output = self._loss(output, self._parts[micro][1]) / self._count
            self.losses.append(output.detach())
            if self._scaler is not None:
                output = self._scaler.scale(output)
        elif self._loss is None and chunk == self._network.chunks - 1:
            self.outputs.append(output)
        self._send(command, output)
        if current().policy.records:
            inputs = [] if is_first else [x for x in tensors_of(given) if not x.stop_gradient]
            outputs = [x for x in tensors_of(output) if not x.stop_gradient]
            self.kept[chunk, micro] = inputs, outputs

    def _gradients(self, command: Command) -> tuple[list[Tensor], list[Tensor], list]:
        """Inputs and outputs of a part's forward, and the gradients of the outputs."""
        received = self._received(command)
        inputs, outputs = self.kept.pop((command.chunk, command.micro))
        return inputs, outputs, [None] * len(outputs) if received is None else tensors_of(received)

    def _backward(self, command: Command) -> None:
        inputs, outputs, gradients = self._gradients(command)
        if outputs:
            backward(outputs, gradients)
        self._send_gradients(command, inputs, [x.grad for x in inputs])

    def _input_half(self, command: Command) -> None:
        inputs, outputs, gradients = self._gradients(command)
        found, rest = backward_in_halves(outputs, gradients, inputs)
        self._later[command.chunk, command.micro] = rest
        self._send_gradients(command, inputs, found)

    def _weight_half(self, command: Command) -> None:
        self._later.pop((command.chunk, command.micro))()

    def _send_gradients(self, command: Command, inputs: list, gradients: Sequence[Any]) -> None:
        with using(recording(False)):
            found = [
                zeros_of(x.spec) if g is None else g for x, g in zip(inputs, gradients, strict=True)
            ]
        self._send(command, tuple(found))


__all__ = ["PipelineParallel"]
