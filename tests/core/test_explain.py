"""Functions around operators say which argument is of the wrong type, and change nothing else."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import pytest

import twinoar
from twinoar.core.op.definition import op_named
from twinoar.core.op.explain import describe, explained
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError

Tensor = Value


@explained
def half(x: Tensor, by: int = 2, name: str | None = None) -> Any:
    """x in parts."""
    if by == 0:
        raise ArgumentError("by must not be 0")
    return x.shape[0] // by


@explained
def count(parts: Sequence[Tensor]) -> int:
    return sum(len(part.shape) for part in parts)


def test_a_call_that_succeeds_is_passed_on() -> None:
    assert half(twinoar.zeros([6]), by=3) == 2


def test_name_doc_and_signature_stay() -> None:
    assert half.__name__ == "half"
    assert half.__doc__ == "x in parts."
    assert list(inspect.signature(half).parameters) == ["x", "by", "name"]


@pytest.mark.parametrize(
    ("given", "shown"),
    [([1.0], "list"), (None, "NoneType"), ("a", "'a' (str)"), (3.0, "3.0 (float)")],
)
def test_what_is_no_tensor_is_named_and_shown(given: object, shown: str) -> None:
    with pytest.raises(TypeMismatchError) as caught:
        half(given)
    assert caught.value.message.endswith(shown)
    assert str(caught.value).startswith("half: x must be a Tensor, received ")


def test_a_part_of_a_list_is_named_by_its_place() -> None:
    with pytest.raises(TypeMismatchError, match=r"parts\[1\] must be a Tensor, received 'b'"):
        count([twinoar.zeros([1]), "b"])


def test_another_argument_of_the_wrong_type_shows_all_and_how_to_call() -> None:
    with pytest.raises(TypeMismatchError) as caught:
        half(twinoar.zeros([6]), by="a")
    assert caught.value.operands == ("x: f32[6]", "by: 'a'")
    assert caught.value.cure == "call it as half(x, by=2, name=None)"


def test_arguments_that_do_not_fit_show_how_to_call() -> None:
    with pytest.raises(TypeMismatchError, match="missing a required argument: 'x'"):
        half()


def test_an_error_of_ours_gets_the_name_and_what_was_given() -> None:
    with pytest.raises(ArgumentError) as caught:
        half(twinoar.zeros([6]), 0)
    assert str(caught.value).startswith("half: by must not be 0\n  operands: x: f32[6], by: 0\n")


def test_an_operator_inside_keeps_its_name() -> None:
    @explained
    def total(x: Tensor, y: Tensor) -> Any:
        return x + y

    with pytest.raises(ShapeError, match=r"^add: "):
        total(twinoar.zeros([2]), twinoar.zeros([3]))


def test_a_bug_that_is_not_the_arguments_fault_is_not_hidden() -> None:
    @explained
    def broken(x: Tensor) -> Any:
        return {}["key"]

    with pytest.raises(KeyError, match="key"):
        broken(twinoar.zeros([2]))


def test_operands_are_described_by_spec_or_value_or_type() -> None:
    add = op_named("add")
    assert describe(add, (twinoar.zeros([2]), 3)) == ["x: f32[2]", "y: 3"]
    assert describe(add, (object(), [1, "b"])) == ["x: object", "y: [1, 'b']"]


@pytest.mark.parametrize(
    ("call", "near"),
    [
        (lambda x: x.sum(axs=0), "axis may be meant: call it as sum(x, axis=None"),
        (lambda x: x.reshape(shpe=[2]), "shape may be meant: call it as reshape(x, shape"),
        (lambda x: x.max(axsi=0), "axis may be meant"),
        (lambda x: x.mean(zzz=0), "call it as mean(x"),
    ],
)
def test_methods_say_which_keywords_they_take(call, near):
    with pytest.raises(TypeMismatchError, match="has no argument") as caught:
        call(twinoar.ones([2]))
    assert caught.value.cure.startswith(near)


@pytest.mark.parametrize(
    ("make", "near"),
    [
        (lambda: twinoar.optimizer.SGD(learning_rte=0.1), "learning_rate"),
        (lambda: twinoar.optimizer.lr.StepDecay(0.1, stepsize=2), "step_size"),
        (lambda: twinoar.io.DataLoader(None, batchsize=2), "batch_size"),
        (lambda: twinoar.io.BatchSampler(datset=[1]), "dataset"),
        (lambda: twinoar.nn.initializer.Constant(vlue=2), "value"),
        (lambda: twinoar.nn.ClipGradByNorm(clipnorm=2), "clip_norm"),
        (lambda: twinoar.ParamAttr(nme="w"), "name"),
        (lambda: twinoar.regularizer.L2Decay(coef=1), "coeff"),
        (lambda: twinoar.static.InputSpec(shap=[1]), "shape"),
        (lambda: twinoar.Model(netwrk=1), "network"),
        (lambda: twinoar.distribution.Normal(loc=0, scal=1), "scale"),
        (lambda: twinoar.vision.transforms.Resize(sizee=3), "size"),
        (lambda: twinoar.callbacks.ModelCheckpoint(savedir="x"), "save_dir"),
        (lambda: twinoar.profiler.Profiler(target=[]), "targets"),
    ],
)
def test_classes_say_which_arguments_they_take(make, near):
    with pytest.raises(TypeMismatchError, match="do not fit") as caught:
        make()
    assert caught.value.cure.startswith(f"{near} may be meant: call it as ")
