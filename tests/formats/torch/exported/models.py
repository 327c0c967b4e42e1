"""Models of torch that are exported: what layers, functions and code in place become in ATen."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.export import Dim
from torch.nn import functional as F

torch.manual_seed(0)
BATCH = Dim("batch", min=2, max=64)
MODELS: dict[str, tuple] = {}


def model(
    name: str, layer: nn.Module, *inputs: torch.Tensor, batch: bool = False, trains: bool = False
) -> None:
    """Export a layer with these inputs; batch: their first size is open."""
    sizes = tuple({0: BATCH} for _ in inputs) if batch else None
    MODELS[name] = (layer.train(trains), inputs, sizes)


class Calls(nn.Module):
    """A function as a module."""

    def __init__(self, function: Callable):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def calls(name: str, *inputs: torch.Tensor) -> Callable:
    """Export a function."""

    def enter(function: Callable) -> Callable:
        model(name, Calls(function), *inputs)
        return function

    return enter


x, y = torch.randn(3, 4), torch.randn(3, 4)
u = torch.rand(3, 4) * 0.8 + 0.1
i, j = torch.randint(-9, 9, (3, 4)), torch.randint(1, 5, (3, 4))


@calls("unary", x, u)
def unary(x, u):
    return [
        x.abs(), -x, x.sign(), x.floor(), x.ceil(), x.trunc(), x.square(), x.exp(), x.expm1(),
        u.log(), u.log2(), u.log10(), u.log1p(), u.sqrt(), u.rsqrt(), x.reciprocal(), x.sin(),
        x.cos(), x.tan(), u.asin(), u.acos(), x.atan(), x.sinh(), x.cosh(), x.tanh(), x.asinh(),
        (u + 1).acosh(), u.atanh(), x.erf(), u.erfinv(), x.sigmoid(), u.digamma(), u.lgamma(),
        x.erfc(), x.exp2(), x.sinc(), x.frac(), x.deg2rad(), x.rad2deg(), x.round(),
        x.round(decimals=1), u.logit(), x.isnan(), x.isinf(), x.isfinite(), x.nan_to_num(0.5),
        x.sgn(), x.signbit(), torch.special.i0(x), x.logical_not(), x.positive(), u.logit(0.2),
    ]  # fmt: skip


@calls("binary", x, y, i, j)
def binary(x, y, i, j):
    return [
        x + y, torch.add(x, y, alpha=2), x - y, torch.sub(x, y, alpha=3), 2 - x, x * y, x / y,
        i / j, torch.div(x, y, rounding_mode="floor"), torch.div(x, y, rounding_mode="trunc"),
        torch.div(i, j, rounding_mode="trunc"), torch.div(i, j, rounding_mode="floor"), i // j,
        i % j, x % y, torch.fmod(x, y), torch.fmod(i, j), x.abs() ** y, x**2, 2**x, i**2, x + i,
        i * 2.5, torch.maximum(x, y), torch.minimum(x, y), torch.fmax(x, y), torch.atan2(x, y),
        torch.hypot(x, y), torch.copysign(x, y), torch.logaddexp(x, y),
        torch.xlogy(x.abs(), y.abs()), x > y, x >= y, x < 0, x <= y, x == y, i != j, i & j, i | j,
        i ^ j, i << 2, i >> 1, torch.gcd(i, j), torch.lcm(i, j), torch.lerp(x, y, 0.3),
        torch.addcmul(x, x, y, value=0.5), torch.addcdiv(x, x, y, value=0.5), x.clamp(-0.5, 0.5),
        x.clamp(min=0), x.clamp(max=y), torch.where(x > 0, x, y), torch.where(x > 0, x, 0.0),
        x.masked_fill(y > 0, 7.0), torch.isclose(x, y, 0.5), torch.logical_and(x, y > 0),
        torch.logical_xor(x > 0, y > 0), torch.isin(i, j), i.float(), x.long(), x.double(),
        x.to(torch.float16), i.bool(), x.int(), x.type_as(i), torch.heaviside(x, y),
        torch.rsub(x, y), 1 / x, 3 // j, x > i,
    ]  # fmt: skip


@calls("reduced", torch.randn(2, 3, 4), torch.randint(0, 9, (2, 3, 4)))
def reduced(x, i):
    return [
        x.sum(), x.sum(1), x.sum((0, 2), keepdim=True), i.sum(), x.mean(), x.mean(-1), x.prod(),
        x.prod(1), x.amax(1), x.amin((0, 1)), x.max(), x.min(), *x.max(1),
        *x.min(-1, keepdim=True), x.argmax(), x.argmin(2), x.argmax(1, keepdim=True),
        (x > 0).any(), (x > 0).all(1), torch.count_nonzero(x > 0, 1), x.logsumexp(1), x.var(),
        x.var(1, unbiased=False), x.std(-1), *torch.var_mean(x, 1), *torch.std_mean(x, (0, 1)),
        x.norm(), x.norm(dim=1), x.norm(1, dim=2), torch.linalg.vector_norm(x, 3.0, dim=(1, 2)),
        x.cumsum(1), x.cumprod(2), i.cumsum(0), x.logcumsumexp(1), *x.cummax(1), *x.cummin(2),
        *x.topk(2, 1), *x.sort(1), *x.sort(-1, descending=True), x.argsort(1), *x.kthvalue(2, 1),
        *x.median(1), torch.searchsorted(torch.tensor([-1.0, 0.0, 1.0]), x),
        torch.bucketize(x, torch.tensor([-1.0, 0.0, 1.0]), right=True), torch.cdist(x, x + 1),
        *torch.aminmax(x, dim=1), x.nansum(1), torch.trace(x[0]), x.nanmean(1),
        x.sum(dtype=torch.double),
    ]  # fmt: skip


@calls("moved", torch.randn(2, 3, 4), torch.randint(0, 3, (2, 2, 4)), torch.tensor([1, 0]))
def moved(x, k, rows):
    source = torch.ones(2, 2, 4)
    return [
        x.view(6, 4), x.reshape(-1), x.flatten(1), x.unflatten(2, (2, 2)), x.permute(2, 0, 1),
        x.transpose(0, 2), x[0].t(), x.mT, x.movedim(0, 2), x.unsqueeze(1).squeeze(1), x.squeeze(),
        x[:, :1].expand(2, 3, 4), x.expand(5, -1, -1, -1), x.repeat(2, 1, 3), x.tile(2, 2),
        x.repeat_interleave(2, 1), torch.cat([x, x], 1), torch.stack([x, x], -1),
        torch.hstack([x, x]), torch.vstack([x, x]), *x.split(2, 1), *x.split([1, 2], 1),
        *x.chunk(2, 2), *torch.tensor_split(x, 3, 2), *x.unbind(0), x[:, 1], x[..., -1], x[:, 1:3],
        x[:, :, ::2], x[:, -2:], x.narrow(2, 1, 2), x[rows], x[:, rows], x[rows, rows],
        x[x > 0].sum(), x.index_select(1, rows), x.gather(1, k), torch.take_along_dim(x, k, 1),
        x.take(k), x.scatter(1, k[:, :1], source), x.scatter(1, k[:, :1], 3.0),
        x.scatter_add(1, k, source), x.scatter_reduce(1, k, source, "amax"),
        x.index_add(0, rows, x), x.flip(1, 2), x.roll(1, 2), x.roll(3), x.rot90(1, (1, 2)),
        F.pad(x, (1, 2)), F.pad(x, (-1, 1, 0, 2), value=3.0), F.pad(x, (1, 1), "reflect"),
        F.pad(x, (2, 1), "replicate"), F.pad(x, (2, 1), "circular"), x.unfold(2, 2, 1),
        x.diagonal(0, 1, 2), x.diag_embed(), x[0, 0].diag(), x.tril(), x.triu(1),
        torch.kron(x[0], x[1]), F.one_hot(k, 5), x.index_put((rows, rows), torch.tensor(9.0)),
        x.masked_scatter(x > 0, x), x.select_scatter(x[:, 0] + 1, 1, 2),
        x.slice_scatter(x[:, 1:] + 1, 1, 1), torch.meshgrid(rows, rows, indexing="ij")[0],
        torch.broadcast_tensors(x, x[:1])[1], x.as_strided((2, 2), (4, 1), 1), x.contiguous(),
        x.new_zeros(2), x.new_ones((2, 3)), torch.zeros_like(x), torch.full((2, 2), 3.5),
        torch.arange(5), torch.arange(1, 6, 2.0), torch.linspace(0, 1, 5), torch.eye(3),
        torch.ones_like(x), torch.full_like(x, 2), x.new_full((2,), 4.0), torch.scalar_tensor(2.0),
    ]  # fmt: skip


@calls("activations", torch.randn(2, 4, 6))
def activations(x):
    return [
        F.relu(x), F.relu6(x), F.gelu(x), F.gelu(x, approximate="tanh"), F.silu(x), F.mish(x),
        F.elu(x, 0.7), F.celu(x, 0.7), F.selu(x), F.leaky_relu(x, 0.2), F.hardtanh(x, -0.5, 0.5),
        F.hardsigmoid(x), F.hardswish(x), F.softplus(x, 2.0), F.softsign(x), F.softshrink(x),
        F.hardshrink(x), F.tanhshrink(x), F.threshold(x, 0.1, 5.0), F.logsigmoid(x), F.glu(x, 1),
        F.softmax(x, 1), F.log_softmax(x, -1), F.softmin(x, 1), F.prelu(x, x[0, :, 0]),
        F.normalize(x, dim=1), F.layer_norm(x, (6,)), F.rms_norm(x, (6,)),
        F.dropout(x, training=False),
    ]  # fmt: skip


@calls(
    "losses", torch.randn(5, 3), torch.randn(5, 3), torch.tensor([0, 2, 1, 1, 0]), torch.rand(5, 3)
)
def losses(x, y, labels, p):
    weight = torch.tensor([0.5, 1.0, 2.0])
    return [
        F.cross_entropy(x, labels), F.cross_entropy(x, labels, weight, label_smoothing=0.1),
        F.cross_entropy(x, p.softmax(1)),
        F.cross_entropy(x, labels, reduction="none", ignore_index=1), F.nll_loss(x, labels),
        F.nll_loss(x, labels, weight, reduction="sum"), F.mse_loss(x, y),
        F.l1_loss(x, y, reduction="sum"), F.smooth_l1_loss(x, y, beta=0.5),
        F.huber_loss(x, y, delta=0.5), F.binary_cross_entropy(p, (y > 0).float()),
        F.binary_cross_entropy_with_logits(x, p, pos_weight=weight), F.kl_div(x.log_softmax(1), p),
        F.cosine_similarity(x, y),
    ]  # fmt: skip


@calls("products", torch.randn(2, 3, 4), torch.randn(2, 4, 5), torch.randn(4), torch.randn(3, 4))
def products(a, b, v, m):
    return [
        a @ b, torch.bmm(a, b), m @ v, m.mv(v), v.dot(v), torch.outer(v, v), m.mm(m.t()), a @ v,
        torch.addmm(m @ m.t(), m, m.t(), beta=0.5, alpha=2), torch.baddbmm(a @ b, a, b, alpha=2),
        torch.einsum("bij,bjk->bik", a, b), torch.einsum("ij,kj", m, m), F.linear(a, m),
        F.bilinear(m, m, torch.ones(2, 4, 4)), F.scaled_dot_product_attention(a, a, a),
        F.scaled_dot_product_attention(a[None], a[None], a[None], is_causal=True),
        F.scaled_dot_product_attention(a[None], a[None], a[None], torch.ones(3, 3).tril().bool()),
        torch.addmv(torch.ones(3), m, v),
    ]  # fmt: skip


@calls("images", torch.randn(2, 4, 8, 8), torch.rand(2, 3, 3, 2) * 2 - 1)
def images(x, grid):
    return [
        F.max_pool2d(x, 2), F.max_pool2d(x, 3, 2, 1), *F.max_pool2d(x, 2, return_indices=True),
        F.max_pool2d(x, 3, 2, ceil_mode=True), F.avg_pool2d(x, 3, 2, 1),
        F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), F.adaptive_avg_pool2d(x, 1),
        F.adaptive_avg_pool2d(x, (3, 2)), F.adaptive_max_pool2d(x, 2), F.max_pool1d(x[0], 2),
        F.avg_pool1d(x[0], 3), F.interpolate(x, scale_factor=2), F.interpolate(x, (5, 6)),
        F.interpolate(x, scale_factor=2, mode="bilinear"),
        F.interpolate(x, (11, 5), mode="bilinear", align_corners=True),
        F.interpolate(x, (4, 4), mode="bicubic"), F.interpolate(x[0], 12, mode="linear"),
        F.pixel_shuffle(x, 2), F.pixel_unshuffle(x, 2), F.channel_shuffle(x, 2),
        F.unfold(x, 3, padding=1), F.fold(F.unfold(x, 2, stride=2), (8, 8), 2, stride=2),
        F.grid_sample(x, grid, align_corners=False), F.pad(x, (1, 2, 3, 4), "reflect"),
        F.avg_pool3d(x[None], 2), F.max_pool3d(x[None], 2), F.lp_pool2d(x, 2.0, 2),
    ]  # fmt: skip


@calls("spectra", torch.randn(2, 3, 12), torch.randn(2, 3, 12))
def spectra(x, y):
    window = torch.hann_window(8)
    z = torch.complex(x, y)
    turned = torch.polar(torch.ones(12), torch.arange(12.0))
    found = [
        torch.fft.fft(x),
        torch.fft.fft(z, 9),
        torch.fft.ifft(z, 16, norm="ortho"),
        torch.fft.rfft(x, dim=1),
        torch.fft.rfft(x, 7, norm="forward"),
        torch.fft.ihfft(x).resolve_conj(),
        torch.fft.fft2(x),
        torch.fft.ifftn(z, (4, 5)),
        torch.fft.rfft2(x),
        torch.fft.fftn(z),
        torch.stft(x[0], 8, 4, window=window, return_complex=True),
        z * turned,
        torch.stft(
            x[0],
            6,
            3,
            window=window[:4],
            win_length=4,
            center=False,
            normalized=True,
            return_complex=True,
        ),
        torch.fft.fftshift(z, 1),
        torch.fft.ifftshift(z),
    ]
    return [
        *(torch.view_as_real(f) for f in found),
        torch.fft.irfft(torch.fft.rfft(x)),
        torch.fft.irfft(z, 11),
        torch.fft.hfft(z),
        torch.fft.irfft2(z),
        torch.fft.fftfreq(7, 0.5),
        torch.fft.rfftfreq(8),
        torch.hamming_window(5),
        torch.blackman_window(6, False),
        z.abs(),
        torch.kaiser_window(5, True, 8.0),
        torch.bartlett_window(4),
        z.angle(),
        z.conj().resolve_conj().imag,
    ]


@calls("matrices", torch.randn(2, 4, 4), torch.randn(2, 4, 3))
def matrices(x, b):
    a = x @ x.mT + 2 * torch.eye(4)
    lower = torch.linalg.cholesky(a)
    q, r = torch.linalg.qr(a)
    u, s, v = torch.linalg.svd(b, full_matrices=False)
    return [
        torch.linalg.det(a), *torch.linalg.slogdet(a), torch.logdet(a), torch.linalg.inv(a),
        torch.linalg.solve(a, b), torch.linalg.solve(a, b.mT, left=False), lower, q @ r,
        torch.linalg.solve_triangular(lower, b, upper=False), torch.cholesky_solve(b, lower),
        torch.cholesky_inverse(lower), u @ torch.diag_embed(s) @ v, torch.linalg.svdvals(b),
        torch.linalg.eigvalsh(a), torch.linalg.eigh(a)[0], torch.linalg.matrix_power(a, 3),
        torch.matrix_exp(a * 0.1), torch.linalg.matrix_norm(b), torch.linalg.norm(b),
        torch.linalg.matrix_norm(b, 1), torch.linalg.norm(b, dim=(1, 2)),
        torch.linalg.norm(b, 3, 1), torch.linalg.cross(b, b.flip(2) + 1),
        torch.linalg.vecdot(x, a), torch.inner(x[0], a[0]),
        torch.linalg.multi_dot([x[0], a[0], b[0]]), torch.tensordot(x, a, ([0, 2], [0, 1])),
        torch.addr(x[0], b[0, :, 0], b[1, :, 0], beta=0.5, alpha=2), torch.block_diag(x[0], b[0]),
        torch.addbmm(x[0], a, x, alpha=0.5),
    ]  # fmt: skip


@calls("others", torch.randn(4, 6), torch.rand(4, 6) + 0.2, torch.tensor([2, 0]))
def others(x, u, rows):
    sign = torch.where(x > 0, 1.0, -1.0)
    table, words = torch.arange(20.0).view(5, 4), torch.tensor([1, 4, 3, 0, 0, 2])
    return [
        x.diff(), x.diff(2, 0), torch.quantile(x, 0.3), torch.quantile(x, 0.75, 1, keepdim=True),
        x.index_copy(0, rows, u[:2]), x.index_copy(1, rows, u[:, :2]), x.index_fill(1, rows, 7.0),
        x.diagonal_scatter(u[:, 0]), torch.tril_indices(3, 4), torch.triu_indices(3, 3, 1),
        torch.column_stack([x[:, 0], u]), torch.dstack([x, u]), x.fliplr(), x.flipud(), x.msort(),
        x[0].diagflat(), torch.logspace(0, 2, 5), torch.dist(x, u), torch.pdist(x),
        u.float_power(2), torch.nextafter(x, u), torch.special.gammainc(u, u + 1),
        torch.special.gammaincc(u, u),
        torch.ldexp(x, rows[:1]), torch.logaddexp2(x, u), torch.polygamma(1, u), u.mvlgamma(1),
        torch.special.ndtr(x), torch.special.ndtri(u / 2), torch.special.entr(u), x.isreal(),
        torch.special.xlog1py(x, u), F.pairwise_distance(x, u), F.hinge_embedding_loss(u, sign),
        F.margin_ranking_loss(x, u, sign, 0.3), F.soft_margin_loss(x, sign),
        F.cosine_embedding_loss(x, u, sign[:, 0], 0.1), F.triplet_margin_loss(x, u, u.flip(0)),
        F.poisson_nll_loss(x, u), F.poisson_nll_loss(u, u * 3, log_input=False, full=True),
        F.embedding_bag(words, table, torch.tensor([0, 2, 2]), mode="sum"),
        F.embedding_bag(words, table, torch.tensor([0, 4]), mode="mean"),
        F.embedding_bag(words.view(3, 2), table), torch.bernoulli(torch.ones(3)),
        torch.randperm(5).sort()[0], torch.randint(3, 4, (2,)), torch.zeros(3).normal_(2.0, 0.0),
        torch.zeros(3).uniform_(1.0, 1.0), torch.multinomial(torch.tensor([0.0, 1.0]), 1),
        torch.normal(torch.ones(2), 0.0), torch.randint_like(x, 1, 2), (torch.rand(9) < 1).all(),
    ]  # fmt: skip


class InPlace(nn.Module):
    """Code that changes tensors, views of them and a buffer."""

    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(2))
        self.register_buffer("table", torch.arange(4.0), persistent=False)

    def forward(self, x):
        y = x * 2
        y += 1
        y[0] = 5
        y[:, 1].mul_(3)
        z = y.view(-1)
        z[2] = 7
        y.relu_()
        part = y[1]
        y.add_(1)
        self.count.add_(1)
        w = torch.zeros(3, 4)
        w[1:, ::2] = y[1:, ::2] + self.table[1]
        w.fill_diagonal_(2) if False else w.masked_fill_(w > 4, -1.0)
        return y, z.sum(), part, w, self.count + 0


model("in_place", InPlace(), torch.randn(3, 4))


class Branches(nn.Module):
    """A branch on data, and a loop."""

    def forward(self, x):
        a = torch.cond(x.sum() > 0, lambda v: v + 1, lambda v: v * 2, (x,))
        return a, torch.cond(x.sum() <= 0, lambda v: v + 1, lambda v: v * 2, (x,))


model("branches", Branches(), torch.randn(3, 4))


class Without(nn.Module):
    """A part under no_grad, and sizes computed of an open one."""

    def forward(self, x):
        with torch.no_grad():
            scale = x.abs().amax()
        n = x.shape[0]
        tail = x.new_ones(n * 2, 3)
        y = x.view(n, 2, -1).transpose(1, 2).reshape(n, -1) / scale
        return y, torch.cat([tail, x[:, :3]], 0), torch.arange(n).float()


model("open_sizes", Without(), torch.randn(4, 6), batch=True)


class Convolutions(nn.Module):
    """All kinds of convolutions and norms."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding="same", bias=False), nn.BatchNorm2d(8),
            nn.ReLU(inplace=True), nn.Conv2d(8, 8, 3, 2, 1, groups=4), nn.GroupNorm(2, 8),
            nn.SiLU(), nn.Conv2d(8, 8, 3, dilation=2, padding=2),
            nn.InstanceNorm2d(8, affine=True), nn.PReLU(8), nn.ConvTranspose2d(8, 4, 3, 2, 1, 1),
            nn.LayerNorm([4, 8, 8]), nn.Hardswish(), nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(2),
            nn.Flatten(), nn.Dropout(), nn.Linear(16, 5),
        )  # fmt: skip
        self.line = nn.Sequential(nn.Conv1d(8, 4, 3, padding=1), nn.BatchNorm1d(4), nn.Tanh())
        self.solid = nn.Sequential(nn.Conv3d(1, 2, 3), nn.ConvTranspose3d(2, 1, 2))
        for norm in (self.body[1], self.line[1]):
            norm.running_mean.normal_()
            norm.running_var.uniform_(0.5, 2)

    def forward(self, x):
        return self.body(x), self.line(x[:, 0]), self.solid(x[:, :1, None].repeat(1, 1, 4, 1, 1))


model("convolutions", Convolutions(), torch.randn(2, 3, 8, 8), batch=True)


class Recurrent(nn.Module):
    """Recurrent networks of every kind."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 5, 2, batch_first=True, bidirectional=True)
        self.gru = nn.GRU(4, 3, bias=False)
        self.rnn = nn.RNN(4, 3, nonlinearity="relu")
        self.cells = nn.ModuleList([nn.LSTMCell(4, 3), nn.GRUCell(4, 3), nn.RNNCell(4, 3)])

    def forward(self, x):
        a, (h, c) = self.lstm(x)
        b, g = self.gru(x)
        d, e = self.rnn(x)
        return a, h, c, b, g, d, e, *self.cells[0](x[0]), self.cells[1](x[0]), self.cells[2](x[0])


model("recurrent", Recurrent(), torch.randn(3, 6, 4))
model("encoder", nn.TransformerEncoder(
    nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, activation="gelu"), 2,
    enable_nested_tensor=False), torch.randn(2, 5, 16))  # fmt: skip
model("transformer", nn.Transformer(8, 2, 1, 1, 16, batch_first=True),
    torch.randn(2, 5, 8), torch.randn(2, 3, 8))  # fmt: skip


class GPT(nn.Module):
    """A small decoder, with tied tables."""

    def __init__(self, vocabulary=19, width=16, heads=4):
        super().__init__()
        self.words, self.places = nn.Embedding(vocabulary, width), nn.Embedding(8, width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.before, self.after = nn.LayerNorm(width), nn.LayerNorm(width)
        self.wide = nn.Sequential(nn.Linear(width, 32), nn.GELU("tanh"), nn.Linear(32, width))
        self.head, self.heads = nn.Linear(width, vocabulary, bias=False), heads
        self.head.weight = self.words.weight

    def forward(self, words):
        n, length = words.shape
        x = self.words(words) + self.places(torch.arange(length))
        q, k, v = self.qkv(self.before(x)).split(x.shape[-1], 2)
        q, k, v = (t.view(n, length, self.heads, -1).transpose(1, 2) for t in (q, k, v))
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).reshape(n, length, -1))
        return self.head(x + self.wide(self.after(x)))


model("gpt", GPT(), torch.randint(0, 19, (2, 8)), batch=True)


class Training(nn.Module):
    """A step's loss, with norms that remember what they saw."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.head = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.Linear(4, 3)

    def forward(self, images, labels):
        x = F.relu(self.norm(self.conv(images))).mean((2, 3))
        return F.cross_entropy(self.head(x), labels), self.norm.running_mean + 0

    def gradients(self, images, labels):
        """The gradients of the loss, by the parameters' names."""
        names, parameters = zip(*self.named_parameters(), strict=True)
        loss, _ = self(images, labels)
        return dict(zip(names, torch.autograd.grad(loss, parameters), strict=True))


model("training", Training(), torch.randn(4, 1, 6, 6), torch.tensor([0, 2, 1, 1]), trains=True)
