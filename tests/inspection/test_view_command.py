"""`twinoar view`: what it takes, and what it says where it cannot."""

import subprocess
import sys

import pytest

from tests.inspection.pages import Page

MODEL = """
import paddle
from paddle import nn

model = nn.Linear(4, 3)


class Double(nn.Layer):
    def forward(self, x):
        return x * 2.0


def scaled(x, y=3.0):
    return model(x) * y


@paddle.jit.to_static(input_spec=[paddle.static.InputSpec([None, 4], "float32")])
def declared(x):
    return nn.functional.relu(x)


if __name__ == "__main__":
    import sys
    print(*sys.argv[1:])
    with paddle.no_grad():
        paddle.jit.to_static(scaled)(paddle.ones([2, 4]))
    paddle.jit.save(model, "saved", input_spec=[paddle.static.InputSpec([None, 4])])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("models")
    (path / "model.py").write_text(MODEL)
    subprocess.run([sys.executable, "-m", "twinoar", "run", "model.py"], cwd=path, check=True)
    return path


def view(folder, *arguments):
    command = [sys.executable, "-m", "twinoar", "view", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("arguments", "operator"),
    [
        (["model.py:scaled", "-i", "f32[2,4]"], "linear"),
        (["model.py:declared"], "relu"),
        (["model.py:model", "--input", "f32[2,4]"], "linear"),
        (["model.py:Double", "--input", "f32[8]"], "multiply"),
        (["saved"], "matmul"),
        (["saved.pdmodel", "--input", "f32[5,4]"], "matmul"),
        (["model.py"], "linear"),
    ],
)
def test_a_target_has_a_page(folder, arguments, operator):
    done = view(folder, *arguments, "--output", "page.html")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "page.html"
    text = (folder / "page.html").read_text()
    assert f"= {operator}(" in text and Page(text).mismatched == []


def test_two_models_have_a_page_of_their_difference(folder):
    done = view(folder, "model.py:scaled", "model.py:model", "-i", "f32[2,4]", "-o", "two.html")
    assert done.returncode == 0, done.stderr
    text = (folder / "two.html").read_text()
    assert "<title>model.py:scaled and model.py:model</title>" in text
    assert 'class="entry pair removed"' in text and 'class="entry pair same"' in text


@pytest.mark.parametrize("target", ["model.py:scaled", "saved"])
def test_the_page_shows_where_bits_are_lost_and_links_to_the_operators(folder, target):
    done = view(folder, target, "-i", "f32[2,4]", "--bits", "bfloat16", "-o", "bits.html")
    assert done.returncode == 0, done.stderr
    text = (folder / "bits.html").read_text()
    table = text[text.index('<table class="bits">') :]
    assert 'href="#c0-o0">' in table[: table.index("</table>")]
    assert Page(text).mismatched == []


def test_a_script_gets_its_arguments(folder):
    done = view(folder, "model.py", "--", "one", "--two")
    assert done.stdout == "one --two\nmodel.html\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["model.py:scaled"], "the arguments x are not known"),
        (["model.py:nothing"], "model.py has no nothing"),
        (["absent.py:f"], "there is no file absent.py"),
        (["absent"], "there is no model absent.pdmodel"),
        (["model.py:scaled", "-i", "nonsense"], "nonsense"),
        (["saved", "saved", "saved"], "compares two models, received 3"),
        (["model.py", "--bits", "float16"], "no one Program to run in float16"),
    ],
)
def test_what_cannot_be_shown_is_explained(folder, arguments, message):
    done = view(folder, *arguments)
    assert done.returncode == 1
    assert message in done.stderr and "Traceback" not in done.stderr
