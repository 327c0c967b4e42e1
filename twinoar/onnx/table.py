"""What the nodes of ONNX compute: a function for each, whose signature declares it.

@node("Gemm")
def gemm(a, b, c=None, *, alpha=1.0, beta=1.0, transA=0, transB=0):
    ...

Positional parameters are the operands, parameters by name the attributes with their defaults.
Annotations say more of an operand: `Known`, its numbers are needed while the node is read; `Sizes`,
the same, but one may be a size that a run decides; `Told`, an array where its numbers are known, a
tensor otherwise; `Kept`, an array of the model that no training changes by its gradient. Of an
attribute: `Body`, a graph, as a function of its inputs. Four names are no attributes: `opset` is
the version of the operators, `training` whether the Layer trains, `results` which results are asked
for, `dtypes` the elements of the operands where tensors do not have them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.errors import UnsupportedError

Known = np.ndarray
Sizes = np.ndarray
Told = Any
Kept = Any
Body = Any  # a callable, with the `inputs` and `outputs` of its graph
TOLD_BY_RUN = ("opset", "training", "results", "dtypes")


@dataclass(frozen=True)
class Rule:
    """What nodes of one type compute, since a version of the operators."""

    function: Callable[..., Any]
    since: int
    operands: tuple[str, ...]  # the annotation of each; "" for a tensor
    variadic: str | None  # of those after the others, where there may be any number
    attributes: tuple[str, ...]
    told: tuple[str, ...]
    has_body: bool
    is_random: bool

    def operand(self, n: int) -> str:
        """What is said of an operand. Raises UnsupportedError where there is none."""
        if n < len(self.operands):
            return self.operands[n]
        if self.variadic is None:
            raise UnsupportedError(
                f"expected at most {len(self.operands)} operands, received {n + 1}"
            )
        return self.variadic


RULES: dict[tuple[str, str], list[Rule]] = {}  # by domain and type; the newest first


def node(
    *types: str, since: int = 1, domain: str = "", is_random: bool = False
) -> Callable[[Callable], Callable]:
    """Declare what nodes of these types compute from a version of the operators on."""

    def declared(function: Callable) -> Callable:
        rule = _rule(function, since, is_random)
        for type in types:
            rules = RULES.setdefault((domain, type), [])
            rules.append(rule)
            rules.sort(key=lambda r: -r.since)
        return function

    return declared


def each(table: dict[str, Callable]) -> None:
    """Declare nodes that are one function of their operands each, without attributes."""
    for type, function in table.items():
        node(type)(_plain(function))


def _plain(function: Callable) -> Callable:
    return lambda *x: function(*x)


def _rule(function: Callable, since: int, is_random: bool) -> Rule:
    parameters = inspect.signature(function).parameters.values()
    named = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
    rest = [p for p in parameters if p.kind is p.VAR_POSITIONAL]
    return Rule(
        function,
        since,
        tuple(_said(p) for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD),
        _said(rest[0]) if rest else None,
        tuple(p.name for p in named if p.name not in TOLD_BY_RUN),
        tuple(p.name for p in named if p.name in TOLD_BY_RUN),
        any("Body" in _said(p) for p in named),
        is_random,
    )


def _said(parameter: inspect.Parameter) -> str:
    """The annotation, which is a text: modules with rules postpone it."""
    annotation = parameter.annotation
    return "" if annotation is parameter.empty else str(annotation).split(" |")[0]


def rule_of(domain: str, type: str, opset: int) -> Rule | None:
    """What nodes of this type compute in a version; None where that is not known."""
    return next((r for r in RULES.get((domain, type), ()) if r.since <= opset), None)


def ints(values: np.ndarray | Sequence[Any] | None) -> list[Any]:
    """Numbers as Python's own; those that a run decides stay."""
    if values is None:
        return []
    return [v if hasattr(v, "terms") else int(v) for v in np.asarray(values).reshape(-1)]
