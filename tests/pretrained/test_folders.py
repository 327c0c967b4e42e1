"""What is wrong with a folder is an error that names it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import twinoar as paddle
from twinoar import pretrained
from twinoar.errors import (
    FileError,
    ShapeError,
    TypeMismatchError,
    UnsafeFileError,
    UnsupportedError,
)
from twinoar.formats import safetensors


def rewrite(folder: Path, change: Any) -> Path:
    """The folder, whose weights `change` has changed."""
    path = folder / "model.safetensors"
    arrays = {name: np.array(array) for name, array in safetensors.opened(str(path)).items()}
    change(arrays)
    path.write_bytes(safetensors.dump(arrays))
    return folder


REFUSED = [
    ("gpt2", "rotary_pct", 0.5, "rotary_pct=0.5"),
    ("bert", "position_embedding_type", "relative_key", "position_embedding_type=relative_key"),
    ("bert", "is_decoder", True, "is_decoder=True"),
    ("bert", "pruned_heads", {"0": [1]}, "pruned_heads"),
    ("bert", "is_encoder_decoder", True, "is_encoder_decoder"),
    ("bert", "hidden_act", "geglu", "no activation geglu"),
    ("bert", "hidden_act", ["gelu"], "no activation"),
    ("bert_words", "tie_word_embeddings", False, "tie_word_embeddings"),
    ("gpt2_words", "tie_word_embeddings", False, "tie_word_embeddings"),
    ("gpt2", "add_cross_attention", True, "add_cross_attention"),
    ("gpt2", "quantization_config", {"bits": 4}, "quantization_config"),
    ("llama", "rope_parameters", {"rope_type": "wavy", "rope_theta": 1e4}, "kind wavy"),
    ("llama", "rope_parameters", {"rope_type": "linear", "factor": 2.0, "odd": 1}, "odd=1"),
    ("llama", "sliding_window", 4, "sliding_window=4"),
    ("llama", "model_type", "mistral", "model_type=mistral"),
    ("llama", "architectures", ["MistralForCausalLM"], "no model MistralForCausalLM"),
    ("resnet", "layer_type", "wide", "layer_type=wide"),
    ("vit", "auto_map", {"AutoModel": "own.Model"}, "auto_map"),
]


@pytest.mark.parametrize(("name", "key", "value", "said"), REFUSED)
def test_what_is_not_served_is_refused_by_name(
    copied: Any, name: str, key: str, value: Any, said: str
) -> None:
    with pytest.raises(UnsupportedError, match=said.replace("(", r"\(")):
        pretrained.load(copied(name, **{key: value}))


ODD = [
    ("bert", "hidden_size", 15, "num_attention_heads must be a divisor"),
    ("bert", "hidden_size", -1, "hidden_size must be a number"),
    ("bert", "hidden_size", 1 << 40, "hidden_size must be a number"),
    ("bert", "hidden_size", True, "hidden_size must be a number"),
    ("bert", "num_hidden_layers", 10**6, "num_hidden_layers must be a number"),
    ("bert", "layer_norm_eps", float("nan"), "layer_norm_eps must be a number above 0"),
    ("bert", "hidden_dropout_prob", 2, "hidden_dropout_prob must be a number from 0 to 1"),
    ("llama", "num_key_value_heads", 3, "3 heads of keys cannot serve 4"),
    ("llama", "head_dim", 5, "heads of 5 elements"),
    ("llama", "mlp_bias", "no", "mlp_bias must be true or false"),
    ("llama", "rope_parameters", [1], "rope_parameters must hold values by name"),
    ("resnet", "depths", [1], "differ in number"),
    ("resnet", "depths", [1, 0], "depths must be numbers"),
    ("vit_classes", "id2label", [], "id2label must be names"),
    ("vit_classes", "architectures", [], "names no one architecture"),
]


@pytest.mark.parametrize(("name", "key", "value", "said"), ODD)
def test_odd_values_are_named(copied: Any, name: str, key: str, value: Any, said: str) -> None:
    with pytest.raises(FileError, match=said):
        pretrained.load(copied(name, **{key: value}))


def test_a_value_that_is_not_there_is_named(copied: Any) -> None:
    folder = copied("gpt2")
    config = json.loads((folder / "config.json").read_text())
    del config["n_head"]
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(FileError, match="says nothing of n_head"):
        pretrained.load(folder)


def test_what_is_known_not_to_matter_may_be_ignored(copied: Any) -> None:
    folder = copied("gpt2", mascot="otter")
    with pytest.raises(UnsupportedError, match="mascot=otter"):
        pretrained.load(folder)
    assert isinstance(pretrained.load(folder, ignored=["mascot"]), pretrained.GPT2Model)


def test_missing_weights_are_named(copied: Any) -> None:
    folder = rewrite(copied("bert"), lambda arrays: arrays.pop("pooler.dense.bias"))
    with pytest.raises(FileError, match=r"lack pooler\.dense\.bias"):
        pretrained.load(folder)


def test_weights_without_a_place_are_named(copied: Any) -> None:
    folder = rewrite(copied("bert"), lambda arrays: arrays.update(extra=np.ones(2, np.float32)))
    with pytest.warns(UserWarning, match="no place for extra"):
        pretrained.load(folder)


def test_weights_of_other_sizes_are_named(copied: Any) -> None:
    def change(arrays: dict[str, Any]) -> None:
        arrays["pooler.dense.bias"] = np.ones(3, np.float32)

    with pytest.raises(FileError, match=r"pooler\.dense\.bias is \[3\], the model has \[16\]"):
        pretrained.load(rewrite(copied("bert"), change))


def test_weights_of_other_kinds_are_named(copied: Any) -> None:
    def change(arrays: dict[str, Any]) -> None:
        arrays["pooler.dense.bias"] = arrays["pooler.dense.bias"].astype(np.int8)

    with pytest.raises(FileError, match=r"pooler\.dense\.bias has elements of type int8"):
        pretrained.load(rewrite(copied("bert"), change))


@pytest.mark.parametrize("dtype", [np.float16, np.float64, ml_dtypes.bfloat16])
def test_weights_of_other_precision_become_float32(copied: Any, dtype: Any) -> None:
    def change(arrays: dict[str, Any]) -> None:
        arrays.update({name: array.astype(dtype) for name, array in arrays.items()})

    model = pretrained.load(rewrite(copied("gpt2"), change))
    assert {p.dtype for p in model.parameters()} == {paddle.float32}


def test_older_names_of_norms_and_masks_are_known(copied: Any, recwarn: Any) -> None:
    def change(arrays: dict[str, Any]) -> None:
        for name in [n for n in arrays if "LayerNorm" in n]:
            older = name.replace("LayerNorm.weight", "LayerNorm.gamma")
            arrays[older.replace("LayerNorm.bias", "LayerNorm.beta")] = arrays.pop(name)
        arrays["embeddings.position_ids"] = np.arange(12)[None]

    pretrained.load(rewrite(copied("bert"), change))
    assert not recwarn.list


def test_a_head_finds_the_body_without_its_prefix(copied: Any) -> None:
    def change(arrays: dict[str, Any]) -> None:
        for name in list(arrays):
            arrays[name.removeprefix("transformer.")] = arrays.pop(name)

    model = pretrained.load(rewrite(copied("gpt2_words"), change))
    assert isinstance(model, pretrained.GPT2LMHeadModel)


@pytest.mark.parametrize(
    ("index", "said"),
    [
        ({"weight_map": {"a": "../x.safetensors"}}, "names a file elsewhere"),
        ({"weight_map": {"a": 1}}, "must say for each weight"),
        ({}, "must say for each weight"),
        ({"weight_map": {"a": "none.safetensors"}}, "cannot read"),
        ({"weight_map": {"a": "a\0b"}}, "cannot read"),
    ],
)
def test_an_index_that_is_odd(copied: Any, index: dict, said: str) -> None:
    folder = copied("llama_words")
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(FileError, match=said):
        pretrained.load(folder)


def test_an_index_that_names_what_no_file_has(copied: Any) -> None:
    folder = copied("llama_words")
    path = folder / "model.safetensors.index.json"
    index = json.loads(path.read_text())
    index["weight_map"]["more"] = next(iter(index["weight_map"].values()))
    path.write_text(json.dumps(index))
    with pytest.raises(FileError, match="the files lack more"):
        pretrained.load(folder)


def test_a_folder_without_weights_or_config(copied: Any, tmp_path: Path) -> None:
    folder = copied("bert")
    (folder / "model.safetensors").unlink()
    with pytest.raises(FileError, match="has no weights"):
        pretrained.load(folder)
    with pytest.raises(FileError, match="cannot read"):
        pretrained.load(tmp_path / "nowhere")


def test_a_pickle_that_calls_is_refused_by_that_name(copied: Any) -> None:
    folder = copied("bert")
    (folder / "model.safetensors").unlink()
    with zipfile.ZipFile(folder / "pytorch_model.bin", "w") as archive:
        archive.writestr("net/data.pkl", b"\x80\x02cos\nsystem\n(S'echo no'\ntR.")
    with pytest.raises(UnsafeFileError, match=r"os\.system"):
        pretrained.load(folder)


def test_other_layers_are_not_saved(tmp_path: Path) -> None:
    with pytest.raises(TypeMismatchError, match="received Linear"):
        pretrained.save(paddle.nn.Linear(1, 1), tmp_path)


def test_inputs_of_other_shapes_are_errors(folders: Path) -> None:
    model = pretrained.load(folders / "bert")
    with pytest.raises(ShapeError, match="places for 12 words, received 13"):
        model(paddle.zeros([1, 13], "int64"))
    with pytest.raises(ShapeError, match=r"must be \[batch,steps\]"):
        model(paddle.zeros([3], "int64"))
    with pytest.raises(ShapeError, match=r"attention_mask must be \[batch,steps\]"):
        model(paddle.zeros([1, 3], "int64"), paddle.ones([1, 1, 3, 3]))
    with pytest.raises(ShapeError, match="16 x 16"):
        pretrained.load(folders / "vit")(paddle.zeros([1, 3, 8, 8]))
