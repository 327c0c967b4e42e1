"""`paddle.amp.debugging`: where numbers stop being finite, and which precision operators ran in."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.amp.checker import SHORT, DebugMode, TensorChecker, figures, place
from twinoar.amp.comparison import compare_accuracy
from twinoar.amp.statistics import OperatorStatistics
from twinoar.core.interpreter import current
from twinoar.core.observer import EVERYWHERE, announce, withdraw
from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.eager.tensor import Tensor as EagerTensor
from twinoar.eager.tensor import to_tensor
from twinoar.errors import (
    ArgumentError,
    DTypeError,
    NotFiniteError,
    ProgramError,
    TypeMismatchError,
)


class TensorCheckerConfig:
    """What `enable_tensor_checker` checks.

    debug_mode: CHECK_NAN_INF_AND_ABORT, an error at the first result that is not finite, after a
    line that says so; CHECK_NAN_INF, the line alone; CHECK_ALL_FOR_OVERFLOW, a line where a result
    is beyond float16's range; CHECK_ALL, a line for each result. output_dir: a folder for the
    lines, which are printed else. checked_op_list, skipped_op_list: types or names of operators.
    debug_step: (first, last), of the calls of `enable_tensor_checker`, which check; the last does
    not. stack_height_limit: without effect. Raises ArgumentError, TypeMismatchError.
    """

    current_step_id = 0

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
        for name, given in (
            ("checked_op_list", checked_op_list),
            ("skipped_op_list", skipped_op_list),
        ):
            if given is not None and not isinstance(given, list | tuple | set):
                raise TypeMismatchError(
                    f"{name}: expected a list of operators, received {type(given).__name__}"
                )
        self.start_step = self.end_step = None
        if debug_step is not None:
            if not isinstance(debug_step, list | tuple):
                kind = type(debug_step).__name__
                raise TypeMismatchError(f"debug_step: expected (first, last), received {kind}")
            if len(debug_step) != 2 or debug_step[1] <= debug_step[0]:
                raise ArgumentError(
                    f"debug_step: expected (first, last), first < last, received {debug_step}"
                )
            self.start_step, self.end_step = max(debug_step[0], 0), debug_step[1]
        self.enable, self.debug_mode = enable, debug_mode
        self.output_dir, self.debug_step = output_dir, debug_step
        self.checked_op_list, self.skipped_op_list = checked_op_list, skipped_op_list
        self.stack_height_limit = stack_height_limit

    def update_and_check_step_id(self) -> bool:
        """Whether this call is one that checks; it is counted."""
        if not self.enable:
            return False
        step = TensorCheckerConfig.current_step_id
        if self.start_step is None or self.end_step is None:
            return True
        TensorCheckerConfig.current_step_id += 1
        return self.start_step <= step < self.end_step

    def start_check_nan_inf(self) -> None:
        """Look at results from now on, where this is enabled."""
        if not self.enable:
            return
        folder = None if self.output_dir is None else Path(self.output_dir)
        _announce(
            TensorChecker(self.debug_mode, self.checked_op_list, self.skipped_op_list, folder)
        )

    def stop_check_nan_inf(self) -> None:
        """Look no more."""
        disable_tensor_checker()


def enable_tensor_checker(checker_config: TensorCheckerConfig) -> None:
    """Look at the results of operators from now on. Programs run on NumPy then.

    Raises TypeMismatchError for what is no TensorCheckerConfig.
    """
    if not isinstance(checker_config, TensorCheckerConfig):
        raise TypeMismatchError(
            f"expected a TensorCheckerConfig, received {type(checker_config).__name__}"
        )
    if checker_config.update_and_check_step_id():
        checker_config.start_check_nan_inf()
    else:
        disable_tensor_checker()


def disable_tensor_checker() -> None:
    """Let results be what they are again."""
    _withdraw(TensorChecker)


def check_numerics(
    tensor: Tensor,
    op_type: str,
    var_name: str,
    debug_mode: DebugMode = DebugMode.CHECK_NAN_INF_AND_ABORT,
) -> tuple[EagerTensor, EagerTensor]:
    """How many elements are nan, inf and zero, [3], int64, and max, min and mean, [3], float32.

    op_type, var_name: what messages say of the tensor. debug_mode: when the figures are printed,
    and CHECK_NAN_INF_AND_ABORT raises NotFiniteError where an element is not finite: see
    `TensorCheckerConfig`. Raises DTypeError for what is not of floats.

    >>> counts, values = check_numerics(twinoar.to_tensor([1.0, 0.0, 2.0]), "relu", "x")
    >>> counts.tolist(), values.tolist()
    ([0, 0, 1], [2.0, 0.0, 1.0])
    """
    if tensor.dtype.name not in SHORT:
        raise DTypeError(f"check_numerics takes floats, received {tensor.dtype.name}")
    found = figures(np.asarray(tensor), tensor.dtype.name)
    line = found.line(op_type, var_name, debug_mode)
    if line:
        print(line)
    if not found.is_finite and debug_mode is DebugMode.CHECK_NAN_INF_AND_ABORT:
        raise NotFiniteError(f"{found.counts} in {place(op_type, var_name, found.dtype)}")
    counts = np.array([found.nans, found.infinities, found.zeros])
    values = np.array([found.largest, found.least, found.mean], np.float32)
    return to_tensor(counts), to_tensor(values)


def check_layer_numerics(func: Callable[..., Any]) -> Callable[..., Any]:
    """A `forward` whose first input and outputs are checked: see `check_numerics`.

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
    """Count from now on how many operators run in which precision. Programs run on NumPy then.

    Raises ProgramError where they are counted already.
    """
    if any(isinstance(x, OperatorStatistics) for x in EVERYWHERE):
        raise ProgramError(
            "operators are counted already", cure="call disable_operator_stats_collection() first"
        )
    _announce(OperatorStatistics())


def disable_operator_stats_collection() -> None:
    """Count no more, and print a table of what ran. Without a count nothing happens."""
    for found in _withdraw(OperatorStatistics):
        print(found.table())


@contextmanager
def collect_operator_stats() -> Iterator[None]:
    """Count operators by precision within the block, and print a table at its end.

    >>> x = twinoar.ones([2])
    >>> with collect_operator_stats():
    ...     y = x + 1.0
    <---... op list ...
      elementwise_add ...
    <---... op count: 1 ...
    """
    enable_operator_stats_collection()
    try:
        yield
    finally:
        disable_operator_stats_collection()


def _announce(observer: Any) -> None:
    current().python_effect("an observer of operators")
    _withdraw(type(observer))
    announce(observer)


def _withdraw(kind: type) -> list[Any]:
    """Observers of a kind, which are told no more."""
    found = [x for x in EVERYWHERE if isinstance(x, kind)]
    if found:
        current().python_effect("an observer of operators")
    for observer in found:
        withdraw(observer)
    return found


__all__ = [*declared(globals()), "DebugMode", "compare_accuracy"]
