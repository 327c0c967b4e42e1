"""Copies from one layout, or element type, to another."""

from __future__ import annotations

from twinoar.backends.onednn.attributes import attributes
from twinoar.backends.onednn.layout import Layout
from twinoar.backends.onednn.library import DATA_TYPES, create, engine
from twinoar.backends.onednn.primitive import ARGUMENTS, Primitive, Recipe


def reorder(src: Layout, dst: Layout) -> Primitive | None:
    """dst = src in another layout or element type, None where the library has no such copy.

    Both have one shape. Arguments: src, dst.
    """
    if not {src.dtype, dst.dtype} <= DATA_TYPES.keys():
        return None
    places = (src.descriptor(), engine(), dst.descriptor(), engine())
    descriptor = create("primitive_desc", "reorder_primitive_desc_create", *places, attributes())
    if descriptor is None:
        return None
    numbers = {name: ARGUMENTS[name] for name in ("src", "dst")}
    return Primitive(descriptor, numbers, Recipe("reorder", (src, dst)))
