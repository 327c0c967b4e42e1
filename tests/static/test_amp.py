"""Programs are rewritten to lower precision, train with a scaled loss, and stay Programs."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.core.ir.parse import parse
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError, UnknownNameError
from twinoar.static import amp
from twinoar.static.builder import Defaults

LOWS = ("bfloat16", "float16")


class Built:
    """A small classifier in a Program of its own, with what trains it."""

    def __init__(self, decorate=None, guarded=False):
        paddle.seed(1)
        self.main, self.startup = static.Program(), static.Program()
        with static.program_guard(self.main, self.startup):
            x = static.data("x", [None, 1, 8, 8])
            y = static.data("y", [None, 1], "int64")
            h = paddle.nn.functional.relu(static.nn.batch_norm(static.nn.conv2d(x, 2, 3)))
            if guarded:
                with amp.fp16_guard():
                    self.scores = static.nn.fc(h, 4)
            else:
                self.scores = static.nn.fc(h, 4)
            self.loss = paddle.nn.functional.cross_entropy(self.scores, y)
            self.optimizer = paddle.optimizer.Adam(0.02)
            if decorate is not None:
                self.optimizer = decorate(self.optimizer)

    def minimized(self):
        with static.program_guard(self.main, self.startup):
            self.optimizer.minimize(self.loss)
        return self

    def train(self, factors):
        """The loss of each step, and all states after it."""
        executor, found = static.Executor(), []
        random = np.random.RandomState(0)
        x = random.randn(8, 1, 8, 8).astype(np.float32)
        y = random.randint(0, 4, (8, 1))
        with static.scope_guard(static.Scope()):
            executor.run(self.startup)
            for factor in factors:
                feed = {"x": (x * factor).astype(np.float32), "y": y}
                (loss,) = executor.run(self.main, feed=feed, fetch_list=[self.loss])
                scope = static.global_scope()
                states = {n: np.array(scope.find_var(n)) for n in self.startup.states}
                found.append((float(loss), states))
        return found


def dtypes(program, kind):
    return {v.dtype.name for o in program.main.ops if o.op.name == kind for v in o.results}


@pytest.mark.parametrize("low", LOWS)
@pytest.mark.parametrize("level", ["O1", "O2"])
def test_a_program_learns_as_in_float32(level, low):
    wide = Built().minimized().train([1.0] * 10)
    scaling = {"init_loss_scaling": 64.0} if low == "float16" else {}
    built = Built(lambda adam: amp.decorate(adam, level=level, dtype=low, **scaling)).minimized()
    narrow = built.train([1.0] * 10)
    np.testing.assert_allclose(
        [loss for loss, _ in narrow], [loss for loss, _ in wide], rtol=0.05, atol=0.02
    )
    assert dtypes(built.main, "conv2d") == {low}
    own = {s.name: s.dtype.name for s in built.main.all_parameters()}
    assert {d for name, d in own.items() if "batch_norm" in name} == {"float32"}
    rest = {d for name, d in own.items() if "batch_norm" not in name}
    assert rest == {low if level == "O2" else "float32"}
    masters = [name for name in built.main.states if "fp32_master" in name]
    assert bool(masters) is (level == "O2")


@pytest.mark.parametrize(
    "settings",
    [
        {"use_pure_fp16": True, "use_fp16_guard": False},
        {"use_pure_fp16": False},
        {"use_bf16": True},
    ],
)
def test_the_older_spelling(settings):
    built = Built(lambda adam: amp.decorate(adam, **settings, init_loss_scaling=64.0)).minimized()
    low = "bfloat16" if settings.get("use_bf16") else "float16"
    assert dtypes(built.main, "conv2d") == {low}
    losses = [loss for loss, _ in built.train([1.0] * 10)]
    assert losses[-1] < 0.5 * losses[0]


def test_a_step_with_overflow_changes_nothing_but_the_scale():
    built = Built(
        lambda adam: amp.decorate(adam, init_loss_scaling=64.0, incr_every_n_steps=2)
    ).minimized()
    (_, first), (_, second), (_, third) = built.train([1.0, np.inf, 1.0])
    scale = built.optimizer.get_loss_scaling().name
    assert [x[scale].item() for x in (first, second, third)] == [64.0, 32.0, 32.0]
    for name in built.startup.states:
        if not name.startswith(("loss_scaling", "num_")) and "batch_norm" not in name:
            np.testing.assert_array_equal(second[name], first[name], err_msg=name)
    assert any((third[s.name] != second[s.name]).any() for s in built.main.all_parameters())


def test_bfloat16_needs_no_scale():
    built = Built(lambda adam: amp.decorate(adam, dtype="bfloat16")).minimized()
    (_, states), *_ = built.train([1.0])
    assert states[built.optimizer.get_loss_scaling().name].tolist() == [1.0]


def test_only_what_is_guarded_is_lowered():
    built = Built(
        lambda adam: amp.decorate(adam, level="O2", dtype="bfloat16", use_amp_guard=True),
        guarded=True,
    ).minimized()
    assert dtypes(built.main, "conv2d") == {"float32"}
    assert dtypes(built.main, "mul") == {"bfloat16"}
    assert len(built.train([1.0])) == 1


def test_each_variable_is_cast_once():
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [2, 2])
        y = paddle.matmul(x, x) + paddle.matmul(x, paddle.exp(x))
    amp.cast_model_to_fp16(main, use_fp16_guard=False, dest_type="bfloat16", level="O1")
    kinds = [o.type for o in main.global_block().ops]
    assert kinds == ["cast", "matmul_v2", "exp", "cast", "matmul_v2", "elementwise_add"]
    assert y.dtype == paddle.bfloat16
    assert main.global_block().ops[0].results[0].name == "x.cast_bf16"


def test_a_rewritten_program_parses_back():
    built = Built(lambda adam: amp.decorate(adam, level="O2", dtype="bfloat16")).minimized()
    text = str(built.main)
    assert str(parse(text)) == text


def block_program():
    """A Program with a choice and a loop, each with a product inside; what it computes."""
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [4, 4])
        y = static.nn.cond(x.sum() > 0, lambda: paddle.matmul(x, x), lambda: paddle.exp(x))
        start = paddle.zeros([1], "int64")
        _, z = static.nn.while_loop(
            lambda i, z: i < 3, lambda i, z: (i + 1, paddle.tanh(paddle.matmul(z, y))), [start, y]
        )
    return main, z


def test_operators_of_blocks_choose_their_precision_too():
    main, z = block_program()
    plain, wanted = block_program()
    amp.cast_model_to_fp16(main, use_fp16_guard=False, dest_type="bfloat16", level="O1")
    found = {o.type: v.dtype for o in main.main.walk() for v in o.results if o.type != "cast"}
    assert found["matmul_v2"] == found["tanh"] == paddle.bfloat16
    assert found["exp"] == z.dtype == paddle.float32
    assert str(parse(str(main))) == str(main)
    x = np.random.RandomState(0).rand(4, 4).astype(np.float32)
    (low,) = static.Executor().run(main, {"x": x}, [z])
    (high,) = static.Executor().run(plain, {"x": x}, [wanted])
    assert 0 < np.abs(low - high).max() < 0.02


def test_blocks_are_given_what_they_had():
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [2, 2])
        y = paddle.matmul(x, x)
        z = static.nn.cond(y.sum() > 0, lambda: y * 2.0, lambda: y)
    amp.cast_model_to_fp16(main, use_fp16_guard=False, dest_type="bfloat16", level="O2")
    assert (y.dtype, z.dtype) == (paddle.bfloat16, paddle.float32)
    (found,) = static.Executor().run(main, {"x": np.ones((2, 2), np.float32)}, [z])
    assert found.tolist() == [[4.0, 4.0], [4.0, 4.0]]


def test_lists_move_operators_and_variables():
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [2, 2])
        y, z = paddle.matmul(x, x), paddle.matmul(x, x)
        w = paddle.exp(x)
    lists = amp.CustomOpLists({"exp"}, None, {z.name}, dtype="bfloat16")
    amp.cast_model_to_fp16(main, lists, False, "bfloat16", "O1")
    assert (y.dtype, z.dtype, w.dtype) == (paddle.bfloat16, paddle.float32, paddle.bfloat16)


def test_lists_show_what_paddles_do():
    lists = amp.AutoMixedPrecisionLists(dtype="bfloat16")
    assert {"conv2d", "matmul_v2"} <= lists.white_list
    assert {"exp", "softmax", "reduce_mean"} <= lists.black_list
    assert {"relu", "elementwise_add"} <= lists.gray_list
    with pytest.raises(ArgumentError, match="share"):
        amp.AutoMixedPrecisionLists({"exp"}, {"exp"})


@pytest.mark.parametrize("newest_first", [False, True])
def test_masters_follow_their_parameters_in_the_startup_program(newest_first, monkeypatch):
    monkeypatch.setattr(Defaults, "newest_first", newest_first)
    built = Built(lambda adam: amp.decorate(adam, level="O2", dtype="bfloat16")).minimized()
    ((_, states),) = built.train([1.0])
    masters = [name for name in states if "fp32_master" in name]
    assert masters and all(np.isfinite(states[name]).all() for name in masters)


def test_loaded_parameters_are_converted_by_amp_init():
    built = Built(lambda adam: amp.decorate(adam, level="O2", dtype="bfloat16")).minimized()
    executor, weight = static.Executor(), built.main.all_parameters()[0]
    with static.scope_guard(static.Scope()):
        executor.run(built.startup)
        scope = static.global_scope()
        scope.var(weight.name).set(np.ones(weight.shape, np.float32))
        built.optimizer.amp_init(paddle.CPUPlace())
        array = np.array(scope.find_var(weight.name))
        assert array.dtype == paddle.bfloat16.numpy and (array == 1).all()


def test_a_clone_for_testing_can_be_lowered_too():
    built = Built(lambda adam: amp.decorate(adam, level="O2", dtype="bfloat16"))
    test = built.main.clone(for_test=True)
    built.minimized()
    executor = static.Executor()
    with static.scope_guard(static.Scope()):
        executor.run(built.startup)
        built.optimizer.amp_init(None, test_program=test, use_fp16_test=True)
        feed = {"x": np.ones((2, 1, 8, 8), np.float32), "y": np.zeros((2, 1), np.int64)}
        (found,) = executor.run(test, feed, [built.scores.name])
    assert found.dtype == paddle.bfloat16.numpy
    assert np.isfinite(found.astype(np.float32)).all()


def test_calls_out_of_order_and_wrong_kinds():
    decorated = amp.decorate(paddle.optimizer.SGD(0.1, parameters=[paddle.ones([1])]))
    for call in (decorated.get_loss_scaling, lambda: decorated.amp_init(None)):
        with pytest.raises(ProgramError, match=r"minimize\(loss\)"):
            call()
    with pytest.raises(TypeMismatchError, match="expected an optimizer, received int"):
        amp.decorate(3)
    with pytest.raises(TypeMismatchError, match="a static Program, received int"):
        amp.cast_model_to_fp16(3)
    with pytest.raises(ArgumentError, match="dtype among"):
        amp.cast_model_to_fp16(static.Program(), dest_type="int8")
    lists = amp.CustomOpLists(dtype="bfloat16")
    with pytest.raises(ArgumentError, match="amp_lists are for bfloat16, the dtype is float16"):
        amp.decorate(paddle.optimizer.SGD(0.1, parameters=[paddle.ones([1])]), lists)
    with pytest.raises(UnknownNameError, match="no parameter 'w'"):
        amp.cast_parameters_to_fp16(None, static.Program(), to_fp16_var_names={"w"})
