"""Paddle's static-graph API: build a Program, run it with an Executor, save and load it."""

from __future__ import annotations

import importlib
from typing import Any

from twinoar.core.ir.program import Operator, Variable
from twinoar.core.public import exported
from twinoar.ops.control.print import Print
from twinoar.static.average import ExponentialMovingAverage
from twinoar.static.backward import append_backward, gradients
from twinoar.static.block import Block
from twinoar.static.executor import Executor
from twinoar.static.host import py_func
from twinoar.static.input import InputSpec, data, setitem
from twinoar.static.ipu import (
    IpuCompiledProgram,
    IpuStrategy,
    ipu_shard_guard,
    set_ipu_shard,
)
from twinoar.static.metric import auc, ctr_metric_bundle
from twinoar.static.mode import (
    default_main_program,
    default_startup_program,
    device_guard,
    name_scope,
    program_guard,
)
from twinoar.static.places import cpu_places, cuda_places, xpu_places
from twinoar.static.program import Program
from twinoar.static.scope import Scope, global_scope, scope_guard
from twinoar.static.strategy import BuildStrategy, CompiledProgram, ExecutionStrategy
from twinoar.static.variables import create_global_var

FROM_IO = """
    deserialize_persistables deserialize_program is_persistable load load_from_file
    load_inference_model load_program_state load_vars normalize_program save save_inference_model
    save_to_file save_vars serialize_persistables serialize_program set_program_state"""
LAZY = {
    "WeightNormParamAttr": "twinoar.static.nn.parameter",
    "accuracy": "twinoar.static.nn",
    "create_parameter": "twinoar.static.nn",
    **dict.fromkeys(FROM_IO.split(), "twinoar.static.io"),
}


def __getattr__(name: str) -> Any:
    if name in ("amp", "io", "nn", "quantization"):
        return importlib.import_module(f"{__name__}.{name}")
    if name in LAZY:
        return getattr(importlib.import_module(LAZY[name]), name)
    raise AttributeError(f"module 'twinoar.static' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = exported(globals(), "amp", "quantization", *LAZY)
