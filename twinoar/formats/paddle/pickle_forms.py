"""The names that a parameter file's pickle may contain, and the data that each stands for.

Nothing here imports, calls or evaluates what a file names: a name is a key into `FORMS`, and its
arguments are checked and turned into plain data by one of `BUILDERS`. A form raises `UnsafeForm`
where a real pickle loader would run code, ValueError where the file is damaged.

Paddle stores bfloat16 as uint16 and does not record which it was. The rule here: an element type
spelled `u2`, as NumPy itself writes it, is bfloat16, as Paddle reads it; spelled `uint16`, as
`pickling` writes genuine uint16, it is uint16. NumPy takes both for the same, so the real Paddle
loads either.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable

import ml_dtypes
import numpy as np

from twinoar.formats.cursor import array_from_bytes
from twinoar.late import dataclass

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
NUMBERS = ("b1", "i1", "i2", "i4", "i8", "u1", "u4", "u8", "f2", "f4", "f8", "c8", "c16")
ELEMENT_TYPES = {
    **{name: np.dtype(name) for name in NUMBERS},
    "u2": BFLOAT16,
    "uint16": np.dtype(np.uint16),
}
TEXT_TYPE = re.compile(r"[SU][1-9][0-9]{0,5}")


class UnsafeForm(ValueError):
    """Something that a real pickle loader would run."""


@dataclass(frozen=True)
class Form:
    """A name that a pickle may contain."""

    name: str


@dataclass
class ElementType:
    """An element type under construction: its byte order arrives after its name."""

    name: str
    order: str = "="

    def numpy(self) -> np.dtype:
        """The NumPy form."""
        if self.name not in ELEMENT_TYPES:
            return np.dtype(self.order + self.name)  # text, of a checked spelling
        dtype = ELEMENT_TYPES[self.name]
        return dtype if dtype == BFLOAT16 else dtype.newbyteorder(self.order)

    def complete(self, state: tuple) -> None:
        """Take the byte order from the state that NumPy writes; structures are refused."""
        if len(state) < 5 or state[1] not in ("<", ">", "|", "="):
            raise ValueError("expected the state of an element type")
        if any(part is not None for part in state[2:5]):
            raise ValueError("expected plain elements, received a structure")
        self.order = "=" if state[1] == "|" else state[1]
        if self.order == ">" and ELEMENT_TYPES.get(self.name) == BFLOAT16:
            raise ValueError("expected bfloat16 in little-endian order, received big-endian")


@dataclass
class Array:
    """An array under construction: shape, type and elements arrive after it was made."""

    value: np.ndarray | None = None

    def complete(self, state: tuple) -> np.ndarray:
        """The array of the state that NumPy writes: version, shape, type, column-major, bytes."""
        if self.value is not None or len(state) != 5:
            raise ValueError("expected the state of a new array")
        _, shape, element, column_major, data = state
        if type(shape) is not tuple or not isinstance(element, ElementType):
            raise ValueError("expected the shape and element type of an array")
        self.value = array_from_bytes(
            _raw(data), element.numpy(), shape, column_major=column_major is True
        )
        return self.value


def check_key(key: object) -> None:
    """Refuse keys that could take forever to hash or tell apart: nested tuples, giant integers."""
    for part in key if type(key) is tuple else (key,):
        if type(part) is int and not -(2**63) <= part < 2**64:
            raise ValueError("expected a key of at most 64 bits")
        if type(part) not in SCALARS and not isinstance(part, np.generic):
            raise ValueError("expected text, a number or a tuple of such as the key of a dict")


def _raw(data: object) -> bytes:
    """The bytes of elements; Python 2 wrote them as a string."""
    if isinstance(data, str):
        return data.encode("latin1")
    if not isinstance(data, bytes):
        raise ValueError("expected the bytes of an array")
    return data


def _begin_array(arguments: tuple) -> Array:
    # The shape and type in the arguments are replaced by the state; nothing is allocated for them.
    if not arguments or arguments[0] is not NDARRAY:
        raise ValueError("expected a plain NumPy array")
    return Array()


def _begin_element_type(arguments: tuple) -> ElementType:
    name = arguments[0] if arguments else None
    if not isinstance(name, str) or not (name in ELEMENT_TYPES or TEXT_TYPE.fullmatch(name)):
        shown = name[:40] if isinstance(name, str) else "something else"
        raise ValueError(f"expected numbers, booleans or text as elements, received {shown!r}")
    return ElementType(name)


def _scalar(arguments: tuple) -> np.generic:
    if len(arguments) != 2 or not isinstance(arguments[0], ElementType):
        raise ValueError("expected the type and the bytes of a NumPy scalar")
    return array_from_bytes(_raw(arguments[1]), arguments[0].numpy(), ())[()]  # type: ignore[return-value]  # of shape ()


def _tuple(arguments: tuple) -> tuple:
    if len(arguments) != 1 or not isinstance(arguments[0], tuple | list):
        raise ValueError("expected the elements of a tuple")
    return tuple(arguments[0])


def _set(arguments: tuple) -> set:
    items = _tuple(arguments) if arguments else ()
    for item in items:
        check_key(item)
    return set(items)


def _bytes(arguments: tuple) -> bytes:
    if arguments:
        raise ValueError("expected no bytes")
    return b""


def ordered_dict(arguments: tuple) -> OrderedDict:
    """An empty OrderedDict, which takes no arguments."""
    if arguments:
        raise ValueError("expected an empty OrderedDict")
    return OrderedDict()


def _complex(arguments: tuple) -> complex:
    if len(arguments) != 2 or not all(type(part) is float for part in arguments):
        raise ValueError("expected the two parts of a complex number")
    return complex(*arguments)


def _latin1(arguments: tuple) -> bytes:
    """Bytes as protocol 2 has them."""
    if len(arguments) != 2 or not isinstance(arguments[0], str) or arguments[1] != "latin1":
        raise ValueError("expected text and its encoding latin1")
    return arguments[0].encode("latin1")


def _static_tensor(arguments: tuple) -> np.ndarray:
    """The array of a static program's tensor.

    Paddle writes it as `eval('data', {'data': array})`. Exactly that is understood, as data;
    nothing is evaluated.
    """
    if len(arguments) == 2 and arguments[0] == "data" and type(arguments[1]) is dict:
        data = arguments[1].get("data")
        if len(arguments[1]) == 1 and isinstance(data, np.ndarray):
            return data
    raise UnsafeForm("the file asks for builtins.eval, which runs code")


NDARRAY, ARRAY, SCALAR, ELEMENT = Form("ndarray"), Form("array"), Form("scalar"), Form("dtype")
TUPLE, SET, BYTES, COMPLEX = Form("tuple"), Form("set"), Form("bytes"), Form("complex")
ORDERED, LATIN1, EVAL = Form("OrderedDict"), Form("latin1"), Form("eval")
SCALARS = (str, int, float, complex, bool, bytes, type(None))

# The names of Python 2 are those of protocol 2; `numpy._core` is NumPy 2's spelling.
FORMS = {
    **{f"numpy.{core}.multiarray._reconstruct": ARRAY for core in ("core", "_core")},
    **{f"numpy.{core}.multiarray.scalar": SCALAR for core in ("core", "_core")},
    **{
        f"{module}.{form.name}": form
        for module in ("builtins", "__builtin__")
        for form in (TUPLE, SET, BYTES, COMPLEX, EVAL)
    },
    "numpy.ndarray": NDARRAY,
    "numpy.dtype": ELEMENT,
    "_codecs.encode": LATIN1,
    "collections.OrderedDict": ORDERED,
}

BUILDERS: dict[Form, Callable[[tuple], object]] = {
    ARRAY: _begin_array,
    SCALAR: _scalar,
    ELEMENT: _begin_element_type,
    TUPLE: _tuple,
    SET: _set,
    BYTES: _bytes,
    COMPLEX: _complex,
    ORDERED: ordered_dict,
    LATIN1: _latin1,
    EVAL: _static_tensor,
}
