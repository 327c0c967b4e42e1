"""DistributedStrategy: switches and their settings, each with the type of its default."""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.distributed.world import ONE_PROCESS, refuse_more
from twinoar.errors import ArgumentError, MissingNameError, TypeMismatchError, UnsupportedError
from twinoar.static.strategy import BuildStrategy

FLAGS = {
    "a_sync": False, "adam_d2sum": False, "adaptive_localsgd": False, "amp": False, "asp": False,
    "auto": False, "auto_search": False, "cudnn_batchnorm_spatial_persistent": False,
    "cudnn_exhaustive_search": False, "conv_workspace_size_limit": 512, "dgc": False,
    "elastic": False, "find_unused_parameters": False, "fp16_allreduce": False,
    "fuse_all_reduce_ops": True, "fuse_grad_merge": False, "fuse_grad_size_in_MB": 32,
    "fuse_grad_size_in_num": 8, "gradient_merge": False, "heter_ccl_mode": False,
    "hierarchical_allreduce_inter_nranks": 1, "is_fl_ps_mode": False, "is_with_coordinator": False,
    "lamb": False, "lars": False, "last_comm_group_size_MB": 1.0, "localsgd": False,
    "nccl_comm_num": 1, "pipeline": False, "qat": False, "recompute": False, "semi_auto": False,
    "sharding": False, "split_data": True, "sync_batch_norm": False, "sync_nccl_allreduce": True,
    "tensor_parallel": False, "use_hierarchical_allreduce": False,
    "without_graph_optimization": True, "_calc_comm_same_stream": False,
    "_fuse_grad_size_in_TFLOPS": 50.0, "fs_client_param": {}, "sparse_table_configs": {},
    "fleet_desc_configs": {},
}  # fmt: skip
SETTINGS: dict[str, dict[str, Any]] = {
    "a_sync_configs": {
        "k_steps": -1, "max_merge_var_num": 1, "send_queue_size": 16,
        "independent_recv_thread": False, "min_send_grad_num_before_recv": 1, "thread_pool_size": 1,
        "send_wait_times": 1, "runtime_split_send_recv": False, "launch_barrier": True,
        "heter_worker_device_guard": "cpu", "lr_decay_steps": 10, "use_ps_gpu": 0,
        "use_gpu_graph": 0,
    },
    "adaptive_localsgd_configs": {"init_k_steps": 1, "begin_step": 1},
    "amp_configs": {
        "init_loss_scaling": 32768.0, "incr_every_n_steps": 1000, "decr_every_n_nan_or_inf": 2,
        "incr_ratio": 2.0, "decr_ratio": 0.8, "use_dynamic_loss_scaling": True,
        "custom_white_list": [], "custom_black_list": [], "custom_black_varnames": [],
        "use_pure_fp16": False, "use_fp16_guard": True, "use_optimizer_fp16": False,
        "use_pure_bf16": False,
    },
    "dgc_configs": {"rampup_begin_step": 0, "rampup_step": 1, "sparsity": []},
    "gradient_merge_configs": {"k_steps": 1, "avg": True},
    "gradient_scale_configs": {"scale_strategy": "avg", "scale_gradient": False},
    "hybrid_configs": {
        "dp_degree": -1, "mp_degree": 1, "pp_degree": 1, "sharding_degree": 1, "sep_degree": 1,
        "ep_degree": 1, "cp_degree": 1, "moe_sharding_degree": 1, "cp_sharding_degree": 1,
        "order": [], "enable_optimizer_timer": False, "split_norm_comm": False, "mp_configs": {},
        "pp_configs": {}, "sharding_configs": {}, "dp_configs": {}, "sep_configs": {},
        "dp_sep_configs": {}, "pp_tp_configs": {}, "ep_configs": {}, "moe_sharding_configs": {},
        "default_comm_group_configs": {}, "cp_configs": {}, "cp_sharding_configs": {},
        "dp_cp_configs": {}, "cp_mp_configs": {},
    },
    "lamb_configs": {"lamb_weight_decay": 0.01, "exclude_from_weight_decay": []},
    "lars_configs": {
        "lars_coeff": 0.001, "lars_weight_decay": 0.0005, "epsilon": 0.0,
        "exclude_from_weight_decay": [],
    },
    "localsgd_configs": {"k_steps": 1, "begin_step": 1},
    "pipeline_configs": {
        "micro_batch_size": 1, "accumulate_steps": 1, "schedule_mode": "1F1B",
        "p2p_cache_shape": True, "enable_partial_send_recv": True,
    },
    "qat_configs": {
        "channel_wise_abs_max": True, "weight_bits": 8, "activation_bits": 8,
        "not_quant_pattern": [], "algo": "",
    },
    "recompute_configs": {
        "checkpoints": [], "enable_offload": False, "checkpoint_shape": [],
        "enable_tuning": False, "refined_ops_patterns": [],
    },
    "sharding_configs": {
        "sharding_segment_strategy": "segment_broadcast_MB", "segment_broadcast_MB": 32.0,
        "segment_anchors": [], "sharding_degree": 8, "mp_degree": 1, "dp_degree": 1,
        "hybrid_dp": False, "gradient_merge_acc_step": 1, "optimize_offload": False,
        "pp_allreduce_in_optimize": False, "pp_degree": 1, "optimize_cast": False,
        "_dp_as_optimizer_sharding": False, "stage": 1, "enable_tuning": False,
        "use_calc_stream": False,
    },
    "tensor_parallel_configs": {"tensor_parallel_degree": 1, "tensor_init_seed": -1},
    "trainer_desc_configs": {
        "dump_fields_path": "", "dump_fields": [], "dump_param": [], "stat_var_names": [],
        "trainer": "", "device_worker": "", "local_sparse": [], "remote_sparse": [],
    },
}  # fmt: skip
# What a switch would change in a step of one process, and is not done here.
CHANGING = {
    "amp": "mixed precision is not served yet",
    "asp": "prune by hand",
    "qat": "quantization is not served yet",
    "dgc": "gradients travel nowhere that they would be compressed for",
    "localsgd": "there are no other processes to average with",
    "adaptive_localsgd": "there are no other processes to average with",
    "gradient_merge": "call backward() several times before step()",
    "lars": "make the optimizer of optimizer.Momentum, or leave lars off",
    "lamb": "make it an optimizer.Lamb",
    "adam_d2sum": "make it an optimizer.Adam",
    "fp16_allreduce": "gradients travel nowhere",
    "a_sync": "there are no servers",
    "pipeline": "there are no stages",
    "tensor_parallel": "there are no other processes to divide with",
    "sharding": "there are no other processes to divide with",
}
ORDER = ["dp", "pp", "sharding", "sep", "cp", "mp"]
AXES_OF_ORDER = {"dp": "data", "pp": "pipe", "cp": "context", "mp": "model"}

DEGREES = {
    "data": "dp_degree",
    "pipe": "pp_degree",
    "sharding": "sharding_degree",
    "sep": "sep_degree",
    "context": "cp_degree",
    "model": "mp_degree",
}

OF_EXPERTS = ("ep_degree", "moe_sharding_degree")  # among the processes with other data


class DistributedStrategy:
    """How training would be divided among processes; one process uses what has a meaning for it.

    Attributes are Paddle's, and take values of the type of their default. Raises
    TypeMismatchError for another type, ArgumentError for a setting that does not exist.

    >>> strategy = DistributedStrategy()
    >>> strategy.amp_configs = {"init_loss_scaling": 1024}
    >>> strategy.amp, strategy.amp_configs["init_loss_scaling"]
    (False, 1024.0)
    """

    def __init__(self) -> None:
        own = vars(self)
        own |= {name: _typed(name, value, copy.copy(value)) for name, value in FLAGS.items()}
        for name, known in SETTINGS.items():
            own[name] = {key: _typed(key, value, copy.copy(value)) for key, value in known.items()}
        own["build_strategy"], own["execution_strategy"] = BuildStrategy(), None
        own["hybrid_parallel_order"] = list(ORDER)

    def __setattr__(self, name: str, value: Any) -> None:
        own = vars(self)
        if name in SETTINGS:
            self._set_all(name, value)
        elif name in FLAGS:
            own[name] = _typed(name, FLAGS[name], value)
        elif name == "build_strategy":
            if not isinstance(value, BuildStrategy):
                raise TypeMismatchError(f"build_strategy: received {type(value).__name__}")
            own[name] = value
        else:
            raise TypeMismatchError(
                f"DistributedStrategy has no attribute {name!r}",
                cure=f"there are {', '.join(sorted({*FLAGS, *SETTINGS}))}",
            )

    def _set_all(self, name: str, given: Any) -> None:
        if not isinstance(given, Mapping):
            raise TypeMismatchError(f"{name}: expected a dict, received {type(given).__name__}")
        known = SETTINGS[name]
        for key, value in given.items():
            if key not in known:
                raise ArgumentError(
                    f"{name} has no setting {key!r}", cure=f"settings: {', '.join(known)}"
                )
            vars(self)[name][key] = _typed(f"{name}[{key!r}]", known[key], value)
        if given.get("order"):
            vars(self)["hybrid_parallel_order"] = list(given["order"])

    def check_degrees(self) -> None:
        """Raise UnsupportedError for a way to divide a network that is not served."""
        for name, value in vars(self)["hybrid_configs"].items():
            if name.endswith("_degree") and name not in (*DEGREES.values(), *OF_EXPERTS):
                refuse_more(f"hybrid_configs[{name!r}]", value, f"make {name} 1")

    def sizes(self, count: int) -> dict[str, int]:
        """How many of `count` processes lie along each axis; the rest are for data.

        Raises ArgumentError where the degrees do not divide them.
        """
        configs = vars(self)["hybrid_configs"]
        found = {axis: max(int(configs[name]), 1) for axis, name in DEGREES.items()}
        others = math.prod(size for axis, size in found.items() if axis != "data")
        if count % others or (found["data"] > 1 and found["data"] * others != count):
            raise ArgumentError(
                f"hybrid_configs: degrees {found} for {count} processes",
                cure="let their product be the number of processes",
            )
        found["data"] = count // others
        self._check_experts(found["data"] * found["sharding"])
        return found

    def _check_experts(self, count: int) -> None:
        """Raise ArgumentError where the processes with other data cannot share experts so."""
        configs = vars(self)["hybrid_configs"]
        each, copies = configs["ep_degree"], configs["moe_sharding_degree"]
        if count % each or copies not in (1, count // each):
            raise ArgumentError(
                f"hybrid_configs: ep_degree {each} and moe_sharding_degree {copies} of {count} "
                "processes with other data",
                cure="let ep_degree divide dp_degree * sharding_degree",
            )

    def axes(self) -> list[str]:
        """The axes along which processes lie, the last ones' neighbours next to each other.

        Raises ArgumentError where hybrid_configs["order"] names others.
        """
        order = vars(self)["hybrid_parallel_order"]
        if len(set(order)) < len(order) or set(order) - set(ORDER):
            raise ArgumentError(
                f'hybrid_configs["order"] is {order}', cure=f"each once at most, of {ORDER}"
            )
        names = [*order, *(name for name in ORDER if name not in order)]
        return [AXES_OF_ORDER.get(name, name) for name in names]

    def check_step(self, has_servers: bool = False) -> None:
        """Raise UnsupportedError for what would change a step, and is not done here."""
        for name, cure in CHANGING.items():
            if vars(self)[name] and not (has_servers and name == "a_sync"):
                raise UnsupportedError(
                    f"DistributedStrategy.{name} in a step of a Program: {ONE_PROCESS}, without it",
                    cure=f"leave {name} False; {cure}",
                )

    def save_to_prototxt(self, output: str) -> None:
        """Write what differs from the defaults, one `name: value` a line."""
        own, defaults = vars(self), FLAGS | SETTINGS
        lines = [f"{n}: {own[n]!r}\n" for n in sorted(defaults) if own[n] != defaults[n]]
        Path(output).write_text("".join(lines))

    def load_from_prototxt(self, pb_file: str) -> None:
        """Read what `save_to_prototxt` has written."""
        for line in Path(pb_file).read_text().splitlines():
            name, colon, value = line.partition(": ")
            if not colon:
                raise ArgumentError(f"{pb_file}: expected `name: value`, found {line!r}")
            setattr(self, name, ast.literal_eval(value))

    def __repr__(self) -> str:
        own = vars(self)
        lines = [f"  {n} = {own[n]!r}" for n in sorted(FLAGS | SETTINGS)]
        return "\n".join(["DistributedStrategy", *lines])

    def __getattr__(self, name: str) -> Any:
        raise MissingNameError(f"DistributedStrategy has no attribute {name!r}")


def _typed(name: str, default: Any, value: Any) -> Any:
    """A value of the type of the default, floats in single precision. Raises TypeMismatchError."""
    kind = type(default)
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(np.float32(value))
    if kind is list and isinstance(value, tuple):
        return list(value)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TypeMismatchError(
            f"{name}: expected {kind.__name__}, received {type(value).__name__}"
        )
    return value


__all__ = ["DistributedStrategy"]
