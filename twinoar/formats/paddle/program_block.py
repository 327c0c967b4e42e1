"""One block of a `.pdmodel`, written: variables are declared, operators appended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.core.dtype import DType, float32, int32, literal_dtype
from twinoar.core.ir.builder import describe, is_cut
from twinoar.core.ir.program import Block, Operator, Variable
from twinoar.core.ir.text import print_literal
from twinoar.core.spec import Spec
from twinoar.errors import ProgramError, UnsupportedError
from twinoar.formats.paddle import schema
from twinoar.formats.paddle.attribute import set_attribute
from twinoar.formats.paddle.program_control import CONTROL_WRITERS
from twinoar.formats.paddle.program_desc import (
    FEED,
    FETCH,
    FETCH_PREFIX,
    LITERAL,
    ROLES,
    SCOPE,
    dtype_code,
    form_of,
    has_file_form,
    nearest_decimal,
    size_in_file,
)
from twinoar.formats.paddle.program_operator import (
    attributes_of,
    extra_spec,
    input_slots,
    literal_spec,
    output_slots,
)
from twinoar.formats.paddle.program_sizes import SizeTensors

# The types that Paddle's `scale` serves on every device.
SCALED = ("float32", "float64", "int32", "int64")

# Elementwise types, and the scale and bias that stand for a number as Y or as X.
SCALE_OF_Y: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "elementwise_add": lambda v: (1.0, v),
    "elementwise_sub": lambda v: (1.0, -v),
    "elementwise_mul": lambda v: (v, 0.0),
}
SCALE_OF_X: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "elementwise_add": lambda v: (1.0, v),
    "elementwise_sub": lambda v: (-1.0, v),
    "elementwise_mul": lambda v: (v, 0.0),
}
# Element types of `assign_value`: its attribute, the attribute's kind, and the types cast from it.
VALUES = {
    "bool": ("bool_values", "INTS", ()),
    "int32": ("int32_values", "INTS", ("int8", "uint8", "int16")),
    "int64": ("int64_values", "LONGS", ()),
    "float32": ("fp32_values", "FLOATS", ("float16", "bfloat16")),
    "float64": ("fp64_values", "FLOAT64S", ()),
}
STORED_AS = {dtype: stored for stored, (_, _, cast) in VALUES.items() for dtype in (stored, *cast)}


class BlockWriter:
    """Fills one block of a ProgramDesc."""

    def __init__(self, writer: Any, parent: BlockWriter | None):
        self.writer, self.parent = writer, parent
        self.message: Any = writer.desc.blocks.add(
            idx=len(writer.desc.blocks), parent_idx=-1 if parent is None else parent.message.idx
        )
        self.sizes: SizeTensors = SizeTensors(self, None if parent is None else parent.sizes)
        self.scope: dict[Any, str] = writer.names  # a nested block has a mapping of its own
        self.declared: set[str] = set()
        self.role = ROLES[0]

    def add(self, kind: str, inputs: dict, outputs: dict, attrs: dict) -> Any:
        """Append an operator: names of variables by slot, (kind, value) by attribute."""
        op = self.message.ops.add(type=kind)
        for messages, slots in ((op.inputs, inputs), (op.outputs, outputs)):
            for slot in sorted(slots):
                messages.add(parameter=slot, arguments=slots[slot])
        attrs = {**attrs, "op_role": ("INT", ROLES.index(self.role))}  # Paddle's passes ask for it
        for name in sorted(attrs):
            set_attribute(op, name, *attrs[name])
        return op

    def declare(
        self,
        name: str,
        spec: Spec,
        *,
        persistable: bool = False,
        is_parameter: bool = False,
        is_input: bool = False,
        stop: bool = False,
    ) -> str:
        """Declare a variable, unless it is declared; returns its name."""
        if name in self.declared:
            return name
        self.declared.add(name)
        var = self.message.vars.add(name=name, persistable=persistable)
        var.type.type = schema.CODE_OF_KIND["DENSE_TENSOR"]
        tensor = var.type.dense_tensor.tensor
        tensor.data_type = dtype_code(spec.dtype)
        tensor.dims.extend(size_in_file(d) for d in spec.shape)
        if is_input:
            var.need_check_feed = True
        if not self.writer.inference:
            var.stop_gradient = stop
            if is_parameter:
                var.is_parameter = True
        return name

    def declare_plain(self, name: str, kind: str) -> str:
        """Declare a variable that is no tensor: the feed list, a scope."""
        self.declared.add(name)
        var = self.message.vars.add(name=name, persistable=name in (FEED, FETCH))
        var.type.type = schema.CODE_OF_KIND[kind]
        return name

    def define(self, v: Variable, is_input: bool = False) -> str:
        """The name of a Variable that is about to be defined."""
        name = self.scope.get(v)
        if name is None:
            name = self.scope[v] = self.writer.take(v.name)
        self.declare(name, v.spec, is_input=is_input, stop=v.stop_gradient)
        if v.producer is not None and is_cut(v.producer):  # which no rule of an operator tells
            self.message.vars[-1].stop_gradient = True
        if is_input:
            self.sizes.note(v.spec, name)
        return name

    def operator(self, o: Operator) -> None:
        """Append one operator of the Program."""
        self.role = o.role
        desc = form_of(o.op)
        foreign = self.writer.inference or o.blocks or o.op.rules.get("effect")
        if not has_file_form(o.op) and foreign:
            raise UnsupportedError(
                f"the operator {o.op.name} has no form in Paddle's .pdmodel files",
                cure="leave it out of what is saved, compute it outside the program, or write "
                "what it computes as an operator: see twinoar.custom",
            ).attach(o.op.name, describe(o.op, o.operands), o.source)
        if o.blocks:
            CONTROL_WRITERS[desc.type](self, o)
            return
        if self._scaled(o, desc.type):
            return
        inputs = {
            s: [self.argument(x, o) for x in found if x is not None] for s, found in input_slots(o)
        }
        inputs |= {slot: [] for slot in desc.size_slots.values()}
        attrs, symbolic = attributes_of(o)
        for slot, size in symbolic.items():
            if isinstance(size, (list, tuple)):
                inputs[slot] = [self.sizes.name_of(d, o) for d in size]
            else:
                inputs[slot] = [self._as_number(self.sizes.name_of(size, o), o)]
        outputs: dict[str, list[str]] = {}
        for slot, found in output_slots(o, desc):
            source = inputs.get(slot.removesuffix("Out")) if slot.endswith("Out") else None
            if source and slot != "Out" and len(source) == len(found) == 1:
                self._in_place(source, found[0])
                outputs[slot] = source
            else:
                outputs[slot] = [self._result(v, o) for v in found]
        for slot in desc.extra_outputs:
            if outputs.get(slot):
                continue
            spec = extra_spec(o, has_zero=slot == "XShape")
            outputs[slot] = [self.declare(self.writer.fresh(desc.type), spec)]
        self.add(desc.type, inputs, outputs, attrs)
        for v in o.results:
            if v in self.scope:
                self.sizes.note(v.spec, self.scope[v])

    def nested(self, block: Block, given: Sequence[str]) -> BlockWriter:
        """The writer of a nested block whose inputs are the variables `given`."""
        inner = BlockWriter(self.writer, self)
        inner.scope = dict(zip(block.inputs, given, strict=True))
        for v, name in zip(block.inputs, given, strict=True):
            inner.sizes.note(v.spec, name)
        return inner

    def value(self, x: Any) -> str:
        """The name of a block's output."""
        return self.scope[x] if isinstance(x, Variable) else self.number(x, literal_dtype(x))

    def argument(self, x: Any, o: Operator) -> str:
        """The name of an operand; a number becomes a variable."""
        if isinstance(x, Variable):
            if x not in self.scope:
                raise ProgramError(
                    f"{o.op.name} reads %{x.name}, which nothing in the program defines"
                )
            return self.scope[x]
        return self.number(x, literal_spec(x, o).dtype)

    def number(self, x: Any, dtype: DType, shape: tuple[int, ...] = ()) -> str:
        """The name of a new variable that holds one number."""
        name = self.declare(self.writer.fresh("fill_constant"), Spec(shape, dtype))
        text = "" if isinstance(x, complex) else repr(int(x) if dtype.is_whole else float(x))
        if not text:
            raise UnsupportedError(
                f"a complex number, {x}, cannot stand in a .pdmodel", cure="make it a tensor"
            )
        value = float(x) if abs(float(x)) < 3e38 or float(x) in (np.inf, -np.inf) or x != x else 0.0
        attrs = {
            "shape": ("LONGS", list(shape)),
            "dtype": ("INT", dtype_code(dtype)),
            "value": ("FLOAT", value),
            "str_value": ("STRING", text),
            "force_cpu": ("BOOLEAN", False),
            "place_type": ("INT", -1),
            SCOPE: ("STRING", f"{LITERAL}{print_literal(x)}/"),
        }
        self.add("fill_constant", {}, {"Out": [name]}, attrs)
        return name

    def constant(self, name: str, spec: Spec, array: np.ndarray) -> None:
        """Define `name` with the elements of an array."""
        stored = STORED_AS.get(spec.dtype.name)
        if stored is None:
            raise UnsupportedError(
                f"a constant of {spec} cannot stand in a .pdmodel",
                cure="make it a state or an input",
            )
        attribute, kind, _ = VALUES[stored]
        plain = array.astype(stored).reshape(-1).tolist()
        values = [int(x) for x in plain] if stored == "bool" else plain
        self.declare(name, spec)
        target = name
        if stored != spec.dtype.name:
            target = self.declare(
                self.writer.fresh("assign"),
                Spec(spec.shape, float32 if kind == "FLOATS" else int32),
            )
        attrs: dict[str, tuple[str, Any]] = {
            other: (other_kind, []) for other, other_kind, _ in VALUES.values()
        }
        attrs |= {attribute: (kind, values), "shape": ("INTS", list(array.shape))}
        attrs["dtype"] = ("INT", schema.CODE_OF_DTYPE[stored])
        self.add("assign_value", {}, {"Out": [target]}, attrs)
        if target != name:
            self.cast(target, schema.CODE_OF_DTYPE[stored], name, dtype_code(spec.dtype))

    def cast(self, name: str, before: int, to: str, after: int) -> None:
        """Append a cast between declared variables; element types by their codes."""
        attrs = {"in_dtype": ("INT", before), "out_dtype": ("INT", after)}
        self.add("cast", {"X": [name]}, {"Out": [to]}, {**attrs, "use_mkldnn": ("BOOLEAN", False)})

    def assigned(self, name: str, spec: Spec, to: str) -> str:
        """Declare `to`, a copy of variable `name`; returns `to`."""
        self.add("assign", {"X": [name]}, {"Out": [self.declare(to, spec)]}, {})
        return to

    def scale(self, name: str, to: str, scale: float, bias: float) -> None:
        """Append `to = scale * name + bias`."""
        attrs = {
            "scale": ("FLOAT", scale),
            "bias": ("FLOAT", bias),
            "bias_after_scale": ("BOOLEAN", True),
        }
        self.add("scale", {"X": [name]}, {"Out": [to]}, attrs)

    def fetched(self, v: Any, column: int) -> str:
        """The name that output `column` is fetched by: that of a copy, as Paddle makes one."""
        if not isinstance(v, Variable):
            return self.value(v)
        to = self.declare(self.writer.take(f"{FETCH_PREFIX}{column}.tmp_0"), v.spec)
        if v.spec.dtype.name in SCALED:
            self.scale(self.scope[v], to, 1.0, 0.0)
        else:
            self.add("assign", {"X": [self.scope[v]]}, {"Out": [to]}, {})
        return to

    def _result(self, v: Variable | None, o: Operator) -> str:
        if v is not None:
            return self.define(v)
        return self.declare(self.writer.fresh(form_of(o.op).type), extra_spec(o))

    def _as_number(self, size: str, o: Operator) -> str:
        """A variable with a size in the element type of the operator's result."""
        dtype = o.results[0].spec.dtype
        to = self.declare(self.writer.fresh("cast"), Spec((), dtype))
        self.cast(size, dtype_code(int32), to, dtype_code(dtype))
        return to

    def _in_place(self, source: list[str], v: Variable | None) -> None:
        """Give result `v` in slot `MeanOut` the name of what is in slot `Mean`.

        Paddle's operators change that in place. Where the old value must stay a copy is changed.
        """
        (name,) = source
        if v is None or v not in self.writer.read or self.scope.get(v) == name:
            return
        source[0] = self.assigned(name, v.spec, self.define(v))

    def _scaled(self, o: Operator, kind: str) -> bool:
        """Write an elementwise operator on a number as `scale`, where float32 holds the number."""
        if not self.writer.inference or kind not in SCALE_OF_Y:
            return False
        if len(o.operands) != 2 or not isinstance(o.results[0], Variable):
            return False
        x, y = o.operands
        table, number, tensor = (
            (SCALE_OF_Y, y, x) if isinstance(x, Variable) else (SCALE_OF_X, x, y)
        )
        if not isinstance(tensor, Variable) or isinstance(number, (Variable, complex, bool)):
            return False
        if tensor.spec.dtype.name not in SCALED or tensor.spec.dtype != o.results[0].spec.dtype:
            return False
        written = [float(v) for v in table[kind](number)]
        is_held = all(float(np.float32(v)) == v == nearest_decimal(v) for v in written)
        if tensor.spec.dtype != float32 and not is_held:  # as it is read again, too
            return False
        if not np.isfinite(np.float32(number)):
            return False
        self.scale(self.argument(tensor, o), self.define(o.results[0]), *written)
        self.sizes.note(o.results[0].spec, self.scope[o.results[0]])
        return True
