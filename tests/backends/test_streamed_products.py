"""Products of few rows: their kernels against NumPy, and which products they are for."""

from dataclasses import replace

import numpy as np
import pytest

from tests.backends.test_contraction import DTYPES, OTHER_TILES, multiplied, normal, same
from twinoar.backends.host import host
from twinoar.backends.llvm.contraction import plan, rows
from twinoar.backends.llvm.contraction.rows import Weight
from twinoar.backends.llvm.contraction.tile import Shape, shape_of
from twinoar.backends.llvm.jit import assembly
from twinoar.backends.native.operation import make_operation
from twinoar.backends.native.parts import TiledPart
from twinoar.compile.target import Target
from twinoar.core.dtype import float32
from twinoar.ops.linalg.matmul import matmul

# Columns and k: single ones, parts of vectors, of streams and of blocks.
SIZES = [(1, 1), (1, 300), (300, 1), (16, 8), (17, 9), (63, 15), (130, 257), (10, 64)]


def names(call):
    return [launch.name for launch in call.launches]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("count", range(1, 9))
def test_few_rows_times_a_matrix(count, size, turned, dtype):
    columns, inner = size
    x = normal((count, inner), dtype)
    y = normal((columns, inner) if turned else (inner, columns), dtype, seed=1)
    call, wanted = multiplied(x, y, False, turned)
    same(call.run(), wanted, dtype)
    assert "product" not in names(call)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("tile", OTHER_TILES)
@pytest.mark.parametrize("count", [1, 3, 8])
def test_with_the_registers_of_other_processors(count, tile, turned, monkeypatch):
    monkeypatch.setattr(
        plan, "shape_of", lambda _dtype, _target: Shape(float32, *OTHER_TILES[tile])
    )
    y = normal((75, 41) if turned else (41, 75), seed=1)
    call, wanted = multiplied(normal((count, 41)), y, False, turned)
    same(call.run(), wanted)


def test_a_matrix_times_a_vector_is_a_product_of_one_row():
    call, wanted = multiplied(normal((90, 70)), normal((70, 1), seed=1))
    same(call.run(), wanted)
    assert names(call) == [rows.ALONG]


def test_a_matrix_that_lies_neither_way_is_packed():
    call, wanted = multiplied(normal((3, 70)), normal((70, 90), seed=1)[:, ::2])
    same(call.run(), wanted)
    assert names(call) == ["panels", "product"]


@pytest.mark.parametrize("turned", [False, True])
def test_batches_share_or_have_their_matrix(turned):
    for lead in ((2, 3), (1, 3), (1, 1)):
        x, y = normal((2, 3, 2, 40)), normal((*lead, 40, 20), seed=1)
        call, wanted = multiplied(x, y.swapaxes(-1, -2).copy() if turned else y, False, turned)
        same(call.run(), wanted)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("parts", [2, 3])
def test_results_do_not_depend_on_the_number_of_threads(parts, turned):
    x, y = normal((3, 700)), normal((300, 700) if turned else (700, 300), seed=1)
    alone = multiplied(x, y, False, turned, threads=1)[0].run().copy()
    for _ in range(2):
        found = multiplied(x, y, False, turned, threads=parts)[0].run()
        np.testing.assert_array_equal(found, alone)


def kinds(x, y):
    attrs = {"transpose_x": False, "transpose_y": False}
    operation = make_operation(matmul, (x, y), attrs, host())
    return [type(p) for p in operation.compiled.parts]


@pytest.mark.parametrize(
    ("count", "columns", "dtype", "ours"),
    [
        (1, 2048, "float32", True),
        (8, 2048, "float32", True),
        (9, 2048, "float32", False),
        (4, 2048, "bfloat16", True),
        (5, 2048, "bfloat16", False),
        (2048, 1, "float32", True),
    ],
)
def test_products_that_wait_for_memory_leave_the_library(count, columns, dtype, ours):
    found = kinds(normal((count, 1024), dtype), normal((1024, columns), dtype))
    assert (TiledPart in found) == ours


@pytest.mark.parametrize("kernel", ["across", "along"])
def test_other_processors_multiply_and_add_in_vectors(kernel):
    target = Target("x86_64-unknown-linux-gnu", "haswell", "+avx2,+fma", 256)
    shape = shape_of(float32, target)
    made = {"across": float32, "along": Weight(float32)}[kernel]
    text = assembly(getattr(rows, kernel)(shape, made, 2, target), target)
    assert text.count("vfmadd231ps") >= 2 * rows.streams(shape, 2)


def test_products_of_few_rows_that_do_not_wait_for_each_other_run_as_one_command():
    x, weights = normal((2, 256)), [normal((256, n), seed=n) for n in (256, 128, 300)]

    def products(x, *weights):
        return tuple([matmul(x, y) for y in weights])

    def ran(function, *arrays):
        operation = make_operation(function, arrays, {}, host())
        bound = operation.bind(operation.new_arena(operation.arena_bytes))
        return operation.compiled.commands.batches, bound.run(arrays)

    batches, together = ran(products, x, *weights)
    assert [len(command.blocks) for batch in batches for command in batch] == [3]
    for y, found in zip(weights, together, strict=True):
        _, (alone,) = ran(lambda x, y: matmul(x, y), x, y)
        np.testing.assert_array_equal(found, alone)
        np.testing.assert_allclose(found, x @ y, rtol=1e-4, atol=1e-4)


def test_a_product_that_reads_another_waits_for_it():
    x, y, z = normal((1, 256)), normal((256, 256), seed=1), normal((256, 256), seed=2)
    operation = make_operation(lambda x, y, z: matmul(matmul(x, y), z), (x, y, z), {}, host())
    bound = operation.bind(operation.new_arena(operation.arena_bytes))
    assert len(operation.compiled.commands.batches) == 2
    np.testing.assert_allclose(bound.run((x, y, z))[0], x @ y @ z, rtol=1e-3, atol=1e-2)


@pytest.mark.parametrize(("size", "parts"), [(256, 1), (384, 1), (400, 2)])
def test_an_eager_product_that_is_over_before_a_thread_wakes_up_runs_in_one(size, parts):
    attrs = {"transpose_x": False, "transpose_y": False}
    target = replace(host(), threads=2)
    operation = make_operation(matmul, (normal((1, size)), normal((size, size))), attrs, target)
    ((launch,),) = operation.compiled.commands.batches
    assert launch.parts == parts
