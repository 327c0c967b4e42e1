"""Centers of classes for a step of training with very many: those of its labels, and others."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.op.declare import Desc, Spec, Tensor, function, primitive
from twinoar.errors import ArgumentError, AxisError, DTypeError, ShapeError, UnsupportedError
from twinoar.ops.random.integers import order_of
from twinoar.ops.random.uniform import check_key, generator


@primitive(
    name="class_center_sample",
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


@class_center_sample_op.infer
def _(key, label, num_classes, num_samples):
    check_key(key)
    if not 1 <= num_samples <= num_classes:
        raise ArgumentError(
            f"num_samples must be from 1 to num_classes, received {num_samples} of {num_classes}"
        )
    if label.ndim != 1:
        raise ShapeError(f"label must be [N], received {label}")
    if not label.dtype.is_integer:
        raise DTypeError(f"label must hold integers, received {label}")
    return label, Spec((None,), label.dtype)  # type: ignore[arg-type]  # the data decides


@class_center_sample_op.kernel
def _(key, label, num_classes, num_samples):
    if not 1 <= num_samples <= num_classes or label.ndim != 1 or label.dtype.kind not in "iu":
        raise IndexError
    wrong = (label < 0) | (label >= num_classes)
    if wrong.any():
        raise AxisError(
            f"label {label[wrong][0]} names no class",
            cure=f"classes are numbered from 0 to {num_classes - 1}",
        )
    present, remapped = np.unique(label, return_inverse=True)
    order = order_of(key, num_classes)
    others = order[~np.isin(order, present)][: max(num_samples - len(present), 0)]
    centers = np.concatenate([present, others.astype(label.dtype)])
    return remapped.astype(label.dtype), centers


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

    >>> import twinoar
    >>> label = twinoar.to_tensor([7, 2, 2])
    >>> places, classes = twinoar.nn.functional.class_center_sample(label, 9, 4)
    >>> places.tolist(), classes[:2].tolist(), classes.shape
    ([1, 0, 0], [2, 7], [4])
    """
    check_alone(group)
    return class_center_sample_op(generator.next_key(), label, num_classes, num_samples)


def check_alone(group: Any) -> None:
    """Raises UnsupportedError for a group of processes."""
    if group is not None and group is not False:
        raise UnsupportedError(
            f"classes are not divided among processes, received group={group!r}",
            cure="leave out group: all classes are here",
        )
