"""Random functions of what is hazardous to convert, held against eager Python: see `__main__`."""
