"""AutoCompression: a saved model becomes a smaller one, by the strategies of a configuration."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.incubate.asp.masks import create_mask
from twinoar.slim.auto_compression.model import SavedModel, Score
from twinoar.slim.auto_compression.strategies import (
    ASPPrune,
    ChannelPrune,
    Distillation,
    HyperParameterOptimization,
    QuantAware,
    QuantPost,
    TrainConfig,
    TransformerPrune,
    UnstructurePrune,
    settings_of,
)
from twinoar.slim.auto_compression.training import Lesson
from twinoar.slim.common.batches import Batches, wrap_dataloader
from twinoar.slim.common.models import weights_of
from twinoar.slim.common.recovering import recover_inference_program
from twinoar.slim.common.settings import load_config
from twinoar.slim.measures import Measures, Report
from twinoar.slim.prune import GMPUnstructuredPruner, Pruner, UnstructuredPruner
from twinoar.slim.prune.pruner import ColumnPruner
from twinoar.slim.quant.hpo import Search, Trial, best_of, nearness
from twinoar.static.program import Program
from twinoar.static.quantization import PostTrainingQuantizationProgram, convert, quant_aware

DEFAULTS: dict[str, Any] = {"QuantPost": None, "HyperParameterOptimization": {"max_quant_count": 4}}
TRAINED = TrainConfig(
    epochs=1,
    eval_iter=500,
    learning_rate=0.0001,
    optimizer_builder={"optimizer": {"type": "Momentum"}, "weight_decay": 4.0e-05},
)
REPORT = "report.json"
NEAR = 0.05  # how far the score of the given model may be from origin_metric
NEIGHBORS = 4  # for 2 zeros in 4
MATRIX, CONVOLUTION = 2, 4  # dimensions of their weights


def _nothing() -> None:
    """For what a strategy does not do."""


class AutoCompression:
    """Compresses a saved model: `compress` writes it anew, and returns a report.

    model_dir, model_filename, params_filename: the model. train_dataloader: a DataLoader, a list,
    or a function that returns an iterable, of what the model reads. save_dir: the folder of the
    result. config: strategies and their settings by name, or a file of such (YAML or JSON); None
    for QuantPost with HyperParameterOptimization. ChannelPrune, ASPPrune, UnstructurePrune and
    QuantAware train by Distillation, from the model itself where it names no teacher; quantizing
    comes last. input_shapes: for inputs whose sizes are open. eval_callback: takes an executor, a
    Program, the names of inputs and the results, and returns a score, of which more is better.
    eval_dataloader: what HyperParameterOptimization compares on without it. deploy_hardware:
    without effect. Raises FileError, UnknownNameError, ArgumentError, and UnsupportedError for
    target_speedup.

    >>> import numpy as np, tempfile
    >>> from twinoar import static
    >>> folder, executor = tempfile.mkdtemp(), static.Executor()
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     x = static.data("x", [None, 4])
    ...     y = static.nn.fc(x, 2)
    ...     _ = executor.run(static.default_startup_program())
    ...     static.save_inference_model(f"{folder}/floats/model", [x], [y])
    >>> data = [{"x": np.ones([3, 4], "float32")}]
    >>> config = {"QuantPost": {"algo": "avg"}}
    >>> ac = AutoCompression(f"{folder}/floats", data, save_dir=f"{folder}/int", config=config)
    >>> [row.step for row in ac.compress().rows]
    ['given', 'QuantPost']
    """

    def __init__(
        self,
        model_dir: str,
        train_dataloader: Any,
        model_filename: str | None = None,
        params_filename: str | None = None,
        save_dir: str = "./output",
        config: Mapping[str, Any] | str | None = None,
        input_shapes: Any = None,
        target_speedup: float | None = None,
        eval_callback: Score | None = None,
        eval_dataloader: Any = None,
        deploy_hardware: str | None = "gpu",
    ):
        if target_speedup is not None:
            raise UnsupportedError(
                "target_speedup", cure="name strategies in config, and look at the report's times"
            )
        given = load_config(config) if isinstance(config, str) else config
        self._settings, training = settings_of(DEFAULTS if given is None else given)
        self._training = training or TRAINED
        self._where = model_dir, model_filename, params_filename
        self._shapes, self._evaluate, self.final_dir = input_shapes, eval_callback, save_dir
        feeds = self._loaded().feeds
        data = wrap_dataloader(train_dataloader, feeds)
        if data is None:
            raise ArgumentError("there is no data", cure="pass train_dataloader")
        self._data: Batches = data
        self._compared = wrap_dataloader(eval_dataloader, feeds) or data
        self.report = Report()

    def compress(self) -> Report:
        """Run all strategies, save the model and `report.json`, and return the report.

        The model that is given stays as it is; where a strategy fails nothing is written. Raises
        what the strategies raise.
        """
        model = self._loaded()
        score = model.score(self._evaluate)
        self._check_first(score)
        rows = [model.measure("given", self._data, score)]
        is_trained = False
        for name, run in self._strategies():
            training = self._training
            run(model, training.for_quantization() if is_trained else training)
            rows.append(self._measured(model, name))
            is_trained = True
        self.report = Report(rows)
        model.save(self.final_dir)
        self._write_report()
        return self.report

    def export_onnx(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Is not served. Raises UnsupportedError."""
        raise UnsupportedError(
            "AutoCompression.export_onnx", cure="paddle.onnx.export(paddle.jit.load(...), path)"
        )

    def _loaded(self) -> SavedModel:
        model = SavedModel(*self._where)
        if self._shapes is not None:
            model.set_sizes(self._shapes)
        model.count()
        return model

    def _check_first(self, score: float | None) -> None:
        wanted = self._training.origin_metric
        if score is not None and wanted is not None and abs(score - float(wanted)) > NEAR:
            raise ArgumentError(
                f"the model scores {score:.4f}, and origin_metric is {wanted}",
                cure="look at the data that eval_callback reads, or at origin_metric",
            )

    def _measured(self, model: SavedModel, name: str) -> Measures:
        return model.measure(name, self._data, model.score(self._evaluate))

    def _write_report(self) -> None:
        part = Path(self.final_dir, f"{REPORT}.part")
        part.write_text(json.dumps(self.report.to_list(), indent=1))
        part.replace(Path(self.final_dir, REPORT))

    def _strategies(self) -> list[tuple[str, Callable[[SavedModel, TrainConfig], None]]]:
        """What is done, in order; quantizing last."""
        steps: dict[str, Callable[[SavedModel, TrainConfig], None]] = {
            "ChannelPrune": self._prune_channels,
            "TransformerPrune": self._prune_columns,
            "ASPPrune": self._prune_neighbors,
            "UnstructurePrune": self._prune_weights,
            "QuantAware": self._train_quantized,
            "QuantPost": self._quantize,
        }
        found = [(name, run) for name, run in steps.items() if name in self._settings]
        return found or [(type(self._teaching()).__name__, self._distill)]

    def _teaching(self) -> Distillation:
        several = self._settings.get("MultiTeacherDistillation")
        found = several or self._settings.get("Distillation") or Distillation()
        assert isinstance(found, Distillation)
        return found

    # Strategies.

    def _prune_channels(self, model: SavedModel, training: TrainConfig) -> None:
        how: ChannelPrune = self._settings["ChannelPrune"]
        names = list(how.prune_params_name or weights_of(model.program, CONVOLUTION))
        given = how.pruned_ratio
        ratios = list(given) if isinstance(given, (list, tuple)) else [given] * len(names)
        pruned = Pruner(how.criterion).prune(model.program, model.scope, names, ratios)
        model.program = pruned[0]
        model.count()
        self._distill(model, training)

    def _prune_columns(self, model: SavedModel, training: TrainConfig) -> None:
        how: TransformerPrune = self._settings["TransformerPrune"]
        pruner = ColumnPruner()
        names = pruner.inner(model.program, model.scope)
        if not names:
            raise ArgumentError(
                "no product of the model has columns that can be removed",
                cure="take ChannelPrune for convolutions, or UnstructurePrune",
            )
        ratios = [how.pruned_ratio] * len(names)
        model.program = pruner.prune(model.program, model.scope, names, ratios)[0]
        model.count()
        self._distill(model, training)

    def _prune_neighbors(self, model: SavedModel, training: TrainConfig) -> None:
        how: ASPPrune = self._settings["ASPPrune"]
        chosen = how.prune_params_name or weights_of(model.program, MATRIX, CONVOLUTION)
        for name in chosen:
            weight = model.values()[name]
            if weight.shape[0 if weight.ndim == 2 else 1] >= NEIGHBORS:
                model.scope.var(name).set(weight * create_mask(weight.T).T)
        self._keep_zeros(model, training)

    def _prune_weights(self, model: SavedModel, training: TrainConfig) -> None:
        how: UnstructurePrune = self._settings["UnstructurePrune"]
        program = recover_inference_program(model.program.clone())
        common: dict[str, Any] = {
            "scope": model.scope,
            "prune_params_type": how.prune_params_type,
            "local_sparsity": how.local_sparsity,
        }
        if how.prune_strategy == "gmp":
            configs = how.gmp_config or self._schedule(training)
            pruner: UnstructuredPruner = GMPUnstructuredPruner(
                program, how.ratio, configs=configs, **common
            )
        else:
            pruner = UnstructuredPruner(program, how.prune_mode, how.ratio, how.threshold, **common)
        self._teach(model, program, training, pruner.step, pruner.update_params)
        pruner.step()
        pruner.update_params()

    def _keep_zeros(self, model: SavedModel, training: TrainConfig) -> None:
        """Train, and leave at 0 what is 0."""
        program = recover_inference_program(model.program.clone())
        pruner = UnstructuredPruner(program, "threshold", threshold=0.0, scope=model.scope)
        pruner.set_static_masks()
        self._teach(model, program, training, _nothing, pruner.update_params)
        pruner.update_params()

    def _train_quantized(self, model: SavedModel, training: TrainConfig) -> None:
        how: QuantAware = self._settings["QuantAware"]
        given: dict[str, Any] = {"config": how.config(), "scope": model.scope}
        test = quant_aware(model.program, for_test=True, **given)
        program = quant_aware(recover_inference_program(model.program.clone()), **given)
        self._teach(model, program, training, _nothing, _nothing, test)
        model.program = convert(test, scope=model.scope)

    def _distill(self, model: SavedModel, training: TrainConfig) -> None:
        if training.sparse_model:
            self._keep_zeros(model, training)
        else:
            program = recover_inference_program(model.program.clone())
            self._teach(model, program, training, _nothing, _nothing)

    def _teach(
        self,
        model: SavedModel,
        program: Program,
        training: TrainConfig,
        after_step: Callable[[], None],
        before_score: Callable[[], None],
        test: Program | None = None,
    ) -> None:
        """Train a form of the model's Program by its teachers."""
        lesson = Lesson(model, program, self._teaching())
        asked = test or model.program
        lesson.train(self._data, training, after_step, before_score, self._evaluate, asked)

    def _quantize(self, model: SavedModel, training: TrainConfig) -> None:
        how: QuantPost = self._settings["QuantPost"]
        search: HyperParameterOptimization | None
        search = self._settings.get("HyperParameterOptimization")

        def made(trial: Trial | None) -> Program:
            given = {**how.arguments(), **({} if trial is None else trial.arguments())}
            return PostTrainingQuantizationProgram(
                model.executor,
                model.program,
                model.feeds,
                [v.name for v in model.fetches],
                model.scope,
                data_loader=self._data,
                **given,
            ).quantize()

        if search is None:
            model.program = made(None)
            return
        names = [v.name for v in model.fetches]
        near = nearness(model.executor, model.program, names, self._compared, model.scope)
        ways = Search(
            search.ptq_algo,
            search.weight_quantize_type,
            search.hist_percent,
            search.batch_num,
            search.bias_correct,
            search.max_quant_count,
        )

        def score(program: Program) -> float:
            found = model.score(self._evaluate, program)
            return near(program) if found is None else found

        model.program = best_of(ways, made, score)[0]

    def _schedule(self, training: TrainConfig) -> dict[str, float]:
        """A share that grows over nearly half of the training."""
        count = training.train_iter
        if count is None:
            count = (training.epochs or 1) * sum(1 for _ in self._data())
        return {
            "stable_iterations": 0,
            "pruning_iterations": max(0.45 * count, 30),
            "tunning_iterations": max(0.45 * count, 30),
            "resume_iteration": 0,
            "pruning_steps": 100 if 0.45 * count > 1000 else 1,
            "initial_ratio": 0.15,
        }
