"""`python -m twinoar` is the command `twinoar`."""

from __future__ import annotations

import sys

from twinoar.cli import main

if __name__ == "__main__":
    sys.exit(main())
