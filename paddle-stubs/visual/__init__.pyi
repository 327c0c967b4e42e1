"""What one looks at while training, in VisualDL's form: `LogWriter` and `LogReader`."""

# Written by tools/stubs.py.

from twinoar.visual import *
