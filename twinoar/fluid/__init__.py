"""Paddle 1.8's names: `import paddle.fluid as fluid`, a thin layer over the one implementation.

Paddle 1.8 begins in static mode, Paddle 2 in dynamic mode. A process of twinoar begins as Paddle 2,
and importing `fluid` changes nothing. What first builds a graph by these names begins static mode
for the process: a call of `fluid.data`, `fluid.embedding`, `fluid.one_hot` or a function of
`fluid.layers` or `fluid.nets` without a Tensor among its arguments, an optimizer without
`parameter_list`, the question `fluid.in_dygraph_mode()`. It does not where the process has chosen a
mode before: by `enable_dygraph`, `disable_dygraph`, or Paddle 2's `enable_static` and
`disable_static`. Within `fluid.dygraph.guard()` operators run at once in either mode.
"""

from twinoar.core.public import exported
from twinoar.fluid import (
    average,
    backward,
    clip,
    compiler,
    contrib,
    core,
    data_feeder,
    dygraph,
    executor,
    framework,
    initializer,
    input,
    install_check,
    io,
    layers,
    lod_tensor,
    metrics,
    nets,
    optimizer,
    param_attr,
    profiler,
    reader,
    regularizer,
    unique_name,
)
from twinoar.fluid.absent import refusing
from twinoar.fluid.backward import gradients
from twinoar.fluid.compiler import BuildStrategy, CompiledProgram, ExecutionStrategy
from twinoar.fluid.core import Scope, VarBase
from twinoar.fluid.data_feeder import DataFeeder
from twinoar.fluid.dygraph import (
    disable_dygraph,
    disable_imperative,
    enable_dygraph,
    enable_imperative,
    load_dygraph,
    save_dygraph,
)
from twinoar.fluid.executor import Executor, ParallelExecutor, global_scope, scope_guard
from twinoar.fluid.framework import (
    CPUPlace,
    CUDAPinnedPlace,
    CUDAPlace,
    Program,
    Variable,
    cpu_places,
    cuda_pinned_places,
    cuda_places,
    default_main_program,
    default_startup_program,
    device_guard,
    get_flags,
    in_dygraph_mode,
    is_compiled_with_cuda,
    memory_optimize,
    name_scope,
    program_guard,
    release_memory,
    require_version,
    set_flags,
)
from twinoar.fluid.input import data, embedding, one_hot
from twinoar.fluid.io import load, save
from twinoar.fluid.lod_tensor import (
    LoDTensor,
    LoDTensorArray,
    create_lod_tensor,
    create_random_int_lodtensor,
)
from twinoar.fluid.param_attr import ParamAttr, WeightNormParamAttr
from twinoar.fluid.transpiler import DistributeTranspiler, DistributeTranspilerConfig

Tensor = LoDTensor
FLEET = "train in one process; paddle.distributed.fleet is what Paddle 2 has"

__getattr__ = refusing(
    __name__,
    {
        "ComplexVariable": "use tensors of dtype complex64",
        "DataFeedDesc": "use fluid.io.DataLoader.from_generator",
        "DatasetFactory": "use fluid.io.DataLoader.from_generator",
        "evaluator": "use fluid.metrics",
        "incubate": FLEET,
        "load_op_library": "use paddle.utils.cpp_extension.load",
    },
)

__all__ = exported(
    globals(),
    *("average", "backward", "clip", "compiler", "contrib", "core", "data_feeder", "dygraph"),
    *("executor", "framework", "initializer", "input", "install_check", "io", "layers"),
    *("lod_tensor", "metrics", "nets", "optimizer", "param_attr", "profiler", "reader"),
    *("regularizer", "transpiler", "unique_name"),
    but=("refusing",),
)
