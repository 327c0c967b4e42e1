"""Jobs that start again after a rank has died, on fewer machines where they may.

    twinoar launch --nnodes 1:2 --nproc_per_node 1 --max_restart 3 train.py

The machine of the rank that died is left out as long as there are as many as the range begins with;
else, and where the number is fixed, the job starts again as it was. A script goes on from what it
has saved last: it is told by PADDLE_RESTARTS how often its job has started again.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace

from twinoar.distributed.launch.mpirun import Plan
from twinoar.errors import ArgumentError

RESTARTS = "PADDLE_RESTARTS"  # the variable that says how often a job has started again
PADDLES = 3  # how often Paddle's launcher starts a job again that is elastic


@dataclass(frozen=True)
class Restarts:
    """Which job follows one that failed. least, most: the number of machines.

    limit: how often; -1 for three times where the number of machines is a range, else never.
    """

    least: int = 1
    most: int = 1
    limit: int = -1

    @property
    def count(self) -> int:
        """How often a job starts again, at most."""
        if self.limit >= 0:
            return self.limit
        return PADDLES if self.most > self.least else 0

    @property
    def are_wanted(self) -> bool:
        """Whether it does at all."""
        return self.count > 0

    def following(self, plan: Plan, lost: int | None, done: int) -> Plan | None:
        """The plan that follows one that has failed; None for none.

        lost: the rank that was gone first, if one was. done: how often it has started again.
        """
        if done >= self.count:
            return None
        hosts = list(plan.hosts)
        if lost is not None and len(hosts) > self.least:
            del hosts[lost // plan.each]
        more = {**plan.environment, RESTARTS: str(done + 1)}
        found = replace(plan, hosts=hosts, environment=more)
        print(
            f"launch: the job starts again, {done + 1} of {self.count} times, with {found.size} "
            "processes",
            file=sys.stderr,
            flush=True,
        )
        return found


NEVER = Restarts()


def machines_of(nnodes: str | None, given: int) -> tuple[int, int]:
    """The least and the greatest number of machines that an option says, `given` without one.

    Raises ArgumentError for another text than a number, or two with a colon.

    >>> machines_of("1:4", 1), machines_of("2", 1), machines_of(None, 3)
    ((1, 4), (2, 2), (3, 3))
    """
    first, _, second = (nnodes or str(given)).partition(":")
    try:
        least, most = int(first), int(second or first)
    except ValueError:
        raise ArgumentError(f"--nnodes {nnodes}: expected a number, or two as 1:4") from None
    if not 1 <= least <= most:
        raise ArgumentError(f"--nnodes {nnodes}: expected 1 or more, the smaller number first")
    return least, most
