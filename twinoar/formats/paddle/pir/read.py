"""Reading the `.json` program of Paddle 3 as a ProgramDesc, which the reader of `.pdmodel` takes.

Values become variables, constants that an operator takes as numbers become its attributes, regions
become blocks. Whatever is wrong with a file ends in a FileError that names the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from twinoar.errors import FileError, UnsupportedError
from twinoar.formats.cursor import Bytes
from twinoar.formats.paddle import schema
from twinoar.formats.paddle.attribute import set_attribute
from twinoar.formats.paddle.pir.table import Attribute, Form, Slot, forms_by_op
from twinoar.formats.paddle.pir.values import attribute, attributes, encoded, tensor_type
from twinoar.formats.paddle.program_desc import (
    DTYPE_ATTRIBUTES,
    FEED,
    FETCH,
    LOST_GRADIENT,
    nearest_decimal,
)

PARAMETER, DATA = "p", "1.data"
CONSTANTS = {"1.full": "scalar", "1.full_int_array": "ints"}
COMBINE, SPLIT, SLICE, YIELD = "0.combine", "0.split", "0.slice", "2.yield"
DIALECT = "1."
VERSIONS = range(1, 5)  # of the layout, that are known
MAX_DEPTH = 100  # of regions in one another
NOTES = ("struct_name", "op_callstack", "op_role", "chunk_id", LOST_GRADIENT)  # of an operator
# Attributes that change no result of inference: sorting is stable here always.
WITHOUT_EFFECT = ("fix_seed", "place", "seed", "sparse", "stable")
FLATTENING = ("cumsum", "logcumsumexp")
KINDS = {"STRING": str, "FLOAT64": float, "BOOLEAN": bool, "LONG": int}
MALFORMED = (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError)


def read_desc(data: Bytes, path: str) -> Any:
    """The ProgramDesc in the bytes of a `.pdmodel`, or that a `.json` program of Paddle 3 says.

    path: for messages. Raises FileError for what is neither, UnsupportedError for an operator that
    a `.pdmodel` does not know, by its name.
    """
    is_json = bytes(data[:1]) == b"{"  # a .pdmodel begins with the number of its first field, 10
    return read_pir(data, path) if is_json else schema.read_program(data, path)


def read_pir(data: Bytes, path: str) -> Any:
    """The ProgramDesc that a `.json` program says. See `read_desc`."""
    try:
        told = json.loads(bytes(data))
        code = told["base_code"]
        if code["magic"] != "pir" or code["version"] not in VERSIONS:
            raise FileError(f"{path}: expected a program of Paddle 3, received {str(code)[:80]}")
        (region,) = told["program"]["regions"]
        return Reader(path).read(_block_of(region))
    except RecursionError as error:
        raise FileError(f"{path}: it is nested too deeply") from error
    except (*MALFORMED, UnicodeDecodeError) as error:
        reason = f"{type(error).__name__}: {str(error)[:200]}"
        raise FileError(f"{path}: expected a program in JSON form ({reason})") from error


def _block_of(region: Any) -> Any:
    (block,) = region["blocks"]
    return block


def _blocks(operator: Any) -> list[Any]:
    return [_block_of(region) for region in operator.get("regions", ())]


def _all_operators(block: Any, depth: int = 0) -> Iterator[Any]:
    if depth > MAX_DEPTH:
        raise RecursionError
    for operator in block["ops"]:
        yield operator
        for inner in _blocks(operator):
            yield from _all_operators(inner, depth + 1)


class Reader:
    """Makes one ProgramDesc."""

    def __init__(self, path: str):
        self.path, self.desc = path, schema.ProgramDesc()
        self.constants: dict[int, tuple[str, Any]] = {}  # the kind and value of constants
        self.lists: dict[int, list[str]] = {}  # the variables of combined values
        self.names: dict[int, str] = {}
        self.tensors: set[int] = set()  # values that some operator takes as tensors

    def read(self, block: Any) -> Any:
        """The ProgramDesc of the outermost block."""
        for operator in _all_operators(block):
            self._note_uses(operator)
        main = self.new_block(-1)
        self.read_block(block, main)
        return self.desc

    def _note_uses(self, operator: Any) -> None:
        if operator["#"] == PARAMETER:
            return
        form = forms_by_op().get(operator["#"].removeprefix(DIALECT))
        for n, operand in enumerate(operator["I"]):
            slot = form.inputs[n] if form and n < len(form.inputs) else None
            if slot is None or not slot.attribute:
                self.tensors.add(operand["%"])

    def new_block(self, parent: int) -> Any:
        """A new block inside another."""
        block = self.desc.blocks.add()
        block.idx, block.parent_idx = len(self.desc.blocks) - 1, parent
        return block

    def read_block(self, told: Any, block: Any) -> list[str]:
        """Read the operators of a block; the variables that it yields."""
        for operator in told["ops"]:
            name = operator["#"]
            if name == YIELD:
                return [self.names[operand["%"]] for operand in operator["I"]]
            try:
                READERS.get(name, read_operator)(self, operator, block)
            except (FileError, UnsupportedError) as error:
                if error.message.startswith(self.path):
                    raise
                raise type(error)(
                    f"{self.path}: operator {name}: {error.message}", cure=error.cure
                ) from error
        return []

    # Variables.

    def declare(self, block: Any, name: str, told: Any, **traits: bool) -> str:
        """Declare a variable of a type, if it is a tensor."""
        var = block.vars.add()
        var.name = name
        var.type.type = schema.CODE_OF_KIND["DENSE_TENSOR"]
        found = tensor_type(told)
        if found is not None:
            tensor = var.type.dense_tensor.tensor
            tensor.data_type = schema.CODE_OF_DTYPE[found[0]]
            tensor.dims.extend(found[1])
        for trait, value in traits.items():
            setattr(var, trait, value)
        return name

    def result(self, block: Any, told: Any, hint: str) -> str:
        """The variable of a new value."""
        name = f"{hint}_{told['%']}"
        self.names[told["%"]] = name
        return self.declare(block, name, told.get("TT"))

    def operands(self, told: Any) -> list[str]:
        """The variables of an operand: none for one that is missing, many for a list."""
        number = told["%"]
        if number == 0:
            return []
        return self.lists[number] if number in self.lists else [self.names[number]]

    # Operators.

    def add(
        self,
        block: Any,
        type: str,
        inputs: dict[str, Sequence[str]],
        outputs: dict[str, Sequence[str]],
        attrs: dict[str, Any] | None = None,
    ) -> Any:
        """Append an operator."""
        op = block.ops.add()
        op.type = type
        for slots, given in ((op.inputs, inputs), (op.outputs, outputs)):
            for slot, names in given.items():
                added = slots.add()
                added.parameter = slot
                added.arguments.extend(names)
        for name, value in (attrs or {}).items():
            kind = "INT" if name in DTYPE_ATTRIBUTES else _kind(value)
            set_attribute(op, name, kind, value)
        return op


def _kind(value: Any) -> str:
    """The kind of attribute that holds a value exactly."""
    if isinstance(value, list):
        kinds = {_kind(element) for element in value}
        return f"{next((kind for kind in KINDS if kind in kinds), 'LONG')}S"
    for kind, type in KINDS.items():
        if isinstance(value, type):
            return kind
    raise FileError(f"there is no attribute such as {str(value)[:80]}")


def read_operator(reader: Reader, operator: Any, block: Any) -> None:
    """An operator of the table."""
    name = operator["#"].removeprefix(DIALECT)
    form = forms_by_op().get(name)
    if form is None:
        raise UnsupportedError(
            f"twinoar does not read the operator {name} of Paddle 3",
            cure="save the model with Paddle 2, or with FLAGS_enable_pir_api=0",
        )
    told = attributes(operator)
    attrs = _attributes(form, told)
    inputs = _inputs(reader, form, operator, attrs)
    if form.type in ("quantize_linear", "dequantize_linear"):
        _leave_usual_bounds(attrs)
    if form.type.startswith("reduce_") and attrs.get("dim") == []:
        attrs["reduce_all"] = True
    if form.type in FLATTENING and attrs.get("flatten"):
        inputs["X"] = _flattened(reader, block, inputs["X"])
        attrs |= {"flatten": False, "axis": 0}
    outputs: dict[str, Sequence[str]] = {}
    for slot, result in zip(form.outputs, operator["O"], strict=False):
        if result.get("TT", {}).get("#") == "0.t_vec":
            names = [f"{name}_{result['%']}_{n}" for n in range(len(result["TT"]["D"]))]
            reader.lists[result["%"]] = names
            outputs[slot.many or slot.name] = names
        elif slot.name:
            outputs[slot.name] = [reader.result(block, result, name)]
    if form.type == "range":
        _add_range(reader, block, inputs, outputs["Out"], told["dtype"])
    else:
        reader.add(block, form.type, inputs, outputs, attrs)


def _add_range(
    reader: Reader, block: Any, inputs: dict[str, Sequence[str]], out: Sequence[str], dtype: int
) -> None:
    """`range` of a dtype; in a `.pdmodel` it has that of its operands, which are float64 here."""
    wide = [f"{out[0]}_wide"]
    reader.add(block, "range", inputs, {"Out": wide})
    reader.add(block, "cast", {"X": wide}, {"Out": out}, {"out_dtype": dtype})


def _flattened(reader: Reader, block: Any, names: Sequence[str]) -> list[str]:
    """The elements of a variable in one dimension, which the operator itself does not lay out."""
    flat = f"{names[0]}_flat"
    reader.add(block, "reshape2", {"X": names}, {"Out": [flat]}, {"shape": [-1]})
    return [flat]


def _attributes(form: Form, told: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a `.pdmodel`. Raises UnsupportedError for one that it does not have."""
    attrs: dict[str, Any] = dict(form.sets)
    for key, value in told.items():
        wanted = form.attrs.get(key)
        if wanted is None and key in NOTES:
            continue
        if wanted is not None and wanted.constant is None:
            if wanted.name:
                attrs[wanted.name] = _decimal(value) if "f32" in wanted.kind else value
        elif (form.type, key) == ("reduce_sum", "dtype"):
            attrs["out_dtype"] = value
        elif key not in WITHOUT_EFFECT and not _is_usual(value, wanted):
            raise UnsupportedError(
                f"{form.op} of Paddle 3 with {key}={str(value)[:80]} is not read",
                cure="save the model with Paddle 2, or with FLAGS_enable_pir_api=0",
            )
    return attrs


def _is_usual(value: Any, wanted: Attribute | None) -> bool:
    return wanted is not None and value == attribute(encoded(wanted.constant, wanted.kind))


def _leave_usual_bounds(attrs: dict[str, Any]) -> None:
    """Take away the bounds that the number of bits gives, which a `.pdmodel` does not tell."""
    largest = (1 << (attrs["bit_length"] - 1)) - 1
    if (attrs.get("qmin"), attrs.get("qmax")) == (-largest - 1, largest):
        del attrs["qmin"], attrs["qmax"]


def _inputs(
    reader: Reader, form: Form, operator: Any, attrs: dict[str, Any]
) -> dict[str, Sequence[str]]:
    """The operands by slot; those that are constants become attributes."""
    found: dict[str, Sequence[str]] = {}
    for n, operand in enumerate(operator["I"]):
        slot = form.inputs[n] if n < len(form.inputs) else Slot("")
        constant = reader.constants.get(operand["%"])
        if slot.attribute and constant is not None:
            attrs[slot.attribute] = _as_attribute(slot, constant)
        elif operand["%"] in reader.lists and slot.many:
            found[slot.many] = reader.operands(operand)
        elif slot.name or slot.many:
            found[slot.name or slot.many] = reader.operands(operand)
        elif operand["%"] and slot.attribute:
            raise UnsupportedError(
                f"operand {n} must be a constant", cure="save the model with sizes that are numbers"
            )
    return found


def _as_attribute(slot: Slot, constant: tuple[str, Any]) -> Any:
    kind, value = constant
    if slot.kind == "ints":
        return value if kind == "ints" else [int(value)]
    if isinstance(value, list):
        (value,) = value
    return str(float(value)) if slot.kind.startswith("text") else value


def _decimal(value: Any) -> Any:
    """The shortest decimal numbers that are the same float32."""
    if isinstance(value, list):
        return [_decimal(element) for element in value]
    return nearest_decimal(value) if isinstance(value, float) else value


def read_parameter(reader: Reader, operator: Any, block: Any) -> None:
    """A parameter or buffer, by its name."""
    name, result = operator["A"][3], operator["O"]
    if not isinstance(name, str):
        raise FileError(f"expected the name of a parameter, received {str(name)[:80]}")
    persistable, stops, trainable = (*operator.get("OA", ()), 1, 1, 1)[:3]
    reader.names[result["%"]] = name
    reader.declare(
        block,
        name,
        result["TT"],
        persistable=bool(persistable),
        is_parameter=bool(trainable),
        stop_gradient=bool(stops),
    )


def read_data(reader: Reader, operator: Any, block: Any) -> None:
    """An input, in the order of the file."""
    told, (result,) = attributes(operator), operator["O"]
    name = told["name"]
    reader.names[result["%"]] = name
    stops = _stops(operator)
    reader.declare(block, name, result["TT"], need_check_feed=True, stop_gradient=stops)
    column = sum(op.type == FEED for op in block.ops)
    reader.add(block, FEED, {"X": ["feed"]}, {"Out": [name]})
    set_attribute(block.ops[-1], "col", "INT", column)


def _stops(operator: Any) -> bool:
    """Whether the result of an operator wants no gradient."""
    told = {a["N"]: attribute(a["AT"]) for a in operator.get("OA", ())}
    return bool((told.get("stop_gradient") or [True])[0])


def read_fetch(reader: Reader, operator: Any, block: Any) -> None:
    """A result, which the operator numbers."""
    reader.add(block, FETCH, {"X": reader.operands(operator["I"][0])}, {"Out": ["fetch"]})
    told = attributes(operator)
    set_attribute(block.ops[-1], "col", "INT", told["col"])
    if LOST_GRADIENT in told:
        set_attribute(block.ops[-1], LOST_GRADIENT, "STRING", told[LOST_GRADIENT])


def read_constant(reader: Reader, operator: Any, block: Any) -> None:
    """A constant: a number for attributes, and a tensor where some operator takes it so."""
    told, (result,) = attributes(operator), operator["O"]
    kind = CONSTANTS[operator["#"]]
    is_number = kind == "ints" or told["shape"] in ([], [1])
    if is_number:
        value = told["value"] if kind == "ints" else _number(told["value"], result)
        reader.constants[result["%"]] = (kind, value)
    if is_number and result["%"] not in reader.tensors:
        return
    name = reader.result(block, result, operator["#"].removeprefix(DIALECT))
    if kind == "ints":
        values, dtype = list(told["value"]), schema.CODE_OF_DTYPE["int64"]
        attrs = {"shape": [len(values)], "dtype": dtype, "int64_values": values}
        reader.add(block, "assign_value", {}, {"Out": [name]}, attrs)
    else:
        attrs = {"shape": told["shape"], "dtype": told["dtype"], "value": told["value"]}
        attrs["str_value"] = repr(+_number(told["value"], result))  # of a bool 0 or 1
        reader.add(block, "fill_constant", {}, {"Out": [name]}, attrs)


def _number(value: Any, result: Any) -> Any:
    """The number that fills a tensor, as what its type has."""
    dtype = (tensor_type(result["TT"]) or ("",))[0]
    if dtype == "bool":
        return bool(value)
    if dtype.startswith(("int", "uint")):
        return int(value)
    return _decimal(float(value)) if dtype == "float32" else float(value)


def read_combine(reader: Reader, operator: Any, block: Any) -> None:
    """Several values as one."""
    names = [name for operand in operator["I"] for name in reader.operands(operand)]
    reader.lists[operator["O"][0]["%"]] = names


def read_split(reader: Reader, operator: Any, block: Any) -> None:
    """The values of one that holds several."""
    names = reader.lists[operator["I"][0]["%"]]
    for result, name in zip(operator["O"], names, strict=True):
        reader.names[result["%"]] = name


def read_slice(reader: Reader, operator: Any, block: Any) -> None:
    """One of the values of one that holds several."""
    names = reader.lists[operator["I"][0]["%"]]
    reader.names[operator["O"][0]["%"]] = names[attributes(operator)["index"]]


def read_size(reader: Reader, operator: Any, block: Any) -> None:
    """`shape64`: the sizes of a tensor, int64 where a `.pdmodel` has int32."""
    (result,) = operator["O"]
    sizes = f"shape_{result['%']}_32"
    reader.add(block, "shape", {"Input": reader.operands(operator["I"][0])}, {"Out": [sizes]})
    name = reader.result(block, result, "shape")
    wide = {"out_dtype": schema.CODE_OF_DTYPE["int64"]}
    reader.add(block, "cast", {"X": [sizes]}, {"Out": [name]}, wide)


def read_if(reader: Reader, operator: Any, block: Any) -> None:
    """`if`: a conditional block for each side, whose results are merged."""
    (condition,) = reader.operands(operator["I"][0])
    number = operator["O"][0]["%"] if operator["O"] else len(reader.desc.blocks)
    negation = f"not_{number}"
    reader.add(block, "logical_not", {"X": [condition]}, {"Out": [negation]})
    sides = []
    for side, (told, cond) in enumerate(zip(_blocks(operator), (condition, negation), strict=True)):
        inner = reader.new_block(block.idx)
        names = [f"{'else' if side else 'then'}_{result['%']}" for result in operator["O"]]
        for name, value in zip(names, reader.read_block(told, inner), strict=True):
            reader.add(inner, "assign", {"X": [value]}, {"Out": [name]})
        op = reader.add(
            block,
            "conditional_block",
            {"Cond": [cond]},
            {"Out": names},
            {"is_scalar_condition": True},
        )
        set_attribute(op, "sub_block", "BLOCK", inner.idx)
        sides.append(names)
    mask = f"mask_{number}"
    reader.add(
        block,
        "cast",
        {"X": [condition]},
        {"Out": [mask]},
        {"out_dtype": schema.CODE_OF_DTYPE["int32"]},
    )
    for result, yes, no in zip(operator["O"], *sides, strict=True):
        name = reader.result(block, result, "if")
        reader.add(block, "select_input", {"Mask": [mask], "X": [no, yes]}, {"Out": [name]})


def read_while(reader: Reader, operator: Any, block: Any) -> None:
    """`while`: its carried values become variables that its block changes."""
    (told,) = _blocks(operator)
    number = operator["I"][0]["%"]
    given = [reader.operands(operand)[0] for operand in operator["I"]]
    carried = [f"while_{number}_{n}" for n in range(len(given))]
    for name, value in zip(carried, given, strict=True):
        reader.add(block, "assign", {"X": [value]}, {"Out": [name]})
    inner = reader.new_block(block.idx)
    for argument, name in zip(told["args"], carried[1:], strict=True):
        reader.names[argument["#"]] = name
    found = reader.read_block(told, inner)
    kept = [f"{name}_next" for name in carried]
    for source, targets in ((found, kept), (kept, carried)):
        for value, name in zip(source, targets, strict=True):
            reader.add(inner, "assign", {"X": [value]}, {"Out": [name]})
    for name in kept:
        reader.declare(inner, name, None)
    op = reader.add(
        block, "while", {"Condition": carried[:1], "X": carried[1:]}, {"Out": carried[1:]}
    )
    set_attribute(op, "sub_block", "BLOCK", inner.idx)
    for result, name in zip(operator["O"], carried[1:], strict=True):
        reader.names[result["%"]] = name


READERS: dict[str, Callable[[Reader, Any, Any], None]] = {
    PARAMETER: read_parameter,
    DATA: read_data,
    "1.fetch": read_fetch,
    "1.full": read_constant,
    "1.full_int_array": read_constant,
    "1.shape64": read_size,
    "1.if": read_if,
    "1.while": read_while,
    COMBINE: read_combine,
    SPLIT: read_split,
    SLICE: read_slice,
}
