"""`python -m twinoar` is the command `twinoar`."""

import sys

from twinoar.cli import main

if __name__ == "__main__":
    sys.exit(main())
