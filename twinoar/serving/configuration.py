"""What `config.pbtxt` says of a model: read, held against what is served, completed by the model.

A repository without one is served as well: what the saved model says of itself takes its place.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twinoar.core.near import near_names
from twinoar.errors import FileError, UnsupportedError
from twinoar.formats.inference_protocol import ModelConfig
from twinoar.formats.protobuf import parse_json, parse_text
from twinoar.serving.queue import QueuePolicy, RequestQueue
from twinoar.serving.scheduler import BatchPolicy
from twinoar.serving.status import invalid

FILE = "config.pbtxt"
MICROSECONDS = 1e-6
# What a config may name as the kind of its model; the file decides how it is read.
KINDS = {
    "", "twinoar", "paddle", "paddle_inference", "onnxruntime", "onnxruntime_onnx", "onnx",
    "python", "ensemble",
}  # fmt: skip
OF_OTHER_MACHINES = ("optimization", "metric_tags", "model_metrics", "cc_model_filenames")


@dataclass(frozen=True, slots=True)
class Port:
    """An input or output of a model. dims: -1 for any size, the batch axis not among them."""

    name: str
    datatype: str
    dims: tuple[int, ...]
    optional: bool = False

    def shape(self, batches: bool) -> list[int]:
        """The whole shape, as the protocol tells it."""
        return [-1, *self.dims] if batches else list(self.dims)


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a model has whose config does not say.

    max_batch_size: of models without a config that keep their rows apart. delay_seconds: how long
    their requests wait for others. queue_size: the most that wait. threads: of each run, 0 for all.
    """

    max_batch_size: int = 8
    delay_seconds: float = 0.0
    queue_size: int = 1000
    threads: int = 0


def read_config(folder: Path, override: str | None = None) -> Any:
    """The config of the model in `folder`, or one without fields; `override` is JSON in its place.

    Raises FileError where it does not read, UnsupportedError for what is not served.
    """
    file = folder / FILE
    if override is not None:
        config = parse_json(ModelConfig, override, f"the config given for {folder.name}")
    elif file.is_file():
        config = parse_text(ModelConfig, file.read_text(errors="replace"), str(file))
    else:
        config = ModelConfig()
    if config.name and config.name != folder.name:
        raise FileError(
            f"{file} names the model {config.name!r}, its folder {folder.name!r}",
            cure="leave the name out, or make them the same",
        )
    config.name = folder.name
    _refuse_others(config, str(file))
    return config


def below(folder: Path, named: str, what: str) -> Path:
    """The file that a config names, below a folder, which it may not leave. Raises FileError.

    Links are followed: they are of whoever made the folder, as the files are.
    """
    file = folder / named
    if not Path(os.path.normpath(file)).is_relative_to(os.path.normpath(folder)):
        raise FileError(f"{what} {named!r} is not below {folder}")
    return file


def without_effect(config: Any) -> list[str]:
    """Fields of a config that concern other machines, and change nothing here."""
    named = [told.name for told, _ in config.ListFields() if told.name in OF_OTHER_MACHINES]
    return named + [f"instance_group.{n}" for g in config.instance_group for n in _unused(g)]


def complete(
    config: Any, inputs: Sequence[Port], outputs: Sequence[Port], defaults: Defaults, apart: bool
) -> None:
    """Fill in what a config leaves out, by what the model says.

    inputs, outputs: with the batch axis, where `apart` is true: the rows of a batch are computed
    apart. Raises FileError where config and model do not agree.
    """
    says_nothing = not config.input and not config.output and not config.HasField("max_batch_size")
    if says_nothing and apart:
        config.max_batch_size = defaults.max_batch_size
        if not config.HasField("sequence_batching"):
            config.dynamic_batching.SetInParent()
            if not config.dynamic_batching.HasField("max_queue_delay_microseconds"):
                delay = round(defaults.delay_seconds / MICROSECONDS)
                config.dynamic_batching.max_queue_delay_microseconds = delay
    config.max_batch_size = max(config.max_batch_size, 0)
    config.platform = config.platform or "twinoar"
    config.backend = config.backend or "twinoar"
    if not config.instance_group:
        config.instance_group.add(name=config.name, kind="KIND_CPU", count=1)
    if not config.HasField("version_policy"):
        config.version_policy.latest.num_versions = 1
    inner = inner_names(config)
    for told, ports, what in ((config.input, inputs, "input"), (config.output, outputs, "output")):
        outer = [port for port in ports if port.name not in inner]
        if missing := sorted(_of_kind(config, what) - {port.name for port in ports}):
            raise FileError(f"{config.name}: the model has no {what} {missing[0]!r}")
        _complete_ports(config, told, outer, what)


def ports_of(told: Any) -> list[Port]:
    """The inputs or outputs that a config lists."""
    found = []
    for x in told:
        datatype = ModelConfig.DESCRIPTOR.file.enum_types_by_name["DataType"]
        name = datatype.values_by_number[x.data_type].name.removeprefix("TYPE_")
        named = "BYTES" if name == "STRING" else name
        found.append(Port(x.name, named, tuple(x.dims), bool(getattr(x, "optional", False))))
    return found


def inner_names(config: Any) -> set[str]:
    """The inputs and outputs that are between the server and the model alone."""
    return _of_kind(config, "input") | _of_kind(config, "output")


def instances_of(config: Any) -> int:
    """How many instances of the model run at once."""
    return sum(max(group.count, 1) for group in config.instance_group) or 1


def parameter(config: Any, name: str) -> str | None:
    """The value of one of the config's `parameters`, or None."""
    return config.parameters[name].string_value if name in config.parameters else None


def batch_policy(config: Any) -> BatchPolicy:
    """How batches are made, by `dynamic_batching` and the parameter `batch_sizes`.

    batch_sizes: "any", or the sizes that are run, with commas; powers of two without it, so that a
    model is compiled for few of them. Raises FileError for sizes that are none.
    """
    most = config.max_batch_size
    if not most:
        return BatchPolicy()
    batching = config.dynamic_batching
    preferred = tuple(sorted(batching.preferred_batch_size))
    if any(not 1 <= size <= most for size in preferred):
        raise FileError(f"{config.name}: preferred_batch_size is from 1 to {most}, not {preferred}")
    told = parameter(config, "batch_sizes")
    if told == "any":
        sizes: tuple[int, ...] = ()
    elif told is None:
        sizes = (*(1 << n for n in range(most.bit_length()) if 1 << n < most), most)
    else:
        sizes = _sizes(told, most, config.name)
    delay = batching.max_queue_delay_microseconds * MICROSECONDS
    return BatchPolicy(most, delay, preferred, sizes)


def queue_of(config: Any, defaults: Defaults) -> RequestQueue:
    """The queue, with its priorities and their policies."""
    batching = config.dynamic_batching
    levels = int(batching.priority_levels) or 1
    usual = int(batching.default_priority_level) or (levels + 1) // 2
    if usual > levels:
        raise FileError(f"{config.name}: default_priority_level is at most {levels}")
    told: Mapping[int, Any] = batching.priority_queue_policy
    policies = {
        level: _policy(told.get(level, batching.default_queue_policy), defaults)
        for level in range(1, levels + 1)
    }
    merges = config.HasField("dynamic_batching") or config.HasField("sequence_batching")
    stacks = config.max_batch_size > 0 and merges
    return RequestQueue(levels, usual, policies, stacks=stacks)


def versions_of(config: Any, folder: Path) -> list[int]:
    """The versions to be served, by the policy, of those whose folders are there; oldest first.

    Raises FileError where there is none.
    """
    there = sorted(int(x.name) for x in folder.iterdir() if x.is_dir() and x.name.isdecimal())
    if config.version_policy.HasField("specific"):
        wanted = sorted(set(config.version_policy.specific.versions))
        missing = [v for v in wanted if v not in there]
        if missing:
            raise FileError(f"{folder} has no folder for the version {missing[0]}")
    elif config.version_policy.HasField("all"):
        wanted = there
    else:
        wanted = there[-max(config.version_policy.latest.num_versions, 1) :]
    if not wanted:
        raise FileError(
            f"{folder} has no version of the model",
            cure=f"put its files into {folder / '1'}",
        )
    return wanted


def _of_kind(config: Any, what: str) -> set[str]:
    """The inner inputs, or the inner outputs."""
    told = config.sequence_batching
    if what == "output":
        return {state.output_name for state in told.state}
    return {control.name for control in told.control_input} | {s.input_name for s in told.state}


def _policy(told: Any, defaults: Defaults) -> QueuePolicy:
    timeout = told.default_timeout_microseconds * MICROSECONDS
    overrides = told.allow_timeout_override if told.HasField("allow_timeout_override") else True
    size = told.max_queue_size if told.HasField("max_queue_size") else defaults.queue_size
    return QueuePolicy(timeout or None, overrides, told.timeout_action == 1, size)


def _sizes(told: str, most: int, name: str) -> tuple[int, ...]:
    parts = [part.strip() for part in told.split(",")]
    if not all(part.isdecimal() and 1 <= int(part) <= most for part in parts):
        raise FileError(
            f"{name}: batch_sizes has numbers from 1 to {most}, received {told!r}",
            cure='batch_sizes { string_value: "1,4,8" }, or "any"',
        )
    return tuple(sorted({*map(int, parts), most}))


def _complete_ports(config: Any, told: Any, ports: Sequence[Port], what: str) -> None:
    """Add the ports that a config does not list; refuse those that the model does not have."""
    batches = config.max_batch_size > 0
    known = {port.name: port for port in ports}
    if not told:
        for port in ports:
            dims = port.dims[1:] if batches else port.dims
            told.add(name=port.name, data_type=_type_name(port.datatype), dims=dims)
        return
    if not ports:  # a model that does not say
        return
    for port in ports_of(told):
        real = known.get(port.name)
        if real is None:
            raise FileError(
                f"{config.name}: the config has the {what} {port.name!r}, the model has "
                f"{', '.join(known)}",
                cure=near_names(port.name, known),
            )
        if real.datatype != port.datatype:
            raise FileError(
                f"{config.name}: {what} {port.name!r} is {port.datatype} in the config, "
                f"{real.datatype} in the model"
            )
        shape = port.shape(batches)
        fits = len(shape) == len(real.dims) and all(
            -1 in (a, b) or a == b for a, b in zip(shape, real.dims, strict=True)
        )
        if not fits:
            raise FileError(
                f"{config.name}: {what} {port.name!r} has shape {shape} by the config, "
                f"{list(real.dims)} by the model",
                cure="max_batch_size above 0 puts a batch axis in front of dims",
            )
    missing = set(known) - {x.name for x in told}
    if missing and what == "input":
        raise FileError(f"{config.name}: the config leaves out the inputs {sorted(missing)}")


def _type_name(datatype: str) -> str:
    return "TYPE_STRING" if datatype == "BYTES" else f"TYPE_{datatype}"


def _unused(group: Any) -> list[str]:
    names = ("rate_limiter", "profile", "host_policy", "secondary_devices")
    return [told.name for told, _ in group.ListFields() if told.name in names]


def _refuse_others(config: Any, file: str) -> None:
    """Raise UnsupportedError for fields that would change answers, and are not served."""
    kind = config.backend or config.platform
    if kind not in KINDS or config.platform not in KINDS:
        raise UnsupportedError(
            f"{file}: models of {config.platform or kind} are not served",
            cure="saved models of Paddle and of ONNX are, and Python",
        )
    gpu = any(group.kind == 1 for group in config.instance_group)
    refused = {
        "instance_group of KIND_GPU": gpu,
        "batch_input": config.batch_input,
        "batch_output": config.batch_output,
        "model_operations": config.HasField("model_operations"),
        "model_repository_agents": config.HasField("model_repository_agents"),
        "response_cache": config.response_cache.enable,
        "a decoupled transaction policy": config.model_transaction_policy.decoupled,
        "reshape": any(x.HasField("reshape") for x in (*config.input, *config.output)),
        "allow_ragged_batch": any(x.allow_ragged_batch for x in config.input),
        "is_shape_tensor": any(x.is_shape_tensor for x in (*config.input, *config.output)),
    }
    for what, present in refused.items():
        if present:
            raise UnsupportedError(f"{file}: {what} is not served", cure=f"leave out {what}")
    for x in (*config.input, *config.output):
        if not x.name or not x.data_type:
            raise invalid(f"{file}: an input or output has no name or no data_type")
