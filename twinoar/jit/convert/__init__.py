"""Python syntax into calls of `jit.runtime`, which decides: a transformer per construct."""
