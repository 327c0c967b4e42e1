"""Every kind of rule that an operator may have is read by something, and documented."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from twinoar.core.op.definition import RULES, primitive
from twinoar.core.values import Value

ROOT = Path(__file__).parents[2]


def unread(kinds: tuple[str, ...], code: str) -> set[str]:
    """The kinds that no code asks an operator for."""
    reading = r'rules\["{0}"\]|rules\.get\("{0}"\)|"{0}" in [\w.]*rules|kind == "{0}"'
    return {kind for kind in kinds if not re.search(reading.format(kind), code)}


def on_the_page(page: str) -> list[str]:
    """The kinds in the table of rules, in its order."""
    table = page.partition("| rule | what it is |")[2].partition("\n\n")[0]
    return [kind for row in table.splitlines()[2:] for kind in re.findall(r"`(\w+)`", row[:60])]


def test_every_kind_of_rule_is_read() -> None:
    code = "\n".join(path.read_text() for path in sorted((ROOT / "twinoar").rglob("*.py")))
    assert unread(RULES, code) == set()


def test_a_kind_that_nothing_reads_is_found() -> None:
    code = 'op.rules["infer"]\nif "kernel" in o.op.rules: ...\nop.onnx("Tanh")'
    assert unread(("infer", "kernel", "onnx"), code) == {"onnx"}


def test_the_page_has_every_kind_of_rule() -> None:
    page = (ROOT / "docs" / "add_an_operator.md").read_text()
    assert sorted(on_the_page(page)) == sorted(RULES)


@pytest.mark.parametrize("kind", ["onnx", "divide", "gradient"])
def test_an_operator_with_another_kind_of_rule_is_refused(kind: str) -> None:
    def unruly(x: Value) -> Value:
        """It has a rule too many."""

    with pytest.raises(TypeError, match=f"unruly: no such rule: {kind}"):
        primitive(infer=lambda x: x, kernel=np.tanh, **{kind: "Tanh"})(unruly)
