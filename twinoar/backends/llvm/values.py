"""Expressions of the loop language as LLVM instructions: one case per kind."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from twinoar.backends.llvm.conversion import TYPES, Conversions, suffix
from twinoar.compile.math import expand
from twinoar.compile.pattern import BLOCK, adds_blocks
from twinoar.core.dtype import REAL_OF, DType, bool_, float64, uint8
from twinoar.core.loop.expression import Axis, Expr
from twinoar.core.loop.pairs import OF_PRODUCTS
from twinoar.core.varying import is_one, is_varying, same

INTRINSICS = {
    "sqrt": "sqrt", "floor": "floor", "ceil": "ceil", "round": "rint", "trunc": "trunc",
    "abs": "fabs",
}  # fmt: skip
FLOAT_OPERATIONS = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
INTEGER_OPERATIONS = {
    "add": "add", "sub": "sub", "mul": "mul", "and": "and", "or": "or", "xor": "xor",
    "shl": "shl", "shr": "ashr",
}  # fmt: skip


POLL = "poll"  # tells a loop of very many iterations whether to end
STRIP = 1 << 14  # iterations between two polls, which take 30 ns
POLLED = 1 << 10  # iterations from which the loops of such a kernel poll


class Blocks(Protocol):
    """What sums of blocks are added to."""

    def add(self) -> None:
        """Print the end of a block."""

    def finish(self) -> None:
        """Print that the accumulator becomes the total."""


class Total:
    """The sum of sums of blocks, in float64: an accumulator is added to it, and begins anew."""

    def __init__(self, values: Values, where: str, dtype: DType):
        self.values, self.accumulator, self.dtype = values, where, dtype
        self.where = values.allocate(TYPES[float64].register)
        values.save(values.constant(0, float64), self.where, float64)

    def add(self) -> None:
        """Print the end of a block."""
        values = self.values
        block = values.converted(values.load(self.accumulator, self.dtype), self.dtype, float64)
        total = values.line(f"fadd double {values.load(self.where, float64)}, {block}")
        values.save(total, self.where, float64)
        values.save(values.constant(0, self.dtype), self.accumulator, self.dtype)

    def finish(self) -> None:
        """Print that the accumulator becomes the total."""
        values = self.values
        total = values.converted(values.load(self.where, float64), float64, self.dtype)
        values.save(total, self.accumulator, self.dtype)


class Values(Conversions):
    """Prints the instructions that compute expressions; each node once per loop that it is in."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.declared: set[str] = set()
        self.counters: dict[Axis, str] = {}
        self.names: dict[str, str] = {}
        self.known: list[dict[Expr, str]] = [{}]
        self.block = "entry"
        self.exact = 0  # above 0 inside functions, whose error terms must not be contracted
        self.polls = False
        self.again = 0.0  # how many lines are run again, by loops
        self.access = ""  # what is said of each element that is read or written
        self._serial = 0

    # To be supplied.

    def number(self, value: int) -> str:
        """An integer of a position."""
        raise AssertionError

    def pointer(self, storage: Any, offset: Expr, part: int | None = None) -> str:
        """The address of an element, or of a part of a complex one."""
        raise AssertionError

    def counter(self, axis: Axis) -> str:
        """The value of a loop's counter."""
        raise AssertionError

    def bounded(self, e: Expr) -> str:
        """A checked index."""
        raise AssertionError

    def allocate(self, kind: str) -> str:
        """Memory of the function's own."""
        raise AssertionError

    # Lines, blocks, loops.

    def fresh(self) -> str:
        """A new name of a register."""
        self._serial += 1
        return f"%v{self._serial}"

    def label(self) -> str:
        """A new name of a block."""
        self._serial += 1
        return f"b{self._serial}"

    def line(self, instruction: str) -> str:
        """Print an instruction and return the name of its result."""
        name = self.fresh()
        self.lines.append(f"  {name} = {instruction}")
        return name

    def begin(self, label: str) -> None:
        """Begin a block."""
        self.lines.append(f"{label}:")
        self.block = label

    def intrinsic(
        self, name: str, kind: str, arguments: str, signature: str, flags: str = ""
    ) -> str:
        """Call a function of LLVM's own."""
        self.declared.add(f"declare {kind} @llvm.{name}({signature})")
        return self.line(f"call {flags}{kind} @llvm.{name}({arguments})")

    def loop(
        self,
        axis: Axis,
        body: Callable[[], None],
        ends: tuple[str, str] | None = None,
        note: str = "",
    ) -> None:
        """Print a loop; what its body computes is known inside alone. note: of its last branch."""
        start, end = ends or ("0", self.number(axis.size))
        if self.polls and axis.size >= POLLED:
            part = lambda lo, hi: self.counted(axis, body, lo, hi, note)  # noqa: E731
            self.in_strips(start, end, STRIP, part, polls=True)
        else:
            self.counted(axis, body, start, end, note)

    def in_strips(
        self,
        start: str,
        end: str,
        size: int,
        body: Callable[[str, str], None],
        *,
        polls: bool = False,
    ) -> None:
        """Print a loop over parts of `size` iterations of a loop.

        polls: it asks after each whether to end the function.
        """
        self.declared.add("declare i64 @llvm.smin.i64(i64, i64)")
        step = self.number(size)
        head, inside, latch, after = (self.label() for _ in range(4))
        before = self.block
        counter, following = self.fresh(), self.fresh()
        self.lines.append(f"  br label %{head}")
        self.begin(head)
        self.lines.append(
            f"  {counter} = phi i64 [ {start}, %{before} ], [ {following}, %{latch} ]"
        )
        more = self.line(f"icmp slt i64 {counter}, {end}")
        self.lines.append(f"  br i1 {more}, label %{inside}, label %{after}")
        self.begin(inside)
        whole = self.line(f"add nsw i64 {counter}, {step}")
        body(counter, self.line(f"call i64 @llvm.smin.i64(i64 {whole}, i64 {end})"))
        if polls:
            self._poll()
        self.lines.append(f"  br label %{latch}")
        self.begin(latch)
        self.lines += [f"  {following} = add nsw i64 {counter}, {step}", f"  br label %{head}"]
        self.begin(after)

    def _poll(self) -> None:
        """Print a question whether to end the function, which then ends."""
        self.declared.add(f"declare i32 @{POLL}()")
        ended, going = self.label(), self.label()
        told = self.line(f"call i32 @{POLL}()")
        stops = self.line(f"icmp ne i32 {told}, 0")
        self.lines.append(f"  br i1 {stops}, label %{ended}, label %{going}")
        self.begin(ended)
        self.lines.append("  ret void")
        self.begin(going)

    def counted(
        self, axis: Axis, body: Callable[[], None], start: str, end: str, note: str = ""
    ) -> None:
        """Print a loop from `start` to `end`."""
        head, inside, latch, after = (self.label() for _ in range(4))
        before = self.block
        counter, following = self.fresh(), self.fresh()
        self.lines.append(f"  br label %{head}")
        self.begin(head)
        self.lines.append(
            f"  {counter} = phi i64 [ {start}, %{before} ], [ {following}, %{latch} ]"
        )
        more = self.line(f"icmp slt i64 {counter}, {end}")
        self.lines.append(f"  br i1 {more}, label %{inside}, label %{after}")
        self.begin(inside)
        outside = self.counters.get(axis)
        self.counters[axis] = counter
        self.known.append({})
        lines, again = len(self.lines), self.again
        body()
        self._count(axis, len(self.lines) - lines + self.again - again)
        self.known.pop()
        if outside is None:
            del self.counters[axis]
        else:
            self.counters[axis] = outside
        self.lines.append(f"  br label %{latch}")
        self.begin(latch)
        self.lines += [f"  {following} = add nsw i64 {counter}, 1", f"  br label %{head}{note}"]
        self.begin(after)

    def _count(self, axis: Axis, lines: float) -> None:
        """So many lines of a loop's body are run in each iteration."""
        self.again += math.inf if is_varying(axis.size) else lines * (axis.size - 1)

    # Memory.

    def load(self, where: str, dtype: DType) -> str:
        """The element at an address, in a register."""
        loaded = self.line(f"load {TYPES[dtype].memory}, ptr {where}{self.access}")
        return self.line(f"icmp ne i8 {loaded}, 0") if dtype is bool_ else loaded

    def save(self, value: str, where: str, dtype: DType) -> None:
        """Write an element."""
        if dtype is bool_:
            value = self.line(f"zext i1 {value} to i8")
        self.lines.append(f"  store {TYPES[dtype].memory} {value}, ptr {where}{self.access}")

    def stored(self, e: Expr, dtype: DType) -> str:
        """The value of an expression as an element of `dtype`."""
        if (
            e.kind == "cast" and e.args[0].dtype is dtype
        ):  # a nan that is converted changes its bits
            return self.value(e.args[0])
        return self.converted(self.value(e), e.dtype, dtype)

    # Reductions.

    def identity(self, kind: str, dtype: DType) -> str:
        """What an accumulator begins with."""
        if kind in ("sum", "any"):
            return self.constant(0, dtype)
        if kind in ("prod", "all"):
            return self.constant(1, dtype)
        if dtype.is_floating:
            return self.constant(-math.inf if kind == "max" else math.inf, dtype)
        if dtype is bool_:
            return self.constant(kind == "min", dtype)
        bits = 8 * dtype.itemsize
        low, high = (
            (0, 2**bits - 1) if dtype is uint8 else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        )
        return str(low if kind == "max" else high)

    def combined(self, kind: str, x: str, y: str, dtype: DType) -> str:
        """One step of a reduction."""
        register = TYPES[dtype].register
        if kind in ("any", "all"):
            return self.line(f"{'or' if kind == 'any' else 'and'} {register} {x}, {y}")
        if kind in ("sum", "prod"):
            operation = "add" if kind == "sum" else "mul"
            if dtype.is_floating:
                return self.line(f"f{operation} reassoc contract {register} {x}, {y}")
            return self.line(f"{operation} {register} {x}, {y}")
        if dtype.is_floating:
            name = f"{'maximum' if kind == 'max' else 'minimum'}.{suffix(dtype)}"
            pair = f"{register} {x}, {register} {y}"
            return self.intrinsic(name, register, pair, f"{register}, {register}", "nsz ")
        sign = "u" if dtype in (uint8, bool_) else "s"
        pair = f"{register} {x}, {register} {y}"
        return self.intrinsic(f"{sign}{kind}.{register}", register, pair, f"{register}, {register}")

    def reduced(self, axes: Sequence[Axis], items: Sequence[tuple[str, Expr]]) -> list[str]:
        """Print the loops of reductions over the same axes, and return the names of the results."""
        places = []
        for kind, term in items:
            if kind in OF_PRODUCTS:
                places.append(self._product_begun(term))
                continue
            register = TYPES[term.dtype].register
            where = self.allocate(register)
            arg = kind.startswith("arg")
            first = self.identity("max" if kind == "argmax" else "min" if arg else kind, term.dtype)
            self.lines.append(f"  store {register} {first}, ptr {where}")
            at = self.allocate("i64") if arg else ""
            if arg:
                self.lines.append(f"  store i64 -1, ptr {at}")
            places.append((where, at))

        def body() -> None:
            for (kind, term), (where, at) in zip(items, places, strict=True):
                if kind in OF_PRODUCTS:
                    self._multiply(term, where, at)
                elif at:
                    self._arg(kind, term, where, at, axes)
                else:
                    self._accumulate(where, kind, term)

        sums = [
            Total(self, where, term.dtype)
            for (kind, term), (where, _) in zip(items, places, strict=True)
            if adds_blocks(kind, term.dtype, math.prod(a.size for a in axes))
        ]
        self.over(axes, body, sums)
        for total in sums:
            total.finish()
        results = []
        for (kind, term), (where, at) in zip(items, places, strict=True):
            if kind in OF_PRODUCTS:
                part = where if kind == OF_PRODUCTS[0] else at
                results.append(self.line(f"load {TYPES[REAL_OF[term.dtype]].register}, ptr {part}"))
            elif at:
                found = self.line(f"load i64, ptr {at}")
                none = self.line(f"icmp slt i64 {found}, 0")
                results.append(self.line(f"select i1 {none}, i64 0, i64 {found}"))
            else:
                results.append(self.line(f"load {TYPES[term.dtype].register}, ptr {where}"))
        return results

    def over(
        self, axes: Sequence[Axis], body: Callable[[], None], sums: Sequence[Blocks] = ()
    ) -> None:
        """Print loops over axes, the last one innermost; after each block the sums are moved on."""
        if not sums:
            self._nested(axes, body)()
            return
        depth, count = len(axes), 1  # the axes from `depth` on are of `count` iterations
        while not is_varying(axes[depth - 1].size) and count * axes[depth - 1].size <= BLOCK:
            depth -= 1
            count *= axes[depth].size
        inner = self._nested(axes[depth:], body)
        outer, axis = axes[: depth - 1], axes[depth - 1]

        def block(lo: str, hi: str) -> None:
            self.loop(axis, inner, (lo, hi))
            for total in sums:
                total.add()

        end = self.number(axis.size)
        self._nested(outer, lambda: self.in_strips("0", end, BLOCK // count, block))()

    def _nested(self, axes: Sequence[Axis], body: Callable[[], None]) -> Callable[[], None]:
        """What prints loops over axes, the last one innermost."""
        run = body
        for axis in reversed(axes):
            run = partial(self.loop, axis, run)
        return run

    def _accumulate(self, where: str, kind: str, term: Expr) -> None:
        register = TYPES[term.dtype].register
        value = self.value(term)
        old = self.line(f"load {register}, ptr {where}")
        new = self.combined(kind, old, value, term.dtype)
        self.lines.append(f"  store {register} {new}, ptr {where}")

    def _product_begun(self, term: Expr) -> tuple[str, str]:
        """Accumulators of a product of complex numbers, for each part one: 1 and 0."""
        part = REAL_OF[term.dtype]
        register = TYPES[part].register
        real, imag = self.allocate(register), self.allocate(register)
        for value, where in ((1, real), (0, imag)):
            self.lines.append(f"  store {register} {self.constant(value, part)}, ptr {where}")
        return real, imag

    def _multiply(self, term: Expr, real: str, imag: str) -> None:
        """Multiply such a product with a term."""
        part = REAL_OF[term.dtype]
        register = TYPES[part].register
        c, d = map(self.value, term.args)
        a, b = (self.line(f"load {register}, ptr {where}") for where in (real, imag))
        ac, bd, ad, bc = (
            self.line(f"fmul contract {register} {x}, {y}")
            for x, y in ((a, c), (b, d), (a, d), (b, c))
        )
        for operation, x, y, where in (("fsub", ac, bd, real), ("fadd", ad, bc, imag)):
            found = self.line(f"{operation} contract {register} {x}, {y}")
            self.lines.append(f"  store {register} {found}, ptr {where}")

    def _arg(self, kind: str, term: Expr, where: str, at: str, axes: Sequence[Axis]) -> None:
        """Keep the first greatest (or least) term and its position; a nan is as great as can be."""
        register = TYPES[term.dtype].register
        value = self.value(term)
        best = self.line(f"load {register}, ptr {where}")
        place = self.line(f"load i64, ptr {at}")
        better = self.compared("lt", best, value, term.dtype)
        if kind == "argmin":
            better = self.compared("lt", value, best, term.dtype)
        if term.dtype.is_floating:
            is_nan = self.line(f"fcmp uno {register} {value}, {value}")
            was_nan = self.line(f"fcmp uno {register} {best}, {best}")
            news = self.line(f"xor i1 {was_nan}, true")
            nan_first = self.line(f"and i1 {is_nan}, {news}")
            better = self.line(f"or i1 {better}, {nan_first}")
        is_first = self.line(f"icmp slt i64 {place}, 0")
        better = self.line(f"or i1 {better}, {is_first}")
        position = "0"
        for axis in axes:
            scaled = self.line(f"mul i64 {position}, {self.number(axis.size)}")
            position = self.line(f"add i64 {scaled}, {self.counter(axis)}")
        kept = self.line(f"select i1 {better}, {register} {value}, {register} {best}")
        moved = self.line(f"select i1 {better}, i64 {position}, i64 {place}")
        self.lines.append(f"  store {register} {kept}, ptr {where}")
        self.lines.append(f"  store i64 {moved}, ptr {at}")

    # Expressions.

    def value(self, e: Expr) -> str:
        """The name of an expression's value, computed here unless it is known."""
        name = self._known(e)
        stack = [] if name is not None else [e]
        while stack:  # operands first; what a reduction reads is computed in its loop
            x = stack[-1]
            operands = [] if x.kind == "reduce" else x.children
            unknown = [c for c in operands if self._known(c) is None]
            if unknown:
                stack += reversed(unknown)
                continue
            stack.pop()
            if self._known(x) is None:
                name = self.known[-1][x] = self._computed(x)
        assert name is not None
        return name

    def _known(self, e: Expr) -> str | None:
        """The name of a value that needs no computing, None for others."""
        if e.kind == "const":
            if is_varying(e.value):
                return self.number(e.value)
            return self.constant(e.value, e.dtype)
        if e.kind == "axis":
            return self.counter(e.args[0])
        if e.kind == "var":
            return self.names[e.args[0]]
        for known in reversed(self.known):
            if e in known:
                return known[e]
        return None

    def _computed(self, e: Expr) -> str:
        if e.kind == "linear":
            return self._linear(e)
        if e.kind == "load":
            return self.load(self.pointer(*e.args), e.dtype)
        if e.kind == "bounded":
            return self.bounded(e)
        if e.kind == "reduce":
            return self.reduced(e.args[1], [(e.args[0], e.args[2])])[0]
        if e.kind == "call":
            self.exact += 1
            result = self.value(expand(*e.args))
            self.exact -= 1
            return result
        if e.kind == "cast":
            return self.converted(self.value(e.args[0]), e.args[0].dtype, e.dtype)
        operands = [self.value(x) for x in e.children]
        register = TYPES[e.dtype].register
        if e.kind == "select":
            condition, x, y = operands
            return self.line(f"select i1 {condition}, {register} {x}, {register} {y}")
        if e.kind in ("lt", "le", "eq"):
            x, y = operands
            return self.compared(e.kind, x, y, e.children[0].dtype)
        if e.kind == "bitcast":
            given = TYPES[e.args[0].dtype].register
            return self.line(f"bitcast {given} {operands[0]} to {register}")
        if e.kind in ("min", "max"):
            return self._extreme(e, operands)
        if e.dtype.is_floating:
            return self._floating(e, operands, register)
        return self._integer(e, operands, register)

    def _linear(self, e: Expr) -> str:
        constant, terms = e.args
        total = ""
        for term, factor in terms:
            x = self.value(term)
            if not is_one(factor):
                x = self.line(f"mul nsw i64 {x}, {self.number(factor)}")
            total = self.line(f"add nsw i64 {total}, {x}") if total else x
        if not same(constant, 0):
            total = self.line(f"add nsw i64 {total}, {self.number(constant)}")
        return total

    def compared(self, kind: str, x: str, y: str, dtype: DType) -> str:
        """A comparison; false where either is nan."""
        register = TYPES[dtype].register
        if dtype.is_floating:
            return self.line(f"fcmp o{kind} {register} {x}, {y}")
        sign = "" if kind == "eq" else "u" if dtype in (uint8, bool_) else "s"
        return self.line(f"icmp {sign}{kind} {register} {x}, {y}")

    def _extreme(self, e: Expr, operands: list[str]) -> str:
        x, y = e.args
        register = TYPES[e.dtype].register
        if not e.dtype.is_floating:
            a, b = operands
            return self.combined(e.kind, a, b, e.dtype)
        better = "ogt" if e.kind == "max" else "olt"
        for a, b, known in ((*operands, y.value), (*reversed(operands), x.value)):
            if known is not None and not math.isnan(known):
                worse = self.line(f"fcmp {'olt' if e.kind == 'max' else 'ogt'} {register} {a}, {b}")
                return self.line(f"select i1 {worse}, {register} {b}, {register} {a}")
        a, b = operands
        first = self.line(f"fcmp {better} {register} {a}, {b}")
        is_nan = self.line(f"fcmp uno {register} {a}, {a}")
        chosen = self.line(f"or i1 {first}, {is_nan}")
        return self.line(f"select i1 {chosen}, {register} {a}, {register} {b}")

    def _floating(self, e: Expr, operands: list[str], register: str) -> str:
        flags = "" if self.exact else "contract "
        if e.kind in FLOAT_OPERATIONS:
            x, y = operands
            return self.line(f"{FLOAT_OPERATIONS[e.kind]} {flags}{register} {x}, {y}")
        if e.kind == "neg":
            return self.line(f"fneg {register} {operands[0]}")
        given = ", ".join(f"{register} {x}" for x in operands)
        name = "fma" if e.kind == "fma" else INTRINSICS[e.kind]
        kinds = ", ".join([register] * len(operands))
        return self.intrinsic(f"{name}.{suffix(e.dtype)}", register, given, kinds)

    def _integer(self, e: Expr, operands: list[str], register: str) -> str:
        if e.kind in INTEGER_OPERATIONS:
            operation = INTEGER_OPERATIONS[e.kind]
            if e.kind == "shr" and e.dtype is uint8:
                operation = "lshr"
            return self.line(f"{operation} {register} {', '.join(operands)}")
        if e.kind == "not":
            return self.line(f"xor {register} {operands[0]}, {'true' if e.dtype is bool_ else -1}")
        if e.kind == "neg":
            return self.line(f"sub {register} 0, {operands[0]}")
        if e.kind == "abs":
            if e.dtype is uint8:
                return operands[0]
            name, given = f"abs.{register}", f"{register} {operands[0]}, i1 false"
            return self.intrinsic(name, register, given, f"{register}, i1")
        assert e.kind in ("floordiv", "mod"), e.kind
        return self._divided(e, operands, register)

    def _divided(self, e: Expr, operands: list[str], register: str) -> str:
        """Division rounded down, and what it leaves; 0 where the divisor is 0."""
        x, y = operands
        unsigned = e.dtype is uint8 or all(
            a.bounds[0] is not None and a.bounds[0] >= 0 for a in e.args
        )
        whole = e.kind == "floordiv"
        if e.args[1].value:
            divisor = y
        else:
            zero = self.line(f"icmp eq {register} {y}, 0")
            divisor = self.line(f"select i1 {zero}, {register} 1, {register} {y}")
        if unsigned:
            result = self.line(f"{'udiv' if whole else 'urem'} {register} {x}, {divisor}")
        else:
            # Division by -1 overflows for the least integer: there x / -1 is -x.
            minus = self.line(f"icmp eq {register} {divisor}, -1")
            safe = self.line(f"select i1 {minus}, {register} 1, {register} {divisor}")
            quotient = self.line(f"sdiv {register} {x}, {safe}")
            rest = self.line(f"srem {register} {x}, {safe}")
            some = self.line(f"icmp ne {register} {rest}, 0")
            signs = self.line(f"xor {register} {rest}, {safe}")
            differ = self.line(f"icmp slt {register} {signs}, 0")
            adjust = self.line(f"and i1 {some}, {differ}")
            if whole:
                less = self.line(f"sext i1 {adjust} to {register}")
                down = self.line(f"add {register} {quotient}, {less}")
                negated = self.line(f"sub {register} 0, {x}")
                result = self.line(f"select i1 {minus}, {register} {negated}, {register} {down}")
            else:
                more = self.line(f"add {register} {rest}, {safe}")
                result = self.line(f"select i1 {adjust}, {register} {more}, {register} {rest}")
        if e.args[1].value:
            return result
        return self.line(f"select i1 {zero}, {register} 0, {register} {result}")
