"""DistModel: a network, its loss and its optimizer, called with batches."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from twinoar.distributed.world import ONE_PROCESS, refused_alone
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError, UnsupportedError
from twinoar.jit.to_static import to_static as compiled
from twinoar.nn.layer import Layer

SETTINGS: dict[str, dict[str, Any]] = {
    "sharding": {"enable": False, "stage": 1, "degree": 8},
    "gradient_merge": {"enable": False, "k_steps": 1, "avg": True},
    "pipeline": {
        "enable": False, "schedule_mode": "1F1B", "micro_batch_size": 1, "accumulate_steps": 1,
        "pp_degree": 1, "vpp_degree": 1,
    },
    "amp": {
        "enable": False, "dtype": "float16", "level": "O1", "init_loss_scaling": 32768.0,
        "use_master_weight": True, "use_master_grad": False, "custom_white_list": [],
        "custom_black_list": [],
    },
    "fused_passes": {"enable": False, "gemm_epilogue": False, "dropout_add": False},
    "recompute": {"enable": False},
}  # fmt: skip
MODES = ("train", "eval", "predict")


class Strategy:
    """How a DistModel is divided and computed: groups of settings, each with `enable`.

    config: {"sharding": {"enable": ..., ...}, ...}. What is enabled is refused by `to_static`, but
    for "fused_passes" and "recompute", which change no result.

    >>> Strategy({"gradient_merge": {"k_steps": 2}}).gradient_merge.k_steps
    2
    """

    full_graph = True

    def __init__(self, config: Mapping[str, Any] | None = None):
        given = dict(config or {})
        for name, known in SETTINGS.items():
            own = dict(given.pop(name, {}))
            unknown = sorted(own.keys() - known.keys())
            if unknown:
                raise ArgumentError(f"{name} has no {unknown[0]!r}", cure=f"there are {[*known]}")
            setattr(self, name, SimpleNamespace(**copy.deepcopy(known) | own))
        if given:
            raise ArgumentError(f"no settings {[*given]}", cure=f"there are {[*SETTINGS]}")

    def check(self) -> None:
        """Raise UnsupportedError for what would change a step."""
        for name in ("sharding", "gradient_merge", "pipeline", "amp"):
            if getattr(self, name).enable:
                raise UnsupportedError(
                    f"Strategy.{name}: {ONE_PROCESS}, without it", cure=f"leave {name}.enable False"
                )

    def __repr__(self) -> str:
        return f"Strategy({ {name: vars(getattr(self, name)) for name in SETTINGS} })"


class DistModel:
    """A network that is called with batches: a step, a loss or outputs, by its mode.

    `dist.to_static` makes it. In mode "train" a call with inputs and labels takes a step and gives
    the loss, an array; "eval" gives the loss alone, "predict" the outputs of inputs.
    """

    def __init__(
        self,
        layer: Layer,
        loader: Any,
        loss: Any = None,
        optimizer: Any = None,
        strategy: Strategy | None = None,
        metrics: Any = None,
        input_spec: Any = None,
    ):
        if not isinstance(layer, Layer):
            raise TypeMismatchError(f"expected a Layer, received {type(layer).__name__}")
        (strategy or Strategy()).check()
        self.network, self._loss, self._optimizer = layer, loss, optimizer
        self._compiled = compiled(layer.__call__)
        self._mode = "predict" if loss is None else "eval" if optimizer is None else "train"

    def train(self) -> None:
        """Take a step with each call from now on."""
        self._enter("train")
        self.network.train()

    def eval(self) -> None:
        """Give the loss of each call from now on."""
        self._enter("eval")
        self.network.eval()

    def predict(self) -> None:
        """Give the outputs of each call from now on."""
        self._mode = "predict"
        self.network.eval()

    def _enter(self, mode: str) -> None:
        if self._loss is None or (mode == "train" and self._optimizer is None):
            raise ProgramError(
                f"mode {mode!r} needs a loss{' and an optimizer' if mode == 'train' else ''}",
                cure="pass them to dist.to_static",
            )
        self._mode = mode

    def __call__(self, *args: Any) -> Any:
        if self._mode == "predict":
            return self._compiled(*args)
        *inputs, labels = args
        loss = self._loss(self._compiled(*inputs), labels)
        if self._mode == "train":
            loss.backward()
            self._optimizer.step()
            self._optimizer.clear_grad()
        return np.asarray(loss.detach())

    def state_dict(self, mode: str = "all", split_fusion: bool = True) -> dict[str, Any]:
        """The states of the network ("param"), of the optimizer ("opt"), or of both ("all")."""
        if mode not in ("all", "param", "opt"):
            raise ArgumentError(f"mode: expected 'all', 'param' or 'opt', received {mode!r}")
        found = {} if mode == "opt" else dict(self.network.state_dict())
        if mode != "param" and self._optimizer is not None:
            found |= self._optimizer.state_dict()
        return found

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Give the network, and the optimizer where there are entries of it, their states."""
        own = self.network.state_dict().keys()
        self.network.set_state_dict({k: v for k, v in state_dict.items() if k in own})
        rest = {k: v for k, v in state_dict.items() if k not in own}
        if rest and self._optimizer is not None:
            self._optimizer.set_state_dict(rest)

    def dist_main_program(self, mode: str | None = None) -> Any:
        """The Program that one process has of it: raises UnsupportedError, it is not divided."""
        raise refused_alone("DistModel.dist_main_program", "see jit.to_static(network)")

    dist_startup_program = serial_main_program = serial_startup_program = dist_main_program


def to_static(
    layer: Layer,
    loader: Any = None,
    loss: Any = None,
    optimizer: Any = None,
    strategy: Strategy | None = None,
    input_spec: Any = None,
) -> DistModel:
    """A network, its loss and its optimizer as a DistModel, whose network is compiled.

    Raises UnsupportedError where the strategy would divide it or change its step.
    """
    model = DistModel(layer, loader, loss, optimizer, strategy, input_spec=input_spec)
    if model._mode == "train":
        layer.train()
    else:
        layer.eval()
    return model
