"""Networks in a page: twinoar's WebAssembly beside onnxruntime-web, in Node and headless Chromium.

Each network has random weights and sees one image. It is exported twice, as a module of WebAssembly
and as an ONNX file, and both are loaded into one page, or one process of Node, with one thread: the
same script runs there, times them in turns, and gives the least of all turns. Results that differ
are an error. The peer comes from npm:

    npm install --prefix folder onnxruntime-web
    python benchmarks/pages.py --peer folder

Without `--peer` there is twinoar alone; `--browser` names a Chromium, in which the page is opened
once more.
"""

from __future__ import annotations

import argparse
import http.server
import json
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.export.native import export
from twinoar.static import InputSpec
from twinoar.vision import models

NETWORKS = ("resnet18", "mobilenet_v2")
CLOSE = 1e-4  # of the largest result: two orders of sums
SECONDS = 600  # for one page
PEER_FILES = "node_modules/onnxruntime-web/dist"
BROWSER_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip

# Runs in a page and in Node: `at` reads a file of the folder, `peer` is onnxruntime-web or null.
SCRIPT = """
export async function measured(settings, at, peer) {
  const ours = await (await import(settings.module)).load(await at(settings.wasm));
  const values = new Float32Array((await at("image.bin")).buffer);
  const runs = { twinoar: async () => Object.values(ours.run({ x: values }))[0] };
  if (peer) {
    peer.env.wasm.numThreads = 1;
    const model = await at(settings.onnx);
    const session = await peer.InferenceSession.create(model, { executionProviders: ["wasm"] });
    const x = new peer.Tensor("float32", values, settings.shape);
    runs["onnxruntime-web"] = async () => (await session.run({ x }))[session.outputNames[0]].data;
  }
  const least = {}, results = {};
  for (const [name, run] of Object.entries(runs)) results[name] = Array.from(await run());
  for (let turn = 0; turn < settings.turns; turn++) {
    for (const [name, run] of Object.entries(runs)) {
      const before = performance.now();
      await run();
      least[name] = Math.min(least[name] ?? Infinity, performance.now() - before);
    }
  }
  return { least, results };
}
"""

IN_NODE = """
import { readFileSync } from "node:fs";
import { measured } from "./measured.js";
const settings = JSON.parse(process.argv[2]);
const peer = settings.peer ? await import(settings.peer) : null;
const at = async (name) => new Uint8Array(readFileSync(new URL(name, import.meta.url)));
console.log(JSON.stringify(await measured(settings, at, peer)));
"""

IN_PAGE = """<!doctype html>
<script type="module">
import { measured } from "./measured.js";
const settings = SETTINGS;
const told = (answer) => fetch("answer", { method: "POST", body: JSON.stringify(answer) });
try {
  const peer = settings.peer ? await import("./peer/ort.wasm.min.mjs") : null;
  const at = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
  await told(await measured(settings, at, peer));
} catch (error) {
  await told({ error: String(error) });
}
</script>
"""


def written(name: str, side: int, turns: int, peer: str, folder: Path) -> tuple[dict, np.ndarray]:
    """Write a network and an image into a folder; what the script is told, and Python's result."""
    paddle.seed(0)
    network = getattr(models, name)()
    network.eval()
    shape = [1, 3, side, side]
    image = np.random.default_rng(0).standard_normal(shape, dtype="float32")
    (folder / "image.bin").write_bytes(image.tobytes())
    (folder / "measured.js").write_text(SCRIPT)
    (folder / "node.mjs").write_text(IN_NODE)
    spec = [InputSpec(shape, "float32", "x")]
    export(network, folder, target="wasm32", kind="wasm", name=name, input_spec=spec)
    paddle.onnx.export(network, str(folder / name), spec, opset_version=17)
    settings = {
        "module": f"./{name}.js", "wasm": f"{name}.wasm", "onnx": f"{name}.onnx",
        "shape": shape, "turns": turns, "peer": peer,
    }  # fmt: skip
    with paddle.no_grad():
        return settings, network(paddle.to_tensor(image)).numpy()


def in_node(folder: Path, settings: dict) -> dict[str, Any]:
    """What the script finds in Node."""
    command = ["node", "node.mjs", json.dumps(settings)]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    if done.returncode:
        sys.exit(f"Node: {done.stderr.strip()[-2000:]}")
    return json.loads(done.stdout)


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, and takes the page's answer."""

    extensions_map = {  # noqa: RUF012  # as its base has it
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm",
    }  # fmt: skip

    def __init__(self, *args: Any, answers: queue.Queue, **kwargs: Any):
        self.answers = answers
        super().__init__(*args, **kwargs)

    def do_POST(self) -> None:
        """The answer."""
        self.answers.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path, answers: queue.Queue) -> Iterator[str]:
    """Serve a folder on this machine; the address."""
    handler = partial(Handler, directory=str(folder), answers=answers)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def in_browser(browser: str, folder: Path, settings: dict) -> dict[str, Any]:
    """What the script finds in a page."""
    page = IN_PAGE.replace("SETTINGS", json.dumps(settings))
    (folder / "page.html").write_text(page)
    if settings["peer"] and not (folder / "peer").exists():
        (folder / "peer").symlink_to(Path(settings["peer"]).parent)
    answers: queue.Queue = queue.Queue()
    with served(folder, answers) as address, tempfile.TemporaryDirectory() as profile:
        command = [browser, *BROWSER_OPTIONS, f"--user-data-dir={profile}", f"{address}/page.html"]
        opened = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            found = answers.get(timeout=SECONDS)
        except queue.Empty:
            sys.exit(f"the page gave no answer in {SECONDS} s")
        finally:
            opened.terminate()
            opened.wait()
    if "error" in found:
        sys.exit(f"in the page: {found['error']}")
    return found


def differing(results: dict[str, list], wanted: np.ndarray) -> list[str]:
    """Whose results are not those of Python."""
    most = CLOSE * np.abs(wanted).max()
    return [n for n, found in results.items() if np.abs(found - wanted.ravel()).max() > most]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", nargs="*", default=NETWORKS)
    parser.add_argument("--peer", default="", help="the folder with node_modules")
    parser.add_argument("--browser", default="", help="a Chromium")
    parser.add_argument("--side", type=int, default=224, help="of images, in pixels")
    parser.add_argument("--turns", type=int, default=10)
    given = parser.parse_args()
    peer = Path(given.peer).resolve() / PEER_FILES / "ort.wasm.min.mjs" if given.peer else None
    wrong = []
    for name in given.networks:
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            settings, wanted = written(name, given.side, given.turns, str(peer or ""), folder)
            ways = {"Node": in_node(folder, settings)}
            if given.browser:
                ways["Chromium"] = in_browser(given.browser, folder, settings)
            for where, found in ways.items():
                least = {peer: f"{ms:.1f} ms" for peer, ms in found["least"].items()}
                size = (folder / settings["wasm"]).stat().st_size
                print(f"{name} in {where}: {least}, {size / 1e6:.1f} MB", flush=True)
                wrong += [f"{name}: {p} in {where}" for p in differing(found["results"], wanted)]
    if wrong:
        sys.exit(f"other results than in Python: {wrong}")


if __name__ == "__main__":
    main()
