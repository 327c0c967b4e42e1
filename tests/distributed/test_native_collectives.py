"""Collectives as native code, in real processes: NumPy's bits, on two ranks and on three."""

import json
import os
import subprocess
import sys

import pytest

SECONDS = 100


@pytest.fixture(scope="module", params=[2, 3])
def found(request, tmp_path_factory):
    """What each rank of tests/distributed/native_job.py has found."""
    folder = tmp_path_factory.mktemp("native")
    command = [sys.executable, "-m", "twinoar.distributed.launch"]
    done = subprocess.run(
        [
            *command,
            "--nproc_per_node",
            str(request.param),
            "tests/distributed/native_job.py",
            folder,
        ],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env={**os.environ, "PYTHONPATH": "."},
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(request.param)]


def test_all_ranks_call_mpi_from_native_code(found):
    assert all(f["native"] for f in found)


def test_every_dtype_size_and_reduction_has_the_bits_of_the_order_of_ranks(found):
    assert [f["wrong"] for f in found] == [[]] * len(found)


def test_ranks_of_one_machine_share_a_board(found):
    assert all(f["board"] for f in found)


def test_frames_that_are_read_late_are_there(found):
    for f in found:
        between, begun = f["late"]
        assert between == [len(found)]
        assert begun == [len(found) * (2 + k) for k in range(len(begun))]


def test_who_waits_for_others_lets_what_was_sent_before_arrive(found):
    assert [f["sent before"] for f in found] == [[len(found), True]] * len(found)


def test_messages_bring_the_same_where_there_is_no_board(found):
    assert [f["wrong by messages"] for f in found] == [[]] * len(found)


def test_compiled_steps_have_the_bits_of_eager_calls(found):
    assert [f["compiled"] for f in found] == [[]] * len(found)


def test_a_rank_that_calls_something_else_is_named_and_all_go_on(found):
    for f in found:
        told, total, compiled = f["told"]
        for rows, text in zip((3, 3000), told, strict=True):
            assert "the ranks of a group call different collectives: " in text
            assert f"rank 0: all_reduce sum of float32[{rows}]" in text
        assert total == [len(found)] * 2
        assert compiled == [2 * len(found)] * 3
