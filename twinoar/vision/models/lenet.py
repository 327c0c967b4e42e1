"""LeNet: two convolutions and three linear layers, for gray images of 28 by 28 pixels."""

from __future__ import annotations

from typing import Any

from twinoar.nn import Conv2D, Layer, Linear, MaxPool2D, ReLU, Sequential
from twinoar.ops.shape.reshape import flatten


class LeNet(Layer):
    """LeNet-5 as Paddle has it.

    num_classes: outputs; 0 leaves out the linear layers. x: [N,1,28,28], float.
    Returns scores [N,num_classes], or features [N,16,5,5] without classes.
    Source: Y. LeCun et al., "Gradient-based learning applied to document recognition", 1998; here
    with ReLU and maxima where the paper has sigmoids and sums, and no nonlinearity between the
    linear layers.

    >>> LeNet()(twinoar.zeros([2, 1, 28, 28])).shape
    [2, 10]
    """

    def __init__(self, num_classes: int = 10) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.features = Sequential(
            Conv2D(1, 6, 3, stride=1, padding=1),  # [N,6,28,28]
            ReLU(),
            MaxPool2D(2, 2),  # [N,6,14,14]
            Conv2D(6, 16, 5, stride=1, padding=0),  # [N,16,10,10]
            ReLU(),
            MaxPool2D(2, 2),  # [N,16,5,5]
        )
        if num_classes > 0:
            self.fc = Sequential(Linear(400, 120), Linear(120, 84), Linear(84, num_classes))

    def forward(self, x: Any) -> Any:
        """Scores of the classes, or features without classes."""
        features = self.features(x)
        return self.fc(flatten(features, 1)) if self.num_classes > 0 else features
