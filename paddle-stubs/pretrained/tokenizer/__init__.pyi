"""Text as words of a model and back, by the `tokenizer.json` of its folder: byte-pair encoding."""

# Written by tools/stubs.py.

from twinoar.pretrained.tokenizer import *
