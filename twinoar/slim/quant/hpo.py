"""Several ways to calibrate, of which the one is kept whose model is best."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.quantization.program.places import DEFAULT
from twinoar.slim.common.batches import Batches, wrap_dataloader
from twinoar.slim.common.models import load_inference_model
from twinoar.static.executor import Executor
from twinoar.static.program import Program
from twinoar.static.quantization import PostTrainingQuantizationProgram
from twinoar.static.quantization.post_training_quantization import save_model
from twinoar.static.quantization.quantization_pass import refuse_given
from twinoar.static.scope import Scope, scope_guard

Evaluate = Callable[[Any, Program, list[str], list[Any]], float]
WITH_SHARE = "hist"  # the algorithm that hist_percent is of


@dataclass(frozen=True)
class Trial:
    """One way to calibrate."""

    algo: str
    weight_quantize_type: str
    hist_percent: float
    batch_nums: int

    def arguments(self) -> dict[str, Any]:
        """What `PostTrainingQuantizationProgram` takes."""
        return asdict(self)


@dataclass(frozen=True)
class Search:
    """Which ways there are, and how many are tried. Raises UnsupportedError and ArgumentError.

    hist_percent, batch_num: bounds that values are drawn between. bias_correct: must hold False.
    """

    algo: Sequence[str] = ("KL", "hist", "avg", "mse")
    weight_quantize_type: Sequence[str] = ("channel_wise_abs_max",)
    hist_percent: Sequence[float] = (0.98, 0.999)
    batch_num: Sequence[int] = (10, 30)
    bias_correct: Sequence[bool] = (True, False)
    count: int = 30
    seed: int = 0

    def __post_init__(self) -> None:
        if False not in self.bias_correct:
            raise UnsupportedError(
                "bias_correct=[True]", cure="slim.quant.correct_biases corrects a network of layers"
            )
        if self.count < 1 or not self.algo or not self.weight_quantize_type:
            raise ArgumentError("there is nothing to try", cure="name an algo, and a count of 1")

    def trials(self) -> Iterator[Trial]:
        """Each algorithm once, then with other drawn numbers where it hangs on them."""
        random = np.random.default_rng(self.seed)
        kinds = list(itertools.product(self.algo, self.weight_quantize_type))
        seen: set[Trial] = set()
        for n in range(self.count):
            algo, weights = kinds[n % len(kinds)]
            share = (
                random.uniform(self.hist_percent[0], self.hist_percent[-1])
                if algo == WITH_SHARE
                else 1.0
            )
            low, high = self.batch_num[0], self.batch_num[-1]
            trial = Trial(algo, weights, float(share), int(random.integers(low, high + 1)))
            if trial not in seen:
                seen.add(trial)
                yield trial


def best_of(
    search: Search,
    made: Callable[[Trial], Program],
    score: Callable[[Program], float],
) -> tuple[Program, Trial, float]:
    """The best Program of all trials, with what made it and its score."""
    best: tuple[Program, Trial, float] | None = None
    for trial in search.trials():
        program = made(trial)
        found = float(score(program))
        if best is None or found > best[2]:
            best = program, trial, found
    assert best is not None
    return best


def nearness(
    executor: Any, program: Program, names: list[str], batches: Batches, scope: Scope
) -> Callable[[Program], float]:
    """A score of Programs: minus the mean distance of what they compute from what this does."""
    data = list(itertools.islice(batches(), 8))
    wanted = [executor.run(program, b, names, scope=scope) for b in data]

    def score(other: Program) -> float:
        found = [executor.run(other, b, names, scope=scope) for b in data]
        pairs = zip(itertools.chain(*found), itertools.chain(*wanted), strict=True)
        return -float(np.mean([np.abs(x - y).mean() for x, y in pairs]))

    return score


def quant_post_hpo(
    executor: Any,
    place: Any,
    model_dir: str,
    quantize_model_path: str,
    train_sample_generator: Any = None,
    eval_sample_generator: Any = None,
    train_dataloader: Any = None,
    eval_dataloader: Any = None,
    eval_function: Evaluate | None = None,
    model_filename: str | None = None,
    params_filename: str | None = None,
    save_model_filename: str | None = "model.pdmodel",
    save_params_filename: str | None = "model.pdiparams",
    scope: Scope | None = None,
    quantizable_op_type: Sequence[str] = DEFAULT,
    is_full_quantize: bool = False,
    weight_bits: int = 8,
    activation_bits: int = 8,
    weight_quantize_type: Sequence[str] = ("channel_wise_abs_max",),
    algo: Sequence[str] = ("KL", "hist", "avg", "mse"),
    bias_correct: Sequence[bool] = (True, False),
    hist_percent: Sequence[float] = (0.98, 0.999),
    batch_size: Sequence[int] = (10, 30),
    batch_num: Sequence[int] = (10, 30),
    optimize_model: bool = False,
    onnx_format: bool = True,
    is_use_cache_file: bool = False,
    cache_dir: str = "./temp_post_training",
    runcount_limit: int = 30,
) -> Trial:
    """Quantize a saved model in several ways, save the best in a folder, and return how it is.

    train_dataloader: data to calibrate on. eval_function: takes an executor, a Program, the names
    of inputs and the results, and returns a score of which more is better; without it Programs are
    compared with that of floats, on eval_dataloader or else the data to calibrate on. Ways are all
    algo and weight_quantize_type, with hist_percent and batch_num drawn between their bounds,
    runcount_limit of them. bias_correct: must hold False. place, batch_size, onnx_format,
    cache_dir: without effect. Others as of `quant_post_static`. Raises as that, and
    UnsupportedError for generators of samples, optimize_model and is_use_cache_file.
    """
    if train_sample_generator is not None or eval_sample_generator is not None:
        raise UnsupportedError("generators of samples", cure="pass train_dataloader")
    refuse_given("leave it out", optimize_model=optimize_model, is_use_cache_file=is_use_cache_file)
    search = Search(
        algo, weight_quantize_type, hist_percent, batch_num, bias_correct, runcount_limit
    )
    kept, runner = scope or Scope(), executor or Executor()
    with scope_guard(kept):
        found = load_inference_model(model_dir, runner, model_filename, params_filename)
    program, feeds, names = found[0], list(found[1]), [v.name for v in found[2]]
    data = wrap_dataloader(train_dataloader, feeds)
    if data is None:
        raise ArgumentError("there is no data to calibrate on", cure="pass train_dataloader")

    def made(trial: Trial) -> Program:
        return PostTrainingQuantizationProgram(
            runner,
            program,
            feeds,
            names,
            kept,
            data_loader=data,
            quantizable_op_type=tuple(quantizable_op_type),
            is_full_quantize=is_full_quantize,
            weight_bits=weight_bits,
            activation_bits=activation_bits,
            **trial.arguments(),
        ).quantize()

    def by_function(other: Program) -> float:
        assert eval_function is not None
        with scope_guard(kept):
            return eval_function(runner, other, feeds, [other.variable(n) for n in names])

    compared = wrap_dataloader(eval_dataloader, feeds) or data
    near = nearness(runner, program, names, compared, kept)
    best, trial, _ = best_of(search, made, by_function if eval_function is not None else near)
    fed = [best.variable(name) for name in feeds]
    fetched = [best.variable(name) for name in names]
    files = save_model_filename, save_params_filename
    save_model(quantize_model_path, best, fed, fetched, kept, *files)
    return trial
