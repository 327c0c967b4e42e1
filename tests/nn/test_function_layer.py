"""Layers that are a function with its arguments kept."""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.nn import functional as F

X = paddle.to_tensor(np.sin(np.arange(96)).reshape(1, 8, 3, 4).astype("float32"))
V = [paddle.to_tensor(np.sin(np.arange(12) + k).reshape(3, 4).astype("float32")) for k in range(3)]
SIGNS = paddle.sign(V[1])
CLASSES = paddle.to_tensor([0, 3, 1])
ENDED = paddle.to_tensor([[0, -1, 2, 1], [1, 3, -1, 0], [2, 1, 0, -1]])

CALLS = [
    (nn.Upsample(scale_factor=2, mode="bilinear"), (X,), F.interpolate(X, None, 2, "bilinear")),
    (nn.UpsamplingNearest2D([5, 6]), (X,), F.interpolate(X, [5, 6])),
    (
        nn.UpsamplingBilinear2D([5, 6]),
        (X,),
        F.interpolate(X, [5, 6], mode="bilinear", align_corners=True),
    ),
    (nn.PixelShuffle(2), (X,), F.pixel_shuffle(X, 2)),
    (nn.PixelUnshuffle(1), (X,), X),
    (nn.ChannelShuffle(4), (X,), F.channel_shuffle(X, 4)),
    (nn.Unfold(2, 1, 0, 2), (X,), F.unfold(X, 2, strides=2)),
    (nn.LocalResponseNorm(3, beta=0.5), (X,), F.local_response_norm(X, 3, beta=0.5)),
    (nn.CosineSimilarity(axis=0), (V[0], V[1]), F.cosine_similarity(V[0], V[1], axis=0)),
    (nn.PairwiseDistance(1.0), (V[0], V[1]), F.pairwise_distance(V[0], V[1], 1.0)),
    (nn.SoftMarginLoss("sum"), (V[0], SIGNS), F.soft_margin_loss(V[0], SIGNS, "sum")),
    (nn.HingeEmbeddingLoss(0.5), (V[0], SIGNS), F.hinge_embedding_loss(V[0], SIGNS, 0.5)),
    (nn.TripletMarginLoss(p=1.0), tuple(V), F.triplet_margin_loss(*V, p=1)),
    (nn.MultiLabelMarginLoss("sum"), (V[0], ENDED), F.multi_label_margin_loss(V[0], ENDED, "sum")),
    (nn.MultiMarginLoss(2), (V[0], CLASSES), F.multi_margin_loss(V[0], CLASSES, 2)),
    (nn.GaussianNLLLoss(True), (*V[:2], V[2] ** 2), F.gaussian_nll_loss(*V[:2], V[2] ** 2, True)),
    (nn.Softmax2D(), (X,), F.softmax(X, axis=1)),
]


@pytest.mark.parametrize(
    ("layer", "inputs", "expected"), CALLS, ids=[type(layer).__name__ for layer, _, _ in CALLS]
)
def test_a_layer_gives_what_its_function_gives(layer, inputs, expected) -> None:
    assert np.array_equal(layer(*inputs).numpy(), expected.numpy())


def test_arguments_are_attributes_that_may_change() -> None:
    layer = nn.Upsample(scale_factor=2)
    layer.scale_factor = 3
    assert layer(X).shape == [1, 8, 9, 12]
    assert repr(layer).startswith("Upsample(scale_factor=3, mode=nearest")


def test_arguments_that_go_without_saying_are_not_shown() -> None:
    assert repr(nn.PixelShuffle(2)) == "PixelShuffle(upscale_factor=2)"
    assert repr(nn.PixelShuffle(2, "NHWC")) == "PixelShuffle(upscale_factor=2, data_format=NHWC)"
    assert repr(nn.UpsamplingBilinear2D([3, 3])) == (
        "UpsamplingBilinear2D(size=[3, 3], data_format=NCHW)"
    )


def test_what_was_unfolded_is_folded_again() -> None:
    assert np.array_equal(nn.Fold([3, 4], 1)(nn.Unfold(1)(X)).numpy(), X.numpy())


def test_a_loss_refuses_an_unknown_reduction_when_it_is_made() -> None:
    with pytest.raises(ArgumentError, match="reduction"):
        nn.TripletMarginLoss(reduction="most")


def test_layers_are_traced_and_saved(tmp_path) -> None:
    network = nn.Sequential(nn.PixelShuffle(2), nn.Upsample(size=[4, 4], mode="bicubic"))
    path = str(tmp_path / "model")
    spec = paddle.static.InputSpec([None, 8, None, None])
    paddle.jit.save(network, path, input_spec=[spec])
    np.testing.assert_allclose(
        paddle.jit.load(path)(X).numpy(), network(X).numpy(), rtol=1e-5, atol=1e-6
    )


SAME = [nn.MaxPool2D, nn.LeakyReLU, nn.Maxout, nn.AdaptiveAvgPool3D, nn.FractionalMaxPool2D]


@pytest.mark.parametrize("layer", SAME)
def test_a_layer_has_the_arguments_of_its_function(layer) -> None:
    _, *arguments = inspect.signature(layer.function).parameters.values()
    assert list(inspect.signature(layer).parameters.values()) == arguments


def test_arguments_that_do_not_fit_are_told_with_those_that_do() -> None:
    with pytest.raises(TypeMismatchError, match=r"(?s)slop.*call it as LeakyReLU\(negative_slope"):
        nn.LeakyReLU(slop=0.1)
    with pytest.raises(TypeMismatchError, match="missing a required argument: 'kernel_size'"):
        nn.MaxPool2D()


@pytest.mark.parametrize(
    ("layer", "attributes"),
    [
        (nn.LeakyReLU(0.2), {"_negative_slope": 0.2, "_name": None}),
        (nn.MaxPool2D(2, name="p"), {"ksize": 2, "return_mask": False, "name": "p"}),
        (nn.NLLLoss(ignore_index=3), {"_ignore_index": 3, "reduction": "mean"}),
        (nn.UpsamplingBilinear2D([4, 4]), {"mode": "bilinear", "align_corners": True}),
    ],
)
def test_attributes_have_the_names_that_paddle_gives_them(layer, attributes) -> None:
    assert {name: getattr(layer, name) for name in attributes} == attributes


def test_a_layer_may_be_subclassed_copied_and_pickled() -> None:
    class Halved(nn.LeakyReLU):
        def __init__(self, scale: float):
            super().__init__(negative_slope=0.5)
            self.scale = scale

        def forward(self, x):
            return super().forward(x) * self.scale

    assert copy.deepcopy(Halved(2.0))(paddle.to_tensor([-1.0])).tolist() == [-1.0]
    assert repr(pickle.loads(pickle.dumps(nn.Softplus(2)))) == "Softplus(beta=2, threshold=20)"


def test_a_weight_is_part_of_the_layer() -> None:
    weight = paddle.to_tensor([1.0, 3.0])
    loss = nn.CrossEntropyLoss(weight=weight)
    x, label = paddle.zeros([2, 2]), paddle.to_tensor([0, 1])
    assert loss(input=x, label=label).item() == F.cross_entropy(x, label, weight=weight).item()
