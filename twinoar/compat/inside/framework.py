"""Modes, parameters and devices, as code written for inside Paddle asks for them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

from twinoar import config
from twinoar.core.dtype import dtype_of
from twinoar.core.interpreter import current
from twinoar.core.public import declared
from twinoar.core.values import Value
from twinoar.eager import tensor as eager_tensor
from twinoar.eager.place import Place, place_of, set_device
from twinoar.eager.tensor import Tensor
from twinoar.errors import FailedAssertion, TypeMismatchError
from twinoar.ops.create.fill import zeros
from twinoar.ops.random import uniform as random
from twinoar.static.mode import default_main_program, in_dynamic_mode
from twinoar.utils.flags import get_flags, set_flags

in_dygraph_mode = in_dynamic_or_pir_mode = in_dynamic_mode


def in_pir_mode() -> bool:
    """False: Programs here are no PIR Programs, whose classes and files are others."""
    return False


def use_pir_api() -> bool:
    """True where what is saved is the `.json` of PIR Programs; else it is `.pdmodel`.

    >>> use_pir_api()
    False
    """
    return config.pir


in_pir_executor_mode = in_pir_mode


def in_cinn_mode() -> bool:
    """False: there is no CINN."""
    return False


def _only(function: Callable[..., Any], in_eager: bool, cure: str) -> Callable[..., Any]:
    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        if current().runs is not in_eager:
            mode = "dynamic" if in_eager else "static"
            error = FailedAssertion(f"{function.__name__} is for {mode} mode alone", ())
            error.cure, error.operator = cure, None
            raise error
        return function(*args, **kwargs)

    return checked


def dygraph_only(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, which raises FailedAssertion outside dynamic mode."""
    return _only(function, True, "call paddle.disable_static() first")


def static_only(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, which raises FailedAssertion outside static mode."""
    return _only(function, False, "call paddle.enable_static() first")


class _AnyParameter(type):
    """Its classes have all parameters as instances, however they were made."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Value) and getattr(instance, "is_parameter", False)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return bool(getattr(subclass, "is_parameter", False)) or type.__subclasscheck__(
            cls, subclass
        )


class EagerParamBase(eager_tensor.Parameter, metaclass=_AnyParameter):
    """A parameter of zeros: `EagerParamBase([2, 3], "float32", name="w")`.

    All parameters are instances. trainable, name and further traits (`optimize_attr`,
    `regularizer`, `need_clip`, ...) are keywords. Raises TypeMismatchError for a shape or dtype of
    None.

    >>> EagerParamBase([2], "float32", name="w", trainable=False).stop_gradient
    True
    """

    def __init__(
        self,
        shape: Any,
        dtype: Any,
        name: str | None = None,
        trainable: bool = True,
        **traits: Any,
    ):
        for what, given in (("shape", shape), ("dtype", dtype)):
            if given is None:
                raise TypeMismatchError(f"a parameter needs a {what}, received None")
        data = shape if isinstance(shape, Tensor) else zeros(shape, dtype)
        super().__init__(data._data.copy(), not trainable, name)
        self.__dict__.update({"optimize_attr": {"learning_rate": 1.0}, **traits})

    @classmethod
    def from_tensor(cls, tensor: Tensor, **kwargs: Any) -> EagerParamBase:
        """A parameter with a copy of the data of `tensor`; keywords as above."""
        return cls(tensor, tensor.dtype, **kwargs)


class Parameter(Value, metaclass=_AnyParameter):
    """What all parameters, of a Program or of eager mode, are instances of."""


def _current_expected_place() -> Place:
    """The device of new tensors."""
    return place_of(None)


def _set_expected_place(place: Any) -> None:
    """Choose the device of new tensors. Raises ArgumentError for one that there is not."""
    set_device(place)


def _get_paddle_place(place: Any) -> Place:
    """The device that `place` names. Raises ArgumentError for one that there is not."""
    return place_of(place)


def _dygraph_tracer() -> Any:
    """What interprets operators, where they run at once; else None."""
    return current() if current().runs else None


class _Flags(MutableMapping[str, Any]):
    """The flags of the process by name: `set_flags` and `get_flags` as a dict."""

    def __getitem__(self, name: str) -> Any:
        return get_flags(name)[name]

    def __setitem__(self, name: str, value: Any) -> None:
        set_flags({name: value})

    def __delitem__(self, name: str) -> None:
        raise TypeMismatchError(f"a flag cannot be deleted: {name}", cure="set it")

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _global_flags() -> MutableMapping[str, Any]:
    """The flags of the process by name."""
    return _Flags()


def _create_tensor(
    type: Any = None,
    name: str | None = None,
    shape: Any = None,
    dtype: Any = "float32",
    persistable: bool | None = None,
    **kwargs: Any,
) -> Tensor:
    """A tensor of zeros to be filled, of shape [0] where none is given."""
    made: Any = zeros([0] if shape is None else shape, dtype_of(dtype))
    if name is not None:
        made.name = name
    made.persistable = bool(persistable)
    return made


def _manual_program_seed(seed: int) -> None:
    """Start the random numbers of Programs from `seed`: those of the process, and of the default
    main Program.
    """
    random.seed(seed)
    default_main_program().random_seed = seed


def _no_check_dy2st_diff() -> Any:
    """A block within which nothing is different: there is one way to run."""
    return _Unchanged()


class _Unchanged:
    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(self, *error: object) -> None:
        """End it."""


def grad_var_name(var_name: str) -> str:
    """The name of the gradient of a Variable."""
    return f"{var_name}@GRAD"


__all__ = declared(globals(), "in_dygraph_mode", "in_dynamic_or_pir_mode")
