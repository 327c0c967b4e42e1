"""What a layer is made of: parameters, buffers and sublayers, by name, and walks over them.

They are told apart when they are assigned: `self.fc = Linear(...)` makes a sublayer, a parameter a
parameter, a tensor a buffer that is not saved; anything else is an ordinary attribute.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.layer_like import LayerLike, count_change
from twinoar.core.values import Value
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError

KINDS = ("_parameters", "_buffers", "_sub_layers")


def is_parameter(x: Any) -> bool:
    """True for what optimizers train, whether data or a symbol."""
    return isinstance(x, Value) and getattr(x, "is_parameter", False)


class Members(LayerLike):
    """Keeps parameters, buffers and sublayers under their names, in the order they were added."""

    def __init__(self) -> None:
        space = self.__dict__
        space["_parameters"], space["_buffers"], space["_sub_layers"] = {}, {}, {}
        space["_non_persistable_buffer_names_set"] = set()

    def __getattr__(self, name: str) -> Any:
        space = self.__dict__
        for kind in KINDS:
            members = space.get(kind)
            if members is not None and name in members:
                return members[name]
        raise AttributeError(
            f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
        )

    def __setattr__(self, name: str, value: Any) -> None:
        self._assign(name, value)
        count_change(self)

    def __delattr__(self, name: str) -> None:
        for kind in KINDS:
            if name in self.__dict__.get(kind, ()):
                del self.__dict__[kind][name]
                self._non_persistable_buffer_names_set.discard(name)
                break
        else:
            object.__delattr__(self, name)
        count_change(self)

    def _assign(self, name: str, value: Any) -> None:
        space = self.__dict__
        if isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        elif isinstance(value, LayerLike):
            self._own("_sub_layers", name, value)
        elif is_parameter(value):
            self._own("_parameters", name, value)
        elif "_parameters" not in space:
            if isinstance(value, Tensor):
                raise _not_initialized(self)
            object.__setattr__(self, name, value)
        elif name in space["_parameters"]:
            self._empty("_parameters", name, value, "a Parameter")
        elif name in space["_sub_layers"]:
            self._empty("_sub_layers", name, value, "a Layer")
        elif isinstance(value, Tensor):
            if name not in space["_buffers"]:
                self._own("_buffers", name, value)
                self._non_persistable_buffer_names_set.add(name)
            else:
                value.persistable = name not in self._non_persistable_buffer_names_set
                space["_buffers"][name] = value
        elif name in space["_buffers"]:
            self._set_buffer(name, value)
        else:
            object.__setattr__(self, name, value)

    def __dir__(self) -> list[str]:
        names = set(object.__dir__(self))
        for kind in KINDS:
            names.update(self.__dict__.get(kind, ()))
        return sorted(names)

    def add_sublayer(self, name: str, sublayer: Any) -> Any:
        """Make `sublayer`, a layer or None, the sublayer `name`; returns it."""
        if sublayer is not None and not isinstance(sublayer, LayerLike):
            raise TypeMismatchError(
                f"sublayer {name!r} must be a Layer, received {type(sublayer).__name__}",
                cure="pass a layer object, such as nn.Linear(3, 2)",
            )
        if not isinstance(name, str):
            raise TypeMismatchError(f"the name of a sublayer must be a string, received {name!r}")
        self._own("_sub_layers", name, sublayer)
        return sublayer

    def add_parameter(self, name: str, parameter: Any) -> Any:
        """Make `parameter`, a Parameter or None, the parameter `name`; returns it.

        Raises ArgumentError for a name that is empty, has a dot or is taken.
        """
        if parameter is not None and not is_parameter(parameter):
            raise TypeMismatchError(
                f"parameter {name!r} must be a Parameter, received {type(parameter).__name__}",
                cure="make it with create_parameter",
            )
        self._check_new_name("parameter", name)
        self._own("_parameters", name, parameter)
        return parameter

    def register_buffer(self, name: str, tensor: Any, persistable: bool = True) -> None:
        """Make `tensor`, a Tensor or None, the buffer `name`: kept with the layer, not trained.

        persistable: it is part of `state_dict`. Raises ArgumentError for a name that is empty, has
        a dot or is taken.

        >>> layer = twinoar.nn.Layer()
        >>> layer.register_buffer("steps", twinoar.zeros([1]))
        >>> list(layer.state_dict())
        ['steps']
        """
        if tensor is not None and not isinstance(tensor, Value):
            raise TypeMismatchError(
                f"buffer {name!r} must be a Tensor, received {type(tensor).__name__}",
                cure="convert it with to_tensor",
            )
        self._check_new_name("buffer", name)
        self._own("_buffers", name, tensor)
        if isinstance(tensor, Tensor):
            tensor.persistable = persistable
        if persistable:
            self._non_persistable_buffer_names_set.discard(name)
        else:
            self._non_persistable_buffer_names_set.add(name)

    def children(self) -> Iterator[Any]:
        """The direct sublayers, each once."""
        for _, layer in self.named_children():
            yield layer

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """Name and layer of the direct sublayers, each once."""
        seen = set()
        for name, layer in self._sub_layers.items():
            if layer is not None and layer not in seen:
                seen.add(layer)
                yield name, layer

    def sublayers(self, include_self: bool = False) -> list[Any]:
        """All layers below this one, parents before children."""
        return [layer for _, layer in self.named_sublayers(include_self=include_self)]

    def named_sublayers(
        self, prefix: str = "", include_self: bool = False, layers_set: set | None = None
    ) -> Iterator[tuple[str, Any]]:
        """Dotted name and layer of all layers below this one, each once, parents before children.

        layers_set: layers to leave out; those found are added.
        """
        seen = set() if layers_set is None else layers_set
        if include_self and self not in seen:
            seen.add(self)
            yield prefix, self
        for name, layer in self._sub_layers.items():
            if layer is not None:
                below = f"{prefix}.{name}" if prefix else name
                yield from layer.named_sublayers(below, True, seen)

    def parameters(self, include_sublayers: bool = True) -> list[Any]:
        """All parameters, each once.

        >>> [p.shape for p in twinoar.nn.Linear(2, 3).parameters()]
        [[2, 3], [3]]
        """
        return [p for _, p in self.named_parameters(include_sublayers=include_sublayers)]

    def named_parameters(
        self, prefix: str = "", include_sublayers: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Dotted name and value of all parameters, each once."""
        return self._named("_parameters", prefix, include_sublayers)

    def buffers(self, include_sublayers: bool = True) -> list[Any]:
        """All buffers, each once."""
        return [b for _, b in self.named_buffers(include_sublayers=include_sublayers)]

    def named_buffers(
        self, prefix: str = "", include_sublayers: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Dotted name and value of all buffers, each once."""
        return self._named("_buffers", prefix, include_sublayers)

    def _named(self, kind: str, prefix: str, below: bool) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        layers = self.named_sublayers(prefix, include_self=True) if below else [(prefix, self)]
        for place, layer in layers:
            for name, value in layer.__dict__[kind].items():
                if value is not None and id(value) not in seen:
                    seen.add(id(value))
                    yield f"{place}.{name}" if place else name, value

    def _own(self, kind: str, name: str, value: Any) -> None:
        """Put `value` under `name`, which stands for nothing else from now on."""
        space = self.__dict__
        if kind not in space:
            raise _not_initialized(self)
        space.pop(name, None)
        for other in KINDS:
            if other != kind:
                space[other].pop(name, None)
        if kind != "_buffers":
            self._non_persistable_buffer_names_set.discard(name)
        space[kind][name] = value
        count_change(self)

    def _empty(self, kind: str, name: str, value: Any, expected: str) -> None:
        if value is not None:
            raise TypeMismatchError(
                f"{name!r} of {type(self).__name__} must be {expected} or None, "
                f"received {type(value).__name__}",
                cure=f"delete it first: del layer.{name}",
            )
        self.__dict__[kind][name] = None

    def _set_buffer(self, name: str, value: Any) -> None:
        """A symbol becomes the next value of the buffer; None empties it."""
        buffer = self._buffers[name]
        if isinstance(value, Value) and buffer is not None:
            current().rebind(buffer, value)
        elif isinstance(value, Value):
            self._buffers[name] = value
        else:
            self._empty("_buffers", name, value, "a Tensor")

    def _check_new_name(self, kind: str, name: Any) -> None:
        if "_parameters" not in self.__dict__:
            raise _not_initialized(self)
        if not isinstance(name, str):
            kind_of_name = type(name).__name__
            raise TypeMismatchError(
                f"the name of a {kind} must be a string, received {kind_of_name}"
            )
        if not name or "." in name:
            raise ArgumentError(
                f"the name of a {kind} must not be empty or have a dot: {name!r}",
                cure="use letters, digits and underscores",
            )
        if hasattr(self, name) and name not in self.__dict__[f"_{kind}s"]:
            raise ArgumentError(
                f"{type(self).__name__} has an attribute {name!r} already",
                cure="choose another name",
            )


def _not_initialized(layer: Members) -> ProgramError:
    kind = type(layer).__name__
    return ProgramError(
        f"{kind} is given a member before it is initialized",
        cure=f"call super().__init__() first in {kind}.__init__",
    )
