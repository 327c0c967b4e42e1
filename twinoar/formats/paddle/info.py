"""The file `.pdiparams.info` beside the parameters of a saved program: their names and roles.

A fine-tuning run needs them. Inference does not read it, and Paddle 3 does not write it.
"""

from __future__ import annotations

from collections.abc import Mapping

from twinoar.errors import FileError
from twinoar.formats.cursor import Bytes
from twinoar.formats.paddle.pickling import write_pickle
from twinoar.formats.paddle.unpickling import read_pickle
from twinoar.late import dataclass

PROTOCOL = 2


@dataclass(frozen=True, slots=True)
class VariableInfo:
    """A parameter or buffer of a saved program; `trainable` is None for a buffer."""

    structured_name: str
    stop_gradient: bool
    trainable: bool | None = None


def dump(variables: Mapping[str, VariableInfo]) -> bytes:
    """The bytes of the file for `variables`, by variable name.

    >>> load(dump({"linear_0.b_0": VariableInfo("fc.bias", False, True)}), "x.info")
    {'linear_0.b_0': VariableInfo(structured_name='fc.bias', stop_gradient=False, trainable=True)}
    """
    return write_pickle({name: _entry(variable) for name, variable in variables.items()}, PROTOCOL)


def load(data: Bytes, path: str) -> dict[str, VariableInfo]:
    """The variables by name; FileError, which names `path`, if the bytes are something else."""
    table = read_pickle(data, path)
    if not isinstance(table, dict) or any(type(name) is not str for name in table):
        raise FileError(f"{path}: expected a dict of variable names")
    return {name: _variable(name, entry, path) for name, entry in table.items()}


def _entry(variable: VariableInfo) -> dict[str, object]:
    entry: dict[str, object] = {
        "structured_name": variable.structured_name,
        "stop_gradient": variable.stop_gradient,
    }
    return entry if variable.trainable is None else {**entry, "trainable": variable.trainable}


def _variable(name: str, entry: object, path: str) -> VariableInfo:
    fields = entry if isinstance(entry, dict) else {}
    structured, stop = fields.get("structured_name"), fields.get("stop_gradient")
    trainable = fields.get("trainable")
    if (
        type(structured) is not str
        or type(stop) is not bool
        or type(trainable) not in (bool, type(None))
    ):
        raise FileError(
            f"{path}: expected a structured_name, stop_gradient and perhaps trainable for {name!r}"
        )
    return VariableInfo(structured, stop, trainable)
