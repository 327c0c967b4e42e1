"""PTQRegistry: which layers ImperativePTQ knows, and which it quantizes."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.quantization import PTQRegistry as PTQRegistry
