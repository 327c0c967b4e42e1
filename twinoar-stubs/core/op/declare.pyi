"""What operators are declared with."""

# Written by tools/stubs.py.

from typing import Any

from twinoar import Tensor as Tensor
from twinoar import Tensor as Value

def __getattr__(name: str) -> Any: ...
