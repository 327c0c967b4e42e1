"""Clipping of gradients, by the names and arguments of Paddle 1.8."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from twinoar.core.ir.program import State
from twinoar.core.public import declared
from twinoar.errors import TypeMismatchError
from twinoar.fluid.absent import refusing
from twinoar.nn import clip as modern
from twinoar.nn.clip import ClipGradBase, Pairs
from twinoar.static.mode import default_main_program
from twinoar.static.program import Program

NeedClip = Callable[[Any], bool] | None


class _Chosen(ClipGradBase):
    """Clips the gradients of the parameters that `need_clip` is true for; None is all."""

    def _choose(self, need_clip: NeedClip) -> None:
        if need_clip is not None and not callable(need_clip):
            kind = type(need_clip).__name__
            raise TypeMismatchError(f"need_clip must be a function of a parameter, received {kind}")
        self._need_clip = need_clip

    def __call__(self, params_grads: Pairs) -> list[tuple[Any, Any]]:
        """The pairs that have a gradient, with the gradients clipped."""
        pairs = [(p, g) for p, g in params_grads if g is not None]
        chosen = [(p, g) for p, g in pairs if self._need_clip is None or self._need_clip(p)]
        clipped = {id(p): g for p, g in super().__call__(chosen)}
        return [(p, clipped.get(id(p), g)) for p, g in pairs]


class GradientClipByValue(_Chosen, modern.ClipGradByValue):
    """Each element of a gradient is brought into [min, max]; min None means -max.

    need_clip: a function of a parameter that says whether its gradient is clipped.
    """

    def __init__(self, max: float, min: float | None = None, need_clip: NeedClip = None):
        super().__init__(max, min)
        self._choose(need_clip)


class GradientClipByNorm(_Chosen, modern.ClipGradByNorm):
    """A gradient whose 2-norm exceeds clip_norm is scaled down to it. need_clip: see ByValue."""

    def __init__(self, clip_norm: float, need_clip: NeedClip = None):
        super().__init__(clip_norm)
        self._choose(need_clip)


class GradientClipByGlobalNorm(_Chosen, modern.ClipGradByGlobalNorm):
    """Gradients whose 2-norm all together exceeds clip_norm are scaled down together.

    group_name: accepted. need_clip: see ByValue.
    """

    def __init__(
        self, clip_norm: float, group_name: str = "default_group", need_clip: NeedClip = None
    ):
        super().__init__(clip_norm, group_name)
        self._choose(need_clip)


def set_gradient_clip(
    clip: ClipGradBase, param_list: Iterable[Any] | None = None, program: Program | None = None
) -> None:
    """Let optimizers that have no `grad_clip` of their own clip the gradients of `param_list`.

    param_list: parameters or their names, all of `program` by default, the default main Program.
    Raises TypeMismatchError for what clips no gradients, UnknownNameError for an unknown name.
    """
    warnings.warn("set_gradient_clip is deprecated: give the optimizer grad_clip", stacklevel=2)
    if not isinstance(clip, ClipGradBase):
        raise TypeMismatchError(
            f"clip must clip gradients, received {type(clip).__name__}",
            cure="use fluid.clip.GradientClipByGlobalNorm(1.0), or a kin of it",
        )
    program = default_main_program() if program is None else program
    for parameter in program.all_parameters() if param_list is None else param_list:
        found = program.main.var(parameter) if isinstance(parameter, str) else parameter
        if not isinstance(found, State):
            raise TypeMismatchError(
                f"param_list takes parameters of a Program, received {type(found).__name__}",
                cure="in dynamic mode give the optimizer grad_clip",
            )
        parameter_of_program: Any = found
        parameter_of_program.gradient_clip_attr = clip


def clipped_by_attribute(params_grads: Pairs) -> list[tuple[Any, Any]]:
    """The pairs, clipped by what `set_gradient_clip` has given their parameters."""
    of_pair = [getattr(p, "gradient_clip_attr", None) for p, _ in params_grads]
    new = {id(p): g for p, g in params_grads}
    for clip in {id(c): c for c in of_pair if c is not None}.values():
        own = [pair for pair, c in zip(params_grads, of_pair, strict=True) if c is clip]
        new |= {id(p): g for p, g in clip(own)}
    return [(p, new[id(p)]) for p, _ in params_grads]


__getattr__ = refusing(
    __name__,
    {
        "ErrorClipByValue": "clip the gradients of parameters: the optimizer's grad_clip",
        "append_gradient_clip_ops": "give the optimizer grad_clip",
    },
)

__all__ = declared(globals(), but=("clipped_by_attribute",))
