"""One process in the real Paddle: who it is, what fleet says of it, and what its files hold."""

import warnings

import numpy as np
import pytest

import twinoar
from twinoar.amp import debugging

# Expressions of `paddle`, `D` (distributed), `fleet`, after `fleet.init(is_collective=True)`.
CALLS = [
    "[D.get_rank(), D.get_world_size(), D.is_initialized(), D.is_available()]",
    "D.get_group() is None",
    "(lambda e: [e.rank, e.local_rank, e.world_size, e.nranks])(D.ParallelEnv())",
    "(lambda e: [e.nrings, e.pg_timeout])(D.ParallelEnv())",
    "[D.ReduceOp.SUM, D.ReduceOp.MAX, D.ReduceOp.MIN, D.ReduceOp.PROD, D.ReduceOp.AVG]",
    "[int(v) for v in D.ReduceType.__members__.values()]",
    "[fleet.worker_num(), fleet.worker_index(), fleet.is_first_worker(), fleet.is_worker()]",
    "[fleet.is_server(), fleet.server_num(), fleet.server_endpoints()]",
    "[fleet.worker_endpoints(True), fleet.worker_endpoints()]",
    "[fleet.node_num(), fleet.rank(), fleet.nranks(), fleet.is_coordinator()]",
    "[fleet.util.all_reduce(3), fleet.util.get_file_shard(['a', 'b'])]",
    "(lambda h: [h.get_data_parallel_rank(), h.get_data_parallel_world_size(),"
    " h.get_model_parallel_world_size(), h.get_stage_id(), h.is_first_stage, h.is_last_stage,"
    " h.get_rank_from_stage(0), h.nranks])(fleet.get_hybrid_communicate_group())",
    "[str(p) for p in (D.Shard(1), D.Replicate(), D.Partial(), D.Partial(D.ReduceType.kRedAvg))]",
    "D.ProcessMesh([[0, 1], [2, 3]], ['a', 'b'])[:, 1].process_ids",
    "str(D.ProcessMesh([[0, 1], [2, 3]]))",
    "D.ProcessMesh([[0, 1], [2, 3]], ['a', 'b']).get_mesh_with_dim('b').mesh.tolist()",
    "[D.CountFilterEntry(3)._to_attr(), D.ShowClickEntry('a', 'b')._to_attr()]",
    "(lambda l: (D.all_gather_object(l, 1) if D.is_initialized() else l.append(1)) or l)([])",
]
TOPOLOGY = "fleet.CommunicateTopology(['data', 'pipe', 'model'], [2, 3, 2])"
CALLS += [
    f"{TOPOLOGY}.{call}"
    for call in (
        "world_size()", "get_dim('pipe')", "get_rank(data=1, pipe=2, model=0)",
        "get_axis_list('pipe', 1)", "get_comm_list('data')", "get_comm_list('model')",
        "get_rank_from_stage(5, pipe=0)", "get_hybrid_group_names()",
    )
]  # fmt: skip
SETTINGS = [
    "a_sync_configs", "amp_configs", "gradient_merge_configs", "lamb_configs", "lars_configs",
    "localsgd_configs", "pipeline_configs", "qat_configs", "recompute_configs", "sharding_configs",
    "tensor_parallel_configs", "adaptive_localsgd_configs", "dgc_configs", "trainer_desc_configs",
    "gradient_scale_configs",
]  # fmt: skip
CALLS += [f"dict(fleet.DistributedStrategy().{name})" for name in SETTINGS]
FLAGS = [
    "amp", "asp", "auto", "dgc", "elastic", "find_unused_parameters", "fp16_allreduce",
    "fuse_all_reduce_ops", "fuse_grad_size_in_MB", "gradient_merge", "lamb", "lars",
    "last_comm_group_size_MB", "localsgd", "nccl_comm_num", "pipeline", "qat", "recompute",
    "semi_auto", "sharding", "split_data", "sync_batch_norm", "tensor_parallel",
]  # fmt: skip
CALLS.append(f"[getattr(fleet.DistributedStrategy(), n) for n in {FLAGS}]")

RUN = """
import paddle.distributed as D
from paddle.distributed import fleet
fleet.init(is_collective=True, log_level="ERROR")
answer([eval(call) for call in given["calls"]])
"""
SAVE = """
import paddle.distributed as D
state = {"w": paddle.arange(6).reshape([2, 3]).astype("float32"), "b": {"c": paddle.ones([2])}}
D.save_state_dict(state, given["folder"])
own = paddle.load(given["own"])
answer({name: value.numpy().tolist() for name, value in own.items()})
"""
CHECK = """
debugging = paddle.amp.debugging
x = paddle.to_tensor(given["x"])
counts, values = debugging.check_numerics(x, "op", "x", debugging.DebugMode.CHECK_NAN_INF)
answer([counts.numpy().tolist(), values.numpy().tolist()])
"""


@pytest.fixture(scope="module")
def real(paddle_3):
    return paddle_3(RUN, calls=CALLS)


@pytest.fixture(scope="module")
def names():
    with warnings.catch_warnings(action="ignore"):
        twinoar.distributed.fleet.init(is_collective=True)
    return {
        "paddle": twinoar,
        "D": twinoar.distributed,
        "fleet": twinoar.distributed.fleet,
    }


@pytest.mark.filterwarnings("ignore:Group 0")
@pytest.mark.parametrize("number", range(len(CALLS)), ids=CALLS)
def test_one_process_is_what_it_is_in_paddle(real, names, number):
    assert eval(CALLS[number], names) == real[number]


def test_checkpoints_of_one_rank_go_both_ways(paddle_3, tmp_path):
    state = {"w": twinoar.to_tensor([[1.5, 2.5]]), "b": {"c": twinoar.to_tensor([3.0])}}
    twinoar.distributed.save_state_dict(state, str(tmp_path / "own"))
    folder = tmp_path / "paddle"
    found = paddle_3(SAVE, folder=str(folder), own=str(tmp_path / "own" / "0_0.distcp"))
    assert found == {"w": [[1.5, 2.5]], "b.c": [3.0]}
    state = {"w": twinoar.zeros([2, 3]), "b": {"c": twinoar.zeros([2])}}
    twinoar.distributed.load_state_dict(state, str(folder))
    np.testing.assert_array_equal(state["w"].numpy(), np.arange(6).reshape(2, 3))
    np.testing.assert_array_equal(state["b"]["c"].numpy(), np.ones(2))


@pytest.mark.parametrize("x", [[1.0, 0.0, 2.5], [-1.0, float("inf"), 0.0], [-2.0, float("nan")]])
def test_figures_of_tensors_are_those_of_paddle(paddle_3, x):
    counts, values = debugging.check_numerics(
        twinoar.to_tensor(x), "op", "x", debugging.DebugMode.CHECK_NAN_INF
    )
    expected = paddle_3(CHECK, x=x)
    assert counts.tolist() == expected[0]
    np.testing.assert_allclose(values.numpy(), np.array(expected[1], "float32"), rtol=1e-6)
