"""The `.json` programs of Paddle 3, which are the operators of a `.pdmodel` in another spelling."""

from twinoar.formats.paddle.pir.read import read_desc

__all__ = ["read_desc"]
