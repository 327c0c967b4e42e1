"""utils.deprecated: what it says, and when."""

from __future__ import annotations

import warnings

import pytest

from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.utils import deprecated


def marked(level: int):
    @deprecated(update_to="new", since="2.0", reason="it is slow", level=level)
    def old(x: int) -> int:
        """One more."""
        return x + 1

    return old


TOLD = r"old is deprecated since 2\.0; use new: it is slow"


def test_level_0_says_it_in_the_docstring_alone() -> None:
    old = marked(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert old(1) == 2
    assert old.__name__ == "old"
    assert old.__doc__ is not None
    assert old.__doc__.endswith("old is deprecated since 2.0; use new: it is slow\n\nOne more.")


def test_level_1_warns_at_the_line_of_the_caller() -> None:
    with pytest.warns(DeprecationWarning, match=TOLD) as caught:
        assert marked(1)(1) == 2
    assert caught[0].filename == __file__


def test_level_2_refuses() -> None:
    with pytest.raises(UnsupportedError, match=TOLD):
        marked(2)(1)


def test_a_class_stays_as_it_is() -> None:
    class Old:
        pass

    assert deprecated(since="2.0", level=1)(Old) is Old


def test_other_levels_are_refused() -> None:
    with pytest.raises(ArgumentError, match="level must be 0, 1 or 2, received 3"):
        deprecated(level=3)
