"""The requests that wait for a model: by priority, by what can be stacked, in order of arrival.

No threads and no clock are in here: the scheduler holds its lock around each call, and says how
late it is.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from twinoar.errors import ServingError
from twinoar.serving.request import Request, shape_key
from twinoar.serving.status import invalid


@dataclass(frozen=True, slots=True)
class QueuePolicy:
    """How long requests of a priority may wait, and how many of them.

    timeout_seconds: of those that name none, None for no end. lets_override: whether a request may
    name a shorter one. delays: whether those that are late go behind all others, not back.
    size: the most that wait, 0 for any number.
    """

    timeout_seconds: float | None = None
    lets_override: bool = True
    delays: bool = False
    size: int = 0


@dataclass(slots=True)
class _Line:
    """Requests of one priority that can be stacked, oldest first; some may have left already.

    rows: of those that wait.
    """

    place: int
    rows: int = 0
    requests: deque[Request] = field(default_factory=deque)

    def head(self) -> Request | None:
        while self.requests and self.requests[0].place != self.place:
            self.requests.popleft()
        return self.requests[0] if self.requests else None


class RequestQueue:
    """What waits. Priorities are 1 to `levels`, 1 first; behind the last are those that are late.

    stacks: whether several requests may be run at once; if not, each is a batch of its own.
    """

    def __init__(
        self,
        levels: int = 1,
        usual_level: int = 1,
        policies: Mapping[int, QueuePolicy] | None = None,
        *,
        stacks: bool = True,
    ):
        self.levels, self.usual_level, self.stacks = levels, usual_level, stacks
        self._policies = dict(policies or {})
        self._lines: list[dict[object, _Line]] = [{} for _ in range(levels + 1)]
        self._counts = [0] * (levels + 1)
        self._deadlines: list[tuple[float, int, Request]] = []

    def __len__(self) -> int:
        return sum(self._counts)

    def add(self, request: Request, now: float) -> None:
        """Let a request wait. Raises ServingError where as many wait as may."""
        level = request.priority or self.usual_level
        if not 1 <= level <= self.levels:
            raise invalid(f"the model has the priorities 1 to {self.levels}, received {level}")
        policy = self._policies.get(level, QueuePolicy())
        if policy.size and self._counts[level - 1] >= policy.size:
            raise ServingError(
                f"{policy.size} requests wait already, which is the limit of the queue",
                "RESOURCE_EXHAUSTED",
                cure="send it again later",
            )
        request.priority, request.key = level, shape_key(request.inputs) if self.stacks else ()
        request.deadline = _deadline(request, policy, now)
        self._enter(request, level - 1)
        if request.deadline is not None:
            heapq.heappush(self._deadlines, (request.deadline, request.number, request))

    def remove(self, request: Request) -> bool:
        """Take a request out, if it waits; whether it did."""
        if request.place is None:
            return False
        lines = self._lines[request.place]
        line = lines[request.key]
        line.rows -= request.rows
        self._counts[request.place] -= 1
        request.place = None
        if not line.rows:
            del lines[request.key]
        return True

    def expire(self, now: float) -> list[Request]:
        """Those whose time is over: taken out, unless their policy lets them wait behind all."""
        late = []
        while self._deadlines and self._deadlines[0][0] <= now:
            request = heapq.heappop(self._deadlines)[2]
            if not self.remove(request):
                continue
            if self._policies.get(request.priority, QueuePolicy()).delays:
                self._enter(request, self.levels)
            else:
                late.append(request)
        return late

    def next_deadline(self) -> float | None:
        """When `expire` is to be called next."""
        while self._deadlines and self._deadlines[0][2].place is None:
            heapq.heappop(self._deadlines)
        return self._deadlines[0][0] if self._deadlines else None

    def oldest(self) -> Request | None:
        """The request that is served next: of the first priority, what came first."""
        for lines in self._lines:
            heads = [head for line in lines.values() if (head := line.head()) is not None]
            if heads:
                return min(heads, key=lambda request: request.number)
        return None

    def rows_beside(self, request: Request) -> int:
        """How many rows wait that can be stacked with `request`, its own among them."""
        if not self.stacks:
            return request.rows
        found = (lines.get(request.key) for lines in self._lines)
        return sum(line.rows for line in found if line is not None)

    def take(self, limit: int) -> list[Request]:
        """The next batch, at most `limit` rows (one request may have more); in order."""
        first = self.oldest()
        batch: list[Request] = []
        if first is None:
            return batch
        rows = 0
        for lines in self._lines:
            line = lines.get(first.key)
            while line is not None and (request := line.head()) is not None:
                if batch and (not self.stacks or rows + request.rows > limit):
                    return batch
                self.remove(request)
                batch.append(request)
                rows += request.rows
        return batch

    def take_all(self) -> list[Request]:
        """All that wait, in no order that matters."""
        found: list[Request] = []
        while len(self):
            found += self.take(1)
        return found

    def _enter(self, request: Request, place: int) -> None:
        request.place = place
        line = self._lines[place].setdefault(request.key, _Line(place))
        line.requests.append(request)
        line.rows += request.rows
        self._counts[place] += 1


def _deadline(request: Request, policy: QueuePolicy, now: float) -> float | None:
    """The end of a request's waiting; one may ask for a shorter time than the usual one."""
    usual, asked = policy.timeout_seconds, request.timeout_seconds
    if asked is not None and policy.lets_override:
        usual = asked if usual is None else min(usual, asked)
    return None if usual is None else now + usual
