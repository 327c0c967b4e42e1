"""The files of `examples/serving`: what they ask of the server is there, and Kubernetes takes them.

KUBERNETES_PYTHON names a Python with `kubernetes-validate` and `pyyaml`, which holds them against
the schemas that Kubernetes publishes; what the server must know of them is looked at without.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving.container import Container, steps
from twinoar.serving.command import add_arguments

EXAMPLES = Path(__file__).parents[2] / "examples" / "serving"
MANIFEST = (EXAMPLES / "kubernetes.yaml").read_text()
CONTAINER = (EXAMPLES / "Containerfile").read_text()
PYTHON = os.environ.get("KUBERNETES_PYTHON", "")
VALIDATES = """
import sys, yaml, kubernetes_validate
documents = list(yaml.safe_load_all(open(sys.argv[1])))
for version in ("1.29", "1.33"):
    for document in documents:
        kubernetes_validate.validate(document, version, strict=True)
print([document["kind"] for document in documents])
"""


def parsed(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_arguments(parser)
    told, unknown = parser.parse_known_args(arguments)
    assert unknown == []
    return told


def listed(text: str, name: str) -> list[str]:
    """The items of a list in YAML, each on a line of its own."""
    block = re.search(rf"^( *){name}:\n((?:\1 +- .*\n)+)", text, re.MULTILINE)
    assert block is not None, name
    return [line.strip().removeprefix("- ") for line in block[2].splitlines()]


def test_the_deployment_gives_options_that_the_server_has() -> None:
    told = parsed(listed(MANIFEST, "args"))
    assert told.folders == ["/models"]
    grace = int(re.search(r"terminationGracePeriodSeconds: (\d+)", MANIFEST)[1])  # type: ignore[index]
    sleep = int(re.search(r'\["sleep", "(\d+)"\]', MANIFEST)[1])  # type: ignore[index]
    assert grace > told.exit_timeout_secs + sleep


def test_the_container_starts_what_the_server_has_and_opens_its_ports() -> None:
    entry = re.search(r"^ENTRYPOINT \[(.*)\]\nCMD \[(.*)\]", CONTAINER, re.MULTILINE)
    assert entry is not None
    words = [word.strip().strip('"') for word in f"{entry[1]}, {entry[2]}".split(",")]
    assert words[:2] == ["twinoar", "serve"]
    told = parsed(words[2:])
    assert told.host == "0.0.0.0"
    ports = [told.http_port, told.grpc_port, told.metrics_port]
    assert re.search(r"^EXPOSE (.*)$", CONTAINER, re.MULTILINE)[1] == " ".join(map(str, ports))  # type: ignore[index]
    assert [int(port) for port in re.findall(r"containerPort: (\d+)", MANIFEST)] == ports


@pytest.mark.parametrize("path", sorted(set(re.findall(r"path: (/v2/\S+),", MANIFEST))))
def test_probes_ask_for_what_is_there(path: str) -> None:
    assert path in ("/v2/health/live", "/v2/health/ready")


def test_what_the_container_copies_is_in_the_tree() -> None:
    root = EXAMPLES.parents[1]
    copied = re.findall(r"^COPY (.*) \S+$", CONTAINER, re.MULTILINE)
    assert [name for line in copied for name in line.split() if not (root / name).exists()] == []


def test_the_steps_of_the_container_are_known_and_copy_what_there_is(tmp_path: Path) -> None:
    made = Container(tmp_path)
    for name, rest in steps(CONTAINER):
        if name != "FROM" and "pip" not in rest and not rest.startswith("twinoar"):
            made.run(name, rest)  # all but what takes minutes
    assert (tmp_path / "build" / "pyproject.toml").is_file()
    assert made.entry == ["twinoar", "serve", "--host=0.0.0.0"]
    assert made.given == [str(tmp_path / "models")]
    assert made.environment["TWINOAR_CACHE_DIR"] == str(tmp_path / "cache")
    assert made.health[0] == "python"
    assert [word.split()[0] for word in made.passed_over] == [
        "apt-get", "apt-get", "rm", "useradd", "chown", "USER", "EXPOSE",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="no step ADDD"):
        made.run("ADDD", "x")


@pytest.mark.skipif("CONTAINER_STEPS" not in os.environ, reason="CONTAINER_STEPS asks for minutes")
@pytest.mark.timeout(900)
def test_what_the_container_installs_and_starts_serves() -> None:
    command = [sys.executable, "-m", "tests.serving.container"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=EXAMPLES.parents[1])
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


@pytest.mark.skipif(not PYTHON, reason="KUBERNETES_PYTHON names no Python")
def test_kubernetes_takes_the_deployment() -> None:
    command = [PYTHON, "-c", VALIDATES, str(EXAMPLES / "kubernetes.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "['Deployment', 'Service', 'HorizontalPodAutoscaler']"
