"""What ranks do together within a compiled Program: as commands, and bound to MPI."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from twinoar.backends.mpi.flight import Asked, Different, Flight, carrier
from twinoar.backends.native.parts import HostPart
from twinoar.compile.assemble import Assembler
from twinoar.compile.commands import Arrive, Command, Host, Span, Travel, Value
from twinoar.compile.element import asked_by
from twinoar.compile.memory import aligned
from twinoar.compile.storage import Storage, View
from twinoar.core.ir.program import Operator
from twinoar.core.op.library import Collective
from twinoar.core.spec import Spec
from twinoar.errors import TwinoarError
from twinoar.runtime.collective.call import Call
from twinoar.runtime.collective.current import current_world

FIRST = 1 << 16  # flights that are waited for at once; those that are begun have lower numbers


def collective_of(o: Operator) -> Collective | None:
    """What ranks do together by an operator; None for other operators."""
    rule = o.op.rules.get("collective")
    if rule is None:
        return None
    found: Collective = rule(**{name: o.attrs[name] for name in asked_by(rule)})
    return found


class CollectivePart(HostPart):
    """A collective, by native code where ranks are processes; else its NumPy kernel."""

    asked: Collective

    @property
    def bundles(self) -> list[list[Storage]]:
        """The values that lie side by side, so that they travel as one."""
        if not self.asked.begins:
            return []
        given = [x.base for x in self.step.operands if isinstance(x, View)]
        return [given, [s for s in self.step.writes if s is not None]]

    def commands(self, others: Sequence[HostPart], into: Assembler) -> list[Command]:
        """It is begun, and waited for where nothing else does that."""
        asked = self.asked
        if asked.ends:
            return [Arrive(asked.ends)]
        host = self.command(into)
        number = asked.begins or FIRST + _place(self.step, into)
        memory = self._memory(host) if asked.begins else _alone(host)
        if memory is None:
            return [host]
        return [Travel(number, asked, *memory, not asked.begins, host)]

    def _memory(self, host: Host) -> tuple[Spec, Span, Span] | None:
        """All that is given as one, and where the results lie; None where they lie apart."""
        given, made = _as_one(host.operands), _as_one(host.results)
        if given is None or made is None:
            return None
        dtype = host.operands[0].spec.dtype  # type: ignore[union-attr]  # none is None
        return Spec((given.size // dtype.itemsize,), dtype), given, made


def collective_part(step: Any, asked: Collective) -> CollectivePart:
    """The part of a step."""
    part = CollectivePart(step)
    part.asked = asked
    return part


def _place(step: Any, into: Assembler) -> int:
    """Which of all steps it is."""
    return next(n for n, s in enumerate(into.planned.steps) if s is step)


def _alone(host: Host) -> tuple[Spec, Span, Span] | None:
    """Of one tensor for one; None where one of them does not lie in one piece."""
    (x,), (y,) = host.operands, host.results
    if x is None or y is None or not (_is_dense(x) and _is_dense(y)):
        return None
    given = Span(x.span.place, x.span.offset, _bytes(x.spec))
    return x.spec, given, Span(y.span.place, y.span.offset, _bytes(y.spec))


def _as_one(values: Sequence[Value | None]) -> Span | None:
    """The memory of values that lie behind each other, each at the next line of a cache."""
    first = values[0]
    if first is None:
        return None
    at = start = first.span.offset
    end = at
    for v in values:
        if v is None or not _is_dense(v) or (v.span.place, v.span.offset) != (first.span.place, at):
            return None
        end = at + _bytes(v.spec)
        at += aligned(_bytes(v.spec))
    return Span(first.span.place, start, end - start)


def _is_dense(v: Value) -> bool:
    step: Any = v.spec.dtype.itemsize
    for size, stride in zip(v.spec.shape[::-1], v.strides[::-1], strict=True):
        if size != 1 and stride != step:
            return False
        step *= size
    return True


def _bytes(spec: Spec) -> int:
    return int(spec.size) * spec.dtype.itemsize


@dataclass
class Traveling:
    """A flight of an Instance, and what it is to ranks."""

    flight: Flight
    call: Call
    communicator: Any
    group: int

    def error(self) -> TwinoarError | BaseException:
        """Why it has failed."""
        error = self.flight.error()
        return self.communicator.told_apart(self.call) if isinstance(error, Different) else error


def traveling(c: Travel) -> Traveling | None:
    """The flight of a command; None where the group is not of processes, or no kernel serves it."""
    asked = c.asked
    there: Any = current_world().communicators.get(asked.group)
    engine = getattr(there, "native", None)
    if engine is None or (asked.nranks and asked.nranks != there.size) or not c.given.size:
        return None
    call = _call(c, there)
    there.need_whole()
    dtype: Any = c.given.dtype.numpy
    moves = asked.kind in ("all_gather", "broadcast")
    described = Asked(
        asked.kind,
        asked.reduction,
        "uint8" if moves else dtype.name,
        _bytes(c.given),
        asked.root,
    )
    if not described.is_served():
        return None
    return Traveling(
        Flight(engine, described, call.number, asked.begins, said=call), call, there, asked.group
    )


def _call(c: Travel, there: Any) -> Call:
    """What ranks compare: as `runtime.collective` has it where both may stand for each other."""
    asked, name = c.asked, c.given.dtype.numpy.name
    shape: Any = c.given.shape
    detail = asked.reduction
    if asked.begins:
        detail = f"{asked.reduction} of bucket {asked.begins}"
    elif asked.kind == "reduce_scatter":
        shape = (there.size, shape[0] // there.size, *shape[1:])
    elif asked.kind == "broadcast":
        detail = f"from rank {there.ranks[asked.root]}"
    return Call(asked.kind, detail, name, shape)


def function(name: str) -> int:
    """The address of what carries flights: "begin", "progress", "await"."""
    return carrier().address(name)
