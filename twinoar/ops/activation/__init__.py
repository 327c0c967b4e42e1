"""Activations and softmax."""
