"""Write the polynomials of twinoar/compile/math: coefficients.py and special_coefficients.py.

Run with mpmath and ruff installed; the same versions give the same bytes. With `--check` nothing is
written, and the exit status says whether the files have what they should have.

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
from typing import Any

import numpy as np
from mpmath import mp, mpf

FOLDER = Path(__file__).parents[1] / "twinoar" / "compile" / "math"
HEAD = '''"""Polynomials of the {} functions; tools/minimax.py writes and describes them.

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


def quotient_variable(x: mpf, center: mpf) -> mpf:
    """(x - k) / (x + k); it moves what is singular at 0, -1, -2, ... away from the interval."""
    return (x - center) / (x + center)


def quotient_fit(name: str, function: Function, to: mpf, center: mpf, terms: int) -> Fit:
    """A polynomial of q = (x - k) / (x + k) for x from 1 to `to`; the error is relative."""

    @cache
    def of(q: mpf) -> mpf:
        return function(center * (1 + q) / (1 - q))

    ends = quotient_variable(mpf(1), center), quotient_variable(to, center)
    return Fit(name, of, lambda q: 1 / of(q), *ends, {"float64": terms})


def far_fit(
    name: str, rest: Function, factor: Function, whole: Function, start: mpf, terms: int
) -> Fit:
    """P(1 / x^2) from `start` on, where factor P is the rest; the error is that of `whole`."""

    def of(f: Function, g: Function) -> Function:
        return lambda w: f(1 / mp.sqrt(w)) / g(1 / mp.sqrt(w))

    return Fit(name, of(rest, factor), of(factor, whole), mpf(0), 1 / start**2, {"float64": terms})


def bessel_fits(order: int, split: dict[str, mpf], terms: dict[str, tuple[int, int]]) -> list[Fit]:
    """I(x) / (x / 2)^order = 1 + t P(t) with t = x^2 / 4, and I(x) e^-x sqrt(x) = P(1 / x - c)."""

    def series(t: mpf) -> mpf:
        root = mp.sqrt(t)
        return (mp.besseli(order, 2 * root) / root**order - 1) / t

    def far(v: mpf) -> mpf:
        return mp.besseli(order, 1 / v) * mp.exp(-1 / v) / mp.sqrt(v)

    fits = []
    for dtype, (near_terms, far_terms) in terms.items():
        end, half = (split[dtype] / 2) ** 2, 1 / split[dtype] / 2
        fits += [
            Fit(f"I{order}", series, lambda t: 1 / (series(t) + 1 / t), mpf(0), end,
                {dtype: near_terms}),
            Fit(f"I{order}_FAR", lambda u, half=half: far(half + u),
                lambda u, half=half: 1 / far(half + u), -half, half, {dtype: far_terms}),
        ]  # fmt: skip
    return fits


LN2 = mp.log(2)
ROOT_HALF = mp.sqrt(mpf(1) / 2)
ERF_MIDDLE = mpf("2.46501")  # erf of it is nearly a float32
ERFC_SHIFT = mpf(2)
ERFINV_SPLIT, ERFINV_CENTER, ERFINV_TAIL_CENTER = mpf(7), mpf("3.5"), mpf("3.5")
ERFINV_ENDS = {"float32": mpf("4.01"), "float64": mpf("6.01")}  # of sqrt(w), next to 1

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
        -ERFINV_CENTER, ERFINV_SPLIT - ERFINV_CENTER, {"float32": 11, "float64": 26}),
    *[Fit("ERFINV_TAIL", lambda u: erfinv_factor((ERFINV_TAIL_CENTER + u) ** 2),
          lambda u: 1 / erfinv_factor((ERFINV_TAIL_CENTER + u) ** 2),
          mp.sqrt(ERFINV_SPLIT) - ERFINV_TAIL_CENTER, ERFINV_ENDS[dtype] - ERFINV_TAIL_CENTER,
          {dtype: terms}) for dtype, terms in (("float32", 8), ("float64", 28))],
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

LGAMMA_FAR, DIGAMMA_FAR = mpf(6), mpf(4)  # asymptotic series from here
DIGAMMA_ROOT = mp.findroot(mp.digamma, 1.46)
BESSEL_SPLIT = {"float32": mpf(6), "float64": mpf(12)}


def sine_part(s: mpf) -> mpf:
    """sin(pi r) / (pi r), of s = r^2."""
    return mp.sinpi(mp.sqrt(s)) / (mp.pi * mp.sqrt(s))


def cotangent_part(s: mpf) -> mpf:
    """pi r cot(pi r), of s = r^2."""
    return mp.pi * mp.sqrt(s) * mp.cot(mp.pi * mp.sqrt(s))


# k of q = (x - k) / (x + k)
LGAMMA_CENTER, DIGAMMA_CENTER = mpf(float(mp.sqrt(LGAMMA_FAR))), mp.sqrt(DIGAMMA_FAR)
SPECIAL_FITS = [
    # lgamma(x) = (x - 1) (x - 2) P(q), and (x - 1/2) (log(x) - 1) + c + P(1 / x^2) / x beyond
    quotient_fit("LGAMMA", lambda x: mp.loggamma(x) / ((x - 1) * (x - 2)),
                 LGAMMA_FAR, LGAMMA_CENTER, 25),
    far_fit("LGAMMA_TAIL",
            lambda x: mp.loggamma(x) - (x - 0.5) * (mp.log(x) - 1) - mp.log(2 * mp.pi) / 2 + 0.5,
            lambda x: 1 / x, mp.loggamma, LGAMMA_FAR, 6),
    # digamma(x) = (x - root) P(q), and log(x) - 1 / (2 x) + P(1 / x^2) / x^2 beyond
    quotient_fit("DIGAMMA", lambda x: mp.digamma(x) / (x - DIGAMMA_ROOT),
                 DIGAMMA_FAR, DIGAMMA_CENTER, 22),
    far_fit("DIGAMMA_TAIL", lambda x: mp.digamma(x) - mp.log(x) + 1 / (2 * x),
            lambda x: 1 / x**2, mp.digamma, DIGAMMA_FAR, 8),
    # its derivative is P(q) / (x + k), and 1 / x + 1 / (2 x^2) + P(1 / x^2) / x^3 beyond
    quotient_fit("TRIGAMMA", lambda x: mp.psi(1, x) * (x + DIGAMMA_CENTER),
                 DIGAMMA_FAR, DIGAMMA_CENTER, 24),
    far_fit("TRIGAMMA_TAIL", lambda x: mp.psi(1, x) - 1 / x - 1 / (2 * x**2),
            lambda x: 1 / x**3, lambda x: mp.psi(1, x), DIGAMMA_FAR, 10),
    # sin(pi r) = pi r P(r^2) for |r| <= 1/2, cot(pi r) = P(r^2) / (pi r) for |r| <= 1/4
    Fit("SINE_OF_TURN", sine_part, lambda s: 1 / sine_part(s), mpf(0), mpf(1) / 4, {"float64": 10}),
    Fit("COTANGENT", cotangent_part, lambda s: 1 / cotangent_part(s), mpf(0), mpf(1) / 16,
        {"float64": 10}),
    *bessel_fits(0, BESSEL_SPLIT, {"float32": (8, 7), "float64": (18, 17)}),
    *bessel_fits(1, BESSEL_SPLIT, {"float32": (8, 7), "float64": (18, 17)}),
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
SPECIAL_NUMBERS = {
    "LGAMMA_FAR": float(LGAMMA_FAR),
    "LGAMMA_CENTER": float(LGAMMA_CENTER),
    "LGAMMA_CONSTANT": float(mp.log(2 * mp.pi) / 2 - 0.5),
    "DIGAMMA_FAR": float(DIGAMMA_FAR),
    "DIGAMMA_CENTER": float(DIGAMMA_CENTER),
    "BESSEL_SPLIT": {dtype: float(split) for dtype, split in BESSEL_SPLIT.items()},
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
SPECIAL_SUMS = {"DIGAMMA_ROOT": (DIGAMMA_ROOT, 2)}


def parts(value: mpf, count: int, dtype: str) -> list[float]:
    """Numbers of a dtype, the next always the nearest to what is missing."""
    found: list[float] = []
    for _ in range(count):
        nearest = np.dtype(dtype).type(float(value))
        value -= mpf(float(nearest))
        found.append(float(str(nearest)))
    return found


def sums(name: str, value: mpf, count: int) -> str:
    """A constant as sums of `count` numbers, as Python."""
    rows = [
        f'    "{dtype}": ({", ".join(map(repr, parts(value, count, dtype)))}),\n'
        for dtype in ("float32", "float64")
    ]
    return f"{name} = {{\n{''.join(rows)}}}\n"


def tables(fits: Sequence[Fit]) -> str:
    """The coefficients of fits as Python; those of one name for several dtypes are one table."""
    rows: dict[str, list[str]] = {}
    for fit in fits:
        for dtype in fit.terms:
            coefficients, error = fitted(fit, dtype)
            rows.setdefault(fit.name, []).append(f'    "{dtype}": (  # error 2^{error:.1f}')
            rows[fit.name] += [*(f"        {c!r}," for c in coefficients), "    ),"]
    return "".join("\n".join([f"{name} = {{", *lines, "}\n"]) for name, lines in rows.items())


def formatted(text: str) -> str:
    """Python as ruff lays it out."""
    command = [sys.executable, "-m", "ruff", "format", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def written(
    kind: str,
    numbers: dict[str, Any],
    constants: dict[str, tuple[mpf, int]],
    rows: Sequence[str],
    fits: Sequence[Fit],
) -> str:
    """A file of coefficients."""
    plain = [f"{name} = {value!r}\n" for name, value in numbers.items()]
    split = [sums(name, value, count) for name, (value, count) in constants.items()]
    return formatted("".join([HEAD.format(kind), *plain, *split, *rows, tables(fits)]))


def main() -> int:
    rows = ["TURN = {\n", *map(turns, TURNS), "}\n"]
    files = {
        "coefficients.py": written("elementary", NUMBERS, SUMS, rows, FITS),
        "special_coefficients.py": written(
            "special", SPECIAL_NUMBERS, SPECIAL_SUMS, (), SPECIAL_FITS
        ),
    }
    if "--check" in sys.argv:
        return int(any((FOLDER / name).read_text() != text for name, text in files.items()))
    for name, text in files.items():
        (FOLDER / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
