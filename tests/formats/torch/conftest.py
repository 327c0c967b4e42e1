"""What of this folder is no test."""

collect_ignore = ["exported"]  # its modules are of torch, which is not there
