"""How many bits each operator of a saved model loses in lower precision: `twinoar precision`."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.core.ir.program import Operator, Variable
from twinoar.errors import ArgumentError
from twinoar.late import dataclass
from twinoar.static import (
    Executor,
    Program,
    Scope,
    load_inference_model,
    scope_guard,
)
from twinoar.static.amp import cast_model_to_fp16

ALL_BITS = 24  # of a float32
MANTISSAS = {"bfloat16": 8, "float16": 11}
UNKNOWN_SIZE = 2
COLUMNS = ("", "operator", "result", "dtype", "bits right", "lost here", "largest error")


@dataclass(frozen=True)
class Loss:
    """What became of one result: how many bits of its largest elements are right.

    lost: bits that its operands had right and it has not. error: the largest difference, of the
    largest element. is_bad: True where fewer are right than half of those of the low dtype.
    """

    operator: str
    result: str
    dtype: str
    bits: float
    lost: float
    error: float
    is_bad: bool

    @property
    def cells(self) -> tuple[str, ...]:
        """What a table says."""
        return (
            self.operator, self.result, self.dtype, f"{self.bits:.1f}",
            f"{self.lost:.1f}" if self.lost >= 0.05 else "", f"{self.error:.1e}",
        )  # fmt: skip


def losses_of(
    prefix: str,
    level: str = "O1",
    dtype: str = "bfloat16",
    inputs: Mapping[str, np.ndarray] | None = None,
) -> list[Loss]:
    """Run a saved model in float32 and under `auto_cast`, and compare each floating result.

    prefix: of the files. inputs: arrays by name; where one is missing, normal numbers, or zeros for
    integers, with two in place of each open size. Returns losses in the order of the operators.
    Raises what reading the files does, and ArgumentError for inputs that the model does not have.
    """
    with scope_guard(Scope()):
        wide, feeds, _ = load_inference_model(prefix)
        feed = _inputs(wide, feeds, inputs or {})
        low = wide.clone()
        cast_model_to_fp16(low, use_fp16_guard=False, dest_type=dtype, level=level)
        pairs = list(_pairs(wide, low))
        executor = Executor()
        expected = executor.run(wide, feed=feed, fetch_list=[v for _, v, _ in pairs])
        found = executor.run(low, feed=feed, fetch_list=[v for _, _, v in pairs])
    right: dict[Variable, float] = {}
    losses = []
    for (o, v, narrow), x, y in zip(pairs, expected, found, strict=True):
        bits, error = _bits(x, y)
        before = min((right[u] for u in o.operands if _is_key(u, right)), default=ALL_BITS)
        right[v] = bits
        lost, is_bad = max(0.0, before - bits), bits < MANTISSAS[dtype] / 2
        losses.append(Loss(o.op.name, v.name, narrow.dtype.name, bits, lost, error, is_bad))
    return losses


def table(losses: Sequence[Loss]) -> str:
    """A line for each result; `>` marks the first bad one."""
    first = next((n for n, x in enumerate(losses) if x.is_bad), -1)
    rows = [COLUMNS, *((">" if n == first else "", *x.cells) for n, x in enumerate(losses))]
    widths = [max(len(row[k]) for row in rows) for k in range(len(COLUMNS))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)).rstrip() for r in rows]
    return "\n".join([*lines, summary(losses)])


def page(losses: Sequence[Loss], title: str) -> str:
    """The table as an HTML page, with a bar for the bits that are right."""
    first = next((n for n, x in enumerate(losses) if x.is_bad), -1)
    head = "".join(f"<th>{name}</th>" for name in COLUMNS[1:])
    rows = []
    for n, x in enumerate(losses):
        cells = "".join(f"<td>{html.escape(cell)}</td>" for cell in x.cells)
        bar = f"<td><meter min=0 max={ALL_BITS} value={x.bits:.1f}></meter></td>"
        mark = " class=first" if n == first else " class=bad" if x.is_bad else ""
        rows.append(f"<tr{mark}>{cells}{bar}</tr>")
    return PAGE.format(
        title=html.escape(title), summary=html.escape(summary(losses)),
        head=head, rows="\n".join(rows),
    )  # fmt: skip


def write_page(losses: Sequence[Loss], file: str, title: str) -> Path:
    """Write the page beside its target, and rename it."""
    target = Path(file)
    beside = target.with_name(f".{target.name}.part")
    beside.write_text(page(losses, title), encoding="utf-8")
    return beside.replace(target)


PAGE = """<!doctype html>
<html lang=en><meta charset=utf-8><title>{title}</title>
<style>
body {{ font: 15px system-ui, sans-serif; margin: 2em auto; max-width: 70em; }}
table {{ border-collapse: collapse; }}
th, td {{ text-align: left; padding: .2em .8em; border-bottom: 1px solid #ddd; }}
.bad {{ background: #fff3e0; }} .first {{ background: #ffcdd2; font-weight: bold; }}
</style>
<h1>{title}</h1><p>{summary}</p>
<table><tr>{head}<th></th></tr>
{rows}
</table></html>
"""


def summary(losses: Sequence[Loss]) -> str:
    """A sentence: the first bad result, or that there is none."""
    if not losses:
        return "no operator has a floating result"
    x = next((x for x in losses if x.is_bad), None)
    if x is None:
        least = min(x.bits for x in losses)
        return f"every result has at least {least:.1f} bits right"
    return f"the first bad result is {x.result} of {x.operator}: {x.bits:.1f} bits right"


def _inputs(
    program: Program, names: Sequence[str], given: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    if unknown := given.keys() - set(names):
        raise ArgumentError(
            f"the model has no input {', '.join(sorted(unknown))}",
            cure=f"its inputs are {', '.join(names)}",
        )
    random = np.random.default_rng(0)
    found = {}
    for name in names:
        spec = program.variable(name).spec
        shape = [d if isinstance(d, int) else UNKNOWN_SIZE for d in spec.shape]
        made: Any = np.zeros(shape)
        if spec.dtype.is_floating:
            made = random.standard_normal(shape)
        found[name] = np.asarray(given.get(name, made)).astype(spec.dtype.numpy)
    return found


def _pairs(wide: Program, low: Program) -> list[tuple[Operator, Variable, Variable]]:
    """Floating results, in both Programs; casts are in one alone."""
    known = {v.name: v for o in low.main.ops for v in o.results if v is not None}
    return [
        (o, v, known[v.name])
        for o in wide.main.ops
        for v in o.results
        if v is not None and v.dtype.is_floating
    ]


def _is_key(x: Any, right: Mapping[Variable, float]) -> bool:
    return isinstance(x, Variable) and x in right


def _bits(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """How many bits of the largest elements are right, and the largest error beside these."""
    wide, low = np.asarray(x, np.float64), np.asarray(y).astype(np.float64)
    if not wide.size or np.array_equal(wide, low, equal_nan=True):
        return float(ALL_BITS), 0.0
    if not np.isfinite(low).all():
        return 0.0, math.inf
    scale = float(np.abs(wide).max()) or 1.0
    error = float(np.abs(wide - low).max()) / scale
    return min(float(ALL_BITS), max(0.0, -math.log2(error))), error
