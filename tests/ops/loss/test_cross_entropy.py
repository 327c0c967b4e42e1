"""Cross entropy and negative log likelihood: labels, weights and means as Paddle takes them."""

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, AxisError, ShapeError
from twinoar.ops.loss.cross_entropy import cross_entropy, softmax_with_cross_entropy
from twinoar.ops.loss.nll import nll_loss

random = np.random.default_rng(0)
SCORES = random.standard_normal((4, 5)).astype("float32")
LABEL = np.array([1, 0, 4, 2])
WEIGHT = np.array([0.5, 1.0, 2.0, 0.25, 1.5], "float32")
SOFT = random.dirichlet(np.ones(5), 4).astype("float32")


def log_softmax(x, axis=-1):
    shifted = x - x.max(axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))


LOSSES = -log_softmax(SCORES)[np.arange(4), LABEL]


def entropy(label=LABEL, **options):
    options = {k: to_tensor(v) if isinstance(v, np.ndarray) else v for k, v in options.items()}
    return cross_entropy(to_tensor(SCORES), to_tensor(label), **options).numpy()


@pytest.mark.parametrize(
    ("reduction", "expected"), [("mean", LOSSES.mean()), ("sum", LOSSES.sum()), ("none", LOSSES)]
)
def test_reductions(reduction, expected):
    np.testing.assert_allclose(entropy(reduction=reduction), expected, rtol=1e-5)


def test_the_loss_of_each_label_has_the_shape_of_the_labels():
    assert entropy(reduction="none").shape == (4,)
    assert entropy(LABEL[:, None], reduction="none").shape == (4, 1)


@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_labels_of_other_dtypes_are_class_numbers_too(dtype):
    np.testing.assert_allclose(entropy(LABEL.astype(dtype)), LOSSES.mean(), rtol=1e-5)


def test_weights_scale_losses_and_the_mean_divides_by_their_sum():
    weights = WEIGHT[LABEL]
    expected = (LOSSES * weights).sum() / weights.sum()
    np.testing.assert_allclose(entropy(weight=WEIGHT), expected, rtol=1e-5)


def test_the_mean_leaves_ignored_labels_out_where_ignore_index_is_not_negative():
    np.testing.assert_allclose(entropy(ignore_index=2), LOSSES[:3].mean(), rtol=1e-5)


def test_the_mean_counts_labels_ignored_by_a_negative_number_as_paddle_does():
    found = entropy(np.array([1, -100, 4, -100]))
    np.testing.assert_allclose(found, (LOSSES[0] + LOSSES[2]) / 4, rtol=1e-5)


def test_weights_and_an_ignored_label():
    weights = WEIGHT[LABEL[:3]]
    expected = (LOSSES[:3] * weights).sum() / weights.sum()
    np.testing.assert_allclose(entropy(weight=WEIGHT, ignore_index=2), expected, rtol=1e-5)


@pytest.mark.parametrize("ignored", [-100, 3])
def test_a_batch_of_ignored_labels_has_loss_0_and_gradient_0(ignored):
    x = to_tensor(SCORES, stop_gradient=False)
    loss = cross_entropy(x, to_tensor(np.full(4, ignored)), ignore_index=ignored)
    assert loss.item() == 0
    np.testing.assert_array_equal(grad(loss, x)[0].numpy(), 0)


def test_soft_labels():
    expected = -(SOFT * log_softmax(SCORES)).sum(1)
    np.testing.assert_allclose(entropy(SOFT, soft_label=True), expected.mean(), rtol=1e-5)
    each = entropy(SOFT, soft_label=True, reduction="none")
    np.testing.assert_allclose(each, expected[:, None], rtol=1e-5)
    weights = SOFT @ WEIGHT
    weighted = entropy(SOFT, soft_label=True, weight=WEIGHT)
    np.testing.assert_allclose(weighted, (expected * weights).sum() / weights.sum(), rtol=1e-5)


def test_label_smoothing_spreads_a_share_over_all_classes():
    smooth = 0.9 * np.eye(5)[LABEL] + 0.1 / 5
    expected = -(smooth * log_softmax(SCORES)).sum(1)
    np.testing.assert_allclose(entropy(label_smoothing=0.1), expected.mean(), rtol=1e-5)


def test_label_smoothing_leaves_ignored_labels_out():
    smooth = 0.9 * np.eye(5)[LABEL[:3]] + 0.1 / 5
    expected = -(smooth * log_softmax(SCORES[:3])).sum(1).mean()
    np.testing.assert_allclose(entropy(label_smoothing=0.1, ignore_index=2), expected, rtol=1e-5)


def test_probabilities_instead_of_scores():
    found = cross_entropy(to_tensor(SOFT), to_tensor(LABEL), use_softmax=False)
    expected = -np.log(SOFT[np.arange(4), LABEL]).mean()
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5)


def test_classes_along_another_axis():
    x, label = (
        random.standard_normal((2, 5, 3, 4)).astype("float32"),
        random.integers(0, 5, (2, 3, 4)),
    )
    found = cross_entropy(to_tensor(x), to_tensor(label), axis=1, reduction="none").numpy()
    expected = -np.take_along_axis(log_softmax(x, 1), label[:, None], 1)[:, 0]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)


def test_one_example_without_a_batch():
    found = cross_entropy(to_tensor(SCORES[0]), to_tensor(1))
    np.testing.assert_allclose(found.numpy(), LOSSES[0], rtol=1e-5)


def test_huge_scores_stay_finite():
    x = to_tensor(np.array([[1e4, -1e4], [3e4, 3e4]], "float32"), stop_gradient=False)
    loss = cross_entropy(x, to_tensor([1, 0]), reduction="none")
    np.testing.assert_allclose(loss.numpy(), [2e4, np.log(2)], rtol=1e-6)
    np.testing.assert_allclose(grad(loss.sum(), x)[0].numpy(), [[1, -1], [-0.5, 0.5]], rtol=1e-6)


def test_the_gradient_is_softmax_less_the_label():
    x = to_tensor(SCORES, stop_gradient=False)
    (g,) = grad(cross_entropy(x, to_tensor(LABEL), reduction="sum"), x)
    expected = np.exp(log_softmax(SCORES)) - np.eye(5)[LABEL]
    np.testing.assert_allclose(g.numpy(), expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("label", [5, -1])
def test_a_label_outside_the_classes_is_named_with_their_number(label):
    with pytest.raises(AxisError, match=f"label {label} names no class: there are 5, 0 to 4"):
        entropy(np.array([1, label, 4, 2]))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"label": LABEL, "reduction": "max"}, ArgumentError, "reduction must be"),
        ({"label": LABEL[:3]}, ShapeError, r"label must have shape \[4, 1\]"),
        ({"label": SOFT.astype("int64")}, ShapeError, "soft_label=True"),
        ({"label": LABEL, "weight": WEIGHT[:3]}, ShapeError, r"weight must be \[5\]"),
        ({"label": SOFT[:, :4], "soft_label": True}, ShapeError, "a soft label must have shape"),
        ({"label": LABEL, "label_smoothing": 1.5}, ArgumentError, "label_smoothing must be"),
    ],
)
def test_wrong_calls_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        entropy(**options)


def test_softmax_with_cross_entropy_keeps_the_axis_and_returns_the_softmax():
    label = to_tensor(LABEL[:, None])
    loss, softmax = softmax_with_cross_entropy(to_tensor(SCORES), label, return_softmax=True)
    np.testing.assert_allclose(loss.numpy(), LOSSES[:, None], rtol=1e-5)
    np.testing.assert_allclose(softmax.numpy(), np.exp(log_softmax(SCORES)), rtol=1e-5)


def test_an_unknown_batch_is_inferred():
    specs = Spec.parse("f32[N,5]"), Spec.parse("i64[N]")
    each = trace(lambda x, y: cross_entropy(x, y, reduction="none"), *specs)
    mean = trace(lambda x, y: cross_entropy(x, y, ignore_index=0), *specs)
    assert [str(p.main.outputs[0].spec) for p in (each, mean)] == ["f32[N]", "f32[]"]


@pytest.mark.parametrize("ignored", [-100, 2])
def test_nll_loss_divides_by_the_weights_of_the_labels_that_count(ignored):
    logs, label = log_softmax(SCORES), np.where(LABEL == 2, ignored, LABEL)
    found = nll_loss(to_tensor(logs), to_tensor(label), to_tensor(WEIGHT), ignored).numpy()
    weights = WEIGHT[LABEL[:3]]
    np.testing.assert_allclose(found, (LOSSES[:3] * weights).sum() / weights.sum(), rtol=1e-5)


def test_nll_loss_of_images():
    x, label = random.standard_normal((2, 5, 3)).astype("float32"), random.integers(0, 5, (2, 3))
    found = nll_loss(to_tensor(x), to_tensor(label), reduction="none").numpy()
    np.testing.assert_array_equal(found, -np.take_along_axis(x, label[:, None], 1)[:, 0])


def test_nll_loss_of_ignored_labels_is_0():
    assert nll_loss(to_tensor(SCORES), to_tensor(np.full(4, -100))).item() == 0
