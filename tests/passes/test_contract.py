"""Contractions that become others give the same values."""

import numpy as np

from twinoar.backends.numpy import NumpyExecutable
from twinoar.core.dtype import complex64, float32
from twinoar.core.ir.builder import trace
from twinoar.core.ir.program import copy_program
from twinoar.core.spec import Spec
from twinoar.ops.conv.gradient import conv2d_grad_weight
from twinoar.ops.linalg.matmul import matmul
from twinoar.passes.contract import contract
from twinoar.passes.pipeline import lower


def outputs(program, arrays):
    executable = NumpyExecutable(lower(program))
    return executable.execute(arrays, [])[0]


def gradient(images, filters, channels):
    def function(x, dy):
        return conv2d_grad_weight(x, dy, (3, 3), (2, 1), (1, 1, 0, 1))

    return trace(
        function, Spec((images, channels, 5, 6)), Spec((images, filters, 3, 5)), name="gradient"
    )


def names(program):
    return [o.op.name for o in program.main.ops]


def test_the_gradient_of_filters_of_few_pixels_is_a_product():
    program = gradient(2, 256, 256)
    changed = contract(copy_program(program)[0])
    assert "conv2d_grad_weight" not in names(changed) and "matmul" in names(changed)
    generator = np.random.default_rng(0)
    arrays = [
        generator.standard_normal(v.spec.shape).astype("float32") for v in program.main.inputs
    ]
    (wanted,), (found,) = outputs(program, arrays), outputs(changed, arrays)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


def test_many_pixels_and_few_filters_stay_as_they_are():
    for program in (gradient(64, 256, 256), gradient(2, 8, 8)):
        assert names(contract(program)) == ["conv2d_grad_weight"]


def test_a_product_of_complex_matrices_is_one_of_real_ones():
    for shapes in (((3, 5), (4, 5)), ((2, 3, 5), (2, 4, 5))):
        specs = [Spec(shape, complex64) for shape in shapes]
        program = trace(lambda x, y: matmul(x, y, False, True), *specs, name="product")
        changed = contract(copy_program(program)[0])
        (product,) = [o for o in changed.main.ops if o.op is matmul]
        assert product.results[0].spec.dtype is float32
        generator = np.random.default_rng(0)
        arrays = [
            (generator.standard_normal(s) + 1j * generator.standard_normal(s)).astype("complex64")
            for s in shapes
        ]
        (wanted,), (found,) = outputs(program, arrays), outputs(changed, arrays)
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


def test_complex_vectors_and_empty_matrices_stay_as_they_are():
    for shapes in (((5,), (5, 3)), ((0, 5), (5, 3))):
        specs = [Spec(shape, complex64) for shape in shapes]
        assert names(contract(trace(lambda x, y: matmul(x, y), *specs, name="product"))) == [
            "matmul"
        ]
