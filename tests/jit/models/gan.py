"""A generative adversarial network: two models, two optimizers, two steps."""

import twinoar as paddle
from twinoar import nn
from twinoar.nn import functional as F

SPEC = [paddle.static.InputSpec([None, 3], "float32", "noise")]


class Generator(nn.Layer):
    def __init__(self, noise=3, hidden=8, out=4):
        super().__init__()
        self.noise = noise
        self.body = nn.Sequential(
            nn.Linear(noise, hidden, bias_attr=False),
            nn.BatchNorm1D(hidden),
            nn.ReLU(),
            nn.Linear(hidden, out),
        )

    def forward(self, noise):
        return paddle.tanh(self.body(noise))


class Discriminator(nn.Layer):
    def __init__(self, size=4, hidden=8):
        super().__init__()
        self.layers = nn.LayerList([nn.Linear(size, hidden), nn.Linear(hidden, hidden)])
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        for layer in self.layers:
            x = F.leaky_relu(layer(x), 0.2)
        return self.out(x)


class GAN:
    """Not a Layer: it only holds what is trained."""

    def __init__(self, wrap):
        self.generator, self.discriminator = wrap(Generator()), wrap(Discriminator())
        self.g_optimizer = paddle.optimizer.Adam(
            0.01, beta1=0.5, parameters=self.generator.parameters()
        )
        self.d_optimizer = paddle.optimizer.Adam(
            0.01, beta1=0.5, parameters=self.discriminator.parameters()
        )
        self.loss = nn.BCEWithLogitsLoss()

    def discriminator_step(self, real, noise):
        fake = self.generator(noise).detach()
        real_logits, fake_logits = self.discriminator(real), self.discriminator(fake)
        loss = self.loss(real_logits, paddle.full_like(real_logits, 0.9))
        loss = loss + self.loss(fake_logits, paddle.zeros_like(fake_logits))
        self.d_optimizer.clear_grad()
        loss.backward()
        self.d_optimizer.step()
        return loss

    def generator_step(self, noise):
        logits = self.discriminator(self.generator(noise))
        loss = self.loss(logits, paddle.ones_like(logits))
        self.g_optimizer.clear_grad()
        loss.backward()
        self.g_optimizer.step()
        return loss

    def train_step(self, real, noise):
        d_loss = self.discriminator_step(real, noise)
        g_loss = self.generator_step(noise)
        return d_loss, g_loss


def make(wrap):
    gan = GAN(wrap)
    return gan.generator, gan.train_step


def batches(numbers):
    for _ in range(4):
        real = numbers.standard_normal((5, 4)).astype("float32") * 0.3 + 0.5
        yield real, numbers.standard_normal((5, 3)).astype("float32")


def examples(numbers):
    for batch in (1, 4):
        yield (numbers.standard_normal((batch, 3)).astype("float32"),)
