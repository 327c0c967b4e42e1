"""How custom operators that Paddle does not have stand in files: under their own names."""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import DType, dtype_of
from twinoar.core.op.definition import Op
from twinoar.core.op.desc import Desc
from twinoar.formats.paddle.program_desc import OWN
from twinoar.formats.paddle.program_read import DEFINED_IN


def own_form(op: Op, defined: Op) -> Desc:
    """The file form with slots and attributes as `op` has them, and the module of `defined`."""
    attrs: dict[str, Any] = {
        name: (name, _name_of, dtype_of) if a.annotation is DType else name
        for name, a in op.attrs.items()
    }
    return Desc(
        OWN + op.name,
        {o.name: o.name for o in op.operands},
        attrs=attrs,
        write=lambda attrs, specs: {DEFINED_IN: defined.definition.__module__},
    )


def _name_of(dtype: DType) -> str:
    return dtype.name
