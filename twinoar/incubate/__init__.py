"""Names that Paddle keeps apart until they are settled."""

from twinoar.incubate import autograd

__all__ = ["autograd"]
