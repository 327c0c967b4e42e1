"""The command `twinoar`: runs scripts written for Paddle, and shows what becomes of a model.

`twinoar run script.py arguments` is `python script.py arguments` with `import paddle` served by
twinoar: the same `sys.argv`, `__main__`, `__file__`, `sys.path[0]`, traceback and exit code.

`twinoar run -m module arguments` is `python -m module arguments` in the same way, so that
`twinoar run -m paddle.distributed.launch train.py` starts what is started by Paddle's launcher.

`twinoar launch --nproc_per_node 2 script.py` is `python -m paddle.distributed.launch`: it runs the
script in two processes, which can train together.

`twinoar view model.py:function` writes a page that shows the Program, passes and kernels; so does
`twinoar view` of a saved model's prefix, or of a script, which it runs. `twinoar view a b` shows
the difference of two.

`twinoar to-python model.pdmodel -o model.py` writes a saved model as Python that builds it again.

`twinoar export prefix --onnx model.onnx` writes a saved model in the form of ONNX. `twinoar import
model.onnx -o folder/model` saves a model of ONNX, and writes it as Python; `twinoar x2paddle` does
so with X2Paddle's arguments and files.

`twinoar export prefix --target aarch64 --kind shared -o folder` writes a saved model as a library
of machine code with a C header, or for pages as WebAssembly, on any host and without a compiler.

`twinoar plot run/ -o curves.png` draws the training curves that `callbacks.VisualDL` wrote, and
`twinoar board runs/` serves a page about trainings that follows what they write.

`twinoar precision prefix` runs a saved model in float32 and in lower precision, and shows how many
bits each operator loses, and where the first bad result is.

`twinoar verify prefix` runs a model that was saved with `verify=True` on the inputs kept beside it,
and compares with what its Python code gave then.

`twinoar plan prefix --ranks 4096 --network 25us,25Gbit/s` prices a step of training a saved model
on ranks that are not there; `twinoar plan --measure network.json --ranks 2` measures a network.

`twinoar serve models/` serves the models of a folder over HTTP and gRPC.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from twinoar import version
from twinoar.cli import exchange, model, planning, records, script, serve
from twinoar.cli.exit_code import CANNOT_SHOW
from twinoar.errors import TwinoarError

FAMILIES = (script, model, exchange, records, planning, serve)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command itself; returns the exit code. `arguments` defaults to those of the process."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:2] == ["run", "-m"] and given[2:]:
        return script.run_module(given[2], given[3:])
    if given[:1] == ["launch"]:  # its options are the launcher's
        return script.launched(given[1:])
    parser = argparse.ArgumentParser(
        prog="twinoar", description="A deep-learning framework with Paddle's public API."
    )
    parser.add_argument("--version", action="version", version=_versions())
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for family in FAMILIES:
        family.declare(commands)
    parsed = parser.parse_args(given)
    if parsed.command == "run":  # what the script raises is its own
        return script.run(parsed.script, parsed.arguments)
    try:
        return parsed.act(parsed)
    except TwinoarError as error:
        print(f"twinoar: {error}", file=sys.stderr)
        return CANNOT_SHOW


def _versions() -> str:
    python = ".".join(map(str, sys.version_info[:3]))
    return f"twinoar {version.__version__} (Paddle API {version.full_version}), Python {python}"
