"""Helpers of Paddle's high-level interface that programs import: bars, tables, counts, lists."""

from __future__ import annotations

import functools
import logging
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager as signature_safe_contextmanager  # noqa: F401  # exported
from typing import Any

import numpy as np

from twinoar.autograd.api import no_grad
from twinoar.core.public import declared
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ShapeError, UnsupportedError
from twinoar.hapi.data import as_list
from twinoar.hapi.summary import COUNTED
from twinoar.jit import to_static

# Options of `inference` that would choose another engine, and the value that means this one.
ENGINE = {"with_trt": False, "precision_mode": "float32", "enable_cinn": False}


class ProgressBar:
    """Tells on one line how far a loop is, with values: the ProgressBar of `hapi.progressbar`.

    num: the steps, None where that is not known. width: of the bar. verbose: 0 nothing, 1 one line
    that is written over, 2 a line for each step. start: count the time from now on. name: of a
    step.

    >>> import io
    >>> out = io.StringIO()
    >>> ProgressBar(2, verbose=2, file=out).update(1, [("loss", 0.5)])
    >>> print(out.getvalue().split(" - ")[:2])
    ['step 1/2', 'loss: 0.5000']
    """

    def __init__(
        self,
        num: int | None = None,
        width: int = 30,
        verbose: int = 1,
        start: bool = True,
        file: Any = None,
        name: str = "step",
    ):
        self._num, self._width, self._verbose, self.name = num, width, verbose, name
        self.file = sys.stdout if file is None else file
        self._start = time.time() if start else 0.0

    def start(self) -> None:
        """Count the time from now on."""
        self._start = time.time()

    def update(
        self, current_num: int, values: Mapping[str, Any] | Sequence[tuple[str, Any]] = ()
    ) -> None:
        """Tell that `current_num` steps are done, and the values by name."""
        if not self._verbose:
            return
        pairs = values.items() if isinstance(values, Mapping) else values
        told = [self._steps(current_num), *(f"{k}: {_shown(v)}" for k, v in pairs)]
        told.append(f"{self._time_of_a_step(current_num)}/{self.name}")
        line = " - ".join(told)
        ends = self._verbose == 2 or current_num == self._num
        self.file.write(("\r" if self._verbose == 1 else "") + line + ("\n" if ends else ""))
        self.file.flush()

    def _steps(self, done: int) -> str:
        if self._num is None:
            return f"{self.name} {done}"
        told = f"{self.name} {done:>{len(str(self._num))}}/{self._num}"
        if self._verbose != 1:
            return told
        filled = min(done, self._num) * self._width // max(self._num, 1)
        return f"{told} [{'=' * filled}{'.' * (self._width - filled)}]"

    def _time_of_a_step(self, done: int) -> str:
        seconds = (time.time() - self._start) / max(done, 1)
        for unit, size in (("s", 1.0), ("ms", 1e-3)):
            if seconds >= size:
                return f"{seconds / size:.0f}{unit}"
        return f"{seconds / 1e-6:.0f}us"


def _shown(value: Any) -> str:
    numbers = np.asarray(value).reshape(-1).tolist()
    return " ".join(f"{n:.4f}" if isinstance(n, float) else str(n) for n in numbers)


class Table:
    """Rows of texts under heads, printed with lines around them."""

    def __init__(self, table_heads: Sequence[str]):
        self.table_heads, self.table_data = list(table_heads), [list(map(str, table_heads))]

    def add_row(self, row: Sequence[Any]) -> None:
        """Add a row. Raises ShapeError where it has more or fewer columns than heads."""
        if len(row) != len(self.table_heads):
            raise ShapeError(f"expected {len(self.table_heads)} columns, received {len(row)}")
        self.table_data.append([str(x) for x in row])

    def print_table(self) -> None:
        """Print heads and rows."""
        widths = [max(map(len, column)) for column in zip(*self.table_data, strict=True)]
        line = "+".join(["", *("-" * (w + 2) for w in widths), ""])
        rows = [
            "|".join(["", *(f" {x.ljust(w)} " for x, w in zip(row, widths, strict=True)), ""])
            for row in self.table_data
        ]
        print("\n".join([line, rows[0], line, *rows[1:], line]))


def to_list(value: Any) -> list[Any] | None:
    """`value` as a list; None stays None.

    >>> to_list((1, 2)), to_list(3)
    ([1, 2], [3])
    """
    return None if value is None else as_list(value)


def _all_gather(x: Any, *args: Any, **kwargs: Any) -> Any:
    """What all processes have: that of the only one."""
    return x


def _adding(rule: Callable[..., int]) -> Callable[[Any, Any, Any], None]:
    def count(m: Any, x: Any, y: Any) -> None:
        """Add the operations of a layer, with inputs x and result y, to `m.total_ops`."""
        m.total_ops += int(rule(m, x[0], y))

    return count


register_hooks = {kind: _adding(rule) for kind, rule in COUNTED.items()}


def count_parameters(m: Any, x: Any, y: Any) -> None:
    """Note the number of a layer's parameters in `m.total_params`."""
    m.total_params[0] = sum(p.size for p in m.parameters())


def count_io_info(m: Any, x: Any, y: Any) -> None:
    """Note the shapes of a layer's first input and result as buffers."""
    out = y[0] if isinstance(y, (list, tuple)) else y
    m.register_buffer("input_shape", to_tensor(x[0].shape))
    m.register_buffer("output_shape", to_tensor(out.shape))


def inference(function: Any = None, **options: Any) -> Any:
    """`function` or a layer, compiled, and without gradients.

    options: what Paddle's inference engines can be told; raises UnsupportedError for another
    engine or precision.

    >>> inference(lambda x: x * 2)(twinoar.ones([1])).tolist()
    [2.0]
    """
    wrong = {k: v for k, v in options.items() if k in ENGINE and v != ENGINE[k]}
    if wrong:
        raise UnsupportedError(f"there is one engine, received {wrong}", cure="leave it out")
    if function is None:
        return functools.partial(inference, **options)
    compiled = to_static(function)
    if compiled is function:  # a layer
        compiled.forward = no_grad()(compiled.forward)
        return compiled
    return functools.wraps(function)(no_grad()(compiled))


inference_decorator = inference


def is_inference_mode(function: Any) -> bool:
    """False: what `inference` returns is an ordinary function."""
    return False


def get_logger(name: str, level: int, fmt: str | None = None) -> logging.Logger:
    """A logger that writes lines of the form `fmt` to the standard error."""
    logger = logging.getLogger(name)
    logger.setLevel(level)
    logger.propagate = False
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter(fmt))
        logger.addHandler(handler)
    return logger


setup_logger = get_logger


def wrap_decorator(decorator: Callable[..., Any]) -> Callable[..., Any]:
    """`decorator`, whose results keep the name and signature of what they decorate."""

    @functools.wraps(decorator)
    def wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
        return functools.wraps(function)(decorator(function))

    return wrapped


__all__ = declared(
    globals(),
    "register_hooks",
    "signature_safe_contextmanager",
    but=("inference_decorator", "setup_logger"),
)
