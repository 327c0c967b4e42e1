"""New tensors by 1.x names: constants, ranges, random numbers, parameters."""

# ruff: noqa: F401  # the calls in the table use what is imported

from __future__ import annotations

import builtins
from typing import Any

import twinoar as paddle
from twinoar import static
from twinoar.core.interpreter import current
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import ProgramError
from twinoar.fluid.layers.adapter import define
from twinoar.ops.math.fill import fill
from twinoar.ops.random.uniform import gaussian


def sized_like(shape: Any, input: Any, input_dim_idx: int, output_dim_idx: int) -> list[Any]:
    """`shape` with the size of one dimension of `input` in one place of it."""
    sizes = list(shape)
    sizes[output_dim_idx] = input.spec.shape[input_dim_idx]
    return sizes


def stepping(start: Any, end: Any, step: Any, dtype: Any) -> Any:
    """Numbers from `start` on, less than `end`; tensors of shape [1] count as numbers."""
    limits: list[Any] = [
        paddle.reshape(v, []) if isinstance(v, Value) else v for v in (start, end, step)
    ]
    first, last, between = limits
    return paddle.arange(first, last, between, dtype)


def identity(num_rows: int, num_columns: int | None, batch_shape: Any, dtype: Any) -> Any:
    """Ones on the diagonal of a matrix; repeated over batch_shape."""
    matrix = paddle.eye(num_rows, num_columns, dtype)
    return matrix if batch_shape is None else paddle.expand(matrix, [*batch_shape, *matrix.shape])


def made(dtype: Any, name: str | None, persistable: bool) -> Any:
    """A tensor that has no value yet, to be one that others are assigned to."""
    if current().runs:
        return paddle.empty([0], dtype)
    block = static.default_main_program().global_block()
    return block.create_var(name=name, dtype=dtype, shape=[1], persistable=persistable)


def counted_step(counter_name: str | None, begin: int, step: int) -> Any:
    """Counts runs of the Program, [1], int64: begin - 1 before the first, `step` more in each."""
    if current().runs:
        raise ProgramError(
            "the steps of a Program are counted, and none is being built",
            cure="count in Python, or use a schedule of optimizer.lr",
        )
    counter = current().create_state(
        Spec((1,), paddle.int64),
        lambda spec: fill(spec.shape, begin - 1, spec.dtype),
        counter_name or "@STEP_COUNTER@",
    )
    known = counter.latest()
    if known is counter:
        paddle.increment(counter, step)
    return counter


def drawn(x: Any, low: float, high: float, seed: int, dtype: Any) -> Any:
    """The number of a column for each row, with the probabilities of the row, [N], int64.

    It is the first at which their running sum exceeds a number drawn from [low, high).
    """
    number = paddle.uniform([x.spec.shape[0], 1], dtype, low, high, seed)
    before = paddle.cast(paddle.cumsum(x, 1) <= paddle.cast(number, x.dtype), "int64")
    return paddle.clip(paddle.sum(before, 1), max=x.spec.shape[1] - 1)


__all__ = define(
    globals(),
    """
arange(start, end, step=1, dtype=None, name=None) -> paddle.arange(start, end, step, dtype)
assign(input, output=None) -> paddle.assign(input)
autoincreased_step_counter(counter_name=None, begin=1, step=1)
    -> counted_step(counter_name, begin, step)  # a Python counter, or an LRScheduler
cast(x, dtype) -> paddle.cast(x, dtype)
create_global_var(shape, value, dtype, persistable=False, force_cpu=False, name=None)
    -> static.create_global_var(shape, value, dtype, persistable, force_cpu, name)
create_parameter(shape, dtype, name=None, attr=None, is_bias=False, default_initializer=None)
    -> paddle.create_parameter(shape, dtype, name, attr, is_bias, default_initializer)
create_tensor(dtype, name=None, persistable=False)
    -> made(dtype, name, persistable)  # paddle.assign returns a new tensor
diag(diagonal) -> paddle.diag(diagonal)
eye(num_rows, num_columns=None, batch_shape=None, dtype='float32')
    -> identity(num_rows, num_columns, batch_shape, dtype)
    # paddle.eye(num_rows, num_columns, dtype)
fill_constant(shape, dtype, value, force_cpu=False, out=None) -> paddle.full(shape, value, dtype)
fill_constant_batch_size_like(input, shape, dtype, value, input_dim_idx=0, output_dim_idx=0,
        force_cpu=False)
    -> paddle.full(sized_like(shape, input, input_dim_idx, output_dim_idx), value, dtype)
    # paddle.full([input.shape[0], *shape[1:]], value, dtype)
gaussian_random(shape, mean=0.0, std=1.0, seed=0, dtype='float32')
    -> gaussian(shape, mean, std, seed, dtype)  # paddle.normal(mean, std, shape)
gaussian_random_batch_size_like(input, shape, input_dim_idx=0, output_dim_idx=0, mean=0.0,
        std=1.0, seed=0, dtype='float32')
    -> gaussian(sized_like(shape, input, input_dim_idx, output_dim_idx), mean, std, seed, dtype)
    # paddle.normal(mean, std, [input.shape[0], *shape[1:]])
linspace(start, stop, num, dtype) -> paddle.linspace(start, stop, num, dtype)
ones(shape, dtype, force_cpu=False) -> paddle.ones(shape, dtype)
ones_like(x, out=None) -> paddle.ones_like(x)
range(start, end, step, dtype)
    -> stepping(start, end, step, dtype)  # paddle.arange(start, end, step, dtype)
sampling_id(x, min=0.0, max=1.0, seed=0, dtype='float32')
    -> drawn(x, min, max, seed, dtype)  # paddle.multinomial(x, 1)
uniform_random(shape, dtype='float32', min=-1.0, max=1.0, seed=0)
    -> paddle.uniform(shape, dtype, min, max, seed)
uniform_random_batch_size_like(input, shape, dtype='float32', input_dim_idx=0, output_dim_idx=0,
        min=-1.0, max=1.0, seed=0)
    -> paddle.uniform(
        sized_like(shape, input, input_dim_idx, output_dim_idx), dtype, min, max, seed)
    # paddle.uniform([input.shape[0], *shape[1:]], dtype, min, max, seed)
zeros(shape, dtype, force_cpu=False) -> paddle.zeros(shape, dtype)
zeros_like(x, out=None) -> paddle.zeros_like(x)
""",
)
