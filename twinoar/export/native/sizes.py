"""One library for several sizes of inputs: a function for each, and weights that they share."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from twinoar.errors import ArgumentError
from twinoar.export.native import support
from twinoar.export.native.c_file import refuse_halves
from twinoar.export.native.code import object_code
from twinoar.export.native.data import ALIGNMENT, Data
from twinoar.export.native.interface import (
    CODES,
    FUNCTIONS,
    NO_ARRAY,
    Interface,
    Sample,
    Written,
    described,
)
from twinoar.export.native.model import Model, Shapes, compiled_for, program_of
from twinoar.export.native.portable import COMMON, exact_alone
from twinoar.export.native.routine import Routine, Unit
from twinoar.export.native.targets import Kind, Machine
from twinoar.export.native.text import Lines
from twinoar.export.native.writing import (
    Weights,
    files_of,
    library_for,
    name_of,
    refuse_ports,
    sample_of,
    write_files,
)
from twinoar.formats.atomic import path_text
from twinoar.tracebacks import showing_users_frames


@showing_users_frames
def export_sizes(
    model: Any,
    folder: str,
    *,
    target: str,
    shapes: Sequence[Shapes],
    kind: Kind = "shared",
    name: str | None = None,
    input_spec: Sequence | None = None,
    weights: Weights = "inside",
    portable_bits: bool = False,
) -> list[str]:
    """Write a model as machine code for several sizes of its inputs.

    shapes: for each size the numbers that the model leaves open, by input. The first is what
    NAME_run runs, further ones are NAME_run_1, NAME_run_2 and on; in pages `run` goes by the
    lengths of arrays. Weights, and code that serves several, are there once. The other arguments
    are those of `export`.

    Returns the paths of the files. Raises ArgumentError for sizes that are the same, and the errors
    of `export`; then nothing is written.

    >>> import tempfile
    >>> import numpy as np
    >>> import twinoar as paddle
    >>> from twinoar.export.native import export_sizes
    >>> from twinoar.export.native.loaded import LoadedSizes
    >>> net = paddle.nn.Linear(4, 2)
    >>> spec = [paddle.static.InputSpec([None, 4], "float32", "x")]
    >>> sizes = [{"x": [1, 4]}, {"x": [8, 4]}]
    >>> folder = tempfile.mkdtemp()
    >>> library, _ = export_sizes(
    ...     net, folder, target="host", name="net", input_spec=spec, shapes=sizes
    ... )
    >>> model = LoadedSizes(library)
    >>> [model.run(np.ones([n, 4], np.float32))[0].shape for n in (1, 8)]
    [(1, 2), (8, 2)]
    """
    machine = library_for(target, kind, weights)
    if not shapes:
        raise ArgumentError("there are no sizes", cure="give shapes=[{'x': [1, 4]}, {'x': [8, 4]}]")
    folder = path_text(folder)
    name = name_of(name, model)
    planning = (COMMON, exact_alone) if portable_bits else (machine.target, str)
    made: list[tuple[Model, Sample]] = []
    for given in shapes:
        program = program_of(model, input_spec, given)
        refuse_ports(program)
        if machine.is_source:
            refuse_halves(program)
        made.append((compiled_for(program, *planning), sample_of(program)))
    _refuse_same([model for model, _ in made])
    inside = weights == "inside"
    written = SizedInterface(made, name, machine, inside).written()
    code = object_code(written, machine, portable=portable_bits)
    return write_files(files_of(written, code, machine, kind), written, folder, weights)


def _refuse_same(models: Sequence[Model]) -> None:
    """Raise where two sizes take the same arrays: nobody could tell which is meant."""
    seen: list[list[tuple[int, ...]]] = []
    for model in models:
        taken = [port.shape for port in model.inputs]
        if taken in seen:
            raise ArgumentError(
                f"two of the sizes take inputs of {', '.join(str(list(s)) for s in taken)}",
                cure="give each once",
            )
        seen.append(taken)


class _Size(Interface):
    """The commands for one size as a function."""

    def __init__(self, model: Model, sample: Sample, end: str, owner: SizedInterface):
        self.model, self.sample, self.inside = model, sample, owner.inside
        self.name, self.end = f"{owner.name}_{end}", end
        self.size, self.word_bytes = owner.size, owner.word_bytes
        self.data, self.unit, self.texts = owner.data, owner.unit, owner.texts
        self.routine = Routine(model.commands, self.unit, model.data)
        self._main()

    def public(self, workspace: int) -> None:
        """The function that others call."""
        lines = Lines()
        self._refusals(workspace, lines)
        for table, ports in (("%inputs", self.model.inputs), ("%outputs", self.model.outputs)):
            self._refuse_null(table, NO_ARRAY, lines)
            for n in range(len(ports)):
                self._refuse_null(self._slot(table, n, lines), NO_ARRAY, lines)
        status = lines.line(f"call i32 @{self.name}_main({self._given('%inputs', '%outputs')})")
        parameters = f"ptr %model, ptr %inputs, ptr %outputs, ptr %workspace, {self.size} %bytes"
        self.texts.append(lines.function(f"i32 @{self.name}({parameters}) nounwind", status))

    def _given(self, inputs: str, outputs: str) -> str:
        return f"ptr %model, ptr %workspace, ptr {inputs}, ptr {outputs}"

    def verified(self, at: int, lines: Lines) -> tuple[int, set[str | None]]:
        """Run the sample in the workspace from `at` on, and compare; its end, and what compares."""
        places = []
        for array in self.sample.outputs:
            places.append(at)
            at += array.nbytes + -array.nbytes % ALIGNMENT
        inputs, outputs = (
            lines.room(max(1, len(x))) for x in (self.sample.inputs, self.sample.outputs)
        )
        for n, array in enumerate(self.sample.inputs):
            source = lines.at("%model", self.data.add(array))
            lines.do(f"store ptr {source}, ptr {lines.at(inputs, n * self.word_bytes)}")
        for n, place in enumerate(places):
            target = lines.at("%workspace", place)
            lines.do(f"store ptr {target}, ptr {lines.at(outputs, n * self.word_bytes)}")
        called = f"call i32 @{self.name}_main({self._given(inputs, outputs)})"
        lines.leave_if_failed(lines.line(called))
        rows = zip(self.sample.outputs, places, self.model.outputs, strict=True)
        kinds = {self._compared(a, port, lines.at("%workspace", p), lines) for a, p, port in rows}
        return at, kinds


class SizedInterface(Interface):
    """All functions of a model for several sizes."""

    def __init__(
        self, made: Sequence[tuple[Model, Sample]], name: str, machine: Machine, inside: bool
    ):
        self.name, self.inside = name, inside
        self.size = f"i{machine.word_bits}"
        self.word_bytes = machine.word_bits // 8
        self.data = Data()
        self.unit = Unit(self.data, len(CODES))
        self.texts: list[str] = []
        self.sizes, self.workspace = [], ALIGNMENT
        for n, (model, sample) in enumerate(made):
            self.unit.workspace = 0  # one runs at a time
            self.sizes.append(_Size(model, sample, f"run_{n}" if n else "run", self))
            self.workspace = max(self.workspace, self.unit.workspace)

    def written(self) -> Written:
        """All functions, after all that they ask for has its place."""
        for size in self.sizes:
            size.public(self.workspace)
        verify = self._verify(self.workspace)
        told = self._description(self.workspace, verify)
        for what, number in (("workspace_bytes", self.workspace), ("verify_bytes", verify)):
            self._function(f"{self.size} @{self.name}_{what}()", [f"ret {self.size} {number}"])
        errors = (*(t.replace("NAME", self.name) for t in CODES), *self.unit.failures)
        self._messages(errors, json.dumps(told))
        content, digest = self.data.content()
        self._open(len(content), digest)
        texts = {k: t for size in self.sizes for k, t in size.model.texts.items()}
        kernels = {symbol: (k.name, texts[k]) for k, symbol in self.unit.symbols.items()}
        ends = (*FUNCTIONS, *(size.end for size in self.sizes[1:]))
        return Written(
            self.name, "\n".join([*self.unit.texts, *self.texts]), kernels, content,
            self.symbol if self.inside else None, told, errors, ends,
        )  # fmt: skip

    def _verify(self, workspace: int) -> int:
        """NAME_verify: each size on what it brings."""
        checked, outer = Lines(), Lines()
        end, kinds = workspace, set[str | None]()
        for size in self.sizes:
            at, found = size.verified(workspace, checked)
            end, kinds = max(end, at), kinds | found
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

    def _description(self, workspace: int, verify: int) -> dict[str, Any]:
        """What a model of the first size alone tells, and all sizes."""
        sizes: Mapping[str, Any] = {
            size.end: {
                "inputs": [described(port) for port in size.model.inputs],
                "outputs": [described(port) for port in size.model.outputs],
            }
            for size in self.sizes
        }
        return {
            "name": self.name,
            **sizes["run"],
            "sizes": sizes,
            "workspace_bytes": workspace,
            "verify_bytes": verify,
            "alignment": ALIGNMENT,
            "weights_inside": self.inside,
        }
