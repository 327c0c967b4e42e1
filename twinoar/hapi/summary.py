"""Tables of a network's layers: shapes, parameters, and the arithmetic that they take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from twinoar import nn
from twinoar.autograd import no_grad
from twinoar.core.dtype import dtype_of
from twinoar.core.values import Value
from twinoar.errors import ArgumentError
from twinoar.hapi.data import as_list
from twinoar.ops.create.fill import zeros
from twinoar.static.input import InputSpec

MIB = 2**20


@dataclass
class Call:
    """What one layer did: in `name`, like `Conv2D-1`; parameters it counts only the first time."""

    layer: nn.Layer
    name: str
    inputs: list[list[int]]
    outputs: Any
    parameters: int
    trainable: int


def summary(
    net: nn.Layer, input_size: Any = None, dtypes: Any = None, input: Any = None
) -> dict[str, int]:
    """Print a table of the layers that a call of `net` goes through.

    input_size: the shape of the input, [N, ...], with None or -1 for 1; an InputSpec; or a list of
    such. dtypes: of the inputs, float32 by default. input: tensors to call it with instead. Returns
    the numbers of all parameters, `total_params`, and of those that are trained,
    `trainable_params`. Raises ArgumentError without any input.

    >>> found = twinoar.summary(twinoar.nn.Linear(4, 2), (1, 4))  # doctest: +ELLIPSIS
    ---...
    >>> found
    {'total_params': 10, 'trainable_params': 10}
    """
    given = _inputs(input_size, dtypes, input)
    calls = _calls(net, given)
    total = sum(c.parameters for c in calls)
    trainable = sum(c.trainable for c in calls)
    rows = [(c.name, str(c.inputs), str(c.outputs), f"{c.parameters:,}") for c in calls]
    heads = ("Layer (type)", "Input Shape", "Output Shape", "Param #")
    widths = [max(len(row[i]) for row in (heads, *rows)) + 4 for i in range(4)]
    line = "-" * sum(widths)
    table = [line, _row(heads, widths), line.replace("-", "="), *(_row(r, widths) for r in rows)]
    print("\n".join(table))
    print(line.replace("-", "="))
    print(f"Total params: {total:,}")
    print(f"Trainable params: {trainable:,}")
    print(f"Non-trainable params: {total - trainable:,}")
    sizes = {
        "Input size": sum(x.size * x.dtype.itemsize for x in _leaves(given)),
        "Forward/backward pass size": 2 * 4 * sum(_elements(c.outputs) for c in calls),
        "Params size": 4 * total,
    }
    print(line)
    for what, size in sizes.items():
        print(f"{what} (MB): {size / MIB:.2f}")
    print(f"Estimated Total Size (MB): {sum(sizes.values()) / MIB:.2f}")
    print(line)
    return {"total_params": total, "trainable_params": trainable}


def flops(
    net: nn.Layer,
    input_size: Sequence[int],
    custom_ops: Mapping[type, Callable[..., Any]] | None = None,
    print_detail: bool = False,
) -> int:
    """The multiplications that inference with `net` takes, each with its addition counted once.

    input_size: the shape of the input, [N, ...]. custom_ops: for a class of layers, a function of
    the layer, its inputs and its output that adds to `layer.total_ops`. print_detail: print a table
    of the layers. Layers without a rule count for nothing, as activations do.

    >>> twinoar.flops(twinoar.nn.Linear(4, 2), [3, 4])
    Total Flops: 24     Total Params: 10
    24
    """
    rules: dict[Any, Any] = {**COUNTED, **(custom_ops or {})}
    counted: dict[int, int] = {}

    def count(layer: nn.Layer, inputs: tuple, output: Any) -> None:
        rule = rules.get(type(layer))
        found = 0
        if rule is not None and custom_ops and type(layer) in custom_ops:
            layer.__dict__["total_ops"] = 0
            rule(layer, inputs, output)
            found = int(layer.__dict__.pop("total_ops"))
        elif rule is not None:
            found = int(rule(layer, inputs[0], output))
        counted[id(layer)] = counted.get(id(layer), 0) + found

    calls = _calls(net, _inputs(list(input_size), None, None), count)
    total = sum(counted.values())
    if print_detail:
        rows = [
            (c.name, str(c.inputs[0]), str(c.outputs), str(c.parameters), str(counted[id(c.layer)]))
            for c in calls
        ]
        heads = ("Layer Name", "Input Shape", "Output Shape", "Params", "Flops")
        widths = [max(len(row[i]) for row in (heads, *rows)) + 2 for i in range(5)]
        print("\n".join(_row(row, widths) for row in (heads, *rows)))
    print(f"Total Flops: {total}     Total Params: {sum(c.parameters for c in calls)}")
    return total


def _elements_of(x: Value) -> int:
    return prod(x.shape)


def _convolution(layer: Any, x: Value, y: Value) -> int:
    shape = layer.weight.shape  # [out, in / groups, ...], or [in, out / groups, ...]
    inward = shape[1] if isinstance(layer, CONVOLUTIONS) else shape[0] // layer._groups
    return _elements_of(y) * (inward * prod(shape[2:]) + (layer.bias is not None))


def _adaptive(layer: Any, x: Value, y: Value) -> int:
    window = prod(n // m for n, m in zip(x.shape[2:], y.shape[2:], strict=True))
    return (window + 1) * _elements_of(y)


CONVOLUTIONS = (nn.Conv1D, nn.Conv2D, nn.Conv3D)
TRANSPOSED = (nn.Conv1DTranspose, nn.Conv2DTranspose, nn.Conv3DTranspose)
NORMS = (nn.BatchNorm1D, nn.BatchNorm2D, nn.BatchNorm3D, nn.BatchNorm)
AVERAGES = (nn.AvgPool1D, nn.AvgPool2D, nn.AvgPool3D)
ADAPTIVE = (nn.AdaptiveAvgPool1D, nn.AdaptiveAvgPool2D, nn.AdaptiveAvgPool3D)

COUNTED: dict[type, Callable[..., int]] = {
    **dict.fromkeys((*CONVOLUTIONS, *TRANSPOSED), _convolution),
    **dict.fromkeys(NORMS, lambda layer, x, y: 2 * _elements_of(x)),
    **dict.fromkeys(AVERAGES, lambda layer, x, y: _elements_of(y)),
    **dict.fromkeys(ADAPTIVE, _adaptive),
    nn.Linear: lambda layer, x, y: layer.weight.shape[0] * _elements_of(y),
    nn.LeakyReLU: lambda layer, x, y: _elements_of(x),
}


def _calls(
    net: nn.Layer, given: list[Any], told: Callable[..., Any] = lambda *args: None
) -> list[Call]:
    """One for each call of a layer that is no mere container, with `net` called on `given`."""
    calls: list[Call] = []
    numbers: Counter[str] = Counter()
    seen: set[int] = set()

    def note(layer: nn.Layer, inputs: tuple, output: Any) -> None:
        kind = type(layer).__name__
        numbers[kind] += 1
        own = [] if id(layer) in seen else _own(layer)
        seen.add(id(layer))
        calls.append(
            Call(
                layer,
                f"{kind}-{numbers[kind]}",
                [list(x.shape) for x in _leaves(inputs)],
                _shapes(output),
                sum(_elements_of(p) for p in own),
                sum(_elements_of(p) for p in own if not p.stop_gradient),
            )
        )
        told(layer, inputs, output)

    leaves = [
        layer
        for layer in net.sublayers(include_self=True)
        if not isinstance(layer, (nn.Sequential, nn.LayerList))
        and (layer is not net or not net.sublayers())
    ]
    with _hooked(leaves, note), _in_inference(net), no_grad():
        net(*given)
    return calls


@contextmanager
def _hooked(layers: Sequence[nn.Layer], hook: Callable[..., Any]) -> Iterator[None]:
    handles = [layer.register_forward_post_hook(hook) for layer in layers]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


@contextmanager
def _in_inference(net: nn.Layer) -> Iterator[None]:
    before = [(layer, layer.training) for layer in net.sublayers(include_self=True)]
    net.eval()
    try:
        yield
    finally:
        for layer, training in before:
            layer.training = training


def _own(layer: nn.Layer) -> list[Any]:
    """The parameters of a layer itself, those of statistics too, but no buffers."""
    return [p for p in layer._parameters.values() if p is not None]


def _inputs(sizes: Any, dtypes: Any, given: Any) -> list[Any]:
    if given is not None:
        return [given] if isinstance(given, (Value, dict)) else list(given)
    if sizes is None:
        raise ArgumentError(
            "expected the shape of the input, or the input itself", cure="pass input_size=(1, 784)"
        )
    if isinstance(sizes, (int, InputSpec)):
        sizes = [sizes] if isinstance(sizes, InputSpec) else [(sizes,)]
    elif all(x is None or isinstance(x, (int, np.integer)) for x in sizes):
        sizes = [sizes]
    kinds = as_list(dtypes) or ["float32"]
    kinds = kinds * len(sizes) if len(kinds) == 1 else kinds
    if len(kinds) != len(sizes):
        raise ArgumentError(f"{len(sizes)} inputs need as many dtypes, received {len(kinds)}")
    return [
        zeros([_size(n) for n in (x.shape if isinstance(x, InputSpec) else x)],
              dtype_of(x.dtype if isinstance(x, InputSpec) else kind))
        for x, kind in zip(sizes, kinds, strict=True)
    ]  # fmt: skip


def _size(n: Any) -> int:
    return 1 if not isinstance(n, (int, np.integer)) or n < 0 else int(n)


def _leaves(values: Any) -> list[Value]:
    if isinstance(values, Value):
        return [values]
    if isinstance(values, Mapping):
        values = values.values()
    return [x for v in values for x in _leaves(v)] if hasattr(values, "__iter__") else []


def _shapes(x: Any) -> Any:
    if isinstance(x, Value):
        return list(x.shape)
    return [list(v.shape) for v in _leaves(x)]


def _elements(shapes: Any) -> int:
    if shapes and isinstance(shapes[0], list):
        return sum(map(prod, shapes))
    return prod(shapes)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(cell.center(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
