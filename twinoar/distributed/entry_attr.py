"""Which rows a table on servers takes in; one process has no servers, and its tables are whole."""

from __future__ import annotations

from twinoar.errors import ArgumentError


class EntryAttr:
    """Base of the three."""

    def _to_attr(self) -> str:
        raise ArgumentError("EntryAttr is the base of entries", cure="use CountFilterEntry")


class ProbabilityEntry(EntryAttr):
    """A new row is taken in with this probability, above 0 and below 1.

    >>> ProbabilityEntry(0.5)._to_attr()
    'probability_entry:0.5'
    """

    def __init__(self, probability: float):
        if not isinstance(probability, float) or not 0 < probability < 1:
            raise ArgumentError(f"probability: expected a float in (0, 1), received {probability}")
        self._probability = probability

    def _to_attr(self) -> str:
        return f"probability_entry:{self._probability}"


class CountFilterEntry(EntryAttr):
    """A row is taken in when it has been asked for so often, 0 or more.

    >>> CountFilterEntry(3)._to_attr()
    'count_filter_entry:3'
    """

    def __init__(self, count_filter: int):
        if not isinstance(count_filter, int) or count_filter < 0:
            raise ArgumentError(
                f"count_filter: expected an integer of 0 or more, received {count_filter}"
            )
        self._count_filter = count_filter

    def _to_attr(self) -> str:
        return f"count_filter_entry:{self._count_filter}"


class ShowClickEntry(EntryAttr):
    """A row is weighed by the variables of these names, of shows and clicks.

    >>> ShowClickEntry("show", "click")._to_attr()
    'show_click_entry:show:click'
    """

    def __init__(self, show_name: str, click_name: str):
        if not isinstance(show_name, str) or not isinstance(click_name, str):
            raise ArgumentError("show_name and click_name have to be strings")
        self._show_name, self._click_name = show_name, click_name

    def _to_attr(self) -> str:
        return f"show_click_entry:{self._show_name}:{self._click_name}"


__all__ = ["CountFilterEntry", "ProbabilityEntry", "ShowClickEntry"]
