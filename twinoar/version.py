"""twinoar's own version, and the version of Paddle's API that it speaks (`paddle.version`)."""

from __future__ import annotations

from collections.abc import Callable

__all__ = [
    "cinn", "commit", "cuda", "cuda_archs", "cudnn", "full_version", "hip", "major",
    "minor", "nccl", "patch", "rc", "show", "tensorrt", "xpu", "xpu_xccl", "xpu_xhpc", "xpu_xre",
]  # fmt: skip

__version__ = "0.1.0"  # twinoar's own; pyproject.toml reads it here

full_version = "3.3.1"
major, minor, patch = full_version.split(".")
rc = "0"
commit = "Unknown"  # as a Paddle says that was built outside its repository
is_tagged = True
with_pip_cuda_libraries = "OFF"


def cuda() -> str:
    """The CUDA version as text; "False", as Paddle says it, where there is none.

    >>> twinoar.version.cuda()
    'False'
    """
    return "False"


def _absent(library: str, answer: str) -> Callable[[], str]:
    def version() -> str:
        return answer

    version.__name__ = library
    version.__doc__ = (
        f"The {library} version as text; {answer!r}, as Paddle says it: there is none."
    )
    return version


cudnn = _absent("cudnn", "False")
nccl = _absent("nccl", "0")
tensorrt = _absent("tensorrt", "None")
xpu, xpu_xccl, xpu_xhpc, xpu_xre = (
    _absent(name, "False") for name in ("xpu", "xpu_xccl", "xpu_xhpc", "xpu_xre")
)
cinn, mkl = (_absent(name, answer) for name, answer in (("cinn", "False"), ("mkl", "ON")))
hip = None  # no function, as in Paddle


def cuda_archs() -> list[int]:
    """The kinds of GPUs that this version has code for: none."""
    return []


def show() -> None:
    """Print the version of Paddle's API, then twinoar's own."""
    print(f"full_version: {full_version}")
    print(f"major: {major}\nminor: {minor}\npatch: {patch}\nrc: {rc}")
    print(f"cuda: {cuda()}\ncudnn: {cudnn()}")
    print(f"twinoar: {__version__}")
