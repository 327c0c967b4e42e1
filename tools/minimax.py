"""Write twinoar/compile/math/coefficients.py: polynomials of the elementary functions.

Run with mpmath and ruff installed; the same versions give the same bytes. With `--check` nothing is
written, and the exit status says whether the file has what it should have.

Each polynomial has the least greatest weighted error on its interval: E. Remez, "Sur la
détermination des polynômes d'approximation de degré donnée", Communications de la Société
mathématique de Kharkov 10 (1934), on a grid of Chebyshev points. Coefficients are then rounded to
their dtype; those of float32 are moved by units in the last place as long as the error falls.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
from mpmath import mp, mpf

FILE = Path(__file__).parents[1] / "twinoar" / "compile" / "math" / "coefficients.py"
HEAD = '''"""Polynomials of the elementary functions; tools/minimax.py writes and describes them.

Coefficients of powers 0, 1, 2, ..., and constants as sums, by the name of the dtype they are for.
"""

'''
POINTS_PER_TERM = 50
LEVEL = mpf("1.001")  # the greatest error of a finished fit over the least that is possible
WIDER = mpf("1.0005")  # reduced arguments overstep their interval by rounding

mp.dps = 50
Function = Callable[[mpf], mpf]


@dataclass(frozen=True)
class Fit:
    """A function on [low, high]; |weight| times the error is what is made small."""

    name: str
    function: Function
    weight: Function
    low: mpf
    high: mpf
    terms: dict[str, int]  # number of coefficients, by dtype


def odd(f: Function) -> tuple[Function, Function]:
    """P and its weight, for f(x) = x + x^3 P(x^2)."""

    def part(s: mpf) -> mpf:
        return (f(mp.sqrt(s)) / mp.sqrt(s) - 1) / s

    return part, lambda s: s * mp.sqrt(s) / f(mp.sqrt(s))


def erfc_variable(x: mpf) -> mpf:
    """(x - k) / (x + k), the variable of P for erfc."""
    return (x - ERFC_SHIFT) / (x + ERFC_SHIFT)


def scaled_erfc(q: mpf) -> mpf:
    """P and its weight, for erfc."""
    x = ERFC_SHIFT * (1 + q) / (1 - q)
    return mp.exp(x**2) * mp.erfc(x) * (x + ERFC_SHIFT)


@cache
def erfinv_factor(w: mpf) -> mpf:
    """erfinv(x) / x, of w = -log(1 - x^2)."""
    x = mp.sqrt(-mp.expm1(-w))
    return mp.erfinv(x) / x


LN2 = mp.log(2)
ROOT_HALF = mp.sqrt(mpf(1) / 2)
ERF_MIDDLE = mpf("2.46501")  # erf of it is nearly a float32
ERFC_SHIFT = mpf(2)
ERFINV_SPLIT, ERFINV_CENTER, ERFINV_TAIL_CENTER = mpf(9), mpf("4.5"), mpf("4.5")

FITS = [
    # e^r = 1 + r + r^2 P(r); the error is measured against e^r - 1
    Fit("EXP", lambda r: (mp.expm1(r) - r) / r**2, lambda r: r**2 / mp.expm1(r),
        -LN2 / 2 * WIDER, LN2 / 2 * WIDER, {"float32": 5, "float64": 11}),
    # 2^r = 1 + r P(r)
    Fit("EXP2", lambda r: mp.expm1(r * LN2) / r, lambda r: r / mp.expm1(r * LN2),
        -WIDER / 2, WIDER / 2, {"float32": 6, "float64": 11}),
    # 2^f = (c + f) / (c - f) with c = f coth(f log(2) / 2) = P(f^2); the error is that of 2^f
    Fit("COTH", lambda s: mp.sqrt(s) * mp.coth(mp.sqrt(s) * LN2 / 2),
        lambda s: 2 * mp.sinh(mp.sqrt(s) * LN2 / 2) ** 2 / mp.sqrt(s),
        mpf(0), (WIDER / 2) ** 2, {"float32": 3, "float64": 6}),
    # log(1 + f) = f + f^2 P(f)
    Fit("LOG", lambda f: (mp.log1p(f) - f) / f**2, lambda f: f**2 / mp.log1p(f),
        ROOT_HALF - 1, 2 * ROOT_HALF - 1, {"float32": 9, "float64": 21}),
    # tanh(r) = r + r^3 P(r^2)
    Fit("TANH", *odd(mp.tanh), mpf(0), (LN2 * 3 / 8 * WIDER) ** 2, {"float32": 3, "float64": 8}),
    # erf(x) = x + x P(x^2) for |x| < 1
    Fit("ERF", lambda s: mp.erf(mp.sqrt(s)) / mp.sqrt(s) - 1,
        lambda s: mp.sqrt(s) / mp.erf(mp.sqrt(s)), mpf(0), mpf(1), {"float32": 6, "float64": 12}),
    # erf(x) = P(x - ERF_MIDDLE) for 1 <= |x|, to where it rounds to 1
    Fit("ERF_LARGE", lambda u: mp.erf(ERF_MIDDLE + u), lambda u: 1 / mp.erf(ERF_MIDDLE + u),
        1 - ERF_MIDDLE, ERF_MIDDLE - 1, {"float32": 13}),
    # erfc(x) = e^(-x^2) t P((x - k) t) with t = 1 / (x + k) and k = ERFC_SHIFT, for 1 <= x <= 28
    Fit("ERFC", scaled_erfc, lambda q: 1 / scaled_erfc(q),
        erfc_variable(mpf(1)), erfc_variable(mpf(28)), {"float64": 20}),
    # erfinv(x) = x P(w - ERFINV_CENTER) with w = -log(1 - x^2) below ERFINV_SPLIT, and then
    # x P(sqrt(w) - ERFINV_TAIL_CENTER), to the last number before 1
    Fit("ERFINV", lambda u: erfinv_factor(ERFINV_CENTER + u),
        lambda u: 1 / erfinv_factor(ERFINV_CENTER + u),
        -ERFINV_CENTER, ERFINV_SPLIT - ERFINV_CENTER, {"float64": 28}),
    Fit("ERFINV_TAIL", lambda u: erfinv_factor((ERFINV_TAIL_CENTER + u) ** 2),
        lambda u: 1 / erfinv_factor((ERFINV_TAIL_CENTER + u) ** 2),
        mp.sqrt(ERFINV_SPLIT) - ERFINV_TAIL_CENTER, mpf("6.01") - ERFINV_TAIL_CENTER,
        {"float64": 26}),
    # log(x) = 2 (s + s^3 / 3 + s^5 P(s^2)) with s = (x - 1) / (x + 1)
    Fit("ATANH", lambda z: (odd(mp.atanh)[0](z) - mpf(1) / 3) / z, lambda z: z**2,
        mpf(0), ((ROOT_HALF - 1) / (ROOT_HALF + 1)) ** 2 * WIDER, {"float64": 9}),
    # sin(r) = r + r^3 P(r^2) and cos(r) = 1 - r^2 / 2 + r^4 P(r^2)
    Fit("SIN", *odd(mp.sin), mpf(0), (mp.pi / 4 * WIDER) ** 2, {"float32": 3, "float64": 6}),
    Fit("COS", lambda s: (mp.cos(mp.sqrt(s)) - 1 + s / 2) / s**2,
        lambda s: s**2 / mp.cos(mp.sqrt(s)),
        mpf(0), (mp.pi / 4 * WIDER) ** 2, {"float32": 3, "float64": 6}),
    # asin(x) = x + x^3 P(x^2) for |x| < 1/2
    Fit("ASIN", *odd(mp.asin), mpf(0), mpf(1) / 4, {"float32": 5, "float64": 12}),
    # atan(x) = x + x^3 P(x^2) for |x| < 1
    Fit("ATAN", *odd(mp.atan), mpf(0), mpf(1), {"float32": 8, "float64": 19}),
]  # fmt: skip


def chebyshev_points(low: mpf, high: mpf, count: int) -> list[mpf]:
    """Points of the open interval, denser towards its ends; an even count leaves out the middle."""
    middle, half = (low + high) / 2, (high - low) / 2
    return [middle - half * mp.cos(mp.pi * (i + mpf(1) / 2) / count) for i in range(count)]


def alternations(errors: Sequence[mpf], count: int) -> list[int]:
    """The places of the greatest errors of alternating sign; at most `count`."""
    found: list[int] = []
    for i, error in enumerate(errors):
        if found and (errors[found[-1]] > 0) == (error > 0):
            if abs(error) > abs(errors[found[-1]]):
                found[-1] = i
        else:
            found.append(i)
    while len(found) > count:
        del found[0 if abs(errors[found[0]]) < abs(errors[found[-1]]) else -1]
    return found


def remez(rows: Sequence[Sequence[mpf]], targets: Sequence[mpf]) -> list[mpf]:
    """Coefficients c with the least greatest |targets[i] - rows[i] . c|."""
    terms, points = len(rows[0]), len(rows)
    places = [points * (2 * i + 1) // (2 * terms + 2) for i in range(terms + 1)]
    while True:
        left = mp.matrix([[*rows[i], (-1) ** k] for k, i in enumerate(places)])
        solution = list(mp.lu_solve(left, mp.matrix([targets[i] for i in places])))
        coefficients, level = solution[:-1], abs(solution[-1])
        errors = [t - mp.fdot(row, coefficients) for row, t in zip(rows, targets, strict=True)]
        if max(map(abs, errors)) < level * LEVEL:
            return coefficients
        places = alternations(errors, terms + 1)


def fitted(fit: Fit, dtype: str) -> tuple[list[float], float]:
    """The rounded coefficients and the base-2 logarithm of their greatest error."""
    terms = fit.terms[dtype]
    points = chebyshev_points(fit.low, fit.high, POINTS_PER_TERM * (terms + 1) // 2 * 2)
    weights = [abs(fit.weight(x)) for x in points]
    rows = [[w * x**k for k in range(terms)] for x, w in zip(points, weights, strict=True)]
    targets = [w * fit.function(x) for x, w in zip(points, weights, strict=True)]
    kind = np.dtype(dtype).type
    rounded = [kind(float(c)) for c in remez(rows, targets)]
    exact = [mpf(float(c)) for c in rounded]
    errors = np.array(
        [float(t - mp.fdot(row, exact)) for row, t in zip(rows, targets, strict=True)]
    )
    if dtype == "float32":
        rounded, errors = descended(rounded, errors, np.array(rows, float))
    return [float(str(c)) for c in rounded], float(np.log2(np.abs(errors).max()))


def moves(coefficients: Sequence[np.floating]) -> Iterator[tuple[int, np.floating]]:
    """Each coefficient one and two units in the last place up and down: its place, new value."""
    for k, c in enumerate(coefficients):
        for end in (-np.inf, np.inf):
            near = np.nextafter(c, type(c)(end))
            yield k, near
            yield k, np.nextafter(near, type(c)(end))


def descended(
    coefficients: list[np.floating], errors: np.ndarray, rows: np.ndarray
) -> tuple[list[np.floating], np.ndarray]:
    """Coefficients moved, two at a time, while the greatest error falls; the errors that remain."""
    while True:
        steps = [
            (k, new, (float(new) - float(coefficients[k])) * rows[:, k])
            for k, new in moves(coefficients)
        ]
        pairs = [(step,) for step in steps] + list(combinations(steps, 2))
        after = [np.abs(errors - sum(change for _, _, change in pair)).max() for pair in pairs]
        best = int(np.argmin(after))
        if after[best] >= np.abs(errors).max() * 0.9999:
            return coefficients, errors
        for k, new, change in pairs[best]:
            coefficients[k] = new
            errors = errors - change


# 1 / (2 pi) in rows for ever greater arguments: by how many bits a row begins later than the one
# before, the number of rows, the bits of all factors but the last, and the power of 2 that keeps
# factors normal.
TURNS = {"float32": (30, 4, (29, 29), 0), "float64": (47, 21, (53, 53, 53), 500)}
TURN_PRECISION = 1300  # bits of 1 / (2 pi)


def turns(dtype: str) -> str:
    """Factors whose products with an argument are a number of turns, as Python."""
    step, count, widths, raised = TURNS[dtype]
    lines = []
    for skipped in range(0, step * count, step):
        with mp.workprec(TURN_PRECISION):
            rest, end, row = mp.frac(mp.ldexp(1 / (2 * mp.pi), skipped)), 0, []
            for width in widths:
                end += width
                row.append(mp.ldexp(mp.floor(mp.ldexp(rest, end)), -end))
                rest -= row[-1]
            factors = [float(mp.ldexp(c, raised - skipped)) for c in (*row, rest)]
        lines.append(f"        ({', '.join(map(repr, factors))}),\n")
    return f'    "{dtype}": (\n{"".join(lines)}    ),\n'


NUMBERS = {
    "ERF_MIDDLE": float(ERF_MIDDLE),
    "ERFC_SHIFT": float(ERFC_SHIFT),
    "ERFINV_SPLIT": float(ERFINV_SPLIT),
    "ERFINV_CENTER": float(ERFINV_CENTER),
    "ERFINV_TAIL_CENTER": float(ERFINV_TAIL_CENTER),
    "TURN_STEP": {dtype: step for dtype, (step, *_) in TURNS.items()},
    "TURN_RAISED": {dtype: raised for dtype, (*_, raised) in TURNS.items()},
}
# Constants as sums of a few numbers of a dtype.
SUMS = {
    "LN2": (LN2, 2),
    "LOG2_E": (1 / LN2, 2),
    "LOG10_E": (1 / mp.log(10), 2),
    "LOG10_2": (LN2 / mp.log(10), 2),
    "HALF_PI": (mp.pi / 2, 2),
    "THIRD": (mpf(1) / 3, 2),
}


def parts(value: mpf, count: int, dtype: str) -> list[float]:
    """Numbers of a dtype, the next always the nearest to what is missing."""
    found: list[float] = []
    for _ in range(count):
        nearest = np.dtype(dtype).type(float(value))
        value -= mpf(float(nearest))
        found.append(float(str(nearest)))
    return found


def sums(name: str) -> str:
    """A constant of SUMS as Python."""
    value, count = SUMS[name]
    rows = [
        f'    "{dtype}": ({", ".join(map(repr, parts(value, count, dtype)))}),\n'
        for dtype in ("float32", "float64")
    ]
    return f"{name} = {{\n{''.join(rows)}}}\n"


def table(fit: Fit) -> str:
    """The coefficients of a fit as Python."""
    lines = [f"{fit.name} = {{"]
    for dtype in fit.terms:
        coefficients, error = fitted(fit, dtype)
        lines.append(f'    "{dtype}": (  # error 2^{error:.1f}')
        lines += [f"        {c!r}," for c in coefficients]
        lines.append("    ),")
    return "\n".join([*lines, "}\n"])


def formatted(text: str) -> str:
    """Python as ruff lays it out."""
    command = [sys.executable, "-m", "ruff", "format", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def main() -> int:
    numbers = [f"{name} = {value!r}\n" for name, value in NUMBERS.items()]
    rows = ["TURN = {\n", *map(turns, TURNS), "}\n"]
    text = formatted("".join([HEAD, *numbers, *map(sums, SUMS), *rows, *map(table, FITS)]))
    if "--check" in sys.argv:
        return int(FILE.read_text() != text)
    FILE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
