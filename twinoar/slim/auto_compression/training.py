"""Training a Program by what teachers compute, as a TrainConfig says."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from twinoar import nn, optimizer, regularizer
from twinoar.core.interpreter import using
from twinoar.core.ir.program import State, Variable
from twinoar.core.near import near_names
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.slim import merging
from twinoar.slim.auto_compression.model import SavedModel, Score
from twinoar.slim.auto_compression.strategies import Distillation, TrainConfig
from twinoar.slim.common.batches import Batches
from twinoar.static import program_guard
from twinoar.static.builder import builder_of
from twinoar.static.program import Program

LOSSES: dict[str, Callable[..., Any]] = {
    "l2": merging.l2,
    "soft_label": merging.soft_label,
    "dkd": merging.dkd,
    "skd": merging.skd,
}
PREFIX = "teacher_"
EPOCHS = 100  # where nothing says how long
log = logging.getLogger(__name__)


class Lesson:
    """A Program to train with teachers in it, and the loss between them.

    student: the model. program: the form of it that is trained, changed in place. Raises
    UnknownNameError for nodes and losses that are not there, ArgumentError, FileError.
    """

    def __init__(self, student: SavedModel, program: Program, how: Distillation):
        self.student, self.program = student, program
        nodes, names, factors = _parts(how, last_weights(student.fetches))
        folders = _listed(how.teacher_model_dir)
        several = len(folders) > 1
        for n, folder in enumerate(folders or [None]):
            prefix = f"teacher{n + 1}_" if several else PREFIX
            self._add(folder, _nth(how.teacher_model_filename, n), prefix, how, n)
        terms = []
        for n, (list_of_nodes, name, factor) in enumerate(zip(nodes, names, factors, strict=True)):
            prefix = f"teacher{min(n, len(folders) - 1) + 1}_" if several else PREFIX
            for teacher, own in _pairs(list_of_nodes, prefix):
                found = LOSSES[name](teacher, own, program)
                terms.append((found, factor))
        with using(builder_of(program)):
            total = terms[0][0] * terms[0][1]
            for found, factor in terms[1:]:
                total = total + found * factor
            self.loss = total.mean()

    def _add(self, folder: Any, file: Any, prefix: str, how: Distillation, n: int) -> None:
        own = self.student
        teacher = SavedModel(
            folder or own.folder,
            file or (None if folder else own.model),
            _nth(how.teacher_params_filename, n) or (None if folder else own.params),
        )
        given = dict(zip(teacher.feeds, own.feeds, strict=False))
        if len(teacher.feeds) != len(own.feeds):
            raise ArgumentError(
                f"the teacher in {teacher.folder} reads {', '.join(teacher.feeds)}, the model "
                f"{', '.join(own.feeds)}",
                cure="take a teacher with the inputs of the model",
            )
        merging.merge(teacher.program, self.program, given, None, own.scope, teacher.scope, prefix)

    def train(
        self,
        batches: Batches,
        how: TrainConfig,
        after_step: Callable[[], None],
        before_score: Callable[[], None],
        evaluate: Score | None,
        test: Program,
    ) -> None:
        """Train, and keep the values with which `test` scores best, where there is a score.

        after_step: called after each batch; before_score: before each score. Raises ArgumentError
        without batches, and for a loss that is not finite.
        """
        own, startup = self.student, Program()
        with program_guard(self.program, startup):
            made, rate = optimizer_of(how)
            made.minimize(self.loss)
        own.executor.run(startup, scope=own.scope)
        best: tuple[float, dict[str, np.ndarray]] | None = None
        for count, batch in enumerate(_until(batches, how), 1):
            (loss,) = own.executor.run(self.program, batch, [self.loss.name], scope=own.scope)
            _check(float(loss), count)
            if how.logging_iter and count % how.logging_iter == 0:
                log.info("batch %d: loss %g", count, float(loss))
            if not isinstance(rate, float):
                rate.step()
            after_step()
            if evaluate is None or count % how.eval_iter:
                continue
            before_score()
            score = own.score(evaluate, test)
            assert score is not None
            if best is None or score > best[0]:
                best = score, own.values()
            if how.target_metric is not None and score > how.target_metric:
                break
        if best is not None:
            for name, value in best[1].items():
                own.scope.var(name).set(value)


def optimizer_of(how: TrainConfig) -> tuple[Any, Any]:
    """The optimizer of a TrainConfig, and its rate: a number or a scheduler.

    Raises UnknownNameError for classes that are not there.
    """
    rate: Any = how.learning_rate
    if isinstance(rate, Mapping):
        rate = _called(optimizer.lr, rate)
    builder = dict(how.optimizer_builder)
    decay: Any = builder.get("weight_decay")
    if "regularizer" in builder:
        decay = _called(regularizer, builder["regularizer"])
    clip = _called(nn, builder["grad_clip"]) if "grad_clip" in builder else None
    given = {"learning_rate": rate, "grad_clip": clip, "weight_decay": decay}
    return _called(optimizer, builder.get("optimizer", {"type": "SGD"}), **given), rate


def last_weights(results: Sequence[Variable]) -> list[str]:
    """The names of what the last operators that read parameters give: results, or shortly before.

    Raises ArgumentError for a Program without parameters.
    """
    found: dict[str, None] = {}
    waiting, seen = list(results), set(results)
    while waiting:
        v = waiting.pop()
        o = v.producer
        if o is None:
            continue
        if any(isinstance(x, State) and not x.is_constant for x in o.operands):
            found[v.name] = None
            continue
        new = [x for x in o.operands if isinstance(x, Variable) and x not in seen]
        seen.update(new)
        waiting += new
    if not found:
        raise ArgumentError("the model has no parameters to train")
    return list(found)


def _parts(how: Distillation, default: list[str]) -> tuple[list[Any], list[str], list[float]]:
    """Lists of nodes, the loss of each, and its factor."""
    nodes = list(how.node) or default
    nested = nodes if isinstance(nodes[0], (list, tuple)) else [nodes]
    names, factors = _listed(how.loss) or ["l2"], _listed(how.alpha) or [1.0]
    count = max(len(nested), len(names), len(_listed(how.teacher_model_dir)))
    lists = [list(x) * count if len(x) == 1 else list(x) for x in (nested, names, factors)]
    if any(len(x) != count for x in lists):
        raise ArgumentError(
            f"{len(nested)} lists of nodes have {len(names)} losses and {len(factors)} factors"
        )
    for name in names:
        if name not in LOSSES:
            raise UnknownNameError(f"there is no loss {name!r}", cure=near_names(name, LOSSES))
    return lists[0], lists[1], lists[2]


def _pairs(nodes: Sequence[str], prefix: str) -> list[tuple[str, str]]:
    """(the teacher's, the model's): names alone, or with the teacher's before each."""
    if any(name.startswith(PREFIX) for name in nodes):
        if len(nodes) % 2:
            raise ArgumentError(f"nodes go in pairs, teacher first, received {list(nodes)}")
        return list(zip(nodes[::2], nodes[1::2], strict=True))
    return [(prefix + name, name) for name in nodes]


def _until(batches: Batches, how: TrainConfig) -> Any:
    """Batches of so many epochs, or so many batches."""
    count = 0
    for _ in range(how.epochs or EPOCHS):
        first = count
        for batch in batches():
            if how.train_iter is not None and count >= how.train_iter:
                return
            count += 1
            yield batch
        if count == first:
            raise ArgumentError("the loader gives no batch", cure="pass some data")


def _check(loss: float, count: int) -> None:
    if not np.isfinite(loss):
        raise ArgumentError(
            f"the loss of batch {count} is {loss}", cure="train with a smaller learning_rate"
        )


def _called(space: Any, given: Any, **more: Any) -> Any:
    """The object of a class by its name, with its arguments."""
    settings = {"type": given} if isinstance(given, str) else dict(given)
    name = settings.pop("type", None)
    kind = getattr(space, str(name), None)
    if not isinstance(kind, type):
        raise UnknownNameError(
            f"{space.__name__} has no class {name!r}",
            cure=near_names(str(name), [n for n in dir(space) if not n.startswith("_")]),
        )
    return kind(**{**more, **settings})


def _listed(given: Any) -> list[Any]:
    if given is None:
        return []
    return list(given) if isinstance(given, (list, tuple)) else [given]


def _nth(given: Any, n: int) -> Any:
    found = _listed(given)
    return found[n] if n < len(found) else None
