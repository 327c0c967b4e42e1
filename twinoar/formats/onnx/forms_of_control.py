"""The forms of branches, loops and recurrent networks."""

from __future__ import annotations

from twinoar.core.dtype import bool_, int64
from twinoar.core.ir.program import Block
from twinoar.core.spec import Spec
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, form


@form("if")
def _(call: Call) -> None:
    branches = {}
    for name, attribute in (("then", "then_branch"), ("orelse", "else_branch")):
        block: Block = call.operator.attrs[name]
        with call.writer.nested(name) as inner:
            found = call.writer.inlined(block, call.x[1:])
            for result, value in zip(call.operator.results, found, strict=True):
                if result is not None:
                    call.writer.result(value, result.spec)
        branches[attribute] = inner.graph
    results = [n for n, v in zip(call.results, call.operator.results, strict=True) if v is not None]
    names = [n or call.graph.name("unread") for n in results]
    call.graph.node("If", call.x[:1], names, **branches)


@form("while")
def _(call: Call) -> None:
    test, body = call.operator.attrs["test"], call.operator.attrs["body"]
    count = call.carried
    first, kept = call.x[:count], call.x[count:]
    (goes_on,) = call.writer.inlined(test, call.x)
    with call.writer.nested("body") as inner:
        call.writer.argument("iteration", Spec((), int64))
        call.writer.argument("condition", Spec((), bool_))
        given = [
            call.writer.argument(f"carried_{n}", v.spec) for n, v in enumerate(body.inputs[:count])
        ]
        following = call.writer.inlined(body, [*given, *kept])
        (again,) = call.writer.inlined(test, [*following, *kept])
        call.writer.result(again, Spec((), bool_))
        for value, v in zip(following, body.inputs[:count], strict=True):
            call.writer.result(value, v.spec)
    names = [name or call.graph.name("unread") for name in call.results]
    call.graph.node("Loop", ["", goes_on, *first], names, body=inner.graph)


# Where each gate of ONNX lies among ours.
GATES = {"LSTM": (0, 3, 1, 2), "GRU": (1, 0, 2), "RNN_TANH": (0,), "RNN_RELU": (0,)}
PARTS = 4  # weights and biases of a cell


@form("rnn")
def _(call: Call) -> None:
    mode, graph = call.mode, call.graph
    is_lstm = mode == "LSTM"
    x, h, c, length = call.x[:4]
    weights = call.x[4:]
    directions = 2 if call.bidirectional else 1
    cells = call.layers * directions
    size = int(call.specs[1].shape[2])
    order = call.ints([gate * size + n for gate in GATES[mode] for n in range(size)])
    moved = [graph.node("Gather", [w, order], axis=0) for w in weights]
    length = length and graph.node("Cast", [length], to=schema.CODE_OF_DTYPE["int32"])
    attributes = {
        "hidden_size": size,
        "direction": "bidirectional" if call.bidirectional else "forward",
        "linear_before_reset": 1 if mode == "GRU" else None,
        "activations": ["Relu"] * directions if mode == "RNN_RELU" else None,
    }
    ends: list[list[str]] = []
    for layer in range(call.layers):
        own = range(layer * directions, (layer + 1) * directions)
        kernels = [_in_rows(call, [moved[2 * n + part] for n in own]) for part in (0, 1)]
        biases = _in_rows(
            call,
            [
                graph.node("Concat", moved[2 * (cells + n) : 2 * (cells + n) + 2], axis=0)
                for n in own
            ],
        )
        span = [call.ints([own.start]), call.ints([own.stop]), call.ints([0])]
        states = [graph.node("Slice", [s, *span]) for s in ((h, c) if is_lstm else (h,))]
        results = [graph.name(part) for part in ("y", "y_h", "y_c")[: 2 + is_lstm]]
        type = "RNN" if mode.startswith("RNN") else mode
        operands = [x, *kernels, biases, length, *states]
        graph.node(type, operands, results, **attributes)
        y = graph.node("Transpose", results[:1], perm=[0, 2, 1, 3])
        x = graph.node("Reshape", [y, call.ints([0, 0, directions * size])])
        ends.append(results[1:])
    found = [x, *(graph.node("Concat", list(parts), axis=0) for parts in zip(*ends, strict=True))]
    for name, value in zip(call.results, found, strict=True):
        if name:
            graph.node("Identity", [value], [name])


def _in_rows(call: Call, parts: list[str]) -> str:
    """Arrays stacked along a new first dimension."""
    rows = [call.graph.with_axes("Unsqueeze", p, [0], since=13) for p in parts]
    return call.node("Concat", rows, axis=0)
