"""Paddle Inference: running saved models, by `Config`, `create_predictor` and handles."""

# Written by tools/stubs.py.

from twinoar.inference import *
