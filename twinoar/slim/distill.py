"""Students that learn what layers of teachers compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from twinoar import nn
from twinoar.autograd import no_grad
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.slim.losses import loss_called

ALIGNED = ("1x1conv", "3x3conv", "1x1conv+bn", "3x3conv+bn", "linear")
SETTINGS = frozenset(
    ["layers_name", "loss_function", "io", "idx", "weight", "temperature", "align_params"]
)
Key = tuple[str, str, str, Any]  # model, layer, "input" or "output", which of several


class ShapeAlign(nn.Layer):
    """Gives a feature map as many channels as another one has.

    align_type: "1x1conv", "3x3conv", these with "+bn", or "linear". Raises UnknownNameError.

    >>> ShapeAlign("3x3conv+bn", 4, 8)(twinoar.ones([1, 4, 5, 5])).shape
    [1, 8, 5, 5]
    """

    def __init__(self, align_type: str, in_channel: int, out_channel: int):
        super().__init__()
        kind = align_type.lower()
        if kind not in ALIGNED:
            raise UnknownNameError(f"align_type must be one of {ALIGNED}, received {align_type!r}")
        if kind == "linear":
            self.align_op: nn.Layer = nn.Linear(in_channel, out_channel)
            return
        size = int(kind[0])
        layers: list[nn.Layer] = [nn.Conv2D(in_channel, out_channel, size, padding=size // 2)]
        if kind.endswith("+bn"):
            layers.append(nn.BatchNorm2D(out_channel))
        self.align_op = nn.Sequential(*layers)

    def forward(self, feat: Any) -> Any:
        """feat: [N, C, H, W], or [..., C] for "linear"."""
        return self.align_op(feat)


class Distill(nn.Layer):
    """Runs students and teachers on the same inputs, and computes losses between their layers.

    configs: a list of groups, {"layers": [...], "model_name_pairs": [["student_0", "teacher_0"]]};
    a layer is {"layers_name": [name of the student's, of the teacher's], "loss_function": a class
    of `losses`} with, where wanted, "io" (["output", "input"]), "idx" (which of several), "weight",
    "temperature", "align_params" (of ShapeAlign, with "transpose_model") and what the loss takes.
    Names are those of `named_sublayers()`; one may learn from itself, and from other students. A
    teacher in eval mode gets no gradients. Raises UnknownNameError, ArgumentError.

    >>> student, teacher = (twinoar.nn.Sequential(twinoar.nn.Linear(4, 2)) for _ in range(2))
    >>> _ = teacher.eval()
    >>> layers = [{"layers_name": ["0", "0"], "loss_function": "KLLoss", "temperature": 2.0}]
    >>> distill = Distill([{"layers": layers}], student, teacher)
    >>> loss, out, teachers_out = distill(twinoar.ones([3, 4]))
    >>> loss.shape, out.shape
    ([], [3, 2])
    """

    def __init__(
        self,
        configs: Sequence[Mapping[str, Any]],
        students: nn.Layer | Sequence[nn.Layer],
        teachers: nn.Layer | Sequence[nn.Layer],
        convert_fn: bool = True,
        return_model_outputs: bool = True,
    ):
        super().__init__()
        if isinstance(configs, (str, Mapping)):
            raise ArgumentError(
                f"configs is a list of groups, received {type(configs).__name__}",
                cure="read the file, and pass the list that stands in it",
            )
        self._students = nn.LayerList([students] if isinstance(students, nn.Layer) else students)
        self._teachers = nn.LayerList([teachers] if isinstance(teachers, nn.Layer) else teachers)
        self._return_model_outputs = return_model_outputs
        self._seen: dict[Key, Any] = {}
        self._terms: list[_Term] = []
        self.distill_loss = nn.LayerList()
        for group in configs:
            self._add(group)
        self._hooked: set[tuple[str, str]] = set()
        for model, layer, *_ in [key for term in self._terms for key in term.keys]:
            if (model, layer) not in self._hooked:
                self._hooked.add((model, layer))
                self._watch(model, layer)

    def parameters(self, include_sublayers: bool = True) -> list[Any]:
        """Those of the students, and of layers that align."""
        return [*self._students.parameters(), *self.distill_loss.parameters()]

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """The loss; with `return_model_outputs` also what students and teachers return."""
        self._seen.clear()
        ours = [student(*inputs, **kwargs) for student in self._students]
        theirs = []
        for teacher in self._teachers:
            with nullcontext() if teacher.training else no_grad():
                theirs.append(teacher(*inputs, **kwargs))
        loss = sum(term.loss(self._seen) for term in self._terms)
        self._seen.clear()
        if not self._return_model_outputs:
            return loss
        return loss, *(x[0] if len(x) == 1 else x for x in (ours, theirs))

    def _add(self, group: Mapping[str, Any]) -> None:
        if not group.get("layers"):
            raise ArgumentError("a group of configs has no layers", cure='give it "layers": [...]')
        pairs = group.get("model_name_pairs", [["student_0", "teacher_0"]])
        pairs = [pairs] if isinstance(pairs[0], str) else pairs
        shared = {k: v for k, v in group.items() if k not in ("layers", "model_name_pairs")}
        for given in group["layers"]:
            config = {**shared, **given}
            for pair in pairs:
                for name, layer in zip(pair, config.get("layers_name", ()), strict=True):
                    self._layer(name, layer)
            module = _Between(config)
            self.distill_loss.append(module)
            self._terms.extend(_Term(module, config, pair) for pair in pairs)

    def _layer(self, model: str, name: str) -> nn.Layer:
        kind, _, number = model.rpartition("_")
        models = {"student": self._students, "teacher": self._teachers}.get(kind)
        if models is None or not number.isdigit() or int(number) >= len(models):
            raise UnknownNameError(
                f"there is no model {model!r}", cure="models are student_0, teacher_0, ..."
            )
        layers = dict(models[int(number)].named_sublayers())
        if name not in layers:
            raise UnknownNameError(f"{model} has no layer {name!r}, it has {', '.join(layers)}")
        return layers[name]

    def _watch(self, model: str, name: str) -> None:
        wanted = {k for term in self._terms for k in term.keys if k[:2] == (model, name)}

        def note(layer: nn.Layer, inputs: Any, output: Any) -> None:
            for key in wanted:
                self._seen[key] = _one_of(output if key[2] == "output" else inputs, key)

        self._layer(model, name).register_forward_post_hook(note)


class _Between(nn.Layer):
    """A loss, with the layer that aligns one side."""

    def __init__(self, config: Mapping[str, Any]):
        super().__init__()
        align = dict(config.get("align_params") or {})
        self._of_student = align.pop("transpose_model", "student") == "student"
        self.align = ShapeAlign(**align) if align else None
        self._temperature = float(config.get("temperature", 1.0))
        settings = {k: v for k, v in config.items() if k not in SETTINGS}
        self.loss = loss_called(str(config.get("loss_function")), **settings)

    def forward(self, student: Any, teacher: Any) -> Any:
        if self.align is not None:
            if self._of_student:
                student = self.align(student)
            else:
                teacher = self.align(teacher)
        if self._temperature != 1.0:
            student, teacher = student / self._temperature, teacher / self._temperature
        return self.loss(student, teacher)


class _Term:
    """One weighted loss between two layers."""

    def __init__(self, module: _Between, config: Mapping[str, Any], pair: Sequence[str]):
        io, which = config.get("io", ["output"] * 2), config.get("idx", [None] * 2)
        if set(io) - {"input", "output"}:
            raise UnknownNameError(f'io is of "input" and "output", received {io}')
        parts = zip(pair, config["layers_name"], io, which, strict=True)
        self.keys: list[Key] = [(model, layer, side, n) for model, layer, side, n in parts]
        self.module, self.weight = module, float(config.get("weight", 1.0))

    def loss(self, seen: Mapping[Key, Any]) -> Any:
        missing = [f"{key[1]} of {key[0]}" for key in self.keys if key not in seen]
        if missing:
            raise ArgumentError(
                f"the models did not call {', '.join(missing)}",
                cure="name layers that their forward() goes through",
            )
        return self.module(*(seen[key] for key in self.keys)) * self.weight


def _one_of(values: Any, key: Key) -> Any:
    which = key[3]
    if isinstance(values, Value):
        return values
    if which is None and len(values) != 1:
        raise ArgumentError(
            f"{key[1]} of {key[0]} has {len(values)} {key[2]}s", cure='say which one: "idx"'
        )
    return values[which or 0]
