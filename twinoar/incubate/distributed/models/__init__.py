"""`paddle.incubate.distributed.models`: mixtures of experts on several processes."""

from twinoar.incubate.distributed.models import moe

__all__ = ["moe"]
