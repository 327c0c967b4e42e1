"""What a choice of division is held against: the price of moving parts, and that of computing.

Prices that are the same on every rank give the same choices on every rank. Those here are fixed,
in bytes that travel; a `Network` that was measured has its own, in seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from twinoar.distributed.auto_parallel.network import Network, Speeds

FLOPS_PER_BYTE = 100.0  # what a processor computes while a byte travels
READ = 0.1  # the cost of a byte that is read or written, where one that travels costs 1
# How often a tensor travels. To combine parts for all ranks is to travel twice.
PASSES: Mapping[str, float] = MappingProxyType(
    {"all_reduce": 2.0, "reduce_scatter": 1.0, "all_gather": 1.0}
)


class Prices(Protocol):
    """What moving and computing cost, in one unit."""

    def travel(self, kind: str, nbytes: float, count: int, stride: int) -> float:
        """What a collective of `count` ranks costs that are `stride` apart; bytes of the whole."""

    def work(self, nbytes: float, operations: float) -> float:
        """What it costs that a rank touches so many bytes and computes so much."""


class FixedPrices:
    """Prices without a latency, in bytes that travel: those of a network that nobody measured."""

    def travel(self, kind: str, nbytes: float, count: int, stride: int) -> float:
        """How many bytes leave a rank."""
        share = nbytes * (count - 1) / count
        return share / count if kind == "all_to_all" else share * PASSES[kind]

    def work(self, nbytes: float, operations: float) -> float:
        """How many bytes could travel meanwhile."""
        return nbytes * READ + operations / FLOPS_PER_BYTE


class MeasuredPrices:
    """The seconds that a network takes, and a rank of it."""

    def __init__(self, network: Network):
        self.network = network
        wire = network.between.bandwidth
        self.speeds = network.speeds or Speeds(wire / READ, wire * FLOPS_PER_BYTE)

    def travel(self, kind: str, nbytes: float, count: int, stride: int) -> float:
        """Seconds."""
        return self.network.seconds(kind, nbytes, count, stride)

    def work(self, nbytes: float, operations: float) -> float:
        """Seconds."""
        return nbytes / self.speeds.bytes + operations / self.speeds.operations


FIXED: Prices = FixedPrices()
