"""`decorate`: an optimizer whose `minimize` makes the Program compute in lower precision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from twinoar.amp.auto_casting import check_level, low_dtype
from twinoar.core import unique_name
from twinoar.core.dtype import float32, int32
from twinoar.core.interpreter import current
from twinoar.core.ir.program import State, Variable
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError
from twinoar.ops.index.selected_rows import elements, with_elements
from twinoar.ops.math.cast import astype, cast
from twinoar.ops.math.fill import fill
from twinoar.ops.optimizer.loss_scaling import check_finite_and_unscale, update_loss_scaling
from twinoar.optimizer.optimizer import Optimizer, ParamsGrads
from twinoar.static.amp.lists import AutoMixedPrecisionLists
from twinoar.static.amp.rewriting import cast_model_to_fp16, cast_parameters_to_fp16
from twinoar.static.backward import program_of
from twinoar.static.mode import building
from twinoar.static.program import Program
from twinoar.static.scope import Scope


class OptimizerWithMixedPrecision:
    """An optimizer that lowers the Program of its loss, and scales that: `decorate` makes it."""

    def __init__(
        self,
        optimizer: Optimizer,
        amp_lists: AutoMixedPrecisionLists,
        level: str,
        dtype: str,
        init_loss_scaling: float,
        use_dynamic_loss_scaling: bool,
        incr_every_n_steps: int,
        decr_every_n_nan_or_inf: int,
        incr_ratio: float,
        decr_ratio: float,
        use_amp_guard: bool | None = None,
        use_master_grad: bool = False,
        use_promote: bool = False,
    ):
        check_level(level)
        self._optimizer, self._amp_lists = optimizer, amp_lists
        self._level, self._low = level, low_dtype(dtype)
        self._initial, self._is_dynamic = init_loss_scaling, use_dynamic_loss_scaling
        self._settings = {
            "incr_every_n_steps": incr_every_n_steps,
            "decr_every_n_nan_or_inf": decr_every_n_nan_or_inf,
            "incr_ratio": incr_ratio,
            "decr_ratio": decr_ratio,
        }
        self._is_guarded = level == "O2" if use_amp_guard is None else bool(use_amp_guard)
        self._use_promote = use_promote
        self._has_master_grad = use_master_grad
        self._lowered: set[str] = set()
        self._program: Program | None = None
        self._scaling: list[State] = []  # the scale, and the counts of good and bad steps
        self._scaled_loss: Variable | None = None

    def __getattr__(self, name: str) -> Any:
        if name == "_optimizer":  # of a copy that is being made
            raise AttributeError(name)
        return getattr(self._optimizer, name)

    def get_loss_scaling(self) -> State:
        """The scale, [1], a state of the Program. Raises ProgramError before `backward`."""
        return self._begun()[0]

    def get_scaled_loss(self) -> Variable | None:
        """The loss times the scale; None before `backward`."""
        return self._scaled_loss

    def backward(
        self,
        loss: Variable,
        startup_program: Program | None = None,
        parameter_list: Sequence[Any] | None = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: Sequence[Callable[..., Any]] | None = None,
    ) -> ParamsGrads:
        """Lower the Program of the loss, scale it, append its backward: (parameter, gradient).

        Gradients are scaled until `apply_gradients`.
        """
        program = self._program = program_of(loss, "loss")
        self._lowered = cast_model_to_fp16(
            program,
            self._amp_lists,
            self._is_guarded,
            self._low,
            self._level,
            self._use_promote,
        )
        with building(program, startup_program, "forward") as builder:
            if builder.startup is not None:
                _lower_startup(builder.startup, program, self._lowered)
            self._scaling = [
                _state("loss_scaling", [1], float32, self._initial),
                _state("num_good_steps", [1], int32, 0),
                _state("num_bad_steps", [1], int32, 0),
            ]
            wide = astype(loss, float32)
            self._scaled_loss = wide * self._scaling[0].reshape(wide.shape)
        return self._optimizer.backward(
            self._scaled_loss, startup_program, parameter_list, no_grad_set, callbacks
        )

    def apply_gradients(self, params_grads: ParamsGrads) -> list[Any]:
        """Divide gradients by the scale, update parameters unless one overflowed, then the scale.

        Returns the appended operators. Raises ProgramError before `backward`.
        """
        return self._apply(params_grads, None)

    def apply_optimize(
        self, loss: Variable, startup_program: Program | None, params_grads: ParamsGrads
    ) -> list[Any]:
        """`apply_gradients`."""
        return self._apply(params_grads, startup_program)

    def minimize(
        self,
        loss: Variable,
        startup_program: Program | None = None,
        parameter_list: Sequence[Any] | None = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> tuple[list[Any], ParamsGrads]:
        """`backward` and `apply_gradients`: the appended operators, and (parameter, gradient)."""
        pairs = self.backward(loss, startup_program, parameter_list, no_grad_set)
        return self._apply(pairs, startup_program), pairs

    def amp_init(
        self,
        place: Any,
        scope: Scope | None = None,
        test_program: Program | None = None,
        use_fp16_test: bool = False,
        rewrite_master_weight: bool = False,
    ) -> None:
        """Convert parameters that were initialized, or loaded, as float32; after `minimize`.

        test_program, use_fp16_test: also make this Program, a clone from before, compute in lower
        precision. Raises ProgramError before `backward`.
        """
        self._begun()
        assert self._program is not None
        cast_parameters_to_fp16(place, self._program, scope, self._lowered)
        if test_program is not None and use_fp16_test:
            cast_model_to_fp16(
                test_program,
                self._amp_lists,
                self._is_guarded,
                self._low,
                self._level,
                self._use_promote,
            )

    def _begun(self) -> list[State]:
        if not self._scaling:
            raise ProgramError(
                "there is no loss to scale yet", cure="call minimize(loss), or backward(loss)"
            )
        return self._scaling

    def _apply(self, params_grads: ParamsGrads, startup: Program | None) -> list[Any]:
        scale, good, bad = self._begun()
        program = self._program
        assert program is not None
        before = len(program.main.ops)
        pairs = [(p, g) for p, g in params_grads if g is not None]
        with building(program, startup, "optimize") as builder:
            wide = [
                g.astype(float32) if self._has_master_grad and g.dtype is self._low else g
                for _, g in pairs
            ]
            found, *made = check_finite_and_unscale(scale, [elements(g) for g in wide])
            if self._is_dynamic:
                new = update_loss_scaling(found, scale, good, bad, [], **self._settings)
        kept = zip(pairs, wide, made, strict=True)
        unscaled = [(p, with_elements(g, new)) for (p, _), g, new in kept]
        with self._optimizer.skipping(found):
            self._optimizer._apply(unscaled, startup)
        if self._is_dynamic:
            for state, value in zip((scale, good, bad), new, strict=True):
                builder.rebind(state, value)
        return program.main.ops[before:]


def decorate(
    optimizer: Optimizer,
    amp_lists: AutoMixedPrecisionLists | None = None,
    *given: Any,
    **named: Any,
) -> OptimizerWithMixedPrecision:
    """An optimizer whose `minimize` makes a Program train in lower precision.

    Two spellings, as in Paddle. With `level` ("O1" or "O2"), `dtype`, master_weight, master_grad,
    init_loss_scaling=2**16, incr_every_n_steps=2000, decr_every_n_nan_or_inf=1, incr_ratio=2.0,
    decr_ratio=0.5, use_dynamic_loss_scaling, use_amp_guard=False, use_promote=False; or with
    init_loss_scaling=2**15, incr_every_n_steps=1000, decr_every_n_nan_or_inf=2, incr_ratio=2.0,
    decr_ratio=0.8, use_dynamic_loss_scaling=True, use_pure_fp16=False, use_fp16_guard=None,
    use_bf16=False, use_promote=False. use_dynamic_loss_scaling: by default for float16 alone.
    Raises TypeMismatchError for what is no optimizer and for unknown arguments, ArgumentError.
    """
    if not isinstance(optimizer, Optimizer):
        raise TypeMismatchError(f"expected an optimizer, received {type(optimizer).__name__}")
    is_older = OLDER_ALONE & named.keys() or (given and not isinstance(given[0], str))
    settings = _older(*given, **named) if is_older else _newer(*given, **named)
    if settings["level"] == "O2":
        optimizer._multi_precision = settings.pop("master_weight") is not False
    else:
        settings.pop("master_weight")
    lists = AutoMixedPrecisionLists(dtype=settings["dtype"]) if amp_lists is None else amp_lists
    if lists.amp_dtype != settings["dtype"]:
        raise ArgumentError(
            f"amp_lists are for {lists.amp_dtype}, the dtype is {settings['dtype']}",
            cure="pass dtype= to the lists too",
        )
    return OptimizerWithMixedPrecision(optimizer, lists, **settings)


OLDER_ALONE = {"use_pure_fp16", "use_fp16_guard", "use_bf16"}


def _newer(
    level: str = "O1",
    dtype: str = "float16",
    master_weight: bool | None = None,
    master_grad: bool = False,
    init_loss_scaling: float = 2.0**16,
    incr_every_n_steps: int = 2000,
    decr_every_n_nan_or_inf: int = 1,
    incr_ratio: float = 2.0,
    decr_ratio: float = 0.5,
    use_dynamic_loss_scaling: bool | None = None,
    use_amp_guard: bool = False,
    use_promote: bool = False,
) -> dict[str, Any]:
    is_dynamic = (
        dtype == "float16" if use_dynamic_loss_scaling is None else use_dynamic_loss_scaling
    )
    return {
        "level": level,
        "dtype": dtype,
        "master_weight": master_weight,
        "init_loss_scaling": init_loss_scaling if is_dynamic or dtype == "float16" else 1.0,
        "use_dynamic_loss_scaling": is_dynamic,
        "incr_every_n_steps": incr_every_n_steps,
        "decr_every_n_nan_or_inf": decr_every_n_nan_or_inf,
        "incr_ratio": incr_ratio,
        "decr_ratio": decr_ratio,
        "use_amp_guard": use_amp_guard,
        "use_master_grad": master_grad,
        "use_promote": use_promote,
    }


def _older(
    init_loss_scaling: float = 2.0**15,
    incr_every_n_steps: int = 1000,
    decr_every_n_nan_or_inf: int = 2,
    incr_ratio: float = 2.0,
    decr_ratio: float = 0.8,
    use_dynamic_loss_scaling: bool = True,
    use_pure_fp16: bool = False,
    use_fp16_guard: bool | None = None,
    use_bf16: bool = False,
    use_promote: bool = False,
) -> dict[str, Any]:
    level = "O2" if use_pure_fp16 else "O1"
    return {
        "level": level,
        "dtype": "bfloat16" if use_bf16 else "float16",
        "master_weight": None,
        "init_loss_scaling": 1.0 if use_bf16 else init_loss_scaling,
        "use_dynamic_loss_scaling": use_dynamic_loss_scaling and not use_bf16,
        "incr_every_n_steps": incr_every_n_steps,
        "decr_every_n_nan_or_inf": decr_every_n_nan_or_inf,
        "incr_ratio": incr_ratio,
        "decr_ratio": decr_ratio,
        "use_amp_guard": use_fp16_guard if use_pure_fp16 else False,
        "use_promote": use_promote,
    }


def _state(name: str, shape: Sequence[int], dtype: Any, value: float) -> State:
    made: State = current().create_state(
        Spec(tuple(shape), dtype),
        lambda spec: fill(spec.shape, value, spec.dtype),
        unique_name.generate(name),
    )
    return made


def _lower_startup(startup: Program, program: Program, names: Iterable[str]) -> None:
    """Let the startup Program initialize parameters in the dtype that they have now."""
    for name in names:
        state = startup.states.get(name)
        if state is None or state not in startup.updates:
            continue
        low = program.states[name].dtype
        with building(startup, startup, "forward"):
            value = cast(startup.updates[state], low)
        state._spec = Spec(state.spec.shape, low)
        startup.update(state, value)
