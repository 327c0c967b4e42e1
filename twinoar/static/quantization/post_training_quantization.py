"""PostTrainingQuantization: a saved model becomes one of integers, by what some data shows."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.quantization import observers
from twinoar.quantization.factory import QuanterFactory
from twinoar.quantization.imperative.ptq_quantizer import HALF
from twinoar.quantization.program.calibration import calibrate
from twinoar.quantization.program.places import DEFAULT, WITH_WEIGHT
from twinoar.quantization.program.rounding import Rounding
from twinoar.static.executor import Executor, program_to_run
from twinoar.static.inference_io import load_inference_model, save_inference_model
from twinoar.static.program import Program
from twinoar.static.quantization.quanter import OTHERS
from twinoar.static.quantization.quantization_pass import check_round_type, refuse_given
from twinoar.static.scope import Scope, global_scope, scope_guard

ALGORITHMS = {
    "KL": observers.KLObserver,
    "abs_max": observers.AbsmaxObserver,
    "avg": observers.AVGObserver,
    "emd": observers.EMDObserver,
    "hist": observers.HistObserver,
    "min_max": observers.MinMaxObserver,
    "mse": observers.MSEObserver,
}
AFTER_LOADER = 5  # how far behind data_loader quantizable_op_type stands
OF_VALUES = ("range_abs_max", "moving_average_abs_max", "abs_max")


class PostTrainingQuantizationProgram:
    """Quantizes a Program for inference by what it computes on some data.

    executor, scope: what it runs with. feed_list: names of inputs, in the order of the data, or
    None for that of the Program. fetch_list: its results. One of batch_generator,
    sample_generator, of which batch_size samples make a batch, and data_loader gives data: lists or
    dictionaries of arrays. batch_nums: how many batches, None for all. algo: "KL", "abs_max",
    "avg", "emd", "hist" with hist_percent, "min_max" or "mse". quantizable_op_type: of operators;
    with is_full_quantize also those that others read. weight_quantize_type: "abs_max" or
    "channel_wise_abs_max". skip_tensor_list: names of values whose readers are left alone.
    activation_quantize_type, onnx_format, freeze_model, return_graph, learning_rate, cache_dir:
    without effect. Raises ArgumentError, and UnsupportedError for the others.
    """

    def __init__(
        self,
        executor: Executor,
        program: Program,
        feed_list: Sequence[Any] | None = None,
        fetch_list: Sequence[Any] | None = None,
        scope: Scope | None = None,
        batch_generator: Any = None,
        sample_generator: Any = None,
        data_loader: Any = None,
        batch_size: int = 10,
        batch_nums: int | None = None,
        algo: str = "KL",
        hist_percent: float = 0.99999,
        quantizable_op_type: Sequence[str] = DEFAULT,
        round_type: str = "round",
        learning_rate: float = 0.001,
        is_full_quantize: bool = False,
        bias_correction: bool = False,
        activation_bits: int = 8,
        weight_bits: int = 8,
        activation_quantize_type: str = "range_abs_max",
        weight_quantize_type: str = "channel_wise_abs_max",
        onnx_format: bool = False,
        freeze_model: bool = True,
        optimize_model: bool = False,
        is_use_cache_file: bool = False,
        skip_tensor_list: Sequence[str] | None = None,
        same_scale_tensor_list: Any = None,
        cache_dir: Any = None,
        scale_dict: Any = None,
        return_graph: bool = True,
        deploy_backend: Any = None,
    ):
        check_round_type(round_type)
        refuse_given(
            "slim.quant.correct_biases corrects a network of layers",
            bias_correction=bias_correction,
        )
        refuse_given(
            "leave it out",
            optimize_model=optimize_model,
            is_use_cache_file=is_use_cache_file,
            same_scale_tensor_list=same_scale_tensor_list,
            scale_dict=scale_dict,
            deploy_backend=deploy_backend,
        )
        if activation_quantize_type not in OF_VALUES:
            raise ArgumentError(
                f"values are quantized by one of {', '.join(OF_VALUES)}, "
                f"received {activation_quantize_type!r}"
            )
        self._executor, self._scope = executor, scope or global_scope()
        self._program = program_to_run(program)
        names = [v.name for v in self._program.main.inputs]
        self._feeds = [getattr(v, "name", v) for v in feed_list or names]
        self._fetches = list(fetch_list or self._program.main.outputs)
        self._observer = observer_of(algo, activation_bits, hist_percent)
        types = quantizable_op_type or WITH_WEIGHT
        self._how = Rounding(
            weight_quantize_type,
            weight_bits=weight_bits,
            activation_bits=activation_bits,
            types=(*types, *OTHERS) if is_full_quantize else tuple(types),
            skip_tensors=tuple(skip_tensor_list or ()),
        )
        given = (batch_generator, sample_generator, data_loader)
        if sum(source is not None for source in given) != 1:
            raise ArgumentError(
                "expected one of batch_generator, sample_generator and data_loader",
                cure="pass one of them",
            )
        self._given, self._size, self._count = given, batch_size, batch_nums
        self._made: Program | None = None

    def quantize(self) -> Program:
        """Run the data, and return the Program of integers; the one of floats stays as it is.

        Raises ArgumentError without data, for values and weights that are not finite, for a Program
        that is quantized already and without operators of the types; DTypeError.
        """
        batches = itertools.islice(self._batches(), self._count)
        self._made = calibrate(
            self._program, batches, self._observer, self._how, self._executor, self._scope
        )
        return self._made

    def save_quantized_model(
        self,
        save_model_path: str,
        model_filename: str | None = None,
        params_filename: str | None = None,
    ) -> None:
        """Save what `quantize` returned in a folder, as `static.save_inference_model`.

        Raises ArgumentError before `quantize`.
        """
        if self._made is None:
            raise ArgumentError("the model is not quantized yet", cure="call quantize() first")
        fetched = [getattr(v, "name", v) for v in self._fetches]
        variables = [self._made.variable(name) for name in fetched]
        fed = [self._made.variable(name) for name in self._feeds]
        save_model(
            save_model_path,
            self._made,
            fed,
            variables,
            self._scope,
            model_filename,
            params_filename,
        )

    def _batches(self) -> Iterator[Mapping[str, Any]]:
        batches, samples, loader = self._given
        if samples is not None:
            source = _stacked(_called(samples), self._size)
        else:
            source = iter(_called(loader if batches is None else batches))
        return (self._fed(batch) for batch in source)

    def _fed(self, batch: Any) -> Mapping[str, Any]:
        """A batch by the names of inputs."""
        if isinstance(batch, (list, tuple)) and len(batch) == 1 and isinstance(batch[0], Mapping):
            batch = batch[0]
        if isinstance(batch, Mapping):
            return {name: np.asarray(batch[name]) for name in self._feeds}
        arrays = list(batch) if isinstance(batch, (list, tuple)) else [batch]
        if len(arrays) < len(self._feeds):
            raise ArgumentError(
                f"a batch has {len(arrays)} arrays, the model reads {', '.join(self._feeds)}"
            )
        return {name: np.asarray(array) for name, array in zip(self._feeds, arrays, strict=False)}


class PostTrainingQuantization(PostTrainingQuantizationProgram):
    """Quantizes a saved model: `save_quantized_model` saves it anew.

    model_dir, model_filename, params_filename: as of `static.load_inference_model`. Other arguments
    as of PostTrainingQuantizationProgram; no quantizable_op_type is all that have weights.

    >>> import numpy as np, tempfile
    >>> from twinoar import static
    >>> folder, executor = tempfile.mkdtemp(), static.Executor()
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     x = static.data("x", [None, 4])
    ...     y = static.nn.fc(x, 2)
    ...     _ = executor.run(static.default_startup_program())
    ...     static.save_inference_model(f"{folder}/floats", [x], [y])
    >>> data = [[np.ones([3, 4], "float32")]]
    >>> ptq = PostTrainingQuantization(executor, f"{folder}/floats", data_loader=data)
    >>> [o.type for o in ptq.quantize().main.ops][:4]
    ['quantize_linear', 'dequantize_linear', 'dequantize_linear', 'mul']
    >>> ptq.save_quantized_model(f"{folder}/integers")
    """

    def __init__(
        self,
        executor: Executor,
        model_dir: str,
        scope: Scope | None = None,
        model_filename: str | None = None,
        params_filename: str | None = None,
        batch_generator: Any = None,
        sample_generator: Any = None,
        data_loader: Any = None,
        *arguments: Any,
        **named: Any,
    ):
        if len(arguments) < AFTER_LOADER:
            named.setdefault("quantizable_op_type", ())
        program, feeds, fetches = load_model(
            model_dir, executor, scope, model_filename, params_filename
        )
        super().__init__(
            executor,
            program,
            feeds,
            fetches,
            scope,
            batch_generator,
            sample_generator,
            data_loader,
            *arguments,
            **named,
        )


def observer_of(algo: str, bits: int, percent: float) -> QuanterFactory:
    """The factory of observers that Paddle calls `algo`. Raises ArgumentError."""
    if algo == "ptf":
        raise UnsupportedError(
            "algo='ptf' has scales for channels of values", cure="take algo='mse' or 'hist'"
        )
    if algo not in ALGORITHMS:
        raise ArgumentError(f"expected algo as one of {', '.join(ALGORITHMS)}, received {algo!r}")
    given: dict[str, dict[str, Any]] = {
        "KL": {"least_share": HALF},
        "hist": {"percent": percent},
        "min_max": {"sign": True, "symmetric": True},
    }
    return ALGORITHMS[algo](quant_bits=bits, **given.get(algo, {}))


def load_model(
    folder: str, executor: Any, scope: Scope | None, model: str | None, params: str | None
) -> list[Any]:
    """What `static.load_inference_model` returns, with states in a scope."""
    given = {"model_filename": model, "params_filename": params}
    if Path(folder).is_dir() and model is not None and model.endswith(".pdmodel"):
        folder = str(Path(folder, model.removesuffix(".pdmodel")))
        given["model_filename"] = None
    with scope_guard(scope or global_scope()):
        return load_inference_model(folder, executor, **given)


def save_model(
    folder: str,
    program: Program,
    feeds: Sequence[Any],
    fetches: Sequence[Any],
    scope: Scope | None,
    model: str | None = None,
    params: str | None = None,
) -> None:
    """Save a Program in a folder: `model.pdmodel` and `model.pdiparams`, or of another name.

    Raises ArgumentError for two names.
    """
    name = (model or "model").removesuffix(".pdmodel")
    if params is not None and params != f"{name}.pdiparams":
        raise ArgumentError(
            f"the parameters of {name}.pdmodel are in {name}.pdiparams, received {params!r}",
            cure="leave the name of that file out",
        )
    place = Path(folder, name)
    place.parent.mkdir(parents=True, exist_ok=True)
    with scope_guard(scope or global_scope()):
        save_inference_model(place, list(feeds), list(fetches), program=program)


def _called(source: Any) -> Iterable[Any]:
    found: Iterable[Any] = source() if callable(source) else source
    return found


def _stacked(samples: Iterable[Any], size: int) -> Iterator[list[np.ndarray]]:
    """Batches of so many samples; what is left over makes none, as in Paddle."""
    kept = iter(samples)
    while len(taken := list(itertools.islice(kept, size))) == size:
        rows = [x if isinstance(x, (list, tuple)) else [x] for x in taken]
        yield [np.stack([np.asarray(x) for x in column]) for column in zip(*rows, strict=True)]
