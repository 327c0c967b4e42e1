"""`python -m paddle_serving_server.serve`: serves a converted model.

    twinoar run -m paddle_serving_server.serve --model serving_server --port 9393

HTTP is at the port, with Paddle Serving's messages and with the Open Inference Protocol; gRPC is at
the port after it, as one of ours does not serve both.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from twinoar.errors import FileError, TwinoarError, UnsupportedError
from twinoar.formats.paddle_serving import GeneralModelConfig
from twinoar.formats.protobuf import parse_text
from twinoar.serving.configuration import Defaults
from twinoar.serving.paddle.client.io import SERVER_CONFIG
from twinoar.serving.paddle.service import PaddleService
from twinoar.serving.repository import Repository
from twinoar.serving.server import Ports, Server, start_logs
from twinoar.serving.state import Limits, State

USUAL_NAME = "general_infer_0"  # what Paddle Serving calls its engine
# Options that concern its engine, and change nothing here.
WITHOUT_EFFECT = ("mem_optim", "ir_optim", "use_mkl", "use_calib", "enable_batch_align")


def parse_args(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options, those of Paddle Serving."""
    parser = argparse.ArgumentParser("serve")
    add = parser.add_argument
    add("--model", required=True, help="the folder that convert wrote for the server")
    add("--port", type=int, default=9393, help="of HTTP; gRPC is at the one after it")
    add("--thread", type=int, default=0, help="of each run of the model, 0 for all cores")
    add("--name", help="serve /NAME/prediction too, in JSON")
    add("--max_body_size", type=int, default=64 << 20, help="bytes")
    add("--batch_infer_size", type=int, default=32, help="the most rows that run together")
    add("--device", default="cpu", choices=["cpu"])
    add("--gpu_ids", default="", help="none: this server runs on the CPU")
    add("--precision", default="fp32", choices=["fp32"])
    add("--host", default="0.0.0.0", help="the address to listen at")
    for name in WITHOUT_EFFECT:
        add(f"--{name}", default=False, action="store_true", help="accepted")
    return parser.parse_args(arguments)


def made(options: argparse.Namespace, folder: str) -> Server:
    """The server that options ask for. folder: where a repository of the model may be made.

    Raises FileError, ServingError and UnsupportedError.
    """
    if options.gpu_ids:
        raise UnsupportedError("this server runs on the CPU", cure="leave out --gpu_ids")
    model = Path(options.model)
    file = model / f"{SERVER_CONFIG}.prototxt"
    if not file.is_file():
        raise FileError(f"there is no {file}", cure="run paddle_serving_client.convert first")
    config = parse_text(GeneralModelConfig, file.read_text(), str(file))
    version = Path(folder) / USUAL_NAME / "1"
    version.mkdir(parents=True)
    _link(model, version)
    defaults = Defaults(max_batch_size=options.batch_infer_size, threads=options.thread)
    repository = Repository(folder, defaults=defaults)
    repository.load(USUAL_NAME)
    state = State(repository, Limits(body_bytes=options.max_body_size))
    service = PaddleService(state, USUAL_NAME, config)
    grpc_port = options.port + 1 if options.port else 0
    return Server(
        state,
        Ports(options.host, options.port, grpc_port, None),
        more=service.routes(options.name),
        services=[service.handler],
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the end; 0, or 1 where the server cannot start."""
    start_logs(access=False)
    try:
        with tempfile.TemporaryDirectory() as folder:
            return 0 if made(parse_args(arguments), folder).run() else 1
    except TwinoarError as error:
        print(f"serve: {error.message}", file=sys.stderr)
        return 1


def _link(model: Path, version: Path) -> None:
    """The model's files under names that go together: program and parameters have the same stem."""
    programs = sorted(model.glob("*.pdmodel")) or sorted(model.glob("*.json"))
    parameters = sorted(model.glob("*.pdiparams"))
    if len(programs) == 1 and len(parameters) <= 1:
        (version / f"model{programs[0].suffix}").symlink_to(programs[0].resolve())
        for file in parameters:
            (version / "model.pdiparams").symlink_to(file.resolve())
        return
    others = [x for x in model.iterdir() if x.is_file() and x.suffix != ".prototxt"]
    for file in others:
        (version / file.name).symlink_to(file.resolve())


if __name__ == "__main__":
    raise SystemExit(main())
