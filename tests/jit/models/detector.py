"""A one-stage detector: boolean masks pick the anchors that learn, and the boxes that are kept."""

import numpy as np

import twinoar as paddle
from twinoar import nn
from twinoar.nn import functional as F

CLASSES = 3
SPEC = [paddle.static.InputSpec([1, 3, 8, 8], "float32", "image")]


class Backbone(nn.Layer):
    def __init__(self, width):
        super().__init__()
        self.conv1 = nn.Conv2D(3, width, 3, stride=2, padding=1)
        self.norm = nn.BatchNorm2D(width)
        self.conv2 = nn.Conv2D(width, width, 3, padding=1)

    def forward(self, x):
        x = F.relu(self.norm(self.conv1(x)))
        return F.relu(self.conv2(x) + x)


class Detector(nn.Layer):
    def __init__(self, width=6, threshold=0.45):
        super().__init__()
        self.backbone = Backbone(width)
        self.scores = nn.Conv2D(width, CLASSES, 1)
        self.offsets = nn.Conv2D(width, 4, 1)
        self.threshold = threshold
        centers = (paddle.arange(4).astype("float32") + 0.5) / 4
        y, x = paddle.meshgrid(centers, centers)
        self.register_buffer("anchors", paddle.stack([x.flatten(), y.flatten()], axis=1))

    def forward(self, image):
        features = self.backbone(image)
        n = features.shape[0]
        logits = self.scores(features).transpose([0, 2, 3, 1]).reshape([n, -1, CLASSES])
        offsets = self.offsets(features).transpose([0, 2, 3, 1]).reshape([n, -1, 4])
        if self.training:
            return logits, offsets
        return self.select(logits[0], offsets[0])

    def decode(self, offsets):
        center = self.anchors + 0.1 * offsets[:, :2]
        size = 0.3 * paddle.exp(0.2 * offsets[:, 2:])
        return paddle.concat([center - size / 2, center + size / 2], axis=1)

    def select(self, logits, offsets):
        probabilities = F.softmax(logits, axis=-1)
        best = probabilities.max(axis=-1)
        mask = best > self.threshold
        boxes = self.decode(offsets)[mask]
        return boxes, best[mask], probabilities.argmax(axis=-1)[mask]


def detection_loss(logits, offsets, labels, targets):
    """labels: [N,A], 0 for background."""
    positive = labels > 0
    classification = F.cross_entropy(
        logits.reshape([-1, CLASSES]), labels.reshape([-1]), reduction="none"
    )
    if positive.any():
        localization = F.smooth_l1_loss(offsets[positive], targets[positive], reduction="sum")
        localization = localization / positive.astype("float32").sum()
    else:
        localization = paddle.zeros([])
    return classification.mean() + localization


def make(wrap):
    model = wrap(Detector())
    optimizer = paddle.optimizer.Momentum(0.05, parameters=model.parameters())

    def train_step(image, labels, targets):
        logits, offsets = model(image)
        loss = detection_loss(logits, offsets, labels, targets)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return model, train_step


def batches(numbers):
    for positives in (4, 0, 9):
        labels = np.zeros((2, 16), "int64")
        labels.flat[:positives] = 1 + np.arange(positives) % (CLASSES - 1)
        image = numbers.standard_normal((2, 3, 8, 8)).astype("float32")
        yield image, labels, numbers.standard_normal((2, 16, 4)).astype("float32")


def examples(numbers):
    for scale in (0.0, 1.0, 3.0):
        yield (scale * numbers.standard_normal((1, 3, 8, 8)).astype("float32"),)
