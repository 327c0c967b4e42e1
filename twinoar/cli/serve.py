"""`twinoar serve`: a server of saved models."""

from __future__ import annotations

from typing import Any

from twinoar.serving import command


def declare(commands: Any) -> None:
    """Say what `serve` takes."""
    server = commands.add_parser(
        "serve",
        help="serve the models of a folder over HTTP and gRPC",
        description="Serve saved models by the Open Inference Protocol, in batches.",
    )
    command.add_arguments(server)
    server.set_defaults(act=command.serve)
