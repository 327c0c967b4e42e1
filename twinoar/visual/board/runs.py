"""The runs below a folder: what has been written of each, read on as it grows."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, FileError
from twinoar.formats.protobuf import parse
from twinoar.visual import events, record
from twinoar.visual.board import graphs

SETTINGS = "hyper_parameters"
POINTS = 2000  # of a curve, at the most: a screen has no more columns
Row = list[Any]
Found = tuple[str, str, Row]  # the kind, the tag, and what is shown


class Runs:
    """What is shown of the trainings below a folder; a run is a folder with files of records.

    folder: with files of VisualDL or TensorBoard in it, or below. Raises FileError where there is
    no such folder. Threads may share it.

    >>> import tempfile
    >>> from twinoar.visual import LogWriter
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with LogWriter(f"{folder}/first") as writer:
    ...         writer.add_scalar("loss", 0.5, 1, walltime=7000)
    ...     runs = Runs(folder)
    ...     runs.read()
    ...     runs.tags(), runs.series("scalar", "loss")
    ({'scalar': {'loss': {'first': 1}}}, {'first': [[1, 7.0, 0.5]]})
    """

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise FileError(f"there is no folder {self.folder}", cure="name the log_dir of a run")
        self.problems: dict[str, str] = {}
        self._held: dict[str, dict[str, dict[str, list[Row]]]] = {}
        self._places: dict[Path, int] = {}
        self._lock = threading.Lock()

    def read(self) -> None:
        """Read what has been written since; a damaged file becomes one of `problems`."""
        with self._lock:
            for pattern, rows in READERS.items():
                for file in sorted(self.folder.glob(f"**/{pattern}")):
                    if str(file) not in self.problems:
                        self._read(file, rows)

    def tags(self) -> dict[str, dict[str, dict[str, int]]]:
        """How many values there are by kind, tag and run."""
        with self._lock:
            return {
                kind: {
                    tag: {run: len(rows) for run, rows in runs.items()}
                    for tag, runs in tags.items()
                }
                for kind, tags in self._held.items()
            }

    def series(self, kind: str, tag: str) -> dict[str, list[Row]]:
        """The values of a tag by run, each with its step and its time in seconds before it.

        Of a long curve some are left out, but the last. What measures settings stands beside them
        as it is now. Raises ArgumentError where there are none.
        """
        with self._lock:
            try:
                found = {run: _thinned(rows) for run, rows in self._held[kind][tag].items()}
            except KeyError:
                raise ArgumentError(f"{self.folder} has no {kind} {tag!r}") from None
            if kind == SETTINGS:
                return {run: [self._measured(run, x) for x in rows] for run, rows in found.items()}
            return found

    def _measured(self, run: str, row: Row) -> Row:
        """A row of settings with the last value of each measure, None where there is none yet."""
        scalars = self._held.get("scalar", {})
        last = {name: scalars.get(name, {}).get(run) for name in row[3]}
        return [*row[:3], {name: rows[-1][2] if rows else None for name, rows in last.items()}]

    def _read(self, file: Path, rows: Callable[[bytes, str], Iterator[tuple[int, Found]]]) -> None:
        run = str(file.parent.relative_to(self.folder))
        start = self._places.get(file, 0)
        try:
            with file.open("rb") as opened:
                opened.seek(start)
                data = opened.read()
            for end, (kind, tag, row) in rows(data, str(file)):
                by_run = self._held.setdefault(kind, {}).setdefault(tag, {})
                by_run.setdefault(run, []).append(row)
                self._places[file] = start + end
        except (FileError, OSError) as error:
            self.problems[str(file)] = str(error)


def _thinned(rows: list[Row]) -> list[Row]:
    if len(rows) <= POINTS:
        return list(rows)
    stride = -(-len(rows) // POINTS)
    return [*rows[: len(rows) - 1 : stride], rows[-1]]


def _of_visualdl(data: bytes, what: str) -> Iterator[tuple[int, Found]]:
    for end, told in record.placed_records_of(data, what):
        for value in told.values:
            at = [value.id, value.timestamp / 1000]
            for field, held in value.ListFields():
                if field.name == "tag_value":
                    yield end, ("scalar", f"{value.tag}/{held.tag}", [*at, held.value])
                elif field.name in ROWS:
                    kind = record.COMPONENT_OF_FIELD[field.name]
                    yield end, (kind, value.tag, [*at, *ROWS[field.name](held)])


def _of_tensorboard(data: bytes, what: str) -> Iterator[tuple[int, Found]]:
    measures: list[str] = []
    for end, event in events.placed_events_of(data, what):
        if event.graph_def:
            nodes = graphs.of_event(event.graph_def, what)
            yield end, (graphs.KIND, graphs.TAG, [event.step, event.wall_time, nodes])
        for value in event.summary.value:
            at = [event.step, event.wall_time]
            plug_in = value.metadata.plugin_data
            if value.HasField("simple_value"):
                yield end, ("scalar", value.tag, [*at, value.simple_value])
            elif value.HasField("image"):
                yield end, ("image", value.tag, [*at, *_picture(value.image)])
            elif value.HasField("audio"):
                yield end, ("audio", value.tag, [*at, *_sound(value.audio)])
            elif value.HasField("histo"):
                edges = list(value.histo.bucket_limit)
                yield end, ("histogram", value.tag, [*at, list(value.histo.bucket[1:]), edges])
            elif plug_in.plugin_name == "pr_curves" and value.tensor.float_val:
                yield end, ("pr_curve", value.tag, [*at, *_curve(value.tensor)])
            elif plug_in.plugin_name == "hparams":
                told = parse(events.Settings, plug_in.content, what)
                measures = [m.name.tag for m in told.experiment.metric_infos] or measures
                if told.HasField("session_start_info"):
                    chosen = {
                        one.key: _choice(one.value) for one in told.session_start_info.hparams
                    }
                    yield end, (SETTINGS, "hparam", [*at, chosen, measures])
            elif plug_in.plugin_name == "text" and value.tensor.string_val:
                text = value.tensor.string_val[0].decode(errors="replace")
                yield end, ("text", value.tag, [*at, text])


def _curve(tensor: Any) -> Row:
    """Recall and precision, of the six rows of numbers that TensorBoard has of them."""
    rows = np.array(tensor.float_val).reshape(6, -1)
    return [rows[5].tolist(), rows[4].tolist()]


def _choice(told: Any) -> Any:
    return told.string_value if told.HasField("string_value") else told.number_value


def _picture(image: Any) -> Row:
    return ["data:image/png;base64," + _text_of(image.encoded_image_string)]


def _sound(audio: Any) -> Row:
    return ["data:audio/wav;base64," + _text_of(audio.encoded_audio_string)]


def _text_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _settings(held: Any) -> Row:
    """What a run chose, by name, and the tags that measure it."""
    chosen = {}
    for setting in held.hparamInfos:
        kinds = ("string_value", "int_value", "float_value")
        kind = next((k for k in kinds if setting.HasField(k)), kinds[0])
        chosen[setting.name] = getattr(setting, kind)
    return [chosen, [measure.name for measure in held.metricInfos]]


def _points(held: Any) -> Row:
    """Points on the plane in which they are furthest apart, [points, 2], and their names."""
    names = [" ".join(point.label) for point in held.embeddings]
    if not names:
        return [[], []]
    points = np.array([point.vectors for point in held.embeddings], np.float64)
    points -= points.mean(0)
    _, _, directions = np.linalg.svd(points, full_matrices=False)
    plane = np.zeros((len(points), 2))
    shown = points @ directions[:2].T
    plane[:, : shown.shape[1]] = shown
    return [plane.round(6).tolist(), names]


# What is shown of each field of VisualDL's value.
ROWS: dict[str, Callable[[Any], Row]] = {
    "value": lambda held: [held],
    "image": _picture,
    "audio": _sound,
    "text": lambda held: [held.encoded_text_string],
    "histogram": lambda held: [list(held.hist), list(held.bin_edges)],
    "pr_curve": lambda held: [list(held.recall), list(held.precision)],
    "roc_curve": lambda held: [list(held.fpr), list(held.tpr)],
    "hparam": _settings,
    "embeddings": _points,
}
READERS = {
    "*vdlrecords*": _of_visualdl,
    "*vdlgraph*": graphs.of_file,
    "*tfevents*": _of_tensorboard,
}
