"""Single weights of a Program become 0; the Program multiplies them by masks in each run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import State, Variable
from twinoar.errors import ArgumentError
from twinoar.ops.math.arithmetic import multiply
from twinoar.slim.sparsity import is_1x1, quantile, share_of_zeros, sizes_of
from twinoar.slim.unstructured import Gradual, check
from twinoar.static import Program, global_scope
from twinoar.static.scope import Scope

SkipFunction = Callable[[Program], Iterable[str]]


class UnstructuredPruner:
    """Keeps the weights of a Program at 0 that are small.

    program: changed in place, so that operators read weights times masks; made before
    `optimizer.minimize`. mode: "ratio" to set a share of them to 0 at each step, "threshold" those
    below a size. scope: where values are, the global one for None. place: without effect.
    prune_params_type: None for all weights but of norms and biases, "conv1x1_only" for those of
    convolutions of 1 x 1. skip_params_func: takes the Program and returns names of parameters to
    leave alone. local_sparsity: the share of each weight, not of all together. sparse_block: rows
    and columns of blocks that are kept or set to 0 as a whole. Raises UnknownNameError and
    ArgumentError.

    >>> import twinoar as paddle
    >>> from twinoar import static
    >>> main, startup, scope = static.Program(), static.Program(), static.Scope()
    >>> with static.program_guard(main, startup):
    ...     y = static.nn.fc(static.data("x", [None, 8]), 4)
    >>> _ = static.Executor().run(startup, scope=scope)
    >>> pruner = UnstructuredPruner(main, "ratio", ratio=0.5, scope=scope)
    >>> pruner.step()
    >>> pruner.update_params()
    >>> round(UnstructuredPruner.total_sparse(main, scope), 2)  # with the bias, which is 0
    0.56
    """

    def __init__(
        self,
        program: Program,
        mode: str,
        ratio: float = 0.55,
        threshold: float = 0.01,
        scope: Scope | None = None,
        place: Any = None,
        prune_params_type: str | None = None,
        skip_params_func: SkipFunction | None = None,
        local_sparsity: bool = False,
        sparse_block: Sequence[int] = (1, 1),
    ):
        check(mode, ratio, prune_params_type, local_sparsity, sparse_block)
        self.mode, self.ratio, self.threshold = mode, ratio, threshold
        self.scope = scope or global_scope()
        self.local_sparsity, self.sparse_block = local_sparsity, tuple(sparse_block)
        self.thresholds: dict[str, float] = {}
        choose = skip_params_func or (_skip_1x1 if prune_params_type else _skip)
        self.skip_params = set(choose(program))
        chosen = [p for p in program.all_parameters() if p.name not in self.skip_params]
        if not chosen:
            raise ArgumentError(
                "no weight is left to prune", cure="look at what skip_params_func returns"
            )
        self.masks = _masked(program, chosen, self.scope)
        self.no_grad_set = set(self.masks.values())

    def step(self) -> None:
        """Choose by the weights as they are now; runs from now on have zeros there."""
        if self.mode == "ratio":
            self.update_threshold()
        for name in self.masks:
            least = self.thresholds[name] if self.local_sparsity else self.threshold
            sizes = sizes_of(self._value(name), self.sparse_block)
            self._set_mask(name, sizes > least if self.mode == "ratio" else sizes >= least)

    def update_threshold(self) -> None:
        """The size below which the share of weights lies."""
        sizes = {n: sizes_of(self._value(n), self.sparse_block).ravel() for n in self.masks}
        if self.local_sparsity:
            self.thresholds = {n: quantile(x, self.ratio) for n, x in sizes.items()}
        else:
            self.threshold = quantile(np.concatenate(list(sizes.values())), self.ratio)

    def update_params(self) -> None:
        """Set to 0 in the scope what is chosen, as before tests and saving."""
        for name, mask in self.masks.items():
            value = self._value(name)
            chosen = np.array(self.scope.find_var(mask)).astype(value.dtype)
            self.scope.var(name).set(value * chosen)

    def set_static_masks(self) -> None:
        """Choose what is 0 now, to train a sparse Program on as it is."""
        for name in self.masks:
            self._set_mask(name, self._value(name) != 0)

    def summarize_weights(self, program: Program, ratio: float = 0.1) -> float:
        """The size below which a share of all parameters lies, to choose a threshold."""
        values = [np.abs(x).ravel() for x in _values(program.all_parameters(), self.scope)]
        return quantile(np.concatenate(values), ratio)

    def sparse_by_layer(self, program: Program) -> dict[str, float]:
        """The share of zeros of each parameter by name."""
        found = program.all_parameters()
        values = zip(found, _values(found, self.scope), strict=True)
        return {p.name: share_of_zeros([x]) for p, x in values}

    @staticmethod
    def total_sparse(program: Program, scope: Scope | None = None) -> float:
        """The share of zeros among all parameters; scope: the global one for None."""
        return share_of_zeros(_values(program.all_parameters(), scope or global_scope()))

    @staticmethod
    def total_sparse_conv1x1(program: Program, scope: Scope | None = None) -> float:
        """The share of zeros in weights of convolutions of 1 x 1; 0 where there are none."""
        found = [p for p in program.all_parameters() if is_1x1(p)]
        return share_of_zeros(_values(found, scope or global_scope()))

    def _value(self, name: str) -> np.ndarray:
        return np.array(self.scope.find_var(name))

    def _set_mask(self, name: str, mask: np.ndarray) -> None:
        self.scope.var(self.masks[name]).set(mask.astype(np.float32))


class GMPUnstructuredPruner(Gradual, UnstructuredPruner):
    """Sets more and more weights to 0: the share grows fast at first, then slowly.

    ratio, configs: as of `slim.GMPUnstructuredPruner`. The others are as for UnstructuredPruner.
    """

    def __init__(
        self,
        program: Program,
        ratio: float = 0.55,
        scope: Scope | None = None,
        place: Any = None,
        prune_params_type: str | None = None,
        skip_params_func: SkipFunction | None = None,
        local_sparsity: bool = False,
        sparse_block: Sequence[int] = (1, 1),
        configs: Mapping[str, float] | None = None,
    ):
        self._begin(ratio, configs)
        super().__init__(
            program,
            "ratio",
            ratio,
            0.0,
            scope,
            place,
            prune_params_type,
            skip_params_func,
            local_sparsity,
            sparse_block,
        )
        self._begin(ratio, configs)


def _masked(program: Program, chosen: Sequence[State], scope: Scope) -> dict[str, str]:
    """Let operators read weights times masks of ones; the names of masks by those of weights."""
    ops, masks = list(program.main.ops), {}
    new: dict[Variable, Variable] = {}
    builder = Builder(program, at=0)
    with using(builder):
        for weight in chosen:
            mask = program.add_state(weight.spec, f"{weight.name}_mask")
            scope.var(mask.name).set(np.ones(weight.spec.shape, np.float32))
            new[weight], masks[weight.name] = multiply(weight, mask), mask.name
    for o in ops:
        if o.role != "optimize":
            o.operands = tuple(new.get(x, x) if isinstance(x, Variable) else x for x in o.operands)
    return masks


def _values(parameters: Iterable[State], scope: Scope) -> list[np.ndarray]:
    return [np.array(scope.find_var(p.name)) for p in parameters]


def _skip(program: Program) -> set[str]:
    """Biases, and what norms read."""
    norms = [o for o in program.main.walk() if "norm" in o.op.name]
    read = {x.name for o in norms for x in o.operands if isinstance(x, State)}
    return read | {p.name for p in program.all_parameters() if len(p.shape) == 1}


def _skip_1x1(program: Program) -> set[str]:
    return _skip(program) | {p.name for p in program.all_parameters() if not is_1x1(p)}
