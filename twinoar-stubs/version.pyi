"""twinoar's own version, and the version of Paddle's API that it speaks (`paddle.version`)."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

def cinn() -> builtins.str:
    """The cinn version as text; 'False', as Paddle says it: there is none."""
commit: builtins.str
def cuda() -> builtins.str:
    """The CUDA version as text; 'False', as Paddle says it, where there is none."""
def cuda_archs() -> builtins.list[builtins.int]:
    """The kinds of GPUs that this version has code for: none."""
def cudnn() -> builtins.str:
    """The cudnn version as text; 'False', as Paddle says it: there is none."""
full_version: builtins.str
hip: None
major: builtins.str
minor: builtins.str
def nccl() -> builtins.str:
    """The nccl version as text; '0', as Paddle says it: there is none."""
patch: builtins.str
rc: builtins.str
def show() -> None:
    """Print the version of Paddle's API, then twinoar's own."""
def tensorrt() -> builtins.str:
    """The tensorrt version as text; 'None', as Paddle says it: there is none."""
def xpu() -> builtins.str:
    """The xpu version as text; 'False', as Paddle says it: there is none."""
def xpu_xccl() -> builtins.str:
    """The xpu_xccl version as text; 'False', as Paddle says it: there is none."""
def xpu_xhpc() -> builtins.str:
    """The xpu_xhpc version as text; 'False', as Paddle says it: there is none."""
def xpu_xre() -> builtins.str:
    """The xpu_xre version as text; 'False', as Paddle says it: there is none."""
