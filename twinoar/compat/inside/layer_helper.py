"""LayerHelper: parameters, results and operators of a layer, by Paddle's types and slots."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

from twinoar.compat.inside.operators import call_at_once
from twinoar.core import unique_name
from twinoar.core.dtype import default_dtype, dtype_of
from twinoar.core.interpreter import current
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.nn import functional
from twinoar.nn.param_attr import ParamAttr
from twinoar.ops.create.fill import empty
from twinoar.ops.shape.reshape import reshape
from twinoar.static.mode import default_main_program, default_startup_program
from twinoar.static.nn.parameter import create_parameter


class LayerHelper:
    """What a layer made of Paddle's operators is built with.

    layer_type: what results are called after, with a number, unless `name` is given. kwargs: the
    arguments of the layer: `param_attr`, `bias_attr`, `act` and the inputs are read here.

    >>> x = twinoar.to_tensor([-1.0, 2.0])
    >>> helper = LayerHelper("relu")
    >>> out = helper.create_variable_for_type_inference(x.dtype)
    >>> _ = helper.append_op("relu", inputs={"X": x}, outputs={"Out": out})
    >>> out.tolist()
    [0.0, 2.0]
    """

    def __init__(self, layer_type: str, **kwargs: Any):
        self.layer_type, self.kwargs = layer_type, kwargs
        if kwargs.get("name") is None:
            kwargs["name"] = unique_name.generate(layer_type)
        self.name: str = kwargs["name"]

    @property
    def main_program(self) -> Any:
        """The Program that is built."""
        return default_main_program()

    @property
    def startup_program(self) -> Any:
        """The Program that initializes its states."""
        return default_startup_program()

    @property
    def param_attr(self) -> Any:
        """How the layer's parameters are made."""
        return ParamAttr._to_attr(self.kwargs.get("param_attr"))

    @property
    def bias_attr(self) -> Any:
        """How the layer's bias is made; False for none."""
        return ParamAttr._to_attr(self.kwargs.get("bias_attr"))

    def multiple_input(self, input_param_name: str = "input") -> list[Any]:
        """The inputs that the layer was given, as a list."""
        given = self.kwargs.get(input_param_name, [])
        return list(given) if isinstance(given, (list, tuple)) else [given]

    def input(self, input_param_name: str = "input") -> Any:
        """The only input. Raises ArgumentError where there are more."""
        inputs = self.multiple_input(input_param_name)
        if len(inputs) != 1:
            raise ArgumentError(f"{self.layer_type} wants one input, received {len(inputs)}")
        return inputs[0]

    def input_dtype(self, input_param_name: str = "input") -> Any:
        """The dtype of the inputs, None without any. Raises ArgumentError where it differs."""
        dtypes = {x.dtype for x in self.multiple_input(input_param_name)}
        if len(dtypes) > 1:
            names = ", ".join(sorted(d.name for d in dtypes))
            raise ArgumentError(
                f"inputs of {self.layer_type} must be of one dtype, received {names}"
            )
        return dtypes.pop() if dtypes else None

    def create_parameter(
        self,
        attr: Any,
        shape: Any,
        dtype: Any = None,
        is_bias: bool = False,
        default_initializer: Any = None,
        stop_gradient: bool = False,
        **ignored: Any,
    ) -> Any:
        """A parameter called after the layer; None where `attr` is False."""
        chosen = copy(ParamAttr._to_attr(attr))
        if not chosen:
            return None
        if chosen.name is None:
            chosen.name = unique_name.generate(f"{self.name}.{'b' if is_bias else 'w'}")
        made = create_parameter(
            shape, dtype or default_dtype(), None, chosen, is_bias, default_initializer
        )
        if stop_gradient:
            made.stop_gradient = True
        return made

    def get_parameter(self, name: str) -> Any:
        """The parameter of the Program that has this name. Raises UnknownNameError."""
        return self.main_program.global_block().var(name)

    def create_variable_for_type_inference(
        self, dtype: Any, stop_gradient: bool = False, shape: Any = None
    ) -> Any:
        """What takes a result of `append_op`."""
        name = unique_name.generate(f"{self.name}.tmp")
        return self._variable(name, dtype or default_dtype(), stop_gradient, shape)

    create_tmp_variable = create_variable_for_type_inference

    def create_variable(self, name: str | None = None, dtype: Any = None, **traits: Any) -> Any:
        """What takes a result, by a name of its own. traits: those of `Block.create_var`."""
        if current().runs:
            return self._variable(name, dtype or default_dtype(), False, None)
        block = self.main_program.current_block()
        return block.create_var(name=name, dtype=dtype or default_dtype(), **traits)

    def create_global_variable(
        self, persistable: bool = False, name: str | None = None, **traits: Any
    ) -> Any:
        """A Variable of the outermost block; with `persistable` its value lives on between runs."""
        name = name or unique_name.generate(f"{self.name}.tmp")
        block = self.main_program.global_block()
        return block.create_var(name=name, persistable=persistable, **traits)

    def create_or_get_global_variable(self, name: str, **traits: Any) -> tuple[Any, bool]:
        """A Variable of the outermost block, and whether it is new."""
        block = self.main_program.global_block()
        if block.has_var(name):
            return block.var(name), False
        return self.create_global_variable(name=name, **traits), True

    def set_variable_initializer(self, var: Any, initializer: Any) -> Any:
        """Let the startup Program fill `var`. Raises TypeMismatchError in eager mode."""
        if current().runs:
            raise TypeMismatchError(
                "a tensor has no startup Program", cure="initialize it: initializer(tensor)"
            )
        block = self.startup_program.global_block()
        return block.create_parameter(
            name=var.name, shape=var.spec.shape, dtype=var.dtype, initializer=initializer
        )

    def append_op(
        self,
        type: str,
        inputs: Mapping[str, Any] | None = None,
        outputs: Mapping[str, Any] | None = None,
        attrs: Mapping[str, Any] | None = None,
        stop_gradient: bool = False,
    ) -> Any:
        """Append the operator `type` to the Program; where operators run at once, run it.

        See `Block.append_op`; None in eager mode.
        """
        if not current().runs:
            block = self.main_program.current_block()
            return block.append_op(type, inputs, outputs, attrs, stop_gradient)
        for target, value in call_at_once(type, inputs or {}, outputs or {}, attrs or {}):
            if stop_gradient:
                value.stop_gradient = True
            current().rebind(target, value)
        return None

    def append_bias_op(self, input_var: Any, dim_start: int = 1, dim_end: int | None = None) -> Any:
        """input_var plus a bias of the sizes from `dim_start` to `dim_end`."""
        sizes = list(input_var.shape[dim_start:dim_end])
        bias = self.create_parameter(self.bias_attr, sizes, input_var.dtype, is_bias=True)
        if bias is None:
            return input_var
        behind = len(input_var.shape) - dim_start - len(sizes)
        return input_var + reshape(bias, [*sizes, *[1] * behind])

    def append_activation(self, input_var: Any) -> Any:
        """The layer's activation `act`, a name or a dict of its "type" and arguments, of it."""
        act = self.kwargs.get("act")
        if act is None:
            return input_var
        options = dict(act) if isinstance(act, dict) else {"type": act}
        name = options.pop("type")
        if name not in functional.__all__:
            raise ArgumentError(f"there is no activation {name!r}", cure="use 'relu' or 'softmax'")
        return getattr(functional, name)(input_var, **options)

    def _variable(self, name: str | None, dtype: Any, stop_gradient: bool, shape: Any) -> Any:
        if current().runs:
            made: Any = empty([0] if shape is None else shape, dtype_of(dtype))
            made.name = name or unique_name.generate(self.name)
            return made
        block = self.main_program.current_block()
        return block.create_var(
            name=name,
            dtype=dtype,
            shape=() if shape is None else shape,
            stop_gradient=stop_gradient,
        )


__all__ = ["LayerHelper"]
