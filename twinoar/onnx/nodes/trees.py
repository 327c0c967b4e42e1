"""Operators of the domain ai.onnx.ml."""

from __future__ import annotations

from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.errors import UnsupportedError
from twinoar.onnx.table import Known, node

ML = "ai.onnx.ml"


@node("ArrayFeatureExtractor", domain=ML)
def array_feature_extractor(x: Any, index: Known) -> Any:
    chosen = paddle.to_tensor(index.reshape(-1).astype("int64"))
    found = paddle.index_select(x, chosen, len(x.shape) - 1)
    return found.reshape([1, -1]) if len(x.shape) == 1 else found


@node("Binarizer", domain=ML)
def binarizer(x: Any, *, threshold: float = 0.0) -> Any:
    return (x > threshold).astype(x.dtype)


COMPARISONS = (
    np.less_equal,
    np.less,
    np.greater_equal,
    np.greater,
    np.equal,
    np.not_equal,
)
SUM, SET_MEMBERSHIP = 1, 6


@node("TreeEnsemble", domain=ML)
def tree_ensemble(
    x: Known,
    *,
    aggregate_function: int = SUM,
    leaf_targetids: list,
    leaf_weights: Any,
    membership_values: Any = None,
    n_targets: int,
    nodes_falseleafs: list,
    nodes_falsenodeids: list,
    nodes_featureids: list,
    nodes_hitrates: Any = None,
    nodes_missing_value_tracks_true: list | None = None,
    nodes_modes: Any,
    nodes_splits: Any,
    nodes_trueleafs: list,
    nodes_truenodeids: list,
    post_transform: int = 0,
    tree_roots: list,
) -> Any:
    sets = _sets(nodes_modes, membership_values)

    def holds(n: int, value: Any) -> bool:
        if np.isnan(value) and nodes_missing_value_tracks_true:
            return bool(nodes_missing_value_tracks_true[n])
        if nodes_modes[n] == SET_MEMBERSHIP:
            return bool(value in sets[n])
        return bool(COMPARISONS[nodes_modes[n]](value, nodes_splits[n]))

    found = []
    for row in x:
        reached: list[list] = [[] for _ in range(n_targets)]
        for root in tree_roots:
            n, is_leaf = root, False
            while not is_leaf:
                true = holds(n, row[nodes_featureids[n]])
                is_leaf = bool((nodes_trueleafs if true else nodes_falseleafs)[n])
                n = (nodes_truenodeids if true else nodes_falsenodeids)[n]
            reached[leaf_targetids[n]].append(leaf_weights[n])
        found.append([_aggregated(r, aggregate_function, len(tree_roots)) for r in reached])
    return _transformed(np.asarray(found, x.dtype), post_transform)


def _sets(modes: Any, values: Any) -> dict[int, set]:
    """The members of each node that asks for membership; NaN parts them."""
    if values is None:
        return {}
    parts: list[set] = [set()]
    for v in values.tolist():
        if np.isnan(v):
            parts.append(set())
        else:
            parts[-1].add(v)
    asking = [n for n, mode in enumerate(np.asarray(modes).tolist()) if mode == SET_MEMBERSHIP]
    return dict(zip(asking, parts, strict=False))


def _aggregated(values: list, function: int, trees: int) -> float:
    if not values:
        return 0.0
    if function == 0:
        return float(np.sum(values) / trees)
    return float((np.sum, np.sum, np.min, np.max)[function](values))


def _transformed(x: np.ndarray, transform: int) -> np.ndarray:
    if transform == 0:
        return x
    if transform == 1:
        return (1 / (1 + np.exp(-x))).astype(x.dtype)
    if transform in (2, 3):
        e = np.exp(x - x.max(-1, keepdims=True))
        if transform == 3:
            e = np.where(x == 0, 0, e)
        return (e / e.sum(-1, keepdims=True)).astype(x.dtype)
    raise UnsupportedError(f"the transformation {transform} of a TreeEnsemble")
