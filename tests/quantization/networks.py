"""Networks and configurations for tests of quantization."""

from __future__ import annotations

from typing import Any

import numpy as np

import twinoar
from twinoar import nn
from twinoar.quantization import PTQ, QAT, QuantConfig
from twinoar.quantization.observers import AbsmaxObserver
from twinoar.quantization.quanters import FakeQuanterWithAbsMaxObserver


def network() -> nn.Layer:
    twinoar.seed(1)
    return nn.Sequential(
        nn.Conv2D(1, 4, 3), nn.ReLU(), nn.MaxPool2D(2), nn.Flatten(), nn.Linear(36, 5)
    )


def images(count: int = 4, seed: int = 0) -> twinoar.Tensor:
    return twinoar.to_tensor(
        np.random.default_rng(seed).standard_normal((count, 1, 8, 8)).astype("f4")
    )


def calibrated(net: nn.Layer | None = None, **bits: Any) -> tuple[PTQ, nn.Layer]:
    """PTQ, and a network through which images have passed."""
    ptq = PTQ(QuantConfig(AbsmaxObserver(**bits), AbsmaxObserver(**bits)))
    prepared = ptq.quantize((net or network()).eval())
    prepared(images())
    return ptq, prepared


def in_training(net: nn.Layer | None = None) -> tuple[QAT, nn.Layer]:
    quanter = FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
    qat = QAT(QuantConfig(activation=quanter, weight=quanter))
    return qat, qat.quantize(net or network())
