"""Mixed precision of a Model: what `prepare(amp_configs=...)` says."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from twinoar.amp import auto_cast, decorate
from twinoar.amp.auto_casting import low_dtype
from twinoar.amp.grad_scaler import GradScaler
from twinoar.core.near import near_names
from twinoar.errors import ArgumentError, TypeMismatchError

LEVELS = ("O0", "O1", "O2")
LISTS = ("custom_white_list", "custom_black_list")
OF_PROGRAMS = ("custom_black_varnames", "use_fp16_guard")
SCALING = (
    "init_loss_scaling", "incr_ratio", "decr_ratio", "incr_every_n_steps",
    "decr_every_n_nan_or_inf", "use_dynamic_loss_scaling",
)  # fmt: skip
KNOWN = ("level", "dtype", *LISTS, *OF_PROGRAMS, *SCALING)


@dataclass
class Precision:
    """The level and dtype of `auto_cast`; arguments for it, for scaling, and for Programs."""

    level: str = "O0"
    dtype: str = "float16"
    lists: dict[str, Any] = field(default_factory=dict)
    scaling: dict[str, Any] = field(default_factory=dict)
    of_programs: dict[str, Any] = field(default_factory=dict)

    @property
    def is_mixed(self) -> bool:
        """True at another level than O0."""
        return self.level != "O0"

    def scaler(self) -> GradScaler:
        """What scales losses in eager mode: on for float16, whose range is small."""
        is_on = self.is_mixed and (self.dtype == "float16" or bool(self.scaling))
        return GradScaler(is_on, **self.scaling)

    def prepare(self, network: Any, optimizer: Any) -> None:
        """Lower the parameters, at level O2, of what runs in eager mode."""
        if self.level == "O2":
            decorate(network, optimizer, level="O2", dtype=self.dtype)

    def training(self) -> AbstractContextManager[None]:
        """A block in which operators of training choose their precision."""
        return auto_cast(self.is_mixed, level=self.level, dtype=self.dtype, **self.lists)

    def answering(self) -> AbstractContextManager[None]:
        """A block for evaluation: as training where parameters are low, else in float32."""
        is_low = self.level == "O2"
        return auto_cast(is_low, level=self.level, dtype=self.dtype, **self.lists)


def as_precision(amp_configs: Any, is_static: bool) -> Precision:
    """A level, a dict with "level" and arguments of `auto_cast` and `GradScaler`, or None.

    Raises ArgumentError for another level or key, TypeMismatchError for something else.
    """
    if not amp_configs:
        return Precision()
    given = {"level": amp_configs} if isinstance(amp_configs, str) else amp_configs
    if not isinstance(given, Mapping):
        raise TypeMismatchError(
            f"amp_configs: expected a level or a dict, received {type(given).__name__}"
        )
    level = given.get("level", "O1")
    if level not in LEVELS:
        raise ArgumentError(f"amp_configs: expected a level among {LEVELS}, received {level!r}")
    for name in given:
        if name not in KNOWN:
            raise ArgumentError(
                f"amp_configs: there is no {name!r}", cure=near_names(str(name), KNOWN)
            )
        if name in OF_PROGRAMS and not is_static:
            raise ArgumentError(
                f"amp_configs: {name!r} is for Programs", cure="leave it out in eager mode"
            )
    chosen = (
        {name: given[name] for name in names if name in given}
        for names in (LISTS, SCALING, OF_PROGRAMS)
    )
    return Precision(level, low_dtype(given.get("dtype", "float16")).name, *chosen)
