"""What the server tells of itself and of its models, the same over each protocol."""

from __future__ import annotations

from typing import Any

from twinoar import version
from twinoar.formats.protobuf import plain
from twinoar.serving.configuration import ports_of
from twinoar.serving.model import Served
from twinoar.serving.repository import Repository
from twinoar.serving.state import State

NAME = "twinoar"


def of_server(state: State) -> dict[str, Any]:
    """Name, version and extensions of the protocol."""
    return {"name": NAME, "version": version.__version__, "extensions": state.extensions()}


def of_model(repository: Repository, model: Served) -> dict[str, Any]:
    """Name, versions, inputs and outputs."""
    batches = model.config.max_batch_size > 0
    inputs, outputs = (
        [
            {"name": port.name, "datatype": port.datatype, "shape": port.shape(batches)}
            for port in ports_of(told)
        ]
        for told in (model.config.input, model.config.output)
    )
    return {
        "name": model.name,
        "versions": repository.versions(model.name),
        "platform": model.config.platform,
        "inputs": inputs,
        "outputs": outputs,
    }


def config_of(model: Served) -> dict[str, Any]:
    """The config, complete, as JSON has it."""
    return {"max_batch_size": 0, **plain(model.config)}


def statistics_of(models: list[Served]) -> list[dict[str, Any]]:
    """The counts and times of versions of models."""
    return [{"name": m.name, "version": str(m.version), **m.statistics.plain()} for m in models]
