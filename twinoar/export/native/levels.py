"""One library for all x86-64: its kernels for each level of instructions, chosen when it is opened.

The model that `open` gives is the address of its data, which begin at a multiple of 64 bytes, and
in the bits below that the number of the level: so nothing is written, and threads share it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from twinoar.export.native import threads
from twinoar.export.native.data import ALIGNMENT, Data
from twinoar.export.native.interface import (
    CODES,
    FUNCTIONS,
    Interface,
    Sample,
    Written,
)
from twinoar.export.native.model import Model
from twinoar.export.native.portable import SOFT, without_fused
from twinoar.export.native.processor_text import level_text
from twinoar.export.native.routine import Routine, Unit
from twinoar.export.native.targets import MACHINES, Machine
from twinoar.export.native.text import Lines

DEFINED = re.compile(r"^(define [^\n]*\))([^\n{]*)\{", re.MULTILINE)


def for_level(text: str, machine: Machine) -> str:
    """The text of a kernel with what its functions may use."""
    target = machine.target
    given = f'"target-cpu"="{target.cpu}" "target-features"="{target.features}"'
    adapted = text if machine.fuses else without_fused(text)
    return DEFINED.sub(rf"\1\2{given} {{", adapted)


class _Level(Interface):
    """The commands of a level as a function."""

    def __init__(self, model: Model, level: Machine, owner: LeveledInterface):
        self.model, self.level, self.inside = model, level, owner.inside
        self.name = f"{owner.name}_{re.sub(r'[^a-z0-9]', '_', level.name)}"
        self.size, self.word_bytes = owner.size, owner.word_bytes
        self.data, self.unit, self.texts = owner.data, owner.unit, owner.texts
        known = set(self.unit.symbols)
        self.routine = Routine(model.commands, self.unit, model.data)
        self._main()
        # What a level before has as well is there once, made for that one.
        self.kernels = [k for k in self.unit.symbols if k not in known]


class LeveledInterface(Interface):
    """All functions of a model for several levels of one processor."""

    held = "%held"

    def __init__(
        self, models: Sequence[Model], name: str, machine: Machine, sample: Sample, inside: bool
    ):
        self.model, self.name, self.sample, self.inside = models[0], name, sample, inside
        self.size, self.machine = f"i{machine.word_bits}", machine
        self.word_bytes = machine.word_bits // 8
        self.data = Data()
        self.unit = Unit(self.data, len(CODES))
        self.texts: list[str] = []
        if self.model.threads > 1:
            self.unit.divides()
        first = self.workspace = self.unit.workspace
        self.levels: list[_Level] = []
        for level, model in zip(machine.levels, models, strict=True):
            self.unit.workspace = first  # one runs at a time
            self.levels.append(_Level(model, MACHINES[level], self))
            self.workspace = max(self.workspace, self.unit.workspace, ALIGNMENT)

    def _main(self) -> None:
        """NAME_main: that of the level that the model says."""
        lines = Lines()
        data, level = self._parted("%model", lines)
        ways, after = [lines.label() for _ in self.levels], lines.label()
        cases = " ".join(f"i64 {n}, label %{way}" for n, way in enumerate(ways))
        lines.do(f"switch i64 {level}, label %{ways[0]} [ {cases} ]")
        given = f"ptr {data}, ptr %workspace, ptr %inputs, ptr %outputs"
        found = []
        for way, own in zip(ways, self.levels, strict=True):
            lines.begin(way)
            status = lines.line(f"call i32 @{own.name}_main({given})")
            found.append(f"[ {status}, %{way} ]")
            lines.jump(after)
        lines.begin(after)
        status = lines.line(f"phi i32 {', '.join(found)}")
        parameters = "ptr %model, ptr %workspace, ptr %inputs, ptr %outputs"
        head = f"internal i32 @{self.name}_main({parameters}) nounwind"
        self.texts.append(lines.function(head, status))

    def _parted(self, model: str, lines: Lines) -> tuple[str, str]:
        """The address of the data, and the number of the level."""
        address = lines.line(f"ptrtoint ptr {model} to i64")
        level = lines.line(f"and i64 {address}, {ALIGNMENT - 1}")
        return lines.at(model, lines.line(f"sub i64 0, {level}")), level

    def _refusals(self, workspace: int, lines: Lines) -> None:
        super()._refusals(workspace, lines)
        data, _ = self._parted("%model", lines)
        lines.do(f"{self.held} = getelementptr i8, ptr {data}, i64 0")

    def _opened(self, weights: str, lines: Lines) -> str:
        """The model: the highest level that the processor has, and is asked for."""
        count = lines.line("call i32 @twinoar_level()")
        known = lines.line(f"sub i32 {count}, 1")
        lines.leave_if(lines.line(f"icmp slt i32 {known}, 0"), str(self.lacking))
        lines.leave_if(lines.line("icmp slt i32 %most, 0"), str(self.lacking))
        is_less = lines.line(f"icmp slt i32 {known}, %most")
        level = lines.line(f"select i1 {is_less}, i32 {known}, i32 %most")
        return lines.at(weights, lines.line(f"zext i32 {level} to i64"))

    def _level_functions(self) -> None:
        """NAME_open, which asks for any level, and NAME_level, the number of one."""
        given = f"ptr %to, ptr %weights, {self.size} %bytes"
        called = f"call i32 @{self.name}_open_level({given}, i32 {len(self.levels) - 1})"
        lines = Lines()
        status = lines.line(called)
        self.texts.append(lines.function(f"i32 @{self.name}_open({given}) nounwind", status))
        lines = Lines()
        _, level = self._parted("%model", lines)
        status = lines.line(f"trunc i64 {level} to i32")
        self.texts.append(lines.function(f"i32 @{self.name}_level(ptr %model) nounwind", status))

    def written(self) -> Written:
        """All functions, after all that they ask for has its place."""
        first = self.machine.levels[0]
        self.lacking = self.unit.failure(f"this processor is older than {first}")
        self._main()
        ends: tuple[str, ...] = (*FUNCTIONS, "open_level", "level")
        self._run(self.workspace)
        if self.model.threads > 1:
            self._run(self.workspace, threads.RUN, ("%parallel", "%context"))
            ends = (*ends, threads.RUN)
        if self.unit.pool is not None:
            self.unit.texts.append(threads.TEXT)
        verify = self._verify(self.workspace)
        told = self._description(self.workspace, verify) | {"levels": list(self.machine.levels)}
        for what, number in (("workspace_bytes", self.workspace), ("verify_bytes", verify)):
            self._function(f"{self.size} @{self.name}_{what}()", [f"ret {self.size} {number}"])
        errors = (*(t.replace("NAME", self.name) for t in CODES), *self.unit.failures)
        self._messages(errors, json.dumps(told))
        content, digest = self.data.content()
        self._open(len(content), digest, "open_level", ", i32 %most")
        self._level_functions()
        kernels = {
            self.unit.symbols[k]: (k.name, for_level(own.model.texts[k], own.level))
            for own in self.levels
            for k in own.kernels
        }
        soft = [for_level(text, MACHINES[first]) for _, text in SOFT.values()]
        texts = [*self.unit.texts, *self.texts, level_text(self.machine.levels), *soft]
        return Written(
            self.name, "\n".join(texts), kernels, content, self.symbol if self.inside else None,
            told, errors, ends,
        )  # fmt: skip


DECLARED = """\
/* It holds code for several levels of instructions. {name}_open takes the last that the processor
   has, {name}_open_level none after one of these; {name}_level says which one a model has. */
{macros}
int32_t {name}_open_level(const {name}_model **model, const void *weights, size_t bytes,
                          int32_t level);
int32_t {name}_level(const {name}_model *model);

"""


def declared(description: Mapping[str, Any]) -> str:
    """What the header says of levels; nothing for a model of one."""
    name, levels = description["name"], description.get("levels", ())
    if not levels:
        return ""
    named = [re.sub(r"\W", "_", level).upper() for level in levels]
    rows = [f"#define {name.upper()}_{level} {n}" for n, level in enumerate(named)]
    return DECLARED.format(name=name, macros="\n".join(rows))
