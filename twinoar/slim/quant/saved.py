"""PaddleSlim's names for saved models that are quantized; see `static.quantization`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from twinoar.core.public import declared
from twinoar.errors import UnsupportedError
from twinoar.quantization.program.places import WITH_WEIGHT
from twinoar.static.quantization import PostTrainingQuantization, WeightQuantization
from twinoar.static.scope import Scope


def quant_post_static(
    executor: Any,
    model_dir: str,
    quantize_model_path: str,
    batch_generator: Any = None,
    sample_generator: Any = None,
    data_loader: Any = None,
    model_filename: str | None = None,
    params_filename: str | None = None,
    save_model_filename: str | None = "model.pdmodel",
    save_params_filename: str | None = "model.pdiparams",
    batch_size: int = 1,
    batch_nums: int | None = None,
    scope: Scope | None = None,
    algo: str = "hist",
    round_type: str = "round",
    hist_percent: float = 0.9999,
    bias_correction: bool = False,
    quantizable_op_type: Sequence[str] = WITH_WEIGHT,
    is_full_quantize: bool = False,
    weight_bits: int = 8,
    activation_bits: int = 8,
    activation_quantize_type: str = "range_abs_max",
    weight_quantize_type: str = "channel_wise_abs_max",
    optimize_model: bool = False,
    onnx_format: bool = True,
    skip_tensor_list: Sequence[str] | None = None,
    deploy_backend: Any = None,
) -> None:
    """Quantize a saved model by what it computes on some data, and save it in another folder.

    model_dir, model_filename, params_filename: of the model of floats. quantize_model_path,
    save_model_filename, save_params_filename: of that of integers. Other arguments, and what is
    raised: as of `static.quantization.PostTrainingQuantization`.
    """
    names = {"model_filename": save_model_filename, "params_filename": save_params_filename}
    ptq = PostTrainingQuantization(
        executor,
        model_dir,
        scope or Scope(),
        model_filename,
        params_filename,
        batch_generator,
        sample_generator,
        data_loader,
        batch_size=batch_size,
        batch_nums=batch_nums,
        algo=algo,
        hist_percent=hist_percent,
        quantizable_op_type=quantizable_op_type,
        round_type=round_type,
        is_full_quantize=is_full_quantize,
        bias_correction=bias_correction,
        activation_bits=activation_bits,
        weight_bits=weight_bits,
        activation_quantize_type=activation_quantize_type,
        weight_quantize_type=weight_quantize_type,
        onnx_format=onnx_format,
        optimize_model=optimize_model,
        skip_tensor_list=skip_tensor_list,
        deploy_backend=deploy_backend,
    )
    ptq.quantize()
    ptq.save_quantized_model(quantize_model_path, **names)


def quant_post_dynamic(
    model_dir: str,
    save_model_dir: str,
    model_filename: str | None = None,
    params_filename: str | None = None,
    save_model_filename: str | None = "model.pdmodel",
    save_params_filename: str | None = "model.pdiparams",
    quantizable_op_type: Sequence[str] = ("conv2d", "mul"),
    weight_bits: int = 8,
    generate_test_model: bool = False,
) -> None:
    """Save a model with weights of integers, which computes in floats; it needs no data.

    Arguments, and what is raised: as of `static.quantization.WeightQuantization`.
    """
    WeightQuantization(model_dir, model_filename, params_filename).quantize_weight_to_int(
        save_model_dir,
        save_model_filename,
        save_params_filename,
        quantizable_op_type,
        weight_bits,
        generate_test_model=generate_test_model,
    )


quant_post, quant_post_only_weight = quant_post_static, quant_post_dynamic


def quant_aware_with_infermodel(*args: Any, **kwargs: Any) -> NoReturn:
    """Is not served. Raises UnsupportedError."""
    _refuse("quant_aware_with_infermodel", "train what quant_aware returns, with slim.Distill")


def export_quant_infermodel(*args: Any, **kwargs: Any) -> NoReturn:
    """Is not served. Raises UnsupportedError."""
    _refuse("export_quant_infermodel", "call convert, and static.save_inference_model")


def quant_recon_static(*args: Any, **kwargs: Any) -> NoReturn:
    """Is not served. Raises UnsupportedError."""
    _refuse("quant_recon_static", "slim.quant.advanced.GPTQ rounds weights by what layers compute")


def pact(*args: Any, **kwargs: Any) -> NoReturn:
    """Is not served. Raises UnsupportedError."""
    _refuse(
        "pact", "set activation_preprocess_type='PACT' in the config of quant_aware, or of slim.QAT"
    )


class SlimQuantConfig:
    """Is not served. Raises UnsupportedError."""

    def __init__(self, *args: Any, **kwargs: Any):
        _refuse("SlimQuantConfig", "take quantization.QuantConfig")


class SlimQAT:
    """Is not served. Raises UnsupportedError."""

    def __init__(self, *args: Any, **kwargs: Any):
        _refuse("SlimQAT", "call slim.quant.fold_batch_norms, then quantization.QAT")


def _refuse(name: str, cure: str) -> NoReturn:
    raise UnsupportedError(f"slim.quant.{name} is not served", cure=cure)


__all__ = declared(globals())
