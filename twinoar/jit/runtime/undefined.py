"""Names that have no value that could be used: unassigned on a path, or not one thing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twinoar.core.ir.program import Variable
from twinoar.core.tree import flatten
from twinoar.errors import ConversionError
from twinoar.jit.runtime.journal import MISSING
from twinoar.ops.create.fill import identity
from twinoar.ops.math.logical import logical_not

Fact = tuple[Variable, bool]  # a flag that only a run knows, and what it is


class Undefined:
    """What a name holds where a tensor decided whether it has a value, or which.

    why: what is wrong with it, in words; every use of it raises that.
    """

    __slots__ = ("cure", "undefined_name", "why")

    undefined_name: str
    why: str
    cure: str

    def __init__(self, name: str, why: str = "", cure: str = ""):
        told = f"{name} may be undefined here: one branch, or a loop that may not run, does not "
        put = object.__setattr__
        put(self, "undefined_name", name)
        put(self, "why", why or f"{told}assign it")
        put(self, "cure", cure or f"assign {name} before the branch or loop")

    def refuse(self, *args: Any, **kwargs: Any) -> Any:
        """Raise ConversionError with what is wrong."""
        raise ConversionError(self.why, cure=self.cure)

    def __repr__(self) -> str:
        return f"<{self.undefined_name}: {self.why}>"

    __getattr__ = __setattr__ = __delattr__ = __call__ = __bool__ = __iter__ = __len__ = refuse
    __getitem__ = __setitem__ = __delitem__ = __contains__ = __enter__ = __exit__ = refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = refuse
    __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = refuse
    __rpow__ = __matmul__ = __rmatmul__ = __and__ = __rand__ = __or__ = __ror__ = refuse
    __xor__ = __rxor__ = __neg__ = __pos__ = __abs__ = __invert__ = refuse
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = refuse
    __float__ = __int__ = __index__ = __str__ = __format__ = refuse

    __hash__ = object.__hash__


class Partly(Undefined):
    """What a name holds that has a value where one of some facts holds.

    known: that value; zeros, or what else a tensor may hold, where none does. when: the facts,
    none where it is known that none holds.
    """

    __slots__ = ("known", "when")

    known: Any
    when: frozenset[Fact]

    def __init__(self, name: str, known: Any, when: frozenset[Fact]):
        super().__init__(name)
        object.__setattr__(self, "known", known)
        object.__setattr__(self, "when", when)


def fact(flag: Variable, holds: bool) -> Fact:
    """That `flag`, whether a jump was taken (see convert.jumps), is `holds`; one way to say it."""
    while flag.producer is not None and flag.producer.op in (identity, logical_not):
        holds ^= flag.producer.op is logical_not
        (flag,) = flag.producer.operands
    return flag, holds


def partly(name: str, known: Any, when: Iterable[Fact]) -> Undefined:
    """`known` where one of the facts holds; undefined where there are none."""
    facts = frozenset(when)
    return Partly(name, known, facts) if facts else Undefined(name)


def known_of(x: Any) -> Any:
    """The value of what has one at least in part, else `x`."""
    return x.known if isinstance(x, Partly) else x


def where(x: Any, told: Fact) -> Any:
    """What `x` is where a fact holds."""
    if not isinstance(x, Partly):
        return x
    if told in x.when:
        return x.known
    flag, holds = told
    against = (flag, not holds)
    return x if against not in x.when else Partly(x.undefined_name, x.known, x.when - {against})


def is_lacking(x: Any) -> bool:
    """True for what is no value, or is one in part."""
    return x is MISSING or isinstance(x, Undefined)


def tells(flag: Any, holds: bool, x: Any) -> bool:
    """True if `x` has a value where `flag`, as it is on one path, is `holds`."""
    if not is_lacking(x):
        return True
    if isinstance(flag, bool):
        return flag is not holds
    return isinstance(flag, Variable) and isinstance(x, Partly) and fact(flag, holds) in x.when


def defined(x: Any) -> Any:
    """`x` where its identity or type is asked for. Raises ConversionError if it is undefined."""
    return x.refuse() if isinstance(x, Undefined) else x


def require_defined(values: Iterable[Any]) -> None:
    """Raise ConversionError for a value that only one branch, or a loop, would have assigned."""
    for x in values:
        for leaf in flatten(x)[0]:
            defined(leaf)
