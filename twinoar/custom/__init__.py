"""Operators of one's own, in Python: compiled, differentiated and saved as the built-in ones are.

`elementwise` takes an expression, `associative_scan` one of two elements, `loop` a loop nest, `op`
other operators, `primitive` the rules one by one; `language` is what elements are computed with,
and `check` holds an operator against itself.
"""

from twinoar.core.loop import language
from twinoar.custom.composite import op, primitive
from twinoar.custom.expression import elementwise
from twinoar.custom.nest import Elements, loop
from twinoar.custom.scan import associative_scan
from twinoar.testing.checks import check

__all__ = [
    "Elements",
    "associative_scan",
    "check",
    "elementwise",
    "language",
    "loop",
    "op",
    "primitive",
]
