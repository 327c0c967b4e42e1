"""Passes: functions from Program to Program, for users and for the compiler."""

# Written by tools/stubs.py.

from twinoar.passes import *
