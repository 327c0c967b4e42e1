"""Schedules that go up and down: one cycle, or many."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from twinoar.errors import ArgumentError
from twinoar.optimizer.lr.scheduler import LRScheduler, count, number, require, require_callable


class OneCycleLR(LRScheduler):
    """Up to max_learning_rate and down to end_learning_rate in total_steps.

    It starts at max_learning_rate / divide_factor and rises for the part phase_pct of the steps.
    three_phase: fall back to the start as fast as it rose, then on to the end. anneal_strategy:
    "cos" or "linear". Raises ArgumentError for a value out of range, and where it is stepped beyond
    total_steps. Source: arXiv 1708.07120.

    >>> schedule = twinoar.optimizer.lr.OneCycleLR(1.0, total_steps=10, phase_pct=0.5)
    >>> schedule.step(4)
    >>> schedule()
    1.0
    """

    def __init__(
        self,
        max_learning_rate: float,
        total_steps: int,
        divide_factor: float = 25.0,
        end_learning_rate: float = 0.0001,
        phase_pct: float = 0.3,
        anneal_strategy: Literal["cos", "linear"] = "cos",
        three_phase: bool = False,
        last_epoch: int = -1,
        verbose: bool = False,
    ):
        top = number("max_learning_rate", max_learning_rate)
        end = number("end_learning_rate", end_learning_rate)
        require("max_learning_rate", top, top >= 0, "at least 0")
        require("end_learning_rate", end, end >= 0, "at least 0")
        self.total_steps = count("total_steps", total_steps)
        require("phase_pct", phase_pct, 0 <= phase_pct <= 1, "between 0 and 1")
        if three_phase:
            require("phase_pct", phase_pct, phase_pct < 0.5, "below 0.5 in three phases")
        allowed = anneal_strategy in ("cos", "linear")
        require("anneal_strategy", anneal_strategy, allowed, "'cos' or 'linear'")
        self.anneal_func = _cosine if anneal_strategy == "cos" else _linear
        start = top / float(divide_factor)
        rise = phase_pct * total_steps - 1
        last = total_steps - 1
        ends = [0, rise, 2 * rise, last] if three_phase else [0, rise, last]
        rates = [start, top, start, end] if three_phase else [start, top, end]
        self._phases = list(zip(ends, ends[1:], rates, rates[1:], strict=False))
        super().__init__(start, last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate at `last_epoch`."""
        if self.last_epoch > self.total_steps:
            raise ArgumentError(
                f"the schedule has {self.total_steps} steps, this is number {self.last_epoch}",
                cure="give a larger total_steps",
            )
        phase = next((p for p in self._phases if self.last_epoch <= p[1]), self._phases[-1])
        begin, end, first, last = phase
        return self.anneal_func(first, last, (self.last_epoch - begin) / (end - begin))


def _cosine(first: float, last: float, part: float) -> float:
    return last + (first - last) / 2.0 * (1 + math.cos(math.pi * part))


def _linear(first: float, last: float, part: float) -> float:
    return (last - first) * part + first


class CyclicLR(LRScheduler):
    """Between base_learning_rate and max_learning_rate, again and again. Source: arXiv 1506.01186.

    step_size_up, step_size_down: epochs of each half; None takes the other. mode: "triangular",
    "triangular2" (each cycle half as high as the last) or "exp_range" (exp_gamma ** epoch as high);
    scale_fn takes the place of mode, a function of the cycle or of the epoch as scale_mode ("cycle"
    or "iterations") says. Raises TypeMismatchError or ArgumentError.

    >>> schedule = twinoar.optimizer.lr.CyclicLR(0.0, 1.0, step_size_up=2)
    >>> schedule.step(1)
    >>> schedule()
    0.5
    """

    def __init__(
        self,
        base_learning_rate: float,
        max_learning_rate: float,
        step_size_up: int,
        step_size_down: int | None = None,
        mode: Literal["triangular", "triangular2", "exp_range"] = "triangular",
        exp_gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: Literal["cycle", "iterations"] = "cycle",
        last_epoch: int = -1,
        verbose: bool = False,
    ):
        base = number("base_learning_rate", base_learning_rate)
        top = number("max_learning_rate", max_learning_rate)
        require("max_learning_rate", top, top >= 0, "at least 0")
        up = count("step_size_up", step_size_up)
        down = up if step_size_down is None else count("step_size_down", step_size_down)
        require(
            "scale_mode",
            scale_mode,
            scale_mode in ("cycle", "iterations"),
            "'cycle' or 'iterations'",
        )
        self.cycle_size = up + down
        self.step_up_pct = up / self.cycle_size
        self.max_lr, self.amplitude = top, top - base
        self.mode, self.gamma = mode, exp_gamma
        if scale_fn is not None:
            self.scale_fn, self.scale_mode = require_callable("scale_fn", scale_fn), scale_mode
        else:
            modes = ("triangular", "triangular2", "exp_range")
            require("mode", mode, mode in modes, f"one of {', '.join(modes)}")
            self.scale_fn = {"triangular": _one, "triangular2": _halved}.get(mode, self._power)
            self.scale_mode = "iterations" if mode == "exp_range" else "cycle"
        super().__init__(base, last_epoch, verbose)

    def get_lr(self) -> float:
        """The rate at `last_epoch`."""
        cycle = 1 + self.last_epoch // self.cycle_size
        part = 1.0 + self.last_epoch / self.cycle_size - cycle
        if part <= self.step_up_pct:
            height = part / self.step_up_pct
        else:
            height = (1 - part) / (1 - self.step_up_pct)
        where = cycle if self.scale_mode == "cycle" else self.last_epoch
        return self.base_lr + self.amplitude * height * self.scale_fn(where)

    def _power(self, epoch: float) -> float:
        return self.gamma**epoch


def _one(cycle: float) -> float:
    return 1.0


def _halved(cycle: float) -> float:
    return 1 / 2.0 ** (cycle - 1)
