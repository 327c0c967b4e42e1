"""Convolution, its gradients and its kin."""
