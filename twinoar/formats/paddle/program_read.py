"""Reading the bytes of a `.pdmodel` or `.json` as a Program, by the `desc` rules of all operators.

The Program is built anew with a Builder, so every shape and dtype is inferred and checked again.
In-place writes of the file become new values, those of persistable variables updates. Whatever is
wrong with a file ends in a FileError that names the file, the operator and what was expected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.core.dtype import DType
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program, State, Variable
from twinoar.core.op.attr import REQUIRED
from twinoar.core.op.definition import Op, op_named, registry
from twinoar.core.spec import Spec
from twinoar.errors import FileError, TwinoarError
from twinoar.formats.cursor import Bytes
from twinoar.formats.paddle import schema
from twinoar.formats.paddle.attribute import attribute_value
from twinoar.formats.paddle.info import VariableInfo
from twinoar.formats.paddle.pir import read_desc
from twinoar.formats.paddle.program_control_read import CONTROL_READERS
from twinoar.formats.paddle.program_desc import (
    DTYPE_ATTRIBUTES,
    FEED,
    FETCH,
    LOST_GRADIENT,
    OWN,
    ROLES,
    dtype_of_code,
    form_of,
    kind_and_value,
    nearest_decimal,
    operators_by_type,
    slots_of,
)
from twinoar.formats.paddle.program_gradient import Forward, is_gradient_of, read_gradient
from twinoar.formats.paddle.program_literal import literal_of, put_literals
from twinoar.ops._sizes import sizes
from twinoar.ops.shape.reshape import reshape

TENSOR_KINDS = (schema.CODE_OF_KIND["DENSE_TENSOR"], schema.CODE_OF_KIND["SELECTED_ROWS"])
DEFINED_IN = "defined_in"  # the module of an operator that users have defined
IGNORED = ("use_cudnn", "use_mkldnn", DEFINED_IN)  # attributes without a meaning for the result
BOOKKEEPING = ("op_callstack", "op_role", "op_role_var", "op_namescope", "op_device")
MAX_RANK = 32
MAX_BUILDS = 200  # of each operator in the file, on average


def read_program(
    data: Bytes,
    path: str,
    *,
    factory: Callable[[], Program] = Program,
    info: Mapping[str, VariableInfo] | None = None,
) -> Program:
    """The Program in the bytes of a `.pdmodel` file, or of a `.json` file of Paddle 3.

    path: for messages. factory: makes the empty Program. info: roles of
    the states, from a `.pdiparams.info`; without it the file tells which are parameters. Inputs are
    what is fed and outputs what is fetched, in the order of their columns; persistable variables
    are states, whose values are elsewhere. Names are those of the file.

    Raises FileError, which names the file, the operator and what was expected, for whatever cannot
    be read.
    """
    desc = read_desc(data, path)
    return ProgramReader(desc, path, factory(), info or {}).read()


class Slots(dict):
    """Variables by slot; a slot that the file lacks is a FileError."""

    def __missing__(self, key: str) -> Any:
        raise FileError(f"expected the slot {key}, the operator has {', '.join(self) or 'none'}")


class Attributes(dict):
    """Attributes by name; one that the file lacks is a FileError."""

    def __missing__(self, key: str) -> Any:
        raise FileError(
            f"expected the attribute {key}, the operator has {', '.join(self) or 'none'}"
        )


class ProgramReader:
    """Builds one Program from a ProgramDesc."""

    def __init__(self, desc: Any, path: str, program: Program, info: Mapping[str, VariableInfo]):
        self.desc, self.path, self.program, self.info = desc, path, program, info
        self.operators = operators_by_type()
        self.builder = Builder(program)
        self.used: set[str] = set()  # names that a value of the Program has already
        self.literals: dict[Variable, Any] = {}  # what stands for numbers among operands
        # A loop's block is built for each sort of iteration, so what is nested in it many times.
        self.builds_left = MAX_BUILDS * sum(len(block.ops) for block in desc.blocks)

    def read(self) -> Program:
        """The Program."""
        root, program = self.desc.blocks[0], self.program
        main = BlockReader(self, root, self.builder, {}, None)
        for var in root.vars:
            if var.persistable and var.type.type in TENSOR_KINDS:
                main.environment[var.name] = self._state(var)
        for name in self._inputs(root):
            spec = main.spec_of(name)
            stop = main.declared[name].stop_gradient or not main.declared[name].HasField(
                "stop_gradient"
            )
            main.environment[name] = program.main.add_input(spec, name, stop_gradient=stop)
        self.used |= main.environment.keys()
        program.names.taken |= {var.name for block in self.desc.blocks for var in block.vars}
        with using(self.builder):
            main.read_operators()
            fetched = self._columns(root, FETCH, "inputs", "X")
            program.lost_gradient = _lost_gradient(root)
            program.main.outputs = [
                main.variable(name, f"{self.path}: what is fetched") for name in fetched
            ]
        put_literals(program, self.literals)
        return program

    def _state(self, var: Any) -> State:
        spec = Spec(self.shape_of(var), self.dtype_of(var))
        told = self.info.get(var.name)
        trainable = told.trainable is not None if told is not None else var.is_parameter
        stop = (
            told.stop_gradient if told is not None else (var.stop_gradient or not var.is_parameter)
        )
        if var.name in self.program.states:
            raise FileError(f"{self.path}: the variable {var.name} is declared twice")
        return self.program.add_state(spec, var.name, is_parameter=trainable, stop_gradient=stop)

    def _inputs(self, root: Any) -> list[str]:
        """The variables that are fed: by `feed` operators, or in a Program without them those
        marked so.
        """
        fed = self._columns(root, FEED, "outputs", "Out")
        if any(op.type == FEED for op in root.ops):
            return fed
        return [var.name for var in root.vars if var.need_check_feed and not var.persistable]

    def _columns(self, root: Any, kind: str, side: str, slot: str) -> list[str]:
        found: dict[int, str] = {}
        for op in root.ops:
            if op.type != kind:
                continue
            names = dict(slots_of(getattr(op, side))).get(slot, [])
            columns = [a.i for a in op.attrs if a.name == "col"]
            if len(names) != 1 or len(columns) != 1:
                raise FileError(
                    f"{self.path}: a {kind} operator must have one variable in {slot}, and a col"
                )
            if columns[0] in found or (names[0] in found.values() and kind == FEED):
                raise FileError(
                    f"{self.path}: column {columns[0]} of {kind}, {names[0]}, occurs twice"
                )
            found[columns[0]] = names[0]
        return [found[column] for column in sorted(found)]

    def shape_of(self, var: Any) -> tuple:
        """The declared shape of a tensor, each -1 a new unknown size."""
        dims = self.tensor_desc(var).dims
        if len(dims) > MAX_RANK or any(d < -1 for d in dims):
            raise FileError(
                f"{self.path}: the variable {var.name} cannot have the shape {list(dims)[:40]}"
            )
        return tuple(self.program.fresh_dim() if d == -1 else d for d in dims)

    def dtype_of(self, var: Any) -> DType:
        """The declared element type of a tensor."""
        return dtype_of_code(
            self.tensor_desc(var).data_type, f"{self.path}: the variable {var.name}"
        )

    def tensor_desc(self, var: Any) -> Any:
        """What the file says of a tensor."""
        field = "selected_rows" if var.type.HasField("selected_rows") else "dense_tensor"
        if not var.type.HasField(field):
            raise FileError(f"{self.path}: the variable {var.name} must be a tensor")
        return var.type.selected_rows if field == "selected_rows" else var.type.dense_tensor.tensor

    def place(self, block: Any, index: int) -> str:
        """Where an operator stands, for messages."""
        where = f"operator {index}" if block.idx == 0 else f"operator {index} of block {block.idx}"
        return f"{self.path}: {where}, {block.ops[index].type}"


class BlockReader:
    """Reads the operators of one block; `environment` holds the present value of each variable by
    name.
    """

    def __init__(
        self,
        reader: ProgramReader,
        message: Any,
        builder: Builder,
        environment: dict[str, Any],
        outer: BlockReader | None,
    ):
        self.reader, self.message, self.builder = reader, message, builder
        self.environment, self.outer = environment, outer
        self.declared = {var.name: var for var in message.vars}
        self.pending: dict[str, Any] = {}  # the conditional block that computes each of its results
        self.merged: set[str] = set()  # results of selects that are read already
        self.forwards: dict[str, list[Forward]] = {}  # what was read of each type, for gradients

    def read_operators(self) -> None:
        """Build all operators, in order."""
        for index, op in enumerate(self.message.ops):
            if op.type in (FEED, FETCH) and self.message.idx == 0:
                continue
            place = self.reader.place(self.message, index)
            self.reader.builds_left -= 1
            if self.reader.builds_left < 0:
                raise FileError(f"{place}: its blocks are nested too deeply, or used too often")
            self.builder.role = role_of(op)
            try:
                if op.type in CONTROL_READERS:
                    CONTROL_READERS[op.type](self, op, index)
                else:
                    self._operator(op, place)
            except FileError as error:
                if str(error).startswith(self.reader.path):
                    raise
                raise FileError(f"{place}: {error.message}", cure=error.cure) from error
            except RecursionError as error:
                raise FileError(f"{place}: it is nested too deeply") from error
            # The file may say anything to an operator's rules: whatever fails there is its fault.
            except Exception as error:
                raise FileError(
                    f"{place}: {message_of(error)}", cure=getattr(error, "cure", None)
                ) from error

    def variable(self, name: str, place: str) -> Any:
        """The present value of a variable. Raises FileError where nothing has defined it."""
        if name in self.environment:
            return self.environment[name]
        if self.outer is not None:
            return self.outer.variable(name, place)
        raise FileError(f"{place}: nothing before it defines the variable {name!r}")

    def spec_of(self, name: str) -> Spec:
        """The declared spec of a variable. Raises FileError where it is not declared."""
        block: BlockReader | None = self
        while block is not None:
            if name in block.declared:
                var = block.declared[name]
                return Spec(self.reader.shape_of(var), self.reader.dtype_of(var))
            block = block.outer
        raise FileError(f"{self.reader.path}: the variable {name!r} is not declared")

    def nested(self, message: Any, builder: Builder) -> BlockReader:
        """The reader of a block inside this one."""
        return BlockReader(self.reader, message, builder, {}, self)

    def _operator(self, op: Any, place: str) -> None:
        if is_gradient_of(op, self.reader.operators):
            read_gradient(self, op, place)
            return
        slots = Slots()
        for slot, names in slots_of(op.inputs):
            slots[slot] = [self.variable(name, place) for name in names]
        inputs = {s: list(zip(names, slots[s], strict=True)) for s, names in slots_of(op.inputs)}
        attrs = attributes_in(op, place)
        before = len(self.builder.block.ops)
        chosen, results = call_by_type(
            self.builder, self.reader.operators, op.type, slots, attrs, place
        )
        outputs = dict(slots_of(op.outputs))
        made = set(self.builder.block.ops[before:])
        for name, value in named_results(chosen, outputs, results):
            self.define(name, value, made)
            number = literal_of(op)
            if number is not None:
                self.reader.literals[self.environment[name]] = number
        defined = {s: [(n, self.environment.get(n)) for n in names] for s, names in outputs.items()}
        built = tuple(self.builder.block.ops[before:])
        self.forwards.setdefault(op.type, []).append(Forward(inputs, defined, built))

    def define(self, name: str, value: Any, made: set) -> None:
        """Let variable `name` have `value` from now on; `made` are the operators that gave it."""
        before = self.present(name)
        if value is before:
            return
        if not isinstance(value, Variable) or value.producer not in made:
            (copy,) = self.reader.operators["assign"][:1]
            value = self.builder.apply(
                copy, (value,), {k: a.default for k, a in copy.attrs.items()}
            )
        declared = self.declared.get(name)
        if declared is not None and declared.stop_gradient:
            value.stop_gradient = True
        if name not in self.reader.used:
            self.reader.used.add(name)
            value.name = name
        self.environment[name] = value
        root = self.reader.program.states.get(name)
        if root is not None and self.outer is None:
            self.builder.rebind(root, value)
        elif isinstance(before, Variable) and self.outer is None and not isinstance(before, State):
            before.rebound = value

    def present(self, name: str) -> Any:
        """The present value of a variable, or None."""
        block: BlockReader | None = self
        while block is not None:
            if name in block.environment:
                return block.environment[name]
            block = block.outer
        return None


def _lost_gradient(root: Any) -> str:
    """Why the gradients of what was saved are not those of the file; nothing where they are."""
    told = (a for op in root.ops if op.type == FETCH for a in op.attrs)
    return next((str(attribute_value(a)) for a in told if a.name == LOST_GRADIENT), "")


def call_by_type(
    builder: Builder,
    operators: Mapping[str, list[Op]],
    type: str,
    slots: Slots,
    attrs: Attributes,
    place: str,
) -> tuple[Op, tuple]:
    """Call the operator that stands as `type`, of those in `operators`: it, and its results."""
    candidates = operators.get(type)
    name = type.removeprefix(OWN)
    if type.startswith(OWN) and name.partition(".")[0] in registry:
        candidates = [op_named(name)]
    if not candidates and type.startswith(OWN):
        module = attrs.get(DEFINED_IN)
        source = "run the code" if module in (None, "__main__") else f"import {module}, the module"
        raise FileError(
            f"{place}: the custom operator {name} is not defined in this process",
            cure=f"{source} that defines {name}, then load the file",
        )
    if not candidates:
        raise FileError(
            f"{place}: twinoar has no operator of this type",
            cure="if it is one of your own, load its library or module before the file",
        )
    aligned(slots, attrs)
    fitting = [c for c in candidates if agrees(form_of(c).fixed, attrs)]
    for candidate in sorted(
        fitting, key=lambda c: (form_of(c).read is None, -len(form_of(c).fixed))
    ):
        desc = form_of(candidate)
        if desc.read is not None:
            out = desc.read(slots, attrs)
        else:
            operands, ours = arguments(candidate, slots, attrs)
            if not agrees(expected_attributes(candidate, operands, ours), attrs):
                continue
            out = builder.apply(candidate, operands, ours)
        return candidate, tuple(out) if isinstance(out, (tuple, list)) else (out,)
    shown = ", ".join(f"{k}={v!r}" for k, v in attrs.items())
    raise FileError(
        f"{place}: twinoar has no operator of this type with the attributes {shown[:400]}"
    )


def message_of(error: Exception) -> str:
    """What went wrong, in a line, and in which of our operators."""
    if isinstance(error, TwinoarError):
        return f"{error.operator}: {error.message}" if error.operator else error.message
    return f"its slots or attributes do not fit ({type(error).__name__}: {error})"


def role_of(op: Any) -> str:
    """What an operator is for: "forward", "backward" or "optimize"."""
    number = next((attr.i for attr in op.attrs if attr.name == "op_role"), 0) & 0xFF
    return ROLES[number] if number < len(ROLES) else ROLES[0]


def attributes_in(op: Any, place: str) -> Attributes:
    """The attributes of an operator by name; element types as DTypes, float32 numbers as short
    decimals.
    """
    found = Attributes()
    for attr in op.attrs:
        if attr.name in BOOKKEEPING:
            continue
        value: Any = attribute_value(attr)
        kind = schema.ATTRIBUTE_OF_CODE[attr.type]
        if kind == "FLOAT":
            value = nearest_decimal(value)
        elif kind == "FLOATS":
            value = [nearest_decimal(x) for x in value]
        elif attr.name in DTYPE_ATTRIBUTES and kind == "INT":
            value = None if value == -1 else dtype_of_code(value, f"{place}: attribute {attr.name}")
        found[attr.name] = value
    return found


def aligned(slots: Slots, attrs: Attributes) -> None:
    """Bring Y of a binary operator to the last dimensions of X, from where the old attribute `axis`
    places it.
    """
    axis = attrs.get("axis")
    if (
        type(axis) is not int
        or axis == -1
        or len(slots.get("X", ())) != 1
        or len(slots.get("Y", ())) != 1
    ):
        return
    x, y = slots["X"][0], slots["Y"][0]
    trailing = x.ndim - axis - y.ndim
    if axis >= 0 and trailing >= 0:
        attrs["axis"] = -1
        if trailing:
            slots["Y"] = [reshape(y, [*y.shape, *[1] * trailing])]


def agrees(expected: Mapping[str, Any], attrs: Mapping[str, Any]) -> bool:
    """True if no attribute of the file contradicts what is expected of it."""
    return all(
        name not in attrs or name in IGNORED or _plain(attrs[name]) == _plain(value)
        for name, value in expected.items()
    )


def _plain(value: Any) -> Any:
    if isinstance(value, tuple) and len(value) == 2 and value[0] in schema.CODE_OF_ATTRIBUTE:
        value = value[1]
    if isinstance(value, (list, tuple)):
        return [_plain(x) for x in value]
    if isinstance(value, DType) or value is None:
        return value
    plain = kind_and_value(value)[1]
    return float(np.float32(plain)) if isinstance(plain, float) else plain


def expected_attributes(op: Op, operands: tuple, attrs: Mapping[str, Any]) -> dict[str, Any]:
    """What the operator's `write` would say of this very call."""
    write = form_of(op).write
    if write is None:
        return {}
    return write(attrs, tuple(x.spec if isinstance(x, Variable) else x for x in operands))


def arguments(op: Op, slots: Slots, attrs: Attributes) -> tuple[tuple, dict[str, Any]]:
    """Operands and attributes of `op` by its tables, checked and in their normal form."""
    desc = form_of(op)
    slot_of = {name: slot for slot, name in desc.inputs.items() if isinstance(name, str)}
    operands: list[Any] = []
    for operand in op.operands:
        given = slots.get(slot_of.get(operand.name, ""), [])
        if operand.variadic:
            operands.extend(given)
        elif given:
            if len(given) != 1:
                raise FileError(
                    f"expected one variable in slot {slot_of[operand.name]}, received {len(given)}"
                )
            operands.append(given[0])
        elif operand.optional:
            operands.append(None)
        else:
            raise FileError(
                f"expected a variable in slot {slot_of.get(operand.name, operand.name)}"
            )
    found = {name: attr.default for name, attr in op.attrs.items()}
    for name, entry in desc.attrs.items():
        ours = entry[0] if isinstance(entry, tuple) else entry
        given = slots.get(desc.size_slots.get(name, ""))
        if given:
            read = sizes(given)
            found[ours] = read if isinstance(attrs.get(name), list) else read[0]
        elif name in attrs:
            value = attrs[name]
            found[ours] = op.attrs[ours].convert(
                entry[2](value) if isinstance(entry, tuple) else value
            )
    missing = [name for name, value in found.items() if value is REQUIRED]
    if missing:
        raise FileError(f"expected an attribute for {', '.join(missing)} of {op.name}")
    return tuple(operands), found


def named_results(
    op: Op, outputs: Mapping[str, Sequence[str]], results: tuple
) -> list[tuple[str, Any]]:
    """(name in the file, value) for each result that the file names."""
    declared = form_of(op).outputs
    if len(declared) == len(outputs) == 1:  # an older spelling may call its only slot otherwise
        declared = tuple(outputs)
    found: list[tuple[str, Any]] = []
    last = len(declared) - 1
    for i, slot in enumerate(declared):
        names = outputs.get(slot, [])
        values = results[i:] if i == last else results[i : i + 1]
        if i == last and len(names) > len(values):
            raise FileError(
                f"expected at most {len(values)} variables in slot {slot}, received {len(names)}"
            )
        found += [(n, v) for n, v in zip(names, values, strict=False) if v is not None]
    return found
