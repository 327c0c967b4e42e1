"""Parameters of static Programs: `create_parameter`, and those that a call of a layer makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

from twinoar.core import unique_name
from twinoar.core.dtype import DType, dtype_of
from twinoar.core.interpreter import current
from twinoar.core.op.explain import told
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.eager.tensor import Parameter
from twinoar.errors import ArgumentError, ProgramError, ShapeError, TypeMismatchError
from twinoar.nn import functional
from twinoar.nn.initializer import Constant, XavierUniform
from twinoar.nn.initializer.default import default_initializer_of
from twinoar.nn.param_attr import ParamAttr
from twinoar.nn.weight_norm_attr import WeightNormParamAttr


@told
def create_parameter(
    shape: Any,
    dtype: Any,
    name: str | None = None,
    attr: Any = None,
    is_bias: bool = False,
    default_initializer: Any = None,
) -> Parameter:
    """A trainable parameter, initialized by `attr`, `default_initializer`, or Paddle's default.

    Paddle's default is XavierUniform, and zeros for a bias. shape: known sizes. Returns a
    Parameter, or in a static graph a State of the default main Program that the startup Program
    initializes. Raises ArgumentError for sizes that are not known.

    >>> twinoar.create_parameter([2, 3], "float32").shape
    [2, 3]
    """
    chosen = ParamAttr._to_attr(attr)
    if chosen is False:
        raise ArgumentError(
            "attr=False asks for no parameter", cure="pass None, a name or a ParamAttr"
        )
    if name is not None and chosen.name is None:
        chosen = copy(chosen)
        chosen.name = name
    prefix = unique_name.generate("create_parameter")
    spec = Spec(_known(shape), dtype_of(dtype))
    return _made(spec, chosen, prefix, default_initializer, is_bias)


class Parameters:
    """Makes the parameters of one call of a layer: `conv2d_0.w_0`, `conv2d_0.b_0`, ...

    kind: what the layer is called where the user gives no name.
    """

    def __init__(self, kind: str, name: str | None = None):
        self.name = unique_name.generate(kind) if name is None else name

    def make(
        self,
        shape: Sequence[int],
        dtype: DType,
        attr: Any = None,
        default: Callable | None = None,
        *,
        is_bias: bool = False,
    ) -> Any:
        """A parameter with the traits of `attr`; None where that is False.

        It starts with, in this order: the attr's initializer, the global one, `default`, zeros for
        a bias, XavierUniform otherwise. Raises ProgramError outside of a Program, ShapeError where
        there is another parameter of the name.
        """
        wanted = ParamAttr._to_attr(attr)
        if wanted is False:
            return None
        if current().runs:
            raise ProgramError(
                f"{self.name} makes parameters of a Program, and none is being built",
                cure="call enable_static() first, or make a layer of nn once and call it",
            )
        return _made(Spec(tuple(shape), dtype), wanted, self.name, default, is_bias)


def _made(spec: Spec, attr: ParamAttr, prefix: str, default: Callable | None, is_bias: bool) -> Any:
    usual = default_initializer_of(is_bias) or default
    initializer = attr.initializer or usual or (Constant(0.0) if is_bias else XavierUniform())
    name = attr.name or unique_name.generate(f"{prefix}.{'b' if is_bias else 'w'}")
    if isinstance(attr, WeightNormParamAttr):
        return attr.weight(spec, initializer, name)
    made = current().create_parameter(
        spec, initializer, name=name, stop_gradient=not attr.trainable, **attr.traits()
    )
    if made.spec != spec:
        raise ShapeError(
            f"the parameter {name} is {made.spec}, and a layer wants it to be {spec}",
            cure="give the layers names of their own",
        )
    return made


def activation_named(name: str | None) -> Callable[[Any], Any]:
    """The function of nn.functional of that name, which changes nothing for None.

    Raises ArgumentError where there is none.
    """
    if name is None:
        return lambda x: x
    found = getattr(functional, name, None) if name in functional.__all__ else None
    if found is None:
        raise ArgumentError(
            f"there is no activation {name!r}",
            cure="use a name of nn.functional, such as 'relu' or 'softmax'",
        )
    return found


def check_variable(x: Any, function: str) -> None:
    """Raise TypeMismatchError where x is no Variable."""
    if not isinstance(x, Value):
        raise TypeMismatchError(
            f"{function} takes Variables, received {type(x).__name__}",
            cure="declare inputs with static.data",
        )


def check_choice(value: Any, allowed: Sequence[str], argument: str) -> None:
    """Raise ArgumentError where an argument has none of the values allowed."""
    if value not in allowed:
        raise ArgumentError(
            f"{argument} must be one of {', '.join(allowed)}, received {value!r}",
            cure=f"the usual one is {allowed[0]!r}",
        )


def check_rank(x: Any, ranks: Sequence[int], function: str) -> None:
    """Raise TypeMismatchError where x is no Variable, ShapeError where it has another rank."""
    check_variable(x, function)
    if x.ndim not in ranks:
        allowed = f"{ranks[0]}" if len(ranks) == 1 else f"{ranks[0]} to {ranks[-1]}"
        raise ShapeError(
            f"{function} takes {allowed} dimensions, received {x.spec}",
            cure="reshape the input, or declare it so in static.data",
        )


def known_sizes(x: Any, axes: Sequence[int], function: str) -> tuple[int, ...]:
    """The sizes of x along axes, which parameters have too. Raises ShapeError for unknown ones."""
    sizes = tuple(x.spec.shape[axis] for axis in axes)
    if not all(isinstance(n, int) for n in sizes):
        raise ShapeError(
            f"{function} needs known feature sizes, received {x.spec}",
            cure="declare them in static.data",
        )
    return sizes


def positive(value: Any, argument: str) -> int:
    """`value`, a number of results. Raises ArgumentError for what is no positive integer."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ArgumentError(
            f"{argument} must be a positive int, received {value!r}",
            cure="give the number of results of the layer",
        )
    return value


def _known(shape: Any) -> tuple[int, ...]:
    sizes = tuple(shape) if isinstance(shape, (list, tuple)) else (shape,)
    if any(isinstance(n, (float, str)) for n in sizes):
        raise TypeMismatchError(
            f"the shape of a parameter must hold integers, received {shape!r}",
            cure="give each size as a number, such as [2, 3]",
        )
    if not all(isinstance(n, int) and n >= 0 for n in sizes):
        raise ArgumentError(
            f"a parameter needs known sizes, received {list(sizes)}",
            cure="give each size as a number",
        )
    return sizes
