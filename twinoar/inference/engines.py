"""What a Config says of engines, devices and forms that are not here: one table.

A question is answered as Paddle answers it where the engine is not in use; a demand is an error
that says what to do instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.errors import UnsupportedError
from twinoar.inference.types import PrecisionType

# What is asked for, what to do instead, and the methods that ask for it.
DEMANDS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "TensorRT",
        "leave it out: models are compiled for this processor",
        (
            "enable_tensorrt_engine", "enable_tensorrt_dla", "enable_tensorrt_inspector",
            "enable_tensorrt_explicit_quantization", "enable_tensorrt_memory_optim",
            "enable_tensorrt_varseqlen", "enable_tuned_tensorrt_dynamic_shape",
            "exp_disable_tensorrt_dynamic_shape_ops", "exp_disable_tensorrt_ops",
            "exp_disable_tensorrt_subgraph", "exp_specify_tensorrt_subgraph_precision",
            "mark_trt_engine_outputs", "set_tensorrt_optimization_level",
            "set_trt_dynamic_shape_info",
        ),
    ),
    (
        "an XPU, IPU or another device than the CPU",
        "call disable_gpu() instead, and run on the CPU",
        (
            "enable_xpu", "set_xpu_config", "set_xpu_device_id", "xpu_config", "enable_ipu",
            "load_ipu_config", "set_ipu_config", "set_ipu_custom_info", "enable_custom_device",
            "exp_enable_use_cutlass", "exp_sparse_conv_using_buffer",
        ),
    ),
    (
        "ONNX Runtime",
        "leave it out; paddle.onnx.export writes a model that ONNX Runtime runs",
        ("enable_onnxruntime", "enable_ort_optimization"),
    ),
    (
        "OpenVINO",
        "leave it out: models are compiled for this processor",
        ("enable_openvino_engine",),
    ),
    (
        "CINN",
        "leave it out: models are compiled in any case",
        ("enable_cinn",),
    ),
    (
        "a lower precision than the model has",
        "write one with inference.convert_to_mixed_precision, or quantize: a model runs as saved",
        (
            "enable_low_precision_io", "enable_mkldnn_bfloat16", "enable_onednn_bfloat16",
            "enable_mkldnn_int8", "enable_onednn_int8", "exp_disable_mixed_precision_ops",
            "exp_enable_mixed_precision_ops", "set_bfloat16_op",
        ),
    ),
    (
        "a choice of operators that oneDNN runs",
        "leave it out: products and convolutions go there; TWINOAR_ONEDNN=0 does without",
        ("set_mkldnn_op", "set_onednn_op"),
    ),
    (
        "a range of shapes, which other engines need",
        "leave it out: a model runs with any sizes that its inputs may have",
        ("collect_shape_range_info",),
    ),
    (
        "files of a model that is already optimized",
        "leave it out: what is compiled is kept, and found again by the next process",
        ("enable_save_optim_model", "use_optimized_model", "set_optim_cache_dir"),
    ),
    (
        "times of each run in the log",
        "run the Predictor under paddle.profiler.Profiler",
        ("enable_profile",),
    ),
    (
        "the configuration of Paddle's native engine",
        "give create_predictor the Config itself",
        ("to_native_config",),
    ),
)  # fmt: skip

ANSWERS: dict[str, Any] = {
    "fraction_of_gpu_memory_for_pool": 0.0,
    "gpu_device_id": 0,
    "memory_pool_init_size_mb": 100,
    "mkldnn_int8_enabled": False,
    "onednn_int8_enabled": False,
    "onnxruntime_enabled": False,
    "openvino_engine_enabled": False,
    "shape_range_info_collected": False,
    "shape_range_info_path": "",
    "tensorrt_dla_enabled": False,
    "tensorrt_dynamic_shape_enabled": False,
    "tensorrt_engine_enabled": False,
    "tensorrt_explicit_quantization_enabled": False,
    "tensorrt_inspector_enabled": False,
    "tensorrt_optimization_level": 3,
    "tensorrt_precision_mode": PrecisionType.Float32,
    "tensorrt_varseqlen_enabled": False,
    "trt_allow_build_at_runtime": False,
    "tuned_tensorrt_dynamic_shape": False,
    "use_gpu": False,
    "use_xpu": False,
    "xpu_device_id": 0,
}


def with_other_engines(config: type) -> type:
    """Give a class the methods of these tables."""
    for what, cure, names in DEMANDS:
        for name in names:
            setattr(config, name, _named(config, name, _demand(name, what, cure)))
    for name, answer in ANSWERS.items():
        setattr(config, name, _named(config, name, _answer(answer)))
    return config


def _named(config: type, name: str, method: Callable) -> Callable:
    method.__name__, method.__qualname__ = name, f"{config.__name__}.{name}"
    method.__module__ = config.__module__
    return method


def _demand(name: str, what: str, cure: str) -> Callable:
    def method(self: Any, *args: Any, **kwargs: Any) -> None:
        raise UnsupportedError(f"Config.{name} asks for {what}, which is not served", cure=cure)

    method.__doc__ = f"Raises UnsupportedError: {what} is not served."
    return method


def _answer(answer: Any) -> Callable:
    def method(self: Any) -> Any:
        return answer

    method.__doc__ = f"{answer!r}: that is not in use."
    return method
