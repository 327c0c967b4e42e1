"""The command `twinoar`: runs scripts written for Paddle, and shows what becomes of a model.

`twinoar run script.py arguments` is `python script.py arguments` with `import paddle` served by
twinoar: the same `sys.argv`, `__main__`, `__file__`, `sys.path[0]`, traceback and exit code.

`twinoar run -m module arguments` is `python -m module arguments` in the same way, so that
`twinoar run -m paddle.distributed.launch train.py` starts what is started by Paddle's launcher.

`twinoar launch --nproc_per_node 2 script.py` is `python -m paddle.distributed.launch`: it runs the
script in two processes, which can train together.

`twinoar view model.py:function` writes a page that shows the Program, passes and kernels; so does
`twinoar view` of a saved model's prefix, or of a script, which it runs.

`twinoar to-python model.pdmodel -o model.py` writes a saved model as Python that builds it again.

`twinoar export prefix --onnx model.onnx` writes a saved model in the form of ONNX. `twinoar import
model.onnx -o folder/model` saves a model of ONNX, and writes it as Python; `twinoar x2paddle` does
so with X2Paddle's arguments and files.

`twinoar plot run/ -o curves.png` draws the training curves that `callbacks.VisualDL` wrote.

`twinoar precision prefix` runs a saved model in float32 and in lower precision, and shows how many
bits each operator loses, and where the first bad result is.

`twinoar verify prefix` runs a model that was saved with `verify=True` on the inputs kept beside it,
and compares with what its Python code gave then.
"""

from __future__ import annotations

import argparse
import builtins
import runpy
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import numpy as np

from twinoar import compat, debug, static, version
from twinoar.callbacks.curves import draw_curves
from twinoar.distributed.launch import launch
from twinoar.errors import FileError, TwinoarError
from twinoar.export.objects import load
from twinoar.export.save import repeat_verification
from twinoar.inspection import precision
from twinoar.onnx.commands import export_saved, import_model
from twinoar.runtime.collective.job import announce_rank

CANNOT_SHOW = DIFFERS = 1
CANNOT_OPEN = 2  # python's own exit code for a script that it cannot open


def main(arguments: Sequence[str] | None = None) -> int:
    """The command itself; returns the exit code. `arguments` defaults to those of the process."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:2] == ["run", "-m"] and given[2:]:
        return run_module(given[2], given[3:])
    if given[:1] == ["launch"]:  # its options are the launcher's
        return launched(given[1:])
    parser = argparse.ArgumentParser(
        prog="twinoar", description="A deep-learning framework with Paddle's public API."
    )
    parser.add_argument("--version", action="version", version=_versions())
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    runner = commands.add_parser(
        "run",
        help="run a Python script with `import paddle` served by twinoar",
        description="Run a Python script as python does, with `import paddle` served by twinoar; "
        "with -m MODULE, that module.",
    )
    runner.add_argument("script", help="the script's file")
    runner.add_argument("arguments", nargs=argparse.REMAINDER, help="the script's own arguments")
    launcher = commands.add_parser(
        "launch",
        help="run a script in several processes that train together",
        description="Run a script as paddle.distributed.launch does, with its options: "
        "twinoar launch --nproc_per_node 2 train.py.",
        add_help=False,
    )
    launcher.add_argument("arguments", nargs=argparse.REMAINDER)
    viewer = commands.add_parser(
        "view",
        help="write an HTML page that shows what a model is compiled to",
        description="Run a function, a saved model or a script, and write one HTML page about what "
        "was compiled: Program, passes, kernels and their times.",
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
    viewer.add_argument("arguments", nargs="*", help="a script's own arguments, after --")
    verifier = commands.add_parser(
        "verify",
        help="compare a saved model with what its Python code computed when it was saved",
        description="Run a model that was saved with verify=True on the inputs kept beside it.",
    )
    verifier.add_argument("prefix", help="the prefix of the saved model")
    precision_parser = commands.add_parser(
        "precision",
        help="show how many bits each operator of a saved model loses in lower precision",
        description="Run a saved model in float32 and under auto_cast, and compare each result.",
    )
    precision_parser.add_argument("prefix", help="the prefix of the saved model")
    precision_parser.add_argument("--level", default="O1", choices=("O1", "O2", "OD"))
    precision_parser.add_argument(
        "--dtype", default="bfloat16", choices=("bfloat16", "float16"), help="the low one"
    )
    precision_parser.add_argument(
        "-i", "--inputs", metavar="FILE", help="an .npz file of inputs by name, else random ones"
    )
    precision_parser.add_argument("-o", "--output", metavar="FILE", help="an HTML page as well")
    writer = commands.add_parser(
        "to-python",
        help="write a saved model as a Python file that builds it again",
        description="Write a saved model as a Python file; with -o its parameters stand beside it.",
    )
    writer.add_argument("model", help="the .pdmodel, or the prefix of a saved model")
    writer.add_argument("-o", "--output", metavar="FILE", help="the file, else standard output")
    exporter = commands.add_parser(
        "export",
        help="write a saved model in the form of ONNX",
        description="Write a saved model as an ONNX file.",
    )
    exporter.add_argument("prefix", help="the prefix of the saved model")
    exporter.add_argument("--onnx", metavar="FILE", required=True, help="the file to write")
    exporter.add_argument("--opset", type=int, default=17, help="the version of the operators")
    importer = commands.add_parser(
        "import",
        help="save a model of ONNX or torch, and write it as Python",
        description="Save a model of ONNX, or of torch.export, as a Program with its parameters, "
        "and as Python.",
    )
    importer.add_argument("model", help="the .onnx or .pt2 file")
    importer.add_argument("-o", "--output", metavar="PREFIX", required=True, help="of the files")
    converter = commands.add_parser("x2paddle", help="import, with the arguments of X2Paddle")
    converter.add_argument("--framework", choices=("onnx",), required=True)
    converter.add_argument("--model", "-m", required=True, help="the .onnx file")
    converter.add_argument("--save_dir", "-s", default="pd_model", help="the folder to write")
    plotter = commands.add_parser(
        "plot",
        help="draw training curves",
        description="Draw the training curves in the event files of a folder.",
    )
    plotter.add_argument("folder", help="the log_dir of callbacks.VisualDL")
    plotter.add_argument("-o", "--output", metavar="FILE", help="the picture, folder/curves.png")
    parsed = parser.parse_args(given)
    if parsed.command == "run":
        return run(parsed.script, parsed.arguments)
    if parsed.command == "verify":
        return verify(parsed.prefix)
    if parsed.command == "precision":
        chosen = (parsed.level, parsed.dtype, parsed.inputs, parsed.output)
        return show_precision(parsed.prefix, *chosen)
    if parsed.command == "to-python":
        return to_python(parsed.model, parsed.output)
    if parsed.command == "export":
        return written(lambda: [export_saved(parsed.prefix, parsed.onnx, parsed.opset)])
    if parsed.command == "import":
        prefix = parsed.output
        return written(lambda: import_model(parsed.model, prefix, f"{prefix}.py"))
    if parsed.command == "x2paddle":
        folder = parsed.save_dir
        prefix, code = f"{folder}/inference_model/model", f"{folder}/x2paddle_code.py"
        return written(lambda: import_model(parsed.model, prefix, code))
    if parsed.command == "plot":
        return plot(parsed.folder, parsed.output)
    return view(parsed.target, parsed.input, parsed.output, parsed.arguments)


def run(script: str, arguments: Sequence[str]) -> int:
    """Run the file `script` as `__main__`, as python does; returns 0, or 2 if it cannot be read.

    What the script raises is printed without twinoar's own frames on top, and ends the process
    as it would end python.
    """
    file = str(Path(script).absolute())
    try:
        source = Path(script).read_bytes()
    except OSError as error:
        reason = f"[Errno {error.errno}] {error.strerror}"
        print(f"twinoar: can't open file {file!r}: {reason}", file=sys.stderr)
        return CANNOT_OPEN
    announce_rank()
    compat.install()
    module = _main_module(file)
    sys.modules["__main__"] = module
    sys.argv = [script, *arguments]
    if not sys.flags.safe_path:
        sys.path[0] = str(Path(script).resolve().parent)
    try:
        exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    except SystemExit:
        raise
    except BaseException as error:
        _report(error)
        raise
    return 0


def launched(arguments: Sequence[str]) -> int:
    """Run a script in several processes; returns their exit code, or 2 for wrong arguments."""
    try:
        launch(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    except TwinoarError as error:
        print(f"twinoar: {error}", file=sys.stderr)
    return CANNOT_OPEN


def run_module(name: str, arguments: Sequence[str]) -> int:
    """Run the module `name` as `__main__`, as `python -m` does; a module of Paddle is twinoar's."""
    compat.install()
    sys.argv = [name, *arguments]
    first, dot, rest = name.partition(".")
    served = f"twinoar{dot}{rest}" if first == "paddle" else name
    runpy.run_module(served, run_name="__main__", alter_sys=True)
    return 0


def to_python(model: str, output: str | None) -> int:
    """Write a saved model as Python; returns 0, or 1 if that is not possible."""
    prefix = model.removesuffix(".pdmodel")
    try:
        with static.scope_guard(static.Scope()):
            if output is None:
                print(load(f"{prefix}.pdmodel").to_python(sources=False), end="")
            else:
                program = static.load_inference_model(prefix)[0]
                program.to_python(output, values=True, sources=False)
    except TwinoarError as error:
        print(f"twinoar: {error}", file=sys.stderr)
        return CANNOT_SHOW
    return 0


def written(write: Callable[[], list[str]]) -> int:
    """Write files and print their paths; returns 0, or 1 if that cannot be."""
    try:
        print(*write(), sep="\n")
    except TwinoarError as error:
        print(f"twinoar: {error}", file=sys.stderr)
        return CANNOT_SHOW
    return 0


def plot(folder: str, output: str | None) -> int:
    """Draw training curves and print the picture's path; returns 0, or 1 if that cannot be."""
    try:
        print(draw_curves(folder, output or Path(folder) / "curves.png"))
    except TwinoarError as error:
        print(f"twinoar: {error}", file=sys.stderr)
        return CANNOT_SHOW
    return 0


def view(target: str, inputs: Sequence[str], output: str | None, arguments: Sequence[str]) -> int:
    """Write the page of a target and print its path; returns 0, or 1 if that is not possible."""

    def run_script(file: str) -> None:
        if run(file, arguments) == CANNOT_OPEN:
            raise SystemExit(CANNOT_OPEN)

    compat.install()
    file = output or f"{Path(target.partition(':')[0]).stem}.html"
    try:
        made = debug.executables_of(target, inputs, run_script)
        print(debug.write_page(made, file, Path(target).name))
    except TwinoarError as error:
        print(f"twinoar: {error}", file=sys.stderr)
        return CANNOT_SHOW
    return 0


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


def _main_module(file: str) -> ModuleType:
    """An empty `__main__` as python makes it for a script."""
    module = ModuleType("__main__")
    module.__file__ = file
    module.__loader__ = SourceFileLoader("__main__", file)
    module.__dict__.update(__builtins__=builtins, __annotations__={}, __cached__=None)
    return module


def _report(error: BaseException) -> None:
    """Print the traceback from the script's first frame on, and keep python from repeating it."""
    own = error.__traceback__
    of_script = own.tb_next if own else None
    sys.excepthook(type(error), error.with_traceback(of_script), of_script)
    sys.excepthook = lambda *printed: None


def _versions() -> str:
    python = ".".join(map(str, sys.version_info[:3]))
    return f"twinoar {version.__version__} (Paddle API {version.full_version}), Python {python}"
