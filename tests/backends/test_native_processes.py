"""Native Programs and processes: threads and bits, forks, an interrupt, damaged files of code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Large enough to be divided among threads; every kind of sum is in it.
TRAINING = """
import hashlib
import numpy as np
import twinoar as paddle
from twinoar import nn

paddle.seed(0)
images = nn.Sequential(
    nn.Conv2D(3, 8, 3, padding=1), nn.BatchNorm2D(8), nn.ReLU(), nn.MaxPool2D(2, 2), nn.Flatten(),
    nn.Linear(8 * 64, 64), nn.LayerNorm(64), nn.GELU(), nn.Linear(64, 10),
)
words = nn.Embedding(500, 32)
parameters = [*images.parameters(), *words.parameters()]
clip = nn.ClipGradByGlobalNorm(1.0)
optimizer = paddle.optimizer.AdamW(0.01, parameters=parameters, grad_clip=clip)


@paddle.jit.to_static
def step(x, ids, y):
    loss = nn.functional.cross_entropy(images(x), y)
    loss = loss + (nn.functional.softmax(words(ids), -1) ** 2).mean()
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    return loss


numbers = np.random.default_rng(0)


def train():
    x = numbers.standard_normal((32, 3, 16, 16)).astype("float32")
    ids, y = numbers.integers(0, 500, (64, 50)), numbers.integers(0, 10, 32)
    return float(step(*map(paddle.to_tensor, (x, ids, y))))


losses = [train() for _ in range(3)]
digest = hashlib.sha256(b"".join(p.numpy().tobytes() for p in parameters)).hexdigest()
"""
FORK = """
import os

child = os.fork()
if child == 0:
    os._exit(0 if np.isfinite(train()) else 1)
_, status = os.waitpid(child, 0)
print(os.waitstatus_to_exitcode(status), np.isfinite(train()))
"""
INTERRUPT = """
import os, signal, threading

threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    for _ in range(100_000):
        train()
except KeyboardInterrupt:
    print("interrupted", np.isfinite(train()))
"""


def run(path: Path, threads: int = 2, **environment: str) -> str:
    """What a file of Python prints."""
    done = subprocess.run(
        [sys.executable, path],
        env={**os.environ, "OMP_NUM_THREADS": str(threads), **environment},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def program(tmp_path):
    """Writes the training, and what follows it, into a file."""

    def write(rest: str) -> Path:
        path = tmp_path / "training.py"
        path.write_text(TRAINING + rest)
        return path

    return write


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_bits_depend_on_the_number_of_threads_alone(program, threads, tmp_path):
    path, folder = program("print(digest)"), str(tmp_path / "cache")
    first, second = (run(path, threads, TWINOAR_CACHE_DIR=folder) for _ in range(2))
    assert first == second


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_runs_programs_too(program):
    assert run(program(FORK)) == "0 True"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_an_interrupt_ends_the_loop_and_the_program_still_runs(program):
    assert run(program(INTERRUPT)) == "interrupted True"


def test_damaged_code_is_compiled_anew(program, tmp_path):
    folder = tmp_path / "cache"
    path = program("print(digest)")
    wanted = run(path, TWINOAR_CACHE_DIR=str(folder))
    damaged = 0
    for entry in (folder / "code").iterdir():
        data = bytearray(entry.read_bytes())
        data[len(data) // 2] ^= 0xFF
        entry.write_bytes(data)
        damaged += 1
    assert damaged
    assert run(path, TWINOAR_CACHE_DIR=str(folder)) == wanted
