"""The `.json` programs of Paddle 3 compute what it computed; what is wrong with one is told."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar import inference, jit, static
from twinoar.errors import FileError, TwinoarError, UnsupportedError
from twinoar.formats.paddle.pir.read import COMBINE
from twinoar.formats.paddle.program_read import read_program

MODELS = ("simplenet", "lenet", "control", "encoder", "recurrent")
ELEMENT = {"#": "0.t_f32"}


@pytest.fixture(scope="session")
def models(paddle_fixtures: Path) -> Path:
    return paddle_fixtures / "paddle-3.3.1-pir"


def program(*operators: dict) -> dict:
    """A file with these operators."""
    block = {"#": "block_0", "args": [], "ops": list(operators)}
    return {
        "base_code": {"magic": "pir", "trainable": True, "version": 4},
        "program": {"regions": [{"#": "region_0", "blocks": [block]}]},
    }


def value(number: int, *sizes: int) -> dict:
    return {"%": number, "TT": {"#": "0.t_dtensor", "D": [ELEMENT, list(sizes), "NCHW", [], 0]}}


def attribute(name: str, tag: str, data: object) -> dict:
    return {"N": name, "AT": {"#": tag, "D": data}}


DATA = {
    "#": "1.data",
    "A": [
        attribute("name", "0.a_str", "x"),
        attribute("shape", "1.a_intarray", [2]),
        attribute("dtype", "1.a_dtype", "float32"),
        attribute("place", "1.a_place", [0, 0, ""]),
    ],
    "I": [],
    "O": [value(1, 2)],
}
FETCH = {
    "#": "1.fetch",
    "A": [attribute("name", "0.a_str", "y"), attribute("col", "0.a_i32", 0)],
    "I": [{"%": 2}],
    "O": [value(3, 2)],
}


def unary(name: str) -> dict:
    return {"#": name, "A": [], "I": [{"%": 1}], "O": [value(2, 2)]}


def read(told: object) -> object:
    return read_program(json.dumps(told).encode(), "net.json")


@pytest.mark.parametrize("name", MODELS)
def test_a_model_of_paddle_3_computes_what_paddle_computed(models: Path, name: str) -> None:
    kept = np.load(models / name / "io.npz")
    inputs = [kept[k] for k in sorted(kept) if k.startswith("input")]
    wanted = [kept[k] for k in sorted(kept) if k.startswith("output")]
    prefix = str(models / name / "inference")
    layer = jit.load(prefix)
    layer.eval()
    found = layer(*map(paddle.to_tensor, inputs))
    ways = [found if isinstance(found, (list, tuple)) else [found]]
    config = inference.Config(f"{prefix}.json", f"{prefix}.pdiparams")
    ways.append(inference.create_predictor(config).run(inputs))
    executor = static.Executor()
    with static.scope_guard(static.Scope()):
        loaded, feeds, fetches = static.load_inference_model(prefix, executor)
        ways.append(executor.run(loaded, dict(zip(feeds, inputs, strict=True)), fetches))
    for results in ways:
        for a, b in zip(results, wanted, strict=True):
            np.testing.assert_allclose(np.asarray(a), b, rtol=1e-5, atol=1e-6)


def test_numbers_of_operators_are_attributes(models: Path) -> None:
    """Constants that are not computed with leave no operators."""
    text = read_program((models / "lenet" / "inference.json").read_bytes(), "x").to_text()
    assert "fill" not in text
    assert "constant" not in text


def test_an_operator_is_read() -> None:
    assert [o.op.name for o in read(program(DATA, unary("1.relu"), FETCH)).main.ops] == ["relu"]


def test_what_paddle_3_holds_whole_is_read() -> None:
    """Sums by Einstein's convention, with what Paddle keeps for their gradient; medians."""
    kept = {"%": 4, "TT": {"#": "0.t_vec", "D": [value(0, 2)["TT"]]}}
    equation = [attribute("equation", "0.a_str", "i->i")]
    join = {"#": COMBINE, "A": [], "I": [{"%": 1}], "O": [{**kept, "%": 6}]}
    einsum = {"#": "1.einsum", "A": equation, "I": [{"%": 6}]}
    einsum["O"] = [value(2, 2), kept, {**kept, "%": 5}]
    assert [o.op.name for o in read(program(DATA, join, einsum, FETCH)).main.ops] == ["einsum"]
    for name in ("median", "nanmedian"):
        told = [attribute("axis", "1.a_intarray", [0]), attribute("mode", "0.a_str", "min")]
        told.append(attribute("keepdim", "0.a_bool", True))
        middle = {"#": f"1.{name}", "A": told, "I": [{"%": 1}], "O": [value(2, 1), value(4, 1)]}
        (found,) = read(program(DATA, middle, FETCH)).main.ops
        assert (found.op.name, found.attrs["axis"], found.attrs["mode"]) == (name, (0,), "min")


def test_an_operator_that_is_not_known_is_named() -> None:
    with pytest.raises(UnsupportedError, match=r"net\.json: .*operator moon of Paddle 3"):
        read(program(DATA, unary("1.moon"), FETCH))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("cumprod", [attribute("dim", "0.a_i32", 0), attribute("reverse", "0.a_bool", True)]),
        ("relu", [attribute("slope", "0.a_f32", 0.5)]),
        ("round", [attribute("decimals", "0.a_i32", 2)]),
    ],
)
def test_what_would_change_a_result_is_not_passed_over(name: str, told: list) -> None:
    with pytest.raises(UnsupportedError, match=f"{name} of Paddle 3 with {told[-1]['N']}="):
        read(program(DATA, {**unary(f"1.{name}"), "A": told}, FETCH))


def test_notes_on_an_operator_are_passed_over() -> None:
    told = [attribute("struct_name", "0.a_str", "/Net/")]
    assert read(program(DATA, {**unary("1.relu"), "A": told}, FETCH)).main.ops


def test_sizes_that_only_a_run_knows_are_asked_for_as_numbers() -> None:
    axes = {"#": "1.roll", "A": [attribute("axis", "0.a_array", [])], "I": [{"%": 1}, {"%": 1}]}
    with pytest.raises(TwinoarError, match="shifts must be integers"):
        read(program(DATA, {**axes, "O": [value(2, 2)]}, FETCH))


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"base_code": {"magic": "pir", "version": 99}, "program": {}},
        {"base_code": {"magic": "pir", "version": 4}, "program": {"regions": []}},
        program({"#": "p", "A": [0, 1, 1, 7], "O": value(1, 2), "OA": []}),
        program(unary("1.relu")),
        program(DATA, unary("1.relu"), {**FETCH, "I": [{"%": 9}]}),
        program(DATA, {**unary("1.relu"), "O": [{"%": 2, "TT": {"#": "0.t_dtensor"}}]}, FETCH),
        program(DATA, {"#": "1.if", "A": [], "I": [{"%": 1}], "O": [], "regions": []}),
        program({**DATA, "O": [value(1, -7)]}, unary("1.relu"), FETCH),
    ],
)
def test_what_is_wrong_with_a_file_is_told(told: object) -> None:
    with pytest.raises(FileError, match=r"net\.json"):
        read(told)


@pytest.mark.parametrize("data", [b"{", b"{" * 100_000, b'{"a":' * 5000, b"{\xff}"])
def test_what_is_no_json_is_told(data: bytes) -> None:
    with pytest.raises(FileError, match=r"net\.json"):
        read_program(data, "net.json")


@pytest.mark.parametrize("name", ["lenet", "control"])
def test_damaged_files_end_in_errors_of_ours(models: Path, name: str) -> None:
    told = json.loads((models / name / "inference.json").read_bytes())
    chance = random.Random(len(name))
    for _ in range(150):
        damaged = copy.deepcopy(told)
        _damage(damaged, chance)
        try:
            read(damaged)
        except TwinoarError as error:
            assert "net.json" in str(error)


def _damage(told: object, chance: random.Random) -> None:
    """Change one part of a file, found by a walk at random."""
    while True:
        keys = list(told) if isinstance(told, dict) else range(len(told))
        if not keys:
            return
        key = chance.choice(list(keys))
        inner = told[key]
        if not isinstance(inner, (dict, list)) or not inner or chance.random() < 0.1:
            told[key] = chance.choice([None, -1, 10**12, "x", [], {}, [1, 2], 0.5, True])
            return
        told = inner
