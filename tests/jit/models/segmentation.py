"""A U-Net for images of any size: what is enlarged is cut to the size of what it joins."""

import twinoar as paddle
from twinoar import nn
from twinoar.nn import functional as F

SPEC = [paddle.static.InputSpec([None, 1, None, None], "float32", "image")]


class Down(nn.Layer):
    def __init__(self, channels, out):
        super().__init__()
        self.conv = nn.Conv2D(channels, out, 3, padding=1, bias_attr=False)
        self.norm = nn.BatchNorm2D(out)

    def forward(self, x):
        return F.relu(self.norm(self.conv(x)))


class Up(nn.Layer):
    def __init__(self, channels, skip, out):
        super().__init__()
        self.enlarge = nn.Conv2DTranspose(channels, out, 2, stride=2)
        self.conv = nn.Conv2D(out + skip, out, 3, padding=1)

    def forward(self, x, skip):
        x = self.enlarge(x)
        h, w = skip.shape[2:]
        if x.shape[2] != h or x.shape[3] != w:
            x = x[:, :, :h, :w]
        return F.relu(self.conv(paddle.concat([x, skip], axis=1)))


class UNet(nn.Layer):
    def __init__(self, classes=2, widths=(2, 3, 4)):
        super().__init__()
        self.down = nn.LayerList()
        channels = 1
        for width in widths:
            self.down.append(Down(channels, width))
            channels = width
        self.up = nn.LayerList()
        for width in reversed(widths[:-1]):
            self.up.append(Up(channels, width, width))
            channels = width
        self.pool = nn.MaxPool2D(2, stride=2, ceil_mode=True)
        self.head = nn.Conv2D(channels, classes, 1)

    def forward(self, image):
        skips = []
        x = image
        for i, down in enumerate(self.down):
            x = down(x)
            if i < len(self.down) - 1:
                skips.append(x)
                x = self.pool(x)
        for up in self.up:
            x = up(x, skips.pop())
        logits = self.head(x)
        if self.training:
            return logits
        return logits.argmax(axis=1), F.softmax(logits, axis=1).max(axis=1)


def dice(logits, mask):
    p = F.softmax(logits, axis=1)[:, 1]
    mask = mask.astype("float32")
    overlap = (p * mask).sum(axis=[1, 2])
    return 1 - (2 * overlap / (p.sum(axis=[1, 2]) + mask.sum(axis=[1, 2]) + 1e-3)).mean()


def make(wrap):
    model = wrap(UNet())
    optimizer = paddle.optimizer.Adam(0.02, parameters=model.parameters(), weight_decay=1e-4)

    def train_step(image, mask):
        logits = model(image)
        n, classes, h, w = logits.shape
        flat = logits.transpose([0, 2, 3, 1]).reshape([n * h * w, classes])
        loss = F.cross_entropy(flat, mask.reshape([n * h * w])) + dice(logits, mask)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return model, train_step


def batches(numbers):
    for h, w in ((8, 8), (7, 10), (8, 8)):
        image = numbers.standard_normal((2, 1, h, w)).astype("float32")
        yield image, (image[:, 0] > 0).astype("int64")


def examples(numbers):
    for n, h, w in ((1, 8, 8), (2, 7, 10), (1, 13, 5)):
        yield (numbers.standard_normal((n, 1, h, w)).astype("float32"),)
