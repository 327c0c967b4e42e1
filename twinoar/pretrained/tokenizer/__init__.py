"""Text as words of a model and back, by the `tokenizer.json` of its folder: byte-pair encoding."""

from twinoar.pretrained.tokenizer.reader import FILE, Tokenizer

__all__ = ["FILE", "Tokenizer"]
