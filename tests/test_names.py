"""The names at the top: each that is loaded on first use exists, others are AttributeErrors."""

from __future__ import annotations

import importlib

import pytest

import twinoar


@pytest.mark.parametrize("name", sorted(twinoar.SUBPACKAGES | set(twinoar.LAZY)))
def test_a_name_that_is_loaded_on_first_use_exists(name):
    found = getattr(twinoar, name)
    if name in twinoar.SUBPACKAGES:
        assert found is importlib.import_module(f"twinoar.{name}")


@pytest.mark.parametrize("name", ["abss", "ample", "_private"])
def test_a_name_that_does_not_exist_is_an_attribute_error(name):
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
        getattr(twinoar, name)
