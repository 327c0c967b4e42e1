"""The examples in the operators' docstrings run; pytest itself finds those of functions."""

from __future__ import annotations

import doctest

import pytest

import twinoar
from twinoar.core.op.definition import registry

DOCUMENTED = [op for op in registry.values() if ">>>" in op.doc]


@pytest.mark.parametrize("op", DOCUMENTED, ids=lambda op: op.name)
def test_examples_run(op):
    test = doctest.DocTestParser().get_doctest(op.doc, {"twinoar": twinoar}, op.name, None, 0)
    output: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=output.append)
    assert not output, "".join(output)


def test_a_wrong_example_would_fail():
    test = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, 0)
    assert doctest.DocTestRunner().run(test, out=lambda text: None).failed == 1
