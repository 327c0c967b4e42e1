"""`twinoar run script.py` is `python script.py`: python itself is the oracle."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from twinoar import version

PYTHON = [sys.executable]
TWINOAR = [sys.executable, "-c", "import sys; from twinoar.cli import main; sys.exit(main())"]
AS_MODULE = [sys.executable, "-m", "twinoar"]


def start(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def both(
    folder: Path, source: str, *arguments: str, script: str = "script.py"
) -> tuple[subprocess.CompletedProcess[str], subprocess.CompletedProcess[str]]:
    """How python and twinoar each run `source`."""
    (folder / "script.py").write_text(source)
    python = start([*PYTHON, script, *arguments], folder)
    return python, start([*TWINOAR, "run", script, *arguments], folder)


SEEN = """
import sys, os
print(sys.argv, sys.path[0], __name__, __file__, __package__, __spec__, __doc__)
print(sys.modules["__main__"].__dict__ is globals(), type(__builtins__), __annotations__)
print(type(__loader__), __cached__, sorted(globals()))
"""


@pytest.mark.parametrize("script", ["script.py", "folder/../script.py"])
def test_a_script_sees_what_it_sees_under_python(tmp_path: Path, script: str) -> None:
    (tmp_path / "folder").mkdir()
    python, twinoar = both(tmp_path, SEEN, "one", "--two", "-h", script=script)
    assert python.returncode == 0
    assert twinoar.stdout == python.stdout


def test_a_script_behind_a_link_imports_from_its_real_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "linked.py").write_text("import sys; print(sys.path[0], __file__)")
    (tmp_path / "script").symlink_to(tmp_path / "real" / "linked.py")
    python = start([*PYTHON, "script"], tmp_path)
    assert start([*TWINOAR, "run", "script"], tmp_path).stdout == python.stdout


def test_a_script_imports_its_neighbors(tmp_path: Path) -> None:
    (tmp_path / "neighbor.py").write_text("value = 5")
    _, twinoar = both(tmp_path, "import neighbor; print(neighbor.value)")
    assert twinoar.stdout == "5\n"


FAILING = [
    "def f():\n    return 1 / 0\nf()\n",
    "x = 1\nx = = 2\n",
    "try:\n    {}['a']\nexcept KeyError as e:\n    raise ValueError('b') from e\n",
    "raise KeyboardInterrupt\n",
    "import sys; sys.exit(7)\n",
    "import sys; sys.exit('a message')\n",
    "raise SystemExit\n",
    "import sys; sys.excepthook = lambda *a: print('own hook', a[0].__name__); 1 / 0\n",
    "import atexit; atexit.register(print, 'bye'); 1 / 0\n",
    "import no_such_module\n",
    "print('é'.encode('ascii'))\n",
]


@pytest.mark.parametrize("source", FAILING)
def test_a_failing_script_ends_as_under_python(tmp_path: Path, source: str) -> None:
    python, twinoar = both(tmp_path, source)
    assert (twinoar.returncode, twinoar.stdout, twinoar.stderr) == (
        python.returncode,
        python.stdout,
        python.stderr,
    )


def test_a_missing_script_is_reported_as_python_does(tmp_path: Path) -> None:
    python = start([*PYTHON, "missing.py"], tmp_path)
    twinoar = start([*TWINOAR, "run", "missing.py"], tmp_path)
    assert twinoar.returncode == python.returncode == 2
    assert twinoar.stderr.split(": ", 1)[1] == python.stderr.split(": ", 1)[1]


def test_paddle_is_served(tmp_path: Path) -> None:
    source = "import paddle, twinoar; print(paddle.nn is twinoar.nn, paddle.__version__)"
    _, twinoar = both(tmp_path, source)
    assert (twinoar.stdout, twinoar.stderr) == (f"True {version.full_version}\n", "")


def test_an_unserved_module_is_an_import_error_at_the_users_line(tmp_path: Path) -> None:
    _, twinoar = both(tmp_path, "import paddle\nimport paddle.no_such_thing\n")
    assert twinoar.returncode == 1
    assert "twinoar does not have the module paddle.no_such_thing yet" in twinoar.stderr
    assert "script.py:2: import paddle.no_such_thing" in twinoar.stderr
    assert twinoar.stderr.splitlines()[1].endswith('script.py", line 2, in <module>')


@pytest.mark.parametrize("command", [TWINOAR, AS_MODULE])
def test_the_version_names_twinoar_and_the_api(tmp_path: Path, command: list[str]) -> None:
    done = start([*command, "--version"], tmp_path)
    assert done.stdout.startswith(
        f"twinoar {version.__version__} (Paddle API {version.full_version}), Python 3."
    )


def test_python_m_twinoar_runs_a_script(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import sys; print(sys.argv, sys.path[0])")
    done = start([*AS_MODULE, "run", "script.py", "a"], tmp_path)
    assert done.stdout == f"['script.py', 'a'] {tmp_path}\n"


def test_without_a_command_the_usage_is_shown(tmp_path: Path) -> None:
    done = start(TWINOAR, tmp_path)
    assert done.returncode == 2
    assert "usage: twinoar" in done.stderr
