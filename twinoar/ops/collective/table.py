"""What a worker asks of parameter servers, and sends to them: operators on tables by name.

A table without a name is nobody's: its rows are zeros, and what is sent to it goes nowhere.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from twinoar.core.dtype import DType, float32
from twinoar.core.op.declare import Desc, Spec, Tensor, primitive
from twinoar.errors import DistributedError, DTypeError, ShapeError
from twinoar.ops.index._position import check_index
from twinoar.runtime.servers import current_tables, serve

HOST = "parameter servers, asked from Python between two stages"
NOBODY = ""  # the table that nobody keeps
asking = partial(primitive, effect=True, host=HOST, amp="keep", moves=True)
AS_IDS = "convert them: x.astype('int64')"
NAMED = {"table_name": "table"}


def _rows_spec(
    ids: Spec,
    show: Spec | None,
    click: Spec | None,
    table: str,
    width: int,
    dtype: DType,
    padding_idx: int | None,
    training: bool,
) -> Spec:
    check_index(ids, "ids")
    return Spec((*ids.shape, width), dtype)


@asking(
    infer=_rows_spec,
    grad=lambda g: (None, None, None),
    desc=Desc(
        "distributed_lookup_table",
        {"Ids": "ids", "Show": "show", "Click": "click"},
        ("Outputs",),
        attrs={**NAMED, "is_test": ("training", lambda t: not t, lambda t: not t)},
        write=lambda attrs, specs: {
            "emb_dim": attrs["width"],
            "dtype": attrs["dtype"],
            "padding_idx": -1 if attrs["padding_idx"] is None else attrs["padding_idx"],
        },
        read=lambda slots, attrs: _read_lookup(slots, attrs),
    ),
)
def distributed_lookup_table(
    ids: Tensor,
    show: Tensor | None = None,
    click: Tensor | None = None,
    table: str = NOBODY,
    width: int = 1,
    dtype: DType = float32,
    padding_idx: int | None = None,
    training: bool = True,
) -> Tensor:
    """Rows of a table on servers, by number.

    ids: [*], integers of 0 or more. show, click: how often what each row of ids stands for was
    shown, and clicked. padding_idx: a number that gives zeros. training: new rows are kept, from
    their first sight; else they are looked at alone. Returns [*,width]. Raises DistributedError
    where servers cannot be asked.
    """


@distributed_lookup_table.kernel
def _(ids, show, click, table, width, dtype, padding_idx, training):
    if ids.dtype.kind not in "iu":
        raise DTypeError(f"ids must hold integers, received {ids.dtype.name}", cure=AS_IDS)
    if table == NOBODY:
        return np.zeros((*ids.shape, width), dtype.numpy)
    weights = None if show is None or click is None else (show, click)
    rows = current_tables().lookup(table, ids, weights, training)
    if rows.shape != (*ids.shape, width) or rows.dtype != dtype.numpy:
        raise DistributedError(
            f"the table {table!r} has rows of {rows.dtype}[{rows.shape[-1]}], "
            f"the Program was made for {dtype}[{width}]"
        )
    if padding_idx is not None:
        rows[ids == padding_idx] = 0
    return rows


def _read_lookup(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Any:
    padding = attrs.get("padding_idx", -1)
    return distributed_lookup_table(
        slots["Ids"][0],
        *((slots.get(name) or [None])[0] for name in ("Show", "Click")),
        attrs["table_name"],
        attrs["emb_dim"],
        attrs["dtype"],
        None if padding == -1 else padding,
        not attrs.get("is_test", False),
    )


def _sent_rows(positions: Any, vectors: Any, rate: Any, table: str) -> tuple[()]:
    if vectors.ndim != 2 or positions.ndim != 1:
        raise ShapeError(
            f"expected [n] rows and [n,width], received {_size(positions)} and {_size(vectors)}"
        )
    return ()


@asking(
    infer=_sent_rows,
    desc=Desc(
        "distributed_push_sparse",
        {"Ids": "positions", "Grads": "vectors", "LearningRate": "rate"},
        (),
        attrs=NAMED,
    ),
)
def distributed_push_sparse(
    positions: Tensor, vectors: Tensor, rate: Tensor, table: str = NOBODY
) -> Any:
    """Stage the gradient of some rows of a table, which `send_barrier` sends.

    positions: [n], integers, may repeat; those below 0 are none. vectors: [n,width]. rate: one
    number. Returns nothing.
    """


def _size(x: Any) -> str:
    return str(list(x.shape))


@distributed_push_sparse.kernel
def _(positions, vectors, rate, table):
    _sent_rows(positions, vectors, rate, table)
    if table != NOBODY:
        current_tables().push_rows(table, positions, vectors, float(rate))
    return ()


@asking(
    infer=lambda x, rate, table: (),
    desc=Desc("send", {"X": "x", "LearningRate": "rate"}, (), attrs=NAMED),
)
def send_gradient(x: Tensor, rate: Tensor, table: str = NOBODY) -> Any:
    """Stage the gradient of a parameter on servers, which `send_barrier` sends.

    x: [*], of the parameter's shape. rate: one number. Returns nothing.
    """


@send_gradient.kernel
def _(x, rate, table):
    if table != NOBODY:
        current_tables().push(table, x, float(rate))
    return ()


@asking(
    infer=lambda is_sent: (),
    kernel=lambda is_sent: _flush(is_sent),
    desc=Desc("send_barrier", {}, (), attrs={"is_sent": "is_sent"}),
)
def send_barrier(is_sent: bool = True) -> Any:
    """Send what is staged: the end of a step. Returns nothing."""


def _flush(is_sent: bool) -> tuple[()]:
    if is_sent:
        current_tables().flush()
    return ()


@asking(
    infer=lambda shape, dtype, table: Spec(shape, dtype),
    desc=Desc(
        "recv",
        {},
        ("Out",),
        attrs={**NAMED, "dtype": "dtype"},
        write=lambda attrs, specs: {"shape": list(attrs["shape"])},
        read=lambda slots, attrs: receive_parameter(
            tuple(attrs["shape"]), attrs["dtype"], attrs["table_name"]
        ),
    ),
)
def receive_parameter(
    shape: tuple[int, ...], dtype: DType = float32, table: str = NOBODY
) -> Tensor:
    """A parameter as servers have it after what this worker has sent.

    Returns [*shape] of `dtype`. Raises DistributedError where they have another.
    """


@receive_parameter.kernel
def _(shape, dtype, table):
    if table == NOBODY:
        return np.zeros(shape, dtype.numpy)
    return _fitting(current_tables().pull(table), shape, dtype.numpy, table)


def _fitting(found: np.ndarray, shape: Any, dtype: Any, table: str) -> np.ndarray:
    if found.shape != tuple(shape) or found.dtype != dtype:
        raise DistributedError(
            f"servers have {table!r} as {found.dtype}{list(found.shape)}, "
            f"the Program was made for {np.dtype(dtype)}{list(shape)}"
        )
    return found


@asking(
    infer=lambda x, table: x,
    desc=Desc("recv_init", {"X": "x"}, attrs=NAMED),
)
def begin_parameter(x: Tensor, table: str = NOBODY) -> Tensor:
    """What a parameter on servers begins as: the x of the first worker, or what they have already.

    x: [*]. Returns [*].
    """


@begin_parameter.kernel
def _(x, table):
    if table == NOBODY:
        return np.array(x)
    return _fitting(current_tables().begin(table, x), x.shape, x.dtype, table)


@asking(
    infer=lambda endpoint: (),
    kernel=lambda endpoint: _served(endpoint),
    desc=Desc("listen_and_serv", {}, (), attrs={"endpoint": "endpoint"}),
)
def listen_and_serv(endpoint: str = NOBODY) -> Any:
    """Be the server at an address of this process, until all workers have left."""


def _served(endpoint: str) -> tuple[()]:
    if endpoint != NOBODY:
        serve(endpoint)
    return ()


@distributed_lookup_table.samples
def _(s):
    yield s(np.array([[0, 2], [2, 1]]), width=3, gradient=False)
    yield s(np.array(1, np.int32), dtype="float64", gradient=False)
    yield s(s.ints(0, 1, 0), width=2, padding_idx=0, training=False, gradient=False)
    yield s.bad(DTypeError, "must hold integers", s.randn(2))
    yield s.bad(DistributedError, "no parameter servers", np.array([1]), table="a",
                static_error=False)  # fmt: skip


@distributed_push_sparse.samples
def _(s):
    yield s(np.array([0, 2]), s.randn(2, 3), s.randn(), gradient=False)
    yield s(s.ints(0, 1, 0), s.zeros(0, 3), s.randn(), gradient=False)
    yield s.bad(ShapeError, "expected", np.array([0, 2]), s.randn(2), s.randn())


@send_gradient.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(), gradient=False)
    yield s(s.randn(), s.randn(), gradient=False)
    yield s(s.zeros(0, 2), s.randn(), gradient=False)


@send_barrier.samples
def _(s):
    yield s(False, gradient=False)
    yield s.bad(DistributedError, "no parameter servers", static_error=False)


@listen_and_serv.samples
def _(s):
    yield s(gradient=False)
    yield s.bad(DistributedError, "no server of this process", "a:1", static_error=False)


@receive_parameter.samples
def _(s):
    yield s((2, 3))
    yield s((), "float64")
    yield s((0, 2))


@begin_parameter.samples
def _(s):
    yield s(s.randn(2, 3), gradient=False)
    yield s(s.randn(dtype="float64"), gradient=False)
    yield s(s.zeros(0, 2), gradient=False)
