"""A static library of one object: an archive as `ar` writes it, with an index of its symbols."""

from __future__ import annotations

from collections.abc import Sequence

MAGIC = b"!<arch>\n"


def static_library(content: bytes, name: str, symbols: Sequence[str]) -> bytes:
    """The archive of an object, in which linkers find the symbols."""
    texts = b"".join(s.encode() + b"\0" for s in symbols)
    texts += bytes(len(texts) % 2)
    index_size = 4 + 4 * len(symbols) + len(texts)
    head = 60
    object_at = len(MAGIC) + head + index_size
    words = [len(symbols), *[object_at] * len(symbols)]
    index = b"".join(w.to_bytes(4, "big") for w in words) + texts
    return b"".join(
        [
            MAGIC,
            _member("/", len(index)),
            index,
            _member(f"{name[:15]}/", len(content)),
            content,
            b"\n" * (len(content) % 2),
        ]
    )


def _member(name: str, size: int) -> bytes:
    """What stands before a member: no date and no owner, so that equal models give equal files."""
    return f"{name:<16}{0:<12}{0:<6}{0:<6}{'644':<8}{size:<10}`\n".encode()
