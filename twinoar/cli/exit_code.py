"""What the process of a command ends with where it is not 0."""

CANNOT_SHOW = DIFFERS = 1
CANNOT_OPEN = 2  # python's own exit code for a script that it cannot open
