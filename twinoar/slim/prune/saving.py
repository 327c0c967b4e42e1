"""Pruned Programs in files: values by name, and the shapes and groups that pruning has left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from twinoar.core.spec import Spec
from twinoar.errors import FileError
from twinoar.slim.sizes import infer_sizes
from twinoar.static import Program
from twinoar.static.inference_io import load, save

SHAPES, GROUPS = "__shapes__", "__groups__"


def save_model(exe: Any, graph: Program, dirname: str) -> None:
    """Write the values of a Program, in the global scope, and its shapes to a folder.

    exe: without effect.
    """
    folder = Path(dirname)
    folder.mkdir(parents=True, exist_ok=True)
    save(graph, dirname)
    shapes = {s.name: list(s.spec.shape) for s in graph.states.values() if s.persistable}
    groups = {o.operands[1].name: o.attrs["groups"] for o in _grouped(graph)}
    for name, values in ((SHAPES, shapes), (GROUPS, groups)):
        part = folder / f"{name}.part"
        part.write_text(json.dumps(values))
        part.replace(folder / name)


def load_model(exe: Any, graph: Program, dirname: str) -> None:
    """Give a Program, in place, the shapes of a folder, and the global scope its values.

    graph: the Program as it was before pruning. Raises FileError.
    """
    folder = Path(dirname)
    try:
        shapes, groups = (json.loads((folder / n).read_text()) for n in (SHAPES, GROUPS))
    except (OSError, ValueError) as error:
        raise FileError(
            f"{folder} holds no pruned model: {error}", cure="give what save_model has written"
        ) from error
    for state in graph.states.values():
        if state.name in shapes:
            state._spec = Spec(tuple(shapes[state.name]), state.spec.dtype)
    for o in _grouped(graph):
        o.attrs = {**o.attrs, "groups": groups.get(o.operands[1].name, o.attrs["groups"])}
    infer_sizes(graph)
    load(graph, dirname, exe)


def _grouped(program: Program) -> list[Any]:
    return [o for o in program.main.ops if "groups" in o.attrs and len(o.operands) > 1]
