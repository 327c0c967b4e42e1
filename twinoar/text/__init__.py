"""Data sets of texts: none in this version."""

__all__: list[str] = []
