"""The channels of a Program, and of a network by its Program: what depends on what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar import jit
from twinoar.core.dtype import dtype_of
from twinoar.core.ir.program import Operator, Program, State, Variable
from twinoar.core.op.definition import Op
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.nn import Layer
from twinoar.passes.decompose import decompose
from twinoar.slim.channel_rules import is_unchanged, rule_of
from twinoar.slim.groups import FIXED, NEUTRAL, Groups, spread
from twinoar.slim.modes import in_inference
from twinoar.static.input import InputSpec


class ProgramChannels:
    """The label of each channel of a Program's parameters.

    program: of primitives, in inference. tensors: the parameters by name, with `shape` and
    `numpy()`.
    """

    def __init__(self, program: Program, tensors: dict[str, Any]):
        self.groups, self.tensors = Groups(), tensors
        self._axes: dict[str, dict[int, np.ndarray]] = {}
        self._labels: dict[Variable, np.ndarray] = {}
        self._kept: set[str] = set()
        self._same: dict[Variable, Variable] = {}  # what is given on unchanged, by its new name
        self.products: list[tuple[str, int]] = []
        self._follow(program)
        self._found = {
            name: {axis: self.groups.least(x) for axis, x in axes.items()}
            for name, axes in self._axes.items()
        }

    def axes(self, name: str) -> dict[int, np.ndarray]:
        """Labels along the axes of a parameter, by axis. Raises UnknownNameError."""
        if name not in self.tensors:
            raise UnknownNameError(
                f"the network's Program reads no parameter {name!r}, it has {sorted(self.tensors)}"
            )
        return self._found.get(name, {})

    def together(self, name: str, axis: int) -> set[tuple[str, int]]:
        """The parameters and axes that lose channels with those of this one.

        Raises UnknownNameError; ArgumentError for an axis that is no axis of channels.
        """
        wanted = np.setdiff1d(self.channels(name, axis), [FIXED])
        return {
            (other, a)
            for other in self.tensors
            for a, labels in self.axes(other).items()
            if np.isin(labels, wanted).any()
        }

    def channels(self, name: str, axis: int) -> np.ndarray:
        """The label of each channel along an axis. Raises as `together`."""
        found = self.axes(name)
        if axis not in found:
            raise ArgumentError(
                f"{name} has no channels along axis {axis}, but along {sorted(found)}"
            )
        return found[axis]

    def is_free(self, name: str, axis: int) -> bool:
        """Whether some channels along an axis can be removed."""
        found = self.axes(name).get(axis)
        return found is not None and np.unique(found[found != FIXED]).size > 1

    def kept(self, name: str, removed: np.ndarray) -> tuple[np.ndarray, ...]:
        """Which indices of each axis of a parameter are left without these labels."""
        axes = self.axes(name)
        return tuple(
            np.flatnonzero(~np.isin(axes[a], removed)) if a in axes else np.arange(size)
            for a, size in enumerate(self.tensors[name].shape)
        )

    def flops(self, removed: np.ndarray | None = None) -> int:
        """Multiplications of convolutions and linear layers, without the channels of these labels.

        Each with its addition counts once.
        """
        none = np.array([], np.int64) if removed is None else removed
        return sum(
            positions * int(np.prod([len(x) for x in self.kept(name, none)]))
            for name, positions in self.products
        )

    def of(self, operand: Any) -> np.ndarray:
        """The label of each element of an operand."""
        if not isinstance(operand, Variable):
            return np.full(np.shape(operand), NEUTRAL)
        operand = self._same.get(operand, operand)
        if operand not in self._labels:
            self._labels[operand] = self._of_state(operand)
        return self._labels[operand]

    def weight(self, operand: Any, axis: int) -> np.ndarray | None:
        """Labels along an axis of a parameter; None for any other operand."""
        operand = self._same.get(operand, operand)
        name = getattr(operand, "name", None)
        if name not in self.tensors or not isinstance(operand, State):
            return None
        axes = self._axes.setdefault(name, {})
        if axis not in axes:
            axes[axis] = self.groups.fresh(_numbers(operand.spec.shape)[axis])
            if name in self._kept:
                self.groups.fix(axes[axis])
        return axes[axis]

    def product(self, operand: Any, positions: int) -> None:
        """Note that each element of a weight is multiplied so many times."""
        self.products.append((self._same.get(operand, operand).name, positions))

    def keep(self, operand: Any) -> None:
        """Say that no channel of an operand can be removed."""
        operand = self._same.get(operand, operand) if isinstance(operand, Variable) else operand
        if isinstance(operand, State):
            self._kept.add(operand.name)
            for labels in self._axes.get(operand.name, {}).values():
                self.groups.fix(labels)
        elif isinstance(operand, Variable):
            self.groups.fix(self.of(operand))

    def _of_state(self, state: Variable) -> np.ndarray:
        """Of a vector in any direction its elements are channels; of a matrix none."""
        shape = _numbers(state.spec.shape)
        long = [axis for axis, size in enumerate(shape) if size > 1]
        if not long:
            return np.full(shape, NEUTRAL)
        labels = self.weight(state, long[0]) if len(long) == 1 else None
        if labels is None:
            self.keep(state)
            return np.broadcast_to(np.array(FIXED), shape)
        return spread(labels, long[0], shape)

    def labels(self) -> dict[str, np.ndarray]:
        """The least label of each element of each Variable, by name."""
        return {v.name: self.groups.least(x) for v, x in self._labels.items()}

    def _follow(self, program: Program) -> None:
        for x in program.main.inputs:
            self._labels[x] = np.broadcast_to(np.array(FIXED), _numbers(x.spec.shape))
        for o in program.main.ops:
            self._label(o)
        for x in program.main.outputs:
            self.keep(x)

    def _label(self, o: Operator) -> None:
        if is_unchanged(o) and isinstance(o.operands[0], State):
            self._same[o.results[0]] = o.operands[0]
            return
        rule = rule_of(o)
        known = all(None not in v.spec.shape for v in o.results)
        found = rule(self, o) if rule is not None and known and not o.blocks else None
        if found is None:
            for x in o.operands:
                self.keep(x)
            found = [np.broadcast_to(np.array(FIXED), _numbers(v.spec.shape)) for v in o.results]
        self._labels.update(zip(o.results, found, strict=True))


class Network(ProgramChannels):
    """The Program of a network in inference, and the label of each channel of its parameters.

    inputs: the shapes of the inputs, [N, ...] each or of the only one; InputSpecs; or tensors.
    Raises ArgumentError without inputs, and what the conversion of `forward` raises.

    >>> net = twinoar.nn.Sequential(twinoar.nn.Linear(4, 3), twinoar.nn.Linear(3, 2))
    >>> found = Network(net, [1, 4]).together(net[0].weight.name, 1)
    >>> found == {(net[0].weight.name, 1), (net[0].bias.name, 0), (net[1].weight.name, 0)}
    True
    """

    def __init__(self, model: Layer, inputs: Any, dtype: str = "float32"):
        self.model, self.inputs = model, specs_of(inputs, dtype)
        program = program_of(model, self.inputs)
        own = {id(x) for x in (*model.parameters(), *model.buffers())}
        states = program.states.values()
        super().__init__(program, {s.name: s.data for s in states if id(s.data) in own})


def program_of(model: Layer, inputs: Sequence[InputSpec]) -> Program:
    """The Program of a network in inference, of primitives."""
    with in_inference(model):
        converted = jit.to_static(model.forward, input_spec=list(inputs))
        program = converted.concrete_program.program.clone()
    return primitives_of(program)


def primitives_of(program: Program) -> Program:
    """The same Program in primitives."""
    return decompose(program, _is_primitive)


def _is_primitive(op: Op) -> bool:
    return op.body is None


def specs_of(inputs: Any, dtype: str = "float32") -> list[InputSpec]:
    """What stands for the inputs of a network, with sizes: 1 where none is given."""
    if isinstance(inputs, (Value, InputSpec)) or _is_shape(inputs):
        inputs = [inputs]
    if not isinstance(inputs, Sequence) or not inputs:
        raise ArgumentError(
            f"expected the shapes of the inputs, received {inputs!r}",
            cure="pass [1, 3, 224, 224], or a list of InputSpecs or tensors",
        )
    found = []
    for x in inputs:
        shape = x if _is_shape(x) else x.shape
        sizes = [1 if not isinstance(n, (int, np.integer)) or n < 0 else int(n) for n in shape]
        kind = dtype_of(dtype if _is_shape(x) else x.dtype)
        found.append(InputSpec(sizes, kind))
    return found


def _is_shape(x: Any) -> bool:
    return (
        isinstance(x, (list, tuple))
        and len(x) > 0
        and all(n is None or isinstance(n, (int, np.integer)) for n in x)
    )


def _numbers(shape: Sequence[Any]) -> tuple[int, ...]:
    return tuple(n if isinstance(n, int) else 1 for n in shape)
