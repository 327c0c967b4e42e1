"""PyLayer: an operator with its own backward, eagerly and in Programs. Facts are Paddle 3.3.1's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import twinoar
from twinoar import Tensor, grad, static, to_tensor
from twinoar.autograd import PyLayer
from twinoar.errors import GradientError, ShapeError, TypeMismatchError, UnsupportedError


def leaf(*values: float) -> Tensor:
    return to_tensor(list(values), stop_gradient=False)


def layer(forward: Callable, backward: Callable) -> type[PyLayer]:
    """The PyLayer of two functions."""
    methods = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("Made", (PyLayer,), methods)


class Cube(PyLayer):
    """x * x * x, with a derivative that is three times too large where `factor` is 3."""

    @staticmethod
    def forward(ctx: Any, x: Any, factor: float = 1.0) -> Any:
        ctx.save_for_backward(x)
        ctx.factor = factor
        return x * x * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensor()
        return g * 3 * x * x * ctx.factor


class Mixed(PyLayer):
    """Two operands, a number, two results."""

    @staticmethod
    def forward(ctx: Any, a: Any, b: Any, times: float = 2.0) -> Any:
        ctx.save_for_backward(a, b)
        ctx.times = times
        return a * b * times, a + b

    @staticmethod
    def backward(ctx: Any, product: Any, total: Any) -> Any:
        a, b = ctx.saved_tensor()
        return product * b * ctx.times + total, product * a * ctx.times + total


class TestForward:
    def test_runs_without_recording(self) -> None:
        modes = []

        def forward(ctx: Any, x: Tensor) -> Tensor:
            modes.append(twinoar.is_grad_enabled())
            return x * 2

        layer(forward, lambda ctx, g: g).apply(leaf(1.0))
        assert modes == [False]

    def test_results_want_gradients_where_an_operand_does(self) -> None:
        y = Cube.apply(leaf(2.0))
        assert (y.tolist(), y.stop_gradient, y.is_leaf) == ([8.0], False, False)
        assert Cube.apply(to_tensor([2.0])).stop_gradient

    def test_under_no_grad_nothing_is_recorded(self) -> None:
        with twinoar.no_grad():
            assert Cube.apply(leaf(2.0)).stop_gradient

    @pytest.mark.parametrize("kind", [tuple, list])
    def test_several_results_come_as_forward_returned_them(self, kind: type) -> None:
        made = layer(lambda ctx, x: kind((x * 2, x * 3)), lambda ctx, g, h: g * 2 + h * 3)
        x = leaf(1.0)
        found = made.apply(x)
        assert type(found) is kind
        (found[0] + found[1] * 2).backward()
        assert x.grad.tolist() == [8.0]

    def test_other_values_among_the_results_pass_through(self) -> None:
        counts = []

        def backward(ctx: Any, *gs: Any) -> Any:
            counts.append(len(gs))
            return gs[0] * 2

        x = leaf(1.0)
        y, *others = layer(lambda ctx, x: (x * 2, 5, None, "text"), backward).apply(x)
        y.backward()
        assert others == [5, None, "text"]
        assert counts == [1]

    def test_an_operand_may_be_returned(self) -> None:
        x = leaf(1.0, 2.0)
        y = layer(lambda ctx, x: x, lambda ctx, g: g * 5).apply(x)
        assert y is not x
        y.sum().backward()
        assert x.grad.tolist() == [5.0, 5.0]

    def test_integer_results_want_no_gradient(self) -> None:
        y = layer(lambda ctx, x: x.astype("int64"), lambda ctx, g: g).apply(leaf(1.0))
        assert y.stop_gradient

    @pytest.mark.parametrize(
        "result, kinds", [(5, "int"), ((1, "a"), "int, str"), (None, "NoneType"), ((), "nothing")]
    )
    def test_some_result_must_be_a_tensor(self, result: Any, kinds: str) -> None:
        with pytest.raises(TypeMismatchError, match=f"at least one tensor, received {kinds}"):
            layer(lambda ctx, x: result, lambda ctx, g: g).apply(leaf(1.0))

    def test_without_forward_it_says_so(self) -> None:
        with pytest.raises(UnsupportedError, match="the PyLayer has no forward"):
            PyLayer.apply(leaf(1.0))


class TestArguments:
    def test_numbers_and_keywords(self) -> None:
        a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
        product, total = Mixed.apply(a, b, times=3.0)
        assert (product.tolist(), total.tolist()) == ([9.0, 24.0], [4.0, 6.0])
        product.sum().backward()
        assert (a.grad.tolist(), b.grad.tolist()) == ([9.0, 12.0], [3.0, 6.0])

    def test_other_values_between_tensors_get_no_gradient(self) -> None:
        made = layer(lambda ctx, a, text, b: a * b, lambda ctx, g: (g * 2, g * 3))
        a, b = leaf(1.0), leaf(1.0)
        made.apply(a, "text", b).backward()
        assert (a.grad.tolist(), b.grad.tolist()) == ([2.0], [3.0])

    def test_tensors_in_lists_and_keywords(self) -> None:
        made = layer(
            lambda ctx, pair, extra=None: pair[0] * pair[1] + extra,
            lambda ctx, g: (g, g * 2, g * 3),
        )
        a, b, c = leaf(1.0), leaf(2.0), leaf(3.0)
        made.apply([a, b], extra=c).backward()
        assert [x.grad.item() for x in (a, b, c)] == [1.0, 2.0, 3.0]


class TestBackward:
    def test_its_gradient_is_used_and_not_the_true_one(self) -> None:
        x = leaf(1.0, 2.0)
        Cube.apply(x, factor=10.0).sum().backward()
        assert x.grad.tolist() == [30.0, 120.0]

    def test_none_is_no_gradient(self) -> None:
        made = layer(lambda ctx, a, b: a * b, lambda ctx, g: (g, None))
        a, b = leaf(1.0), leaf(2.0)
        made.apply(a, b).backward()
        assert (a.grad.tolist(), b.grad) == ([1.0], None)

    def test_the_last_ones_may_be_left_out_where_none_is_wanted(self) -> None:
        made = layer(lambda ctx, a, b: a * b, lambda ctx, g: g)
        a, b = leaf(1.0), to_tensor([2.0])
        made.apply(a, b).backward()
        assert (a.grad.tolist(), b.grad) == ([1.0], None)

    @pytest.mark.parametrize("count", [1, 3])
    def test_another_number_of_gradients_is_refused(self, count: int) -> None:
        made = layer(lambda ctx, a, b: a * b, lambda ctx, g: (g,) * count)
        y = made.apply(leaf(1.0), leaf(2.0))
        with pytest.raises(GradientError, match=f"{count} gradients for 2 tensor operands"):
            y.backward()

    def test_a_gradient_that_is_no_tensor_is_refused(self) -> None:
        y = layer(lambda ctx, x: x * 2, lambda ctx, g: 5).apply(leaf(1.0))
        with pytest.raises(TypeMismatchError, match="must return tensors or None, received int"):
            y.backward()

    def test_a_gradient_of_another_shape_is_refused(self) -> None:
        y = layer(lambda ctx, x: x * 2, lambda ctx, g: twinoar.ones([3])).apply(leaf(1.0, 2.0))
        with pytest.raises(ShapeError, match=r"shape \[3\] for tensor operand 0 of shape \[2\]"):
            y.backward()

    def test_without_backward_it_says_so(self) -> None:
        class Forward(PyLayer):
            @staticmethod
            def forward(ctx: Any, x: Tensor) -> Tensor:
                return x * 2

        y = Forward.apply(leaf(1.0))
        with pytest.raises(UnsupportedError, match="the PyLayer has no backward"):
            y.backward()

    def test_unused_results_have_zero_gradients(self) -> None:
        seen = []

        def backward(ctx: Any, g: Any, h: Any) -> Any:
            seen.append((g.tolist(), h.tolist()))
            return g

        first, _ = layer(lambda ctx, x: (x * 2, x * 3), backward).apply(leaf(1.0, 2.0))
        first.sum().backward()
        assert seen == [([1.0, 1.0], [0.0, 0.0])]

    def test_unused_results_have_none_where_asked(self) -> None:
        seen = []

        def forward(ctx: Any, x: Any) -> Any:
            ctx.set_materialize_grads(False)
            return x * 2, x * 3

        def backward(ctx: Any, g: Any, h: Any) -> Any:
            seen.append((g, h.tolist()))
            return h

        _, second = layer(forward, backward).apply(leaf(1.0))
        second.backward()
        assert seen == [(None, [1.0])]

    def test_marked_results_want_no_gradient(self) -> None:
        def forward(ctx: Any, x: Any) -> Any:
            indices = x * 2
            ctx.mark_non_differentiable(indices)
            return indices, x * 3

        first, second = layer(forward, lambda ctx, g, h: h).apply(leaf(1.0))
        assert (first.stop_gradient, second.stop_gradient) == (True, False)

    def test_a_second_backward_is_refused_and_retained_it_is_not(self) -> None:
        x = leaf(1.0, 2.0)
        y = Cube.apply(x).sum()
        y.backward(retain_graph=True)
        y.backward()
        assert x.grad.tolist() == [6.0, 24.0]
        z = Cube.apply(x)
        z.backward()
        with pytest.raises(GradientError, match="the graph through Cube was already used"):
            z.backward()

    def test_second_derivatives(self) -> None:
        x = leaf(1.0, 2.0)
        (first,) = grad(Cube.apply(x).sum(), x, create_graph=True)
        assert first.tolist() == [3.0, 12.0]
        assert grad(first.sum(), x)[0].tolist() == [6.0, 12.0]

    def test_it_may_differentiate_itself(self) -> None:
        """As recomputation does: forward again with recording, then backward through that."""

        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return twinoar.exp(x * x)

        def backward(ctx: Any, g: Any) -> Any:
            again = ctx.saved_tensor()[0].detach()
            again.stop_gradient = False
            with twinoar.enable_grad():
                twinoar.exp(again * again).backward(g)
            return again.grad

        x, plain = leaf(0.5, 1.0), leaf(0.5, 1.0)
        layer(forward, backward).apply(x).sum().backward()
        twinoar.exp(plain * plain).sum().backward()
        np.testing.assert_array_equal(x.grad.numpy(), plain.grad.numpy())


class TestContext:
    def test_saved_tensors_are_the_tensors_themselves(self) -> None:
        seen = []

        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x, None, 5)
            return x * 2

        def backward(ctx: Any, g: Any) -> Any:
            seen.append(ctx.saved_tensor())
            return g

        x = leaf(1.0)
        layer(forward, backward).apply(x).backward()
        assert seen[0][0] is x
        assert seen[0][1:] == (None, 5)

    def test_nothing_saved_is_an_empty_tuple(self) -> None:
        seen = []
        made = layer(lambda ctx, x: x * 2, lambda ctx, g: (seen.append(ctx.saved_tensor()), g)[1])
        made.apply(leaf(1.0)).backward()
        assert seen == [()]

    def test_a_saved_tensor_does_not_see_a_later_change_in_place(self) -> None:
        x = leaf(1.0, 2.0)
        operand = x * 1
        y = Cube.apply(operand)
        operand.zero_()
        y.sum().backward()
        assert x.grad.tolist() == [3.0, 12.0]

    def test_second_derivatives_reach_a_saved_leaf_that_was_changed(self) -> None:
        x = leaf(1.0, 2.0)
        y = Cube.apply(x).sum()
        with twinoar.no_grad():
            x.zero_()
        (first,) = grad(y, x, create_graph=True)
        assert first.tolist() == [3.0, 12.0]
        assert grad(first.sum(), x)[0].tolist() == [6.0, 12.0]


class TestNested:
    def test_one_after_the_other(self) -> None:
        x = leaf(1.0)
        Cube.apply(Cube.apply(x), factor=2.0).backward()
        assert x.grad.tolist() == [18.0]

    def test_one_inside_the_forward_of_another_is_not_recorded(self) -> None:
        made = layer(lambda ctx, x: Cube.apply(x) + x, lambda ctx, g: g * 7)
        x = leaf(2.0)
        y = made.apply(x)
        y.backward()
        assert (y.tolist(), x.grad.tolist()) == ([10.0], [7.0])

    def test_one_inside_the_backward_of_another(self) -> None:
        made = layer(lambda ctx, x: x * 2, lambda ctx, g: Cube.apply(g) + g)
        x = leaf(1.0)
        made.apply(x).backward(to_tensor([2.0]))
        assert x.grad.tolist() == [10.0]

    def test_a_subclass_has_its_own_backward(self) -> None:
        class Half(Cube):
            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return Cube.backward(ctx, g) * 0.5

        x, y = leaf(2.0), leaf(2.0)
        Cube.apply(x).backward()
        Half.apply(y).backward()
        assert (x.grad.tolist(), y.grad.tolist()) == ([12.0], [6.0])


class TestPrograms:
    def test_under_to_static(self) -> None:
        @twinoar.jit.to_static
        def compute(x: Any) -> Any:
            return Cube.apply(x * 2, factor=10.0) + 1

        x = leaf(1.0, 2.0)
        y = compute(x)
        assert y.tolist() == [9.0, 65.0]
        y.sum().backward()
        assert x.grad.tolist() == [10 * 3 * 4 * 2.0, 10 * 3 * 16 * 2.0]

    def test_several_results_under_to_static(self) -> None:
        @twinoar.jit.to_static
        def compute(a: Any, b: Any) -> Any:
            product, total = Mixed.apply(a, b, times=3.0)
            return product + total * 2

        a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
        compute(a, b).sum().backward()
        assert a.grad.tolist() == [3 * 3 + 2.0, 3 * 4 + 2.0]
        assert b.grad.tolist() == [3 * 1 + 2.0, 3 * 2 + 2.0]

    def test_other_results_pass_through_a_program(self) -> None:
        made = layer(lambda ctx, x: (x * 2, "text"), lambda ctx, g: g * 5)

        @twinoar.jit.to_static
        def compute(x: Any) -> Any:
            y, text = made.apply(x)
            assert text == "text"
            return y

        x = leaf(1.0)
        compute(x).backward()
        assert x.grad.tolist() == [5.0]

    def test_in_a_static_program(self) -> None:
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup):
            x = static.data("x", [None, 2])
            x.stop_gradient = False
            y = Cube.apply(x, factor=10.0)
            (dx,) = static.gradients(y, x)
        found = static.Executor().run(
            main, feed={"x": np.array([[1.0, 2.0]], "float32")}, fetch_list=[y, dx]
        )
        assert [a.tolist() for a in found] == [[[1.0, 8.0]], [[30.0, 120.0]]]

    def test_none_for_an_operand_of_a_program(self) -> None:
        made = layer(lambda ctx, a, b: a * b, lambda ctx, g: (g, None))

        @twinoar.jit.to_static
        def compute(a: Any, b: Any) -> Any:
            return made.apply(a, b)

        a, b = leaf(1.0), leaf(2.0)
        compute(a, b).backward()
        assert a.grad.tolist() == [1.0]
        assert b.grad is None or b.grad.tolist() == [0.0]
