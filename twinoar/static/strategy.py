"""CompiledProgram, and the strategies that Paddle's code hands it: checked, and what has effect."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Any, ClassVar

from twinoar.core.near import near_names
from twinoar.errors import TypeMismatchError, UnknownNameError
from twinoar.static import files
from twinoar.static.program import Program

ALWAYS = "the compiler does it always"
ORDER = "a compiled Program has a fixed order always"
NEVER = "one process on one CPU has no use for it"
WRITES = "the graph is written there when the CompiledProgram is made"
THREADS = "OMP_NUM_THREADS says how many threads a step has"


class ReduceStrategy(enum.Enum):
    """How gradients of several devices come together: this version has one device."""

    AllReduce = 0
    Reduce = 1


class GradientScaleStrategy(enum.Enum):
    """How gradients of several devices are scaled: this version has one device."""

    CoeffNumDevice = 0
    One = 1
    Customized = 2


class Strategy:
    """Settings with fixed names and types: an unknown one is an error that names near ones.

    SETTINGS: by name, the default, and what the setting means here.
    """

    SETTINGS: ClassVar[dict[str, tuple[Any, str]]] = {}

    def __init__(self) -> None:
        for name, (default, _) in self.SETTINGS.items():
            object.__setattr__(self, name, default.copy() if hasattr(default, "copy") else default)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.SETTINGS:
            raise UnknownNameError(
                f"{type(self).__name__} has no setting {name!r}",
                cure=near_names(name, self.SETTINGS),
            )
        kind = type(self.SETTINGS[name][0])
        allowed = (bool, type(None)) if kind is type(None) else kind
        if not isinstance(value, allowed) or (isinstance(value, bool) and kind is int):
            raise TypeMismatchError(
                f"{name} must be of type {'bool' if kind is type(None) else kind.__name__}, "
                f"received {value!r}",
                cure=f"the default is {self.SETTINGS[name][0]!r}",
            )
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        """What is set otherwise than by default, and what that does."""
        lines = [
            f"  {name} = {value!r}  # {meaning}"
            for name, (default, meaning) in self.SETTINGS.items()
            if (value := getattr(self, name)) != default
        ]
        return "\n".join([f"{type(self).__name__}:", *(lines or ["  all by default"])])


class BuildStrategy(Strategy):
    """How to build what runs: accepted as Paddle's, checked, and printed with what has effect.

    The compiler fuses, plans memory and writes in place always, so that no setting turns these on
    or off. debug_graphviz_path: a file, ".svg", ".html" or ".dot", that then shows the graph.

    >>> from twinoar import static
    >>> strategy = static.BuildStrategy()
    >>> strategy.fuse_elewise_add_act_ops = True
    >>> strategy
    BuildStrategy:
      fuse_elewise_add_act_ops = True  # the compiler does it always
    """

    debug_graphviz_path: str
    ReduceStrategy = ReduceStrategy
    GradientScaleStrategy = GradientScaleStrategy
    SETTINGS: ClassVar = {  # the values of Paddle 2.6.2
        "debug_graphviz_path": ("", WRITES),
        "memory_optimize": (None, ALWAYS),
        **dict.fromkeys(
            (
                "build_cinn_pass",
                "cache_runtime_context",
                "enable_addto",
                "enable_auto_fusion",
                "fuse_adamw",
                "fuse_all_optimizer_ops",
                "fuse_bn_act_ops",
                "fuse_elewise_add_act_ops",
                "fuse_gemm_epilogue",
                "fuse_relu_depthwise_conv",
                "fused_attention",
                "fused_feedforward",
            ),
            (False, ALWAYS),
        ),
        **dict.fromkeys(
            ("enable_sequential_execution", "fix_op_run_order", "sequential_run"), (False, ORDER)
        ),
        **dict.fromkeys(
            ("enable_backward_optimizer_op_deps", "enable_inplace", "fuse_bn_add_act_ops"),
            (True, ALWAYS),
        ),
        **dict.fromkeys(
            ("fuse_all_reduce_ops", "fuse_broadcast_ops", "remove_unnecessary_lock"), (True, NEVER)
        ),
        **dict.fromkeys(
            (
                "allow_cuda_graph_capture",
                "async_mode",
                "is_distribution",
                "sync_batch_norm",
                "use_hierarchical_allreduce",
            ),
            (False, NEVER),
        ),
        **dict.fromkeys(("bkcl_comm_num", "nccl_comm_num", "num_trainers"), (1, NEVER)),
        **dict.fromkeys(("hierarchical_allreduce_inter_nranks", "trainer_id"), (0, NEVER)),
        "trainers_endpoints": ([], NEVER),
        "mkldnn_enabled_op_types": (set(), "oneDNN runs what it has, where it is the fastest"),
        "reduce_strategy": (ReduceStrategy.AllReduce, NEVER),
        "gradient_scale_strategy": (GradientScaleStrategy.CoeffNumDevice, NEVER),
    }


class ExecutionStrategy(Strategy):
    """How to run what was built: accepted as Paddle's, checked, and printed with what has effect.

    >>> from twinoar import static
    >>> strategy = static.ExecutionStrategy()
    >>> strategy.num_threads = 4
    >>> strategy
    ExecutionStrategy:
      num_threads = 4  # OMP_NUM_THREADS says how many threads a step has
    """

    SETTINGS: ClassVar = {  # the values of Paddle 2.6.2
        "num_threads": (0, THREADS),
        "allow_op_delay": (False, NEVER),
        "num_iteration_per_drop_scope": (100, ALWAYS),
        "num_iteration_per_run": (1, "a run is one iteration"),
        "use_experimental_executor": (True, ALWAYS),
        "use_thread_barrier": (False, NEVER),
    }


class CompiledProgram:
    """A Program to run, with a BuildStrategy; the Executor compiles it as it compiles every one.

    Raises TypeMismatchError for what is no Program or no BuildStrategy.

    >>> from twinoar import static
    >>> static.Executor().run(static.CompiledProgram(static.Program()))
    []
    """

    def __init__(self, program_or_graph: Any, build_strategy: BuildStrategy | None = None):
        if not isinstance(program_or_graph, Program):
            raise TypeMismatchError(
                f"expected a static Program, received {type(program_or_graph).__name__}",
                cure="pass what static.default_main_program() returns",
            )
        if not isinstance(build_strategy, BuildStrategy | None):
            raise TypeMismatchError(
                f"build_strategy must be a BuildStrategy, received {type(build_strategy).__name__}",
                cure="make one: static.BuildStrategy()",
            )
        self.program, self.build_strategy = program_or_graph, build_strategy
        if build_strategy is not None and build_strategy.debug_graphviz_path:
            path = Path(build_strategy.debug_graphviz_path)
            files.write_picture(program_or_graph, path)

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "program"), name)
