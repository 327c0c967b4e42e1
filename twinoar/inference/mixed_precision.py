"""A saved model that computes in a lower precision, as a saved model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.amp.choice import LOW, Autocast
from twinoar.core.dtype import DType, bfloat16, float16, float32
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder, replay
from twinoar.core.ir.program import Block, Program, Variable
from twinoar.core.op.definition import Op
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.formats.atomic import AtomicFiles
from twinoar.formats.paddle import tensors
from twinoar.formats.paddle.pir.write import write_pir
from twinoar.formats.paddle.program_write import write_inference_program
from twinoar.inference.config import Config
from twinoar.inference.reading import read_model
from twinoar.inference.types import PlaceType, PrecisionType
from twinoar.late import dataclass
from twinoar.ops.math.cast import cast
from twinoar.passes.manager import run

DTYPES = {PrecisionType.Half: float16, PrecisionType.Bfloat16: bfloat16}
FOLDED = ("remove_dropout", "fold_conv_bn", "fold_linear_bn", "fold_weights")  # in float32


def convert_to_mixed_precision(
    model_file: str,
    params_file: str,
    mixed_model_file: str,
    mixed_params_file: str,
    mixed_precision: PrecisionType,
    backend: PlaceType,
    keep_io_types: bool = True,
    black_list: Iterable[str] = frozenset(),
    **kwargs: Any,
) -> None:
    """Write a saved model anew, so that it computes in float16 or bfloat16 where that is enough.

    model_file, params_file: of the model; params_file may be "". mixed_model_file,
    mixed_params_file: what is written, both or none of them; a `.json` is written as Paddle 3 does.
    mixed_precision: `PrecisionType.Half` or `.Bfloat16`. backend: where it is to run; the file is
    the same for all. keep_io_types: inputs and outputs stay float32. black_list: operators that
    compute in float32 besides those that lose too much, which `amp.auto_cast` knows.
    kwargs: `white_list`, operators that compute in the lower precision whatever they lose. Blocks
    of branches and loops stay float32. Raises ArgumentError for another precision, lists that share
    a name or another argument, FileError for a model that is missing, damaged, or cannot be
    written.
    """
    if set(kwargs) - {"white_list"}:
        raise ArgumentError(f"unknown arguments {sorted(set(kwargs) - {'white_list'})}")
    if not isinstance(backend, PlaceType):
        raise TypeMismatchError(f"expected a PlaceType, received {type(backend).__name__}")
    if mixed_precision not in DTYPES:
        raise ArgumentError(
            f"a model is converted to Half or Bfloat16, received {mixed_precision!r}",
            cure="quantize the network for integers, see paddle.quantization",
        )
    black, white = frozenset(black_list), frozenset(kwargs.get("white_list", ()))
    if shared := black & white:
        raise ArgumentError(f"black_list and white_list share {sorted(shared)}")
    program = run(read_model(Config(model_file, params_file)), FOLDED)
    chosen = _Mixed("O1", DTYPES[mixed_precision], white, black)
    made = run(lowered(program, chosen, keep_io_types), ["fold_weights", "eliminate_dead"])
    data, states = write_inference_program(made)
    with AtomicFiles() as files:
        is_pir = Path(mixed_model_file).suffix == ".json"
        files.write(mixed_model_file, write_pir(data) if is_pir else data)
        if states:
            values = {s.name: np.asarray(s.data) for s in states}
            beside = mixed_params_file or str(Path(mixed_model_file).with_suffix(".pdiparams"))
            files.write(beside, tensors.dump(values))


@dataclass(frozen=True)
class _Mixed(Autocast):
    """As level O1 chooses, but what loses nothing is low; blocks get what they were made for."""

    def kind_of(self, op: Op) -> str:
        """What is made of an operator."""
        kind = super().kind_of(op)
        return "low" if kind == "promote" else kind

    def cast(self, op: Op, operands: tuple[Any, ...]) -> tuple[Any, ...]:
        """The operands of `op` in its precision."""
        if not op.takes_blocks:
            return super().cast(op, operands)
        return tuple(_as(x, float32) if _is_low(x) else x for x in operands)


def lowered(program: Program, chosen: Autocast, keeps_types: bool) -> Program:
    """The Program with casts where an autocast wants them, in place. Returns the program.

    keeps_types: inputs and outputs have the dtypes that they had.
    """
    main, before = program.main, Block(program=program)
    before.inputs, before.ops, before.outputs = main.inputs, main.ops, main.outputs
    main.ops = []
    for v in (*main.inputs, *program.states.values()):
        v.rebound = None  # handles stand for what they are again
    if not keeps_types:
        main.inputs = [_input(v, chosen.dtype) for v in main.inputs]
    kinds = [v.spec.dtype for v in before.outputs]
    with using(Builder(program, policy=replace(UNRECORDED, autocast=chosen))):
        found = replay(before, tuple(main.inputs))
    with using(Builder(program, policy=UNRECORDED)):
        if keeps_types:
            found = tuple(_as(x, kind) for x, kind in zip(found, kinds, strict=True))
    main.outputs = list(found)
    return program


def _input(v: Variable, dtype: DType) -> Variable:
    """An input of the same name in a lower precision, where it is float32."""
    if v.spec.dtype is not float32:
        return v
    return type(v)(v.name, Spec(v.spec.shape, dtype), home=v.home, stop_gradient=v.stop_gradient)


def _is_low(x: Any) -> bool:
    return isinstance(x, Value) and x.dtype in LOW


def _as(x: Any, dtype: DType) -> Any:
    return x if x.dtype is dtype else cast(x, dtype)
