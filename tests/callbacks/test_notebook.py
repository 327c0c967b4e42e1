"""In a notebook a bar is one output that changes: what is saved is its last state."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

from tests.hapi.test_model import Points, prepared
from twinoar.callbacks.notebook import notebook_line


@pytest.fixture
def outputs(monkeypatch):
    """The outputs of a cell, as a kernel keeps them; each is what it was updated to last."""
    kept: list[str] = []

    def display(data, raw, display_id):
        assert raw and display_id
        kept.append(data["text/plain"])
        place = len(kept) - 1

        def update(data, raw):
            kept[place] = data["text/plain"]

        return SimpleNamespace(update=update)

    python, shown = ModuleType("IPython"), ModuleType("IPython.display")
    python.get_ipython = lambda: SimpleNamespace(kernel=object())
    shown.display = display
    monkeypatch.setitem(sys.modules, "IPython", python)
    monkeypatch.setitem(sys.modules, "IPython.display", shown)
    return kept


@pytest.mark.parametrize("log_freq", [1, 3, 100])
def test_what_is_saved_is_the_last_state_with_its_losses(outputs, capsys, log_freq):
    prepared().fit(
        Points(16), Points(8), batch_size=4, epochs=2, verbose=1, log_freq=log_freq
    )  # fmt: skip
    assert [line.partition("|")[0] for line in outputs] == ["100%"] * 4
    assert [f"{n}/{n}" in line for n, line in zip([4, 2, 4, 2], outputs, strict=True)] == [True] * 4
    assert all("loss: " in line and "acc: " in line for line in outputs)
    assert capsys.readouterr().err == ""


def test_a_terminal_has_no_such_outputs(monkeypatch):
    assert notebook_line() is None
    python = ModuleType("IPython")
    python.get_ipython = lambda: SimpleNamespace()
    monkeypatch.setitem(sys.modules, "IPython", python)
    assert notebook_line() is None


@pytest.mark.parametrize("log_freq", [1, 3, 100])
def test_a_bar_in_a_terminal_ends_with_its_losses(capsys, log_freq):
    prepared().fit(Points(16), batch_size=4, epochs=1, verbose=1, log_freq=log_freq)
    last = capsys.readouterr().err.rstrip().rpartition("\r")[2]
    assert "4/4" in last and "loss: " in last
