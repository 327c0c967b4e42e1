"""The module outside of pages and Node: wasmtime, which is told nothing of its script."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import wasmtime

from tests.export.native.exported import NETWORKS, Network, assert_near

PAGE = 65536


class Module:
    """A module without imports, and memory that is handed out from the end of its own on."""

    def __init__(self, file: Path):
        engine = wasmtime.Engine()
        self.store = wasmtime.Store(engine)
        module = wasmtime.Module.from_file(engine, str(file))
        assert module.imports == []
        self.exports = wasmtime.Instance(self.store, module, []).exports(self.store)
        self.memory = self.exports["memory"]
        self.end = self.exports["__heap_base"].value(self.store)

    def call(self, name: str, *arguments: int) -> Any:
        return self.exports[f"net_{name}"](self.store, *arguments)

    def room(self, size: int) -> int:
        """Where so many bytes are that nothing uses."""
        at = self.end + -self.end % 64
        self.end = at + size
        lacking = -(-(self.end - self.memory.data_len(self.store)) // PAGE)
        if lacking > 0:
            self.memory.grow(self.store, lacking)
        return at

    def put(self, content: bytes) -> int:
        at = self.room(len(content))
        self.memory.write(self.store, content, at)
        return at

    def words(self, *words: int) -> int:
        return self.put(struct.pack(f"<{len(words)}I", *words))


@pytest.mark.parametrize("network", NETWORKS)
def test_a_module_computes_what_eager_code_does(network: Callable[[], Network], tmp_path):
    net = network()
    net.exported(tmp_path, "wasm32", kind="wasm")
    module = Module(tmp_path / "net.wasm")
    to = module.words(0)
    assert module.call("open", to, 0, 0) == 0
    (model,) = struct.unpack("<I", module.memory.read(module.store, to, to + 4))
    wanted = net.eager()
    inputs = module.words(*(module.put(x.tobytes()) for x in net.inputs))
    places = [module.room(x.nbytes) for x in wanted]
    outputs = module.words(*places)
    size = module.call("verify_bytes")
    workspace = module.room(size)
    assert module.call("verify", model, workspace, size) == 0
    assert module.call("run", model, inputs, outputs, workspace, size) == 0
    found = [
        np.frombuffer(module.memory.read(module.store, at, at + x.nbytes), x.dtype).reshape(x.shape)
        for at, x in zip(places, wanted, strict=True)
    ]
    assert_near(found, wanted)
    assert module.call("run", 0, inputs, outputs, workspace, size) == 1
