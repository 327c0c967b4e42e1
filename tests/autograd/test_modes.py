"""no_grad, enable_grad and set_grad_enabled as contexts and decorators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import twinoar
from tests.threads import in_threads
from twinoar import enable_grad, is_grad_enabled, no_grad, set_grad_enabled, to_tensor


@pytest.fixture(autouse=True)
def recording() -> Iterator[None]:
    yield
    set_grad_enabled(True)


def leaf() -> Any:
    return to_tensor([1.0, 2.0], stop_gradient=False)


def test_recording_is_on_at_the_start() -> None:
    assert is_grad_enabled()


class TestContexts:
    def test_no_grad_records_nothing(self) -> None:
        x = leaf()
        with no_grad():
            y = x * x
        assert (y.stop_gradient, y.is_leaf, is_grad_enabled()) == (True, True, True)

    def test_enable_grad_inside_no_grad(self) -> None:
        x = leaf()
        with no_grad():
            with enable_grad():
                y = x * x
            assert not is_grad_enabled()
        assert not y.stop_gradient

    @pytest.mark.parametrize("mode", [True, False])
    def test_set_grad_enabled_decides_by_value(self, mode: bool) -> None:
        with set_grad_enabled(mode):
            assert is_grad_enabled() is mode
        assert is_grad_enabled()

    def test_contexts_end_after_an_error(self) -> None:
        with pytest.raises(ZeroDivisionError), no_grad():
            _ = 1 / 0
        assert is_grad_enabled()

    def test_one_context_may_be_entered_again_inside_itself(self) -> None:
        context = no_grad()
        with context:
            with context:
                pass
            assert not is_grad_enabled()
        assert is_grad_enabled()

    def test_parameters_made_under_no_grad_want_gradients(self) -> None:
        with no_grad():
            w = twinoar.create_parameter([2], "float32")
        assert not w.stop_gradient

    def test_a_program_is_built_without_gradients_under_no_grad(self) -> None:
        with twinoar.static.program_guard(twinoar.static.Program()):
            x = twinoar.static.data("x", [2])
            x.stop_gradient = False
            with no_grad():
                assert (x * 2).stop_gradient
            assert not (x * 2).stop_gradient

    def test_a_program_that_is_built_under_no_grad_has_no_gradients(self) -> None:
        with no_grad(), twinoar.static.program_guard(twinoar.static.Program()):
            x = twinoar.static.data("x", [2])
            x.stop_gradient = False
            assert (x * 2).stop_gradient
            with enable_grad():
                assert not (x * 2).stop_gradient


class TestSwitch:
    def test_set_grad_enabled_is_in_force_at_once(self) -> None:
        set_grad_enabled(False)
        assert not is_grad_enabled()
        assert (leaf() * 2).stop_gradient
        set_grad_enabled(True)
        assert is_grad_enabled()

    def test_no_grad_is_not(self) -> None:
        no_grad()
        enable_grad()
        assert is_grad_enabled()

    def test_leaving_the_context_undoes_the_switch(self) -> None:
        switch = set_grad_enabled(False)
        with switch:
            assert not is_grad_enabled()
        assert is_grad_enabled()

    def test_a_switch_inside_a_context_ends_with_it(self) -> None:
        with no_grad():
            set_grad_enabled(True)
            assert is_grad_enabled()
        set_grad_enabled(False)
        with enable_grad():
            assert is_grad_enabled()
        assert not is_grad_enabled()

    def test_static_mode_shows_after_a_switch(self) -> None:
        set_grad_enabled(False)
        set_grad_enabled(True)
        twinoar.enable_static()
        try:
            assert not twinoar.in_dynamic_mode()
        finally:
            twinoar.disable_static()


class TestDecorators:
    @pytest.mark.parametrize(
        "decorator", [no_grad, no_grad(), lambda f: set_grad_enabled(False)(f)]
    )
    def test_a_function_without_recording(self, decorator: Callable) -> None:
        @decorator
        def square(x: Any, *, factor: float = 1.0) -> Any:
            """Squared."""
            return x * x * factor

        y = square(leaf(), factor=2.0)
        assert (y.stop_gradient, y.tolist()) == (True, [2.0, 8.0])
        assert (square.__name__, square.__doc__) == ("square", "Squared.")
        assert is_grad_enabled()

    @pytest.mark.parametrize("decorator", [enable_grad, enable_grad()])
    def test_a_function_with_recording(self, decorator: Callable) -> None:
        square = decorator(lambda x: x * x)
        with no_grad():
            assert not square(leaf()).stop_gradient

    def test_a_recursive_function(self) -> None:
        @no_grad
        def modes(depth: int) -> list[bool]:
            return [is_grad_enabled()] + (modes(depth - 1) if depth else [])

        assert modes(2) == [False, False, False]
        assert is_grad_enabled()

    def test_a_method(self) -> None:
        class Model:
            @no_grad()
            def predict(self, x: Any) -> Any:
                return x * 2

        assert Model().predict(leaf()).stop_gradient


class TestGenerators:
    @pytest.mark.parametrize("decorator", [no_grad, no_grad()])
    def test_its_steps_do_not_record_and_the_loop_around_it_does(self, decorator: Any) -> None:
        @decorator
        def squares(x: Any) -> Iterator[Any]:
            for i in range(3):
                yield x * i

        x = leaf()
        for y in squares(x):
            assert y.stop_gradient
            assert not (x * 2).stop_gradient

    def test_values_can_be_sent_and_returned(self) -> None:
        @no_grad()
        def total() -> Any:
            found = 0
            while (given := (yield is_grad_enabled())) is not None:
                found += given
            return found

        running = total()
        assert next(running) is False
        assert running.send(3) is False
        assert running.send(4) is False
        with pytest.raises(StopIteration) as stop:
            running.send(None)
        assert stop.value.value == 7

    def test_errors_can_be_thrown_in(self) -> None:
        @no_grad()
        def patient() -> Any:
            try:
                yield 1
            except KeyError:
                yield is_grad_enabled()

        running = patient()
        next(running)
        assert running.throw(KeyError()) is False
        assert is_grad_enabled()

    def test_closing_runs_its_end_without_recording(self) -> None:
        ends = []

        @no_grad()
        def endless() -> Any:
            try:
                yield 1
            finally:
                ends.append(is_grad_enabled())

        running = endless()
        next(running)
        running.close()
        assert ends == [False]
        assert is_grad_enabled()


def test_a_thread_has_a_mode_of_its_own() -> None:
    modes = []
    with no_grad():
        in_threads([lambda: modes.append(is_grad_enabled())])
    assert modes == [True]


def test_a_switch_in_a_thread_does_not_reach_another() -> None:
    in_threads([lambda: set_grad_enabled(False)])
    assert is_grad_enabled()
