"""The functions of an exported model that others call, and the whole text in which they stand.

NAME_open gives the model, which is the address of its data; NAME_run runs it once, in memory that
the caller gives; NAME_verify runs it on what it brings, and compares; NAME_error is the text of a
code; NAME_description is JSON about inputs, outputs and sizes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.compile.commands import Value
from twinoar.core.dtype import REAL_OF
from twinoar.export.native import support, threads
from twinoar.export.native.data import ALIGNMENT, MAGIC, Data
from twinoar.export.native.model import Model, Port, numbers
from twinoar.export.native.routine import Routine, Unit
from twinoar.export.native.targets import Machine
from twinoar.export.native.text import Lines
from twinoar.jit.compare import ROUNDING, SMALLEST

# The codes that all models return, in order; codes from here on are of indices that are checked.
CODES = (
    "no error",
    "the model is null: open it first",
    "the workspace is null or too small: NAME_workspace_bytes says how large it is",
    f"the workspace does not begin at a multiple of {ALIGNMENT} bytes",
    "an input or an output is null",
    "no weights were given, and they are not in this library",
    f"the weights do not begin at a multiple of {ALIGNMENT} bytes",
    "these are not the weights of this model: export writes both anew",
    "an output of the verification differs from what Python computed",
)
(
    _OK, NO_MODEL, NO_WORKSPACE, WORKSPACE_CROOKED, NO_ARRAY, NO_WEIGHTS, WEIGHTS_CROOKED,
    OTHER_WEIGHTS, DIFFERS,
) = range(len(CODES))  # fmt: skip


FUNCTIONS = (
    "open", "run", "verify", "workspace_bytes", "verify_bytes", "error", "description",
)  # fmt: skip


@dataclass(frozen=True)
class Sample:
    """Inputs, and the outputs for them. allowed: by how much more than rounding they may differ.

    It is a part of the largest value.
    """

    inputs: Sequence[np.ndarray]
    outputs: Sequence[np.ndarray]
    allowed: float = 0.0


@dataclass(frozen=True)
class Written:
    """A model as a text of LLVM IR and its data.

    symbols: of kernels, by what they are called in the text. description: of inputs and outputs.
    data_symbol: what the code calls the data, where these are with it. ends: of the names of the
    functions that others call.
    """

    name: str
    text: str
    kernels: Mapping[str, tuple[str, str]]
    data: bytes
    data_symbol: str | None
    description: Mapping[str, Any]
    errors: tuple[str, ...]
    ends: tuple[str, ...] = FUNCTIONS

    @property
    def exported(self) -> tuple[str, ...]:
        """The functions that others call."""
        return tuple(f"{self.name}_{end}" for end in self.ends)


def written(model: Model, name: str, machine: Machine, sample: Sample, *, inside: bool) -> Written:
    """A model as a text. inside: its data are with the code, not in a file beside it."""
    return Interface(model, name, machine, sample, inside).written()


class Interface:
    """What writes them, for one Program that changes no state.

    held: where the data begin in functions that are given the model.
    """

    held = "%model"

    def __init__(self, model: Model, name: str, machine: Machine, sample: Sample, inside: bool):
        self.model, self.name, self.sample, self.inside = model, name, sample, inside
        self.size = f"i{machine.word_bits}"
        self.word_bytes = machine.word_bits // 8
        self.data = Data()
        self.unit = Unit(self.data, len(CODES))
        self.routine = Routine(model.commands, self.unit, model.data)
        self.texts: list[str] = []

    def written(self) -> Written:
        """All functions, after all that they ask for has its place."""
        self._main()
        workspace = max(self.unit.workspace, ALIGNMENT)
        self._run(workspace)
        ends: tuple[str, ...] = FUNCTIONS
        if self.model.threads > 1:
            self._run(workspace, threads.RUN, ("%parallel", "%context"))
            ends = (*FUNCTIONS, threads.RUN)
        if self.unit.pool is not None:
            self.unit.texts.append(threads.TEXT)
        verify = self._verify(workspace)
        described = self._description(workspace, verify)
        for what, size in (("workspace_bytes", workspace), ("verify_bytes", verify)):
            self._function(f"{self.size} @{self.name}_{what}()", [f"ret {self.size} {size}"])
        errors = (*(t.replace("NAME", self.name) for t in CODES), *self.unit.failures)
        self._messages(errors, json.dumps(described))
        content, digest = self.data.content()
        self._open(len(content), digest)
        kernels = {
            symbol: (kernel.name, self.model.texts[kernel])
            for kernel, symbol in self.unit.symbols.items()
        }
        return Written(
            self.name, "\n".join([*self.unit.texts, *self.texts]), kernels, content,
            self.symbol if self.inside else None, described, errors, ends,
        )  # fmt: skip

    @property
    def symbol(self) -> str:
        """What the code calls the data."""
        return f"{self.name}_data"

    def _function(self, head: str, lines: Sequence[str]) -> None:
        body = "\n".join(lines)
        self.texts.append(f"define {head} nounwind {{\nentry:\n{body}\n}}\n")

    # What runs.

    def _main(self) -> None:
        """NAME_main: the commands on arrays of addresses, and outputs that lie elsewhere copied."""
        commands, lines = self.model.commands, Lines()
        inner = self.routine.function([c for batch in commands.batches for c in batch])
        inputs = [p.name for p in self.model.inputs]
        outputs = {n: self._slot("%outputs", n, lines) for n in range(len(self.model.outputs))}
        first: dict[int, int] = {}
        for n, x in enumerate(commands.outputs):
            if isinstance(x, int):
                first.setdefault(x, n)
        for place in self.routine.given:
            p = commands.places[place]
            if p.role == "feed":
                where = self._slot("%inputs", inputs.index(p.name), lines)
            elif p.order is None:
                where = outputs[first[place]]
            else:
                size = math.prod(numbers(p.spec)) * p.spec.dtype.itemsize
                where = lines.at("%workspace", self.unit.reserve(size))
            lines.do(f"%p{place} = getelementptr i8, ptr {where}, i64 0")
        given = "".join(f", ptr %p{n}" for n in self.routine.given)
        lines.leave_if_failed(lines.line(f"call i32 @{inner}(ptr %data, ptr %workspace{given})"))
        for n, x in enumerate(commands.outputs):
            if isinstance(x, int) and first[x] == n and commands.places[x].order is None:
                continue
            self._copied(x, outputs[n], lines)
        head = (
            f"internal i32 @{self.name}_main(ptr %data, ptr %workspace, ptr %inputs, ptr %outputs)"
        )
        self.texts.append(lines.function(f"{head} nounwind"))

    def _slot(self, table: str, number: int, lines: Lines) -> str:
        where = lines.at(table, number * self.word_bytes)
        return lines.line(f"load ptr, ptr {where}")

    def _copied(self, x: int | Value | np.ndarray | None, target: str, lines: Lines) -> None:
        """An output that no kernel writes to its place."""
        if isinstance(x, int):
            p = self.model.commands.places[x]
            size, shape = p.spec.dtype.itemsize, numbers(p.spec)
            strides = [0] * len(shape)
            for axis in reversed(p.order or range(len(shape))):
                strides[axis], size = size, size * shape[axis]
            lines.copy_strided(target, f"%p{x}", shape, strides, p.spec.dtype.itemsize)
        elif isinstance(x, Value):
            source = self.routine.address(x.span, lines)
            size = x.spec.dtype.itemsize
            lines.copy_strided(target, source, numbers(x.spec), x.strides, size)
        elif x is not None:
            source = lines.at("%data", self.data.add(x))
            lines.do(
                f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {x.nbytes}, "
                "i1 false)"
            )

    def _run(
        self, workspace: int, end: str = "run", pool: tuple[str, str] = ("null", "null")
    ) -> None:
        """NAME_run, or another end; pool: who runs parts of kernels, and its context."""
        lines = Lines()
        self._refusals(workspace, lines)
        for table, ports in (("%inputs", self.model.inputs), ("%outputs", self.model.outputs)):
            self._refuse_null(table, NO_ARRAY, lines)
            for n in range(len(ports)):
                self._refuse_null(self._slot(table, n, lines), NO_ARRAY, lines)
        self._told_pool(pool, lines)
        given = "ptr %model, ptr %workspace, ptr %inputs, ptr %outputs"
        status = lines.line(f"call i32 @{self.name}_main({given})")
        parameters = f"ptr %model, ptr %inputs, ptr %outputs, ptr %workspace, {self.size} %bytes"
        if pool[0] != "null":
            parameters += f", ptr {pool[0]}, ptr {pool[1]}"
        head = f"i32 @{self.name}_{end}({parameters}) nounwind"
        self.texts.append(lines.function(head, status))

    def _told_pool(self, pool: tuple[str, str], lines: Lines) -> None:
        if self.unit.pool is not None:
            for n, word in enumerate(pool):
                where = lines.at("%workspace", self.unit.pool + n * threads.POOL_BYTES // 2)
                lines.do(f"store ptr {word}, ptr {where}, align 8")

    def _refusals(self, workspace: int, lines: Lines) -> None:
        """Return a code where the model or the workspace is none."""
        self._refuse_null("%model", NO_MODEL, lines)
        self._refuse_null("%workspace", NO_WORKSPACE, lines)
        small = lines.line(f"icmp ult {self.size} %bytes, {workspace}")
        lines.leave_if(small, str(NO_WORKSPACE))
        self._refuse_crooked("%workspace", WORKSPACE_CROOKED, lines)

    def _refuse_null(self, pointer: str, code: int, lines: Lines) -> None:
        lines.leave_if(lines.line(f"icmp eq ptr {pointer}, null"), str(code))

    def _refuse_crooked(self, pointer: str, code: int, lines: Lines) -> None:
        address = lines.line(f"ptrtoint ptr {pointer} to {self.size}")
        rest = lines.line(f"and {self.size} {address}, {ALIGNMENT - 1}")
        lines.leave_if(lines.line(f"icmp ne {self.size} {rest}, 0"), str(code))

    # What opens.

    def _opened(self, weights: str, lines: Lines) -> str:
        """The model whose data are there."""
        return weights

    def _open(self, size: int, digest: bytes, end: str = "open", more: str = "") -> None:
        """NAME_open, or another end; more: parameters."""
        lines = Lines()
        self._refuse_null("%to", NO_MODEL, lines)
        lines.do("store ptr null, ptr %to")
        is_null = lines.line("icmp eq ptr %weights, null")
        weights = "%weights"
        if self.inside:
            weights = lines.line(f"select i1 {is_null}, ptr @{self.symbol}, ptr %weights")
            own = lines.line(f"select i1 {is_null}, {self.size} {size}, {self.size} %bytes")
            content = f"@{self.symbol} = external hidden constant [{size} x i8], align {ALIGNMENT}"
            self.texts.append(content)
        else:
            lines.leave_if(is_null, str(NO_WEIGHTS))
            own = "%bytes"
        self._refuse_crooked(weights, WEIGHTS_CROOKED, lines)
        lines.leave_if(lines.line(f"icmp ult {self.size} {own}, {size}"), str(OTHER_WEIGHTS))
        head = MAGIC + size.to_bytes(8, "little") + digest
        for n in range(0, len(head), 8):
            word = lines.line(f"load i64, ptr {lines.at(weights, n)}, align 8")
            wanted = int.from_bytes(head[n : n + 8], "little", signed=True)
            lines.leave_if(lines.line(f"icmp ne i64 {word}, {wanted}"), str(OTHER_WEIGHTS))
        lines.do(f"store ptr {self._opened(weights, lines)}, ptr %to")
        parameters = f"ptr %to, ptr %weights, {self.size} %bytes{more}"
        self.texts.append(lines.function(f"i32 @{self.name}_{end}({parameters}) nounwind"))

    # What verifies.

    def _verify(self, workspace: int) -> int:
        """NAME_verify, and how much memory it needs."""
        total = workspace
        places = []
        for array in self.sample.outputs:
            places.append(total)
            total += array.nbytes + -array.nbytes % ALIGNMENT
        lines = Lines()
        self._refusals(total, lines)
        inputs, outputs = (
            lines.room(max(1, len(x))) for x in (self.sample.inputs, self.sample.outputs)
        )
        for n, array in enumerate(self.sample.inputs):
            source = lines.at(self.held, self.data.add(array))
            lines.do(f"store ptr {source}, ptr {lines.at(inputs, n * self.word_bytes)}")
        for n, place in enumerate(places):
            target = lines.at("%workspace", place)
            lines.do(f"store ptr {target}, ptr {lines.at(outputs, n * self.word_bytes)}")
        self._told_pool(("null", "null"), lines)
        given = f"ptr %model, ptr %workspace, ptr {inputs}, ptr {outputs}"
        lines.leave_if_failed(lines.line(f"call i32 @{self.name}_main({given})"))
        kinds = set()
        for array, place, port in zip(self.sample.outputs, places, self.model.outputs, strict=True):
            found = lines.at("%workspace", place)
            kinds.add(self._compared(array, port, found, lines, self.sample.allowed))
        parameters = f"ptr %model, ptr %workspace, {self.size} %bytes"
        self.texts.append(lines.function(f"i32 @{self.name}_verify({parameters}) nounwind"))
        self.texts += [
            support.SAME if k is None else support.near(k) for k in sorted(kinds, key=str)
        ]
        return total

    def _compared(
        self, wanted: np.ndarray, port: Port, found: str, lines: Lines, more: float = 0.0
    ) -> str | None:
        """Return the code of a difference; the dtype whose comparison is called.

        more: what is allowed besides rounding, of the largest value.
        """
        dtype = REAL_OF.get(port.spec.dtype, port.spec.dtype)
        source = lines.at(self.held, self.data.add(wanted))
        kind: str | None = dtype.name
        if kind in support.WIDENED:
            values = np.abs(
                wanted.astype(np.complex128 if wanted.dtype.kind == "c" else np.float64)
            )
            scale = float(np.max(values, initial=0, where=np.isfinite(values))) + SMALLEST
            allowed, scale_text = (_double(x) for x in (ROUNDING[kind] + more, scale))
            count = wanted.nbytes // dtype.itemsize
            call = (
                f"call i1 @twinoar_near_{kind}(ptr {found}, ptr {source}, i64 {count}, "
                f"double {allowed}, double {scale_text})"
            )
        else:
            kind = None
            call = f"call i1 @twinoar_same(ptr {found}, ptr {source}, i64 {wanted.nbytes})"
        lines.leave_if(lines.line(f"xor i1 {lines.line(call)}, true"), str(DIFFERS))
        return kind

    # What tells.

    def _description(self, workspace: int, verify: int) -> dict[str, Any]:
        return {
            "name": self.name,
            "inputs": [described(p) for p in self.model.inputs],
            "outputs": [described(p) for p in self.model.outputs],
            "workspace_bytes": workspace,
            "verify_bytes": verify,
            "alignment": ALIGNMENT,
            "weights_inside": self.inside,
            "threads": self.model.threads,
        }

    def _messages(self, errors: Sequence[str], description: str) -> None:
        texts = "".join(f"{text}\0" for text in (*errors, "there is no such code"))
        for name, text in (("texts", texts), ("json", f"{description}\0")):
            content = text.encode()
            literal = "".join(f"\\{byte:02X}" for byte in content)
            kind = f"[{len(content)} x i8]"
            self.texts.append(f'@{self.name}_{name} = internal constant {kind} c"{literal}"')
        self.texts.append(support.NTH_TEXT)
        last = len(errors)
        self._function(
            f"ptr @{self.name}_error(i32 %code)",
            [
                f"  %known = icmp ult i32 %code, {last}",
                f"  %number = select i1 %known, i32 %code, i32 {last}",
                f"  %text = call ptr @twinoar_text(ptr @{self.name}_texts, i32 %number)",
                "  ret ptr %text",
            ],
        )
        self._function(f"ptr @{self.name}_description()", [f"  ret ptr @{self.name}_json"])


def described(port: Port) -> dict[str, Any]:
    """Name, shape and dtype."""
    return {"name": port.name, "shape": list(port.shape), "dtype": port.spec.dtype.name}


def _double(x: float) -> str:
    """A number as LLVM reads it exactly."""
    return f"0x{int.from_bytes(np.float64(x).tobytes(), 'little'):016X}"
