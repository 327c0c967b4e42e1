"""Why functions are traced again, and the warning of it."""

from types import SimpleNamespace

import pytest

import twinoar as paddle
from twinoar.jit import to_static
from twinoar.jit.warning import RecompilationWarning


def tensor(*values):
    return paddle.to_tensor(list(values), dtype="float32")


def test_why_recompiled_names_what_differed():
    holder = SimpleNamespace(scale=2.0)

    @to_static
    def scaled(x, flag=True):
        return x * holder.scale

    scaled(tensor(1.0))
    holder.scale = 3.0
    scaled(tensor(1.0))
    scaled(tensor(1.0, 2.0))
    scaled(tensor(1.0), flag=False)
    texts = [str(cause) for cause in scaled.why_recompiled()]
    assert texts[0].startswith("SimpleNamespace.scale was 2.0, and is 3.0, read at ")
    assert "test_recompilation.py" in texts[0] and "return x * holder.scale" in texts[0]
    assert texts[1:] == [
        "dimension 0 of x was 1, and is 2",
        "dimension 0 of x was 2, and is 1",
    ]


def test_many_retraces_are_warned_of_once_for_each_cause():
    @to_static
    def double(x):
        return x * 2

    with pytest.warns(RecompilationWarning, match="dimension 0 of x was 9, and is 10") as caught:
        for n in range(1, 15):
            double(paddle.ones([n]))
    assert len(caught) == 1 and "InputSpec whose shape has None" in str(caught[0].message)
