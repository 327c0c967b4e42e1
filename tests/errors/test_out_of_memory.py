"""What lacks memory says so in our own words: how much, for what, on which line, and the cure."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.backends.choice import may_compile
from twinoar.core import memory_error
from twinoar.core.dtype import float32
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, OutOfMemoryError

HUGE = 2**32
ASKED = {
    "zeros": lambda x: paddle.zeros([HUGE, HUGE]),
    "full": lambda x: paddle.full([2**62, 2], 1.0),
    "tile": lambda x: paddle.tile(x, [2**62]),
    "expanded": lambda x: x.reshape([4, 1]).expand([4, 2**62]) + 1,
    "arange": lambda x: paddle.arange(1e17),
    "linspace": lambda x: paddle.linspace(0, 1, 2**56),
    "eye": lambda x: paddle.eye(2**30),
    "rand": lambda x: paddle.rand([2**56]),
    "outer": lambda x: paddle.outer(x.tile([2**20]), x.tile([2**20])),
    "matmul": lambda x: x.tile([2**20]).reshape([-1, 1]) @ x.tile([2**20]).reshape([1, -1]),
    "one_hot": lambda x: paddle.nn.functional.one_hot(x.astype("int64"), 2**56),
    "pad": lambda x: paddle.nn.functional.pad(x, [0, 2**56]),
    "scatter_nd": lambda x: paddle.scatter_nd(x.astype("int64").reshape([4, 1]), x, [2**56]),
}


def eagerly(function):
    return function(paddle.ones([4]))


def converted(function):
    return paddle.jit.to_static(function)(paddle.ones([4]))


def statically(function):
    main = static.Program()
    with static.program_guard(main):
        found = function(static.data("x", [4]))
    (result,) = static.Executor().run(main, {"x": np.ones(4, "float32")}, [found])
    return result


@pytest.mark.parametrize("run", [eagerly, converted, statically])
@pytest.mark.parametrize("name", ASKED)
def test_what_no_memory_holds_is_told_with_bytes_line_and_cure(name, run):
    with pytest.raises(OutOfMemoryError) as caught:
        run(ASKED[name])
    said = str(caught.value)
    assert "there is no memory for " in said and "iB: " in said
    assert "cure: use smaller sizes" in said
    assert Path(__file__).name in said
    assert isinstance(caught.value, MemoryError) and isinstance(caught.value, ArgumentError)


@pytest.mark.parametrize("run", [converted, statically])
def test_sizes_that_do_not_fit_into_64_bits_are_never_computed_with(run):
    with pytest.raises(OutOfMemoryError, match=r"broadcast_to: .* f32\[4,4611686018427387904\]"):
        run(lambda x: x.reshape([4, 1]).expand([4, 2**62]).sum())


def test_a_parameter_that_is_too_large_is_told():
    with pytest.raises(OutOfMemoryError, match=r"f32\[268435456,268435456\]"):
        paddle.nn.Linear(2**28, 2**28)


def test_data_that_is_too_large_is_told():
    with pytest.raises(OutOfMemoryError, match="there is no memory for 1 EiB"):
        paddle.to_tensor(np.broadcast_to(np.float32(1), (2**58,)))


LIMITED = """
import resource, sys
import twinoar as paddle
layer = paddle.nn.Linear(256, 256)
x = paddle.ones([256, 256])
layer(x).sum().backward()
step = paddle.jit.to_static(lambda x: (layer(x.tile([4096, 1])) ** 2).sum())
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
from twinoar.errors import OutOfMemoryError
kept = []
try:
    while True:
        kept.append(layer(x.tile([256, 1])) ** 2)
except OutOfMemoryError as error:
    print("eager", "MiB: f32[65536,256]" in str(error))
del kept
print("again", float(layer(x).sum()) is not None)
kept = paddle.ones([500 << 20])  # needs the memory that is kept for the arrays deleted above
try:
    step(x)
except OutOfMemoryError as error:
    print("compiled", "GiB: f32[1048576,256]" in str(error))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
@pytest.mark.skipif(not may_compile(), reason="the compiled step is what fills the memory")
def test_memory_that_runs_out_is_told_and_the_process_goes_on(tmp_path):
    (tmp_path / "run.py").write_text(LIMITED)
    done = subprocess.run(
        [sys.executable, tmp_path / "run.py"], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.splitlines() == ["eager True", "again True", "compiled True"], done.stderr


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (0, "0 bytes"),
        (1023, "1023 bytes"),
        (1024, "1 KiB"),
        (3 << 29, "1.5 GiB"),
        (1 << 62, "4 EiB"),
    ],
)
def test_bytes_are_shown_as_people_read_them(size, said):
    assert memory_error.shown(size) == said


def test_other_errors_are_no_lack_of_memory():
    small = [Spec((2,), float32)]
    assert memory_error.lack_of_memory(ValueError("another"), small) is None
    assert memory_error.lack_of_memory(MemoryError(), small) is not None
