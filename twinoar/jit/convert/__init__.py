"""Python syntax into calls that decide at run time: transformers, and the runtime they call."""
