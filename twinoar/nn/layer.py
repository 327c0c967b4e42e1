"""Layer: a computation with parameters, the unit that users build networks from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from twinoar.core import unique_name
from twinoar.core.device import Device
from twinoar.core.dtype import DType, default_dtype, dtype_of
from twinoar.core.interpreter import current, recording, using
from twinoar.core.op.explain import Told
from twinoar.core.spec import Spec
from twinoar.eager.elsewhere import moved
from twinoar.eager.place import Place, place_of
from twinoar.eager.tensor import Parameter, Tensor
from twinoar.errors import ArgumentError, DTypeError, TypeMismatchError, UnsupportedError
from twinoar.inspection.notebook import layer_html
from twinoar.nn.hook import HookHandle
from twinoar.nn.initializer import Constant, XavierUniform
from twinoar.nn.initializer.default import default_initializer_of
from twinoar.nn.members import Members
from twinoar.nn.param_attr import ParamAttr
from twinoar.nn.state import collect, load
from twinoar.ops.math.fill import fill
from twinoar.tracebacks import hide_caller


class Layer(Told, Members):
    """A computation with parameters.

    Subclass it, create its parts in `__init__`, use them in `forward`.
    name_scope: what its name and those of its parameters begin with; None takes the class's name.
    dtype: noted only; parameters are of the default dtype unless `create_parameter` says otherwise.

    >>> class Double(twinoar.nn.Layer):
    ...     def forward(self, x):
    ...         return x * 2
    >>> Double()(twinoar.to_tensor([1.0, 2.0])).tolist()
    [2.0, 4.0]
    """

    def __init__(self, name_scope: str | None = None, dtype: Any = "float32"):
        super().__init__()
        self.training = True
        self._full_name = unique_name.generate(name_scope or snake_case(type(self).__name__))
        self._dtype = "float32" if dtype is None else dtype_of(dtype).name
        self._forward_pre_hooks: dict[int, Callable] = {}
        self._forward_post_hooks: dict[int, Callable] = {}
        self._state_dict_hooks: dict[int, Callable] = {}

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        if self._forward_pre_hooks:
            inputs = self._before(inputs)
        try:
            outputs = current().code_of(self.forward, self)(*inputs, **kwargs)
        except Exception as error:
            hide_caller(error)
            raise
        return self._after(inputs, outputs) if self._forward_post_hooks else outputs

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes; subclasses say it."""
        kind = type(self).__name__
        raise UnsupportedError(f"{kind} has no forward", cure=f"define {kind}.forward(self, ...)")

    def register_forward_pre_hook(self, hook: Callable, *, prepend: bool = False) -> HookHandle:
        """Call `hook(layer, inputs)` before `forward`.

        What it returns, unless None, are the inputs. Returns a handle with `remove()`. prepend:
        call it before the hooks there are.

        >>> layer = twinoar.nn.Identity()
        >>> handle = layer.register_forward_pre_hook(lambda layer, inputs: inputs[0] + 1)
        >>> layer(twinoar.to_tensor(1.0)).item()
        2.0
        >>> handle.remove()
        """
        return HookHandle(self, self._forward_pre_hooks, hook, prepend)

    def register_forward_post_hook(self, hook: Callable, *, prepend: bool = False) -> HookHandle:
        """Call `hook(layer, inputs, outputs)` after `forward`.

        What it returns, unless None, are the outputs. Returns a handle with `remove()`. prepend:
        call it before the hooks there are.
        """
        return HookHandle(self, self._forward_post_hooks, hook, prepend)

    def register_state_dict_hook(self, hook: Callable) -> HookHandle:
        """Call `hook(state)` in `state_dict`; what it returns, unless None, replaces the state."""
        return HookHandle(self, self._state_dict_hooks, hook)

    def _before(self, inputs: tuple) -> tuple:
        for hook in tuple(self._forward_pre_hooks.values()):
            replaced = current().code_of(hook)(self, inputs)
            if replaced is not None:
                inputs = replaced if isinstance(replaced, tuple) else (replaced,)
        return inputs

    def _after(self, inputs: tuple, outputs: Any) -> Any:
        for hook in tuple(self._forward_post_hooks.values()):
            replaced = current().code_of(hook)(self, inputs, outputs)
            if replaced is not None:
                outputs = replaced
        return outputs

    def train(self, mode: bool = True) -> Layer:
        """Make this layer and all below it train: dropout drops, statistics move."""
        for layer in self.sublayers(include_self=True):
            layer.training = mode
        return self

    def eval(self) -> Layer:
        """Make this layer and all below it work as in use: no dropout, statistics stand still."""
        return self.train(False)

    def apply(self, fn: Callable[[Layer], Any]) -> Layer:
        """Call `fn` with every layer, children before parents; returns this layer."""
        for layer in self.children():
            layer.apply(fn)
        fn(self)
        return self

    def full_name(self) -> str:
        """The layer's name, which no other layer has: what its parameters' names begin with."""
        return self._full_name

    def create_parameter(
        self,
        shape: Sequence[int],
        attr: Any = None,
        dtype: Any = None,
        is_bias: bool = False,
        default_initializer: Callable | None = None,
    ) -> Parameter:
        """A new parameter of this layer, not yet its member; None where `attr` is False.

        shape: sizes. attr: a ParamAttr, or what stands for one: a name, an initializer, None.
        dtype: None means the default dtype. is_bias: the name says so, and it starts at zero. It
        starts with, in this order: the attr's initializer, the global one, `default_initializer`,
        zeros for a bias, XavierUniform otherwise. Raises DTypeError where that is not possible in
        `dtype`.

        >>> twinoar.nn.Layer().create_parameter([2], is_bias=True).tolist()
        [0.0, 0.0]
        """
        wanted = ParamAttr._to_attr(attr)
        if wanted is False:
            return None  # type: ignore[return-value]  # who asks for none expects none
        kind = default_dtype() if dtype is None else dtype_of(dtype)
        usual = default_initializer_of(is_bias) or default_initializer
        initializer = wanted.initializer or usual
        if initializer is None:
            if not kind.is_floating:
                raise DTypeError(
                    f"a parameter of type {kind.name} has no usual start",
                    cure="give a default_initializer, such as Constant(0)",
                )
            initializer = Constant(0.0) if is_bias else XavierUniform()
        letter = "b" if is_bias else "w"
        return current().create_parameter(
            Spec(_sizes(shape), kind),
            initializer,
            name=wanted.name or unique_name.generate(f"{self._full_name}.{letter}"),
            stop_gradient=not wanted.trainable,
            **wanted.traits(),
        )

    def create_tensor(
        self, name: str | None = None, persistable: bool | None = None, dtype: Any = None
    ) -> Any:
        """A new tensor without elements, for an operator to fill: `assign(x, output=tensor)`."""
        made = fill((0,), 0, default_dtype() if dtype is None else dtype_of(dtype))
        made.rename(name or unique_name.generate(f"{self._full_name}._generated_var"))
        made.persistable = bool(persistable)
        return made

    create_variable = create_tensor

    def state_dict(
        self,
        destination: dict | None = None,
        include_sublayers: bool = True,
        structured_name_prefix: str = "",
        use_hook: bool = True,
        keep_vars: bool = True,
    ) -> dict:
        """Parameters and persistable buffers by dotted name: all that is saved of the layer.

        destination: a dictionary to put them into. structured_name_prefix: what each name begins
        with. keep_vars: the values themselves; False gives them without their gradients.

        >>> list(twinoar.nn.Sequential(twinoar.nn.Linear(2, 3)).state_dict())
        ['0.weight', '0.bias']
        """
        found = collect(
            self, destination, include_sublayers, structured_name_prefix, use_hook, False
        )
        if not keep_vars:
            for name, value in found.items():
                found[name] = value.detach()
        return found

    def to_static_state_dict(
        self,
        destination: dict | None = None,
        include_sublayers: bool = True,
        structured_name_prefix: str = "",
        use_hook: bool = True,
        keep_vars: bool = True,
    ) -> dict:
        """As `state_dict`, with the buffers too that are not persistable."""
        found = collect(
            self, destination, include_sublayers, structured_name_prefix, use_hook, True
        )
        if not keep_vars:
            for name, value in found.items():
                found[name] = value.detach()
        return found

    def set_state_dict(
        self, state_dict: Any, use_structured_name: bool = True
    ) -> tuple[list[str], list[str]]:
        """Take over the values in `state_dict`, by dotted name, or by the parameters' own names.

        Returns the names that it lacks and those that the layer does not have, and warns of each; a
        value of the wrong shape counts as both. The wrong dtype raises DTypeError, and nothing is
        changed.

        >>> a, b = twinoar.nn.Linear(2, 2), twinoar.nn.Linear(2, 2)
        >>> b.set_state_dict(a.state_dict())
        ([], [])
        >>> bool((a.weight == b.weight).all())
        True
        """
        return load(self, state_dict, use_structured_name)

    set_dict = load_dict = set_state_dict

    def to(self, device: Any = None, dtype: Any = None, blocking: bool | None = None) -> Layer:
        """Move all parameters and buffers to `device`, convert them to `dtype`; returns this layer.

        device: "cpu", "gpu:0", a plug-in's, a Place, or None. Raises DTypeError, or ArgumentError
        for a device that there is not.

        >>> twinoar.nn.Linear(2, 2).to(dtype="float64").weight.dtype
        paddle.float64
        """
        if device is not None and not isinstance(device, (str, Place)):
            raise TypeMismatchError(
                f"device must be a place or a string such as 'cpu', received {device!r}"
            )
        if device is not None:
            self._move(place_of(device).device)
        if dtype is not None:
            self._convert(dtype_of(dtype), (), floating_only=False)
        return self

    def astype(self, dtype: Any = None) -> Layer:
        """Convert all parameters and buffers to `dtype`; returns this layer."""
        return self.to(dtype=dtype)

    def float(self, excluded_layers: Any = None) -> Layer:
        """Convert floating parameters and buffers to float32, those of `excluded_layers` not."""
        return self._convert(dtype_of("float32"), excluded_layers)

    def float16(self, excluded_layers: Any = None) -> Layer:
        """Convert floating parameters and buffers to float16, those of `excluded_layers` not."""
        return self._convert(dtype_of("float16"), excluded_layers)

    half = float16

    def bfloat16(self, excluded_layers: Any = None) -> Layer:
        """Convert floating parameters and buffers to bfloat16, those of `excluded_layers` not."""
        return self._convert(dtype_of("bfloat16"), excluded_layers)

    def double(self) -> Layer:
        """Convert floating parameters and buffers to float64."""
        return self._convert(dtype_of("float64"), None)

    def clear_gradients(self, set_to_zero: bool = True) -> None:
        """Set the gradients of all parameters to zero, or forget them."""
        for parameter in self.parameters():
            if not parameter.stop_gradient:
                parameter.clear_gradient(set_to_zero)

    def extra_repr(self) -> str:
        """What stands in the brackets when the layer is printed; subclasses say it."""
        return ""

    def __repr__(self) -> str:
        """The layer's class, arguments and sublayers, as Paddle prints them."""
        extra = self.extra_repr()
        lines = [
            f"({n}): {repr(s).replace(chr(10), chr(10) + '  ')}"
            for n, s in self._sub_layers.items()
        ]
        head = extra if "\n" not in extra else _indented(extra.split("\n"))
        return f"{type(self).__name__}({head}{_indented(lines) if lines else ''})"

    _repr_html_ = layer_html

    def _move(self, device: Device) -> None:
        for layer in self.sublayers(include_self=True):
            for value in (*layer._parameters.values(), *layer._buffers.values()):
                if isinstance(value, Tensor):
                    value.take_data(moved(value._data, device))
                    if value.grad is not None:
                        value.grad.take_data(moved(value.grad._data, device))

    def _convert(self, dtype: DType, excluded: Any, floating_only: bool = True) -> Layer:
        left_out = _as_kinds(excluded)
        for layer in self.sublayers(include_self=True):
            if not isinstance(layer, left_out):
                layer._convert_own(dtype, floating_only)
        return self

    def _convert_own(self, dtype: DType, floating_only: bool = True) -> None:
        """Convert what this layer has itself."""
        self._dtype = dtype.name
        for value in (*self._parameters.values(), *self._buffers.values()):
            if value is not None and (value.dtype.is_floating or not floating_only):
                _convert_in_place(value, dtype)


def snake_case(name: str) -> str:
    """The name of a class as layers' names have it.

    >>> snake_case("BatchNorm2D"), snake_case("ReLU")
    ('batch_norm2d', 're_lu')
    """
    words = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", words).lower()


def _sizes(shape: Any) -> tuple[int, ...]:
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    for size in sizes:
        if isinstance(size, bool) or not hasattr(size, "__index__"):
            kind = type(size).__name__
            raise TypeMismatchError(
                f"a parameter's shape must be integers, received {kind} in {shape}",
                cure="give sizes as ints, such as [3, 4]",
            )
        if int(size) < 0:
            raise ArgumentError(
                f"a parameter's shape must be known, received {list(sizes)}",
                cure="give each size as a number of at least 0",
            )
    return tuple(int(size) for size in sizes)


def _indented(lines: Iterable[str]) -> str:
    return "".join(f"\n  {line}" for line in lines) + "\n"


def _as_kinds(excluded: Any) -> tuple[type, ...]:
    """Layer classes, given as one, several, or as instances of them."""
    given = (
        excluded if isinstance(excluded, (list, tuple)) else () if excluded is None else (excluded,)
    )
    for kind in given:
        if not (isinstance(kind, type) and issubclass(kind, Layer)):
            raise TypeMismatchError(f"excluded_layers must be classes of layers, received {kind!r}")
    return tuple(given)


def _convert_in_place(value: Any, dtype: DType) -> None:
    interpreter = recording(False)
    with using(interpreter):
        gradient = getattr(value, "grad", None)
        interpreter.rebind(value, value.astype(dtype))
        if gradient is not None:
            value.grad = gradient.astype(dtype)
