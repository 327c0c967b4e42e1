"""Operators written in C++: built with the system's compiler, loaded, and used like built-in ones."""

# Written by tools/stubs.py.

from twinoar.utils.cpp_extension import *
