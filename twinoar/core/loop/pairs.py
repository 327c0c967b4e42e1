"""Complex numbers as pairs of real expressions: all that the loop language computes with them.

A complex element is one node only where it is moved: a `load`, or a `complex` of two real nodes.
Arithmetic with it is arithmetic with its parts, so that rules are written once (`x * y`) and code
generators see real numbers. Functions of complex64 are computed in float64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.dtype import COMPLEX_OF, REAL_OF, DType, bool_, float64
from twinoar.core.loop import pair_functions
from twinoar.core.loop.expression import Expr, cast, const, eq, le, lt, make, of_complex, select
from twinoar.core.loop.language import round as nearest
from twinoar.errors import DTypeError


def of_parts(real: Expr, imag: Expr) -> Expr:
    """The complex number of two real ones of one dtype."""
    x, y = real.args, imag.args
    if real.kind == imag.kind == "load" and x[:2] == y[:2] and (x[2:], y[2:]) == ((0,), (1,)):
        return make("load", x[:2], COMPLEX_OF[real.dtype])
    return make("complex", (real, imag), COMPLEX_OF[real.dtype])


def parts(z: Expr) -> tuple[Expr, Expr]:
    """The real and the imaginary part; 0 for that of a real number."""
    if not z.dtype.is_complex:
        return z, const(0, z.dtype)
    if z.kind == "complex":
        real, imag = z.args
        return real, imag
    if z.kind != "load":
        raise DTypeError(f"a complex {z.kind} has no parts", cure="take those of an element")
    real, imag = (make("load", (*z.args, part), REAL_OF[z.dtype]) for part in (0, 1))
    return real, imag


def computed(kind: str, args: tuple[Any, ...], dtype: DType) -> Expr:
    """What the node of this kind with these arguments, some of them complex, stands for.

    Raises DTypeError for what complex numbers do not have.
    """
    if kind == "cast":
        return _cast(args[0], dtype)
    if kind == "select":
        return _selected(*args)
    name = kind
    if kind in ("call", "reduce"):
        name, *args = args  # type: ignore[assignment]
    found = TABLES.get(kind, OPERATIONS).get(name)
    if found is None:
        raise DTypeError(
            f"complex numbers have no {name} in the loop language",
            cure="compute with s.real(x) and s.imag(x)",
        )
    return found(*args)


def _arithmetic(function: Callable[..., Any]) -> Callable[..., Expr]:
    """A function of pairs as one of complex numbers."""

    def computed(*numbers: Expr) -> Expr:
        return of_parts(*function(*[part for z in numbers for part in parts(z)]))

    return computed


def _in_float64(function: Callable[..., Any]) -> Callable[..., Expr]:
    """As `_arithmetic`, in float64, in which those of float32 do not overflow on the way."""

    def computed(*numbers: Expr) -> Expr:
        own = REAL_OF[numbers[0].dtype]
        real, imag = function(*[cast(part, float64) for z in numbers for part in parts(z)])
        return of_parts(cast(real, own), cast(imag, own))

    return computed


def _magnitude(z: Expr) -> Expr:
    x, y = (cast(part, float64) for part in parts(z))
    if REAL_OF[z.dtype] is float64:
        return pair_functions.size(x, y)
    return cast(pair_functions.size_of_narrow(x, y), REAL_OF[z.dtype])


def _equal(x: Expr, y: Expr) -> Expr:
    (a, b), (c, d) = parts(x), parts(y)
    return eq(a, c) & eq(b, d)


def _ordered(compare: Callable[[Expr, Expr], Expr]) -> Callable[[Expr, Expr], Expr]:
    """As NumPy orders complex numbers: by real parts, then by imaginary ones; never with a nan."""

    def compared(x: Expr, y: Expr) -> Expr:
        (a, b), (c, d) = parts(x), parts(y)
        are_numbers = eq(b, b) & eq(d, d)
        return (lt(a, c) & are_numbers) | (eq(a, c) & compare(b, d))

    return compared


def _selected(condition: Expr, x: Expr, y: Expr) -> Expr:
    (a, b), (c, d) = parts(x), parts(y)
    return of_parts(select(condition, a, c), select(condition, b, d))


def _cast(x: Expr, dtype: DType) -> Expr:
    a, b = parts(x)
    if dtype is bool_:
        return cast(a, bool_) | cast(b, bool_)
    if not dtype.is_complex:
        raise DTypeError(
            f"{x.dtype.name} as {dtype.name} would lose the imaginary part",
            cure="take the other one: s.real(x)",
        )
    return of_parts(cast(a, REAL_OF[dtype]), cast(b, REAL_OF[dtype]))


def _sum(axes: tuple[Any, ...], term: Expr) -> Expr:
    real, imag = (make("reduce", ("sum", axes, x), x.dtype) for x in parts(term))
    return of_parts(real, imag)


def _product(axes: tuple[Any, ...], term: Expr) -> Expr:
    """Each part is a reduction of the whole numbers."""
    whole, own = make("complex", parts(term), term.dtype), REAL_OF[term.dtype]
    return of_parts(*(make("reduce", (kind, axes, whole), own) for kind in OF_PRODUCTS))


OF_PRODUCTS = ("prod_real", "prod_imag")
OPERATIONS: dict[str, Callable[..., Expr]] = {
    "add": _arithmetic(lambda a, b, c, d: (a + c, b + d)),
    "sub": _arithmetic(lambda a, b, c, d: (a - c, b - d)),
    "mul": _arithmetic(pair_functions.multiplied),
    "div": _arithmetic(pair_functions.divided),
    "neg": _arithmetic(lambda a, b: (-a, -b)),
    "fma": lambda x, y, z: x * y + z,
    "round": _arithmetic(lambda a, b: (nearest(a), nearest(b))),
    "sqrt": _in_float64(pair_functions.sqrt),
    "of_parts": of_parts,
    "real": lambda z: parts(z)[0],
    "imag": lambda z: parts(z)[1],
    "abs": _magnitude,
    "eq": _equal,
    "lt": _ordered(lt),
    "le": _ordered(le),
}
REDUCTIONS: dict[str, Callable[..., Expr]] = {"sum": _sum, "prod": _product}
TABLES: dict[str, dict[str, Callable[..., Expr]]] = {
    "reduce": REDUCTIONS,
    "call": {name: _in_float64(f) for name, f in pair_functions.FUNCTIONS.items()},
}
of_complex[:] = [computed]
