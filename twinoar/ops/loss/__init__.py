"""Losses, and the measures of classification."""
