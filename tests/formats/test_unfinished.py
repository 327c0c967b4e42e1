"""What a process leaves that is killed while it writes: files of one save, and no litter."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import twinoar as paddle
from twinoar.formats import atomic, unfinished
from twinoar.formats.atomic import AtomicFiles, together, write_atomically


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def run_and_die(program: str, folder: Path) -> None:
    """Run a program that ends at once at the point where it calls `die`."""
    text = f"import os\ndie = lambda *_: os._exit(9)\n{program}"
    done = subprocess.run([sys.executable, "-c", text], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 9, done.stderr


SAVE_TWICE = """
from pathlib import Path
from twinoar.formats.atomic import AtomicFiles
from twinoar.formats import atomic
for number in range(2):
    with AtomicFiles() as files:
        for name in "abc":
            files.write(name, str(number).encode())
        if number:
            {arrange}
"""
# After how many renames the process dies; the calls of `replace` in the second save.
DYING = """
count = [0]
real = Path.replace
def replace(self, target):
    if count[0] == {after}:
        die()
    count[0] += 1
    return real(self, target)
Path.replace = replace
"""


def die_while_saving(folder: Path, after: int) -> None:
    arrange = DYING.format(after=after).replace("\n", "\n            ")
    run_and_die(SAVE_TWICE.format(arrange=arrange), folder)


@pytest.mark.parametrize("after", [0, 1, 2])
def test_files_that_belong_together_are_of_the_newer_save(tmp_path: Path, after: int) -> None:
    die_while_saving(tmp_path, after)
    unfinished.settle(tmp_path / "a")
    assert [(tmp_path / name).read_bytes() for name in "abc"] == [b"1"] * 3
    assert names(tmp_path) == ["a", "b", "c"]


def test_before_all_are_written_they_are_of_the_older_save(tmp_path: Path) -> None:
    run_and_die(SAVE_TWICE.format(arrange="die()"), tmp_path)
    assert len(names(tmp_path)) == 6
    unfinished.settle(tmp_path / "a")
    assert [(tmp_path / name).read_bytes() for name in "abc"] == [b"0"] * 3
    assert names(tmp_path) == ["a", "b", "c"]


def test_the_next_save_in_the_folder_removes_what_dead_processes_left(tmp_path: Path) -> None:
    run_and_die(SAVE_TWICE.format(arrange="die()"), tmp_path)
    write_atomically(tmp_path / "d", b"new")
    assert names(tmp_path) == ["a", "b", "c", "d"]


def test_what_a_living_process_writes_stays(tmp_path: Path) -> None:
    with AtomicFiles() as files:
        files.write(tmp_path / "a", b"1")
        write_atomically(tmp_path / "b", b"2")
        unfinished.settle(tmp_path / "a")
    assert names(tmp_path) == ["a", "b"] and (tmp_path / "a").read_bytes() == b"1"


@pytest.mark.parametrize("which", [0, 1, 2], ids=["the first file", "the second file", "the list"])
def test_what_another_process_takes_for_litter_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: int
) -> None:
    """Another process looks into the folder when a file is made, and not locked yet."""
    real, made, lists = unfinished.held, [], []

    def held_late(descriptor: int) -> bool:
        made.append(descriptor)
        if len(made) == which + 1:
            with monkeypatch.context() as elsewhere:
                elsewhere.setattr(unfinished, "held", real)
                unfinished.settle(tmp_path / "a")
        return real(descriptor)

    def replaced(self: Path, target: Path) -> Path:
        lists.append([name for name in names(tmp_path) if name.endswith(".list")])
        return rename(self, target)

    rename = Path.replace
    with AtomicFiles() as files:
        monkeypatch.setattr(unfinished, "held", held_late)
        files.write(tmp_path / "a", b"1")
        files.write(tmp_path / "b", b"2")
        monkeypatch.setattr(Path, "replace", replaced)
    assert len(made) == 4 and [len(found) for found in lists] == [1, 1]
    assert names(tmp_path) == ["a", "b"]
    assert [(tmp_path / name).read_bytes() for name in "ab"] == [b"1", b"2"]


def test_processes_that_write_in_one_folder_do_not_harm_each_other(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom twinoar.formats.atomic import AtomicFiles\n"
        "for number in range(150):\n    with AtomicFiles() as files:\n"
        "        for name in 'ab':\n            files.write(sys.argv[1] + name, b'x')\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", program, name], cwd=tmp_path) for name in "123"
    ]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert names(tmp_path) == ["1a", "1b", "2a", "2b", "3a", "3b"]


def test_a_list_that_was_cut_short_renames_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / f".twinoar-{'0' * 16}.tmp").write_bytes(b"new")
    (tmp_path / f".twinoar-{'0' * 16}.list").write_text('[[".twinoar-' + "0" * 16)
    unfinished.settle(tmp_path / "a")
    assert names(tmp_path) == ["a"] and (tmp_path / "a").read_bytes() == b"old"


@pytest.mark.parametrize(
    "renames",
    [
        '[["a", "b"]]',
        '[[".twinoar-0000000000000001.tmp", "../b"]]',
        '[[".twinoar-0000000000000001.tmp", ".."]]',
        '[["/etc/hosts", "b"]]',
        '{"a": 1}',
        "[[1]]",
        "[null]",
    ],
)
def test_a_list_of_other_files_is_not_followed(tmp_path: Path, renames: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a").write_bytes(b"mine")
    (tmp_path / "in" / f".twinoar-{'0' * 16}.list").write_text(renames)
    unfinished.settle(tmp_path / "in" / "a")
    assert names(tmp_path) == ["in"] and names(tmp_path / "in") == ["a"]


def test_files_written_together_appear_together(tmp_path: Path) -> None:
    with together():
        paddle.save({"a": 1}, tmp_path / "a")
        paddle.save({"b": 2}, tmp_path / "b")
        assert not (tmp_path / "a").exists()
    assert paddle.load(tmp_path / "a") == {"a": 1} and paddle.load(tmp_path / "b") == {"b": 2}
    with pytest.raises(RuntimeError), together():
        paddle.save({"a": 3}, tmp_path / "a")
        raise RuntimeError("power cut")
    assert paddle.load(tmp_path / "a") == {"a": 1} and names(tmp_path) == ["a", "b"]
    assert atomic._outer.get() is None


TRAIN = """
import sys
import numpy as np
import twinoar as paddle
from pathlib import Path
paddle.seed(0)
network = paddle.nn.Linear(3, 1)
model = paddle.Model(network)
model.prepare(paddle.optimizer.Adam(0.1, parameters=network.parameters()), paddle.nn.MSELoss())
x, y = np.ones((4, 3), "float32"), np.ones((4, 1), "float32")
for number in range(3):
    model.train_batch([x], [y])
    model._epoch = number
    if number == 2:
{arrange}
    saver = paddle.callbacks.ModelCheckpoint(1, "saved")
    saver.set_model(model)
    saver.set_params(dict())
    saver._save("x")
"""


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_checkpoint_is_of_one_step_wherever_the_process_dies(tmp_path: Path, after: int) -> None:
    arrange = "\n".join("        " + line for line in DYING.format(after=after).splitlines())
    run_and_die(TRAIN.format(arrange=arrange), tmp_path)
    wanted = tmp_path / "wanted"
    wanted.mkdir()
    run_and_die(TRAIN.format(arrange="        pass") + "die()", wanted)
    for ending in ("pdparams", "pdopt"):
        found = paddle.load(tmp_path / "saved" / f"x.{ending}", return_numpy=True)
        other = paddle.load(wanted / "saved" / f"x.{ending}", return_numpy=True)
        assert str(found) == str(other)
    progress = paddle.load(str(tmp_path / "saved" / "x.pdprogress"), return_numpy=True)
    assert int(progress["epoch"]) == 2
    assert names(tmp_path / "saved") == ["x.pdopt", "x.pdparams", "x.pdprogress"]


def test_a_folder_without_permission_to_write_can_be_read(tmp_path: Path) -> None:
    paddle.save({"a": 1}, tmp_path / "a")
    (tmp_path / f".twinoar-{'0' * 16}.tmp").write_bytes(b"left")
    tmp_path.chmod(0o500)
    try:
        assert paddle.load(tmp_path / "a") == {"a": 1}
    finally:
        tmp_path.chmod(0o700)
