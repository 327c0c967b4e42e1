"""Where the headers are with which programs for Paddle Inference run an exported library."""

from __future__ import annotations

from pathlib import Path

INCLUDE = Path(__file__).parent / "include"


def get_include() -> str:
    """The folder with `pd_inference_api.h` for C and `paddle_inference_api.h` for C++.

    >>> from pathlib import Path
    >>> (Path(get_include()) / "paddle_inference_api.h").exists()
    True
    """
    return str(INCLUDE)
