"""Small functions by construct, each run in every way that a function can be run."""
