"""How much a network loses when one weight is pruned, and which ratios cost equally much."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from twinoar.errors import FileError

Sensitivities = dict[str, dict[float, float]]  # by name and ratio: the loss
RATIOS = tuple(round(0.1 * i, 1) for i in range(1, 10))


class Status:
    """Sensitivities found so far, and their file: JSON, {name: {ratio: loss}}.

    src: a file to load; None to begin without.

    >>> status = Status()
    >>> status.sensitivies
    {}
    """

    def __init__(self, src: str | None = None):
        self.sensitivies: Sensitivities = {}
        if src is not None:
            self.load_if_there(src)

    def save(self, dst: str) -> None:
        """Write what is known to a file, whole or not at all."""
        target = Path(dst)
        part = target.with_name(target.name + ".part")
        part.write_text(json.dumps(self.sensitivies, indent=1))
        part.replace(target)

    def load(self, src: str) -> None:
        """Read a file that `save` has written. Raises FileError."""
        try:
            found = json.loads(Path(src).read_text())
            read = {n: {float(r): float(x) for r, x in v.items()} for n, v in found.items()}
        except (OSError, ValueError, AttributeError, TypeError) as error:
            raise FileError(
                f"{src} holds no sensitivities: {error}",
                cure="give a file that Status.save or sensitive(sen_file=...) has written",
            ) from error
        self.sensitivies = read

    def load_if_there(self, src: str) -> None:
        """As `load` where there is such a file."""
        if Path(src).exists():
            self.load(src)


def ratios_by_loss(known: Mapping[str, Mapping[float, float]], loss: float) -> dict[str, float]:
    """For each name the greatest ratio that loses at most `loss`, between the measured ones too.

    Names that lose more at each ratio are left out.

    >>> ratios_by_loss({"a": {0.1: 0.0, 0.2: 0.4}, "b": {0.1: 0.5}}, 0.1)
    {'a': 0.125}
    """
    found = {}
    for name, losses in known.items():
        points = sorted(losses.items())
        fitting = [i for i, (_, lost) in enumerate(points) if lost <= loss]
        if not fitting:
            continue
        ratio, lost = points[fitting[-1]]
        if fitting[-1] + 1 < len(points):
            next_ratio, next_lost = points[fitting[-1] + 1]
            ratio += (loss - lost) * (next_ratio - ratio) / (next_lost - lost)
        found[name] = ratio
    return found


def rounded_ratios(
    ratios: Mapping[str, float], sizes: Mapping[str, int], align: int
) -> dict[str, float]:
    """Ratios that leave multiples of `align`, and at least one such.

    >>> rounded_ratios({"a": 0.3}, {"a": 64}, 8)
    {'a': 0.25}
    """
    found = {}
    for name, ratio in ratios.items():
        left = max(round((1 - ratio) * sizes[name] / align), 1) * align
        found[name] = max((sizes[name] - left) / sizes[name], 0.0)
    return found


def merge_sensitive(sensitivities: list[Sensitivities | str]) -> Sensitivities:
    """Several sensitivities, or files of such, as one; later ones win.

    >>> merge_sensitive([{"a": {0.1: 0.0}}, {"a": {0.2: 0.5}}])
    {'a': {0.1: 0.0, 0.2: 0.5}}
    """
    merged: Sensitivities = {}
    for given in sensitivities:
        found = Status(given).sensitivies if isinstance(given, str) else given
        for name, losses in found.items():
            merged.setdefault(name, {}).update(losses)
    return merged


def get_ratios_by_loss(sensitivities: Sensitivities, loss: float) -> dict[str, float]:
    """As `ratios_by_loss`, by Paddle's name."""
    return ratios_by_loss(sensitivities, loss)


def table(known: Mapping[str, Mapping[float, float]]) -> str:
    """Sensitivities as text: a line for each weight, from the one that loses least.

    >>> print(table({"b": {0.1: 0.5}, "a": {0.1: 0.0}}))
    weight    0.1
    a       0.000
    b       0.500
    """
    ratios = sorted({ratio for losses in known.values() for ratio in losses})
    width = max([len(name) for name in known] + [len("weight")])
    lines = [f"{'weight':{width}} " + " ".join(f"{ratio:>5g}" for ratio in ratios)]
    for name, losses in sorted(known.items(), key=lambda x: sum(x[1].values()) / len(x[1])):
        cells = [f"{losses[r]:5.3f}" if r in losses else "    -" for r in ratios]
        lines.append(f"{name:{width}} " + " ".join(cells))
    return "\n".join(lines)
