"""The command that holds fifty steps of ranks against one process, and the table that it writes."""

import subprocess
import sys

import pytest

from tests.distributed import fifty_steps
from tests.distributed.fifty_steps import BEGIN, END, PAGE, Case, table, write


def made(way, error=1e-7, same=True, moments=50, network="mlp", steps=50):
    return Case(network, way, steps, error, same, moments, 100, 1.0)


def test_a_table_has_a_row_for_each_way_and_says_what_is_wrong():
    cases = [
        made("DataParallel 2", moments=100),
        made("group_sharded os"),
        made("group_sharded os", network="lenet", moments=60, same=False),
        made("pipeline 2", error=0.0, steps=10),
    ]
    assert table(cases).splitlines() == [
        "| way | MLP | LeNet | moments of a rank |",
        "| --- | --- | --- | --- |",
        "| DataParallel 2 | 1e-07 |  | 100% |",
        "| group_sharded os | 1e-07 | 1e-07, other bits | 50% to 60% |",
        "| pipeline 2 | 0, 10 steps |  | 50% |",
    ]


@pytest.mark.parametrize(
    ("found", "right"),
    [(made("x"), True), (made("x", 1e-4), False), (made("x", same=False), False)],
)
def test_a_case_is_right_that_is_near_and_comes_again(found, right):
    assert found.is_right == right


def test_the_table_takes_the_place_of_the_one_before(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    monkeypatch.setattr(fifty_steps, "PAGE", page)
    for _ in range(2):
        write([made("pipeline 2")])
    text = page.read_text()
    assert text.startswith(f"before\n{BEGIN}\n\n| way |")
    assert text.endswith(f"| pipeline 2 | 1e-07 | 50% |\n\n{END}\nafter\n")


def test_the_page_has_a_place_for_it_and_shows_nothing_wrong():
    text = PAGE.read_text()
    assert text.count(BEGIN) == text.count(END) == 1
    assert "other bits" not in text.partition(BEGIN)[2].partition(END)[0]


@pytest.mark.timeout(400)
def test_processes_of_a_job_come_to_what_one_process_does():
    command = [sys.executable, "-m", "tests.distributed.fifty_steps", "--network", "mlp"]
    options = ["--way", "DataParallel 2", "--way", "pipeline 2", "--way", "mesh sharded 3"]
    done = subprocess.run(
        [*command, *options, "--processes", "--steps", "3", "--again", "0", "--forget"],
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("processes") == 3
