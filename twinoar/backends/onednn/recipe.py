"""A primitive as text, and again from it: the C function that describes it, and its arguments.

The library's tiles have no name of their own: a layout of tiles is that of an argument of the
primitive that chose it.
"""

from __future__ import annotations

import json
from typing import Any
from weakref import WeakValueDictionary

from twinoar.backends.onednn.attributes import Binary, Eltwise, PostOp, Scales, Sum
from twinoar.backends.onednn.layout import Layout
from twinoar.backends.onednn.library import Dims
from twinoar.backends.onednn.primitive import Primitive, built
from twinoar.backends.onednn.reorder import reorder
from twinoar.core.dtype import BY_NAME
from twinoar.errors import ProgramError
from twinoar.runtime import openmp

# By text; a primitive belongs to no thread.
_made: WeakValueDictionary[str, Primitive] = WeakValueDictionary()


def recipe_text(primitive: Primitive) -> str:
    """The text of a primitive."""
    return json.dumps(_recipe(primitive), separators=(",", ":"))


def effect_text(primitive: Primitive) -> str:
    """What a primitive does: of a reorder from which layout to which, whoever chose them."""
    made = primitive.recipe
    if made.function != "reorder":
        return recipe_text(primitive)
    return f"reorder {[(layout, layout.nbytes) for layout in made.arguments]}"


def primitive_from(text: str) -> Primitive:
    """The primitive of a text; raises ProgramError where the library has none any more."""
    found = _made.get(text)
    if found is None:
        found = _made[text] = _primitive(json.loads(text))
    return found


def _recipe(primitive: Primitive) -> dict[str, Any]:
    made = primitive.recipe
    return {
        "function": made.function,
        "arguments": list(map(_written, made.arguments)),
        "names": list(made.names),
        "post": list(map(_written_post, made.post)),
        "precision": made.precision,
        "scales": None if made.scales is None else [made.scales.count, list(made.scales.axes)],
        "threads": made.threads,
    }


def _written(argument: Any) -> Any:
    if isinstance(argument, Layout):
        if argument.blocks:
            assert argument.origin is not None, "tiles that no primitive chose"
            primitive, name = argument.origin
            return {"of": _recipe(primitive), "name": name}
        return {"dims": argument.dims, "dtype": argument.dtype.name, "strides": argument.strides}
    return {"sizes": list(argument)} if isinstance(argument, Dims) else argument


def _written_post(post: PostOp) -> list[Any]:
    if isinstance(post, Eltwise):
        return ["eltwise", post.kind, post.alpha, post.beta]
    if isinstance(post, Sum):
        return ["sum", post.scale]
    return ["binary", post.kind, _written(post.operand)]


def _primitive(recipe: dict[str, Any]) -> Primitive:
    arguments = list(map(_read, recipe["arguments"]))
    with openmp.on_threads(recipe["threads"]):
        if recipe["function"] == "reorder":
            made = reorder(*arguments)
        else:
            post = list(map(_read_post, recipe["post"]))
            numbers = recipe["scales"]
            scales = None if numbers is None else Scales(numbers[0], tuple(numbers[1]))
            rest = recipe["names"], post, recipe["precision"], scales
            made = built(recipe["function"], arguments, *rest)
    if made is None:
        raise ProgramError(f"oneDNN has no {recipe['function']} of {arguments} any more")
    return made


def _read(argument: Any) -> Any:
    if not isinstance(argument, dict):
        return argument
    if "sizes" in argument:
        return Dims(*argument["sizes"])
    if "of" in argument:
        chooser = primitive_from(json.dumps(argument["of"], separators=(",", ":")))
        return chooser.layout(argument["name"])
    strides = argument["strides"]
    dtype = BY_NAME[argument["dtype"]]
    return Layout(tuple(argument["dims"]), dtype, None if strides is None else tuple(strides))


def _read_post(post: list[Any]) -> PostOp:
    kind, *rest = post
    if kind == "eltwise":
        return Eltwise(*rest)
    return Sum(*rest) if kind == "sum" else Binary(rest[0], _read(rest[1]))
