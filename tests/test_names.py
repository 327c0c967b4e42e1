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


def test_names_that_programs_ask_for_beside_functions() -> None:
    assert (twinoar.long, twinoar.int, twinoar.short) == ("int64", "int32", "int16")
    assert twinoar.__git_commit__ == twinoar.version.commit
    assert twinoar.utils.dlpack.DLDeviceType.kDLCPU == 1
    assert twinoar.nn.Linear(1, 1).weight.block is twinoar.static.default_main_program().main


def test_a_truth_value_is_a_seed() -> None:
    twinoar.seed(False)
    first = twinoar.rand([3]).tolist()
    twinoar.seed(0)
    assert twinoar.rand([3]).tolist() == first


def test_a_tensor_becomes_an_array_whether_or_not_one_waits() -> None:
    assert twinoar.ones([2]).numpy(False).tolist() == [1.0, 1.0]
