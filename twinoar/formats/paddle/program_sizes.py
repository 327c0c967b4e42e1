"""Sizes that only a run knows, as variables of a `.pdmodel`: operators take them in slots of
tensors.

A size is read off a tensor that has it, by `shape` and `slice`; an expression of sizes is computed
from those.
"""

from __future__ import annotations

from typing import Any

from twinoar.core.dim import Dim, SymbolicDim
from twinoar.core.dtype import int32
from twinoar.core.ir.program import Operator
from twinoar.core.spec import Spec
from twinoar.errors import UnsupportedError

SIZE = Spec((), int32)
OPERATOR_OF = {
    "floordiv": "elementwise_floordiv",
    "mod": "elementwise_mod",
    "max": "elementwise_max",
}


class SizeTensors:
    """The variables of one block that hold sizes; each is made where it is first needed.

    around: those of the block around, which know the sizes that none of its tensors has.
    """

    def __init__(self, block: Any, around: SizeTensors | None = None):
        self.block, self.around = block, around  # a BlockWriter, which imports this module
        self.places: dict[
            str, tuple[str, int]
        ] = {}  # an expression -> a tensor and its dimension of that size
        self.made: dict[str, str] = {}

    def note(self, spec: Spec, name: str) -> None:
        """Remember that variable `name`, defined now, has these sizes."""
        for axis, d in enumerate(spec.shape):
            if isinstance(d, SymbolicDim):
                self.places.setdefault(str(d), (name, axis))

    def place_of(self, key: str) -> tuple[str, int] | None:
        """A tensor and its dimension of that size, in this block or one around it."""
        if key in self.places or self.around is None:
            return self.places.get(key)
        return self.around.place_of(key)

    def name_of(self, d: Dim, o: Operator) -> str:
        """The name of a variable that holds `d`. Raises UnsupportedError if no tensor tells it."""
        key = str(d)
        if key not in self.made:
            self.made[key] = self._make(d, o)
        return self.made[key]

    def _make(self, d: Dim, o: Operator) -> str:
        if not isinstance(d, SymbolicDim):
            return self.block.number(d, int32)
        if place := self.place_of(str(d)):
            return self._read_off(*place)
        total = None
        for monomial, coefficient in d.terms:
            product = None if coefficient == 1 and monomial else self.name_of(coefficient, o)
            for atom in monomial:
                product = self._combined("elementwise_mul", product, self._atom(atom, o))
            total = self._combined("elementwise_add", total, product)  # type: ignore[arg-type]
        return total  # type: ignore[return-value]

    def _atom(self, atom: Any, o: Operator) -> str:
        if not isinstance(atom, str):
            function, a, b = atom
            return self._combined(OPERATOR_OF[function], self.name_of(a, o), self.name_of(b, o))
        place = self.place_of(atom)
        if place is None:
            raise UnsupportedError(
                f"the file form of {o.op.name} needs the size {atom}, which no tensor has",
                cure="give the size as a number, or take it from the shape of an input",
            ).attach(o.op.name, (), o.source)
        if atom not in self.made:
            self.made[atom] = self._read_off(*place)
        return self.made[atom]

    def _read_off(self, name: str, axis: int) -> str:
        block, rank = self.block, axis + 1
        shape = block.declare(block.writer.fresh("shape"), Spec((rank,), int32))
        block.add("shape", {"Input": [name]}, {"Out": [shape]}, {})
        size = block.declare(block.writer.fresh("slice"), SIZE)
        ints = {
            "axes": [0],
            "starts": [axis],
            "ends": [axis + 1],
            "decrease_axis": [0],
            "infer_flags": [1],
        }
        block.add(
            "slice", {"Input": [shape]}, {"Out": [size]}, {k: ("INTS", v) for k, v in ints.items()}
        )
        return size

    def _combined(self, kind: str, x: str | None, y: str) -> str:
        if x is None:
            return y
        block = self.block
        to = block.declare(block.writer.fresh(kind), SIZE)
        block.add(kind, {"X": [x], "Y": [y]}, {"Out": [to]}, {"axis": ("INT", -1)})
        return to
