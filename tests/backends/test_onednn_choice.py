"""The choice among ways: measured once, remembered on disk, safe whatever the file holds."""

import json
import threading

import pytest

from twinoar import config
from twinoar.backends.native import kept
from twinoar.backends.onednn import Layout, available, doubted, fastest, matmul, unavailable_reason
from twinoar.backends.onednn import choice as module
from twinoar.core.dtype import float32
from twinoar.runtime import kept_files, openmp

pytestmark = pytest.mark.skipif(not available(), reason=str(unavailable_reason()))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "QUIET", 0.0)  # however busy this machine is
    with config.override(cache_dir=tmp_path):
        yield tmp_path


def table(folder):
    return json.loads(kept_files.opened(module.FILE, (folder / module.FILE).read_bytes()))


def product():
    rows = Layout.row_major((64, 64), float32)
    return matmul(rows, rows, rows)


def once():
    return [product()]


def often():
    return [product()] * 100


def never():
    raise AssertionError("this way must not be tried")


def nothing():
    return None


def test_the_fastest_way_is_taken_and_its_primitives_returned():
    name, primitives = fastest("a", {"often": often, "once": once})
    assert name == "once" and len(primitives) == 1


def test_a_choice_is_not_measured_again(folder, monkeypatch):
    fastest("a", {"often": often, "once": once})
    monkeypatch.setattr(module, "measured", lambda ways: never())
    assert fastest("a", {"often": never, "once": once})[0] == "once"
    assert len(table(folder)) == 1


def test_a_remembered_way_that_is_gone_is_chosen_anew():
    fastest("a", {"often": often, "once": once})
    assert fastest("a", {"often": often, "once": nothing})[0] == "often"
    assert fastest("a", {"often": often, "other": once})[0] == "other"


def test_a_choice_on_a_busy_machine_is_this_processes_alone(folder, monkeypatch):
    monkeypatch.setattr(module, "QUIET", 1.5)  # which no share is
    monkeypatch.setattr(openmp, "threads", lambda: 2)
    assert fastest("a", {"often": often, "once": once})[0] == "once"
    assert fastest("a", {"often": never, "once": once})[0] == "once"
    assert doubted() and not (folder / module.FILE).exists()
    kept.put_text("key", "commands")
    assert kept.get_text("key") is None
    monkeypatch.setattr(module, "_doubted", set())
    kept.put_text("key", "commands")
    assert kept.get_text("key") == "commands"


def test_one_way_alone_needs_no_measurement(folder):
    assert fastest("a", {"once": once, "nothing": nothing})[0] == "once"
    assert fastest("b", {"nothing": nothing}) is None
    assert not list(folder.iterdir())


def test_a_reference_kernel_is_the_last_resort(monkeypatch):
    class Reference:
        is_reference = True

    slow = [Reference()]
    assert fastest("a", {"slow": lambda: slow, "often": often})[0] == "often"
    assert fastest("b", {"slow": lambda: slow}) == ("slow", slow)


@pytest.mark.parametrize("content", ["", "{", "[1]", '{"a": 1}', "\0\xff"])
def test_a_file_that_is_no_table_is_written_anew(folder, content):
    file = folder / module.FILE
    file.write_text(content)
    assert fastest("a", {"often": often, "once": once})[0] == "once"
    assert list(table(folder).values()) == ["once"]


def test_the_oldest_choices_are_forgotten(folder, monkeypatch):
    monkeypatch.setattr(module, "LIMIT", 2)
    for key in "abc":
        module._remember(folder / "table", key, "way")
    assert list(module._read(folder / "table")) == ["b", "c"]


def test_a_folder_that_cannot_be_written_costs_time_only(folder):
    (folder / "file").write_text("")
    with config.override(cache_dir=folder / "file" / "below"):
        assert fastest("a", {"often": often, "once": once})[0] == "once"


def test_who_reads_while_others_write_finds_a_whole_table(folder):
    file, broken = folder / "table", []
    module._remember(file, "first", "way")

    def write(number):
        for i in range(50):
            module._remember(file, f"{number} {i}", "way")

    writers = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        if kept_files.opened(module.FILE, file.read_bytes()) is None:
            broken.append(file)
    assert not broken
    assert [path.name for path in folder.iterdir()] == ["table"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda entry: entry[:-3],
        lambda entry: entry.replace(b"once", b"ofte"),
        lambda entry: b'{"a": "often"}',
    ],
    ids=["cut", "changed", "not sealed"],
)
def test_a_damaged_choice_is_measured_anew(folder, damage, monkeypatch):
    fastest("a", {"often": often, "once": once})
    file = folder / module.FILE
    file.write_bytes(damage(file.read_bytes()))
    monkeypatch.setattr(module, "_taken", {})
    assert fastest("a", {"often": often, "once": once})[0] == "once"
    assert list(table(folder).values()) == ["once"]


def test_choices_in_a_folder_that_others_may_write_to_are_not_taken(folder, monkeypatch):
    fastest("a", {"often": often, "once": once})
    monkeypatch.setattr(module, "_taken", {})
    seconds = {"once": 1.0, "often": 0.5}
    monkeypatch.setattr(module, "measured", lambda ways: (seconds, 1.0))
    folder.chmod(0o777)
    with pytest.warns(UserWarning, match="what was measured is not kept"):
        assert fastest("a", {"often": often, "once": once})[0] == "often"
