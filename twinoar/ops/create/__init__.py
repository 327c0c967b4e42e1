"""Tensors made from shapes and numbers."""
