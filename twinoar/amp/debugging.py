"""`paddle.amp.debugging`: where numbers stop being finite."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import Any

import numpy as np

from twinoar import config
from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.eager.tensor import Tensor as EagerTensor
from twinoar.eager.tensor import to_tensor
from twinoar.errors import (
    ArgumentError,
    DTypeError,
    NotFiniteError,
    TypeMismatchError,
    UnsupportedError,
)

SHORT = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64"}
STATISTICS = "profiler.Profiler lists the operators that run"


class DebugMode(Enum):
    """What happens where a number is not finite."""

    CHECK_NAN_INF_AND_ABORT = 0
    CHECK_NAN_INF = 1
    CHECK_ALL_FOR_OVERFLOW = 2
    CHECK_ALL = 3


class TensorCheckerConfig:
    """What `enable_tensor_checker` checks: all results of all operators.

    debug_mode: CHECK_NAN_INF_AND_ABORT, an error at the first that is not finite. Other modes, an
    output_dir, lists of operators and debug_step raise UnsupportedError.
    """

    def __init__(
        self,
        enable: bool,
        debug_mode: DebugMode = DebugMode.CHECK_NAN_INF_AND_ABORT,
        output_dir: str | None = None,
        checked_op_list: Sequence[str] | None = None,
        skipped_op_list: Sequence[str] | None = None,
        debug_step: Sequence[int] | None = None,
        stack_height_limit: int = 1,
    ):
        if not isinstance(debug_mode, DebugMode):
            raise ArgumentError(f"debug_mode: expected a DebugMode, received {debug_mode!r}")
        given = {
            "debug_mode": None if debug_mode is DebugMode.CHECK_NAN_INF_AND_ABORT else debug_mode,
            "output_dir": output_dir,
            "checked_op_list": checked_op_list,
            "skipped_op_list": skipped_op_list,
            "debug_step": debug_step,
        }
        for name, value in given.items():
            if enable and value is not None:
                raise UnsupportedError(
                    f"the checker stops at the first tensor that is not finite: {name}={value!r}",
                    cure=f"leave out {name}",
                )
        self.enable, self.debug_mode = enable, debug_mode


def enable_tensor_checker(checker_config: TensorCheckerConfig) -> None:
    """Make a result that is not finite an error from now on: FLAGS_check_nan_inf."""
    if not isinstance(checker_config, TensorCheckerConfig):
        raise TypeMismatchError(
            f"expected a TensorCheckerConfig, received {type(checker_config).__name__}"
        )
    if checker_config.enable:
        config.finite = True


def disable_tensor_checker() -> None:
    """Let results be what they are again."""
    config.finite = False


def check_numerics(
    tensor: Tensor,
    op_type: str,
    var_name: str,
    debug_mode: DebugMode = DebugMode.CHECK_NAN_INF_AND_ABORT,
) -> tuple[EagerTensor, EagerTensor]:
    """How many elements are nan, inf and zero, [3], int64, and max, min and mean, [3], float32.

    op_type, var_name: what messages say of the tensor. Where an element is not finite, the figures
    are printed, and CHECK_NAN_INF_AND_ABORT raises NotFiniteError; CHECK_ALL prints them always.
    Raises DTypeError for what is not of floats.

    >>> import twinoar
    >>> counts, values = check_numerics(twinoar.to_tensor([1.0, 0.0, 2.0]), "relu", "x")
    >>> counts.tolist(), values.tolist()
    ([0, 0, 1], [2.0, 0.0, 1.0])
    """
    if tensor.dtype.name not in SHORT:
        raise DTypeError(f"check_numerics takes floats, received {tensor.dtype.name}")
    array = np.asarray(tensor).astype(np.float64 if tensor.dtype.name == "float64" else np.float32)
    counts = [int(np.isnan(array).sum()), int(np.isinf(array).sum()), int((array == 0).sum())]
    numbers = array[~np.isnan(array)]
    largest, least = (numbers.max(), numbers.min()) if numbers.size else (np.nan, np.nan)
    values = [largest, least, array.mean(dtype=array.dtype) if array.size else np.nan]
    is_finite = not counts[0] and not counts[1]
    figures = ", ".join(
        f"num_{name}={count}" for name, count in zip(("nan", "inf", "zero"), counts, strict=True)
    )
    where = f"[device=cpu, op={op_type}, tensor={var_name}, dtype={SHORT[tensor.dtype.name]}]"
    if not is_finite or debug_mode is DebugMode.CHECK_ALL:
        kind = "" if is_finite else "[ERROR] "
        print(
            f"[PRECISION] {kind}in {where}, numel={array.size}, {figures}, max={values[0]:e}, "
            f"min={values[1]:e}, mean={values[2]:e}"
        )
    if not is_finite and debug_mode is DebugMode.CHECK_NAN_INF_AND_ABORT:
        raise NotFiniteError(f"{figures} in {where}")
    return to_tensor(np.array(counts)), to_tensor(np.array(values, np.float32))


def check_layer_numerics(func: Callable[..., Any]) -> Callable[..., Any]:
    """A `forward` whose first input and outputs are checked: see `check_numerics`.

    >>> import twinoar
    >>> class Twice(twinoar.nn.Layer):
    ...     @check_layer_numerics
    ...     def forward(self, x):
    ...         return x * 2
    >>> Twice()(twinoar.ones([2])).tolist()
    [2.0, 2.0]
    """

    @functools.wraps(func)
    def checked(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not args or not isinstance(args[0], Tensor):
            raise TypeMismatchError(
                "check_layer_numerics: the first argument of forward has to be a Tensor"
            )
        name = type(self).__name__
        check_numerics(args[0], name, "input")
        outputs = func(self, *args, **kwargs)
        found = outputs if isinstance(outputs, list | tuple) else [outputs]
        for number, output in enumerate(found):
            if isinstance(output, Tensor):
                check_numerics(output, name, f"output{number}")
        return outputs

    return checked


def enable_operator_stats_collection() -> None:
    """Count operators by precision: raises UnsupportedError."""
    raise _no_statistics("enable_operator_stats_collection")


def disable_operator_stats_collection() -> None:
    """Stop counting operators by precision, which raises UnsupportedError from the start."""
    raise _no_statistics("disable_operator_stats_collection")


@contextmanager
def collect_operator_stats() -> Iterator[None]:
    """Count operators by precision within the block: raises UnsupportedError."""
    raise _no_statistics("collect_operator_stats")
    yield  # it is a context manager all the same


def compare_accuracy(
    dump_path: str,
    another_dump_path: str,
    output_filename: str,
    loss_scale: float = 1,
    dump_all_tensors: bool = False,
) -> None:
    """Compare what two runs have written of their tensors: raises UnsupportedError."""
    raise UnsupportedError(
        "runs write nothing of their tensors that could be compared",
        cure="compare results by numpy.testing.assert_allclose",
    )


def _no_statistics(name: str) -> UnsupportedError:
    return UnsupportedError(
        f"{name}: mixed precision is not served yet, all operators are of the dtype of their "
        "operands",
        cure=STATISTICS,
    )


__all__ = declared(globals())
