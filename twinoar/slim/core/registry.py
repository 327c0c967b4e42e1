"""Classes and functions by name, which users add to."""

from __future__ import annotations

from typing import Any, TypeVar

from twinoar.errors import ArgumentError

T = TypeVar("T")


class Registry:
    """What is registered under a name, by the name of each.

    >>> spaces = Registry("spaces")
    >>> @spaces.register
    ... class Small: pass
    >>> spaces.get("Small") is Small, spaces.get("Large")
    (True, None)
    """

    def __init__(self, name: str):
        self.name = name
        self.module_dict: dict[str, Any] = {}

    def get(self, key: str) -> Any:
        """What is registered as `key`, or None."""
        return self.module_dict.get(key)

    def register(self, cls: T) -> T:
        """Decorator: keep a class or function by its name. Raises ArgumentError where it is taken.

        One that is defined anew in the same module, as in a notebook, takes the place of the other.
        """
        name = cls.__name__  # type: ignore[attr-defined]  # classes and functions have names
        known = self.module_dict.get(name)
        if known is not None and known.__module__ != cls.__module__:
            raise ArgumentError(
                f"{name} is already registered in {self.name}, by {known.__module__}",
                cure="give it another name",
            )
        self.module_dict[name] = cls
        return cls
