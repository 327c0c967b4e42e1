"""Runs cases in twinoar, in all modes, and in the real Paddle, and counts what comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.paddle.fuzz import judge, modes, shrink
from tests.paddle.fuzz.cases import Case
from tests.paddle.fuzz.execute import Call, arrays_in, replaced
from tests.paddle.fuzz.real import RealPaddle

# The modes that compile take turns, for each costs a tenth of a second.
TURNS = ("to_static", "static", "saved", None)


@dataclass(frozen=True)
class Finding:
    """What came of a case: `mode` is None where eager twinoar is compared with Paddle."""

    case: Case
    mode: str | None
    verdict: str
    different: str

    def __str__(self) -> str:
        where = "" if self.mode is None else f" under {self.mode}"
        parts = (f"{part:.600}" for part in self.different.split("; "))
        return f"{self.case.number} {self.verdict}{where}: {self.case.text}\n    {'; '.join(parts)}"


@dataclass
class Tally:
    """How many cases had which verdict, and with Paddle which functions."""

    cases: int = 0
    verdicts: Counter[tuple[str | None, str]] = field(default_factory=Counter)
    refused: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, finding: Finding) -> None:
        """Count it."""
        self.cases += finding.mode is None
        self.verdicts[finding.mode, finding.verdict] += 1
        names = self.refused.setdefault(finding.verdict, Counter())
        names[finding.case.call["name"]] += finding.mode is None

    def lines(self) -> Iterator[str]:
        """The figures, one mode a line, then the functions that are refused most."""
        yield f"{self.cases} cases"
        for mode in (None, "numpy", "to_static", "static", "saved"):
            found = {v: n for (m, v), n in sorted(self.verdicts.items(), key=str) if m == mode}
            counts = ", ".join(f"{n} {v}" for v, n in found.items())
            yield f"  {mode or 'eager, against Paddle'}: {counts}"
        for verdict in (judge.ONLY_HERE, judge.ONLY_THERE):
            most = self.refused.get(verdict, Counter()).most_common(12)
            yield f"  {verdict}: " + ", ".join(f"{name} {count}" for name, count in most if count)


def findings(cases: Iterable[Case], real: RealPaddle) -> Iterator[Finding]:
    """What comes of each case: with Paddle, and in each mode that has its turn."""
    for case in cases:
        own = modes.run("native", case.call)
        verdict, different = judge.verdict(own, real.outcome(case.call))
        if verdict == judge.SILENT and judge.is_known(
            case.call["name"], case.whole_text, different
        ):
            verdict = judge.KNOWN
        elif verdict == judge.SILENT and is_unstable(case.call, own):
            verdict = judge.UNSTABLE
        elif verdict == judge.SILENT:
            verdict, different = judge.verdict(own, real.outcome(case.call, fresh=True))
        yield Finding(case, None, verdict, different)
        for mode in ("numpy", TURNS[case.number % len(TURNS)]):
            if mode is not None:
                yield Finding(case, mode, *in_mode(mode, case.call, own))


def is_unstable(call: Call, own: dict[str, Any]) -> bool:
    """Whether a matrix is not finite, or so near to a singular one that rounding decides."""
    noise = np.random.default_rng(0)

    def moved(array: np.ndarray) -> Any:
        if array.dtype.kind not in "fc":
            return array
        step = 16 * np.finfo(array.dtype).eps
        return (array * (1 + step * noise.standard_normal(array.shape))).astype(array.dtype)

    if not call["name"].startswith("linalg."):
        return False
    arrays = arrays_in([call["args"], call["kwargs"]])
    if any(a.dtype.kind in "fc" and not np.isfinite(a).all() for a in arrays):
        return True
    args, kwargs = replaced([call["args"], call["kwargs"]], moved)
    again = modes.run("native", {**call, "args": args, "kwargs": kwargs})
    return judge.verdict(own, again)[0] != judge.EQUAL


def in_mode(mode: str, call: Call, own: dict[str, Any]) -> tuple[str, str]:
    """The verdict on a mode, in which eager twinoar is what is right."""
    found = modes.run(mode, call)
    if "error" in own or "error" in found:
        return judge.verdict(found, own)
    if mode == "static":  # fetches are arrays of the tensors among the results
        found = {"results": found["results"]}
        own = {"results": modes.as_fetched(own["results"])}
    if mode == "saved":
        found = {"results": modes.as_fetched(found["results"])}
        tensors = modes.as_fetched(own["results"])
        if found["results"] and not tensors:
            tensors = modes.as_numbers(own["results"])
        own = {"results": tensors}
    return judge.verdict(found, own)


def smallest(finding: Finding, real: RealPaddle) -> Finding:
    """The smallest call like that of a finding that has its verdict too."""

    def still(case: Case) -> str | None:
        own = modes.run("native", case.call)
        if finding.mode is None:
            verdict, different = judge.verdict(own, real.outcome(case.call))
        else:
            verdict, different = in_mode(finding.mode, case.call, own)
        return different if verdict == finding.verdict else None

    case, different = shrink.smallest(finding.case, finding.different, still)
    return Finding(case, finding.mode, finding.verdict, different)
