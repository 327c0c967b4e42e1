"""Types and attributes in a `.json` program, as Python values and back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.errors import FileError
from twinoar.formats.paddle.schema import CODE_OF_DTYPE, DTYPE_OF_CODE

# By the tag of an element type.
DTYPE_OF_TAG = {
    "0.t_bool": "bool", "0.t_i8": "int8", "0.t_ui8": "uint8", "0.t_i16": "int16",
    "0.t_i32": "int32", "0.t_i64": "int64", "0.t_f16": "float16", "0.t_bf16": "bfloat16",
    "0.t_f32": "float32", "0.t_f64": "float64", "0.t_c64": "complex64", "0.t_c128": "complex128",
    "0.t_f8e4m3fn": "float8_e4m3fn", "0.t_f8e5m2": "float8_e5m2",
}  # fmt: skip
TAG_OF_DTYPE = {name: tag for tag, name in DTYPE_OF_TAG.items()}
SCALARS = {"bool": "a_bool", "i32": "a_i32", "i64": "a_i64", "f32": "a_f32", "f64": "a_f64",
           "str": "a_str"}  # fmt: skip
INFINITE = {"INF": float("inf"), "-INF": float("-inf"), "NaN": float("nan")}
UNDEFINED = "Undefined"  # begins the name of the dtype that is that of the operands


def attribute(told: Any) -> Any:
    """The Python value of an attribute; a dtype by its code in a `.pdmodel`, -1 for that of x."""
    tag = told["#"].partition(".")[2]
    if "VD" in told:
        return INFINITE[told["VD"]]
    data = told.get("D")
    if tag == "a_array":
        return [attribute(element) for element in data]
    if tag == "a_scalar":
        return complex(*data[1:]) if len(data) > 2 else data[1]
    if tag in ("a_c64", "a_c128"):
        return complex(*data)
    if tag == "a_dtype":
        return -1 if data.startswith(UNDEFINED) else CODE_OF_DTYPE[data]
    if tag == "a_type":
        return tensor_type(data)
    return data


def attributes(operator: Any) -> dict[str, Any]:
    """The attributes of an operator by name."""
    return {told["N"]: attribute(told["AT"]) for told in operator.get("A", ())}


def tensor_type(told: Any) -> tuple[str, list[int]] | None:
    """Dtype and sizes of a value, -1 for those that are not known; None where it is no tensor."""
    if told is None or told["#"] != "0.t_dtensor":
        return None
    element, sizes, *_ = told["D"]
    if element["#"] not in DTYPE_OF_TAG:
        raise FileError(f"there is no element type {element['#']!r}")
    if not all(isinstance(size, int) for size in sizes):
        raise FileError(f"expected sizes, received {str(sizes)[:80]}")
    return DTYPE_OF_TAG[element["#"]], list(sizes)


# Back.


def scalar(value: Any, kind: str) -> dict[str, Any]:
    """A number or text as an attribute."""
    tag = f"0.{SCALARS[kind]}"
    if kind in ("f32", "f64"):
        number = float(np.float32(value)) if kind == "f32" else float(value)
        if not math.isfinite(number):
            return {"#": tag, "VD": "NaN" if number != number else "INF" if number > 0 else "-INF"}
        return {"#": tag, "D": number}
    return {"#": tag, "D": value}


def encoded(value: Any, kind: str) -> dict[str, Any]:
    """A value as an attribute of a kind of the table."""
    if kind.startswith("["):
        element = kind[1:-1] or "i32"
        values = value if isinstance(value, list) else [value]
        return {"#": "0.a_array", "D": [scalar(x, element) for x in values]}
    if kind == "values":
        element = {bool: "bool", int: "i64", float: "f32"}[type(value[0])] if value else "i32"
        return encoded(value, f"[{element}]")
    if kind == "ints":
        return {"#": "1.a_intarray", "D": list(value)}
    if kind == "dtype":
        known = isinstance(value, int) and value >= 0
        name = DTYPE_OF_CODE[value] if known else value if isinstance(value, str) else None
        return {"#": "1.a_dtype", "D": name or f"{UNDEFINED}(ALL_DTYPE)"}
    if kind == "place":
        return {"#": "1.a_place", "D": list(value)}
    if kind == "scalar":
        return {"#": "1.a_scalar", "D": [_dtype_of_number(value), value]}
    return scalar(value, kind)


def _dtype_of_number(value: Any) -> str:
    return {bool: "bool", int: "int64", float: "float64"}[type(value)]


def named(**values: dict[str, Any]) -> list[dict[str, Any]]:
    """Attributes by name."""
    return [{"N": name, "AT": value} for name, value in values.items()]


def tensor(dtype: str, sizes: Sequence[int]) -> dict[str, Any]:
    """The type of a tensor."""
    return {"#": "0.t_dtensor", "D": [{"#": TAG_OF_DTYPE[dtype]}, list(sizes), "NCHW", [], 0]}
