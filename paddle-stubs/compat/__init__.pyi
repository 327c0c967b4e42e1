"""Other ways to write programs: PyTorch's arguments, and `import paddle`."""

# Written by tools/stubs.py.

from twinoar.compat import *
