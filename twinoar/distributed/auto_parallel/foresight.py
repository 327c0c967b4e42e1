"""What terms of a sum will meet: cut where that is cut, they are summed to a part and never whole.

A gradient that is left as terms of a sum meets moments that are cut. Looking at one call after the
other, its first one (a product with a number) says nothing of them, and the whole sum would travel,
of which each rank then took its part.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.core.ir.program import Operator, Program, Variable
from twinoar.core.spec import Spec
from twinoar.distributed.auto_parallel.cutting import is_shared_by_all
from twinoar.distributed.auto_parallel.dividing import Divided
from twinoar.distributed.auto_parallel.moving import Grid
from twinoar.distributed.auto_parallel.strategies import SUM, Lie, strategies

DEPTH = 8  # calls that are looked back through for what is not computed yet


class Foresight:
    """What a Program does with its values. env: what is known of those that are divided so far."""

    def __init__(self, program: Program, env: Mapping[Any, Any], grid: Grid):
        self.env, self.grid = env, grid
        self._outputs = {v for v in program.main.outputs if isinstance(v, Variable)}
        self._uses: dict[Variable, list[Operator]] = {}
        for o in program.main.ops:
            for x in dict.fromkeys(x for x in o.operands if isinstance(x, Variable)):
                self._uses.setdefault(x, []).append(o)

    def lies(self, v: Variable, x: Divided) -> tuple[Lie, ...]:
        """How terms of a sum had better lie for all that is done with them; else as they do.

        x: the value of v, before its first use.
        """
        found = list(x.lies)
        for m, lie in enumerate(found):
            cut = self._cut_met(v, m) if lie == SUM else None
            if cut is not None and cut not in found:
                size: Any = v.spec.shape[cut]
                if is_shared_by_all(size, self.grid.shape[m]):
                    found[m] = cut
        return tuple(found)

    def _cut_met(self, v: Variable, m: int) -> int | None:
        """The dimension along which all is cut that v meets element by element; else None.

        What v goes through before that may also be combined as a whole, as for a norm.
        """
        near, left, cuts = {v}, [v], set[int]()
        rest: list[tuple[Operator, Variable]] = []
        while left:
            x = left.pop()
            if x in self._outputs:
                return None
            for o in self._uses.get(x, ()):
                result = _element_of(o)
                if result is None or result.spec.shape != v.spec.shape:
                    rest.append((o, x))
                    continue
                met = [self._cut_of(y, m) for y in _alike(o, result) if y not in near]
                found = {cut for cut in met if cut is not None}
                cuts |= found
                if not found and result not in near:
                    near.add(result)
                    left.append(result)
        cut = cuts.pop() if len(cuts) == 1 else None
        return cut if cut is not None and all(_combines(o, x, cut) for o, x in rest) else None

    def _cut_of(self, x: Variable, m: int, depth: int = DEPTH) -> int | None:
        """Along which dimension a value is cut, or will be."""
        known = self.env.get(x)
        if isinstance(known, Divided):
            lie = known.lies[m]
            return lie if isinstance(lie, int) else None
        if x.producer is None or not depth or _element_of(x.producer) is not x:
            return None
        found = (self._cut_of(y, m, depth - 1) for y in _alike(x.producer, x))
        return next((cut for cut in found if cut is not None), None)


def _element_of(o: Operator) -> Variable | None:
    """The result of a call that computes element by element; None of others."""
    return o.results[0] if "scalar" in o.op.rules and len(o.results) == 1 else None


def _alike(o: Operator, result: Variable) -> list[Variable]:
    """The operands of the result's shape."""
    given = (x for x in o.operands if isinstance(x, Variable))
    return [x for x in given if x.spec.shape == result.spec.shape]


def _combines(o: Operator, x: Variable, cut: int) -> bool:
    """Whether a call makes one number of an operand, of which each rank may have a part."""
    results = [None if r is None else r.spec for r in o.results]
    if any(s is None or s.size != 1 for s in results):
        return False
    specs: list[Spec | Any] = [y.spec if isinstance(y, Variable) else y for y in o.operands]
    places = [k for k, y in enumerate(o.operands) if y is x]
    ways = strategies(o.op, specs, o.attrs, results)
    return any(all(s.takes[k] == cut for k in places) for s in ways)


__all__ = ["Foresight"]
