"""Folders of Hugging Face: `config.json`, and weights in `.safetensors`, whole or in pieces.

Layers are called what weights are called there, so a weight finds its place by name. A file may
hold the model without its head, whose names then lack a first part; older ones call the numbers of
a norm gamma and beta. Linear layers keep the transpose of ours.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twinoar import nn
from twinoar.core.near import near_names
from twinoar.eager.lazy import LazyGuard
from twinoar.errors import FileError, TypeMismatchError, UnsupportedError
from twinoar.formats import safetensors
from twinoar.formats.atomic import AtomicFiles
from twinoar.formats.torch.archive import read_archive
from twinoar.pretrained.bert import (
    BertForMaskedLM,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertForTokenClassification,
    BertModel,
)
from twinoar.pretrained.config import Config
from twinoar.pretrained.gpt2 import GPT2LMHeadModel, GPT2Model
from twinoar.pretrained.llama import LlamaForCausalLM, LlamaModel
from twinoar.pretrained.model import Pretrained
from twinoar.pretrained.resnet import ResNetForImageClassification, ResNetModel
from twinoar.pretrained.vit import ViTForImageClassification, ViTModel

CONFIG, WEIGHTS, OLD_WEIGHTS = "config.json", "model.safetensors", "pytorch_model.bin"
INDEX = f"{WEIGHTS}.index.json"
MODELS: dict[str, type[Pretrained]] = {
    kind.__name__: kind
    for kind in (
        BertForMaskedLM, BertForQuestionAnswering, BertForSequenceClassification,
        BertForTokenClassification, BertModel, GPT2LMHeadModel, GPT2Model, LlamaForCausalLM,
        LlamaModel, ResNetForImageClassification, ResNetModel, ViTForImageClassification, ViTModel,
    )
}  # fmt: skip
STATISTICS = {"_mean": "running_mean", "_variance": "running_var"}
OLDER = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
FLOATS = {"float32", "float64", "float16", "bfloat16"}
SHOWN = 5  # names in a message
WRITER = {"format": "pt"}  # which transformers asks for


def load(
    folder: str | Path,
    architecture: str | None = None,
    *,
    changed: Mapping[str, Any] | None = None,
    fresh: Sequence[str] = (),
    ignored: Collection[str] = (),
) -> Pretrained:
    """The model in a folder, as a layer in evaluation mode, in float32.

    architecture: the name of its class, if it is not to be the one that the config names. changed:
    values in place of the config's. fresh: how names of weights begin that are made anew where the
    files lack them or have them in other sizes, as of a head for other classes. ignored: names in
    the config that are not known, and do not matter. Weights that the model has no place
    for are named in a warning. Raises FileError for what is missing, damaged, or does not fit, with
    the names of weights that are missing, UnsupportedError for a model that is none of these or a
    config that says what is not served, UnsafeFileError for a `.bin` that would run code.

    >>> import tempfile
    >>> from twinoar import pretrained
    >>> config = {"vocab_size": 9, "n_positions": 4, "n_embd": 8, "n_layer": 1, "n_head": 2}
    >>> rates = dict.fromkeys(("embd_pdrop", "resid_pdrop", "attn_pdrop"), 0.1)
    >>> rest = {"activation_function": "gelu_new", "layer_norm_epsilon": 1e-5}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pretrained.save(pretrained.GPT2LMHeadModel({**config, **rates, **rest}), folder)
    ...     model = pretrained.load(folder)
    >>> type(model).__name__, model.transformer.wte.weight.shape
    ('GPT2LMHeadModel', [9, 8])
    """
    place = Path(folder)
    config = Config({**_json(place / CONFIG), **(changed or {})})
    with LazyGuard():  # what is loaded needs no random weights before
        model = _made(config, architecture)
    config.check_read(ignored)
    _fill(model, _weights(place), tuple(fresh))
    model.eval()
    return model


def _made(config: Config, architecture: str | None) -> Pretrained:
    told = config["architectures"] if config.has("architectures") else []
    if architecture is None and (not isinstance(told, list) or len(told) != 1):
        raise FileError(
            f"the config names no one architecture, but {str(told)[:80]}",
            cure=f"say which: load(folder, architecture=...), one of {', '.join(MODELS)}",
        )
    name = str(told[0] if architecture is None else architecture)
    if name not in MODELS:
        raise UnsupportedError(f"no model {name[:80]}", cure=near_names(name, MODELS))
    return MODELS[name](config)


def save(model: Pretrained, folder: str | Path) -> None:
    """Write `config.json` and `model.safetensors`, which `load` and transformers read.

    The files appear whole or not at all. Raises TypeMismatchError for another layer, FileError.
    """
    if not isinstance(model, Pretrained):
        raise TypeMismatchError(
            f"expected a model of twinoar.pretrained, received {type(model).__name__}",
            cure="paddle.save(layer.state_dict(), path) for other layers",
        )
    config = {**model.config, "architectures": [type(model).__name__]}
    config |= {"model_type": model.kind, "dtype": "float32"}
    config.pop("torch_dtype", None)  # the older name of the same
    arrays: dict[str, Any] = {}
    for name, (tensor, turned) in _places(model).items():
        array = tensor.numpy()
        arrays[name] = array.T if turned else array
        if name.endswith(".running_mean"):  # batches are counted beside it, which moves nothing
            arrays[name.replace("running_mean", "num_batches_tracked")] = np.int64(0)
    place = Path(folder)
    with AtomicFiles() as files:
        files.write(place / CONFIG, f"{json.dumps(config, indent=2, sort_keys=True)}\n".encode())
        files.write(place / WEIGHTS, safetensors.dump(arrays, WRITER))


def _places(model: Pretrained) -> dict[str, tuple[Any, bool]]:
    """The tensors of a model by their names in files, and whether they lie turned there."""
    turned = set()
    if model.turned:
        linear = (n for n, x in model.named_sublayers() if isinstance(x, nn.Linear))
        turned = {f"{name}.weight" for name in linear}
    found = {}
    for name, tensor in model.state_dict().items():
        first, dot, last = name.rpartition(".")
        found[f"{first}{dot}{STATISTICS.get(last, last)}"] = tensor, name in turned
    return found


def _fill(model: Pretrained, weights: Mapping[str, np.ndarray], fresh: tuple[str, ...]) -> None:
    """Give each tensor its weight. Raises FileError for one that is missing or of other sizes."""
    missing, used = [], set()
    for name, (tensor, turned) in _places(model).items():
        known = next((n for n in _spellings(name, model.base) if n in weights), None)
        if known is None:
            missing.append(name)
            continue
        used.add(known)
        array = weights[known].T if turned else weights[known]
        if list(array.shape) != list(tensor.shape):
            if name.startswith(fresh):
                continue
            raise FileError(f"{known} is {list(array.shape)}, the model has {list(tensor.shape)}")
        if array.dtype.name not in FLOATS:
            raise FileError(f"{known} has elements of type {array.dtype}, the model floating ones")
        tensor.set_value(np.asarray(array, np.float32))
    missing = [name for name in missing if not name.startswith(fresh)]
    if missing:
        raise FileError(
            f"the weights lack {_listed(missing)}",
            cure="name what shall be made anew, as fresh=['classifier'], or another architecture",
        )
    ignored = {n for name in model.tied for n in _spellings(name, model.base)}
    ignored |= used
    rest = [n for n in weights if n not in ignored and not n.endswith(model.idle)]
    if rest:
        warnings.warn(f"{type(model).__name__} has no place for {_listed(rest)}", stacklevel=3)


def _spellings(name: str, base: str) -> Iterator[str]:
    """What a weight may be called in a file."""
    prefix = f"{base}."
    for one in (name, name.removeprefix(prefix) if name.startswith(prefix) else prefix + name):
        yield one
        for new, old in OLDER.items():
            if one.endswith(new):
                yield one.removesuffix(new) + old


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _weights(place: Path) -> Mapping[str, np.ndarray]:
    """All weights in a folder by name; those of `.safetensors` are read when they are looked at."""
    if (place / WEIGHTS).is_file():
        return safetensors.opened(str(place / WEIGHTS))
    if (place / INDEX).is_file():
        return _Pieces(place)
    if (place / OLD_WEIGHTS).is_file():
        found = read_archive((place / OLD_WEIGHTS).read_bytes(), str(place / OLD_WEIGHTS))
        if isinstance(found, Mapping) and all(isinstance(x, np.ndarray) for x in found.values()):
            return found
        raise FileError(f"{place / OLD_WEIGHTS} must hold tensors by name")
    raise FileError(f"{place} has no weights", cure=f"it needs {WEIGHTS}, {INDEX} or {OLD_WEIGHTS}")


class _Pieces(Mapping[str, np.ndarray]):
    """Weights in several files, as the index says."""

    def __init__(self, place: Path):
        told = _json(place / INDEX).get("weight_map")
        if not isinstance(told, dict) or not all(isinstance(f, str) for f in told.values()):
            raise FileError(f"{place / INDEX} must say for each weight which file has it")
        for file in set(told.values()):
            if Path(file).name != file:
                raise FileError(f"{place / INDEX} names a file elsewhere: {file[:80]}")
        self.file_of: dict[str, str] = told
        self.files = {f: safetensors.opened(str(place / f)) for f in sorted(set(told.values()))}
        lacking = [name for name, file in told.items() if name not in self.files[file]]
        if lacking:
            raise FileError(f"{place}: the files lack {_listed(lacking)}, which the index names")

    def __getitem__(self, name: str) -> np.ndarray:
        return self.files[self.file_of[name]][name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.file_of)

    def __len__(self) -> int:
        return len(self.file_of)


def _json(path: Path) -> dict[str, Any]:
    """What a file of JSON says. Raises FileError."""
    try:
        found = json.loads(path.read_bytes())
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path} is no JSON: {str(error)[:80]}") from error
    if not isinstance(found, dict):
        raise FileError(f"{path} must hold values by name")
    return found
