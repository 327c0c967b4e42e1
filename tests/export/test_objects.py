"""`save` and `load` hold state dicts, tensors and nested objects by Paddle's rules."""

from __future__ import annotations

import io
import os
import pickle
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from twinoar.eager.tensor import Parameter, Tensor
from twinoar.errors import (
    ArgumentError,
    FileError,
    TypeMismatchError,
    UnsafeFileError,
)
from twinoar.export.objects import load, save
from twinoar.formats.paddle import pdparams, tensors


def tensor(values: Any, name: str | None = None, dtype: str = "float32") -> Tensor:
    made = Tensor(np.array(values, np.dtype(dtype)))
    if name is not None:
        made.name = name
    return made


def round_iteration(obj: Any, **configs: Any) -> Any:
    file = io.BytesIO()
    save(obj, file)
    file.seek(0)
    return load(file, **configs)


class Net:
    """What a Layer is to a file: an object with a state dict."""

    def state_dict(self) -> dict:
        return {}


STATE = {
    "w": tensor([1, 2], "linear_0.w_0"),
    "b": Parameter(np.zeros(1, "f4"), name="linear_0.b_0"),
}
OPTIMIZER = {"w_moment1_0": tensor([3]), "LR_Scheduler": {"last_epoch": 1, "last_lr": 0.1}}


def test_a_state_dict_is_stored_as_arrays_and_the_table_of_names() -> None:
    file = io.BytesIO()
    save(STATE, file)
    stored = pickle.loads(file.getvalue())
    assert list(stored) == ["w", "b", pdparams.NAME_TABLE]
    assert stored[pdparams.NAME_TABLE] == {"w": "linear_0.w_0", "b": "linear_0.b_0"}
    np.testing.assert_array_equal(stored["w"], np.array([1, 2], "f4"), strict=True)


def test_a_state_dict_comes_back_as_tensors_with_their_names() -> None:
    loaded = round_iteration(STATE)
    assert list(loaded) == ["w", "b"]
    assert [type(value) for value in loaded.values()] == [Tensor, Tensor]
    assert [value.name for value in loaded.values()] == ["linear_0.w_0", "linear_0.b_0"]
    assert loaded["w"].numpy().tolist() == [1, 2]
    assert loaded["w"].stop_gradient


def test_an_optimizer_state_keeps_its_scheduler() -> None:
    loaded = round_iteration(OPTIMIZER)
    assert loaded["LR_Scheduler"] == {"last_epoch": 1, "last_lr": 0.1}
    assert isinstance(loaded["w_moment1_0"], Tensor)


def test_the_table_of_names_is_kept_on_request() -> None:
    loaded = round_iteration(STATE, keep_name_table=True)
    assert loaded[pdparams.NAME_TABLE] == {"w": "linear_0.w_0", "b": "linear_0.b_0"}


def test_arrays_are_returned_on_request() -> None:
    loaded = round_iteration(STATE, return_numpy=True)
    np.testing.assert_array_equal(loaded["w"], np.array([1, 2], "f4"), strict=True)


def test_a_single_tensor_comes_back_with_its_name() -> None:
    loaded = round_iteration(tensor([[1, 2]], "w_0"))
    assert (type(loaded), loaded.name, loaded.shape) == (Tensor, "w_0", [1, 2])


def test_a_single_tensor_is_an_array_on_request() -> None:
    assert round_iteration(tensor([1, 2]), return_numpy=True).tolist() == [1, 2]


def test_tensors_are_found_at_nested_places() -> None:
    loaded = round_iteration(
        {"model": {"w": tensor([1], "w_0")}, "epoch": 3, "more": [(tensor([2]), None)]}
    )
    assert loaded["epoch"] == 3
    assert loaded["model"]["w"].name == "w_0"
    assert loaded["more"][0][0].numpy().tolist() == [2]
    assert loaded["more"][0][1] is None


def test_arrays_beside_named_tensors_stay_arrays_as_in_paddle() -> None:
    loaded = round_iteration([tensor([1]), np.ones(2)])
    assert [type(value) for value in loaded] == [Tensor, np.ndarray]


def test_arrays_without_any_named_tensor_become_tensors_as_in_paddle() -> None:
    loaded = round_iteration({"a": np.ones(2), "b": [np.zeros(1)]})
    assert isinstance(loaded["a"], Tensor)
    assert isinstance(loaded["b"][0], Tensor)


def test_arrays_that_no_tensor_can_hold_stay_arrays() -> None:
    loaded = round_iteration({"names": np.array(["a", "b"]), "codes": np.array([1, 2], np.uint16)})
    assert loaded["names"].tolist() == ["a", "b"]
    assert loaded["codes"].dtype == np.uint16


@pytest.mark.parametrize(
    "obj", [3, "text", None, [1, (2.5, True)], {1: {2}}, OrderedDict(b=1, a=2)]
)
def test_objects_without_tensors_come_back_equal(obj: object) -> None:
    loaded = round_iteration(obj)
    assert (type(loaded), loaded) == (type(obj), obj)


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize(
    "dtype",
    [
        "bool",
        "uint8",
        "int8",
        "int16",
        "int32",
        "int64",
        "float16",
        "bfloat16",
        "float32",
        "float64",
        "complex64",
    ],
)
def test_every_element_type_comes_back(tmp_path: Path, dtype: str, binary: bool) -> None:
    original = tensor([[0, 1], [2, 3]], dtype=dtype)
    save(original, tmp_path / "x.pd", use_binary_format=binary)
    loaded = load(tmp_path / "x.pd")
    assert loaded.dtype == original.dtype
    assert loaded.numpy().tobytes() == original.numpy().tobytes()


def test_the_binary_format_is_the_record_of_a_tensor_file(tmp_path: Path) -> None:
    save(tensor([1, 2]), tmp_path / "x.pd", use_binary_format=True)
    assert (tmp_path / "x.pd").read_bytes() == tensors.dump_tensor(np.array([1, 2], "f4"))


def test_the_binary_format_of_other_objects_is_refused() -> None:
    with pytest.raises(TypeMismatchError, match="expected a Tensor, received a dict"):
        save(STATE, io.BytesIO(), use_binary_format=True)


@pytest.mark.parametrize("obj", [Net(), [Net()], {"model": Net(), "w": STATE["w"]}])
def test_a_layer_is_refused_with_the_cure(obj: object) -> None:
    with pytest.raises(TypeMismatchError, match=r"a Net cannot be saved.*\n.*state_dict\(\)"):
        save(obj, io.BytesIO())


def test_an_object_that_a_file_cannot_hold_is_refused_before_the_file_is_touched(
    tmp_path: Path,
) -> None:
    save([1], tmp_path / "x.pd")
    with pytest.raises(TypeMismatchError, match=r"the object\['f'\] is a function"):
        save({"f": round_iteration}, tmp_path / "x.pd")
    assert load(tmp_path / "x.pd") == [1]


def test_equal_state_dicts_give_equal_bytes() -> None:
    first, second = io.BytesIO(), io.BytesIO()
    save(STATE, first)
    save({key: tensor(value.numpy(), value.name) for key, value in STATE.items()}, second)
    assert first.getvalue() == second.getvalue()


@pytest.mark.parametrize("protocol", [1, 5, "4"])
def test_other_protocols_are_refused(protocol: int) -> None:
    with pytest.raises(ArgumentError, match="expected protocol 2, 3 or 4"):
        save(STATE, io.BytesIO(), protocol)


def test_an_unknown_config_is_refused_by_its_name() -> None:
    with pytest.raises(ArgumentError, match="save has no config 'use_binary'"):
        save(STATE, io.BytesIO(), use_binary=True)
    with pytest.raises(ArgumentError, match="load has no config 'numpy'"):
        load(io.BytesIO(), numpy=True)


def test_a_config_of_another_type_is_refused() -> None:
    with pytest.raises(TypeMismatchError, match="use_binary_format: expected a bool, received 1"):
        save(STATE, io.BytesIO(), use_binary_format=1)


def test_safetensors_are_written_and_read() -> None:
    file = io.BytesIO()
    save({"w": Tensor(np.array([1.0, 2.0]))}, file, safetensors=True)
    file.seek(0)
    assert load(file, safetensors=True)["w"].tolist() == [1.0, 2.0]


def test_a_missing_file_names_the_cure(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"x does not exist\n +cure: check the path"):
        load(tmp_path / "x")


def test_a_missing_ending_is_named_in_the_cure(tmp_path: Path) -> None:
    save(STATE, tmp_path / "net.pdparams")
    with pytest.raises(FileError, match=r"cure: give the whole name, '.*net\.pdparams'"):
        load(tmp_path / "net")


@pytest.mark.parametrize("data", [b"", b"{}", b"RIFF"])
def test_files_of_another_kind_are_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.pd").write_bytes(data)
    with pytest.raises(FileError, match="expected parameters, a tensor or a program"):
        load(tmp_path / "x.pd")


def test_what_only_begins_as_a_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.pdmodel").write_bytes(b"\x0a\x04abcd")
    with pytest.raises(FileError, match=r"x\.pdmodel: expected a ProgramDesc"):
        load(tmp_path / "x.pdmodel")


def test_code_in_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.pd").write_bytes(pickle.dumps({"w": os.system}, 4))
    with pytest.raises(UnsafeFileError, match="system, which could run code"):
        load(tmp_path / "x.pd")


def test_parts_that_are_shared_many_times_are_converted_once(tmp_path: Path) -> None:
    part: list = [np.ones(1)]
    for _ in range(100):
        part = [part, part]
    (tmp_path / "x.pd").write_bytes(pickle.dumps(part, 4))
    loaded = load(tmp_path / "x.pd")
    assert loaded[0] is loaded[1]


def test_the_prefix_of_a_saved_model_gives_its_parameters(paddle_fixtures: Path) -> None:
    state = load(paddle_fixtures / "paddle-2.6.2" / "simplenet" / "inference")
    assert {name: array.shape for name, array in state.items()} == {
        "linear.bias": (3,),
        "linear.weight": (10, 3),
    }


def test_files_of_paddle_become_tensors_with_the_names_of_their_parameters(
    paddle_fixtures: Path,
) -> None:
    state = load(paddle_fixtures / "paddle-3.3.1-pir" / "simplenet" / "model.pdparams")
    names = {key: (type(value), value.name) for key, value in state.items()}
    assert names == {
        "linear.weight": (Tensor, "linear_0.w_0"),
        "linear.bias": (Tensor, "linear_0.b_0"),
    }
