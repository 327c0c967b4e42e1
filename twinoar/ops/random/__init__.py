"""Random numbers from a counter, and what draws them."""
