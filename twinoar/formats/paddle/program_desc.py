"""What writing and reading a `.pdmodel` share: versions, forms of values, operators by Paddle's
type.

A `.pdmodel` is Paddle's ProgramDesc. How each operator stands in it, its `desc` rule says;
`program_write` and `program_read` carry whole Programs over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import BY_NAME, DType, dtype_of
from twinoar.core.op.definition import Op, registry
from twinoar.core.op.desc import Desc
from twinoar.errors import DTypeError, FileError
from twinoar.formats.paddle.schema import CODE_OF_DTYPE, DTYPE_OF_CODE

PADDLE_VERSION = (
    2_006_002  # major * 10^6 + minor * 10^3 + patch, of the Paddle whose operators we write
)
DTYPE_ATTRIBUTES = ("dtype", "in_dtype", "out_dtype")  # INT in the file, a code of VarType
ROLES = ("forward", "backward", "optimize")  # by the numbers of Paddle's attribute op_role
FEED, FETCH = "feed", "fetch"
OWN = "twinoar."  # begins the types of operators that Paddle does not have
LOST_GRADIENT = "twinoar_lost_gradient"  # an attribute of what is fetched, where gradients are lost
FETCH_PREFIX = "save_infer_model/scale_"
SCOPE = "op_namescope"  # Paddle's attribute for a place among names; any text will do
LITERAL = "/literal "  # begins that of a variable that stands for a number among the operands

# The operators that Paddle 2.6.2 has at a version above 0, and that version.
OP_VERSIONS = {
    "affine_grid": 1, "allclose": 2, "auc": 1, "clip": 1, "coalesce_tensor": 2,
    "collect_fpn_proposals": 1, "conv2d": 1, "conv2d_transpose": 2, "conv3d": 1,
    "conv3d_transpose": 1, "cudnn_lstm": 1, "cumsum": 1, "data_norm": 1, "depthwise_conv2d": 1,
    "depthwise_conv2d_transpose": 1, "dequantize": 1, "distribute_fpn_proposals": 2,
    "elementwise_add": 1, "elementwise_div": 1, "elementwise_mul": 1, "elementwise_pow": 1,
    "elementwise_sub": 1, "equal": 1, "fake_channel_wise_dequantize_max_abs": 2,
    "fake_channel_wise_quantize_abs_max": 1, "fill_constant": 2, "flip": 1, "gather": 1,
    "generate_proposal_labels": 2, "generate_proposals": 2, "generate_proposals_v2": 1,
    "greater_equal": 1, "greater_than": 1, "grid_sampler": 1, "hard_shrink": 1,
    "instance_norm": 1, "lamb": 1, "leaky_relu": 1, "less_equal": 1, "less_than": 1,
    "linspace": 1, "lookup_table": 1, "lookup_table_v2": 1, "lstsq": 1, "matmul": 1,
    "matrix_nms": 1, "mish": 1, "momentum": 1, "moving_average_abs_max_scale": 2,
    "not_equal": 1, "p_norm": 1, "pixel_shuffle": 1, "print": 1, "quantize": 2,
    "rank_attention": 1, "requantize": 1, "roi_align": 3, "roi_pool": 2, "roll": 2, "seed": 1,
    "send_and_recv": 1, "set_value": 4, "softplus": 1, "trace": 1, "transfer_layout": 1,
    "unique_consecutive": 1, "yolo_box": 1,
}  # fmt: skip


def has_file_form(op: Op) -> bool:
    """True for operators that stand in a file as they are."""
    return "desc" in op.rules and not op.rules["desc"].expands


@cache
def form_of(op: Op) -> Desc:
    """How an operator stands in a file: its `desc`, or under a type of our own.

    The latter is for what Paddle has in another form, the parts of gradients: such a file is for
    twinoar alone.
    """
    if has_file_form(op):
        return op.rules["desc"]
    names = [operand.name for operand in op.operands]
    slots = {name: f"{name}Sizes" for name in op.attrs}
    return Desc(
        OWN + op.name,
        {name: name for name in names},
        attrs={name: name for name in op.attrs},
        size_slots=slots,
    )


def operators_by_type() -> Mapping[str, list[Op]]:
    """The operators that each Paddle type may stand for: those of that very type first."""
    return _OperatorsByType()


class _OperatorsByType(Mapping[str, list[Op]]):
    """Those that are usual; all where a type has none among them, or where all are listed.

    No type has operators among the usual ones and others, so that none of them is missed.
    """

    def __init__(self) -> None:
        registry.define_usual()
        self._known = _of_defined()

    def __getitem__(self, type: str) -> list[Op]:
        while type not in self._known and registry.define_more():
            self._known = _of_defined()
        return self._known[type]

    def __iter__(self) -> Iterator[str]:
        while registry.define_more():
            pass
        self._known = _of_defined()
        return iter(self._known)

    def __len__(self) -> int:
        return len([*self])


def _of_defined() -> dict[str, list[Op]]:
    global _by_type
    known = [(op, op.rules.get("desc")) for op in registry.defined.values()]
    if _by_type[0] != known:
        _by_type = known, _operators_by_type()
    return _by_type[1]


_by_type: tuple[list, dict[str, list[Op]]] = [], {}  # as of these operators and forms


def _operators_by_type() -> dict[str, list[Op]]:
    found: dict[str, list[Op]] = {}
    for op in registry.defined.values():
        if has_file_form(op):
            found.setdefault(op.rules["desc"].type, []).append(op)
    for op in registry.defined.values():
        for other in op.rules["desc"].reads if has_file_form(op) else ():
            found.setdefault(other, []).append(op)
    return found


def dtype_code(dtype: DType) -> int:
    """The number of an element type in files."""
    return CODE_OF_DTYPE[dtype.name]


def dtype_of_code(code: int, place: str) -> DType:
    """The element type that has the number `code`. Raises FileError, which begins with `place`."""
    found = BY_NAME.get(DTYPE_OF_CODE.get(code, ""))
    if found is None:
        raise FileError(f"{place}: {code} is the code of no element type that twinoar has")
    return dtype_of(found)


def kind_and_value(value: Any) -> tuple[str, Any]:
    """The kind of attribute that holds a Python value, and the value as the file has it."""
    if isinstance(value, DType):
        return "INT", dtype_code(value)
    if isinstance(value, (bool, np.bool_)):
        return "BOOLEAN", bool(value)
    if isinstance(value, (int, np.integer, SymbolicDim)):
        return "INT", size_in_file(value)
    if isinstance(value, (float, np.floating)):
        return "FLOAT", float(value)
    if isinstance(value, str):
        return "STRING", value
    if isinstance(value, (list, tuple)):
        kinds = [kind_and_value(x) for x in value]
        kind = next(
            (k for k in ("FLOAT", "BOOLEAN", "STRING") if any(k == one for one, _ in kinds)), "INT"
        )
        return f"{kind}S", [x for _, x in kinds]
    raise DTypeError(f"a file has no attribute of type {type(value).__name__}: {value!r}")


def size_in_file(d: Any) -> int:
    """A size as files have it: -1 where it is not known."""
    return -1 if isinstance(d, SymbolicDim) else int(d)


def is_symbolic(value: Any) -> bool:
    """True for a size that is not known, or a list with such a size."""
    items = value if isinstance(value, (list, tuple)) else (value,)
    return any(isinstance(d, SymbolicDim) for d in items)


def nearest_decimal(x: float) -> float:
    """The shortest decimal number that is the same float32: attributes are float32 in files."""
    return float(str(np.float32(x)))


def slots_of(messages: Any) -> Iterator[tuple[str, list[str]]]:
    """Each slot of an operator in a file, and the names of the variables in it."""
    for slot in messages:
        yield slot.parameter, list(slot.arguments)
