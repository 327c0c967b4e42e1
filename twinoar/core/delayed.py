"""Texts with values in them that only a run knows: Python formats around marks, filled in later.

While a text is being made, symbols and tensors turn into a mark each where Python asks for their
text, however deep they stand in what is formatted. So f-strings, `%`, `str.format` and the `repr`
of any object do what they always do, and the text is cut at the marks afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, NamedTuple, NoReturn

import numpy as np

from twinoar.core.printing import format_array
from twinoar.errors import ConversionError, TypeMismatchError

MARK = re.compile("\ue000(\\d+)\ue001")  # characters of private use
SHORT = 60  # characters of a text that an error shows


class Piece(NamedTuple):
    """A value in a text, and how it is written there.

    form: "" is the text of a tensor, and "!" of one that wants a gradient; ":" and "%" begin a
    format as f-strings and `%` have it.
    """

    value: Any
    form: str


_pieces: ContextVar[list[Piece] | None] = ContextVar("twinoar_pieces", default=None)


def mark(value: Any, form: str) -> str | None:
    """What stands for the text of `value` while a text is made; None at all other times."""
    pieces = _pieces.get()
    if pieces is None:
        return None
    pieces.append(Piece(value, form))
    return f"\ue000{len(pieces) - 1}\ue001"


def text_of(make: Callable[[], str]) -> str | Text:
    """What `make()` gives: a plain text, or one with values in it that only a run knows."""
    pieces: list[Piece] = []
    token = _pieces.set(pieces)
    try:
        made = make()
    finally:
        _pieces.reset(token)
    if not pieces:
        return made
    parts = MARK.split(made)  # text and number of a mark by turns
    return Text([p if i % 2 == 0 else pieces[int(p)] for i, p in enumerate(parts)])


class Text:
    """A text with values in it that only a run knows; it can be joined, printed and raised.

    parts: strings and Pieces.
    """

    def __init__(self, parts: list[Any]):
        self.parts: list[str | Piece] = []
        for part in parts:
            self.parts += part.value.parts if _is_text(part) else [part] if part != "" else []

    def __add__(self, other: Any) -> Text:
        return Text([*self.parts, *_parts(other)])

    def __radd__(self, other: Any) -> Text:
        return Text([*_parts(other), *self.parts])

    def __str__(self) -> str:
        return mark(self, "") or self.refuse()

    def __format__(self, how: str) -> str:
        return self.refuse() if how else str(self)

    def refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise ConversionError: what is asked for has no answer yet."""
        raise ConversionError(
            f"the text {shortened(self)!r} is known only when the Program runs",
            cure="print it, raise it, or join it to another text; "
            "other work on it belongs outside the converted function",
        )

    __len__ = __bool__ = __iter__ = __getitem__ = __contains__ = __eq__ = __lt__ = refuse
    __hash__ = __mod__ = __mul__ = __getattr__ = refuse


def shortened(text: Text) -> str:
    """The text with `{...}` in the places of values, cut to a length that a message can show."""
    shown = "".join(p if isinstance(p, str) else "{...}" for p in text.parts)
    return shown if len(shown) <= SHORT else f"{shown[:SHORT]}..."


def written(array: np.ndarray, form: str) -> str:
    """The text of a value, as a Piece wants it."""
    if form in ("", "!"):
        return format_array(array, stop_gradient=form == "")
    if array.size != 1:
        raise TypeMismatchError(
            f"the format {form!r} is for one number, the tensor has shape {list(array.shape)}",
            cure="format its elements, or str(x)",
        )
    return format(array.item(), form[1:]) if form[0] == ":" else form % array.item()


def _is_text(part: Any) -> bool:
    return isinstance(part, Piece) and isinstance(part.value, Text)


def _parts(x: Any) -> list[Any]:
    if not isinstance(x, (str, Text)):
        raise TypeMismatchError(
            f"expected a text to join to a text, received {type(x).__name__}", cure="use str(x)"
        )
    return [x] if isinstance(x, str) else list(x.parts)
