"""Machine code through LLVM: text of its intermediate representation becomes functions to call."""
