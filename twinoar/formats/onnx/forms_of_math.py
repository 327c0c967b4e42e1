"""The forms of operators that compute with single elements, reduce, compare and multiply."""

from __future__ import annotations

from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, form, same

same(
    {
        "abs": "Abs", "acos": "Acos", "acosh": "Acosh", "add": "Add", "asin": "Asin",
        "asinh": "Asinh", "atan": "Atan", "atanh": "Atanh", "cos": "Cos",
        "cosh": "Cosh", "divide": "Div", "equal": "Equal", "erf": "Erf", "exp": "Exp",
        "log": "Log", "multiply": "Mul", "neg": "Neg", "reciprocal": "Reciprocal",
        "sigmoid": "Sigmoid", "sign": "Sign", "sin": "Sin", "sinh": "Sinh", "softsign": "Softsign",
        "sqrt": "Sqrt", "subtract": "Sub", "tan": "Tan", "tanh": "Tanh",
    }
)  # fmt: skip


LOGICAL = {"logical_and": "And", "logical_not": "Not", "logical_or": "Or", "logical_xor": "Xor"}
ORDERS = {"less_than": "Less", "greater_than": "Greater"}
INTEGERS_SINCE = {"maximum": 12, "minimum": 12, "clip": 12, "pow": 12, "relu": 14}
CHOICES = {"maximum", "minimum", "clip"}  # which choose one of their operands
NODES = {"maximum": "Max", "minimum": "Min", "clip": "Clip", "pow": "Pow", "relu": "Relu"}


@form("identity")
def _(call: Call) -> None:
    call.gives("Identity", call.x)


@form(*NODES)
def _(call: Call) -> None:
    name = call.operator.op.name
    if call.out.dtype.is_whole and call.opset < INTEGERS_SINCE[name] and name in CHOICES:
        call.gives("Identity", [_chosen(call, name)])
        return
    if call.out.dtype.is_whole and name == "relu" and call.opset < INTEGERS_SINCE[name]:
        zero = call.number(0)
        call.gives("Where", [call.node("Less", [call.x[0], zero]), zero, call.x[0]])
        return
    if call.out.dtype.is_whole:
        call.since(INTEGERS_SINCE[name], f"{name} of integers")
    call.gives(NODES[name], call.x)


def _chosen(call: Call, name: str) -> str:
    """The larger, the smaller, or what lies between: by comparing, as older versions can."""
    if name != "clip":
        x, y = call.x if name == "maximum" else call.x[::-1]
        return call.node("Where", [call.node("Less", call.x), y, x])
    x, low, high = [*call.x, "", ""][:3]
    if low:
        x = call.node("Where", [call.node("Less", [x, low]), low, x])
    if high:
        x = call.node("Where", [call.node("Less", [high, x]), high, x])
    return x


@form("floor", "ceil")
def _(call: Call) -> None:
    whole = call.out.dtype.is_whole
    call.gives("Identity" if whole else call.operator.op.name.title(), call.x)


@form("isnan")
def _(call: Call) -> None:
    call.gives("Not", [call.node("Equal", [call.x[0], call.x[0]])])


@form(*LOGICAL)
def _(call: Call) -> None:
    call.gives(LOGICAL[call.operator.op.name], _cast_all(call, "bool"))


@form(*ORDERS)
def _(call: Call) -> None:
    call.gives(ORDERS[call.operator.op.name], _ordered(call))


def _ordered(call: Call) -> list[str]:
    """The operands, which are no bools: those have no order in ONNX."""
    first = next(spec for spec in call.specs if spec is not None)
    return _cast_all(call, "int32") if first.dtype.name == "bool" else call.x


def _cast_all(call: Call, dtype: str) -> list[str]:
    code = schema.CODE_OF_DTYPE[dtype]
    same = [spec is not None and spec.dtype.name == dtype for spec in call.specs]
    pairs = zip(call.x, same, strict=True)
    return [x if is_same else call.node("Cast", [x], to=code) for x, is_same in pairs]


@form("not_equal")
def _(call: Call) -> None:
    call.gives("Not", [call.node("Equal", call.x)])


@form("less_equal", "greater_equal")
def _(call: Call) -> None:
    type, operands = (
        {"less_equal": "Less", "greater_equal": "Greater"}[call.operator.op.name],
        _ordered(call),
    )
    if call.opset >= 12:
        call.gives(f"{type}OrEqual", operands)
    else:
        strict = call.node(type, operands)
        call.gives("Or", [strict, call.node("Equal", operands)])


@form("rsqrt")
def _(call: Call) -> None:
    call.gives("Reciprocal", [call.node("Sqrt", call.x)])


@form("cast")
def _(call: Call) -> None:
    call.gives("Cast", call.x, to=schema.CODE_OF_DTYPE[call.out.dtype.name])


@form("scale")
def _(call: Call) -> None:
    steps = [("Mul", call.operator.attrs["scale"]), ("Add", call.bias)]
    steps = steps if call.bias_after_scale else steps[::-1]
    x = call.x[0]
    for type, value in steps:
        if value != (1.0 if type == "Mul" else 0.0):
            x = call.node(type, [x, call.number(value)])
    call.gives("Identity", [x])


@form("matmul")
def _(call: Call) -> None:
    operands = [
        _transposed(call, n) if flag else call.x[n]
        for n, flag in enumerate((call.transpose_x, call.transpose_y))
    ]
    call.gives("MatMul", operands)


def _transposed(call: Call, n: int) -> str:
    rank = len(call.specs[n].shape)
    if rank < 2:
        return call.x[n]
    return call.node("Transpose", [call.x[n]], perm=[*range(rank - 2), rank - 1, rank - 2])


@form("linear")
def _(call: Call) -> None:
    x, weight, bias = call.x
    if bias:
        call.gives("Add", [call.node("MatMul", [x, weight]), bias])
    else:
        call.gives("MatMul", [x, weight])


@form("sum", "mean", "max", "min", "prod", "amax", "amin")
def _(call: Call) -> None:
    name, x = call.operator.op.name.removeprefix("a"), call.x[0]
    type, since = f"Reduce{name.title()}", 13 if name == "sum" else 18
    axes, keep = list(call.axis) or list(range(call.rank)), int(call.keepdim)
    computed = "int32" if call.out.dtype.name == "bool" else call.out.dtype.name
    if call.specs[0].dtype.name != computed:
        x = call.node("Cast", [x], to=schema.CODE_OF_DTYPE[computed])
    if axes:
        x = call.graph.with_axes(type, x, axes, since, keepdims=keep)
    if computed == call.out.dtype.name:
        call.gives("Identity", [x])
    else:
        call.gives("Cast", [x], to=schema.CODE_OF_DTYPE[call.out.dtype.name])


@form("argmax", "argmin")
def _(call: Call) -> None:
    x, axis, keep = call.x[0], call.axis, int(call.keepdim)
    if axis is None:
        x, axis = call.node("Reshape", [x, call.ints([-1])]), 0
    type = {"argmax": "ArgMax", "argmin": "ArgMin"}[call.operator.op.name]
    found = call.node(type, [x], axis=axis, keepdims=keep)
    if call.axis is None and call.out.shape:
        found = call.node("Reshape", [found, call.ints([1] * len(call.out.shape))])
    call.gives("Cast", [found], to=schema.CODE_OF_DTYPE[call.out.dtype.name])
