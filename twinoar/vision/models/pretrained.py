"""What `pretrained=True` says: no trained weights are served."""

from __future__ import annotations

from twinoar.errors import UnsupportedError


def check_not(pretrained: bool) -> None:
    """Raises UnsupportedError if trained weights are asked for."""
    if pretrained:
        raise UnsupportedError(
            "there is no place to load trained weights from",
            cure="leave out pretrained, and load Paddle's file: model.set_state_dict(load(path))",
        )
