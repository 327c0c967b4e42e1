"""Sliding windows: geometry, columns, and what convolution and pooling share."""
