"""The steps of `examples/serving/Containerfile`, one after another, where no container is built.

`python -m tests.serving.container` copies what the file copies into an empty folder, installs what
it installs into a fresh environment, starts what it starts on a model in the folder that it opens,
runs its check of health, asks the model, and ends it by SIGTERM. What needs root, packages of the
system and a user of its own, is passed over and named. It takes a minute or two.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.serving.models import scaling

TREE = Path(__file__).parents[2]
FILE = TREE / "examples" / "serving" / "Containerfile"
OF_ROOT = ("apt-get", "rm", "useradd", "chown")
FREE = ["--http-port=0", "--grpc-port=0", "--metrics-port=0"]
PATIENCE_SECONDS = 100
BODY = {"inputs": [{"name": "x", "datatype": "FP32", "shape": [1, 4], "data": [1, 1, 1, 1]}]}


def steps(text: str) -> Iterator[tuple[str, str]]:
    """The instructions of a file and what follows each, with lines that go on put together.

    >>> list(steps("# a comment\\nFROM x\\nRUN a \\\\\\n  && b"))
    [('FROM', 'x'), ('RUN', 'a && b')]
    """
    lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for line in lines.replace("\\\n", " ").splitlines():
        name, _, rest = line.strip().partition(" ")
        if name:
            yield name, " ".join(rest.split())


@dataclass
class Container:
    """What the steps have made below a folder, which stands for the root of the file system."""

    root: Path
    work: str = "/"
    environment: dict[str, str] = field(default_factory=dict)
    entry: list[str] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)

    def at(self, path: str) -> Path:
        """Where a path of the container lies."""
        return self.root / os.path.join(self.work, path).lstrip("/")  # noqa: PTH118 absolute wins

    def run(self, name: str, rest: str) -> None:
        """One step."""
        match name:
            case "FROM":
                subprocess.run([sys.executable, "-m", "venv", self.root / "venv"], check=True)
            case "WORKDIR":
                self.work = rest
                self.at(".").mkdir(parents=True, exist_ok=True)
            case "COPY":
                *sources, target = rest.split()
                for source in sources:
                    self._copy(TREE / source, self.at(target))
            case "RUN":
                for command in rest.split("&&"):
                    self._command(shlex.split(command))
            case "ENV":
                told = dict(pair.partition("=")[::2] for pair in rest.split())
                self.environment |= {k: self._path(v) for k, v in told.items()}
            case "HEALTHCHECK":
                self.health = json.loads(rest[rest.index("[") :])
            case "ENTRYPOINT":
                self.entry = json.loads(rest)
            case "CMD":
                self.given = [self._path(word) for word in json.loads(rest)]
            case "USER" | "EXPOSE":
                self.passed_over.append(f"{name} {rest}")
            case _:
                raise ValueError(f"there is no step {name}")

    def _path(self, word: str) -> str:
        return str(self.at(word)) if word.startswith("/") else word

    def _copy(self, source: Path, target: Path) -> None:
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, target, ignore=ignored, dirs_exist_ok=True)
        else:
            shutil.copy(source, target / source.name if target.is_dir() else target)

    def _command(self, words: list[str]) -> None:
        if words[0] in OF_ROOT:
            self.passed_over.append(shlex.join(words))
            return
        command = [self._path(word) for word in words]
        subprocess.run(command, cwd=self.at("."), env=self.variables(), check=True)

    def variables(self) -> dict[str, str]:
        """The environment of what runs in it: nothing of this tree's."""
        path = f"{self.root / 'venv' / 'bin'}:{os.environ['PATH']}"
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "TWINOAR"))}
        return {**kept, **self.environment, "PATH": path}

    def start(self) -> subprocess.Popen[str]:
        """What it starts, at ports that are free."""
        command = [*self.entry, *self.given, *FREE]
        return subprocess.Popen(
            command, cwd=self.at("."), env=self.variables(), stderr=subprocess.PIPE, text=True
        )


def asked(container: Container, server: subprocess.Popen[str]) -> list[float]:
    """What the model answers, when the check of health has passed."""
    assert server.stderr is not None
    for line in server.stderr:
        told = json.loads(line) if line.startswith("{") else {}
        if told.get("message") == "serving":
            break
    else:
        raise SystemExit(f"it ended with code {server.wait()}")
    port = told["ports"]["http"]
    check = [word.replace("8000", str(port)) for word in container.health]
    subprocess.run(check, env=container.variables(), check=True, timeout=PATIENCE_SECONDS)
    url = f"http://127.0.0.1:{port}/v2/models/m/infer"
    with urllib.request.urlopen(url, json.dumps(BODY).encode(), PATIENCE_SECONDS) as answer:
        found: list[float] = json.load(answer)["outputs"][0]["data"]
    return found


def main() -> int:
    """Run all steps; 1 where something was not as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        container = Container(Path(folder))
        for name, rest in steps(FILE.read_text()):
            print(f"{name} {rest}", flush=True)
            container.run(name, rest)
        scaling(Path(container.given[0]), "m", 2.0)
        server = container.start()
        try:
            found = asked(container, server)
            server.send_signal(signal.SIGTERM)
            code = server.wait(PATIENCE_SECONDS)
        finally:
            server.kill()
    print("passed over:", *container.passed_over, sep="\n  ")
    print(f"answered {found}, ended with code {code}")
    return int(found != [2.0] * 4 or code != 0)


if __name__ == "__main__":
    sys.exit(main())
