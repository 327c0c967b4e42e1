"""WeightNormParamAttr: a weight as a direction times a length, both trained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, ProgramError
from twinoar.nn.param_attr import ParamAttr
from twinoar.ops.math.root import sqrt, square
from twinoar.ops.reduce.reduction import sum as total


class WeightNormParamAttr(ParamAttr):
    """What a weight of a layer of `static.nn` shall be: g * v / |v|, where g and v are trained.

    dim: the dimension along which each slice has a length of its own; None gives one to the whole
    weight. The others are those of ParamAttr. The parameters are called `<name>_g`, which starts
    as the length of v, and `<name>_v`, which starts as the weight would. Raises ArgumentError for
    a dimension that the weight does not have, ProgramError outside a static graph.
    Source: arXiv 1602.07868, eq. 2.

    >>> from twinoar import static
    >>> main = static.Program()
    >>> with static.program_guard(main, static.Program()):
    ...     attr = static.WeightNormParamAttr(dim=1, name="w")
    ...     y = static.nn.fc(static.data("x", [None, 4]), 3, weight_attr=attr, bias_attr=False)
    >>> [(p.name, p.shape) for p in main.all_parameters()]
    [('w_v', [4, 3]), ('w_g', [1, 3])]
    """

    def __init__(
        self,
        dim: int | None = None,
        name: str | None = None,
        initializer: Callable | None = None,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        trainable: bool = True,
        do_model_average: bool = False,
        need_clip: bool = True,
    ):
        super().__init__(
            name, initializer, learning_rate, regularizer, trainable, do_model_average, need_clip
        )
        self.dim = dim

    def weight(self, spec: Spec, initializer: Callable[[Spec], Any], name: str) -> Any:
        """The weight of `spec`, of two new parameters of the Program that is built."""
        builder = current()
        if builder.startup is None:
            raise ProgramError(
                "a WeightNormParamAttr makes two parameters of a Program, and none is being built",
                cure="call enable_static() first",
            )
        if self.dim is not None and not -spec.ndim <= self.dim < spec.ndim:
            raise ArgumentError(f"dim must be a dimension of {spec}, received {self.dim}")
        kept = None if self.dim is None else self.dim % spec.ndim
        axes = [i for i in range(spec.ndim) if i != kept]
        lengths = Spec(tuple(1 if i in axes else n for i, n in enumerate(spec.shape)), spec.dtype)
        traits = {"stop_gradient": not self.trainable, **self.traits()}

        def length_of(v: Any) -> Any:
            return sqrt(total(square(v), axes, keepdim=True)) if axes else sqrt(square(v))

        def first_length(_: Spec) -> Any:
            started = builder.startup
            return length_of(started.updates[started.states[direction.name]])

        direction = builder.create_parameter(spec, initializer, name=f"{name}_v", **traits)
        length = builder.create_parameter(lengths, first_length, name=f"{name}_g", **traits)
        return length * (direction / length_of(direction))
