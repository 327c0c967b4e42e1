"""Operators held against themselves: samples, calls of them, and the checks of each rule."""
