"""What collectives cost on a cluster: as its links are said to be, or as measured on it once.

A link has a latency and a bandwidth (the alpha-beta model). Of them follows what a collective
takes with the best of the usual algorithms. What `measuring` has found for messages of several
sizes goes before: between two of them times lie on a line, and a number of ranks that was not
measured takes as many times more as the formula says.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from twinoar.errors import ArgumentError, FileError
from twinoar.formats.atomic import AtomicFiles

KINDS = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "send")
FORMAT, VERSION = "twinoar network", 1
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
PREFIXES = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "p": 1e15}
QUANTITY = re.compile(r"\s*([0-9.]+(?:e-?[0-9]+)?)\s*([a-zA-Z/]*)\s*")
SPEEDS = re.compile(r"\s*([0-9.]+)([kKmMgGtT]?)B/s\s*,\s*([0-9.]+)([kKmMgGtTP]?)FLOP/s\s*")
Points = Mapping[int, Sequence[tuple[float, float]]]  # by ranks: (bytes, seconds), by bytes


@dataclass(frozen=True)
class Link:
    """A way for messages. latency: seconds. bandwidth: bytes a second."""

    latency: float
    bandwidth: float

    def seconds(self, kind: str, nbytes: float, count: int) -> float:
        """What a collective of `count` ranks takes, with the best of the usual algorithms."""
        return _ALGORITHMS[kind](self.latency, nbytes / self.bandwidth, count)


def _all_reduce(a: float, n: float, p: int) -> float:
    rounds = math.ceil(math.log2(p))
    halves = 2 * rounds * a + 2 * (p - 1) / p * n  # reduce_scatter and all_gather, by halving
    return min(halves, rounds * (a + n))


def _shares(a: float, n: float, p: int) -> float:
    return math.ceil(math.log2(p)) * a + (p - 1) / p * n


def _all_to_all(a: float, n: float, p: int) -> float:
    rounds = math.ceil(math.log2(p))
    return min(rounds * (a + n / 2), (p - 1) * a + (p - 1) / p * n)


def _broadcast(a: float, n: float, p: int) -> float:
    rounds = math.ceil(math.log2(p))
    return min(rounds * (a + n), 2 * rounds * a + 2 * (p - 1) / p * n)


_ALGORITHMS: Mapping[str, Callable[[float, float, int], float]] = {
    "all_reduce": _all_reduce,
    "all_gather": _shares,
    "reduce_scatter": _shares,
    "all_to_all": _all_to_all,
    "broadcast": _broadcast,
    "send": lambda a, n, p: a + n,
}


@dataclass(frozen=True)
class Speeds:
    """What a rank computes in a second: bytes read or written, operations on float32."""

    bytes: float
    operations: float

    @classmethod
    def parse(cls, text: str) -> Speeds:
        """Speeds as one writes them. Raises ArgumentError.

        >>> Speeds.parse("2TB/s,60TFLOP/s")
        Speeds(bytes=2000000000000.0, operations=60000000000000.0)
        """
        found = SPEEDS.fullmatch(text)
        if found is None or not (float(found[1]) > 0 and float(found[3]) > 0):
            raise ArgumentError(f"{text!r} says no speeds", cure="write '20GB/s,500GFLOP/s'")
        scales = PREFIXES[found[2].lower()], PREFIXES[found[4].lower()]
        return cls(float(found[1]) * scales[0], float(found[3]) * scales[1])


@dataclass(frozen=True)
class Network:
    """The links of a cluster, and what was measured on it.

    within: between ranks of one machine. between: from machine to machine, shared by the `each`
    ranks that a machine has. measured: by kind, what collectives took. speeds: of a rank.
    """

    within: Link
    between: Link
    each: int = 1
    measured: Mapping[str, Points] = field(default_factory=dict)
    speeds: Speeds | None = None

    def seconds(self, kind: str, nbytes: float, count: int, stride: int = 1) -> float:
        """What a collective takes whose ranks are `stride` apart.

        nbytes: of the whole: what each rank gives to all_reduce, reduce_scatter, all_to_all and
        broadcast, and what it gets of all_gather.

        >>> network = Network.parse("1ms,1Gbit/s")
        >>> round(network.seconds("all_reduce", 1_000_000, 2), 4)
        0.009
        """
        if count == 1:
            return 0.0
        points = self.measured.get(kind)
        if not points:
            return self._by_links(kind, nbytes, count, stride)
        nearest = max((n for n in points if n <= count), default=min(points))
        found = _between(points[nearest], nbytes)
        if nearest == count:
            return found
        more = self._by_links(kind, nbytes, count, stride)
        return found * more / self._by_links(kind, nbytes, nearest, stride)

    def _by_links(self, kind: str, nbytes: float, count: int, stride: int) -> float:
        inner = max(1, min(count, self.each // stride))
        outer = math.ceil(count / inner)
        if outer == 1:
            return self.within.seconds(kind, nbytes, count)
        share = Link(self.between.latency, self.between.bandwidth / self.each)
        if inner == 1:
            return share.seconds(kind, nbytes, count)
        if kind == "all_reduce":
            inside = 2 * self.within.seconds("reduce_scatter", nbytes, inner)
            return inside + share.seconds(kind, nbytes / inner, outer)
        inside = self.within.seconds(kind, nbytes, inner)
        return inside + share.seconds(kind, nbytes / inner, outer)

    @classmethod
    def parse(cls, text: str) -> Network:
        """A network as one writes it, or that of a file that `write` made.

        "1ms,1Gbit/s" is a latency and a bandwidth between any two ranks; "8x3us,370GB/s;6us,50GB/s"
        8 ranks a machine, the links within one, and those between machines. Raises ArgumentError.

        >>> Network.parse("8x3us,370GB/s;6us,50GB/s").each
        8
        """
        if Path(text).is_file():
            return cls.read(text)
        count, is_there, rest = text.partition("x")
        links = [_link(part) for part in (rest if is_there else text).split(";")]
        if len(links) > 2 or (is_there and (not count.strip().isdigit() or int(count) < 1)):
            raise _unreadable(text)
        return cls(links[0], links[-1], int(count) if is_there else 1)

    @classmethod
    def read(cls, path: str | Path) -> Network:
        """The network of a file. Raises FileError where it is missing, or is none."""
        try:
            text = Path(path).read_text()
        except (OSError, UnicodeDecodeError) as error:
            cure = "measure one: twinoar plan --measure"
            raise FileError(f"{path}: {error}", cure=cure) from None
        return cls.of_text(text, str(path))

    @classmethod
    def of_text(cls, text: str, name: str = "a network") -> Network:
        """The network that `text` writes down. Raises FileError."""
        try:
            found = json.loads(text)
            if not isinstance(found, dict) or found.get("format") != FORMAT:
                raise ValueError("it is no network")
            if found["version"] != VERSION:
                raise ValueError(f"its version is {found['version']}, that of this is {VERSION}")
            measured = {
                kind: {int(n): tuple((float(b), float(s)) for b, s in p) for n, p in rows.items()}
                for kind, rows in found["measured"].items()
            }
            if set(measured) - set(KINDS) or not all(map(_is_sound, measured.values())):
                raise ValueError("what was measured is damaged")
            speeds = found["speeds"]
            return cls(
                Link(**found["within"]),
                Link(**found["between"]),
                int(found["each"]),
                measured,
                None if speeds is None else Speeds(**speeds),
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FileError(
                f"{name} does not read as a network: {error}",
                cure="measure it anew: twinoar plan --measure",
            ) from None

    def to_text(self) -> str:
        """What `of_text` reads."""
        return json.dumps(self._content(), indent=1) + "\n"

    def _content(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "within": vars(self.within),
            "between": vars(self.between),
            "each": self.each,
            "speeds": None if self.speeds is None else vars(self.speeds),
            "measured": self.measured,
        }

    def write(self, path: str | Path) -> None:
        """Write it as a whole: who reads meanwhile sees what was there before. Raises FileError."""
        with AtomicFiles() as files:
            files.write(str(path), self.to_text().encode())


def _is_sound(points: Points) -> bool:
    rows = [row for row in points.values()]
    finite = all(math.isfinite(x) and x >= 0 for row in rows for point in row for x in point)
    return finite and all(rows) and all(n > 1 for n in points)


def _between(points: Sequence[tuple[float, float]], nbytes: float) -> float:
    """The time for a size between two that were measured; beyond them, as the last two go on."""
    if nbytes <= points[0][0] or len(points) == 1:
        return points[0][1]
    after = next((n for n, (size, _) in enumerate(points) if size >= nbytes), len(points) - 1)
    (low, early), (high, late) = points[after - 1], points[after]
    slope = max(late - early, 0.0) / (high - low)
    return early + slope * (nbytes - low)


def _link(text: str) -> Link:
    parts = text.split(",")
    found = [QUANTITY.fullmatch(part) for part in parts]
    if len(parts) != 2 or None in found:
        raise _unreadable(text)
    (latency, unit), (number, rate) = (m.groups() for m in found if m is not None)
    scale = re.fullmatch(r"([kKmMgGtT]?)(B|bit)/s", rate)
    if unit not in SECONDS or scale is None or not float(number) > 0:
        raise _unreadable(text)
    bits = 8.0 if scale[2] == "bit" else 1.0
    bandwidth = float(number) * PREFIXES[scale[1].lower()] / bits
    return Link(float(latency) * SECONDS[unit], bandwidth)


def _unreadable(text: str) -> ArgumentError:
    return ArgumentError(
        f"{text!r} is neither the file of a network nor does it say what one is",
        cure="write '25us,25Gbit/s', or '8x3us,370GB/s;6us,50GB/s' for 8 ranks a machine",
    )
