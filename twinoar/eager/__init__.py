"""Eager mode: tensors that hold data, and the interpreter that runs each operator at once."""
