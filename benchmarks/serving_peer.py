"""Other servers with onnxruntime behind them, for `serving_load.py compare`; no part of twinoar.

`python benchmarks/serving_peer.py bentoml FOLDER PORT THREADS` serves each `FOLDER/NAME.onnx` by a
BentoML service, with batching of arrays as its documentation shows (its HTTP has arrays as JSON
alone), and of bytes beside it, which it does not batch. `triton` serves them by Triton as
`nvidia-pytriton` brings it, with dynamic batching (Triton's own backend for onnxruntime is in no
wheel). Each needs its package and onnxruntime.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

SERVICE = """
from typing import Annotated

import bentoml
import numpy as np
import onnxruntime
from bentoml.validators import ContentType

@bentoml.service(workers=1, threads=THREADS_OF_CALLS, traffic={"timeout": 60, "concurrency": 64})
class Served:
    def __init__(self):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        self.sessions = {
            name: onnxruntime.InferenceSession(file, options, ["CPUExecutionProvider"])
            for name, file in FILES.items()
        }
"""
METHODS = """
    @bentoml.api(batchable=True, batch_dim=0, max_batch_size=8, max_latency_ms=10_000)
    def NAME(self, x: np.ndarray) -> np.ndarray:
        session = self.sessions["NAME"]
        return session.run(None, {session.get_inputs()[0].name: x.astype("float32", copy=False)})[0]

    @bentoml.api
    def NAME_bytes(
        self, data: Annotated[bytes, ContentType("application/octet-stream")], /
    ) -> Annotated[bytes, ContentType("application/octet-stream")]:
        session = self.sessions["NAME"]
        told = session.get_inputs()[0]
        x = np.frombuffer(data, "float32").reshape(-1, *told.shape[1:])
        return session.run(None, {told.name: x})[0].tobytes()
"""


def bentoml(folder: Path, port: int, threads: int) -> None:
    """Become BentoML's server."""
    files = {file.stem: str(file) for file in folder.glob("*.onnx")}
    code = SERVICE.replace("THREADS_OF_CALLS", "1").replace("THREADS", str(threads))
    code = code.replace("FILES", repr(files))
    code += "".join(METHODS.replace("NAME", name) for name in files)
    (folder / "service.py").write_text(code)
    os.environ |= {"BENTOML_DO_NOT_TRACK": "True"}
    command = [sys.executable, "-m", "bentoml", "serve", "service:Served", "--port", str(port)]
    os.chdir(folder)
    os.execv(sys.executable, [*command, "--host", "127.0.0.1"])


def triton(folder: Path, port: int, threads: int) -> None:
    """Serve by Triton, whose models call back into this process."""
    library = str(Path(sys.base_prefix) / "lib")  # Triton's own Python looks for libpython
    if library not in os.environ.get("LD_LIBRARY_PATH", ""):
        os.environ["LD_LIBRARY_PATH"] = library
        os.execv(sys.executable, [sys.executable, *sys.argv])
    import numpy as np
    import onnxruntime
    from pytriton.decorators import batch
    from pytriton.model_config import DynamicBatcher, ModelConfig, Tensor
    from pytriton.triton import Triton, TritonConfig

    config = TritonConfig(
        http_port=port, http_address="127.0.0.1", grpc_port=port + 1, allow_metrics=False
    )
    with Triton(config=config, workspace=str(folder / "workspace")) as server:
        for file in folder.glob("*.onnx"):
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = threads
            providers = ["CPUExecutionProvider"]
            session = onnxruntime.InferenceSession(str(file), options, providers)

            @batch
            def infer(x, session=session):
                return [session.run(None, {session.get_inputs()[0].name: x})[0]]

            sides = session.get_inputs()[0], session.get_outputs()[0]
            x, y = (
                Tensor(name=name, dtype=np.float32, shape=tuple(side.shape[1:]))
                for name, side in zip("xy", sides, strict=True)
            )
            told = ModelConfig(max_batch_size=8, batcher=DynamicBatcher())
            server.bind(file.stem, infer, inputs=[x], outputs=[y], config=told)
        server.serve()


if __name__ == "__main__":
    which, place, at, count = sys.argv[1:]
    {"bentoml": bentoml, "triton": triton}[which](Path(place).resolve(), int(at), int(count))
