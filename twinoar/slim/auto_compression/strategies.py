"""The settings of AutoCompression: one class for each strategy, with PaddleSlim's defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from twinoar.core.near import near_names
from twinoar.errors import ArgumentError, UnknownNameError, UnsupportedError

TYPES = ("conv2d", "depthwise_conv2d", "mul", "matmul", "matmul_v2")
QUANTIZING = ("QuantAware", "QuantPost")
Names = Sequence[str]


@dataclass
class QuantAware:
    """Training with rounded values; see `static.quantization.quant_aware`.

    use_pact: clip values to learnt bounds before they are rounded.
    """

    quantize_op_types: Names = ("conv2d_transpose", *TYPES)
    weight_bits: int = 8
    activation_bits: int = 8
    not_quant_pattern: Names = ("skip_quant",)
    use_pact: bool = False
    activation_quantize_type: str = "moving_average_abs_max"
    weight_quantize_type: str = "channel_wise_abs_max"
    dtype: str = "int8"
    window_size: int = 10000
    moving_rate: float = 0.9
    for_tensorrt: bool = False
    onnx_format: bool = True
    is_full_quantize: bool = False

    def config(self) -> dict[str, Any]:
        """What `quant_aware` takes."""
        known = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "use_pact"}
        return {**known, "activation_preprocess_type": "PACT" if self.use_pact else None}


@dataclass
class QuantPost:
    """Calibration on data; see `slim.quant.quant_post_static`.

    batch_size, epochs, lr, simulate_activation_quant: without effect. regions, recon_level: None.
    """

    batch_size: int = 32
    batch_nums: int | None = None
    epochs: int = 20
    lr: float = 0.1
    algo: str = "hist"
    hist_percent: float = 0.999
    regions: Any = None
    region_weights_names: Any = None
    recon_level: Any = None
    is_full_quantize: bool = False
    bias_correction: bool = False
    weight_quantize_type: str = "channel_wise_abs_max"
    activation_quantize_type: str = "range_abs_max"
    simulate_activation_quant: bool = False
    skip_tensor_list: Names | None = None
    onnx_format: bool = True
    quantize_op_types: Names = TYPES
    weight_bits: int = 8
    activation_bits: int = 8

    def __post_init__(self) -> None:
        if self.recon_level is not None or self.regions is not None:
            raise UnsupportedError(
                "recon_level and regions",
                cure="slim.quant.advanced.GPTQ rounds weights of layers by what they compute",
            )

    def arguments(self) -> dict[str, Any]:
        """What `PostTrainingQuantizationProgram` takes."""
        names = (
            "batch_nums", "algo", "hist_percent", "is_full_quantize", "bias_correction",
            "weight_quantize_type", "activation_quantize_type", "skip_tensor_list", "weight_bits",
            "activation_bits",
        )  # fmt: skip
        given = {name: getattr(self, name) for name in names}
        return {**given, "quantizable_op_type": tuple(self.quantize_op_types)}


@dataclass
class HyperParameterOptimization:
    """Tries several settings of QuantPost; see `slim.quant.quant_post_hpo`."""

    ptq_algo: Names = ("KL", "hist", "avg", "mse")
    bias_correct: Sequence[bool] = (True, False)
    weight_quantize_type: Names = ("channel_wise_abs_max",)
    hist_percent: Sequence[float] = (0.98, 0.999)
    batch_num: Sequence[int] = (10, 30)
    max_quant_count: int = 20


@dataclass
class Distillation:
    """Training by what a teacher computes.

    loss: of "l2", "soft_label", "dkd" and "skd", one or one for each list of nodes. node: names of
    values, of which the teacher has the same; by default what the last weights give. alpha: what
    losses are multiplied by. teacher_model_dir and names of files: by default the model itself.
    """

    loss: str | Names = "l2"
    node: Sequence[Any] = ()
    alpha: float | Sequence[float] = 1.0
    teacher_model_dir: Any = None
    teacher_model_filename: Any = None
    teacher_params_filename: Any = None


@dataclass
class MultiTeacherDistillation(Distillation):
    """Training by several teachers: losses, nodes, factors and folders are lists of one length."""

    loss: str | Names = ()
    alpha: float | Sequence[float] = ()
    teacher_model_dir: Any = ()
    teacher_model_filename: Any = ()
    teacher_params_filename: Any = ()


@dataclass
class ChannelPrune:
    """Filters that matter least; see `slim.prune.Pruner`.

    pruned_ratio: one, or one for each name. prune_params_name: None for all convolutions.
    """

    pruned_ratio: float | Sequence[float]
    prune_params_name: Names | None = None
    criterion: str | Callable[..., Any] = "l1_norm"


@dataclass
class ASPPrune:
    """2 zeros in 4 neighbors; prune_params_name: None for all weights that are wide enough."""

    prune_params_name: Names | None = None


@dataclass
class TransformerPrune:
    """Columns of the inner products of transformers, those that matter least; heads stay.

    pruned_ratio: the share that goes, from 0 to below 1. Raises ArgumentError.
    """

    pruned_ratio: float

    def __post_init__(self) -> None:
        if not 0 <= self.pruned_ratio < 1:
            raise ArgumentError(
                f"pruned_ratio is from 0 to below 1, received {self.pruned_ratio!r}"
            )


@dataclass
class UnstructurePrune:
    """Single weights; see `slim.prune.UnstructuredPruner`. prune_strategy: None, "base" or "gmp".

    gmp_config: of the GMP pruner; None for a schedule over the training.
    """

    prune_strategy: str | None = None
    prune_mode: str = "ratio"
    threshold: float = 0.01
    ratio: float = 0.55
    gmp_config: Mapping[str, float] | None = None
    prune_params_type: str | None = "conv1x1_only"
    local_sparsity: bool = False

    def __post_init__(self) -> None:
        if self.prune_strategy not in (None, "base", "gmp"):
            raise ArgumentError(
                f"prune_strategy is None, 'base' or 'gmp', received {self.prune_strategy!r}"
            )


@dataclass
class TrainConfig:
    """How strategies that train do so.

    epochs or train_iter: how long, of batches. learning_rate: a number, or {"type": a class of
    optimizer.lr, and its arguments}. optimizer_builder: {"optimizer": {"type": a class of optimizer
    and its arguments}, "weight_decay", "regularizer", "grad_clip"}. eval_iter: after how many
    batches the score is asked for. logging_iter: after how many the loss is logged. origin_metric:
    the score that the model is known to have; target_metric: that ends the training. sparse_model:
    keep what is 0 already. amp_config, recompute_config, sharding_config: None.
    """

    epochs: int | None = None
    train_iter: int | None = None
    learning_rate: float | Mapping[str, Any] = 0.02
    optimizer_builder: Mapping[str, Any] = field(
        default_factory=lambda: {"optimizer": {"type": "SGD"}}
    )
    eval_iter: int = 1000
    logging_iter: int | None = 10
    origin_metric: float | None = None
    target_metric: float | None = None
    amp_config: Any = None
    recompute_config: Any = None
    sharding_config: Any = None
    sparse_model: bool = False

    def __post_init__(self) -> None:
        for name in ("amp_config", "recompute_config", "sharding_config"):
            if getattr(self, name) is not None:
                raise UnsupportedError(f"TrainConfig({name}=...)", cure="leave it out")

    def for_quantization(self) -> TrainConfig:
        """A tenth of it, as for quantizing what has been trained after pruning."""
        rate = self.learning_rate
        if not isinstance(rate, Mapping):
            rate = rate * 0.1
        elif "learning_rate" in rate:
            rate = {**rate, "learning_rate": rate["learning_rate"] * 0.1}
        elif "values" in rate:
            rate = {**rate, "values": [x * 0.1 for x in rate["values"]]}
        return replace(
            self,
            epochs=None if self.epochs is None else max(int(self.epochs * 0.1), 1),
            train_iter=None if self.train_iter is None else max(int(self.train_iter * 0.1), 1),
            learning_rate=rate,
        )


@dataclass
class ProgramInfo:
    """A Program with what is fed and fetched, and what trains it."""

    startup_program: Any
    program: Any
    feed_target_names: list[str]
    fetch_targets: list[Any]
    optimizer: Any = None
    learning_rate: Any = None
    loss_dict: Any = None


Prune = ChannelPrune
BY_NAME: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        QuantAware, QuantPost, HyperParameterOptimization, Distillation, MultiTeacherDistillation,
        ChannelPrune, ASPPrune, TransformerPrune, UnstructurePrune,
    )
}  # fmt: skip
BY_NAME["Prune"] = ChannelPrune
TRAINING, TOP = "TrainConfig", "Global"


def settings_of(config: Mapping[str, Any]) -> tuple[dict[str, Any], TrainConfig | None]:
    """Strategies by name, and how to train.

    config: {name: settings, a dictionary of them, or None for the defaults}. Raises
    UnknownNameError for what is no strategy or no setting of one, and ArgumentError for none, and
    for two ways to quantize or two kinds of teachers.
    """
    found: dict[str, Any] = {}
    training = None
    for name, given in config.items():
        if name == TRAINING:
            training = _made(name, TrainConfig, given)
        elif name in BY_NAME:
            found["ChannelPrune" if name == "Prune" else name] = _made(name, BY_NAME[name], given)
        elif name != TOP:
            raise UnknownNameError(
                f"there is no strategy {name!r}", cure=near_names(name, [*BY_NAME, TRAINING])
            )
    if not found:
        raise ArgumentError("the config names no strategy", cure='such as {"QuantPost": {}}')
    for pair in (QUANTIZING, ("Distillation", "MultiTeacherDistillation")):
        if all(name in found for name in pair):
            raise ArgumentError(f"{' and '.join(pair)} exclude each other", cure="name one")
    if "HyperParameterOptimization" in found:
        found.setdefault("QuantPost", QuantPost())
    return found, training


def _made(name: str, kind: type, given: Any) -> Any:
    if isinstance(given, kind):
        return given
    if given is not None and not isinstance(given, Mapping):
        raise ArgumentError(f"expected settings of {name} by name, received {given!r}")
    known = [f.name for f in fields(kind)]
    for key in given or {}:
        if key not in known:
            raise UnknownNameError(
                f"{name} has no setting {key!r}", cure=near_names(str(key), known)
            )
    try:
        return kind(**(given or {}))
    except TypeError as error:
        raise ArgumentError(f"{name} lacks settings: {error}") from error
