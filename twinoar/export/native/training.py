"""Writing a training as a library: a whole step, which runs where neither Python nor twinoar is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from twinoar.backends.numpy import NumpyExecutable
from twinoar.core.ir.program import Program, copy_program
from twinoar.errors import ArgumentError, TwinoarError
from twinoar.export.native.c_file import refuse_halves
from twinoar.export.native.code import object_code
from twinoar.export.native.interface import Sample
from twinoar.export.native.model import Shapes, compiled_for
from twinoar.export.native.portable import COMMON, exact_alone
from twinoar.export.native.state import block_of
from twinoar.export.native.steps import Training, training_of
from twinoar.export.native.targets import Kind
from twinoar.export.native.trained import LOOKED_AT, Entry, TrainedInterface
from twinoar.export.native.writing import (
    MOST_SAMPLES,
    Weights,
    files_of,
    library_for,
    name_of,
    refuse_ports,
    write_files,
)
from twinoar.export.samples import Samples
from twinoar.formats.atomic import path_text
from twinoar.jit.compare import SMALLEST
from twinoar.jit.kept import array_of
from twinoar.passes.pipeline import lower
from twinoar.tracebacks import showing_users_frames

NUDGE = 1e-6  # of inputs: about what sums in another order change
MARGIN = 8.0  # how many times what a nudge changes a result may differ by


@showing_users_frames
def export_training(
    step: Any,
    folder: str,
    *,
    target: str,
    kind: Kind = "shared",
    name: str | None = None,
    input_spec: Sequence | None = None,
    shapes: Shapes | None = None,
    fetch: Sequence[str] | None = None,
    predict: Any = None,
    predict_spec: Sequence | None = None,
    predict_shapes: Shapes | None = None,
    weights: Weights = "inside",
    portable_bits: bool = False,
) -> list[str]:
    """Write a training step as machine code that needs neither Python nor another library.

    step: a function under `to_static` that does a whole step (forward, `backward`,
    `optimizer.step`, `clear_grad`), a static Program that `minimize` has extended, or the prefix of
    one that `static.save` wrote. fetch: the names of what a step of a Program returns, as
    `[loss.name]`. predict: a Layer, function, static Program or prefix of a saved model that
    computes with the parameters that the step trains; it becomes NAME_run. predict_spec,
    predict_shapes: what input_spec and shapes are for it; of a Program or saved model the shapes
    are those of the step without. The others are as those of `export`. Parameters, what the
    optimizer remembers, learning rates and the random state are in a block that the caller keeps;
    a learning rate is a number in it.

    Returns the paths of the files. Raises UnsupportedError for an operator that only Python runs,
    with its line, and for a step that adds to gradients of the one before; ArgumentError for a step
    that changes nothing, and for a size that is not known; and FileError; then nothing is written.

    >>> import tempfile
    >>> import twinoar as paddle
    >>> from twinoar.export.native import export_training
    >>> net = paddle.nn.Linear(4, 2)
    >>> opt = paddle.optimizer.Momentum(0.1, parameters=net.parameters())
    >>> @paddle.jit.to_static(input_spec=[paddle.static.InputSpec([8, 4], "float32", "x")])
    ... def step(x):
    ...     loss = net(x).square().mean()
    ...     loss.backward()
    ...     opt.step()
    ...     opt.clear_grad()
    ...     return loss
    >>> folder = tempfile.mkdtemp()
    >>> files = export_training(step, folder, target="aarch64", name="net")
    >>> [file.removeprefix(folder) for file in files]
    ['/libnet.so', '/net.h']
    """
    machine = library_for(target, kind, weights)
    if kind == "executable":
        raise ArgumentError("a training is no program", cure="give kind='shared', and call it")
    folder = path_text(folder)
    name = name_of(name, step)
    training = training_of(step, input_spec, shapes, fetch, predict, predict_spec, predict_shapes)
    for program in filter(None, (training.step, training.predict)):
        refuse_ports(program, training.states)
        if machine.is_source:
            refuse_halves(program)
    block = block_of(name, training.states)
    planning = (COMMON, exact_alone) if portable_bits else (machine.target, str)
    entries = _entries(training, planning)
    inside = weights == "inside"
    made = TrainedInterface(entries, block, training.rates, name, machine, inside).written()
    code = object_code(made, machine, portable=portable_bits)
    return write_files(files_of(made, code, machine, kind), made, folder, weights)


def _entries(training: Training, planning: tuple[Any, Any]) -> list[Entry]:
    """The step, and what predicts, with samples."""
    known = training.states
    held = dict(known)
    first, following, allowed, allowed_states = _sampled(training.step, known, held)
    entries = [
        Entry(
            "step", _compiled(training.step, planning, known, trains=True), first,
            {n: following[n] for n in training.states if n in following}, allowed, allowed_states,
        )
    ]  # fmt: skip
    if training.predict is not None:
        sample, _, allowed, _ = _sampled(training.predict, known, {**held, **following})
        model = _compiled(training.predict, planning, known, trains=False)
        entries.append(Entry("run", model, sample, {}, allowed, {}))
    return entries


def _compiled(program: Program, planning: tuple[Any, Any], known: Any, *, trains: bool) -> Any:
    """The Program compiled, whose ports are those that lie outside of the block."""
    model = compiled_for(program, *planning, trains=trains)
    return replace(model, inputs=tuple(p for p in model.inputs if p.name not in known))


def _sampled(
    program: Program, known: Mapping[str, np.ndarray], held: Mapping[str, np.ndarray]
) -> tuple[Sample, dict[str, np.ndarray], list[float], dict[str, float]]:
    """Inputs that the Program takes; what NumPy computes of them, and how firm that is.

    Results and states are compared as firmly as they follow from inputs: what a nudge of these
    changes may differ, too. An update rule that divides by a gradient may turn rounding into more.
    """
    lowered = lower(copy_program(program)[0])
    executable = NumpyExecutable(lowered)
    own = [held[n] if n in held else array_of(lowered.states[n]) for n in executable.state_names]
    names = [v.name for v in program.main.inputs]
    refused: TwinoarError | None = None

    def run(inputs: Sequence[np.ndarray]) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
        with np.errstate(all="ignore"):
            outputs, following = executable.execute(list(inputs), own)
        changed = dict(zip(executable.updated_names, map(np.asarray, following), strict=True))
        return [np.asarray(x) for x in outputs], changed

    for _, drawn in zip(range(MOST_SAMPLES), Samples(program).first(), strict=False):
        inputs = [held.get(n, x) if n in known else x for n, x in zip(names, drawn, strict=True)]
        try:
            outputs, following = run(inputs)
        except TwinoarError as error:
            refused = error
            continue
        nudged, moved = run([x if n in known else _nudged(x) for n, x in zip(names, inputs)])  # noqa: B905
        given = [x for n, x in zip(names, inputs, strict=True) if n not in known]
        allowed = [_apart(a, b) for a, b in zip(nudged, outputs, strict=True)]
        allowed_states = {n: _apart(moved[n], x) for n, x in following.items()}
        return Sample(given, outputs), following, allowed, allowed_states
    assert refused is not None
    raise refused


def _nudged(array: np.ndarray) -> np.ndarray:
    """Nearly the same numbers; those that count stay."""
    if array.dtype.kind != "f":
        return array
    draw = np.random.default_rng(0).uniform(1 - NUDGE, 1 + NUDGE, array.shape)
    return (array * draw).astype(array.dtype)


def _apart(found: np.ndarray, wanted: np.ndarray) -> float:
    """How far apart two are, of the largest value of what is compared, with a margin."""
    if wanted.dtype.kind not in "fc" or not wanted.size:
        return 0.0
    a, b = (np.asarray(x, np.complex128).reshape(-1) for x in (found, wanted))
    gap, size = np.abs(a - b), np.abs(b[:LOOKED_AT])  # no more of a state is looked at
    gap, size = gap[np.isfinite(gap)], size[np.isfinite(size)]
    return MARGIN * float(gap.max(initial=0)) / (float(size.max(initial=0)) + SMALLEST)
