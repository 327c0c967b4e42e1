"""What is kept of measurements: ratios within one run, and a chart and a file that are whole."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
import record

TIMES = {
    "twinoar eager": [2.0, 3.0, 2.5],
    "twinoar train_step": [1.0, 1.0, 1.5],
    "torch eager": [3.0, 4.0, 5.0],
    "torch compile": [1.5, 1.5, 1.5],
}


def test_a_summary_has_the_median_and_the_least() -> None:
    assert record.summary(TIMES)["torch eager"] == {"median": 4.0, "least": 3.0}


def test_ratios_are_to_the_fastest_other_by_the_least_times() -> None:
    assert record.ratios(record.summary(TIMES)) == {"compiled": 1.5, "eager": 1.5}


@pytest.mark.parametrize("missing", ["twinoar", "torch"])
def test_without_a_peer_there_is_no_ratio(missing: str) -> None:
    left = {name: times for name, times in TIMES.items() if not name.startswith(missing)}
    assert record.ratios(record.summary(left)) == {}
    assert '<rect x="130" y="6"' not in record.chart({"mlp": {"peers": record.summary(left)}})


def test_works_are_kept_one_by_one_and_measured_anew(tmp_path: Path) -> None:
    file = tmp_path / "speed.json"
    for work, times in (("mlp", TIMES), ("a<b", TIMES), ("mlp", {"torch eager": [1.0]})):
        record.Record.of(file).add(work, record.summary(times), "1 threads").write(file)
    kept = json.loads(file.read_text())
    assert list(kept) == ["a<b", "mlp"]
    assert list(kept["mlp"]["peers"]) == ["torch eager"]
    drawn = ElementTree.fromstring(file.with_suffix(".svg").read_text())
    texts = [element.text for element in drawn.iter() if element.tag.endswith("text")]
    assert "a<b" in texts and "1.50" in texts and "mlp" not in texts
    assert sorted(path.name for path in tmp_path.iterdir()) == ["speed.json", "speed.svg"]


def test_the_best_work_is_on_top() -> None:
    slow = {**TIMES, "twinoar train_step": [9.0], "twinoar eager": [9.0]}
    drawn = record.chart(
        {name: {"peers": record.summary(t)} for name, t in (("slow", slow), ("fast", TIMES))}
    )
    assert drawn.index("fast</text>") < drawn.index("slow</text>")


def test_a_record_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["record.py", "nowhere.json"])
    with pytest.raises(SystemExit):
        record.main()
