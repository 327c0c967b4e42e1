"""Names nobody else has in this process: `generate`, `switch` and `guard`."""

from twinoar.core.unique_name import generate, guard, switch

__all__ = ["generate", "guard", "switch"]
