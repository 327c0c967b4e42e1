"""Our own products and convolutions: against NumPy, on every element type, layout and tile."""

from dataclasses import astuple, replace

import ml_dtypes
import numpy as np
import pytest

from tests.backends.contraction_calls import Call
from tests.ops.test_ops import GOOD, SMOOTH
from tests.samples import every_sample
from twinoar import config
from twinoar.backends.host import host
from twinoar.backends.llvm.contraction import plan
from twinoar.backends.llvm.contraction.product import product
from twinoar.backends.llvm.contraction.table import Lie, are_neighbors, matmul, offsets
from twinoar.backends.llvm.contraction.tile import LOW, MANY_REGISTERS, ROWS, Shape, shape_of
from twinoar.backends.llvm.jit import assembly
from twinoar.backends.llvm.target import processor
from twinoar.backends.native.executable import NativeExecutable
from twinoar.compile.target import Target
from twinoar.core.dtype import float32, float64
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder, trace
from twinoar.core.ir.program import Program, Variable
from twinoar.core.op.library import Convolution, Matmul
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.ops.conv.gradient import conv2d_grad_weight, conv2d_grad_x
from twinoar.ops.conv.operator import conv2d_op
from twinoar.ops.linalg.matmul import matmul as matmul_op
from twinoar.ops.window._geometry import all_windows
from twinoar.testing.calls import append_gradients, arrays_of, build
from twinoar.testing.checks import agree, on_both

DTYPES = {"float32": np.float32, "float64": np.float64, "float16": np.float16} | {
    "bfloat16": ml_dtypes.bfloat16
}
# Sums in another order than NumPy's, over up to some thousand terms; results rounded to 16 bits.
TOLERANCE = {"float32": 1e-5, "float64": 1e-13, "float16": 2e-3, "bfloat16": 1e-2}
# Lanes and vectors of a row: registers of 16 bytes, 32 of them or 16; of 32 bytes; no vectors.
OTHER_TILES = {"neon": (4, 4), "sse": (4, 2), "avx": (8, 2), "scalar": (2, 2)}
# Rows, columns, k: single ones, edges of tiles, of vectors, of panels and of blocks.
SIZES = [
    (1, 1, 1), (1, 10, 64), (5, 64, 7), (6, 65, 16), (7, 63, 17), (13, 130, 300), (64, 10, 64),
    (97, 16, 33), (130, 48, 5), (490, 20, 40), (64, 128, 257), (3, 5, 0),
    (49, 64, 33), (20, 67, 9), (19, 64, 4), (403, 64, 5),
]  # fmt: skip


def normal(shape, dtype="float32", seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(DTYPES[dtype])


def same(result, wanted, dtype="float32"):
    largest = np.abs(wanted).max(initial=1.0)
    np.testing.assert_allclose(
        result.astype(np.float64), wanted, rtol=0, atol=TOLERANCE[dtype] * largest
    )


def multiplied(x, y, transpose_x=False, transpose_y=False, threads=None):
    """The product in float64, and how it is called."""
    a = x.astype(np.float64).swapaxes(-1, -2) if transpose_x else x.astype(np.float64)
    b = y.astype(np.float64).swapaxes(-1, -2) if transpose_y else y.astype(np.float64)
    wanted = a @ b
    return Call(Matmul(transpose_x, transpose_y), [x, y], wanted.shape, threads=threads), wanted


@pytest.fixture(params=OTHER_TILES)
def other_tile(request, monkeypatch):
    """The tile of another processor, which this one can run as well."""
    lanes, vectors = OTHER_TILES[request.param]
    monkeypatch.setattr(
        plan,
        "shape_of",
        lambda dtype, _target: Shape(dtype, max(2, lanes * 4 // dtype.itemsize), vectors),
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_products(size, turned, dtype):
    rows, columns, inner = size
    x = normal((inner, rows) if turned[0] else (rows, inner), dtype)
    y = normal((columns, inner) if turned[1] else (inner, columns), dtype, seed=1)
    call, wanted = multiplied(x, y, *turned)
    same(call.run(), wanted, dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.usefixtures("other_tile")
def test_products_with_the_tiles_of_other_processors(size, dtype):
    rows, columns, inner = size
    call, wanted = multiplied(
        normal((rows, inner), dtype), normal((columns, inner), dtype), False, True
    )
    same(call.run(), wanted, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("x", "y"),
    [
        ((3, 20, 30), (3, 30, 17)),
        ((3, 20, 30), (30, 17)),
        ((20, 30), (3, 30, 17)),
        ((2, 1, 20, 30), (3, 30, 17)),
        ((2, 3, 20, 30), (1, 1, 30, 17)),
    ],
)
def test_leading_dimensions_broadcast(x, y, dtype):
    call, wanted = multiplied(normal(x, dtype), normal(y, dtype, seed=1))
    same(call.run(), wanted, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "view",
    [
        lambda a: a[::2, ::3],
        lambda a: a[::-1, 3:],
        lambda a: np.broadcast_to(a[0], a.shape),
        lambda a: np.asfortranarray(a)[1:, :40],
    ],
    ids=["steps", "backwards", "broadcast", "by columns"],
)
def test_operands_may_be_views(view, dtype):
    x = view(normal((60, 90), dtype))
    y = view(normal((2 * x.shape[1] + 2, 70), dtype))[: x.shape[1]]
    x = x[:, : y.shape[0]]
    call, wanted = multiplied(x, y)
    same(call.run(), wanted, dtype)


@pytest.mark.parametrize("order", [(1, 0, 2), (1, 2, 0), (2, 0, 1)], ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_results_may_lie_in_any_order(order, dtype):
    x, y = normal((5, 20, 30), dtype), normal((5, 30, 70), dtype, seed=1)
    call = Call(Matmul(False, False), [x, y], (5, 20, 70), order)
    same(call.run(), x.astype(np.float64) @ y.astype(np.float64), dtype)


def test_nothing_runs_for_a_result_without_elements():
    call, _ = multiplied(normal((0, 5)), normal((5, 3)))
    assert call.launches == []


def test_a_sum_over_nothing_is_zero():
    call, _ = multiplied(normal((4, 0)), normal((0, 3)))
    assert (call.run() == 0).all()


@pytest.mark.parametrize("parts", [2, 3, 7])
def test_results_do_not_depend_on_the_number_of_threads(parts):
    x, y = normal((300, 700)), normal((700, 90), seed=1)
    alone = multiplied(x, y, threads=1)[0].run().copy()
    np.testing.assert_array_equal(multiplied(x, y, threads=parts)[0].run(), alone)


# Batch, channels, filters, sizes; kernel, stride, dilation, padding; groups.
CONVOLUTIONS = {
    "3x3": ((2, 5, 7), (9, 8), (3, 3), (1, 1), (1, 1), (1, 1, 1, 1), 1),
    "1x1": ((2, 16, 64), (7, 7), (1, 1), (1, 1), (1, 1), (0, 0, 0, 0), 1),
    "1x1 with steps": ((1, 16, 20), (8, 7), (1, 1), (2, 2), (1, 1), (0, 0, 0, 0), 1),
    "7x7 with steps": ((2, 3, 16), (16, 15), (7, 7), (2, 2), (1, 1), (3, 3, 3, 3), 1),
    "wide steps": ((1, 4, 6), (11, 12), (2, 3), (3, 4), (1, 1), (0, 1, 2, 0), 1),
    "dilated": ((2, 4, 6), (12, 11), (3, 2), (2, 1), (2, 3), (2, 1, 0, 3), 1),
    "groups": ((2, 8, 24), (6, 6), (3, 3), (1, 2), (1, 1), (1, 1, 1, 1), 4),
    "many pixels": ((3, 4, 64), (20, 20), (3, 3), (1, 1), (1, 1), (1, 1, 1, 1), 1),
    "many channels": ((1, 70, 130), (4, 4), (3, 3), (1, 1), (1, 1), (1, 1, 1, 1), 1),
}
LIES = ["NCHW", "NHWC", "channels last"]


def images(shape, lies, dtype, seed):
    """Images of [N,C,H,W] in an operator's format; in memory "channels last" differs from that."""
    n, c, h, w = shape
    made = normal((n, c, h, w) if lies == "NCHW" else (n, h, w, c), dtype, seed)
    return made.transpose(0, 3, 1, 2) if lies == "channels last" else made


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lies", LIES)
@pytest.mark.parametrize("name", CONVOLUTIONS)
@pytest.mark.parametrize("direction", ["forward", "backward_data", "backward_weights"])
def test_convolutions(direction, name, lies, dtype):
    (n, c, o), size, kernel, stride, dilation, padding, groups = CONVOLUTIONS[name]
    data_format = "NHWC" if lies == "NHWC" else "NCHW"
    out = all_windows(size, kernel, stride, padding, dilation)
    given = {
        "x": images((n, c, *size), lies, dtype, 0),
        "weight": normal((o, c // groups, *kernel), dtype, 1),
        "y": images((n, o, *out), lies, dtype, 2),
    }
    asked = Convolution(direction, stride, dilation, padding, groups, data_format == "NHWC")
    first, second, result = asked.roles
    rest = (stride, padding, dilation, groups, data_format)
    operator, more = {
        "forward": (conv2d_op, ()),
        "backward_data": (conv2d_grad_x, (size,)),
        "backward_weights": (conv2d_grad_weight, (kernel,)),
    }[direction]
    wide = [given[role].astype(np.float64) for role in (first, second)]
    wanted = operator.kernel_rule(*wide, *more, *rest)
    order = (0, 2, 3, 1) if lies == "channels last" and result != "weight" else None
    call = Call(asked, [given[first], given[second]], given[result].shape, order)
    same(call.run(), wanted, dtype)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("flip", [(0,), (1, 2), (3,), (0, 1, 2, 3)], ids=str)
def test_images_may_lie_backwards(flip, dtype):
    x, weight = np.flip(normal((2, 6, 7, 5), dtype), flip), normal((20, 5, 3, 3), dtype, 1)
    rest = ((1, 1), (1, 1, 1, 1), (1, 1), 1)
    wide = x.astype(np.float64), weight.astype(np.float64)
    wanted = conv2d_op.kernel_rule(*wide, *rest, "NHWC")
    asked = Convolution("forward", rest[0], rest[2], rest[1], 1, channels_last=True)
    same(Call(asked, [x, weight], wanted.shape).run(), wanted, dtype)


def test_images_without_border_are_not_copied():
    x, weight = normal((1, 8, 8, 16)), normal((32, 16, 3, 3))
    asked = Convolution("forward", (1, 1), (1, 1), (0, 0, 0, 0), 1, channels_last=True)
    assert [x.name for x in Call(asked, [x, weight], (1, 6, 6, 32)).launches] == [
        "panels",
        "product",
    ]


def test_offsets_of_a_product():
    c = matmul(Lie((3, 4), (4, 1)), Lie((4, 5), (1, 4)), Lie((3, 5), (5, 1)))
    assert c.sizes == (1, 3, 5, 4) and c.operations == 2 * 3 * 5 * 4
    assert c.a_rows.tolist() == [0, 4, 8] and c.b_columns.tolist() == [0, 4, 8, 12, 16]
    assert are_neighbors(c.a_inner) and not are_neighbors(c.b_columns)
    for found, wanted in zip(astuple(c.turned().turned()), astuple(c), strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_the_last_axis_is_the_fastest():
    assert offsets((2, 10), (3, 1)).tolist() == [0, 1, 2, 10, 11, 12]


@pytest.mark.parametrize(
    ("target", "instruction"),
    [
        (Target("x86_64-unknown-linux-gnu", "haswell", "+avx2,+fma", 256), "vfmadd231ps\t%ymm"),
        (Target("aarch64-unknown-linux-gnu", "neoverse-n1", "+neon", 128), "fmla\tv0.4s"),
    ],
    ids=["AVX2", "NEON"],
)
@pytest.mark.parametrize("updates", [False, True])
def test_the_tile_of_other_processors_multiplies_and_adds_in_vectors(target, instruction, updates):
    shape = Shape(float32, target.vector_bytes // 4, 4 if target.has("neon") else 2)
    text = assembly(product(shape, updates, target), target)
    for rows in (ROWS, LOW):
        name = f"tile{rows}x{shape.vectors}:"
        kernel = text.partition(name)[2].partition(".Lfunc_end")[0]
        assert kernel.count(instruction[: instruction.index("\t")]) >= rows * shape.vectors


@pytest.mark.parametrize("dtype", [float32, float64])
def test_sums_and_a_row_of_operands_fit_the_registers(dtype):
    shape = shape_of(dtype, processor())
    registers = 32 if any(map(processor().has, MANY_REGISTERS)) else 16
    assert (ROWS + 1) * shape.vectors + 1 <= registers


# Operators, compiled without oneDNN.


def library_samples(cases):
    return [case for case in cases if "library" in case.values[0].rules]


@every_sample(library_samples(GOOD))
def test_operators(op, sample):
    with config.override(onednn=False):
        wanted, native = on_both(build(op, sample), arrays_of(sample))
    for a, b in zip(native, wanted, strict=True):
        agree(a, b, sample.tolerance)


@every_sample(library_samples(SMOOTH))
def test_gradients_of_operators(op, sample):
    program = build(op, sample)
    inputs = [v for v in program.main.inputs if not v.stop_gradient]
    results = [v for v in program.main.outputs if not v.stop_gradient]
    seeds = [program.main.add_input(v.spec) for v in results]
    found = append_gradients(program, seeds, inputs)
    program.main.outputs = [v for v in found if isinstance(v, Variable)]
    arrays = [normal(v.spec.shape).astype(v.spec.dtype.numpy) for v in seeds]
    with config.override(onednn=False):
        wanted, native = on_both(program, [*arrays_of(sample), *arrays])
    for a, b in zip(native, wanted, strict=True):
        agree(a, b, sample.tolerance)


def linear():
    """A Program that multiplies its input by a state, and what ran it without oneDNN."""
    program = Program("linear")
    weight = program.add_state(Spec((96, 85), float32), "weight")
    x = program.main.add_input(Spec((13, 96), float32), "x")
    with using(Builder(program, policy=UNRECORDED)):
        program.main.outputs = [matmul_op(x, weight, False, False)]
    return NativeExecutable(program, host())


def test_weights_that_no_run_changes_are_packed_when_they_are_bound():
    x, weights = normal((13, 96)), [normal((96, 85), seed=seed) for seed in (1, 2)]
    with config.override(onednn=False):
        executable = linear()
        for weight in [*weights, weights[0]]:
            for _ in range(2):
                (result,), _ = executable.run({"x": x}, {"weight": weight})
                same(result, x.astype(np.float64) @ weight)
        assert "loops (tiled)" in executable.explain()
    (form,) = executable.forms.values()
    names = [
        [launch.name for batch in batches for part in batch for launch in part.launches]
        for batches in (form.compiled.setup, form.compiled.batches)
    ]
    assert names == [["panels"], ["product"]]


def test_offsets_of_four_bytes_give_the_same_bits():
    """The tables are half as large, and nothing else differs."""
    x, y = normal((70, 37)), normal((37, 29))
    program = trace(lambda x, y: matmul_op(x, y), Spec(x.shape, float32), Spec(y.shape, float32))
    found = []
    for target in (processor(), replace(processor(), offset_bytes=4)):
        executable = NativeExecutable(program, target)
        found.append(executable.execute([x, y], [])[0][0])
        (form,) = executable.forms.values()
        assert form.commands.tables.dtype.itemsize == target.offset_bytes
    np.testing.assert_array_equal(*found)
