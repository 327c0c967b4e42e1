"""The functions of a model that trains: besides those of other models, a step, and its block.

NAME_state_init gives a block its first values, NAME_step runs a step that changes it, NAME_run
predicts with it, NAME_learning_rate and NAME_set_learning_rate read and set what is in it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.compile.commands import Value
from twinoar.core.spec import Spec
from twinoar.export.native import support
from twinoar.export.native.data import ALIGNMENT, Data
from twinoar.export.native.interface import (
    CODES,
    NO_ARRAY,
    NO_MODEL,
    Interface,
    Sample,
    Written,
    described,
)
from twinoar.export.native.model import Model, Port, numbers
from twinoar.export.native.routine import Routine, Unit
from twinoar.export.native.state import MARK, Block
from twinoar.export.native.targets import Machine
from twinoar.export.native.text import Lines

STATE_CODES = (
    "the state is null or too small: NAME_state_bytes says how large it is",
    f"the state does not begin at a multiple of {ALIGNMENT} bytes",
    "this is not a state of this model: NAME_state_init makes one",
)
NO_STATE, STATE_CROOKED, OTHER_STATE = range(len(CODES), len(CODES) + len(STATE_CODES))
FUNCTIONS = (
    "open", "state_init", "state_bytes", "step", "learning_rate", "set_learning_rate", "verify",
    "workspace_bytes", "verify_bytes", "error", "description",
)  # fmt: skip
LOOKED_AT = 1024  # elements of each state that a verification compares


@dataclass(frozen=True)
class Entry:
    """A function that runs commands with the block: `end` of its name. following: what a state
    becomes in the sample, by name. allowed: by how much more than rounding results may differ, of
    their largest value: of outputs, and of states.
    """

    end: str
    model: Model
    sample: Sample
    following: Mapping[str, np.ndarray]
    allowed: Sequence[float]
    allowed_states: Mapping[str, float]


class _Body(Interface):
    """The commands of an entry as a function, and its comparison."""

    def __init__(self, entry: Entry, owner: TrainedInterface):
        self.entry, self.block = entry, owner.block
        self.model, self.sample, self.inside = entry.model, entry.sample, owner.inside
        self.name = f"{owner.name}_{entry.end}"
        self.size, self.word_bytes = owner.size, owner.word_bytes
        self.data, self.unit, self.texts = owner.data, owner.unit, owner.texts
        self.routine = Routine(self.model.commands, self.unit, self.model.data)
        self._main()

    def _place(self, place: int, first: Mapping[int, str], lines: Lines) -> str:
        """Where a place of the outside is."""
        p = self.model.commands.places[place]
        if p.role in ("feed", "state") and p.name in self.block.offsets:
            return lines.at("%state", self.block.offsets[p.name])
        if p.role == "feed":
            inputs = [port.name for port in self.model.inputs]
            return self._slot("%inputs", inputs.index(p.name), lines)
        if p.order is None and place in first:
            return first[place]
        size = math.prod(numbers(p.spec)) * p.spec.dtype.itemsize
        return lines.at("%workspace", self.unit.reserve(size))

    def _main(self) -> None:
        commands, lines = self.model.commands, Lines()
        inner = self.routine.function([c for batch in commands.batches for c in batch])
        outputs = {n: self._slot("%outputs", n, lines) for n in range(len(self.model.outputs))}
        first: dict[int, int] = {}
        for n, x in enumerate(commands.outputs):
            if isinstance(x, int):
                first.setdefault(x, n)
        where = {place: outputs[n] for place, n in first.items()}
        for place in self.routine.given:
            at = self._place(place, where, lines)
            lines.do(f"%p{place} = getelementptr i8, ptr {at}, i64 0")
        given = "".join(f", ptr %p{n}" for n in self.routine.given)
        lines.leave_if_failed(lines.line(f"call i32 @{inner}(ptr %data, ptr %workspace{given})"))
        for n, x in enumerate(commands.outputs):
            if isinstance(x, int) and first[x] == n and commands.places[x].order is None:
                continue
            self._copied(x, outputs[n], lines)
        self._updated(lines)
        parameters = "ptr %data, ptr %workspace, ptr %inputs, ptr %outputs, ptr %state"
        head = f"internal i32 @{self.name}_main({parameters}) nounwind"
        self.texts.append(lines.function(head))

    def _updated(self, lines: Lines) -> None:
        """Next values to where the states are; first those aside that are states themselves."""
        moved: list[tuple[str, str, Spec]] = []
        for name, x in self.model.commands.updates.items():
            if not isinstance(x, Value):
                continue
            target = lines.at("%state", self.block.offsets[name])
            if x.span.place >= 0 and x.span.place in self.routine.given:
                aside = lines.at("%workspace", self.unit.reserve(_bytes(x.spec)))
                self._copied(x, aside, lines)
                moved.append((target, aside, x.spec))
            else:
                self._copied(x, target, lines)
        for target, aside, spec in moved:
            lines.do(
                f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {aside}, i64 {_bytes(spec)}, "
                "i1 false)"
            )

    def called(self, inputs: str, outputs: str, state: str, lines: Lines) -> str:
        """Call it; its code."""
        given = f"ptr %model, ptr %workspace, ptr {inputs}, ptr {outputs}, ptr {state}"
        return lines.line(f"call i32 @{self.name}_main({given})")

    def public(self, workspace: int, refuse_state: Any) -> None:
        """The function that others call."""
        lines = Lines()
        self._refusals(workspace, lines)
        refuse_state(lines)
        for table, ports in (("%inputs", self.model.inputs), ("%outputs", self.model.outputs)):
            self._refuse_null(table, NO_ARRAY, lines)
            for n in range(len(ports)):
                self._refuse_null(self._slot(table, n, lines), NO_ARRAY, lines)
        status = self.called("%inputs", "%outputs", "%state", lines)
        parameters = (
            f"ptr %model, ptr %state, ptr %inputs, ptr %outputs, ptr %workspace, {self.size} %bytes"
        )
        self.texts.append(lines.function(f"i32 @{self.name}({parameters}) nounwind", status))

    def verified(self, state: str, at: int, lines: Lines) -> tuple[int, set[str | None]]:
        """Run the sample in the workspace from `at` on, and compare; its end, and what compares."""
        places = []
        for array in self.sample.outputs:
            places.append(at)
            at += array.nbytes + -array.nbytes % ALIGNMENT
        tables = [lines.room(max(1, len(x))) for x in (self.sample.inputs, self.sample.outputs)]
        for n, array in enumerate(self.sample.inputs):
            source = lines.at("%model", self.data.add(array))
            lines.do(f"store ptr {source}, ptr {lines.at(tables[0], n * self.word_bytes)}")
        for n, place in enumerate(places):
            target = lines.at("%workspace", place)
            lines.do(f"store ptr {target}, ptr {lines.at(tables[1], n * self.word_bytes)}")
        lines.leave_if_failed(self.called(tables[0], tables[1], state, lines))
        kinds: set[str | None] = set()
        rows = zip(self.sample.outputs, places, self.model.outputs, self.entry.allowed, strict=True)
        for array, place, port, more in rows:
            kinds.add(self._compared(array, port, lines.at("%workspace", place), lines, more))
        for name, array in self.entry.following.items():
            port = Port(name, Spec(array.shape, self._dtype(name)))
            found = lines.at(state, self.block.offsets[name])
            more = self.entry.allowed_states[name]
            kinds.add(self._compared(array.reshape(-1)[:LOOKED_AT], port, found, lines, more))
        return at, kinds

    def _dtype(self, name: str) -> Any:
        places = self.model.commands.places
        return next(p.spec.dtype for p in places if p.name == name and p.role in ("state", "feed"))


class TrainedInterface(Interface):
    """All functions of a model that trains."""

    def __init__(
        self, entries: Sequence[Entry], block: Block, rates: Sequence[str], name: str,
        machine: Machine, inside: bool,
    ):  # fmt: skip
        self.name, self.inside, self.block, self.rates = name, inside, block, rates
        self.size = f"i{machine.word_bits}"
        self.word_bytes = machine.word_bits // 8
        self.data = Data()
        self.codes = (*CODES, *STATE_CODES)
        self.unit = Unit(self.data, len(self.codes))
        self.texts: list[str] = []
        self.entries = entries
        self.bodies, self.workspace = [], ALIGNMENT
        for entry in entries:
            self.unit.workspace = 0  # one runs at a time
            self.bodies.append(_Body(entry, self))
            self.workspace = max(self.workspace, self.unit.workspace)

    def written(self) -> Written:
        """All functions, after all that they ask for has its place."""
        workspace = self.workspace
        for body in self.bodies:
            body.public(workspace, self._refuse_state)
        verify = self._verify(workspace)
        self._state_functions()
        self._rate_functions()
        described = self._described(workspace, verify)
        sizes = {
            "workspace_bytes": workspace, "verify_bytes": verify,
            "state_bytes": len(self.block.content),
        }  # fmt: skip
        for what, size in sizes.items():
            self._function(f"{self.size} @{self.name}_{what}()", [f"ret {self.size} {size}"])
        errors = (*(t.replace("NAME", self.name) for t in self.codes), *self.unit.failures)
        self._messages(errors, json.dumps(described))
        content, digest = self.data.content()
        self._open(len(content), digest)
        texts = {k: t for entry in self.entries for k, t in entry.model.texts.items()}
        kernels = {symbol: (k.name, texts[k]) for k, symbol in self.unit.symbols.items()}
        ends = (*FUNCTIONS, *(e.end for e in self.entries if e.end not in FUNCTIONS))
        return Written(
            self.name, "\n".join([*self.unit.texts, *self.texts]), kernels, content,
            self.symbol if self.inside else None, described, errors, ends,
        )  # fmt: skip

    def _refuse_state(self, lines: Lines) -> None:
        """Return a code where the block is none of this model's."""
        self._refuse_null("%state", NO_STATE, lines)
        self._refuse_crooked("%state", STATE_CROOKED, lines)
        mark = self.block.mark
        for n in range(0, MARK, 8):
            word = lines.line(f"load i64, ptr {lines.at('%state', n)}, align 8")
            wanted = int.from_bytes(mark[n : n + 8], "little", signed=True)
            lines.leave_if(lines.line(f"icmp ne i64 {word}, {wanted}"), str(OTHER_STATE))

    def _initialized(self, target: str, lines: Lines) -> None:
        content = np.frombuffer(self.block.content, np.uint8)
        source = lines.at("%model", self.data.add(content))
        lines.do(
            f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {content.size}, "
            "i1 false)"
        )

    def _state_functions(self) -> None:
        lines = Lines()
        self._refuse_null("%model", NO_MODEL, lines)
        self._refuse_null("%state", NO_STATE, lines)
        small = lines.line(f"icmp ult {self.size} %bytes, {len(self.block.content)}")
        lines.leave_if(small, str(NO_STATE))
        self._refuse_crooked("%state", STATE_CROOKED, lines)
        self._initialized("%state", lines)
        parameters = f"ptr %model, ptr %state, {self.size} %bytes"
        self.texts.append(lines.function(f"i32 @{self.name}_state_init({parameters}) nounwind"))

    def _rate_functions(self) -> None:
        """Those of the learning rate; of several, all are set, and the first is read."""
        lines = Lines()
        self._refuse_state(lines)
        value = "nan"
        for name in self.rates:
            array = self.block.arrays[name]
            target = lines.at("%state", self.block.offsets[name])
            if array.dtype == np.float64:
                lines.do(f"store double %rate, ptr {target}")
            else:
                single = lines.line("fptrunc double %rate to float")
                lines.do(f"store float {single}, ptr {target}")
        head = f"i32 @{self.name}_set_learning_rate(ptr %state, double %rate) nounwind"
        self.texts.append(lines.function(head))
        lines = Lines()
        if self.rates:
            array = self.block.arrays[self.rates[0]]
            kind = "double" if array.dtype == np.float64 else "float"
            source = lines.at("%state", self.block.offsets[self.rates[0]])
            value = lines.line(f"load {kind}, ptr {source}")
            value = value if kind == "double" else lines.line(f"fpext float {value} to double")
        else:
            value = "0x7FF8000000000000"
        body = "\n".join(lines.lines)
        self.texts.append(
            f"define double @{self.name}_learning_rate(ptr %state) nounwind {{\nentry:\n"
            f"{body}\n  ret double {value}\n}}\n"
        )

    def _verify(self, workspace: int) -> int:
        """NAME_verify: a step on the first values, then a prediction with what it left."""
        checked, outer = Lines(), Lines()
        state = checked.at("%workspace", workspace)
        self._initialized(state, checked)
        end = workspace + len(self.block.content)
        end += -end % ALIGNMENT
        kinds: set[str | None] = set()
        for body in self.bodies:
            end, found = body.verified(state, end, checked)
            kinds |= found
        head = f"i32 @{self.name}_verified(ptr %model, ptr %workspace)"
        self.texts.append(checked.function(f"internal {head} nounwind"))
        self._refusals(end, outer)
        status = outer.line(f"call {head}")
        parameters = f"ptr %model, ptr %workspace, {self.size} %bytes"
        self.texts.append(outer.function(f"i32 @{self.name}_verify({parameters}) nounwind", status))
        self.texts += [
            support.SAME if k is None else support.near(k) for k in sorted(kinds, key=str)
        ]
        return end

    def _described(self, workspace: int, verify: int) -> dict[str, Any]:
        entries = {
            e.end: {"inputs": e.model.inputs, "outputs": e.model.outputs} for e in self.entries
        }
        return {
            "name": self.name,
            "entries": {
                end: {what: [described(port) for port in ports] for what, ports in both.items()}
                for end, both in entries.items()
            },
            "states": self.block.described(),
            "learning_rates": list(self.rates),
            "state_bytes": len(self.block.content),
            "workspace_bytes": workspace,
            "verify_bytes": verify,
            "alignment": ALIGNMENT,
            "weights_inside": self.inside,
        }


def _bytes(spec: Spec) -> int:
    return math.prod(numbers(spec)) * spec.dtype.itemsize
