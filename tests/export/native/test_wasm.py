"""WebAssembly: a module without imports, and what runs it in pages and Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from tests.export.native.exported import (
    NETWORKS,
    Network,
    assert_near,
    lenet,
    of_function,
    small_convolutions,
)

NODE, NPM = shutil.which("node"), shutil.which("npm")
needs_node = pytest.mark.skipif(NODE is None, reason="there is no node")
CODE_LIMIT = 30_000

PRELUDE = """\
import { load } from "./net.js";
import { readFileSync, writeFileSync } from "node:fs";
const bytes = (name) => new Uint8Array(readFileSync(new URL(name, import.meta.url))).buffer;
const model = await load();
"""


def sections(module: bytes) -> dict[int, bytes]:
    """The sections by number; each is there once, but those of number 0."""
    found, at = {}, 8
    while at < len(module):
        kind, at = module[at], at + 1
        size = shift = 0
        while True:
            byte, at = module[at], at + 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        assert kind == 0 or kind not in found
        found[kind], at = module[at : at + size], at + size
    return found


def in_node(folder: Path, script: str, inputs: Sequence[np.ndarray] = ()) -> str:
    """What a script prints that stands beside the model."""
    for n, x in enumerate(inputs):
        x.tofile(folder / f"x{n}.bin")
    (folder / "script.mjs").write_text(PRELUDE + script)
    done = subprocess.run(
        [str(NODE), "script.mjs"], capture_output=True, text=True, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def runs(network: Network, folder: Path, **options: object) -> list[np.ndarray]:
    """The outputs of a network in Node; its inputs and outputs are float32."""
    network.exported(folder, "wasm32", kind="wasm", **options)
    feeds = ", ".join(
        f'x{n}: new Float32Array(bytes("x{n}.bin"))' for n in range(len(network.inputs))
    )
    script = (
        "model.verify();\n"
        f"const found = model.run({{ {feeds} }});\n"
        "model.outputs.forEach((p, n) => writeFileSync(new URL(`y${n}.bin`, import.meta.url), "
        "found[p.name]));\n"
        "console.log(JSON.stringify(model.outputs.map((p) => p.shape)));\n"
    )
    shapes = json.loads(in_node(folder, script, network.inputs))
    return [
        np.fromfile(folder / f"y{n}.bin", np.float32).reshape(shape)
        for n, shape in enumerate(shapes)
    ]


@needs_node
@pytest.mark.parametrize("network", NETWORKS)
def test_a_module_computes_what_eager_code_does(network: Callable[[], Network], tmp_path):
    net = network()
    assert_near(runs(net, tmp_path), net.eager())


@needs_node
def test_weights_may_lie_beside_the_module(tmp_path):
    net = small_convolutions()
    assert_near(runs(net, tmp_path, weights="beside"), net.eager())
    assert (tmp_path / "net.wasm").stat().st_size < (tmp_path / "net.weights").stat().st_size * 10


@pytest.mark.parametrize("network", NETWORKS)
def test_a_module_imports_nothing(network: Callable[[], Network], tmp_path):
    (file, *_) = network().exported(tmp_path, "wasm32", kind="wasm")
    assert 2 not in sections(Path(file).read_bytes())


def test_the_code_of_lenet_is_small(tmp_path):
    module = Path(lenet().exported(tmp_path, "wasm32", kind="wasm")[0]).read_bytes()
    assert 1000 < len(sections(module)[10]) <= CODE_LIMIT


@needs_node
@pytest.mark.parametrize(
    ("feeds", "message"),
    [
        ("{ x0: [1, 2] }", "x0 is a Float32Array of 2 elements, received Array 2"),
        ("{ x0: new Float32Array(3) }", "received Float32Array 3"),
        ("{}", "received nothing"),
        ("{ y: new Float32Array(2) }", "there is no input y"),
    ],
)
def test_other_inputs_are_refused(feeds, message, tmp_path):
    of_function(lambda x: x + 1, np.ones(2, np.float32)).exported(tmp_path, "wasm32", kind="wasm")
    told = in_node(tmp_path, f"try {{ model.run({feeds}) }} catch (e) {{ console.log(e.message) }}")
    assert message in told


@needs_node
def test_an_index_outside_is_told(tmp_path):
    net = Network(paddle.nn.Embedding(4, 2), (np.array([0, 3]),))
    net.exported(tmp_path, "wasm32", kind="wasm")
    script = (
        "try { model.run({ x0: new BigInt64Array([0n, 4n]) }) }\n"
        "catch (e) { console.log(e.message) }\n"
        "const last = model.run({ x0: new BigInt64Array([0n, 3n]) });\n"
        "console.log(last[model.outputs[0].name].length);\n"
    )
    assert in_node(tmp_path, script).splitlines() == ["x lies outside of the 4 places", "4"]


@needs_node
def test_names_of_inputs_may_be_anything(tmp_path):
    layer, name = paddle.nn.ReLU(), "%NAME% of 'x' \" y"
    spec = [paddle.static.InputSpec([2], "float32", name)]
    Network(layer, ()).exported(tmp_path, "wasm32", kind="wasm", input_spec=spec)
    script = (
        f"const found = model.run({{ [{json.dumps(name)}]: new Float32Array([-1, 2]) }});\n"
        "console.log(Array.from(Object.values(found)[0]).join());\n"
    )
    assert in_node(tmp_path, script) == "0,2\n"


@pytest.mark.skipif(NPM is None, reason="there is no npm")
def test_npm_packs_what_the_package_names(tmp_path):
    small_convolutions().exported(tmp_path, "wasm32", kind="wasm", weights="beside")
    done = subprocess.run(
        [str(NPM), "pack", "--dry-run", "--json"],
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    files = {f["path"] for f in json.loads(done.stdout)[0]["files"]}
    assert files == {"net.wasm", "net.js", "net.d.ts", "net.weights", "package.json"}
