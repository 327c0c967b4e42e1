"""Which operators of a Program compute in lower precision, by names as Paddle's lists have."""

from __future__ import annotations

from collections.abc import Iterable

from twinoar.amp.auto_casting import low_dtype
from twinoar.amp.choice import Autocast
from twinoar.core.op.definition import registry
from twinoar.errors import ArgumentError


class AutoMixedPrecisionLists:
    """Names of operators by precision, and of Variables that stay float32 with what they meet.

    custom_white_list, custom_black_list: operators that are to compute in `dtype`, or in float32.
    custom_black_varnames: Variables. Raises ArgumentError for a name in both lists, or a dtype.

    >>> lists = AutoMixedPrecisionLists(custom_white_list={"gelu"}, dtype="bfloat16")
    >>> "gelu" in lists.white_list, "matmul_v2" in lists.white_list, "exp" in lists.black_list
    (True, True, True)
    """

    def __init__(
        self,
        custom_white_list: Iterable[str] | None = None,
        custom_black_list: Iterable[str] | None = None,
        custom_black_varnames: Iterable[str] | None = None,
        dtype: str = "float16",
    ):
        self.amp_dtype = low_dtype(dtype).name
        self._white = frozenset(custom_white_list or ())
        self._black = frozenset(custom_black_list or ())
        if shared := self._white & self._black:
            raise ArgumentError(f"custom_white_list and custom_black_list share {sorted(shared)}")
        self.black_varnames = set(custom_black_varnames or ())
        chosen = self.autocast("O1")
        kinds = {op.type: chosen.kind_of(op) for op in registry.values()}
        self.white_list = {t for t, kind in kinds.items() if kind == "low"} | self._white
        self.black_list = {t for t, kind in kinds.items() if kind in ("high", "full")} | self._black
        self.gray_list = {t for t, kind in kinds.items() if kind == "promote"}

    def autocast(self, level: str, use_promote: bool = True) -> Autocast:
        """The lists as what casts operands, at a level of `auto_cast`."""
        low = low_dtype(self.amp_dtype)
        return Autocast(level, low, self._white, self._black, use_promote)


CustomOpLists = AutoMixedPrecisionLists
