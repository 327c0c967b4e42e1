"""Writing what is looked at: numbers, pictures, sounds, texts, curves."""

from __future__ import annotations

import json
import os
import threading
import time
import uuid
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from twinoar.errors import ArgumentError, FileError, ShapeError
from twinoar.visual import encode, events, graph_file, record
from twinoar.visual.graph import graph_of, told_of
from twinoar.visual.graph_file import as_visualdl
from twinoar.visual.record import Record

META = "meta_data_tag"
FORMS = ("visualdl", "tensorboard")


class LogWriter:
    """Writes records that VisualDL shows, to a file in a folder.

    logdir: the folder, `runs/` with the time of day where it is None. max_queue, flush_secs: the
    records, or seconds, after which what was added is written. file_name: a file that is gone on
    with; its name has `vdlrecords` in it. write_to_disk=False writes nothing. form: "visualdl", or
    "tensorboard" for event files, which have neither embeddings nor ROC curves. Raises FileError
    where the file cannot be written. Threads may share a writer.

    Source: https://github.com/PaddlePaddle/VisualDL

    >>> import tempfile
    >>> from twinoar.visual import LogReader, LogWriter
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with LogWriter(folder) as writer:
    ...         for step in range(3):
    ...             writer.add_scalar("loss", 1 / (step + 1), step)
    ...     [v.value for v in LogReader(writer.file_name).get_data("scalar", "loss")][:2]
    [1.0, 0.5]
    """

    def __init__(
        self,
        logdir: str | None = None,
        comment: str = "",
        max_queue: int = 10,
        flush_secs: int = 120,
        filename_suffix: str = "",
        write_to_disk: bool = True,
        display_name: str = "",
        file_name: str = "",
        form: str = "visualdl",
    ):
        if form not in FORMS:
            raise ArgumentError(f"form must be one of {', '.join(FORMS)}, received {form!r}")
        self._form: Any = events if form == "tensorboard" else record
        if file_name and form == "visualdl" and "vdlrecords" not in file_name:
            raise ArgumentError(
                f'expected a file_name with "vdlrecords" in it, received {file_name!r}',
                cure='file_name="vdlrecords.1.log"',
            )
        self._folder = Path(logdir or f"runs/{time.strftime('%b%d_%H-%M-%S')}{comment}")
        self._file: BinaryIO | None = None
        self._waiting: list[bytes] = []
        self._written = time.monotonic()
        self._max_queue, self._flush_secs = max_queue, flush_secs
        self._suffix = filename_suffix
        self._lock = threading.RLock()
        self._path = self._folder / (
            file_name or self._new_name(self._form.file_name, filename_suffix)
        )
        if write_to_disk:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                self._file = self._path.open("ab")
            except OSError as error:
                raise FileError(f"cannot write {str(self._path)!r}: {error.strerror}") from None
        self._finish = weakref.finalize(self, _write, self._file, self._waiting, is_last=True)
        if self._file is not None and not self._file.tell():
            self._file.write(self._form.head())
        self.add_meta(display_name=display_name)

    def _new_name(self, name_of: Callable[[int, str], str], suffix: str) -> str:
        """A name that no file in the folder has."""
        second = int(time.time())
        while (self._folder / name_of(second, suffix)).exists():
            second += 1
        return name_of(second, suffix)

    @property
    def logdir(self) -> str:
        """The folder."""
        return str(self._folder)

    @property
    def file_name(self) -> str:
        """The path of the file."""
        return str(self._path)

    def add_meta(
        self,
        tag: str = META,
        display_name: str = "",
        step: int = 0,
        walltime: int | None = None,
    ) -> None:
        """Name the run as it is shown."""
        value, record = self._value(tag, step, walltime)
        value.meta_data.SetInParent()
        if display_name:
            value.meta_data.display_name = display_name
        self._add(record)

    def add_scalar(self, tag: str, value: Any, step: int, walltime: int | None = None) -> None:
        """Add a number."""
        told, record = self._value(tag, step, walltime)
        told.value = _number(value)
        self._add(record)

    def add_scalars(
        self,
        main_tag: str,
        tag_scalar_dict: Mapping[str, Any],
        step: int,
        walltime: int | None = None,
    ) -> None:
        """Add numbers that are shown in one chart."""
        for name, value in tag_scalar_dict.items():
            told, record = self._value(main_tag, step, walltime)
            told.tag_value.tag, told.tag_value.value = name, _number(value)
            self._add(record)

    def add_image(
        self, tag: str, img: Any, step: int, walltime: int | None = None, dataformats: str = "HWC"
    ) -> None:
        """Add a picture: [height, width, channels] or as `dataformats` says, 1, 3 or 4 channels.

        Floats up to 1 are shares of the full brightness. Raises ShapeError for other shapes.
        """
        self._picture(tag, encode.pixels(img, dataformats), step, walltime)

    def add_image_matrix(
        self,
        tag: str,
        imgs: Any,
        step: int,
        rows: int = -1,
        scale: float = 1.0,
        walltime: int | None = None,
        dataformats: str = "HWC",
    ) -> None:
        """Add pictures of one size as one, in rows; -1 makes about as many rows as columns.

        scale: what brightness is multiplied by.
        """
        pictures = [encode.pixels(i, dataformats) for i in imgs]
        if scale != 1.0:
            pictures = [np.clip(p * scale, 0, 255).astype("uint8") for p in pictures]
        self._picture(tag, encode.tiled(pictures, rows), step, walltime)

    def add_figure(self, tag: str, figure: Any, step: int, walltime: int | None = None) -> None:
        """Add a figure of matplotlib as a picture."""
        figure.canvas.draw()
        self._picture(tag, np.asarray(figure.canvas.buffer_rgba())[..., :3], step, walltime)

    def add_text(
        self, tag: str, text_string: str, step: int | None = None, walltime: int | None = None
    ) -> None:
        """Add a text."""
        told, record = self._value(tag, step, walltime)
        told.text.encoded_text_string = text_string
        self._add(record)

    def add_audio(
        self,
        tag: str,
        audio_array: Any,
        step: int,
        sample_rate: int = 8000,
        walltime: int | None = None,
    ) -> None:
        """Add a sound: numbers from -1 to 1 in one dimension, `sample_rate` of them a second."""
        told, record = self._value(tag, step, walltime)
        told.audio.encoded_audio_string = encode.wav(audio_array, sample_rate)
        told.audio.sample_rate, told.audio.num_channels = sample_rate, 1
        told.audio.length_frames = len(audio_array)
        told.audio.content_type = "audio/wav"
        self._add(record)

    def add_histogram(
        self, tag: str, values: Any, step: int, walltime: int | None = None, buckets: int = 10
    ) -> None:
        """Add how often numbers fall into each of equal intervals."""
        told, record = self._value(tag, step, walltime)
        counts, edges = np.histogram(encode.array_of(values).astype("float64"), buckets)
        told.histogram.hist.extend(counts)
        told.histogram.bin_edges.extend(edges)
        self._add(record)

    def add_embeddings(
        self,
        tag: str,
        mat: Any = None,
        metadata: Sequence | None = None,
        metadata_header: Sequence[str] | None = None,
        walltime: int | None = None,
        labels: Sequence | None = None,
        hot_vectors: Any = None,
        labels_meta: Sequence[str] | None = None,
    ) -> None:
        """Add points: a row each in `mat`, [points, dimensions], named by `metadata`.

        metadata: a text a point, or a sequence of texts a point, headed by `metadata_header`.
        labels, hot_vectors, labels_meta: earlier names of metadata, mat and metadata_header.
        """
        points = encode.array_of(hot_vectors if mat is None else mat)
        names = labels if metadata is None else metadata
        header = labels_meta if metadata_header is None else metadata_header
        if points.ndim != 2 or (names is not None and len(names) != len(points)):
            raise ShapeError(
                f"expected a row and a name for each point, received {list(points.shape)} and "
                f"{None if names is None else len(names)} names"
            )
        told, record = self._value(tag, None, walltime)
        told.embeddings.label_meta.extend(header or [])
        for n, row in enumerate(points):
            point = told.embeddings.embeddings.add()
            name: Any = n if names is None else names[n]
            is_one = isinstance(name, (str, bytes)) or not isinstance(name, Iterable)
            point.label.extend([str(name)] if is_one else [str(part) for part in name])
            point.vectors.extend(row.astype("float64"))
        self._add(record)

    def add_pr_curve(
        self,
        tag: str,
        labels: Any,
        predictions: Any,
        step: int,
        num_thresholds: int = 10,
        weights: Any = None,
        walltime: int | None = None,
    ) -> None:
        """Add the precision and recall of predictions, from 0 to 1, of labels that are 0 or 1."""
        told, record = self._value(tag, step, walltime)
        counts = encode.counts_by_threshold(labels, predictions, num_thresholds, weights)
        curve = told.pr_curve
        _fill(curve, counts)
        curve.precision.extend(_share(counts["TP"], counts["FP"]))
        curve.recall.extend(_share(counts["TP"], counts["FN"]))
        self._add(record)

    def add_roc_curve(
        self,
        tag: str,
        labels: Any,
        predictions: Any,
        step: int,
        num_thresholds: int = 10,
        weights: Any = None,
        walltime: int | None = None,
    ) -> None:
        """Add the shares of the true and of the false that are taken as true."""
        told, record = self._value(tag, step, walltime)
        counts = encode.counts_by_threshold(labels, predictions, num_thresholds, weights)
        curve = told.roc_curve
        _fill(curve, counts)
        curve.tpr.extend(_share(counts["TP"], counts["FN"]))
        curve.fpr.extend(_share(counts["FP"], counts["TN"]))
        self._add(record)

    def add_hparams(
        self,
        hparams_dict: Mapping[str, Any],
        metrics_list: Sequence[str],
        walltime: int | None = None,
    ) -> None:
        """Add the settings of a run, numbers or texts, and which scalars measure it."""
        told, record = self._value("hparam", 1, walltime)
        told.hparam.name = uuid.uuid4().hex
        for name, value in hparams_dict.items():
            setting = told.hparam.hparamInfos.add(name=name)
            if isinstance(value, (int, np.integer)):
                setting.int_value = int(value)
            elif isinstance(value, (float, np.floating)):
                setting.float_value = float(value)
            elif isinstance(value, str):
                setting.string_value = value
            else:
                raise ArgumentError(
                    f"expected a number or text as {name!r}, received {type(value).__name__}",
                    cure=f"give str({name})",
                )
        for name in metrics_list:
            told.hparam.metricInfos.add(name=name, float_value=0)
        self._add(record)

    def add_graph(self, model: Any, input_spec: Sequence[Any], verbose: bool = False) -> None:
        """Add the graph of a Layer: its operators, within the layers that call them.

        input_spec: an InputSpec or a Tensor for each argument. The model is recorded in the mode
        that it is in. VisualDL has a file of its own for it, beside that of the records. verbose:
        print how many operators and layers there are. Raises TypeMismatchError for what is no
        Layer, what `to_static` raises, and FileError where the file cannot be written.

        >>> import tempfile
        >>> import twinoar as paddle
        >>> net = paddle.nn.Sequential(paddle.nn.Linear(4, 2), paddle.nn.ReLU())
        >>> with tempfile.TemporaryDirectory() as folder, LogWriter(folder) as writer:
        ...     writer.add_graph(net, [paddle.static.InputSpec([None, 4])], verbose=True)
        2 operators in 3 layers: 1 linear, 1 relu
        """
        graph = graph_of(model, input_spec)
        if verbose:
            print(told_of(graph))
        with self._lock:
            self._check_open()
            if self._file is None:
                return
            if self._form is events:
                self._waiting.append(events.framed_graph(graph))
                self.flush()
                return
            path = self._folder / self._new_name(graph_file.file_name, self._suffix)
            _write_whole(path, json.dumps(as_visualdl(graph), indent=2))

    def flush(self) -> None:
        """Write what was added."""
        with self._lock:
            _write(self._file, self._waiting)
            self._written = time.monotonic()

    def close(self) -> None:
        """Write what was added, and close the file. Nothing can be added any more."""
        with self._lock:
            self._finish()
            self._file = None

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _value(self, tag: str, step: int | None, walltime: float | None) -> tuple[Any, Any]:
        """A value to fill, and the record that it is in."""
        if "%" in tag:
            raise ArgumentError(f"expected a tag without %, received {tag!r}", cure="leave it out")
        record = Record()
        now = round(time.time() * 1000) if walltime is None else round(walltime)
        value = record.values.add(tag=tag, timestamp=now)
        if step is not None:
            value.id = int(step)
        return value, record

    def _check_open(self) -> None:
        if not self._finish.alive:
            raise ArgumentError("the LogWriter is closed", cure="make another one")

    def _picture(self, tag: str, image: np.ndarray, step: int, walltime: int | None) -> None:
        told, record = self._value(tag, step, walltime)
        told.image.encoded_image_string = encode.png(image)
        self._add(record)

    def _add(self, record: Any) -> None:
        with self._lock:
            self._check_open()
            if self._file is None:
                return
            self._waiting.append(self._form.framed(record))
            is_late = time.monotonic() - self._written >= self._flush_secs
            if is_late or len(self._waiting) >= self._max_queue:
                self.flush()


def _write(file: BinaryIO | None, waiting: list[bytes], is_last: bool = False) -> None:
    if file is None:
        return
    data = b"".join(waiting)
    waiting.clear()
    file.write(data)
    file.flush()
    if is_last:
        os.fsync(file.fileno())
        file.close()


def _write_whole(path: Path, text: str) -> None:
    """Write a file beside its place, and rename it."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise FileError(f"cannot write {str(path)!r}: {error.strerror}") from None


def _number(value: Any) -> float:
    array = encode.array_of(value)
    if array.size != 1:
        raise ShapeError(f"expected one number, received an array of {list(array.shape)}")
    return float(array.reshape(-1)[0])


def _fill(curve: Any, counts: Mapping[str, np.ndarray]) -> None:
    for name, numbers in counts.items():
        getattr(curve, name).extend(np.round(numbers).astype(int).tolist())


def _share(part: np.ndarray, rest: np.ndarray) -> np.ndarray:
    total = part + rest
    return np.divide(part, total, out=np.zeros_like(part), where=total > 0)
