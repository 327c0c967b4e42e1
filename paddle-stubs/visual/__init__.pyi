"""What one looks at while training, in VisualDL's form: `LogWriter`, `LogReader`, `Monitor`."""

# Written by tools/stubs.py.

from twinoar.visual import *
