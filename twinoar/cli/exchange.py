"""Models in the forms of others: `twinoar export`, `import`, `x2paddle`."""

from __future__ import annotations

from typing import Any

from twinoar.export.native.commands import add_native_arguments, export_native
from twinoar.export.native.targets import MACHINES
from twinoar.onnx.commands import export_saved, import_model


def declare(commands: Any) -> None:
    """Say what the commands take."""
    exporter = commands.add_parser(
        "export",
        help="write a saved model as a native library, as WebAssembly, or in the form of ONNX",
        description="Write a saved model as an ONNX file, or as machine code for a processor.",
    )
    exporter.add_argument("prefix", help="the prefix of the saved model")
    form = exporter.add_mutually_exclusive_group(required=True)
    form.add_argument("--onnx", metavar="FILE", help="the ONNX file to write")
    form.add_argument("--target", metavar="NAME", help=f"a processor: {', '.join(MACHINES)}, host")
    exporter.add_argument("--opset", type=int, default=17, help="the version of ONNX's operators")
    add_native_arguments(exporter)
    exporter.set_defaults(act=export)
    importer = commands.add_parser(
        "import",
        help="save a model of ONNX or torch, and write it as Python",
        description="Save a model of ONNX, or of torch.export, as a Program with its parameters, "
        "and as Python.",
    )
    importer.add_argument("model", help="the .onnx or .pt2 file")
    importer.add_argument("-o", "--output", metavar="PREFIX", required=True, help="of the files")
    importer.set_defaults(act=lambda g: bring_in(g.model, g.output, f"{g.output}.py"))
    converter = commands.add_parser("x2paddle", help="import, with the arguments of X2Paddle")
    converter.add_argument("--framework", choices=("onnx",), required=True)
    converter.add_argument("--model", "-m", required=True, help="the .onnx file")
    converter.add_argument("--save_dir", "-s", default="pd_model", help="the folder to write")
    converter.set_defaults(act=convert)


def export(given: Any) -> int:
    """Write a saved model as machine code or as ONNX, and print the paths."""
    if given.target:
        print(*export_native(given), sep="\n")
    else:
        print(export_saved(given.prefix, given.onnx, given.opset))
    return 0


def convert(given: Any) -> int:
    """Import a model into X2Paddle's files."""
    folder = given.save_dir
    return bring_in(given.model, f"{folder}/inference_model/model", f"{folder}/x2paddle_code.py")


def bring_in(model: str, prefix: str, code: str) -> int:
    """Save a model of others as a Program and as Python, and print the paths."""
    print(*import_model(model, prefix, code), sep="\n")
    return 0
