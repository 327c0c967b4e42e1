"""The forms of operators that compute with single elements, reduce, compare and multiply."""

from __future__ import annotations

from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, form, same

same(
    {
        "abs": "Abs", "acos": "Acos", "acosh": "Acosh", "add": "Add", "asin": "Asin",
        "asinh": "Asinh", "atan": "Atan", "atanh": "Atanh", "ceil": "Ceil", "cos": "Cos",
        "cosh": "Cosh", "divide": "Div", "equal": "Equal", "erf": "Erf", "exp": "Exp",
        "floor": "Floor", "greater_than": "Greater", "isnan": "IsNaN", "less_than": "Less",
        "log": "Log", "logical_and": "And", "logical_not": "Not", "logical_or": "Or",
        "logical_xor": "Xor", "matmul": "MatMul", "maximum": "Max", "minimum": "Min",
        "multiply": "Mul", "neg": "Neg", "pow": "Pow", "reciprocal": "Reciprocal", "relu": "Relu",
        "sigmoid": "Sigmoid", "sign": "Sign", "sin": "Sin", "sinh": "Sinh", "softsign": "Softsign",
        "sqrt": "Sqrt", "subtract": "Sub", "tan": "Tan", "tanh": "Tanh",
    }
)  # fmt: skip


@form("identity")
def _(call: Call) -> None:
    call.gives("Identity", call.x)


@form("not_equal", "less_equal", "greater_equal")
def _(call: Call) -> None:
    opposite = {"not_equal": "Equal", "less_equal": "Greater", "greater_equal": "Less"}
    name = call.operator.op.name
    if name != "not_equal" and call.opset >= 12:
        call.gives({"less_equal": "LessOrEqual", "greater_equal": "GreaterOrEqual"}[name], call.x)
    elif name == "not_equal" or call.specs[0].dtype.is_integral:
        call.gives("Not", [call.node(opposite[name], call.x)])
    else:  # neither holds with a NaN
        strict = call.node({"less_equal": "Less", "greater_equal": "Greater"}[name], call.x)
        call.gives("Or", [strict, call.node("Equal", call.x)])


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


@form("clip")
def _(call: Call) -> None:
    call.gives("Clip", call.x)


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


@form("sum", "mean", "max", "min", "prod")
def _(call: Call) -> None:
    name = call.operator.op.name
    since = 13 if name == "sum" else 18
    axes = list(call.axis) or list(range(call.rank))
    type, keep = f"Reduce{name.title()}", int(call.keepdim)
    if not axes:
        call.gives("Identity", call.x)
    elif call.opset < since:
        call.gives(type, call.x, axes=axes, keepdims=keep)
    else:
        call.gives(type, [call.x[0], call.ints(axes)], keepdims=keep)


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
