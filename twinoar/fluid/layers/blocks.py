"""Control flow that 1.x writes with `with`: While, Switch, IfElse, StaticRNN."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import twinoar as paddle
from twinoar.core.interpreter import current
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, DTypeError, ProgramError, ShapeError
from twinoar.fluid.layers.recording import Recording, recording
from twinoar.ops.control.branch_and_loop import build_while, cond
from twinoar.static.nn.static_rnn import StaticRNN


def _places(holds: Value) -> Any:
    """Where [n] holds: [m]."""
    found: Any = paddle.nonzero(holds)
    return paddle.reshape(found, [-1])


class While:
    """A loop of a Program: `with While(cond).block():` runs again while cond holds.

    cond: one truth value, which the body must change: `less_than(i, n, cond=cond)`. What the body
    changes in place, by `assign(..., output)`, `increment` and the like, has its last value after
    the loop. Modern spelling: `static.nn.while_loop(cond, body, loop_vars)`.
    """

    def __init__(self, cond: Any, is_test: bool = False, name: str | None = None):
        check_truth(cond, "While")
        self.cond = cond

    @contextmanager
    def block(self) -> Iterator[None]:
        """The body. Raises ArgumentError where it does not change the condition."""
        with recording("While", "write a Python loop: while cond:") as body:
            yield
        if all(h.latest() is not self.cond.latest() for h in body.inner.changed):
            raise ArgumentError(
                "the body of While does not change its condition: the loop would not end",
                cure="compute it again at the end of the body: less_than(i, n, cond=cond)",
            )

        def again() -> list[Any]:
            body.again()
            return []

        build_while(current(), lambda: self.cond, again, [])


class Switch:
    """The first of several blocks whose condition holds, else the default one.

    What a block changes in place has that value after the Switch. Modern spelling:
    `static.nn.case(pred_fn_pairs, default)`.
    """

    def __init__(self, name: str | None = None):
        self.cases: list[tuple[Any, Recording]] = []
        self.otherwise: Recording | None = None

    def __enter__(self) -> Switch:
        return self

    def __exit__(self, kind: type | None, *raised: object) -> None:
        if kind is None:
            choice = self.otherwise.again if self.otherwise is not None else _nothing
            for predicate, block in reversed(self.cases):
                choice = _chosen(predicate, block, choice)
            choice()

    @contextmanager
    def case(self, condition: Any) -> Iterator[None]:
        """The block for a condition, one truth value. Raises ProgramError after the default one."""
        check_truth(condition, "Switch.case")
        if self.otherwise is not None:
            raise ProgramError("a case comes after the default one", cure="put it before")
        with recording("Switch", "write Python's if and elif") as block:
            yield
        self.cases.append((condition, block))

    @contextmanager
    def default(self) -> Iterator[None]:
        """The block for when no condition holds. Raises ProgramError without any case."""
        if not self.cases:
            raise ProgramError("a Switch has a case before its default", cure="add switch.case()")
        with recording("Switch", "write Python's else") as block:
            yield
        self.otherwise = block


def _nothing() -> None:
    return None


def _chosen(predicate: Any, block: Recording, otherwise: Callable[[], Any]) -> Callable[[], Any]:
    return lambda: cond(predicate, block.again, otherwise)


class IfElse:
    """Two ways for the rows of a batch: those for which `cond`, [N,1], holds, and the others.

    Within `true_block()` and `false_block()`, `input(x)` gives the rows of x that go that way, and
    `output(...)` takes what becomes of them. Calling the IfElse gives a list of the outputs with
    all rows in their own places. Modern spelling: `paddle.where(cond, x, y)`.
    """

    def __init__(self, cond: Any, name: str | None = None):
        if not isinstance(cond, Value) or cond.dtype != "bool":
            raise DTypeError(
                "the condition of IfElse must be a tensor of truth values",
                cure="compare: layers.less_than(x, y)",
            )
        holds = paddle.reshape(cond, [-1])
        self.rows = {
            True: _places(holds),
            False: _places(paddle.logical_not(holds)),
        }
        self.outputs: dict[bool, list[Any]] = {}
        self.side: bool | None = None

    def true_block(self) -> Any:
        """The block for the rows for which the condition holds."""
        return self._block(True)

    def false_block(self) -> Any:
        """The block for the other rows."""
        return self._block(False)

    @contextmanager
    def _block(self, side: bool) -> Iterator[None]:
        if self.side is not None:
            raise ProgramError("a block of an IfElse is within another", cure="put it behind")
        self.side = side
        try:
            yield
        finally:
            self.side = None

    def input(self, x: Any) -> Any:
        """The rows of x that go this way. Raises ProgramError outside the blocks."""
        return paddle.gather(x, self.rows[self._within("input")])

    def output(self, *outs: Any) -> None:
        """What becomes of the rows; the other block has as many. Raises ProgramError outside."""
        self.outputs.setdefault(self._within("output"), []).extend(outs)

    def _within(self, what: str) -> bool:
        if self.side is None:
            raise ProgramError(
                f"IfElse.{what} is called outside its blocks", cure="use `with ie.true_block():`"
            )
        return self.side

    def __call__(self) -> list[Any]:
        yes, no = (self.outputs.get(side, []) for side in (True, False))
        if len(yes) != len(no):
            raise ArgumentError(f"the blocks of an IfElse have {len(yes)} and {len(no)} outputs")
        places = paddle.argsort(paddle.concat([self.rows[True], self.rows[False]]))
        return [paddle.gather(paddle.concat(pair), places) for pair in zip(yes, no, strict=True)]


def check_truth(x: Any, where: str) -> None:
    """Raise DTypeError or ShapeError for what is not one truth value."""
    if not isinstance(x, Value) or x.dtype != "bool":
        found = x.spec if isinstance(x, Value) else type(x).__name__
        raise DTypeError(
            f"the condition of {where} must be a truth value, received {found}",
            cure="compare: layers.less_than(x, y)",
        )
    if x.size != 1:
        raise ShapeError(
            f"the condition of {where} must be one truth value, received {x.spec}",
            cure="reduce it: layers.reduce_all(x)",
        )


__all__ = ["IfElse", "StaticRNN", "Switch", "While"]
