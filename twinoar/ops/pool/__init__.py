"""Pooling over windows and bins."""
