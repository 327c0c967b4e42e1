"""Uses: who reads what in the Program of a network, and which of its operands are parameters."""

from __future__ import annotations

from typing import Any

from twinoar import jit
from twinoar.core.ir.program import Operator, State, Variable
from twinoar.nn import Layer
from twinoar.slim.modes import in_inference
from twinoar.slim.network import specs_of


class Uses:
    """The Program of a network in inference, of the operators that layers call.

    inputs: shapes, as `slim.network.Network` takes them. Raises ArgumentError without inputs, and
    what the conversion of `forward` raises.
    """

    def __init__(self, model: Layer, inputs: Any):
        with in_inference(model):
            converted = jit.to_static(model.forward, input_spec=specs_of(inputs))
            self.program = converted.concrete_program.program
        self._own = {id(p) for p in (*model.parameters(), *model.buffers())}
        self._uses: dict[Any, list[tuple[Operator, int]]] = {}
        for o in self.program.main.ops:
            for index, operand in enumerate(o.operands):
                if isinstance(operand, Variable):
                    self._uses.setdefault(operand, []).append((o, index))

    def of(self, value: Any) -> list[tuple[Operator, int]]:
        """The operators that read a value, and as which operand."""
        return self._uses.get(value, [])

    def is_result(self, value: Any) -> bool:
        """Whether the network returns a value."""
        return any(value is x for x in self.program.main.outputs)

    def parameter(self, operand: Any) -> Any:
        """The parameter or buffer that an operand is, if nothing else reads it; else None."""
        if not isinstance(operand, State) or id(operand.data) not in self._own:
            return None
        return operand.data if len(self.of(operand)) == 1 else None

    def with_bias(self, convolution: Operator) -> tuple[Any, Variable]:
        """The bias that is added to what a convolution gives, or None, and the value then."""
        out = convolution.results[0]
        uses = self.of(out)
        if len(uses) != 1 or uses[0][0].op.name != "add" or self.is_result(out):
            return None, out
        total, index = uses[0]
        shaped = getattr(total.operands[1 - index], "producer", None)
        if shaped is None or shaped.op.name != "reshape":
            return None, out
        bias = self.parameter(shaped.operands[0])
        return (bias, total.results[0]) if bias is not None else (None, out)
