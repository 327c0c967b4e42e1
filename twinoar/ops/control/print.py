"""`print` in Programs."""

from __future__ import annotations

import sys
from typing import Any, Literal

import numpy as np

from twinoar.core.delayed import Piece, Text, written
from twinoar.core.dim import SymbolicDim, number_of
from twinoar.core.op.declare import Desc, Spec, Tensor, Value, primitive
from twinoar.errors import TypeMismatchError
from twinoar.ops.control.assertion import OWN
from twinoar.ops.math.fill import fill

File = Literal["stdout", "stderr"]
NOTHING = Spec((1,))
PADDLE_ALL = 20  # elements that Paddle prints unless told otherwise


def _read(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Any:
    own = {k.removeprefix(OWN): v for k, v in attrs.items() if k.startswith(OWN)}
    return print_op(slots["In"][0], **own or {"before": attrs.get("message", "")})


def _write(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
    """Paddle prints what it knows of a tensor below the message; of a text alone, the text."""
    details = {
        f"print_tensor_{what}": not attrs["alone"]
        for what in ("name", "type", "shape", "layout", "lod")
    }
    return {
        "message": attrs["before"].rstrip("\n"),
        "summarize": PADDLE_ALL,
        "first_n": -1,
        "print_phase": "FORWARD",
        "is_forward": True,
        **details,
        **{f"{OWN}{k}": v for k, v in attrs.items()},
    }


@primitive(
    name="print",
    infer=lambda x, **attrs: x,
    effect=True,
    grad=lambda g: g,
    host="Python, which writes text",
    desc=Desc("print", {"In": "x"}, write=_write, read=_read),
    moves=True,
)
def print_op(
    x: Tensor,
    before: str = "",
    after: str = "\n",
    form: str = "",
    alone: bool = False,
    file: File = "stdout",
) -> Tensor:
    """Write the text of x, between two texts, to the output.

    form: how x is written, as a Piece has it. alone: write the texts, and x not. Returns x.
    """


@print_op.kernel
def _(x, before, after, form, alone, file):
    text = "" if alone else written(np.asarray(x), form)
    stream = sys.stderr if file == "stderr" else sys.stdout
    stream.write(f"{before}{text}{after}")
    return x


@print_op.samples
def _(s):
    yield s(s.randn(2, 3))
    yield s(s.randn(), "x is ", "\n", ":.3f")
    yield s(s.zeros(1), "only a text", "\n", alone=True)
    yield s.bad(TypeMismatchError, "one number", s.randn(2), "", "", ":.3f", static_error=False)


def print_text(text: str | Text, file: File = "stdout") -> None:
    """Write `text` when the Program runs, here among the other effects."""
    parts = [text] if isinstance(text, str) else text.parts
    before = ""
    for part in parts:
        if isinstance(part, Piece):
            value = number_of(part.value) if isinstance(part.value, SymbolicDim) else part.value
            print_op.function(value, before, "", part.form, False, file)
            before = ""
        else:
            before += part
    if before:
        print_op.function(
            fill.function(NOTHING.shape, 0, NOTHING.dtype), before, "", "", True, file
        )


def Print(  # Paddle's name
    input: Tensor,
    first_n: int = -1,
    message: str | None = None,
    summarize: int = PADDLE_ALL,
    print_tensor_name: bool = True,
    print_tensor_type: bool = True,
    print_tensor_shape: bool = True,
    print_tensor_layout: bool = True,
    print_tensor_lod: bool = True,
    print_phase: Literal["forward", "backward", "both"] = "both",
) -> Tensor:
    """Write the tensor whenever the Program runs, after `message`. Returns the tensor.

    It is written as `print(x)` writes it, which has its shape and type; the other arguments are
    accepted as Paddle's. Raises TypeMismatchError for what is no tensor.
    """
    if not isinstance(input, Value):
        raise TypeMismatchError(f"Print writes a Tensor, received {type(input).__name__}")
    found: Tensor = print_op.function(input, message or "", "\n")
    return found
