"""Texts of several lines that are shown as such."""


class Shown(str):
    """A text that shows its lines where it is the value of a prompt or of a notebook's cell.

    It is a str in all else.

    >>> Shown("two\\nlines")
    two
    lines
    """

    __slots__ = ()

    __repr__ = str.__str__
