"""The files of Paddle, read and written. Reading never runs what a file says."""
