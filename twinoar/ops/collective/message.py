"""What one rank sends to another. A peer of -1 is nobody, as MPI's null process is."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import DType, dtype_of, float32
from twinoar.core.op.declare import Spec, Tensor
from twinoar.errors import ArgumentError
from twinoar.ops.collective._ranks import ON_STREAM, RING, Desc, collective, communicator

PEER = {**RING, "peer": "peer"}


@collective(
    infer=lambda x, peer, group: (),
    desc=Desc("send_v2", {"X": "x"}, (), attrs=PEER, fixed=ON_STREAM),
    moves=True,
)
def send_to(x: Tensor, peer: int = 0, group: int = 0) -> Any:
    """Send x to a rank of the group, which receives it. x: [*]. Returns nothing."""


@send_to.kernel
def _(x, peer, group):
    communicator(group).send(x, peer).wait()
    return ()


def _read_receive(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Any:
    return receive_from(
        tuple(attrs["out_shape"]), dtype_of(attrs["dtype"]), attrs["peer"], attrs.get("ring_id", 0)
    )


@collective(
    infer=lambda shape, dtype, peer, group: Spec(shape, dtype),
    desc=Desc(
        "recv_v2",
        attrs={**PEER, "dtype": "dtype"},
        fixed=ON_STREAM,
        write=lambda attrs, specs: {"out_shape": list(attrs["shape"])},
        read=_read_receive,
    ),
    moves=True,
)
def receive_from(
    shape: tuple[int, ...], dtype: DType = float32, peer: int = 0, group: int = 0
) -> Tensor:
    """What a rank of the group sends next, [*shape] of `dtype`.

    Raises DistributedError where what arrives has another size or dtype.
    """


@receive_from.kernel
def _(shape, dtype, peer, group):
    found = np.empty(shape, dtype.numpy)
    communicator(group).receive(found, peer).wait()
    return found


@collective(infer=lambda x, target, source, group: x, moves=True)
def send_receive(x: Tensor, target: int = -1, source: int = -1, group: int = 0) -> Tensor:
    """Send x to rank `target`, and receive what rank `source` sends: a step of a ring or pipeline.

    x: [*], of one shape and dtype on all that take part. Returns [*], zeros from nobody. Its
    gradient goes the other way.
    """


@send_receive.kernel
def _(x, target, source, group):
    found = np.empty(x.shape, x.dtype)
    there = communicator(group)
    receiving, sending = there.receive(found, source), there.send(x, target)
    receiving.wait()
    sending.wait()
    return found


@send_receive.grad
def _(g, target, source, group):
    return send_receive(g, source, target, group)


@send_to.samples
def _(s):
    yield s(s.randn(2, 3), -1, gradient=False)
    yield s(s.zeros(0, 2), -1, gradient=False)
    yield s(s.bools(3), -1, gradient=False)
    yield s.bad(ArgumentError, "there is no rank 3", s.randn(2), 3, static_error=False)


@receive_from.samples
def _(s):
    yield s((2, 3), "float32", -1)
    yield s((), "int64", -1)
    yield s((0, 2), "bool", -1)
    yield s.bad(ArgumentError, "there is no rank 3", (2,), "float32", 3, static_error=False)


@send_receive.samples
def _(s):
    yield s(s.randn(2, 3), 0, 0)
    yield s(s.randn(2, 3))
    yield s(s.ints(0, 5, 4), 0, 0)
    yield s(s.randn(), 0, 0)
    yield s.bad(ArgumentError, "there is no rank 3", s.randn(2), 0, 3, static_error=False)
