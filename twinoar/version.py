"""twinoar's own version, and the version of Paddle's API that it speaks (`paddle.version`)."""

from __future__ import annotations

__all__ = ["cuda", "cudnn", "full_version", "major", "minor", "patch", "rc", "show"]

__version__ = "0.1.0"  # twinoar's own; pyproject.toml reads it here

full_version = "3.3.1"
major, minor, patch = full_version.split(".")
rc = "0"


def cuda() -> str:
    """The CUDA version as text; "False", as Paddle says it, where there is none.

    >>> import twinoar
    >>> twinoar.version.cuda()
    'False'
    """
    return "False"


def cudnn() -> str:
    """The cuDNN version as text; "False", as Paddle says it, where there is none."""
    return "False"


def show() -> None:
    """Print the version of Paddle's API, then twinoar's own."""
    print(f"full_version: {full_version}")
    print(f"major: {major}\nminor: {minor}\npatch: {patch}\nrc: {rc}")
    print(f"cuda: {cuda()}\ncudnn: {cudnn()}")
    print(f"twinoar: {__version__}")
