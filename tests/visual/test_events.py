"""Event files: TensorBoard's own descriptions of its messages read what LogWriter writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from twinoar.errors import ArgumentError
from twinoar.visual import LogWriter
from twinoar.visual.curves import read_curves
from twinoar.visual.events import LENGTH, events_of

TRUTH, SCORE = np.array([0, 1, 1]), np.array([0.1, 0.4, 0.9])


def values(folder: Path) -> dict[str, Any]:
    """What tensorboardX's messages find in the one file of a folder: by tag, (step, value)."""
    from tensorboardX.proto.event_pb2 import Event

    (file,) = folder.iterdir()
    data, at, found = file.read_bytes(), 0, []
    while at < len(data):
        (size,) = LENGTH.unpack_from(data, at)
        found.append(Event.FromString(data[at + 12 : at + 12 + size]))
        at += size + 16
    assert found[0].file_version == "brain.Event:2"
    assert not any(event.file_version for event in found[1:])
    return {value.tag: (event.step, value) for event in found for value in event.summary.value}


def writer(folder: Path) -> LogWriter:
    return LogWriter(str(folder), form="tensorboard", display_name="a run")


def test_numbers(tmp_path: Path) -> None:
    with writer(tmp_path) as w:
        w.add_scalar("loss", 1.5, 3, walltime=7)
        w.add_scalars("m", {"x": 1.0, "y": 2.0}, 4)
    found = values(tmp_path)
    assert {tag: (step, v.simple_value) for tag, (step, v) in found.items()} == {
        "loss": (3, 1.5),
        "m/x": (4, 1.0),
        "m/y": (4, 2.0),
    }
    assert read_curves(tmp_path)["m/y"] == [(4, 2.0)]


def test_pictures_and_sounds(tmp_path: Path) -> None:
    with writer(tmp_path) as w:
        w.add_image("i", np.zeros((2, 5, 3), "uint8"), 6)
        w.add_audio("a", np.zeros(4), 9, 8000)
    image, audio = (values(tmp_path)[tag][1] for tag in "ia")
    assert (image.image.height, image.image.width, image.image.colorspace) == (2, 5, 3)
    assert image.image.encoded_image_string.startswith(b"\x89PNG")
    assert (audio.audio.sample_rate, audio.audio.length_frames) == (8000, 4)
    assert audio.audio.encoded_audio_string.startswith(b"RIFF")


def test_texts_and_distributions(tmp_path: Path) -> None:
    with writer(tmp_path) as w:
        w.add_text("t", "ä text", 7)
        w.add_histogram("h", np.arange(10.0), 5, buckets=3)
    text, histogram = (values(tmp_path)[tag][1] for tag in "th")
    assert text.metadata.plugin_data.plugin_name == "text"
    assert text.tensor.string_val[0].decode() == "ä text"
    assert list(histogram.histo.bucket) == [0, 3, 3, 4]
    assert list(histogram.histo.bucket_limit) == [0, 3, 6, 9]
    assert (histogram.histo.num, histogram.histo.min, histogram.histo.max) == (10, 0, 9)


def test_curves_of_precision(tmp_path: Path) -> None:
    with writer(tmp_path) as w:
        w.add_pr_curve("p", TRUTH, SCORE, 8, 3)
    step, value = values(tmp_path)["p"]
    assert step == 8 and value.metadata.plugin_data.plugin_name == "pr_curves"
    assert [d.size for d in value.tensor.tensor_shape.dim] == [6, 3]
    rows = np.reshape(value.tensor.float_val, (6, 3))
    assert rows[0].tolist() == [2, 1, 0] and rows[5].tolist() == [1, 0.5, 0]


def test_settings_and_what_measures_them(tmp_path: Path) -> None:
    from tensorboardX.proto.plugin_hparams_pb2 import HParamsPluginData

    with writer(tmp_path) as w:
        w.add_hparams({"lr": 0.1, "name": "adam", "n": 3}, ["loss"])
    found = values(tmp_path)

    def told(tag: str) -> Any:
        plug_in = found[f"_hparams_/{tag}"][1].metadata.plugin_data
        assert plug_in.plugin_name == "hparams"
        return HParamsPluginData.FromString(plug_in.content)

    experiment = told("experiment").experiment
    assert [i.name for i in experiment.hparam_infos] == ["lr", "name", "n"]
    assert [i.name.tag for i in experiment.metric_infos] == ["loss"]
    chosen = told("session_start_info").session_start_info.hparams
    assert chosen["name"].string_value == "adam" and chosen["n"].number_value == 3


def test_what_tensorboard_has_not_is_refused(tmp_path: Path) -> None:
    with writer(tmp_path) as w:
        with pytest.raises(ArgumentError, match="TensorBoard has no events of roc_curve"):
            w.add_roc_curve("r", TRUTH, SCORE, 8, 3)
        with pytest.raises(ArgumentError, match="no events of embeddings"):
            w.add_embeddings("e", np.zeros((2, 2)))
    assert values(tmp_path) == {}
    with pytest.raises(ArgumentError, match="form must be one of"):
        LogWriter(str(tmp_path), form="tb")


def test_a_file_that_is_gone_on_with_begins_once(tmp_path: Path) -> None:
    for step in range(2):
        with LogWriter(str(tmp_path), file_name="x.tfevents.1", form="tensorboard") as w:
            w.add_scalar("a", step, step)
    assert [e.file_version for e in events_of(Path(w.file_name).read_bytes(), "")] == [
        "brain.Event:2", "", "",
    ]  # fmt: skip
