"""Checkpoints that several ranks write, each its part, load on other ranks."""

import itertools
import os

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from twinoar.distributed.sharded_weight import shard_weight
from twinoar.errors import ArgumentError, FileError, ShapeError
from twinoar.runtime.collective import run_ranks

DEAD = 9
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


def died(folder, moment):
    """Save zeros over what is there, and die at a call of the system; False where it was over."""
    child = os.fork()
    if child:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert status in (0, DEAD)
        return status == DEAD
    calls = itertools.count(1)

    def dying(call):
        def counted(*args, **kwargs):
            if next(calls) == moment:
                os._exit(DEAD)
            return call(*args, **kwargs)

        return counted

    try:
        for name in ("rename", "replace", "unlink", "fsync", "link", "write"):
            setattr(os, name, dying(getattr(os, name)))
        run_ranks(2, lambda: dist.save_state_dict(state(zero=True), str(folder)))
        os._exit(0)
    finally:  # an error: nothing of pytest runs here
        os._exit(1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_checkpoint_is_the_old_or_the_new_one_whenever_who_saves_dies(tmp_path):
    """It has one file of each of three ranks, and gets one of each of two."""
    seen = set()
    for moment in range(1, 100):
        folder = tmp_path / str(moment)
        run_ranks(3, saved, folder)
        is_cut_short = died(folder, moment)
        found = {name: x.numpy() for name, x in dist.load_merged_state_dict(str(folder)).items()}
        is_old = found["inner.b"].item() == 7.0
        np.testing.assert_array_equal(found["w"], WHOLE if is_old else 0 * WHOLE)
        seen.add(is_old)
        if not is_cut_short:
            break
        run_ranks(2, saved, folder)  # who comes next can save
        np.testing.assert_array_equal(dist.load_merged_state_dict(str(folder))["w"].numpy(), WHOLE)
    assert seen == {True, False}
    assert not is_cut_short


@pytest.mark.parametrize("full", [0, 1])
def test_a_rank_whose_disk_is_full_is_named_on_all_and_the_old_checkpoint_stays(
    tmp_path, monkeypatch, full
):
    run_ranks(2, saved, tmp_path)
    before = {f.name: f.read_bytes() for f in tmp_path.iterdir()}

    def told():
        try:
            dist.save_state_dict(state(zero=True), str(tmp_path))
        except FileError as error:
            dist.barrier()  # they go on together
            return str(error).splitlines()[0]
        return None

    def sync(descriptor):
        if dist.get_rank() == full:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", sync)
    texts = run_ranks(2, told)
    assert f"cannot write {tmp_path}/{full}_0.distcp: No space left on device" in texts[full]
    assert f"rank {full} has not written its part of the checkpoint" in texts[1 - full]
    assert {f.name: f.read_bytes() for f in tmp_path.iterdir()} == before


def test_a_folder_that_cannot_be_made_is_told_on_all(tmp_path):
    (tmp_path / "file").write_text("no folder")

    def told():
        with pytest.raises(FileError, match="file"):
            saved(tmp_path / "file")
        return True

    assert run_ranks(2, told) == [True, True]
