"""Operators on large arrays, as expressions in Paddle's API and in torch's.

By name: the arrays, of which each is made by an expression of NumPy's generator `r`; the call in
Paddle's names, `p`; that in torch's, `t`, where its name or arguments differ.
"""

from __future__ import annotations

from typing import NamedTuple


class Work(NamedTuple):
    """One call, in both frameworks' words."""

    paddle: str
    torch: str = ""
    arrays: dict[str, str] | None = None


def _floats(*shape: int) -> dict[str, str]:
    return {"x": f"r.standard_normal({shape}, 'float32')"}


LINE, ROWS, SQUARE = _floats(1_000_000), _floats(1000, 1000), _floats(256, 256)
AT = "r.integers(0, 100_000, 1_000_000)"
SLICES = {
    "x": "r.standard_normal((100_000, 16), 'float32')",
    "i": "r.integers(0, 100_000, 200_000)",
    "v": "r.standard_normal((200_000, 16), 'float32')",
}
FEW = {"x": "r.integers(0, 1000, 1_000_000)"}
DEFINITE = {
    "x": "(lambda a: a @ a.T + 256 * np.eye(256, dtype='float32'))"
    "(r.standard_normal((256, 256), 'float32'))"
}
SYSTEM = {
    "x": "r.standard_normal((512, 512), 'float32') + 30 * np.eye(512, dtype='float32')",
    "y": "r.standard_normal((512, 64), 'float32')",
}
SIGNAL = {"x": "r.standard_normal((1000, 1024)).astype('complex64')"}
BOXES = {
    "x": "(lambda c: np.concatenate([c, c + 9], 1).astype('float32'))(r.uniform(0, 200, (2000, 2)))"
}

WORKS = {
    "randperm": Work("p.randperm(1_000_000)", "t.randperm(1_000_000)"),
    "randn": Work("p.randn([1000, 1000])", "t.randn(1000, 1000)"),
    "uniform": Work("p.rand([1000, 1000])", "t.rand(1000, 1000)"),
    "randint": Work("p.randint(0, 100, [1000, 1000])", "t.randint(0, 100, (1000, 1000))"),
    "bernoulli": Work("p.bernoulli(x)", "t.bernoulli(x)", {"x": "r.random((1000, 1000), 'f4')"}),
    "dropout": Work("p.nn.functional.dropout(x, 0.3)", "t.nn.functional.dropout(x, 0.3)", ROWS),
    "multinomial": Work(
        "p.multinomial(x, 1000, True)", "t.multinomial(x, 1000, True)",
        {"x": "r.random((100, 1000), 'float32')"},
    ),
    "kthvalue": Work("p.kthvalue(x, 500)", "t.kthvalue(x, 500)", ROWS),
    "median": Work("p.median(x, 1, mode='min')", "t.median(x, 1)", ROWS),
    "quantile": Work("p.quantile(x, 0.3, 1)", "t.quantile(x, 0.3, 1)", ROWS),
    "mode": Work("p.mode(x)", "t.mode(x)", {"x": "r.integers(0, 9, (1000, 1000))"}),
    "sort": Work("p.sort(x)", "t.sort(x)", ROWS),
    "sort of a line": Work("p.sort(x)", "t.sort(x)", LINE),
    "argsort": Work("p.argsort(x)", "t.argsort(x)", ROWS),
    "topk": Work("p.topk(x, 10)", "t.topk(x, 10)", ROWS),
    "searchsorted": Work(
        "p.searchsorted(x, y)", "t.searchsorted(x, y)",
        {"x": "np.sort(r.standard_normal(100_000, 'f4'))", "y": "r.standard_normal(100_000, 'f4')"},
    ),
    "unique": Work("p.unique(x)", "t.unique(x)", FEW),
    "nonzero": Work("p.nonzero(x)", "t.nonzero(x)", {"x": "r.integers(0, 2, 1_000_000)"}),
    "masked_select": Work("p.masked_select(x, x > 0)", "t.masked_select(x, x > 0)", LINE),
    "bincount": Work("p.bincount(x)", "t.bincount(x)", FEW),
    "histogram": Work("p.histogram(x, 100)", "t.histc(x, 100)", LINE),
    "cumsum": Work("p.cumsum(x, 1)", "t.cumsum(x, 1)", ROWS),
    "cumsum of columns": Work("p.cumsum(x, 0)", "t.cumsum(x, 0)", ROWS),
    "cumprod": Work("p.cumprod(x, 1)", "t.cumprod(x, 1)", ROWS),
    "cummax": Work("p.cummax(x, 1)", "t.cummax(x, 1)", ROWS),
    "logcumsumexp": Work("p.logcumsumexp(x, 1)", "t.logcumsumexp(x, 1)", ROWS),
    "gather": Work("p.gather(x, i)", "x[i]", SLICES),
    "scatter_nd_add": Work(
        "p.scatter_nd_add(x, i.unsqueeze(-1), v)", "x.index_add(0, i, v)", SLICES
    ),
    "index_add": Work("p.index_add(x, i, 0, v)", "t.index_add(x, 0, i, v)", SLICES),
    "put_along_axis": Work(
        "p.put_along_axis(x, i, v, 0, 'add')", "x.scatter_add(0, i, v)",
        {"x": "r.standard_normal(100_000, 'f4')", "i": AT, "v": "r.standard_normal(1000000, 'f4')"},
    ),
    "take_along_axis": Work(
        "p.take_along_axis(x, i, 1)", "t.gather(x, 1, i)",
        {**ROWS, "i": "r.integers(0, 1000, (1000, 1000))"},
    ),
    "softmax of columns": Work("p.nn.functional.softmax(x, 0)", "t.softmax(x, 0)", ROWS),
    "max of columns": Work("p.max(x, 0)", "t.amax(x, 0)", ROWS),
    "argmax": Work("p.argmax(x, 1)", "t.argmax(x, 1)", ROWS),
    "strided slice": Work("x[::2, ::3] + 1", "x[::2, ::3] + 1", ROWS),
    "lgamma": Work("p.lgamma(x)", "t.lgamma(x)", ROWS),
    "digamma": Work("p.digamma(x)", "t.digamma(x)", ROWS),
    "erfinv": Work("p.erfinv(x)", "t.erfinv(x)", {"x": "r.uniform(-1, 1, (1000, 1000))"}),
    "complex product": Work("x * x + x", "x * x + x", SIGNAL),
    "fft": Work("p.fft.fft(x)", "t.fft.fft(x)", SIGNAL),
    "rfft": Work("p.fft.rfft(x)", "t.fft.rfft(x)", _floats(1000, 1024)),
    "solve": Work("p.linalg.solve(x, y)", "t.linalg.solve(x, y)", SYSTEM),
    "inverse": Work("p.inverse(x)", "t.inverse(x)", {"x": SYSTEM["x"]}),
    "cholesky": Work("p.linalg.cholesky(x)", "t.linalg.cholesky(x)", DEFINITE),
    "qr": Work("p.linalg.qr(x)", "t.linalg.qr(x)", SQUARE),
    "eigh": Work("p.linalg.eigh(x)", "t.linalg.eigh(x)", DEFINITE),
    "svd": Work("p.linalg.svd(x)", "t.linalg.svd(x, full_matrices=False)", SQUARE),
    "triangular_solve": Work(
        "p.linalg.triangular_solve(x, y)", "t.linalg.solve_triangular(x, y, upper=True)", SYSTEM
    ),
    "nms": Work("p.vision.ops.nms(x, 0.5)", "", BOXES),
}  # fmt: skip
