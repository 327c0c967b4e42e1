"""Parameters and global variables of static Programs."""

from __future__ import annotations

from typing import Any

from twinoar.core import unique_name
from twinoar.core.dtype import dtype_of
from twinoar.core.interpreter import current
from twinoar.core.ir.program import State
from twinoar.core.spec import Spec
from twinoar.errors import ProgramError
from twinoar.ops.math.fill import fill


def create_global_var(
    shape: Any,
    value: Any,
    dtype: Any,
    persistable: bool = False,
    force_cpu: bool = False,
    name: str | None = None,
) -> State:
    """A state of the default main Program, `value` everywhere at first, that outlives runs.

    Raises ProgramError outside a static graph.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     print(static.create_global_var([2], 1.5, "float32", persistable=True, name="v"))
    persist var v : LOD_TENSOR.shape(2,).dtype(float32).stop_gradient(True)
    """
    builder = current()
    if builder.startup is None:
        raise ProgramError(
            "create_global_var adds to a Program, and none is being built",
            cure="call enable_static() first",
        )
    spec = Spec(builder.program.shape_of(shape), dtype_of(dtype))
    state = builder.create_state(
        spec, lambda s: fill(s.shape, value, s.dtype), name or unique_name.generate("global_var")
    )
    state.persistable = persistable
    return state
