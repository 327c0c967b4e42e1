"""Rounding to integers of few bits, and back: what quantized networks are made of."""
