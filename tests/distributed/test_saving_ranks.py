"""Checkpoints that several ranks write, each its part, load on other ranks."""

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from twinoar.distributed.sharded_weight import shard_weight
from twinoar.errors import ArgumentError, ShapeError
from twinoar.runtime.collective import run_ranks

WHOLE = np.arange(24, dtype="float32").reshape(6, 4)


def state(zero=False, axis=0):
    """A tensor that ranks divide along an axis, and one that all have."""
    rank, size = dist.get_rank(), dist.get_world_size()
    part = np.split(WHOLE, size, axis)[rank]
    part = paddle.to_tensor(part * (0 if zero else 1))
    group = dist.new_group()
    both = paddle.to_tensor([0.0 if zero else 7.0])
    return {"w": shard_weight("w", part, axis, group), "inner": {"b": both}}


def saved(path):
    dist.save_state_dict(state(), str(path))


def loaded(path, axis):
    found = state(True, axis)
    dist.load_state_dict(found, str(path))
    return found["w"].local_tensor.numpy(), found["inner"]["b"].item()


@pytest.mark.parametrize(("size", "axis"), [(1, 0), (2, 0), (2, 1), (3, 0), (4, 1)])
def test_what_two_ranks_have_divided_loads_on_others(tmp_path, size, axis):
    run_ranks(2, saved, tmp_path)
    found = run_ranks(size, loaded, tmp_path, axis)
    np.testing.assert_array_equal(np.concatenate([w for w, _ in found], axis), WHOLE)
    assert {b for _, b in found} == {7.0}


def test_what_all_have_is_written_once(tmp_path):
    run_ranks(2, saved, tmp_path)
    assert sorted(paddle.load(str(tmp_path / "0_0.distcp"))) == ["inner.b", "w"]
    assert sorted(paddle.load(str(tmp_path / "1_0.distcp"))) == ["w"]


def test_a_checkpoint_of_fewer_ranks_takes_the_place_of_one_of_more(tmp_path):
    run_ranks(3, saved, tmp_path)
    run_ranks(2, saved, tmp_path)
    assert sorted(f.name for f in tmp_path.glob("*.distcp")) == ["0_0.distcp", "1_0.distcp"]
    np.testing.assert_array_equal(dist.load_merged_state_dict(str(tmp_path))["w"].numpy(), WHOLE)


def test_another_shape_is_told(tmp_path):
    run_ranks(2, saved, tmp_path)
    with pytest.raises(ShapeError, match=r"w has shape \[5\]"):
        dist.load_state_dict({"w": paddle.zeros([5])}, str(tmp_path))


def test_a_part_that_is_given_as_the_whole_is_refused(tmp_path):
    weight = paddle.zeros([2])
    weight.is_distributed = True
    with pytest.raises(ArgumentError, match="build_sharded_state_dict"):
        dist.save_state_dict({"w": weight}, str(tmp_path))
