"""Distillation of Programs: a teacher merged into a student's, and losses between Variables."""

# Written by tools/stubs.py.

from twinoar.slim.dist import *
