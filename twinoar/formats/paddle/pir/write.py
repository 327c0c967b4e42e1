"""Writing a ProgramDesc as the `.json` program of Paddle 3.

Variables become values: each is what was last assigned to its name, so that copies and in-place
writes vanish; conditional blocks and their selects become `if`, and numbers that Paddle 3 takes as
operands become constants.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from twinoar import config
from twinoar.errors import UnsupportedError
from twinoar.formats.paddle import schema
from twinoar.formats.paddle.attribute import attribute_value
from twinoar.formats.paddle.pir.table import Attribute, Form, Slot, forms
from twinoar.formats.paddle.pir.values import DTYPE_OF_TAG, encoded, named, scalar, tensor
from twinoar.formats.paddle.program_desc import FEED, FETCH, FETCH_PREFIX, LOST_GRADIENT, slots_of

BASE = {"magic": "pir", "trainable": True, "version": 4}
ANYWHERE, CPU = [0, 0, ""], [1, 0, ""]  # places
MISSING = {"#": "NULL"}
AS_BEFORE = "save the model as .pdmodel, with FLAGS_enable_pir_api off"


def write_pir(data: bytes) -> bytes:
    """The `.json` program that says what the bytes of a `.pdmodel` say.

    Raises UnsupportedError for an operator that Paddle 3 does not have, by its name.
    """
    desc = schema.read_program(data, "the program")
    told = Writer(desc).program()
    return json.dumps(told, separators=(",", ":"), allow_nan=False).encode()


def program_file(prefix: str, data: bytes) -> tuple[str, bytes]:
    """The path and contents of a program's file: `.pdmodel`, or `.json` where that is asked for.

    data: the bytes of a `.pdmodel`. Raises UnsupportedError, see `write_pir`.
    """
    return (f"{prefix}.json", write_pir(data)) if config.pir else (f"{prefix}.pdmodel", data)


class Writer:
    """Writes one program."""

    def __init__(self, desc: Any):
        self.desc = desc
        self.blocks = desc.blocks
        self.count = self.arguments = 0
        self.region_count = 0
        self.types: dict[int, Any] = {}  # of values
        self.wanting: set[int] = set()  # values that want a gradient
        self.by_type: dict[str, list[Form]] = {}
        for form in forms():
            self.by_type.setdefault(form.type, []).append(form)

    def program(self) -> dict[str, Any]:
        """The whole file."""
        region = self.region(BlockWriter(self, self.blocks[0], {}), [])
        return {"base_code": BASE, "program": {"regions": [region]}}

    def region(self, block: BlockWriter, args: list[Any]) -> dict[str, Any]:
        """A region with one block."""
        number = self.region_count
        self.region_count += 1
        told = {"#": f"block_{number}", "args": args, "ops": block.write()}
        return {"#": f"region_{number}", "blocks": [told]}

    def value(self, type: Any) -> dict[str, Any]:
        """A new value of a type."""
        self.count += 1
        self.types[self.count] = type
        return {"%": self.count, "TT": type}

    def argument(self, type: Any) -> dict[str, Any]:
        """A new argument of a block."""
        self.arguments -= 1
        self.types[self.arguments] = type
        return {"#": self.arguments, "TT": type}


class Side(NamedTuple):
    """A conditional block, and one of its results."""

    op: Any
    condition: str
    result: str


class BlockWriter:
    """Writes the operators of a block; `values` holds the number of each variable's value."""

    def __init__(self, writer: Writer, message: Any, values: Mapping[str, int]):
        self.writer, self.message, self.values = writer, message, dict(values)
        self.ops: list[dict[str, Any]] = []
        self.conditionals: dict[str, Side] = {}  # by result
        self.yielded: list[str] = []

    def write(self) -> list[dict[str, Any]]:
        """The operators, with a `yield` where something is yielded."""
        if self.message.idx == 0:
            self._parameters()
        for n, op in enumerate(self.message.ops):
            self._operator(op, n)
        if self.message.idx:
            self.add("2.yield", [self.values[name] for name in self.yielded], [])
        return self.ops

    def _parameters(self) -> None:
        kinds = (schema.CODE_OF_KIND["DENSE_TENSOR"], schema.CODE_OF_KIND["SELECTED_ROWS"])
        for var in self.message.vars:
            if var.persistable and var.type.type in kinds:
                value = self.writer.value(self.type_of(var.name))
                self.values[var.name] = value["%"]
                learns = int(var.is_parameter)
                self.ops.append(
                    {
                        "#": "p",
                        "A": [0, 1, 1, var.name],
                        "DA": [],
                        "O": value,
                        "OA": [1, 1 - learns, learns],
                        "QA": [],
                    }
                )

    # Values.

    def type_of(self, name: str) -> Any:
        """The type that is declared for a variable."""
        var = self.declared(name)
        if var is None or not var.type.HasField("dense_tensor"):
            return MISSING
        told = var.type.dense_tensor.tensor
        return tensor(schema.DTYPE_OF_CODE[told.data_type], list(told.dims))

    def declared(self, name: str) -> Any:
        """The declaration of a variable, here or around here; None without one."""
        block = self.message
        while True:
            for var in block.vars:
                if var.name == name:
                    return var
            if block.parent_idx < 0:
                return None
            block = self.writer.blocks[block.parent_idx]

    def define(self, name: str) -> dict[str, Any]:
        """A new value of a variable."""
        value = self.writer.value(self.type_of(name))
        self.values[name] = value["%"]
        var = self.declared(name)
        if var is not None and not var.stop_gradient:
            self.writer.wanting.add(value["%"])
        return value

    def add(
        self,
        name: str,
        operands: Sequence[int],
        results: Sequence[dict[str, Any]],
        attrs: Sequence[dict[str, Any]] = (),
        **more: Any,
    ) -> dict[str, Any]:
        """Append an operator."""
        stops = [result["%"] not in self.writer.wanting for result in results]
        op = {
            "#": name,
            "A": list(attrs),
            "I": [{"%": number} for number in operands],
            "O": list(results),
            "OA": named(stop_gradient=encoded(stops, "[bool]")) if results else [],
            **more,
        }
        self.ops.append(op)
        return op

    def constant(self, kind: str, value: Any) -> int:
        """The number of a constant: sizes, or one number of a dtype."""
        place = encoded(CPU, "place")
        if kind == "ints":
            values = value if isinstance(value, list) else [value]
            found = self.writer.value(tensor("int64", [len(values)]))
            attrs = named(
                value=encoded(values, "[i64]"), dtype=encoded("int64", "dtype"), place=place
            )
            self.add("1.full_int_array", [], [found], attrs)
        else:
            dtype = kind.rpartition(":")[2]
            found = self.writer.value(tensor(dtype, [1]))
            attrs = named(
                shape=encoded([1], "ints"),
                value=scalar(float(value), "f64"),
                dtype=encoded(dtype, "dtype"),
                place=place,
            )
            self.add("1.full", [], [found], attrs)
        return int(found["%"])

    def combined(self, names: Sequence[str]) -> int:
        """The number of several values as one."""
        numbers = [self.values[name] for name in names]
        types = [self.writer.types[number] for number in numbers]
        found = self.writer.value({"#": "0.t_vec", "D": types})
        self.add("0.combine", numbers, [found])
        return int(found["%"])

    # Operators.

    def _operator(self, op: Any, n: int) -> None:
        inputs, outputs = dict(slots_of(op.inputs)), dict(slots_of(op.outputs))
        attrs = {a.name: attribute_value(a) for a in op.attrs}
        if op.type == FEED:
            self._data(outputs["Out"][0])
        elif op.type == FETCH:
            self._fetch(inputs["X"][0], attrs)
        elif op.type == "assign" or _is_no_scale(op.type, outputs, attrs):
            self.values[outputs["Out"][0]] = self.values[inputs["X"][0]]
        elif op.type == "conditional_block":
            for name in outputs.get("Out", []):
                self.conditionals[name] = Side(op, inputs["Cond"][0], name)
        elif op.type == "select_input":
            if outputs["Out"][0] not in self.values:
                self._if(n)
        elif op.type == "while":
            self._while(attrs, inputs["Condition"][0], outputs["Out"])
        elif op.type == "mul":
            self._product(inputs["X"][0], inputs["Y"][0], outputs["Out"][0], attrs)
        else:
            self._by_table(op.type, inputs, outputs, attrs)

    def _product(self, x: str, y: str, out: str, attrs: dict[str, Any]) -> None:
        """`mul`, which Paddle 3 does not have: x as a matrix of its last dimensions, times y."""
        first, sizes = attrs["x_num_col_dims"], self.type_of(x)["D"][1]
        if attrs["y_num_col_dims"] != 1 or len(self.type_of(y)["D"][1]) != 2:
            raise UnsupportedError(
                "mul with more than a matrix has no form in a program of Paddle 3", cure=AS_BEFORE
            )
        number = self.values[x]
        if len(sizes) > first + 1:
            told, _, size = self.type_of(x)["D"][0], None, math.prod(sizes[first:])
            joined = -1 if min(sizes[first:]) < 0 else size
            dtype = DTYPE_OF_TAG[told["#"]]
            flat = self.writer.value(tensor(dtype, [*sizes[:first], joined]))
            attrs = {"start_axis": first, "stop_axis": len(sizes) - 1}
            whole = {name: scalar(axis, "i32") for name, axis in attrs.items()}
            self.add("1.flatten", [number], [flat], named(**whole))
            number = flat["%"]
        plain = {name: scalar(False, "bool") for name in ("transpose_x", "transpose_y")}
        self.add("1.matmul", [number, self.values[y]], [self.define(out)], named(**plain))

    def _data(self, name: str) -> None:
        value = self.define(name)
        dtype = DTYPE_OF_TAG[value["TT"]["D"][0]["#"]]
        attrs = named(
            name=scalar(name, "str"),
            shape=encoded(value["TT"]["D"][1], "ints"),
            dtype=encoded(dtype, "dtype"),
            place=encoded(ANYWHERE, "place"),
        )
        self.add("1.data", [], [value], attrs)

    def _fetch(self, name: str, given: dict[str, Any]) -> None:
        column, number = given["col"], self.values[name]
        value = self.writer.value(self.writer.types[number])
        attrs = named(name=scalar(f"fetch_name_{column}", "str"), col=scalar(column, "i32"))
        if LOST_GRADIENT in given:
            attrs += named(**{LOST_GRADIENT: scalar(given[LOST_GRADIENT], "str")})
        op = self.add("1.fetch", [number], [value], attrs)
        op["OA"] = [*named(persistable=encoded([True], "[bool]")), *op["OA"]]

    def _by_table(
        self,
        type: str,
        inputs: dict[str, list[str]],
        outputs: dict[str, list[str]],
        attrs: dict[str, Any],
    ) -> None:
        form = self._form(type, inputs, attrs)
        if form.refused:
            raise UnsupportedError(
                f"{type} is not written for Paddle 3: {form.refused}", cure=AS_BEFORE
            )
        if type == "quantize_linear":
            largest = (1 << (attrs["bit_length"] - 1)) - 1
            attrs = {"qmin": -largest - 1, "qmax": largest, **attrs}
        if attrs.get("reduce_all") and "dim" in attrs:
            attrs["dim"] = []
        squeezed = _checked(form, attrs)
        operands = [self._operand(slot, form, inputs, attrs) for slot in form.inputs]
        lists: list[tuple[int, list[str]]] = []
        results = []
        for slot in form.outputs:
            names = outputs.get(slot.many or slot.name, [])
            if not names:
                results.append({"%": self._skipped(), "TT": MISSING})
            elif slot.many:
                types = [self.type_of(name) for name in names]
                results.append(self.writer.value({"#": "0.t_vec", "D": types}))
                lists.append((self.writer.count, names))
            else:
                results.append(self.define(names[0]))
        told = [
            {"N": name, "AT": self._attribute(name, wanted, type, attrs, outputs)}
            for name, wanted in form.attrs.items()
        ]
        self.add(f"1.{form.op}", operands, results, told)
        if squeezed:
            (name,) = outputs["Out"]
            axes = self.constant("ints", squeezed)
            before = self.values[name]
            self.add("1.squeeze", [before, axes], [self.define(name)])
        for number, names in lists:
            self.add("0.split", [number], [self.define(name) for name in names])

    def _skipped(self) -> int:
        return int(self.writer.value(MISSING)["%"])

    def _form(self, type: str, inputs: dict[str, list[str]], attrs: dict[str, Any]) -> Form:
        found = self.writer.by_type.get(type, [])
        fitting = [
            form
            for form in found
            if all(attrs.get(name) == value for name, value in form.sets.items())
        ]
        if not fitting:
            raise UnsupportedError(
                f"the operator {type} has no form in a program of Paddle 3",
                cure=AS_BEFORE,
            )
        given = {slot for slot, names in inputs.items() if names}
        return max(fitting, key=lambda form: (given <= _slots(form), _made(form, attrs)))

    def _operand(
        self, slot: Slot, form: Form, inputs: dict[str, list[str]], attrs: dict[str, Any]
    ) -> int:
        if slot.many and inputs.get(slot.many):
            return self.combined(inputs[slot.many])
        if slot.name and inputs.get(slot.name):
            return self.values[inputs[slot.name][0]]
        if slot.attribute in attrs:
            return self.constant(slot.kind, attrs[slot.attribute])
        if slot.constant is not None:
            return self.constant(slot.kind, slot.constant)
        if slot.name == "ValueTensor":  # of a full whose shape alone is a tensor
            dtype = schema.DTYPE_OF_CODE[attrs["dtype"]]
            return self.constant(f"scalar:{dtype}", attrs.get("str_value") or attrs["value"])
        return 0

    def _attribute(
        self,
        name: str,
        wanted: Attribute,
        type: str,
        attrs: dict[str, Any],
        outputs: dict[str, list[str]],
    ) -> dict[str, Any]:
        if wanted.constant is not None:
            return encoded(wanted.constant, wanted.kind)
        if wanted.kind == "values":
            given = [attrs[key] for key in VALUES if attrs.get(key)]
            return encoded(given[0] if given else [], wanted.kind)
        if wanted.kind == "dtype" and not wanted.name:
            (element, *_) = self.type_of(outputs["Out"][0])["D"]
            return encoded(DTYPE_OF_TAG[element["#"]], "dtype")
        if wanted.name not in attrs:
            raise UnsupportedError(f"the operator {type} has no attribute {wanted.name or name}")
        return encoded(attrs[wanted.name], wanted.kind)

    # Control flow.

    def _if(self, n: int) -> None:
        """The selects from here on that merge the same two conditional blocks."""
        selects = list(takewhile(lambda op: op.type == "select_input", self.message.ops[n:]))
        sides = self._merged(selects[0])
        results: list[str] = []
        merged: tuple[list[str], list[str]] = ([], [])
        for op in selects:
            found = self._merged(op)
            if any(a.op is not b.op for a, b in zip(found, sides, strict=True)):
                break
            results += dict(slots_of(op.outputs))["Out"]
            for names, side in zip(merged, found, strict=True):
                names.append(side.result)
        condition = self.values[sides[0].condition]
        regions = [self._branch(side.op, names) for side, names in zip(sides, merged, strict=True)]
        self.add("1.if", [condition], [self.define(name) for name in results], regions=regions)

    def _merged(self, op: Any) -> tuple[Side, Side]:
        """What a select merges: where its condition is true, and where it is not."""
        no, yes = dict(slots_of(op.inputs))["X"]
        return self.conditionals[yes], self.conditionals[no]

    def _branch(self, op: Any, results: list[str]) -> dict[str, Any]:
        number = next(attribute_value(a) for a in op.attrs if a.name == "sub_block")
        inner = BlockWriter(self.writer, self.writer.blocks[number], self.values)
        inner.yielded = results
        return self.writer.region(inner, [])

    def _while(self, attrs: dict[str, Any], condition: str, changed: list[str]) -> None:
        carried = [name for name in changed if name != condition]
        inner = BlockWriter(self.writer, self.writer.blocks[attrs["sub_block"]], self.values)
        args = []
        for name in carried:
            args.append(self.writer.argument(self.writer.types[self.values[name]]))
            inner.values[name] = args[-1]["#"]
        inner.yielded = [condition, *carried]
        region = self.writer.region(inner, args)
        operands = [self.values[name] for name in (condition, *carried)]
        results = [self.define(name) for name in carried]
        self.add("1.while", operands, results, regions=[region])


# What a `.pdmodel` says of an operator, and that is not of what it computes.
BOOKKEEPING = (
    "op_role",
    "op_role_var",
    "op_namescope",
    "op_device",
    "op_callstack",
    "with_quant_attr",
    "use_mkldnn",
    "use_cudnn",
    "defined_in",
)
VALUES = ("bool_values", "int32_values", "int64_values", "fp32_values", "fp64_values")


def _slots(form: Form) -> set[str]:
    return {name for slot in form.inputs for name in (slot.name, slot.many) if name}


def _made(form: Form, attrs: dict[str, Any]) -> int:
    """How many of its attributes and constants an operator of a `.pdmodel` has."""
    told = [a.name for a in form.attrs.values()] + [slot.attribute for slot in form.inputs]
    return sum(name in attrs for name in told if name)


def _checked(form: Form, attrs: dict[str, Any]) -> list[int]:
    """The dimensions to squeeze out of the result, where Paddle 3 has no attribute for them.

    Raises UnsupportedError for another attribute that Paddle 3 does not have.
    """
    known = {a.name for a in form.attrs.values()} | {slot.attribute for slot in form.inputs}
    known |= form.sets.keys()
    for name, value in attrs.items():
        if name in known or name in (*BOOKKEEPING, *VALUES):
            continue
        wanted = form.drops.get(name, value)
        if name not in form.drops or (wanted is not None and wanted != value):
            raise UnsupportedError(
                f"{form.type} with {name}={value!r} has no form in a program of Paddle 3",
                cure=AS_BEFORE,
            )
    return attrs.get("decrease_axis", []) if "decrease_axis" not in known else []


def _is_no_scale(type: str, outputs: dict[str, list[str]], attrs: dict[str, Any]) -> bool:
    """True for the operator that names what is fetched, and changes nothing."""
    name = outputs.get("Out", [""])[0]
    same = attrs.get("scale") == 1.0 and attrs.get("bias") == 0.0
    return type == "scale" and same and name.startswith(FETCH_PREFIX)
