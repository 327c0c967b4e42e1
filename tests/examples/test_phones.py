"""The example for phones: its C program under an emulator of ARM, its Java class in a real JVM."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.export.native.exported import here
from tests.export.native.test_c import Toolchain, aarch64, native
from twinoar.formats.safetensors import opened
from twinoar.vision.datasets import Digits

EXAMPLE = Path(__file__).parents[2] / "examples" / "phones"
WARNED = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-O1")


def made(folder: Path, target: str, epochs: int) -> Path:
    """The library for a target; epochs: of the training before."""
    environment = {"PYTHONPATH": ":".join(filter(None, sys.path)), "PATH": ""}
    command = [
        sys.executable, str(EXAMPLE / "make.py"), "--output", str(folder),
        "--target", target, "--epochs", str(epochs),
    ]  # fmt: skip
    ran([*command], folder, environment)
    return folder / "libdigits.a"


def ran(command: Sequence[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    """What a command prints that ends well."""
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=folder, check=False,
        env=environment if environment is not None else dict(os.environ),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pictures() -> tuple[np.ndarray, np.ndarray]:
    """Digits of 28 by 28 from -1 to 1, and their labels."""
    data = [Digits(mode="test")[n] for n in range(8)]
    small = np.stack([np.asarray(image, np.float32).reshape(8, 8) for image, _ in data])
    images = np.pad(np.kron(small, np.ones((3, 3))), ((0, 0), (2, 2), (2, 2)))
    low, high = images.min(), images.max()
    labels = np.array([int(np.asarray(label).item()) for _, label in data])
    return ((images - low) / (high - low) * 2 - 1).astype(np.float32), labels


def picture(folder: Path, image: np.ndarray) -> str:
    """A file of a picture."""
    grey = np.round((image + 1) * 127.5).astype(np.uint8)
    (folder / "image.pgm").write_bytes(b"P5\n28 28\n255\n" + grey.tobytes())
    return str(folder / "image.pgm")


@pytest.mark.parametrize("chosen", [native, aarch64])
def test_the_program_learns_a_digit_and_keeps_it(chosen: object, tmp_path: Path) -> None:
    toolchain: Toolchain = chosen()  # type: ignore[operator]  # a function of test_c
    library = made(tmp_path, toolchain.target, epochs=0)
    command = [toolchain.compiler, *WARNED, f"-I{tmp_path}", str(EXAMPLE / "digits.c")]
    ran([*command, str(library), "-o", "digits"], tmp_path)
    program = [*toolchain.runner, str(tmp_path / "digits"), "learned.safetensors"]
    image = picture(tmp_path, pictures()[0][0])
    before, _ = ran([*program, image], tmp_path).split()
    digit = (int(before) + 1) % 10
    for _ in range(4):
        told = ran([*program, image, str(digit)], tmp_path).splitlines()
    found, chance = ran([*program, image], tmp_path).split()
    assert float(told[0].split()[1]) < 0.5
    assert int(found) == digit
    assert float(chance) > 0.6
    held = opened(str(tmp_path / "learned.safetensors"))
    assert held.metadata["model"] == "digits"
    (tmp_path / "learned.safetensors").write_bytes(b"short")
    done = subprocess.run([*program, image], capture_output=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (1, b"digits: the state ends too early\n")


def java_home() -> Path:
    """Where the JDK is, with its headers."""
    compiler = shutil.which("javac")
    if compiler is None or shutil.which("java") is None or shutil.which("gcc") is None:
        pytest.skip("there is no JDK with a C compiler")
    home = Path(compiler).resolve().parents[1]
    if not (home / "include" / "jni.h").is_file():
        pytest.skip("this JDK has no headers")
    return home


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Where the classes are with the library, and the command that runs them."""
    home, folder = java_home(), tmp_path_factory.mktemp("java")
    library = made(folder, here(), epochs=0)
    headers = [f"-I{p}" for p in (folder, home / "include", home / "include" / "linux")]
    ran(
        ["gcc", *WARNED, "-shared", "-fPIC", *headers, str(EXAMPLE / "jni" / "digits_jni.c"),
         str(library), "-o", "libdigits_jni.so"], folder,
    )  # fmt: skip
    ran(["javac", "-Xlint:all", "-Werror", "-d", ".", *map(str, (EXAMPLE / "jni").glob("*.java"))],
        folder)  # fmt: skip
    images, labels = pictures()
    images.tofile(folder / "images")
    labels.astype(np.int64).tofile(folder / "labels")
    return folder, ["java", "-Xcheck:jni", f"-Djava.library.path={folder}", "-cp"]


def test_java_trains_and_recognizes(java: tuple[Path, list[str]]) -> None:
    folder, command = java
    told = ran([*command, ".", "Demo", "images", "labels", "learned.safetensors"], folder)
    assert told.splitlines() == [
        "learned", "8 right", "restored", "this is not a state of this model: "
        "digits_state_init makes one", "this is not a state of the model", "a batch has 8 labels",
        "kept", "it is closed",
    ]  # fmt: skip
    assert opened(str(folder / "learned.safetensors")).metadata["model"] == "digits"


@pytest.mark.skipif(shutil.which("kotlinc") is None, reason="there is no Kotlin")
def test_kotlin_trains_and_recognizes(java: tuple[Path, list[str]]) -> None:
    folder, command = java
    source = str(EXAMPLE / "jni" / "Habit.kt")
    ran(["kotlinc", "-cp", ".", source, "-include-runtime", "-d", "habit.jar"], folder)
    classes = os.pathsep.join((".", "habit.jar"))
    told = ran([*command, classes, "HabitKt", "images", "labels"], folder)
    assert told.splitlines() == ["learned", "8 right"]
