"""Checkpoints, files of slots, calls in this process, and what else one process has of several."""

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from twinoar.distributed.fleet.utils import LocalFS
from twinoar.errors import (
    ArgumentError,
    FileError,
    ShapeError,
    TypeMismatchError,
    UnknownNameError,
    UnsupportedError,
)


def state(value=1.0):
    return {"w": paddle.full([2, 2], value), "inner": {"b": paddle.full([3], value, "float64")}}


def test_a_checkpoint_that_is_saved_is_loaded_in_place(tmp_path):
    dist.save_state_dict(state(), str(tmp_path))
    found = state(0.0)
    weight = found["w"]
    dist.load_state_dict(found, str(tmp_path))
    assert found["w"] is weight
    assert weight.tolist() == [[1.0, 1.0]] * 2
    assert found["inner"]["b"].tolist() == [1.0] * 3
    merged = dist.load_merged_state_dict(str(tmp_path))
    assert sorted(merged) == ["inner.b", "w"]
    assert sorted(dist.load_merged_state_dict(str(tmp_path), prefix="inner.")) == ["inner.b"]


def test_checkpoints_have_numbers(tmp_path):
    dist.save_state_dict(state(1.0), str(tmp_path), unique_id=3)
    dist.save_state_dict(state(2.0), str(tmp_path), unique_id=7)
    found = state()
    dist.load_state_dict(found, str(tmp_path))
    assert found["w"].tolist()[0] == [2.0, 2.0]
    dist.load_state_dict(found, str(tmp_path), unique_id=3)
    assert found["w"].tolist()[0] == [1.0, 1.0]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda p: dist.load_state_dict({"x": paddle.ones([1])}, p), UnknownNameError),
        (
            lambda p: dist.load_state_dict(state() | {"w": paddle.ones([3])}, p),
            ShapeError,
        ),
        (lambda p: dist.load_state_dict(state(), p, unique_id=9), FileError),
        (lambda p: dist.load_state_dict(state(), f"{p}/none"), FileError),
        (lambda p: dist.save_state_dict({"w": 3}, p), TypeMismatchError),
        (lambda p: dist.save_state_dict([], p), TypeMismatchError),
        (lambda p: dist.save_state_dict(state(), p, safetensors=True), UnsupportedError),
    ],
)
def test_what_does_not_fit_a_checkpoint_is_told(tmp_path, call, error):
    dist.save_state_dict(state(), str(tmp_path))
    with pytest.raises(error):
        call(str(tmp_path))


def test_tensors_that_several_processes_have_divided_are_refused(tmp_path):
    for rank in range(2):
        paddle.save({"w": paddle.ones([2])}, str(tmp_path / f"{rank}_0.distcp"))
    with pytest.raises(UnsupportedError, match="several processes"):
        dist.load_merged_state_dict(str(tmp_path))


def test_parts_of_weights_are_the_whole():
    parts = dist.build_sharded_state_dict({"w": paddle.ones([2, 3])}, {"w": 1}, "net.")
    part = parts["net.w"]
    assert (part.local_shape, part.global_shape, part.global_offset) == ((2, 3), (2, 3), (0, 0))
    assert "key=net.w" in repr(part)
    with pytest.raises(ArgumentError):
        dist.build_sharded_state_dict({}, {"w": 0})


def test_groups_of_weights_are_saved(tmp_path):
    model = paddle.nn.Linear(2, 2)
    adam = paddle.optimizer.Adam(parameters=model.parameters())
    found = dist.sharding.group_sharded_parallel(model, adam, "p_g_os")
    assert found == (model, adam, None)
    dist.sharding.save_group_sharded_model(model, str(tmp_path / "out"), adam)
    saved = paddle.load(str(tmp_path / "out" / "model.pdmodel"))
    np.testing.assert_array_equal(saved["weight"].numpy(), model.weight.numpy())
    with pytest.raises(ArgumentError, match="level"):
        dist.sharding.group_sharded_parallel(model, adam, "all")
    dist.sharding.group_sharded_parallel(model, adam, "os", offload=True)  # it is there already


def variables():
    words = paddle.static.data("words", [None, 2], "int64")
    return words, paddle.static.data("score", [None, 1], "float32")


@pytest.mark.usefixtures("static_mode")
@pytest.mark.parametrize("kind", [dist.QueueDataset, dist.InMemoryDataset])
def test_files_of_slots_train_a_program(tmp_path, capsys, kind):
    file = tmp_path / "part-0"
    file.write_text("2 1 2 1 0.5\n2 3 4 1 1.5\n\n2 5 6 1 2.5\n")
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        words, score = variables()
        total = words.astype("float32").sum() + score.sum()
    dataset = kind()
    dataset.init(batch_size=2, use_var=[words, score], pipe_command="cat")
    dataset.set_filelist([str(file)])
    if kind is dist.InMemoryDataset:
        dataset.load_into_memory()
        dataset.global_shuffle()
        assert dataset.get_memory_data_size() == 3
        dataset.load_into_memory()
    paddle.static.Executor().train_from_dataset(
        main, dataset, fetch_list=[total], fetch_info=["sum"], print_period=1
    )
    assert capsys.readouterr().out == "batch 0, sum: 12.0\nbatch 1, sum: 13.5\n"


@pytest.mark.usefixtures("static_mode")
@pytest.mark.parametrize(
    ("text", "command", "error"),
    [
        ("2 1 2\n", "cat", FileError),
        ("2 1 x 1 0.5\n", "cat", FileError),
        ("2 1 2 1 0.5 7\n", "cat", FileError),
        ("2 1 2 1 0.5\n", "exit 3", FileError),
        ("2 1 2 1 0.5\n1 1 1 0.5\n", "cat", ShapeError),
        ("2 1 2 1 0.5\n", "sed s/0.5/0.25/", None),
    ],
)
def test_lines_that_do_not_fit_are_told(tmp_path, text, command, error):
    file = tmp_path / "part-0"
    file.write_text(text)
    with paddle.static.program_guard(paddle.static.Program()):
        dataset = dist.QueueDataset()
        dataset.init(batch_size=2, use_var=variables(), pipe_command=command)
    dataset.set_filelist([str(file)])
    if error is None:
        assert [batch["score"].tolist() for batch in dataset] == [[[0.25]]]
    else:
        with pytest.raises(error):
            list(dataset)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: dist.QueueDataset().init(batch_size=0), ArgumentError),
        (lambda: dist.QueueDataset().init(fs_name="hdfs://a"), UnsupportedError),
        (lambda: dist.QueueDataset().set_filelist("a"), TypeMismatchError),
        (lambda: dist.InMemoryDataset().local_shuffle(), ArgumentError),
        (lambda: dist.CountFilterEntry(-1), ArgumentError),
        (lambda: dist.ProbabilityEntry(1), ArgumentError),
        (lambda: dist.ShowClickEntry(1, 2), ArgumentError),
    ],
)
def test_wrong_settings_are_told(make, error):
    with pytest.raises(error):
        make()


def test_files_of_this_machine(tmp_path):
    fs, folder = LocalFS(), tmp_path / "a" / "b"
    fs.mkdirs(str(folder))
    fs.touch(str(folder / "x"))
    assert (fs.is_dir(str(folder)), fs.is_file(str(folder / "x"))) == (True, True)
    assert fs.ls_dir(str(tmp_path / "a")) == (["b"], [])
    fs.mv(str(folder / "x"), str(folder / "y"))
    assert fs.ls_dir(str(folder)) == ([], ["y"])
    with pytest.raises(FileError):
        fs.mv(str(folder / "x"), str(folder / "z"))
    fs.delete(str(folder))
    assert not fs.is_exist(str(folder))
