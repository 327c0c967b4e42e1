"""Whether two outcomes of a call agree, and the differences that are known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

EQUAL, SILENT, ONLY_HERE, ONLY_THERE = "equal", "silent", "refused here", "refused there"
CRASH, KNOWN, BOTH = "crash there", "known", "refused by both"
UNSTABLE = "ill-conditioned"

# Relative to the largest element: Paddle sums float32 in other orders, and its exponential
# and its gamma function are approximations.
TOLERANCE = {"float16": 4e-3, "float32": 1e-4, "complex64": 1e-4, "complex128": 1e-6}
EXACT = 3e-7  # float64: some of Paddle's constants, and of what enters it, have float32's digits
KNOWN_LIST = Path(__file__).with_name("known.txt")


def verdict(own: dict[str, Any], real: dict[str, Any]) -> tuple[str, str]:
    """One of the words above, and what differs."""
    if real.get("error") == "crash":
        return CRASH, ""
    if "error" in own or "error" in real:
        kinds = {(1, 1): BOTH, (1, 0): ONLY_HERE, (0, 1): ONLY_THERE}
        kind = kinds[int("error" in own), int("error" in real)]
        return kind, own.get("error", real.get("error", ""))
    different = "; ".join(differences(own, real))
    return (SILENT, different) if different else (EQUAL, "")


def differences(own: Any, real: Any, where: str = "") -> Iterator[str]:
    """What differs, in words; no gradient is as good as one without elements."""
    if is_nothing(own) and is_nothing(real):
        return
    if isinstance(own, dict) and isinstance(real, dict) and own.keys() == real.keys():
        for key in real:
            if key == "array" and own["dtype"] == real["dtype"]:
                if not alike(own[key], real[key], real["dtype"]):
                    yield f"{where}: {own[key].tolist()!r} for {real[key].tolist()!r}"
            elif key == "stopped" and own["array"].size == 0:
                continue  # Paddle stops the gradients of some results without elements
            elif key != "array":
                yield from differences(own[key], real[key], f"{where}.{key}")
    elif isinstance(own, (list, tuple)) and isinstance(real, (list, tuple)):
        if len(own) != len(real):
            yield f"{where}: {len(own)} values for {len(real)}"
        else:
            for i, pair in enumerate(zip(own, real, strict=True)):
                yield from differences(*pair, f"{where}[{i}]")
    elif not (type(own) is type(real) and (own == real or own != own)):
        numbers = isinstance(own, float) and isinstance(real, float)
        if not (numbers and alike(np.float64(own), np.float64(real), "float32")):
            yield f"{where}: {short(own)} for {short(real)}"


def is_nothing(gradient: Any) -> bool:
    """Whether it is None or an array without elements."""
    is_array = isinstance(gradient, dict) and isinstance(gradient.get("array"), np.ndarray)
    return gradient is None or (is_array and gradient["array"].size == 0)


def short(value: Any) -> str:
    if isinstance(value, dict) and "array" in value:
        return f"{value['dtype']} {value['array'].tolist()!r:.100}"
    return f"{value!r:.120}"


def alike(own: Any, real: Any, dtype: str) -> bool:
    """Whether two arrays agree to what their dtype can tell."""
    own, real = np.asarray(own), np.asarray(real)
    if own.shape != real.shape:
        return False
    if real.dtype.kind == "c":
        return alike(own.real, real.real, dtype) and alike(own.imag, real.imag, dtype)
    if real.dtype.kind != "f":
        return bool(np.array_equal(own, real))
    relative = TOLERANCE.get(dtype, EXACT)
    finite = np.abs(real[np.isfinite(real)])
    least = relative * max(float(finite.max(initial=0.0)), 1e-2)
    with np.errstate(all="ignore"):
        return bool(np.allclose(own, real, rtol=relative, atol=least, equal_nan=True))


@cache
def known() -> dict[str, list[re.Pattern[str]]]:
    """Of each function, patterns of what is known to differ, from known.txt."""
    found: dict[str, list[re.Pattern[str]]] = {}
    for line in KNOWN_LIST.read_text().splitlines():
        if line and not line.startswith("#"):
            names, pattern, _reason = line.split(" | ")
            for name in names.split():
                found.setdefault(name, []).append(re.compile(pattern))
    return found


def is_known(name: str, text: str, different: str) -> bool:
    """Whether a line of known.txt has the function, and a pattern found in the call or after it."""
    return any(p.search(f"{text} => {different}") for p in known().get(name, []))
