"""Students learn what teachers compute: losses, hooks, merged Programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn, static
from twinoar.errors import ArgumentError, ProgramError, ShapeError, UnknownNameError
from twinoar.slim import Distill, dist, losses

GENERATOR = np.random.default_rng(1)


def normal(*shape: int) -> np.ndarray:
    return GENERATOR.normal(size=shape).astype("float32")


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


X, Y = normal(3, 5), normal(3, 5)
P, Q = softmax(X), softmax(Y)
LABELS = np.array([[1], [0], [4]])
FIRST, SECOND = normal(2, 3, 4, 4), normal(2, 5, 4, 4)
THIRD, FOURTH = normal(2, 3, 4, 4), normal(2, 5, 4, 4)


def flow(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.einsum("nchw,ndhw->ncd", x, y) / 16


def distances(x: np.ndarray) -> np.ndarray:
    found = np.sqrt(np.maximum(np.square(x[:, None] - x[None]).sum(-1), 1e-12))
    return found / found.mean()


def angles(x: np.ndarray) -> np.ndarray:
    apart = x[None] - x[:, None]
    apart = apart / np.maximum(np.sqrt(np.square(apart).sum(-1, keepdims=True)), 1e-12)
    return np.einsum("nid,njd->nij", apart, apart)


def smooth(x: np.ndarray) -> float:
    return float(np.where(np.abs(x) < 1, x * x / 2, np.abs(x) - 0.5).mean())


T = paddle.to_tensor


def decoupled(p: np.ndarray, q: np.ndarray, alpha: float, beta: float) -> float:
    """Zhao et al. 2022, (7), of a student's and a teacher's probabilities."""
    rows, first = np.arange(len(p)), q.argmax(1)
    kept = np.arange(p.shape[1]) != first[:, None]
    two = [np.stack([x[rows, first], 1 - x[rows, first]], 1) for x in (p, q)]
    rest = [x[kept].reshape(len(x), -1) for x in (p, q)]
    rest = [x / x.sum(1, keepdims=True) for x in rest]
    parts = [(b * np.log(b / a)).sum(1).mean() for a, b in (two, rest)]
    return alpha * parts[0] + beta * parts[1]


def spherical(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The rows of x with the deviations of those of y, which are by N - 1."""
    return (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True) * y.std(1, ddof=1)[:, None]


EXPECTED: dict[str, tuple[Callable[[], Any], float]] = {
    "soft labels": (
        lambda: losses.soft_label_loss(T(X), T(Y), 2.0, 4.0),
        -(softmax(Y / 4) * np.log(softmax(X / 2))).sum(-1).mean(),
    ),
    "divergence": (
        lambda: losses.kl_loss(T(X), T(Y), 3.0),
        9 * (softmax(Y / 3) * np.log(softmax(Y / 3) / softmax(X / 3))).sum(-1).mean(),
    ),
    "flow": (
        lambda: losses.fsp_loss((T(FIRST), T(SECOND)), (T(THIRD), T(FOURTH))),
        np.square(flow(FIRST, SECOND) - flow(THIRD, FOURTH)).mean(),
    ),
    "decoupled": (
        lambda: losses.dkd_loss(T(X), T(Y), 2.0, 0.5, 3.0),
        decoupled(softmax(X / 2), softmax(Y / 2), 0.5, 3.0) * 4,
    ),
    "spherical": (
        lambda: losses.skd_loss(T(X), T(Y)),
        -(softmax(spherical(Y, Y)) * np.log(softmax(spherical(X, Y)))).sum(1).mean(),
    ),
    "hint": (lambda: losses.l2_loss(T(FIRST), T(THIRD)), np.square(FIRST - THIRD).mean()),
    "mutual": (
        lambda: losses.DMLLoss("softmax")(T(X), T(Y)),
        ((P * np.log(P / Q)).sum() + (Q * np.log(Q / P)).sum()) / 6,
    ),
    "KLLoss": (lambda: losses.KLLoss()(T(X), T(Y)), (Q * np.log(Q / P)).mean()),
    "CELoss of logits": (lambda: losses.CELoss()(T(X), T(Y)), -(Q * np.log(P)).sum(-1).mean()),
    "CELoss of classes": (
        lambda: losses.CELoss()(T(X), T(LABELS)),
        -np.log(np.take_along_axis(P, LABELS, 1)).mean(),
    ),
    "CELoss, smoothed": (
        lambda: losses.CELoss(epsilon=0.1)(T(X), T(LABELS)),
        -((np.eye(5)[LABELS[:, 0]] * 0.9 + 0.02) * np.log(P)).sum(-1).mean(),
    ),
    "MSELoss": (lambda: losses.MSELoss()(T(X), T(Y)), np.square(X - Y).mean()),
    "L1Loss": (lambda: losses.L1Loss()(T(X), T(Y)), np.abs(X - Y).mean()),
    "SmoothL1Loss": (lambda: losses.SmoothL1Loss()(T(X), T(Y)), smooth(X - Y)),
    "RKDLoss": (
        lambda: losses.RKDLoss()(T(X), T(Y)),
        smooth(distances(X) - distances(Y)) + smooth(angles(X) - angles(Y)),
    ),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_loss_is_its_formula(name: str) -> None:
    compute, expected = EXPECTED[name]
    np.testing.assert_allclose(float(compute()), expected, rtol=2e-5)


def pair() -> tuple[nn.Layer, nn.Layer]:
    paddle.seed(3)
    student = nn.Sequential(nn.Conv2D(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(32, 4))
    teacher = nn.Sequential(nn.Conv2D(1, 6, 3), nn.ReLU(), nn.Flatten(), nn.Linear(96, 4))
    teacher.eval()
    return student, teacher


CONFIGS: list[dict[str, Any]] = [
    {
        "layers": [
            {"layers_name": ["3", "3"], "loss_function": "KLLoss", "weight": 2.0},
            {
                "layers_name": ["0", "0"],
                "loss_function": "MSELoss",
                "align_params": {"align_type": "1x1conv", "in_channel": 2, "out_channel": 6},
            },
            {"layers_name": ["3", "3"], "loss_function": "L1Loss", "temperature": 2.0},
            {
                "layers_name": ["1", "1"],
                "loss_function": "MSELoss",
                "io": ["input", "output"],
                "align_params": {
                    "align_type": "3x3conv+bn",
                    "in_channel": 6,
                    "out_channel": 2,
                    "transpose_model": "teacher",
                },
            },
        ]
    }
]


def test_losses_between_layers_are_added_up() -> None:
    student, teacher = pair()
    distill = Distill(CONFIGS[:1], student, teacher)
    x = T(normal(2, 1, 6, 6))
    loss, out, target = distill(x)
    between = distill.distill_loss
    a, b = student[0](x), teacher[0](x)
    expected = (
        2 * losses.KLLoss()(out, target)
        + (between[1].align(a) - b).square().mean()
        + ((out - target) / 2).abs().mean()
        + (a - between[3].align(teacher[1](b))).square().mean()
    )
    np.testing.assert_allclose(float(loss), float(expected), rtol=1e-5)


@pytest.mark.parametrize("converted", [False, True])
def test_a_student_learns_and_the_teacher_stays(converted: bool) -> None:
    student, teacher = pair()
    distill = Distill(CONFIGS, student, teacher, return_model_outputs=False)
    before = [p.numpy() for p in teacher.parameters()]
    called = paddle.jit.to_static(distill) if converted else distill
    opt = paddle.optimizer.Adam(0.01, parameters=distill.parameters())
    x = T(normal(8, 1, 6, 6))
    found = []
    for _ in range(30):
        loss = called(x)
        loss.backward()
        opt.step()
        opt.clear_grad()
        found.append(float(loss))
    assert found[-1] < 0.6 * found[0]
    assert all(p.grad is None for p in teacher.parameters())
    assert all((p.numpy() == b).all() for p, b in zip(teacher.parameters(), before, strict=True))


def test_students_learn_from_each_other() -> None:
    first, second = pair()
    second.train()
    config = {
        "model_name_pairs": ["student_0", "student_1"],
        "layers": [{"layers_name": ["3", "3"], "loss_function": "DMLLoss", "act": "softmax"}],
    }
    distill = Distill([config], [first, second], [], return_model_outputs=False)
    distill(T(normal(2, 1, 6, 6))).backward()
    assert first[3].weight.grad is not None and second[3].weight.grad is not None


def layer(**changes: Any) -> list[dict[str, Any]]:
    return [{"layers": [{"layers_name": ["3", "3"], "loss_function": "KLLoss", **changes}]}]


@pytest.mark.parametrize(
    "configs, error",
    [
        (layer(layers_name=["nobody", "3"]), UnknownNameError),
        (layer(loss_function="Nothing"), UnknownNameError),
        (layer(io=["both", "output"]), UnknownNameError),
        (layer(epsilon=1), ArgumentError),
        (
            layer(align_params={"align_type": "5x5", "in_channel": 1, "out_channel": 1}),
            ArgumentError,
        ),
        ([{**layer()[0], "model_name_pairs": ["student_0", "teacher_7"]}], UnknownNameError),
        ([{}], ArgumentError),
        ("configs.yaml", ArgumentError),
    ],
)
def test_bad_configs_are_refused(configs: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        Distill(configs, *pair())


def test_shapes_that_differ_are_refused() -> None:
    distill = Distill(layer(layers_name=["0", "0"], loss_function="MSELoss"), *pair())
    with pytest.raises(ShapeError, match="align"):
        distill(T(normal(2, 1, 6, 6)))


def programs() -> tuple[Any, Any, static.Executor]:
    paddle.enable_static()
    exe = static.Executor()
    built = []
    for width in (8, 4):
        main, startup = static.Program(), static.Program()
        with paddle.utils.unique_name.guard(), static.program_guard(main, startup):
            x = static.data("x", [None, 6])
            hidden = nn.functional.dropout(static.nn.fc(x, width, activation="relu"), 0.5)
            y = static.nn.fc(hidden, 3)
        scope = static.Scope()
        exe.run(startup, scope=scope)
        built.append((main, y, scope))
    return built[0], built[1], exe


@pytest.fixture
def merged() -> Any:
    try:
        yield programs()
    finally:
        paddle.disable_static()


def test_a_merged_teacher_computes_what_it_computed(merged: Any) -> None:
    (teacher, y, theirs), (student, _, ours), exe = merged
    x = normal(5, 6)
    wanted = exe.run(teacher.clone(for_test=True), feed={"x": x}, fetch_list=[y.name], scope=theirs)
    dist.merge(teacher, student, {"x": "x"}, None, scope=ours, teacher_scope=theirs)
    found = exe.run(student, feed={"x": x}, fetch_list=["teacher_" + y.name], scope=ours)
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-5)


def test_a_student_program_learns_from_the_merged_teacher(merged: Any) -> None:
    (teacher, y, theirs), (student, z, ours), exe = merged
    dist.merge(teacher, student, {"x": "x"}, None, scope=ours, teacher_scope=theirs)
    startup = static.Program()
    with static.program_guard(student, startup):
        name = "teacher_" + y.name
        loss = dist.soft_label(name, z.name, student) + dist.l2(name, z.name, student)
        loss = loss + dist.dkd(name, z.name, student) + dist.skd(name, z.name, student)
        own = dist.loss(lambda a, b: (a - b).abs().mean(), student, a=name, b=z.name)
        paddle.optimizer.Adam(0.05).minimize(loss + own)
    exe.run(startup, scope=ours)
    before = {n: a.copy() for n, a in ours.arrays.items() if n.startswith("teacher_")}
    x = normal(16, 6)
    found = [
        float(exe.run(student, feed={"x": x}, fetch_list=[loss], scope=ours)[0]) for _ in range(60)
    ]
    assert np.mean(found[-10:]) < np.mean(found[:10])
    assert before and all((ours.arrays[n] == a).all() for n, a in before.items())


def test_a_teacher_keeps_inputs_of_its_own(merged: Any) -> None:
    (teacher, _, theirs), (student, _, ours), _ = merged
    dist.merge(teacher, student, {}, None, scope=ours, teacher_scope=theirs)
    assert [v.name for v in student.main.inputs] == ["x", "teacher_x"]


def test_a_bad_merge_is_refused(merged: Any) -> None:
    (teacher, _, theirs), (student, _, ours), _ = merged
    with pytest.raises(UnknownNameError, match="nobody"):
        dist.merge(teacher, student, {"nobody": "x"}, None, scope=ours, teacher_scope=theirs)
    before = str(student)
    with pytest.raises(ProgramError, match="no value"):
        dist.merge(teacher, student, {"x": "x"}, None, scope=ours, teacher_scope=static.Scope())
    assert str(student) == before
    dist.merge(
        teacher, student, {"x": "x"}, None, scope=ours, teacher_scope=theirs, name_prefix="t_"
    )
    with pytest.raises(ProgramError, match="name_prefix"):
        dist.merge(teacher, student, {"x": "x"}, None, ours, theirs, name_prefix="t_")
