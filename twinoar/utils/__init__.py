"""Small things that belong to no other namespace."""

from twinoar.utils import dlpack, unique_name

__all__ = ["dlpack", "unique_name"]
