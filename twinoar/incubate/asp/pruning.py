"""Weights with n of m zeros, and optimizers that keep them."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.autograd import no_grad
from twinoar.core.interpreter import current
from twinoar.core.ir.program import State
from twinoar.eager.tensor import Tensor
from twinoar.errors import ProgramError, TypeMismatchError, UnknownNameError
from twinoar.incubate.asp.masks import CheckMethod, MaskAlgo, check_sparsity, create_mask
from twinoar.nn.layer import Layer, snake_case
from twinoar.ops.create.fill import ones_like
from twinoar.optimizer import Optimizer
from twinoar.static import Program, create_global_var, default_main_program, global_scope

Pruning = Callable[[np.ndarray, int, int, MaskAlgo, str], tuple[np.ndarray, np.ndarray]]

MASK = ".asp_mask"
WEIGHT = re.compile(r"(.+?)(_\d+)?\.w_\d+")  # linear_0.w_0: a weight of a layer of that kind
ALGORITHMS = {
    "mask_1d": MaskAlgo.MASK_1D,
    "mask_2d_greedy": MaskAlgo.MASK_2D_GREEDY,
    "mask_2d_best": MaskAlgo.MASK_2D_BEST,
}


def prune(
    weight: np.ndarray, m: int, n: int, func_algo: MaskAlgo, param_name: str
) -> tuple[np.ndarray, np.ndarray]:
    """The weight of a layer with n of m zeros along its inputs, and the mask; whole if it has less
    than m inputs.
    """
    if weight.ndim not in (2, 4) or weight.shape[0 if weight.ndim == 2 else 1] < m:
        return weight, np.ones_like(weight)
    mask = create_mask(weight.T, func_algo, n, m).T
    pruned = weight * mask
    if not check_sparsity(pruned.T, CheckMethod.get_checking_method(func_algo), n, m):
        raise ProgramError(f"{param_name}: {func_algo.value} leaves less than {n} of {m} zeros")
    return pruned, mask


_supported: dict[str, Pruning] = {"fc": prune, "linear": prune, "conv2d": prune}
_excluded: weakref.WeakKeyDictionary[Program, set[str]] = weakref.WeakKeyDictionary()
_decorated: weakref.WeakSet[OptimizerWithSparsityGuarantee] = weakref.WeakSet()


def add_supported_layer(layer: Any, pruning_func: Pruning | None = None) -> None:
    """Let weights of another kind of layer be pruned.

    layer: a Layer, a class of layers, or the name of a kind or of a parameter. pruning_func: gets
    weight, m, n, algorithm and name, and returns the weight and its mask. Raises TypeMismatchError.

    >>> twinoar.incubate.asp.add_supported_layer(twinoar.nn.Embedding)
    """
    if isinstance(layer, Layer):
        layer = type(layer)
    name = snake_case(layer.__name__) if isinstance(layer, type) else layer
    if not isinstance(name, str):
        raise TypeMismatchError(f"expected a layer or its name, received {type(layer).__name__}")
    _supported[name] = pruning_func or prune


def set_excluded_layers(param_names: Sequence[str], main_program: Program | None = None) -> None:
    """Leave these out of pruning: names of parameters, or of layers (`layer.full_name()`).

    main_program: of which Program they are; None for the default one, and for layers.
    """
    names = [param_names] if isinstance(param_names, str) else param_names
    _excluded.setdefault(main_program or default_main_program(), set()).update(names)


def reset_excluded_layers(main_program: Program | None = None) -> None:
    """Leave nothing out any more; of one Program, or of all for None."""
    if main_program is None:
        _excluded.clear()
    else:
        _excluded.pop(main_program, None)


def prune_model(
    model: Layer | Program,
    n: int = 2,
    m: int = 4,
    mask_algo: str = "mask_1d",
    with_mask: bool = True,
) -> dict[str, np.ndarray]:
    """Set n of m neighbors to 0 in the weights of linear layers and of convolutions of images.

    Neighbors are weights of one result for m inputs in a row. mask_algo: "mask_1d",
    "mask_2d_greedy" or "mask_2d_best". with_mask: let a decorated optimizer keep the zeros; False
    for what is not trained further. Returns the masks by the names of parameters, which are as
    Paddle makes them: those with names of their own are pruned after `add_supported_layer`. Raises
    UnknownNameError, ArgumentError, TypeMismatchError, ProgramError where with_mask is True and no
    optimizer is decorated.

    >>> layer = twinoar.nn.Linear(8, 4)
    >>> masks = twinoar.incubate.asp.prune_model(layer, with_mask=False)
    >>> twinoar.incubate.asp.calculate_density(layer.weight.numpy())
    0.5
    """
    if mask_algo not in ALGORITHMS:
        allowed = ", ".join(ALGORITHMS)
        raise UnknownNameError(f"mask_algo must be one of {allowed}, received {mask_algo!r}")
    if not isinstance(model, (Layer, Program)):
        kind = type(model).__name__
        raise TypeMismatchError(f"model must be a Layer or a Program, received {kind}")
    program = model if isinstance(model, Program) else default_main_program()
    found = {}
    for parameter in _parameters(model):
        function = _pruning_of(parameter.name, program)
        if function is None:
            continue
        weight = np.asarray(_held(parameter))
        pruned, mask = function(weight, m, n, ALGORITHMS[mask_algo], parameter.name)
        if with_mask:
            for kept in _masks_of(parameter):
                _put(kept, mask)
        _put(_held(parameter), pruned)
        found[parameter.name] = mask
    return found


def decorate(optimizer: Optimizer) -> OptimizerWithSparsityGuarantee:
    """An optimizer whose steps leave at 0 what `prune_model` has set to 0.

    >>> layer = twinoar.nn.Linear(8, 4)
    >>> inner = twinoar.optimizer.SGD(0.1, parameters=layer.parameters())
    >>> optimizer = twinoar.incubate.asp.decorate(inner)
    >>> masks = twinoar.incubate.asp.prune_model(layer)
    >>> layer(twinoar.ones([1, 8])).sum().backward()
    >>> optimizer.step()
    >>> twinoar.incubate.asp.calculate_density(layer.weight.numpy())
    0.5
    """
    return OptimizerWithSparsityGuarantee(optimizer)


class OptimizerWithSparsityGuarantee:
    """What `decorate` returns: after each step weights are multiplied with their masks.

    Methods and attributes that are not here are those of the inner optimizer.
    """

    def __init__(self, optimizer: Optimizer):
        if not isinstance(optimizer, Optimizer):
            kind = type(optimizer).__name__
            raise TypeMismatchError(f"expected an optimizer, received {kind}")
        self._optimizer = optimizer
        self._masked: list[tuple[Any, Any]] = []
        program = default_main_program()
        for parameter in optimizer._parameter_list or ():
            if _pruning_of(parameter.name, program) and isinstance(parameter, Tensor):
                mask: Any = ones_like(parameter.detach())
                mask.name = parameter.name + MASK
                self._masked.append((parameter, mask))
        _decorated.add(self)

    def __getattr__(self, name: str) -> Any:
        if name == "_optimizer":  # while it is being copied
            raise AttributeError(name)
        return getattr(self._optimizer, name)

    def step(self) -> None:
        """A step of the inner optimizer, and zeros where they were."""
        self._optimizer.step()
        self._keep_zeros()

    def minimize(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameters: Any = None,
        no_grad_set: Any = None,
    ) -> tuple[list, list]:
        """As `step`, by `minimize` of the inner optimizer; returns what that returns."""
        found = self._optimizer.minimize(loss, startup_program, parameters, no_grad_set)
        if not isinstance(loss, Tensor) and not current().traces:
            self._create_masks([parameter for parameter, _ in found[1]])
        self._keep_zeros()
        return found

    def state_dict(self) -> dict[str, Any]:
        """The state of the inner optimizer, and the masks by the names of parameters."""
        masks = {parameter.name + MASK: mask for parameter, mask in self._masked}
        return {**self._optimizer.state_dict(), **masks}

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from what `state_dict` returned, for parameters of the same names."""
        inner = dict(state_dict)
        for parameter, mask in self._masked:
            if parameter.name + MASK in inner:
                mask.set_value(inner.pop(parameter.name + MASK))
        self._optimizer.set_state_dict(inner)

    def _create_masks(self, parameters: Sequence[Any]) -> None:
        """A mask for each weight of the Program that is being built."""
        program = default_main_program()
        for p in parameters:
            if _pruning_of(p.name, program):
                name = p.name + MASK
                mask = create_global_var(p.shape, 1.0, p.dtype, persistable=True, name=name)
                self._masked.append((p, mask))

    @no_grad()
    def _keep_zeros(self) -> None:
        for parameter, mask in self._masked:
            current().rebind(parameter, parameter * mask)


def _parameters(model: Layer | Program) -> list[Any]:
    found = model.all_parameters() if isinstance(model, Program) else model.parameters()
    return list(found)


def _pruning_of(name: str, program: Program) -> Pruning | None:
    """What prunes the parameter called so; None where it is left as it is."""
    for excluded in _excluded.get(program, ()):
        if name == excluded or name.startswith(f"{excluded}."):
            return None
    if name in _supported:
        return _supported[name]
    kind = WEIGHT.fullmatch(name)
    return _supported.get(kind.group(1)) if kind else None


def _held(parameter: Any) -> Any:
    """What holds the data: the tensor, or an entry of the scope."""
    return _in_scope(parameter.name) if isinstance(parameter, State) else parameter


def _masks_of(parameter: Any) -> list[Any]:
    """The masks that optimizers multiply with. Raises ProgramError where there is none."""
    if isinstance(parameter, State):
        return [_in_scope(parameter.name + MASK)]
    pairs = [pair for optimizer in _decorated for pair in optimizer._masked]
    found = [mask for masked, mask in pairs if masked is parameter]
    if not found:
        raise ProgramError(
            f"no optimizer keeps the zeros of {parameter.name}",
            cure="call asp.decorate(optimizer) first, or prune_model(..., with_mask=False)",
        )
    return found


def _in_scope(name: str) -> Any:
    found = global_scope().find_var(name)
    if found is None:
        raise ProgramError(
            f"there is no {name} in the scope",
            cure="minimize by asp.decorate(optimizer), and run the startup Program first",
        )
    return found


def _put(target: Any, array: np.ndarray) -> None:
    if isinstance(target, Tensor):
        target.set_value(array)
    else:
        target.set(array)
