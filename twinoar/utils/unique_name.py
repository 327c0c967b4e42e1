"""Names nobody else has in this process: what users may call."""

from twinoar.core.unique_name import generate, guard, switch

__all__ = ["generate", "guard", "switch"]
