"""What each level of TWINOAR_DEBUG prints."""

import numpy as np
import pytest

from tests.inspection.test_explain import program_of
from twinoar import config
from twinoar.backends.choice import make_executable
from twinoar.ops.activation.softmax import softmax
from twinoar.ops.math.arithmetic import multiply

# What is printed from each level on, and not below.
SIGNS = {
    1: ("native back end", "compiled in", "grouping"),
    2: ("GFLOP/s", "runs as"),
    3: ("--- pass eliminate_dead",),
    4: ("--- kernel 0", "in parallel"),
    5: ("--- LLVM IR of kernel 0", "define void @kernel"),
    6: ("--- assembly of kernel 0", ".text"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path):
    """An empty cache for each test: what is found on the disk is not planned."""
    with config.override(cache_dir=tmp_path):
        yield


def printed(level, capfd):
    """What a few runs print on stderr."""
    x = np.ones((4, 8), np.float32)
    with config.override(debug=level, backend="native"):
        executable = make_executable(program_of(lambda x: softmax(multiply(x, 2.0)), x.shape))
        for _ in range(4):
            executable.execute([x], [])
    out, err = capfd.readouterr()
    assert out == ""
    return err


@pytest.mark.parametrize("level", range(7))
def test_each_level_prints_what_it_says_and_no_more(level, capfd):
    text = printed(level, capfd)
    for from_level, signs in SIGNS.items():
        for sign in signs:
            assert (sign in text) == (level >= from_level), sign


@pytest.mark.parametrize(("level", "is_planned"), [(1, False), (2, False), (3, True), (4, True)])
def test_what_is_found_on_the_disk_is_planned_where_that_is_to_be_printed(level, is_planned, capfd):
    printed(0, capfd)
    text = printed(level, capfd)
    assert ("found on the disk in" in text) == (not is_planned)


def test_the_table_is_printed_once(capfd):
    assert printed(2, capfd).count("runs as") == 1
