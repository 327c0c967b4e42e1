"""The cases by which ONNX says what its operators compute."""

from __future__ import annotations

import os
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, numpy_helper
from onnx.backend.test.loader import load_model_tests

import twinoar as paddle
from twinoar.errors import TwinoarError
from twinoar.onnx import load
from twinoar.onnx.backend import TwinoarBackend

# Elements that tensors do not have: texts, 8-bit floats, and what is smaller than a byte.
OTHER_ELEMENTS = ("STRING", "FLOAT8", "FLOAT4", "INT4", "INT2")
# The expected numbers of these were rounded to 16 bits after each step inside a sum.
ROUNDED = ("_bf16", "_causal_fp16_expanded")
RANDOM = ("bernoulli", "training_dropout")
FEWEST = 1620  # of the cases, that pass: a new version of onnx may bring operators


@cache
def cases() -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = load_model_tests(kind="node")
    return {case.name: case for case in found if is_held(case.model)}


def is_held(model: Any) -> bool:
    """Whether all values of a model are tensors of elements that there are here."""
    graph = model.graph
    told = [v.type for v in (*graph.input, *graph.output, *graph.value_info)]
    kinds = {t.WhichOneof("value") for t in told}
    codes = {t.tensor_type.elem_type for t in told if t.WhichOneof("value") == "tensor_type"}
    for node in graph.node:
        codes |= {a.i for a in node.attribute if node.op_type.startswith("Cast") and a.name == "to"}
    names = [TensorProto.DataType.Name(code) for code in codes]
    return "sequence_type" not in kinds and not any(
        part in name for name in names for part in OTHER_ELEMENTS
    )


def array_of(x: Any) -> Any:
    if hasattr(x, "data_type"):
        return numpy_helper.to_array(x)
    return [array_of(v) for v in x] if isinstance(x, list) else x


def wrong(case: Any) -> str | None:
    """What is wrong with our results of a case; None where nothing is."""
    try:
        prepared = TwinoarBackend.prepare(case.model)
        for inputs, outputs in case.data_sets:
            for got, want in zip(
                prepared.run([array_of(x) for x in inputs]), outputs, strict=False
            ):
                compare(got, array_of(want), case)
    except (TwinoarError, AssertionError) as error:
        return f"{type(error).__name__}: {str(error).strip().splitlines()[0]}"
    return None


def compare(got: Any, want: Any, case: Any) -> None:
    got, want = np.asarray(got), np.asarray(want)
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    if any(part in case.name for part in RANDOM):
        return
    wide = "float64" if want.dtype.kind not in "cb" else want.dtype
    np.testing.assert_allclose(got.astype(wide), want.astype(wide), case.rtol, case.atol)


@pytest.mark.timeout(400)
def test_the_cases_of_operators() -> None:
    found = {name: wrong(case) for name, case in cases().items()}
    failed = {name: told for name, told in found.items() if told is not None}
    values = [n for n, told in failed.items() if told.startswith("AssertionError")]
    assert [n for n in values if not any(part in n for part in ROUNDED)] == []
    assert len(found) - len(failed) >= FEWEST, failed


def test_what_is_refused_is_named() -> None:
    case = next(c for name, c in cases().items() if "image_decoder" in name)
    assert "the ONNX operator ImageDecoder" in (wrong(case) or "")


DATA = Path(onnx.__file__).parent / "backend/test/data"
FOLDERS = [
    folder
    for kind in ("pytorch-operator", "pytorch-converted")
    for folder in sorted((DATA / kind).iterdir())
]


def stored(folder: Path, kind: str) -> list[np.ndarray]:
    paths = sorted(folder.glob(f"{kind}_*.pb"), key=lambda p: int(p.stem.split("_")[-1]))
    return [numpy_helper.to_array(onnx.load_tensor(os.fspath(p))) for p in paths]


@pytest.mark.parametrize("as_program", [False, True], ids=["eager", "program"])
def test_layers_that_torch_has_written(as_program: bool) -> None:
    assert len(FOLDERS) > 100
    for folder in FOLDERS:
        layer: Any = load(folder / "model.onnx")
        if as_program:
            layer = paddle.jit.to_static(layer)
        for data in sorted(folder.glob("test_data_set_*")):
            got = layer(*stored(data, "input"))
            for a, b in zip(
                got if isinstance(got, tuple) else (got,), stored(data, "output"), strict=True
            ):
                np.testing.assert_allclose(a.numpy(), b, 1e-3, 1e-5, err_msg=folder.name)
