"""Network: cells in a row, in which every operation is computed and weighed.

Source: arXiv 1806.09055, section 2: each node of a cell is a sum over the nodes before it, of all
operations weighed by a softmax (equation 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar import nn
from twinoar.core.near import near_names
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.nn.initializer import Normal
from twinoar.nn.param_attr import ParamAttr
from twinoar.ops.shape.concat import concat
from twinoar.slim.nas.darts.operations import (
    OPERATIONS,
    PRIMITIVES,
    FactorizedReduce,
    batch_norm,
    relu_conv_norm,
)

BEGIN = 1e-3  # deviation of the weights of operations before the search; that of the source's code


class MixedOperation(nn.Layer):
    """All operations of a list, added up by weights.

    channels, stride: of each. primitives: names, of OPERATIONS.
    """

    def __init__(self, channels: int, stride: int, primitives: Sequence[str]):
        super().__init__()
        self.operations = nn.LayerList([OPERATIONS[n](channels, stride, False) for n in primitives])

    def forward(self, x: Any, weights: Any) -> Any:
        """The sum. weights: [operations]."""
        found = [operation(x) * weights[i] for i, operation in enumerate(self.operations)]
        return sum(found[1:], found[0])


class Cell(nn.Layer):
    """Nodes of which each adds up what operations make of all before it; the last are returned.

    steps: how many nodes there are beside the two inputs. multiplier: how many are returned, side
    by side. inner: channels of both inputs. reduction, reduction_before: whether this cell, and the
    one before, halve rows and columns.
    """

    def __init__(
        self,
        steps: int,
        multiplier: int,
        inner: tuple[int, int],
        channels: int,
        *,
        reduction: bool,
        reduction_before: bool,
        primitives: Sequence[str],
    ):
        super().__init__()
        self._steps, self._multiplier, self.reduction = steps, multiplier, reduction
        older = FactorizedReduce if reduction_before else relu_conv_norm
        self.older = older(inner[0], channels, False)
        self.newer = relu_conv_norm(inner[1], channels, False)
        strides = [2 if reduction and j < 2 else 1 for i in range(steps) for j in range(i + 2)]
        self.edges = nn.LayerList([MixedOperation(channels, s, primitives) for s in strides])

    def forward(self, older: Any, newer: Any, weights: Any) -> Any:
        """[N,multiplier channels,H,W]. weights: [edges,operations]."""
        states, edge = [self.older(older), self.newer(newer)], 0
        for _ in range(self._steps):
            found = [
                self.edges[edge + j](state, weights[edge + j]) for j, state in enumerate(states)
            ]
            edge += len(states)
            states.append(sum(found[1:], found[0]))
        return concat(states[-self._multiplier :], 1)


class Network(nn.Layer):
    """A network for `DARTSearch`: cells in a row, of which those at thirds halve rows and columns.

    channels: of the first cells; those that halve double them. num_classes: of the answers. layers:
    how many cells. steps, multiplier: nodes of each, and how many of them are returned.
    stem_multiplier: how many times `channels` the images become first. image_channels: of x,
    [N,image_channels,H,W]. primitives: names of `operations.OPERATIONS`, with "none" to leave an
    edge out. Returns [N,num_classes]. Raises UnknownNameError, ArgumentError.

    >>> net = Network(4, 3, 2, steps=2, multiplier=2, primitives=["none", "skip_connect"])
    >>> net(twinoar.ones([2, 3, 8, 8])).shape, net.alphas_normal.shape
    ([2, 3], [5, 2])
    """

    _method = "DARTS"

    def __init__(
        self,
        channels: int,
        num_classes: int,
        layers: int,
        steps: int = 4,
        multiplier: int = 4,
        stem_multiplier: int = 3,
        image_channels: int = 3,
        primitives: Sequence[str] = PRIMITIVES,
    ):
        super().__init__()
        for name in primitives:
            if name not in OPERATIONS:
                raise UnknownNameError(
                    f"there is no operation {name!r}", cure=near_names(name, OPERATIONS)
                )
        if "none" not in primitives or len(primitives) < 2 or not 1 <= multiplier <= steps:
            raise ArgumentError(
                'primitives must have "none" and another, and multiplier lie in [1, steps], '
                f"received {list(primitives)}, {multiplier}"
            )
        self._steps, self._multiplier, self._primitives = steps, multiplier, list(primitives)
        stem = stem_multiplier * channels
        first = nn.Conv2D(image_channels, stem, 3, padding=1, bias_attr=False)
        self.stem = nn.Sequential(first, batch_norm(stem, True))
        self.cells, last = self._cells(channels, stem, layers)
        self.pool, self.classifier = nn.AdaptiveAvgPool2D(1), nn.Linear(last, num_classes)
        edges = sum(i + 2 for i in range(steps))
        attr = ParamAttr(initializer=Normal(0.0, BEGIN))
        self.alphas_normal = self.create_parameter([edges, len(self._primitives)], attr)
        self.alphas_reduce = self.create_parameter([edges, len(self._primitives)], attr)

    def _cells(self, channels: int, stem: int, layers: int) -> tuple[nn.LayerList, int]:
        cells, inner, before = [], (stem, stem), False
        for i in range(layers):
            reduction = i in (layers // 3, 2 * layers // 3) and layers > 1
            channels = channels * 2 if reduction else channels
            cells.append(
                Cell(
                    self._steps,
                    self._multiplier,
                    inner,
                    channels,
                    reduction=reduction,
                    reduction_before=before,
                    primitives=self._primitives,
                )
            )
            inner, before = (inner[1], self._multiplier * channels), reduction
        return nn.LayerList(cells), inner[1]

    def arch_parameters(self) -> list[Any]:
        """What weighs operations, in cells that keep the size and in those that halve it."""
        return [self.alphas_normal, self.alphas_reduce]

    def forward(self, x: Any) -> Any:
        """Scores of the classes."""
        normal = nn.functional.softmax(self.alphas_normal, axis=-1)
        reduce = nn.functional.softmax(self.alphas_reduce, axis=-1)
        older = newer = self.stem(x)
        for cell in self.cells:
            older, newer = newer, cell(older, newer, reduce if cell.reduction else normal)
        return self.classifier(self.pool(newer).flatten(1))

    def _loss(self, input: Any, target: Any) -> Any:
        """Cross entropy, []: what `Architect` asks of a network."""
        return nn.functional.cross_entropy(self(input), target.flatten())
