"""How many Programs are kept: the one used least recently goes, and is freed."""

import gc
import weakref

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, static
from twinoar.backends.choice import may_compile
from twinoar.jit import to_static
from twinoar.jit.warning import RecompilationWarning

KEPT = 4

pytestmark = pytest.mark.filterwarnings("ignore::twinoar.jit.warning.RecompilationWarning")


@pytest.fixture(autouse=True)
def few():
    with config.override(programs_kept=KEPT):
        yield


def scaled():
    @to_static
    def function(x, number):
        return x * number

    return function


@pytest.mark.parametrize("make", [float, str, lambda n: [n]], ids=["number", "text", "list"])
def test_an_argument_that_always_changes_keeps_no_more_programs(make):
    @to_static
    def function(x, argument):
        return x * 2 if argument else x

    for n in range(3 * KEPT):
        function(paddle.ones([2]), make(n + 1))
    assert len(function.program_cache) == KEPT


def test_a_shape_that_always_changes_keeps_no_more_programs():
    @to_static
    def function(x):
        return x * 2

    for n in range(1, 3 * KEPT):
        assert function(paddle.ones([n])).tolist() == [2.0] * n
    assert len(function.program_cache) == KEPT


def test_what_a_function_finds_by_name_is_bounded_with_its_arguments():
    holder = {}

    @to_static
    def function(x):
        return x * holder["scale"]

    for n in range(3 * KEPT):
        holder["scale"] = float(n)
        assert function(paddle.ones([n % 2 + 1])).tolist() == [float(n)] * (n % 2 + 1)
    assert len(function.program_cache) <= KEPT


def test_what_is_dropped_is_freed():
    function = scaled()
    function(paddle.ones([2]), 1.0)
    (first,) = function.program_cache.concrete_programs()
    gone = weakref.ref(first), weakref.ref(first.program)
    del first
    for n in range(2, KEPT + 3):
        function(paddle.ones([2]), float(n))
    gc.collect()
    assert [one() for one in gone] == [None, None]


def test_the_program_used_least_recently_goes():
    function = scaled()
    x = paddle.ones([2])
    for n in range(KEPT):
        function(x, float(n))
    function(x, 0.0)
    function(x, 100.0)
    before = function.program_cache.concrete_programs()
    for n in (0.0, 2.0, 3.0, 100.0):
        function(x, n)
    assert function.program_cache.concrete_programs() == before
    function(x, 1.0)
    assert function.program_cache.concrete_programs() != before


def test_the_variant_used_least_recently_goes():
    holder = {}

    @to_static
    def function(x):
        return x * holder["scale"]

    with config.override(programs_kept=100):
        for n in range(40):
            for scale in (-1.0, float(n)):
                holder["scale"] = scale
                function(paddle.ones([1]))
    assert len(function.why_recompiled()) == 40


def test_training_goes_on_where_programs_are_dropped():
    def weights(convert):
        paddle.seed(1)
        net = paddle.nn.Linear(3, 2)
        optimizer = paddle.optimizer.Adam(0.1, parameters=net.parameters())

        def step(x, factor):
            loss = (net(x) * factor).sum()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss

        step = convert(step)
        for n in range(3 * KEPT):
            step(paddle.full([n % 3 + 1, 3], 0.5), 1.0 + n)
        return net.weight.numpy()

    np.testing.assert_allclose(weights(to_static), weights(lambda f: f), rtol=1e-5)


def test_gradients_flow_through_a_program_that_was_dropped():
    function = scaled()
    x = paddle.ones([2])
    x.stop_gradient = False
    result = function(x, 3.0).sum()
    for n in range(4, 3 * KEPT):
        function(x, float(n))
    gc.collect()
    result.backward()
    assert x.grad.tolist() == [3.0, 3.0]


@pytest.mark.skipif(not may_compile(), reason="NumPy kernels fit all sizes")
def test_sizes_that_one_program_is_compiled_for_are_bounded():
    @to_static(input_spec=[static.InputSpec([None], "float32")])
    def function(x):
        return x * 2

    for n in range(1, 3 * KEPT):
        assert function(paddle.ones([n])).tolist() == [2.0] * n
    (concrete,) = function.program_cache.concrete_programs()
    (executable,) = concrete.executables().values()
    assert len(executable.forms) == KEPT
    assert ((3 * KEPT - 1,),) in executable.forms


def test_what_a_static_program_is_prepared_for_is_bounded():
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [2])
        fetches = [x * n for n in range(3 * KEPT)]
    executor = static.Executor()
    for n, fetch in enumerate(fetches):
        (found,) = executor.run(main, feed={"x": np.ones(2, "float32")}, fetch_list=[fetch])
        assert found.tolist() == [n, n]
    assert len(main.__dict__["plans"]) == KEPT


@pytest.mark.filterwarnings("default")
def test_dropped_programs_are_still_warned_of():
    function = scaled()
    with pytest.warns(RecompilationWarning, match="the argument number was"):
        for n in range(3 * KEPT):
            function(paddle.ones([2]), float(n))


def test_blocks_of_recurrent_cells_are_bounded():
    from twinoar.ops.sequence import recurrent

    assert recurrent._iteration.cache_info().maxsize == recurrent.BLOCKS_KEPT


@pytest.mark.parametrize("axes", ["dimension", "reduction_axis"])
def test_axes_go_with_the_expressions_that_have_them(axes):
    from twinoar.compile.group import dimension
    from twinoar.core.loop.axis import reduction_axis

    make = {
        "dimension": lambda: dimension(12345, 1),
        "reduction_axis": lambda: reduction_axis(2, 1, 12345),
    }[axes]
    first = make()
    assert make() is first
    gone = weakref.ref(first)
    del first
    assert gone() is None
