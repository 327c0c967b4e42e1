"""What people see of an error: their own lines and the message, wherever it is shown."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

import twinoar as paddle
from twinoar.errors import ShapeError, TypeMismatchError

LINES = 12  # of the user's frames, two lines each, and of the message


def shown(tmp_path, code: str, **environment: str) -> str:
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(code))
    run = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        env={**__import__("os").environ, **environment},
    )
    return run.stderr


WRONG_SHAPE = """
    import twinoar as paddle

    def build():
        layer = paddle.nn.Linear(3, 4)
        return layer(paddle.ones([2, 5]))

    build()
"""


def test_an_error_that_nobody_catches_shows_the_users_frames_alone(tmp_path):
    text = shown(tmp_path, WRONG_SHAPE)
    assert len(text.splitlines()) <= LINES
    assert "/twinoar/" not in text and "direct cause" not in text
    assert "x has 5 columns and y 3 rows" in text and "cure:" in text


def test_all_frames_are_shown_on_request(tmp_path):
    text = shown(tmp_path, WRONG_SHAPE, TWINOAR_FULL_TRACEBACK="1")
    assert "matmul.py" in text and "gufunc" in text


def test_a_thread_shows_the_same(tmp_path):
    text = shown(
        tmp_path,
        """
        import threading
        import twinoar as paddle

        thread = threading.Thread(target=lambda: paddle.ones([2]).reshape([3]))
        thread.start()
        thread.join()
        """,
    )
    assert "/twinoar/" not in text and "does not take the shape [3]" in text


def test_an_error_of_the_users_shows_their_frames_alone(tmp_path):
    text = shown(
        tmp_path,
        """
        import twinoar as paddle

        class Net(paddle.nn.Layer):
            def forward(self, x):
                return x / [1][3]

        Net()(paddle.ones([2]))
        """,
    )
    assert "/twinoar/" not in text and "IndexError: list index out of range" in text


def test_a_fault_of_ours_is_shown_whole(tmp_path):
    text = shown(
        tmp_path,
        """
        import twinoar as paddle
        from twinoar.core import tree

        tree.unflatten(object(), None)
        """,
    )
    assert "tree.py" in text


def test_notebooks_are_given_the_users_frames():
    with pytest.raises(ShapeError) as caught:
        paddle.nn.Linear(3, 4)(paddle.ones([2, 5]))
    lines = caught.value._render_traceback_()
    assert not any("/twinoar/" in line for line in lines)
    assert lines[0].startswith("Traceback") and any("cure:" in line for line in lines)


def test_numpys_errors_are_no_causes():
    with pytest.raises(ShapeError) as caught:
        paddle.matmul(paddle.ones([2, 5]), paddle.ones([3, 4]))
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("make", "cure"),
    [
        (lambda: paddle.nn.Linear(3, 4, bias=False), "bias_attr may be meant"),
        (lambda: paddle.nn.Conv2D(3, 4, kernelsize=3), "kernel_size may be meant"),
        (lambda: paddle.nn.Linear(3), r"Linear\(in_features, out_features"),
        (lambda: paddle.nn.Linear(*range(9)), "too many positional|call it as Linear"),
    ],
)
def test_a_layer_says_which_arguments_it_takes(make, cure):
    with pytest.raises(TypeMismatchError, match=cure):
        make()
