"""What training would cost on ranks that are not there: `plan` prices a step of a model."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import pathlib
import twinoar.distributed.planning
import twinoar.fluid
import twinoar.fluid.framework
import twinoar.static
from typing import Any, Literal, overload

import numpy as _numpy

class Link:
    """A way for messages"""
    def seconds(self, kind: builtins.str, nbytes: Any, count: Any) -> builtins.float:
        """What a collective of `count` ranks takes, with the best of the usual algorithms."""
    def __init__(self, latency: Any, bandwidth: Any) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    latency: builtins.float
    bandwidth: builtins.float
class Network:
    """The links of a cluster, and what was measured on it."""
    each: builtins.int
    speeds: twinoar.distributed.planning.Speeds | None
    def seconds(self, kind: builtins.str, nbytes: Any, count: Any, stride: Any = 1) -> builtins.float:
        """What a collective takes whose ranks are `stride` apart."""
    @classmethod
    def parse(cls, text: builtins.str) -> twinoar.distributed.planning.Network:
        """A network as one writes it, or that of a file that `write` made."""
    @classmethod
    def read(cls, path: builtins.str | pathlib.Path) -> twinoar.distributed.planning.Network:
        """The network of a file"""
    @classmethod
    def of_text(cls, text: builtins.str, name: builtins.str = 'a network') -> twinoar.distributed.planning.Network:
        """The network that `text` writes down"""
    def to_text(self) -> builtins.str:
        """What `of_text` reads."""
    def write(self, path: builtins.str | pathlib.Path) -> None:
        """Write it as a whole: who reads meanwhile sees what was there before"""
    def __init__(self, within: twinoar.distributed.planning.Link, between: twinoar.distributed.planning.Link, each: Any = 1, measured: collections.abc.Mapping[builtins.str, collections.abc.Mapping[Any, collections.abc.Sequence[builtins.tuple[Any, Any]]]] = ..., speeds: twinoar.distributed.planning.Speeds | None = None) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    within: twinoar.distributed.planning.Link
    between: twinoar.distributed.planning.Link
    measured: collections.abc.Mapping[builtins.str, collections.abc.Mapping[builtins.int, collections.abc.Sequence[builtins.tuple[builtins.float, builtins.float]]]]
class Row:
    """A split and its price"""
    def as_dict(self) -> builtins.dict[builtins.str, Any]:
        """The row as JSON has it."""
    def __init__(self, split: twinoar.distributed.planning.Split, seconds: Any, compute: Any, network: Any, idle: Any, memory: Any, travelled: Any, collectives: Any) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    split: twinoar.distributed.planning.Split
    seconds: builtins.float
    compute: builtins.float
    network: builtins.float
    idle: builtins.float
    memory: Any
    travelled: builtins.float
    collectives: builtins.int
class Speeds:
    """What a rank computes in a second: bytes read or written, operations on float32."""
    @classmethod
    def parse(cls, text: builtins.str) -> twinoar.distributed.planning.Speeds:
        """Speeds as one writes them"""
    def __init__(self, bytes: Any, operations: Any) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    bytes: builtins.float
    operations: builtins.float
class Split:
    """How ranks share a step: data x tensor x pipeline of them."""
    data: builtins.int
    tensor: builtins.int
    pipeline: builtins.int
    stage: builtins.int
    @property
    def ranks(self) -> builtins.int:
        """How many there are."""
    @property
    def name(self) -> builtins.str:
        """What such a split is called."""
    def __init__(self, data: Any = 1, tensor: Any = 1, pipeline: Any = 1, stage: Any = 0) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    def __lt__(self, other: Any) -> Any: ...
    def __le__(self, other: Any) -> Any: ...
    def __gt__(self, other: Any) -> Any: ...
    def __ge__(self, other: Any) -> Any: ...
class Step:
    """A step of training"""
    def phase(self, o: twinoar.static.Operator) -> Literal['forward', 'backward', 'update']:
        """What an operator belongs to."""
    @property
    def parameters(self) -> builtins.list[twinoar.fluid.framework.Parameter]:
        """What is trained."""
    @parameters.setter
    def parameters(self, value: Any) -> None: ...
    @property
    def moments(self) -> builtins.list[twinoar.fluid.framework.Parameter]:
        """What the update remembers beside parameters, and other states that a step changes."""
    @moments.setter
    def moments(self, value: Any) -> None: ...
    @property
    def gradients(self) -> builtins.dict[builtins.str, twinoar.fluid.Variable]:
        """Of each parameter by its name, where the step computes it."""
    @gradients.setter
    def gradients(self, value: Any) -> None: ...
    def __init__(self, program: twinoar.fluid.Program, source: twinoar.fluid.Program, batch: Any, forward: builtins.frozenset[twinoar.static.Operator], update: builtins.frozenset[twinoar.static.Operator]) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    program: twinoar.fluid.Program
    source: twinoar.fluid.Program
    batch: builtins.int
    forward: builtins.frozenset[twinoar.static.Operator]
    update: builtins.frozenset[twinoar.static.Operator]
def measure_network(sizes: collections.abc.Sequence[Any] = ..., rounds: Any = 15) -> twinoar.distributed.planning.Network:
    """The network of this job, which all its ranks call; equal on each of them."""
def own_speeds() -> twinoar.distributed.planning.Speeds:
    """What this process computes: as NumPy copies and multiplies."""
def plan(model: Any, ranks: Any, network: twinoar.distributed.planning.Network | builtins.str, batch: Any, inputs: collections.abc.Sequence[Any] = ..., splits: collections.abc.Sequence[twinoar.distributed.planning.Split] | None = None, optimizer: Any = 'adam', loss: collections.abc.Callable[..., Any] | None = None, sizes: collections.abc.Mapping[builtins.str, Any] | None = None, microbatches: Any = 8, bucket_bytes: Any = 0, speeds: twinoar.distributed.planning.Speeds | None = None, measured: builtins.bool = False, step_seconds: Any = None) -> builtins.list[twinoar.distributed.planning.Row]:
    """Price a step of `model` on `ranks` ranks, split in all ways or in `splits`; fastest first."""
def splits_of(ranks: Any, batch: Any, tensor: collections.abc.Sequence[Any] = ..., pipeline: collections.abc.Sequence[Any] = ..., stages: collections.abc.Sequence[Any] = ...) -> builtins.list[twinoar.distributed.planning.Split]:
    """The splits of so many ranks that the batch allows."""
def step_of(model: Any, inputs: collections.abc.Sequence[Any] = ..., batch: Any = 1, optimizer: Any = 'adam', loss: collections.abc.Callable[..., Any] | None = None, sizes: collections.abc.Mapping[builtins.str, Any] | None = None) -> twinoar.distributed.planning.Step:
    """The step that trains a model."""
def table(rows: collections.abc.Sequence[twinoar.distributed.planning.Row]) -> builtins.str:
    """Rows as text, in their order."""
