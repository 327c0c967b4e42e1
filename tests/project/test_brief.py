"""The two parts of the tests are all of them, and what divides them names tests that there are."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.brief import FOLDERS, ONE_OF, rest_of

TESTS = Path(__file__).parents[1]


def items(module: str, name: str, count: int) -> list[Any]:
    return [SimpleNamespace(nodeid=f"tests/{module}.py::{name}[{n}]") for n in range(count)]


@pytest.mark.parametrize("module", ONE_OF)
def test_every_test_that_is_named_is_there(module: str) -> None:
    tree = ast.parse((TESTS / f"{module}.py").read_text())
    there = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert set(ONE_OF[module]) <= there


def test_the_first_case_and_one_of_so_many_are_brief() -> None:
    one_of = ONE_OF["backends/test_native"]["test_gradients"]
    found = items("backends/test_native", "test_gradients", 2 * one_of + 1)
    rest = rest_of(found)
    assert [n for n, item in enumerate(found) if item not in rest] == [0, one_of, 2 * one_of]


def test_a_test_that_is_not_named_is_brief_and_one_of_none_is_not() -> None:
    assert rest_of(items("metric/test_accuracy", "test_anything", 3)) == []
    cases = items("backends/test_new", "test_anything", FOLDERS["backends"])
    assert len(rest_of(cases)) == len(cases) - 1  # by its folder
    module, name = "custom/test_scan", "test_results_do_not_depend_on_the_number_of_threads"
    assert len(rest_of(items(module, name, 1))) == 1


def test_every_folder_that_is_named_is_there() -> None:
    assert all((TESTS / folder).is_dir() for folder in FOLDERS)


def test_every_number_leaves_something_out() -> None:
    assert all(
        one_of != 1 and one_of >= 0 for cases in ONE_OF.values() for one_of in cases.values()
    )
