"""Paddle Serving's names over this server: models converted, served and asked as it does."""

__all__: list[str] = []
