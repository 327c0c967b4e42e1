"""The functions of fluid.layers have the arguments of Paddle 1.8.5, in order, with its defaults."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import twinoar
from tests.fluid.layers.evaluate import RECORDED
from twinoar.errors import MissingNameError
from twinoar.fluid import layers
from twinoar.fluid.layers.removed import INSTEAD

SIGNATURES = Path(__file__).with_name("signatures.txt").read_text().splitlines()
OURS = {"lengths"}  # 1.x keeps the lengths of sequences within a tensor
TESTED_ELSEWHERE = {  # random, or written with `with`, or in need of several runs
    "DynamicRNN", "IfElse", "Print", "RNNCell", "StaticRNN", "Switch", "While",
    "cosine_decay", "create_array", "create_tensor", "data", "diag_embed",
    "dynamic_gru", "dynamic_lstm",
    "exponential_decay", "gaussian_random", "gaussian_random_batch_size_like", "interpolate",
    "inverse_time_decay", "linear_lr_warmup", "natural_exp_decay", "nce", "noam_decay",
    "piecewise_decay", "polynomial_decay", "py_func", "rank", "resize_trilinear",
    "uniform_random", "uniform_random_batch_size_like",
}  # fmt: skip


@pytest.mark.parametrize("line", SIGNATURES, ids=lambda line: line.partition("(")[0])
def test_the_signature_is_that_of_paddle(line: str) -> None:
    name = line.partition("(")[0]
    parameters = inspect.signature(getattr(layers, name)).parameters.values()
    found = [p.replace(annotation=p.empty) for p in parameters if p.name not in OURS]
    text = f"{name}({', '.join(map(str, found))})"
    assert text == line.replace("type=VarType.LOD_TENSOR", "type=None")


def test_every_name_is_in_the_table_of_signatures() -> None:
    assert {line.partition("(")[0] for line in SIGNATURES} == set(layers.__all__)


def test_every_function_has_recorded_results_or_a_test_of_its_own() -> None:
    called = " ".join(RECORDED)
    untested = {name for name in layers.__all__ if f"L.{name}(" not in called}
    assert {n for n in untested if not n.startswith("sequence_")} == TESTED_ELSEWHERE


def test_every_docstring_names_the_modern_spelling_or_is_of_a_modern_function() -> None:
    for name in layers.__all__:
        function = getattr(layers, name)
        doc = inspect.getdoc(function) or ""
        is_modern = not function.__module__.startswith(("paddle.fluid", "twinoar.fluid"))
        assert is_modern or isinstance(function, type) or "Modern spelling: " in doc, name
        assert doc.partition("\n")[0].strip(), name


def test_the_modern_spellings_are_names_of_twinoar() -> None:
    space = {"paddle": twinoar, "F": twinoar.nn.functional, "static": twinoar.static}
    space |= {"fluid": twinoar.fluid, "nn": twinoar.nn, "optimizer": twinoar.optimizer}
    spelled = [(inspect.getdoc(getattr(layers, name)) or "") for name in layers.__all__]
    texts = [doc.partition("Modern spelling: ")[2] for doc in spelled]
    dotted = re.compile(rf"\b(?:{'|'.join(space)})(?:\.\w+)+")
    names = {n for t in texts for n in dotted.findall(t)}
    missing = [n for n in sorted(names) if not _has(space, n)]
    assert missing == []


def _has(space: dict[str, Any], name: str) -> bool:
    first, *rest = name.split(".")
    found = space[first]
    for part in rest:
        found = getattr(found, part, None)
    return found is not None


@pytest.mark.parametrize("name", INSTEAD)
def test_a_removed_name_says_what_to_write_instead(name: str) -> None:
    with pytest.raises(MissingNameError, match=rf"paddle\.fluid\.layers\.{name}") as raised:
        getattr(layers, name)
    assert INSTEAD[name] in str(raised.value)
