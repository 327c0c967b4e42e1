"""What an optimizer remembers of each parameter, and how that is saved and loaded.

An entry is called as Paddle calls it: `linear_0.w_0_moment1_0`. The number at the end tells apart
the optimizers of one process, so it is not looked at when a state is loaded.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from twinoar.core import unique_name
from twinoar.core.dtype import DType, bfloat16, float16, float32
from twinoar.core.interpreter import beside, current
from twinoar.core.ir.program import State
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.eager.elsewhere import next_of
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, ProgramError, ShapeError, UnknownNameError
from twinoar.late import dataclass
from twinoar.ops.math.cast import cast
from twinoar.ops.math.fill import fill
from twinoar.static.scope import global_scope

NARROW = (float16, bfloat16)  # updates of these are computed in float32
MASTER_WEIGHTS = "master_weights"


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing that a rule remembers of a parameter: of its shape, or one number of shape [1].

    It begins as `value` everywhere. rows: as many of the parameter's shape, stacked. dtype: not the
    parameter's, but this.
    """

    name: str
    value: float = 0.0
    is_single: bool = False
    rows: int | None = None
    dtype: DType | None = None

    def spec_for(self, parameter: Value) -> Spec:
        """Shape and dtype: the parameter's, but float32 for 16-bit floats."""
        dtype = self.dtype or (float32 if parameter.dtype in NARROW else parameter.dtype)
        rows = () if self.rows is None else (self.rows,)
        return Spec((1,) if self.is_single else (*rows, *parameter.spec.shape), dtype)

    def key_for(self, parameter: Any) -> str:
        """The name of the entry, without the number at its end."""
        return f"{parameter.name}_{self.name}"


@dataclass(frozen=True, slots=True)
class Slot:
    """What is remembered of one parameter; `master` is a float32 copy of a 16-bit one, or None."""

    parameter: Any
    is_narrow: bool
    states: tuple[Any, ...]
    master: Any

    def write(self, arrays: tuple[np.ndarray, ...], master: np.ndarray | None) -> None:
        """Replace the values."""
        for state, array in zip(self.states, arrays, strict=bool(arrays)):
            _write(state, array)
        if self.master is not None and master is not None:
            _write(self.master, master)


class Memory:
    """The slots of one optimizer by parameter; each is made on first use.

    moments_of: what the rule remembers of a parameter. has_masters: whether 16-bit parameters have
    a float32 copy.
    """

    def __init__(
        self, moments_of: Callable[[Any], tuple[Moment, ...]], has_masters: Callable[[], bool]
    ):
        self._moments_of, self._has_masters = moments_of, has_masters
        self._slots: dict[int, Slot] = {}  # by the id of the parameter, which the slot keeps alive
        self._loaded: SavedState | None = None  # for parameters that are not known yet
        self._place: Callable[[str, Any, Any], Any] | None = None

    def place_by(self, place: Callable[[str, Any, Any], Any]) -> None:
        """Let what is remembered lie as `place(key, parameter, state)` says, before the first step.

        Raises ArgumentError after it.
        """
        if self._slots:
            raise ArgumentError("the optimizer has taken a step: its moments lie where they are")
        self._place = place

    @property
    def is_empty(self) -> bool:
        """True before the first step."""
        return not self._slots

    def slot(self, parameter: Any) -> Slot:
        """The slot of `parameter`."""
        found = self._slots.get(id(parameter))
        if found is None:
            narrow = parameter.dtype in NARROW
            moments = self._moments_of(parameter)
            states = tuple(_beside(parameter, _create(parameter, m)) for m in moments)
            if self._place is not None:
                placed = zip(moments, states, strict=True)
                states = tuple(self._place(m.key_for(parameter), parameter, s) for m, s in placed)
            has_master = narrow and self._has_masters()
            master = _beside(parameter, _create_master(parameter)) if has_master else None
            found = self._slots[id(parameter)] = Slot(parameter, narrow, states, master)
            if self._loaded is not None:
                arrays = self._loaded.arrays_for(parameter, self._moments_of(parameter))
                found.write(arrays, self._loaded.master_for(parameter))
        return found

    def like(self, parameter: Any) -> list[Any]:
        """What is remembered of each element of a parameter: tensors whose last axes are its own.

        Empty before its first step.
        """
        slot = self._slots.get(id(parameter))
        if slot is None:
            return []
        moments = zip(slot.states, self._moments_of(parameter), strict=True)
        found = [state for state, moment in moments if not moment.is_single]
        return found if slot.master is None else [*found, slot.master]

    def state_dict(self) -> dict[str, Any]:
        """All entries by name: the first moment of each parameter, then the second, and so on."""
        current().python_effect("state_dict of an optimizer")
        slots = list(self._slots.values())
        count = max((len(s.states) for s in slots), default=0)
        found: dict[str, Any] = {
            s.states[i].name: s.states[i] for i in range(count) for s in slots if i < len(s.states)
        }
        masters = {s.parameter.name: s.master for s in slots if s.master is not None}
        return {**found, MASTER_WEIGHTS: masters} if masters else found

    def load(self, state_dict: Mapping[str, Any], parameters: Iterable[Any]) -> None:
        """Take the values in `state_dict`; `parameters` are those to train, as far as known.

        Raises UnknownNameError where entries are missing, or none is for any parameter, and
        ShapeError where one does not fit; then nothing is changed. Warns of entries nobody uses.
        """
        saved = SavedState(state_dict)
        known = {id(p): p for p in (*parameters, *(s.parameter for s in self._slots.values()))}
        values = {i: saved.arrays_for(p, self._moments_of(p)) for i, p in known.items()}
        lacking = [s.parameter.name for i, s in self._slots.items() if s.states and not values[i]]
        if lacking:
            raise UnknownNameError(
                f"the state has nothing for {', '.join(lacking)}",
                cure="load the state of an optimizer of the same class and parameters",
            )
        if known and saved.unused:
            self._complain(saved, known, any(values.values()))
        for i, p in known.items():
            if values[i] or id(p) in self._slots:
                self.slot(p).write(values[i], saved.master_for(p))
        self._loaded = None if known else saved

    def _complain(self, saved: SavedState, known: Mapping[int, Any], some_fit: bool) -> None:
        names = sorted(saved.unused)
        if some_fit or not any(self._moments_of(p) for p in known.values()):
            warnings.warn(f"the optimizer has no use for the entries {names}", stacklevel=4)
            return
        wanted = next(m.key_for(p) for p in known.values() for m in self._moments_of(p))
        raise UnknownNameError(
            f"no entry is for a parameter of this optimizer: it has {names[0]}, wanted is {wanted}",
            cure="layers are named in the order they are made: make them so again, or give the "
            "parameters names with ParamAttr(name=...)",
        )


class SavedState:
    """The entries of a saved state, found by parameter and moment; `unused` are the others."""

    def __init__(self, state_dict: Mapping[str, Any]):
        self._masters = state_dict.get(MASTER_WEIGHTS, {})
        self._entries = {k: v for k, v in state_dict.items() if not isinstance(v, Mapping)}
        self._keys = {key.rpartition("_")[0]: key for key in self._entries}
        self.unused = set(self._entries)

    def arrays_for(self, parameter: Any, moments: tuple[Moment, ...]) -> tuple[np.ndarray, ...]:
        """The value of each moment of one parameter; () where there are none.

        Raises UnknownNameError where only some are there, ShapeError where one does not fit.
        """
        keys = [self._keys.get(m.key_for(parameter)) for m in moments]
        if all(key is None for key in keys):
            return ()
        arrays = []
        for moment, key in zip(moments, keys, strict=True):
            if key is None:
                raise UnknownNameError(
                    f"the state has no {moment.key_for(parameter)}, but others of that parameter",
                    cure="load the state of an optimizer of the same class",
                )
            arrays.append(_fitting(self._entries[key], moment.spec_for(parameter), key))
            self.unused.discard(key)
        return tuple(arrays)

    def master_for(self, parameter: Any) -> np.ndarray | None:
        """The float32 copy of a 16-bit parameter, or None."""
        found = self._masters.get(parameter.name)
        spec = Spec(parameter.spec.shape, float32)
        return None if found is None else _fitting(found, spec, f"the master of {parameter.name}")


def _create(parameter: Any, moment: Moment) -> Any:
    return beside(parameter).create_state(
        moment.spec_for(parameter),
        lambda spec: fill(spec.shape, moment.value, spec.dtype),
        unique_name.generate(moment.key_for(parameter)),
    )


def _create_master(parameter: Any) -> Any:
    return beside(parameter).create_state(
        Spec(parameter.spec.shape, float32),
        _MasterOf(parameter),
        unique_name.generate(f"{parameter.name}_fp32_master"),
    )


def _beside(parameter: Any, state: Any) -> Any:
    """The state, which lies on a device as its parameter does: whole, each step would cut it."""
    if isinstance(state, Tensor) and isinstance(parameter, Tensor):
        state._data = next_of(parameter._data, state._data)
    return state


class _MasterOf:
    """Initializes a float32 copy of a parameter, in a startup Program after the parameter."""

    reads_others = True

    def __init__(self, parameter: Any):
        self.parameter = parameter

    def __call__(self, spec: Spec) -> Any:
        return cast(_initial(self.parameter), spec.dtype)


def _initial(parameter: Any) -> Any:
    """The parameter as an initializer sees it: in a startup Program what that gives it."""
    startup = current().program
    if not isinstance(parameter, State) or parameter.home is startup.main:
        return parameter
    state = startup.states.get(parameter.name)
    if state not in startup.updates:
        raise ProgramError(
            f"the startup Program does not initialize {parameter.name}",
            cure="pass the startup Program that does to minimize()",
        )
    return startup.updates[state]


def _write(state: Any, array: np.ndarray) -> None:
    if isinstance(state, State):
        global_scope().write(state, array)
    else:
        state.set_value(array)


def _fitting(value: Any, spec: Spec, key: str) -> np.ndarray:
    array = np.array(value, spec.dtype.numpy)
    if array.shape != tuple(spec.shape):
        raise ShapeError(f"{key} must have shape {list(spec.shape)}, received {list(array.shape)}")
    return array
