"""Architect: moves the weights of operations by what a network loses on other data.

Source: Liu et al. 2019, "DARTS: Differentiable Architecture Search", arXiv 1806.09055, section 2.3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar import optimizer
from twinoar.autograd import no_grad
from twinoar.core.public import declared
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError
from twinoar.regularizer import L2Decay

DECAY = 3e-4  # of the parameters, in the step that is looked ahead; PaddleSlim's
ALPHA_DECAY = 1e-3
RADIUS = 1e-2  # of the finite difference, over the length of the gradient; the source's footnote


class Architect:
    """Trains the weights of operations of a network.

    model: with `arch_parameters()` and `_loss(x, y)`. eta: the rate at which its parameters learn,
    a number or a schedule. arch_learning_rate: that of the weights, by Adam. unrolled: look a step
    of training ahead, equations 6 to 8; else take the parameters as they are. Raises ArgumentError
    for a network without either.

    >>> net = twinoar.slim.nas.darts.Network(2, 3, 1, steps=1, multiplier=1)
    >>> x, y = twinoar.ones([2, 3, 4, 4]), twinoar.to_tensor([0, 1])
    >>> before = net.alphas_normal.numpy()
    >>> Architect(net, 0.1, 0.01, unrolled=True).step(x, y, x, y)
    >>> bool((net.alphas_normal.numpy() != before).any())
    True
    """

    def __init__(self, model: Any, eta: Any, arch_learning_rate: float, unrolled: bool):
        for name in ("arch_parameters", "_loss"):
            if not callable(getattr(model, name, None)):
                raise ArgumentError(
                    f"the network has no method {name}",
                    cure="such as slim.nas.darts.Network has, arch_parameters() and _loss(x, y)",
                )
        self.model, self.eta, self.unrolled = model, eta, unrolled
        self._alphas = list(model.arch_parameters())
        own = {id(alpha) for alpha in self._alphas}
        self._weights = [p for p in model.parameters() if id(p) not in own and p.trainable]
        self._others = [
            *(p for p in model.parameters() if id(p) not in own and not p.trainable),
            *model.buffers(),
        ]
        self.optimizer = optimizer.Adam(
            arch_learning_rate,
            beta1=0.5,
            beta2=0.999,
            weight_decay=L2Decay(ALPHA_DECAY),
            parameters=self._alphas,
        )

    def get_model(self) -> Any:
        """The network."""
        return self.model

    def step(
        self, input_train: Any, target_train: Any, input_valid: Any, target_valid: Any
    ) -> None:
        """Move the weights of operations; parameters stay as they are, and have no gradients."""
        gradients = self.gradients(input_train, target_train, input_valid, target_valid)
        for alpha, gradient in zip(self._alphas, gradients, strict=True):
            alpha.grad = to_tensor(gradient)
        self.optimizer.step()
        self.optimizer.clear_grad()

    def gradients(
        self, input_train: Any, target_train: Any, input_valid: Any, target_valid: Any
    ) -> list[np.ndarray]:
        """Of the loss on other data by the weights of operations."""

        def on_training() -> Any:
            return self.model._loss(input_train, target_train)

        def on_others() -> Any:
            return self.model._loss(input_valid, target_valid)

        if not self.unrolled:
            return self._gradients(on_others, self._alphas)
        kept = [p.numpy().copy() for p in (*self._weights, *self._others)]
        before = kept[: len(self._weights)]
        try:
            rate = self._rate()
            first = self._gradients(on_training, self._weights)
            ahead = [w - rate * (g + DECAY * w) for w, g in zip(before, first, strict=True)]
            self._set(ahead)
            both = self._gradients(on_others, [*self._alphas, *self._weights])
            direct, along = both[: len(self._alphas)], both[len(self._alphas) :]
            indirect = self._along(on_training, before, along)
            return [d - rate * i for d, i in zip(direct, indirect, strict=True)]
        finally:
            self._set(kept, [*self._weights, *self._others])

    def _along(
        self, loss: Callable[[], Any], weights: list[np.ndarray], along: list[np.ndarray]
    ) -> list[np.ndarray]:
        """How gradients of the weights of operations change along a gradient: equation 8."""
        length = float(np.sqrt(sum(np.square(g).sum() for g in along)))
        if length == 0:
            return [np.zeros(alpha.shape, "f4") for alpha in self._alphas]
        radius = RADIUS / length
        ends = []
        for sign in (1.0, -1.0):
            self._set([w + sign * radius * g for w, g in zip(weights, along, strict=True)])
            ends.append(self._gradients(loss, self._alphas))
        return [(p - n) / (2 * radius) for p, n in zip(*ends, strict=True)]

    def _gradients(self, loss: Callable[[], Any], wanted: Sequence[Any]) -> list[np.ndarray]:
        self.model.clear_gradients()
        loss().backward()
        found = [np.zeros(p.shape, "f4") if p.grad is None else p.grad.numpy() for p in wanted]
        self.model.clear_gradients()
        return found

    def _set(self, values: list[np.ndarray], parameters: Sequence[Any] | None = None) -> None:
        with no_grad():
            for parameter, value in zip(parameters or self._weights, values, strict=True):
                parameter.set_value(np.asarray(value, value.dtype).astype(parameter.numpy().dtype))

    def _rate(self) -> float:
        return float(self.eta() if callable(self.eta) else self.eta)


__all__ = declared(globals())
