"""What LogWriter writes is what VisualDL writes: a file of the real 2.5.3 is the oracle."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, FileError, ShapeError
from twinoar.visual import LogReader, LogWriter

REAL = Path(__file__).with_name("vdlrecords.of_visualdl_2.5.3.log")


def write_as_the_real_one(folder: Path) -> LogReader:
    """The calls that made the file of the real VisualDL."""
    truth, score = np.array([0, 1, 1]), np.array([0.1, 0.4, 0.9])
    with LogWriter(str(folder), file_name="vdlrecords.1.log") as w:
        w.add_scalar("a/b", 1.5, 3, walltime=7)
        w.add_scalars("m", {"x": 1.0, "y": 2.0}, 4, walltime=7)
        w.add_histogram("h", np.arange(10.0), 5, walltime=7, buckets=3)
        w.add_image("i", np.zeros((2, 2, 3), "uint8"), 6, walltime=7)
        w.add_text("t", "hi", 7, walltime=7)
        w.add_pr_curve("p", truth, score, 8, 3, walltime=7)
        w.add_roc_curve("r", truth, score, 8, 3, walltime=7)
        w.add_hparams({"lr": 0.1, "name": "adam", "n": 3}, ["loss"], walltime=7)
        w.add_embeddings("e", np.array([[1.0, 2], [3, 4]]), ["p", "q"], walltime=7)
        w.add_audio("au", np.zeros(4), 9, 8000, walltime=7)
        w.add_image_matrix("im", np.zeros((2, 2, 2, 3), "uint8"), 6, walltime=7)
    return LogReader(w.file_name)


def test_the_records_are_those_of_visualdl(tmp_path: Path) -> None:
    ours, real = write_as_the_real_one(tmp_path), LogReader(str(REAL))
    assert ours.get_tags() == real.get_tags()
    own = {"meta_data", "hyper_parameters", "roc_curve"}  # times, random names, rates above 1
    for component, tags in real.get_tags().items():
        for tag in tags if component not in own else ():
            assert ours.get_data(component, tag) == real.get_data(component, tag), (component, tag)
    curve = ours.get_data("roc_curve", "r")[0].roc_curve
    assert (list(curve.tpr), list(curve.fpr)) == ([1.0, 0.5, 0.0], [1.0, 0.0, 0.0])
    assert list(curve.TP) == list(real.get_data("roc_curve", "r")[0].roc_curve.TP)


def picture_of(folder: Path, image: Any, **kwargs: Any) -> np.ndarray:
    import io

    from PIL import Image

    with LogWriter(str(folder)) as w:
        w.add_image("i", image, 0, **kwargs)
    (value,) = LogReader(w.file_name).get_data("image", "i")
    return np.asarray(Image.open(io.BytesIO(value.image.encoded_image_string)))


def test_pictures(tmp_path: Path) -> None:
    image = np.arange(24, dtype="uint8").reshape(2, 4, 3)
    assert (picture_of(tmp_path, image) == image).all()
    assert (picture_of(tmp_path, image.transpose(2, 0, 1), dataformats="CHW") == image).all()
    assert (picture_of(tmp_path, paddle.full([2, 3, 3], 0.5)) == 127).all()
    assert (picture_of(tmp_path, np.full((2, 3), 9), dataformats="HW") == 9).all()
    with pytest.raises(ShapeError, match="expected an image of the dimensions HWC"):
        picture_of(tmp_path, np.zeros(3))


def test_numbers_may_be_tensors_and_only_numbers(tmp_path: Path) -> None:
    with LogWriter(str(tmp_path)) as w:
        w.add_scalar("loss", paddle.to_tensor([2.5]), 1)
        with pytest.raises(ShapeError, match="expected one number"):
            w.add_scalar("loss", np.zeros(2), 2)
        with pytest.raises(ArgumentError, match="expected a number or text as 'x'"):
            w.add_hparams({"x": [1]}, [])
    (value,) = LogReader(w.file_name).get_data("scalar", "loss")
    assert (value.value, value.id) == (2.5, 1)


def test_records_wait_for_each_other_and_are_written_at_the_end(tmp_path: Path) -> None:
    w = LogWriter(str(tmp_path), max_queue=3)
    w.add_scalar("a", 1, 0)
    assert Path(w.file_name).stat().st_size == 0
    w.add_scalar("a", 2, 1)
    assert len(LogReader(w.file_name).get_data("scalar", "a")) == 2
    w.add_scalar("a", 3, 2)
    path = w.file_name
    del w
    assert len(LogReader(path).get_data("scalar", "a")) == 3


def test_a_file_is_gone_on_with_and_none_is_overwritten(tmp_path: Path) -> None:
    for step in range(2):
        with LogWriter(str(tmp_path), file_name="vdlrecords.7.log") as w:
            w.add_scalar("a", step, step)
    assert len(LogReader(w.file_name).get_data("scalar", "a")) == 2
    names = set()
    for _ in range(3):
        with LogWriter(str(tmp_path)) as w:
            names.add(w.file_name)
    assert len(names) == 3
    with pytest.raises(ArgumentError, match="vdlrecords"):
        LogWriter(str(tmp_path), file_name="other.log")
    with pytest.raises(ArgumentError, match="is closed"):
        w.add_scalar("a", 1, 1)


def test_nothing_is_written_where_that_is_asked_for(tmp_path: Path) -> None:
    with LogWriter(str(tmp_path / "none"), write_to_disk=False) as w:
        w.add_scalar("a", 1, 1)
    assert not (tmp_path / "none").exists()


def test_threads_share_a_writer(tmp_path: Path) -> None:
    with LogWriter(str(tmp_path)) as w:
        threads = [
            threading.Thread(target=lambda n=n: [w.add_scalar(f"t{n}", k, k) for k in range(50)])
            for n in range(4)
        ]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    reader = LogReader(w.file_name)
    for n in range(4):
        assert [v.value for v in reader.get_data("scalar", f"t{n}")] == list(range(50))


def test_a_file_that_is_being_written_is_read_as_far_as_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "vdlrecords.1.log"
    path.write_bytes(REAL.read_bytes()[:-3])
    tags = LogReader(str(path)).get_tags()
    assert tags["image"] == ["i"] and "audio" in tags


@pytest.mark.parametrize("data", [b"\xff" * 40, b"\x04" + b"\0" * 7 + b"\xff\xff\xff\xff"])
def test_what_is_no_file_of_records_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "vdlrecords.1.log").write_bytes(data)
    with pytest.raises(FileError):
        LogReader(str(tmp_path / "vdlrecords.1.log"))
    with pytest.raises(FileError, match="cannot read"):
        LogReader(str(tmp_path / "none.log"))
    with pytest.raises(ArgumentError, match="has no scalar 'x'"):
        LogReader(str(REAL)).get_data("scalar", "x")


def test_scripts_import_it_as_visualdl(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "from visualdl import LogWriter\n"
        "with LogWriter(logdir='log') as w:\n"
        "    w.add_scalar(tag='loss', step=1, value=0.5)\n"
    )
    code = "import sys; from twinoar.cli import main; sys.exit(main(['run', 'script.py']))"
    environment = {"PYTHONPATH": ":".join(filter(None, sys.path)), "PATH": ""}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, env=environment)
    (file,) = (tmp_path / "log").iterdir()
    assert LogReader(str(file)).get_data("scalar", "loss")[0].value == 0.5
