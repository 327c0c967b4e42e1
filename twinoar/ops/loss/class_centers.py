"""Centers of classes for a step of training with very many: those of its labels, and others."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import bool_, int64
from twinoar.core.loop.procedure import cast, fail, procedure
from twinoar.core.op.declare import Desc, Spec, Tensor, function, op, primitive
from twinoar.errors import ArgumentError, AxisError, DTypeError, ShapeError, UnsupportedError
from twinoar.ops.index._scatter import begin
from twinoar.ops.index.gather import gather_op
from twinoar.ops.index.mask import nonzero_op
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import less_equal
from twinoar.ops.math.logical import logical_and, logical_not
from twinoar.ops.random.integers import permutation
from twinoar.ops.random.uniform import check_key, generator
from twinoar.ops.reduce.cumulative_sum import cumsum_op
from twinoar.ops.reduce.reduction import sum_op
from twinoar.ops.shape.concat import concat_op
from twinoar.ops.shape.reshape import reshape_op
from twinoar.runtime.collective import current_world


def _marks(label: Spec, num_classes: int) -> Spec:
    if label.ndim != 1:
        raise ShapeError(f"label must be [N], received {label}")
    if not label.dtype.is_integer:
        raise DTypeError(f"label must hold integers, received {label}")
    return Spec((num_classes,), bool_)


@primitive(infer=_marks)
def classes_present(label: Tensor, num_classes: int) -> Tensor:
    """Which classes occur in labels [N]: [num_classes], bool. Raises AxisError for another."""


@classes_present.kernel
def _(label, num_classes):
    if label.ndim != 1 or label.dtype.kind not in "iu":
        raise IndexError
    wrong = (label < 0) | (label >= num_classes)
    if wrong.any():
        raise AxisError(
            f"label {label[wrong][0]} names no class",
            cure=f"classes are numbered from 0 to {num_classes - 1}",
        )
    out = np.zeros(num_classes, bool)
    out[label] = True
    return out


@classes_present.procedure
def _(p, label, num_classes):
    begin(p, p.results[0], 0)
    p.launch(_marked, 1, label, p.results[0], work=label.size)


@procedure
def _marked(row, label, out):
    for k in range(label.shape[0]):
        at = cast(label[k], int64)
        if at < 0 or at >= out.shape[0]:
            fail()
        out[at] = cast(1, out)


@classes_present.samples
def _(s):
    yield s(np.array([7, 2, 2, 5]), 9)
    yield s(np.array([1, 2, 0], "uint8"), 3)
    yield s(np.array([], "int32"), 3)
    yield s.bad(AxisError, "label 3 names no class", np.array([3]), 3, static_error=False)


def _checked(key: Spec, label: Spec, num_classes: int, num_samples: int) -> tuple[Spec, Spec]:
    check_key(key)
    if not 1 <= num_samples <= num_classes:
        raise ArgumentError(
            f"num_samples must be from 1 to num_classes, received {num_samples} of {num_classes}"
        )
    _marks(label, num_classes)
    return label, Spec((None,), label.dtype)  # type: ignore[arg-type]  # the data decides


@op(
    name="class_center_sample",
    infer=lambda key, label, num_classes, num_samples: _checked(
        key, label, num_classes, num_samples
    ),
    desc=Desc(
        "class_center_sample",
        {"Label": "label"},
        outputs=("RemappedLabel", "SampledLocalClassCenter"),
        attrs={"num_classes": "num_classes", "num_samples": "num_samples"},
        read=lambda slots, attrs: class_center_sample(
            slots["Label"][0], attrs["num_classes"], attrs["num_samples"]
        ),
    ),
)
def class_center_sample_op(
    key: Tensor, label: Tensor, num_classes: int, num_samples: int
) -> tuple[Tensor, Tensor]:
    """The operator under `class_center_sample`; key: of the random numbers."""
    _checked(key.spec, label.spec, num_classes, num_samples)
    is_present = classes_present(label, num_classes)
    place = cumsum_op(astype(is_present, int64), 0) - 1
    order = permutation(key, num_classes)
    is_free = logical_not(gather_op(is_present, order))
    lacking = num_samples - sum_op(astype(is_present, int64))
    is_added = logical_and(is_free, less_equal(cumsum_op(astype(is_free, int64), 0), lacking))
    classes = concat_op((_where(is_present), gather_op(order, _where(is_added))), 0)
    return gather_op(astype(place, label.dtype), label), astype(classes, label.dtype)


def _where(mask: Tensor) -> Tensor:
    return reshape_op(nonzero_op(mask), (-1,))


@class_center_sample_op.samples
def _(s):
    key = np.array([3, 1])
    yield s(key, np.array([7, 2, 2, 5]), 9, 6, gradient=False)
    yield s(key, np.array([1, 2, 0], "int32"), 3, 2, gradient=False)
    yield s.bad(ArgumentError, "from 1 to num_classes", key, np.array([1]), 3, 4)
    yield s.bad(ShapeError, "must be [N]", key, np.array([[1]]), 3, 2)
    yield s.bad(DTypeError, "integers", key, s.randn(2), 3, 2)
    yield s.bad(AxisError, "label 3 names no class", key, np.array([3]), 3, 2, static_error=False)


@function(named=False)
def class_center_sample(
    label: Tensor, num_classes: int, num_samples: int, group: Any = None
) -> tuple[Tensor, Tensor]:
    """The classes that occur in `label`, filled up at random to `num_samples` of `num_classes`.

    label: [N], integers. group: None or False, for a single process. Returns the place of each
    label among the classes, [N], and the classes, [num_samples] or as many as occur: first these,
    rising. Raises ArgumentError, ShapeError, DTypeError, AxisError for a label that names no class,
    UnsupportedError for a group. Source: An et al. 2020, arXiv 2010.05222.

    >>> label = twinoar.to_tensor([7, 2, 2])
    >>> places, classes = twinoar.nn.functional.class_center_sample(label, 9, 4)
    >>> places.tolist(), classes[:2].tolist(), classes.shape
    ([1, 0, 0], [2, 7], [4])
    """
    check_alone(group)
    return class_center_sample_op(generator.next_key(), label, num_classes, num_samples)


def check_alone(group: Any) -> None:
    """Raises UnsupportedError for a group of processes: None means all, False this one alone."""
    if (group is not None or current_world().size > 1) and group is not False:
        raise UnsupportedError(
            f"classes are not divided among processes, received group={group!r}",
            cure="pass group=False: all classes are here",
        )
