"""What is shown of a model: `twinoar view`, `verify`, `precision`, `to-python`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twinoar import compat, debug, static
from twinoar.cli.exit_code import CANNOT_OPEN, DIFFERS
from twinoar.cli.script import run
from twinoar.errors import ArgumentError, FileError, TwinoarError
from twinoar.export.objects import load
from twinoar.export.save import repeat_verification
from twinoar.inspection import precision


def declare(commands: Any) -> None:
    """Say what the commands take."""
    _declare_view(commands)
    verifier = commands.add_parser(
        "verify",
        help="compare a saved model with what its Python code computed when it was saved",
        description="Run a model that was saved with verify=True on the inputs kept beside it.",
    )
    verifier.add_argument("prefix", help="the prefix of the saved model")
    verifier.set_defaults(act=lambda given: verify(given.prefix))
    _declare_precision(commands)
    writer = commands.add_parser(
        "to-python",
        help="write a saved model as a Python file that builds it again",
        description="Write a saved model as a Python file; with -o its parameters stand beside it.",
    )
    writer.add_argument("model", help="the .pdmodel, or the prefix of a saved model")
    writer.add_argument("-o", "--output", metavar="FILE", help="the file, else standard output")
    writer.set_defaults(act=lambda given: to_python(given.model, given.output))


def _declare_view(commands: Any) -> None:
    viewer = commands.add_parser(
        "view",
        help="write an HTML page that shows what a model is compiled to",
        description="Run a function, a saved model or a script, and write one HTML page about what "
        "was compiled: Program and source, passes, kernels and their times, memory over time. Of "
        "two functions or saved models, the page begins with their difference.",
    )
    viewer.add_argument(
        "target", help="model.py:function, the prefix of a saved model, or script.py"
    )
    viewer.add_argument(
        "-i",
        "--input",
        action="append",
        default=[],
        metavar="SPEC",
        help="what an argument is, such as f32[64,784]; once for each",
    )
    viewer.add_argument("-o", "--output", metavar="FILE", help="the page, target's name .html")
    viewer.add_argument(
        "--bits",
        choices=("bfloat16", "float16"),
        help="show also how many bits each operator loses in this dtype",
    )
    viewer.add_argument(
        "arguments",
        nargs="*",
        metavar="other",
        help="a second function or saved model; of a script, its own arguments, after --",
    )
    viewer.set_defaults(act=lambda g: view(g.target, g.input, g.output, g.arguments, g.bits))


def _declare_precision(commands: Any) -> None:
    parser = commands.add_parser(
        "precision",
        help="show how many bits each operator of a saved model loses in lower precision",
        description="Run a saved model in float32 and under auto_cast, and compare each result.",
    )
    parser.add_argument("prefix", help="the prefix of the saved model")
    parser.add_argument("--level", default="O1", choices=("O1", "O2", "OD"))
    parser.add_argument(
        "--dtype", default="bfloat16", choices=("bfloat16", "float16"), help="the low one"
    )
    parser.add_argument(
        "-i", "--inputs", metavar="FILE", help="an .npz file of inputs by name, else random ones"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="an HTML page as well")
    parser.set_defaults(
        act=lambda g: show_precision(g.prefix, g.level, g.dtype, g.inputs, g.output)
    )


def view(
    target: str,
    inputs: Sequence[str],
    output: str | None,
    arguments: Sequence[str],
    bits: str | None = None,
) -> int:
    """Write the page of a target, or of two and their difference, and print its path."""
    is_script = target.endswith(".py")
    if not is_script and len(arguments) > 1:
        raise ArgumentError(
            f"a page compares two models, received {1 + len(arguments)}",
            cure="name two functions or saved models",
        )

    def run_script(file: str) -> None:
        if run(file, arguments) == CANNOT_OPEN:
            raise SystemExit(CANNOT_OPEN)

    compat.install()
    file = output or f"{Path(target.partition(':')[0]).stem}.html"
    losses = debug.losses_of_target(target, inputs, bits) if bits else []
    made = debug.executables_of(target, inputs, run_script)
    title = Path(target).name
    if is_script or not arguments:
        print(debug.write_page(made, file, title, losses=losses))
        return 0
    beside = debug.executables_of(arguments[0], inputs, run_script)
    names = title, Path(arguments[0]).name
    title = " and ".join(names)
    print(debug.write_page(made, file, title, beside=beside, names=names, losses=losses))
    return 0


def verify(prefix: str) -> int:
    """Repeat the verification of a saved model, and print a table; 1 where something differs.

    2 where a file is missing, or does not read.
    """
    try:
        rows = repeat_verification(prefix)
    except FileError as error:
        print(f"twinoar: {error}", file=sys.stderr)
        return CANNOT_OPEN
    print(f"{'method':<12} {'inputs':<40} {'gap':>10}  (1: what rounding allows)")
    print(*rows, sep="\n")
    different = sum(not row.is_same for row in rows)
    print(f"{len(rows) - different} of {len(rows)} inputs give the same")
    return DIFFERS if different else 0


def show_precision(
    prefix: str, level: str, dtype: str, inputs: str | None, output: str | None
) -> int:
    """Print a table of the bits that operators lose; 0, or 1 where a result is bad.

    2 where the model, or a file of inputs, does not read.
    """
    try:
        given = {} if inputs is None else dict(np.load(inputs, allow_pickle=False))
        losses = precision.losses_of(prefix, level, dtype, given)
    except (OSError, ValueError, TwinoarError) as error:
        print(f"twinoar: {error}", file=sys.stderr)
        return CANNOT_OPEN
    print(precision.table(losses))
    if output is not None:
        print(precision.write_page(losses, output, f"{Path(prefix).name} in {dtype}, {level}"))
    return DIFFERS if any(x.is_bad for x in losses) else 0


def to_python(model: str, output: str | None) -> int:
    """Write a saved model as Python."""
    prefix = model.removesuffix(".pdmodel")
    with static.scope_guard(static.Scope()):
        if output is None:
            print(load(f"{prefix}.pdmodel").to_python(sources=False), end="")
        else:
            program = static.load_inference_model(prefix)[0]
            program.to_python(output, values=True, sources=False)
    return 0
