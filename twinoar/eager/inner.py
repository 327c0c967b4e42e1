"""Methods of tensors that Paddle has for itself: what a tensor is inside, and the rest of its kin.

Tables of words, rows of a sparse gradient and tensors over several devices are no tensors here:
what is of those alone is refused by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.interpreter import recording
from twinoar.core.values import Value, method
from twinoar.errors import UnsupportedError
from twinoar.ops.create.fill import clone
from twinoar.ops.linalg.einsum import multi_dot
from twinoar.ops.shape.concat import broadcast_tensors, concat, stack
from twinoar.ops.shape.expand import broadcast_shape, broadcast_shapes

# Functions that Paddle has hung on its tensors too: `Tensor.stack([x, y])`.
for _name, _function in {
    "broadcast_shape": broadcast_shape,
    "broadcast_shapes": broadcast_shapes,
    "broadcast_tensors": broadcast_tensors,
    "concat": concat,
    "multi_dot": multi_dot,
    "stack": stack,
}.items():
    method(_name)(_function)  # type: ignore[type-var]  # functions, each of its own kind

WORDS = "a table of words", "keep words in a dict, and give tensors their numbers"
ROWS = "the rows of a sparse gradient", "ask x.is_selected_rows() first: this tensor has all rows"
PARTS = "a tensor over several devices", "use set_value, or copy_"
# By the name of a method, what it is of, and what to do in its place.
REFUSED = {
    "get_map_tensor": WORDS,
    "rows": ROWS,
    "set_string_list": WORDS,
    "set_tensor": PARTS,
    "set_vocab": WORDS,
}


def _refusal(name: str, what: str, cure: str) -> Callable[..., Any]:
    def refuse(x: Value, *args: Any) -> Any:
        raise UnsupportedError(f"{name}() is of {what}, which is no tensor here", cure=cure)

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = f"Of {what}, which is no tensor here: raises UnsupportedError."
    return refuse


for _name, _told in REFUSED.items():
    method(_name)(_refusal(_name, *_told))


@method("get_selected_rows")
def get_selected_rows(x: Value) -> None:
    """None: a tensor holds all its rows."""


@method("reconstruct_from_")
def reconstruct_from_(x: Any, other: Value) -> None:
    """Let x be a copy of `other`, of its shape and dtype, that wants a gradient where it does.

    >>> x = twinoar.ones([2])
    >>> x.reconstruct_from_(twinoar.zeros([1, 3]))
    >>> x.tolist()
    [[0.0, 0.0, 0.0]]
    """
    recording(False).rebind(x, clone(other.detach()))
    x.stop_gradient = other.stop_gradient


def _inplace_version(x: Value) -> int:
    """How often an operator has changed the tensor, or one that shares its memory, in place.

    >>> x = twinoar.ones([2])
    >>> x[0] = 3.0
    >>> x.inplace_version
    1
    """
    return getattr(x, "_version", 0)


def _num_shard(x: Value) -> None:
    """None: a tensor lies on one device."""


def _type(x: Value) -> str:
    """The kind of variable, `core.VarDesc.VarType.DENSE_TENSOR`."""
    return "LOD_TENSOR"


for _name, _read in {
    "inplace_version": _inplace_version,
    "num_shard": _num_shard,
    "type": _type,
}.items():
    method(_name)(property(_read))  # type: ignore[type-var]
