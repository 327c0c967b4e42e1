"""Reading what the JSON of Keras says of a model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from twinoar import nn
from twinoar.core.near import near_names
from twinoar.errors import FileError, TwinoarError, UnsupportedError
from twinoar.formats.keras.archive import Saved
from twinoar.pretrained.config import MOST_LAYERS
from twinoar.pretrained.keras import plain, recurrent, window  # noqa: F401  # what they declare
from twinoar.pretrained.keras.graph import Call, From, Info, KerasModel
from twinoar.pretrained.keras.plain import Distributed
from twinoar.pretrained.keras.recurrent import BothWays, Recurrent
from twinoar.pretrained.keras.setting import KINDS, Arrays, Part, Settings

SEQUENTIAL, FUNCTIONAL = {"Sequential"}, {"Functional", "Model"}
WRAPPERS = {"TimeDistributed", "Bidirectional"}
DEEPEST = 20  # models in models
SILENT = {"training": (None, False), "mask": (None,), "attention_mask": (None,),
          "query_mask": (None,), "value_mask": (None,), "key_mask": (None,),
          "return_attention_scores": (None, False), "initial_state": (None,)}  # fmt: skip
OWN = {"keras", "builtins", "tensorflow", "tf_keras"}  # whose layers are meant
TENSOR = "__keras_tensor__"


class Source:
    """Where the arrays of layers come from."""

    def __init__(self, saved: Saved):
        self.flat, self.groups = saved.flat, saved.groups

    def arrays(self, place: str, info: Info) -> Arrays:
        """The arrays of a layer."""
        if self.flat is not None:
            return self.flat.get(info.name, [])
        groups = self.groups or {}
        own = f"{place}layers/{info.group}"
        return [a for p in info.places for a in groups.get(f"{own}/{p}" if p else own, [])]


class Reader:
    """Makes models of what JSON says."""

    def __init__(self, version: int, path: str):
        self.version, self.path = version, path

    def model(self, told: Any, source: Source, place: str, depth: int) -> KerasModel:
        """A model, and those in it."""
        kind, config = self._kind(told)
        if depth > DEEPEST:
            raise FileError(f"{self.path}: models lie too deep in one another")
        if kind not in SEQUENTIAL | FUNCTIONAL:
            raise UnsupportedError(
                f"{kind[:80]} is a model in code, which no file tells",
                cure="build it as a Sequential or functional model, and save that",
            )
        layers = config.get("layers")
        if not isinstance(layers, list) or not 0 < len(layers) <= MOST_LAYERS:
            raise FileError(f"{self.path}: {kind} must list its layers")
        if kind in SEQUENTIAL:
            made = KerasModel([From("", 0, 0)], [], True)
        else:
            inputs = [self._from(x) for x in _listed(config.get("input_layers"))]
            outputs = _listed(config.get("output_layers"))
            is_single = config.get("output_layers") not in (outputs, [outputs])
            is_single = is_single or len(outputs) == 1
            made = KerasModel(inputs, [self._from(x) for x in outputs], is_single)
        self._fill(made, layers, source, place, depth)
        if kind in SEQUENTIAL:
            self._chain(made)
        else:
            self._wire(made, layers)
        return made

    def _kind(self, told: Any) -> tuple[str, dict[str, Any]]:
        if not isinstance(told, dict) or not isinstance(told.get("config"), dict | list):
            raise FileError(f"{self.path}: expected class_name and config, not {str(told)[:80]}")
        config = told["config"]
        if isinstance(config, list):  # a sequential model of the oldest files
            config = {"layers": config}
        return str(told.get("class_name")), config

    def _fill(self, made: KerasModel, layers: list, source: Source, place: str, depth: int) -> None:
        counts: Counter[str] = Counter()
        for told in layers:
            kind, config = self._kind(told)
            module = str(told.get("module") or "keras")
            if module.partition(".")[0] not in OWN:
                raise UnsupportedError(
                    f"a layer of one's own is not read: {kind[:80]} of {module[:80]}",
                    cure="build the model of layers of Keras",
                )
            if ".ops." in module:  # what an operator of Python made of tensors
                kind = f"ops.{kind}"
            group = _snake(kind)
            number = counts[group]
            counts[group] += 1
            name = str(config.get("name") or told.get("name") or f"{group}_{number}")
            group = f"{group}_{number}" if number else group
            info = Info(name, group, _places(kind, config))
            made.keep(self._layer(told, kind, config, source, place, info, depth), info)

    def _layer(
        self, told: Any, kind: str, config: dict, source: Source, place: str, info: Info, depth: int
    ) -> nn.Layer:  # fmt: skip
        if kind in SEQUENTIAL | FUNCTIONAL:
            if source.flat is not None:
                raise UnsupportedError(
                    f"a model in a model ({info.name[:80]}) is not read of .h5 files",
                    cure="save it as .keras",
                )
            return self.model(told, source, f"{place}layers/{info.group}/", depth + 1)
        arrays = source.arrays(place, info)
        return self.part(kind, config, arrays, info.name)

    def part(self, kind: str, config: dict[str, Any], arrays: Arrays, name: str) -> Part:
        """One layer."""
        settings = Settings(config, f"{kind} {name[:80]!r}", self.version)
        if kind in WRAPPERS:
            return self._wrapped(kind, settings, arrays)
        if kind not in KINDS:
            raise UnsupportedError(
                f"a layer of the kind {kind[:80]} is not read ({name[:80]!r})",
                cure=near_names(kind, KINDS),
            )
        try:
            made = KINDS[kind].make(settings, arrays)
        except (TypeError, ValueError, OverflowError) as error:
            if isinstance(error, TwinoarError):
                raise
            raise FileError(f"{settings.layer}: {str(error)[:160]}") from error
        settings.check()
        if settings.told.get("trainable") is False:
            for tensor in made.parameters():
                tensor.stop_gradient = True
        return made

    def _wrapped(self, kind: str, settings: Settings, arrays: Arrays) -> Part:
        inner, config = self._kind(settings["layer"])
        if kind == "TimeDistributed":
            settings.check()
            return Distributed(self.part(inner, config, arrays, settings.layer))
        half = len(arrays) // 2
        back = {**config, "go_backwards": not config.get("go_backwards", False)}
        if settings.has("backward_layer"):
            other, back = self._kind(settings["backward_layer"])
            inner = inner if other == inner else f"{inner} and {other}"
        ways = [
            self.part(inner, told, part, settings.layer)
            for told, part in ((config, arrays[:half]), (back, arrays[half:]))
        ]
        if not all(isinstance(way, Recurrent) for way in ways):
            raise UnsupportedError(f"{settings.layer} of {inner[:80]} is not read")
        made = BothWays(settings, *ways)  # type: ignore[arg-type]
        settings.check()
        return made

    def _chain(self, made: KerasModel) -> None:
        """Each layer takes what the one before gives."""
        last = From("", 0, 0)
        for name in made.infos:
            made.calls.append(Call(name, [last], {}))
            last = From(name, 0, 0)
        made.outputs = [last]

    def _wire(self, made: KerasModel, layers: list) -> None:
        """Put the calls in an order in which what each takes is there."""
        pending: list[tuple[int, Call]] = []
        for told, name in zip(layers, made.infos, strict=True):
            nodes = told.get("inbound_nodes") or []
            if not isinstance(nodes, list) or len(nodes) > MOST_LAYERS:
                raise FileError(f"{self.path}: {name[:80]}: expected calls, not {str(nodes)[:80]}")
            pending += [(n, self._call(name, node)) for n, node in enumerate(nodes)]
        done = {(place.layer, place.call) for place in made.inputs}
        while pending:
            ready = [(n, c) for n, c in pending if done.issuperset(_taken(c))]
            ready = [(n, c) for n, c in ready if n == 0 or (c.layer, n - 1) in done]
            if not ready:
                raise FileError(f"{self.path}: {pending[0][1].layer[:80]} is fed by no layer")
            for n, call in ready:
                made.calls.append(call)
                done.add((call.layer, n))
            pending = [item for item in pending if item not in ready]
        if not done.issuperset((place.layer, place.call) for place in made.outputs):
            raise FileError(f"{self.path}: an output is of no layer")

    def _call(self, name: str, node: Any) -> Call:
        if isinstance(node, dict):  # Keras 3
            operands = [self._operand(x) for x in node.get("args", [])]
            told = node.get("kwargs", {})
        else:  # Keras 2: what it takes, and settings with the first
            rows = node if isinstance(node, list) else []
            froms = [self._from(row) for row in rows]
            operands = [froms] if len(froms) > 1 else list(froms)
            told = rows[0][3] if rows and len(rows[0]) > 3 else {}
        if not isinstance(told, dict):
            raise FileError(f"{self.path}: settings of {name[:80]} must be by name")
        settings = {}
        for key, value in told.items():
            if key in SILENT:
                if value not in SILENT[key]:
                    raise UnsupportedError(f"{name[:80]} is called with {key}={str(value)[:80]}")
            elif key in ("use_causal_mask", "key", "value"):
                settings[key] = self._operand(value)
            else:
                raise UnsupportedError(f"{name[:80]} is called with {key[:80]}={str(value)[:80]}")
        return Call(name, operands, settings)

    def _operand(self, told: Any) -> Any:
        if isinstance(told, list):
            return [self._operand(x) for x in told]
        if isinstance(told, dict):
            config = told.get("config")
            if told.get("class_name") != TENSOR or not isinstance(config, dict):
                raise UnsupportedError(f"a layer is called with {str(told)[:80]}")
            return self._from(config.get("keras_history"))
        if told is None or isinstance(told, bool | int | float):
            return told
        raise UnsupportedError(f"a layer is called with {str(told)[:80]}")

    def _from(self, told: Any) -> From:
        is_place = isinstance(told, list | tuple) and len(told) >= 3
        if (
            not is_place
            or not isinstance(told[0], str)
            or not all(type(n) is int for n in told[1:3])
        ):
            raise FileError(f"{self.path}: expected a layer and two numbers, not {str(told)[:80]}")
        return From(told[0], told[1], told[2])


def _taken(call: Call) -> set[tuple[str, int]]:
    """The results that a call takes."""
    found, pending = set(), [*call.operands, *call.settings.values()]
    while pending:
        x = pending.pop()
        if isinstance(x, list):
            pending += x
        elif isinstance(x, From):
            found.add((x.layer, x.call))
    return found


def _listed(told: Any) -> list:
    """Places in a list, of which one may stand alone."""
    if not isinstance(told, list) or not told:
        raise UnsupportedError(f"inputs and outputs must be in a list, not {str(told)[:80]}")
    return [told] if isinstance(told[0], str) else told


def _places(kind: str, config: Mapping[str, Any]) -> tuple[str, ...]:
    """Below a layer's group, the groups with its arrays."""
    inner = config.get("layer")
    if kind in WRAPPERS and isinstance(inner, Mapping):
        parts = ("layer",) if kind == "TimeDistributed" else ("forward_layer", "backward_layer")
        below = KINDS[inner["class_name"]].places if inner.get("class_name") in KINDS else ("",)
        return tuple(f"{part}/{b}" if b else part for part in parts for b in below)
    return KINDS[kind].places if kind in KINDS else ("",)


def _snake(name: str) -> str:
    """What Keras calls the group of a class."""
    name = re.sub(r"\W+", "", name)
    name = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()
