"""The layers hold: a module imports from a lower layer, its own folder, or what is listed here.

A unit is a folder or a module directly below `twinoar/`, or a module that the table names. An
import that is hidden in a function is held against the same table, and is refused there for
modules of twinoar. Only a module's own `__getattr__`, which is how Python loads a name when it is
asked for, may import by a name that is computed; text that reads like a module of twinoar counts
as an import of it everywhere.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOP = "__init__"
UNKNOWN = "?"
MODULE_NAME = re.compile(r"twinoar(\.\w+)+")
ENTRY_POINTS = {"twinoar.devices"}  # groups of entry points, which are no modules

LAYERS: tuple[set[str], ...] = (
    {"core", "config", "errors", "late", "runtime", "tracebacks", "version"},
    {"ops"},
    {
        "eager",
        "testing.sample",
        "inspection.picture",
        "inspection.graph_layout",
        "inspection.notebook",
    },
    {"passes", "autograd"},
    {
        "compile",
        "backends",
        "inspection.explain",  # and what it is made of: what a compiled Program does
        "inspection.code",
        "inspection.compilation",
        "inspection.machine",
        "inspection.origin",
    },
    {"export", "jit", "static", "formats", "testing", "inspection.conversion"},
    {
        "nn",
        "optimizer",
        "regularizer",
        "linalg",
        "fft",
        "signal",
        "io",
        "metric",
        "vision",
        "text",
        "amp",
        "audio",
        "quantization",
        "distributed",
        "distribution",
        "geometric",
        "incubate",
        "inspection",
        "profiler",
        "sparse",
        "utils",
        "custom",
        "device",
        "callbacks",
        "visual",
        "reader",
        "dataset",
        "export.translated",  # loaded models as layers
        "static.amp",  # as the next
        "static.quantization",
        "static.nn",  # layers in a Program; `twinoar.static` loads it when it is asked for
    },
    {
        "cost_model",
        "export.native",  # it runs the passes of inference
        "hapi",
        "inference",
        "debug",
        "cuda",
        "functional",
        "hub",
        "pretrained",
        "slim",
        "special",
        "sysconfig",
    },
    {"fluid", "compat", "cli", "onnx", "serving", "tensor", "wiring"},
    {TOP, "__main__"},
)

# Units that one may import although they are not in a lower layer.
BESIDE: dict[str, set[str]] = {
    "core": {"config", "errors", "late"},
    "config": {"errors", "late"},
    "tracebacks": {"config", "errors"},
    "runtime": {"errors", "late"},
    "backends": {"compile", "inspection.explain", "inspection.compilation"},
    "inspection.explain": {"compile", "backends"},
    "inspection.code": {"compile", "backends"},
    "inspection.compilation": {"compile", "backends"},
    "inspection.machine": {"compile", "backends"},
    "inspection.origin": {"compile", "backends"},
    "inspection.conversion": {"jit"},
    "inspection": {"export.translated", "static.amp"},
    "profiler": {"inspection"},
    "static": {"formats"},
    "export": {"formats", "jit", "static"},
    "export.translated": {"nn"},
    "export.native": {"inference"},
    "static.amp": {"amp", "optimizer"},
    "static.nn": {"nn"},
    "static.quantization": {"quantization", "regularizer"},
    "jit": {"static", "formats", "export", "export.translated", "inspection.conversion"},
    "vision": {"nn", "io"},
    "sparse": {"nn"},
    "incubate": {"distributed", "geometric", "nn", "optimizer"},
    "text": {"nn", "io", "dataset"},
    "amp": {"nn", "optimizer"},
    "audio": {"nn", "io", "signal", "utils"},
    "quantization": {"nn"},
    "distributed": {"nn", "io", "optimizer"},
    "dataset": {"reader", "vision"},
    "optimizer": {"nn", "regularizer"},
    "callbacks": {"optimizer", "visual"},
    "fluid": {TOP},  # its tables say what a user of today writes
    "compat": {"fluid", "serving", TOP},  # it serves the whole of twinoar
    "cli": {"compat", "onnx", "serving"},
    "onnx": {TOP},  # its operators are written with what users call
    "serving": {"onnx"},  # it serves models of ONNX
    "tensor": {TOP},  # its functions are those at the top
    "utils": {"nn", "optimizer"},  # run_check trains a network
    "__main__": {TOP},
}

# Packages from elsewhere, and the only part of twinoar that may import each; "" is all of it.
PACKAGES: dict[str, str] = {
    "numpy": "",
    "ml_dtypes": "",
    "onnx": "twinoar.onnx.backend",
    "google": "twinoar.formats",  # google.protobuf
    "llvmlite": "twinoar.backends.llvm",
    "PIL": "twinoar.vision",
    "matplotlib": "twinoar.visual",
    "wandb": "twinoar.callbacks",
    "tqdm": "twinoar.callbacks",
    "soundfile": "twinoar.audio",
    "setuptools": "twinoar.utils.cpp_extension",
    "uvicorn": "twinoar.serving",
    "grpc": "twinoar.serving",
    "jinja2": "twinoar.serving",
    "orjson": "twinoar.serving",
    "opentelemetry": "twinoar.serving",
    "mpi4py": "twinoar.runtime.collective",
    "zmq": "twinoar.distributed.ps",
}


def unit_of(parts: Sequence[str]) -> str:
    dotted = ".".join(parts[:2])
    return dotted if layer_of(dotted) is not None else parts[0]


def top_of(unit: str) -> str:
    return unit.partition(".")[0]


def layer_of(unit: str) -> int | None:
    return next((number for number, units in enumerate(LAYERS) if unit in units), None)


def imported(tree: ast.Module, package: str, units: set[str]) -> Iterator[tuple[str, int, bool]]:
    """(module, line, is inside a function) of each import, absolute."""

    def visit(node: ast.AST, hidden: bool, lazy: bool) -> Iterator[tuple[str, int, bool]]:
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno, hidden) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            module = ".".join(parents) if node.level else ""
            base = ".".join(part for part in (module, node.module) if part)
            for alias in node.names:
                is_unit = base == "twinoar" and alias.name in units
                yield (f"twinoar.{alias.name}" if is_unit else base), node.lineno, hidden
        elif isinstance(node, ast.Constant) and MODULE_NAME.fullmatch(str(node.value)):
            if node.value not in ENTRY_POINTS:
                yield node.value, node.lineno, False
        elif isinstance(node, ast.Call) and imports_unknown(node) and not lazy:
            yield UNKNOWN, node.lineno, hidden
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        lazily = (
            isinstance(node, ast.FunctionDef) and node.name == "__getattr__" and node in tree.body
        )
        for child in ast.iter_child_nodes(node):
            yield from visit(child, hidden or (inside and not lazily), lazy or lazily)

    return visit(tree, False, False)


def imports_unknown(node: ast.Call) -> bool:
    """Whether a call imports a module whose name is not written out."""
    function = node.func
    called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if called not in {"import_module", "__import__"}:
        return False
    return not (node.args and is_known(node.args[0]))


def is_known(name: ast.expr) -> bool:
    """Whether a module's name is written out, or starts with `{__name__}.`: the own folder."""
    if isinstance(name, ast.JoinedStr):
        own, *rest = name.values
        dotted = rest and isinstance(rest[0], ast.Constant) and rest[0].value.startswith(".")
        named = isinstance(own, ast.FormattedValue) and getattr(own.value, "id", "") == "__name__"
        return named and bool(dotted)
    return isinstance(name, ast.Constant)


def violations(package_folder: Path) -> list[str]:
    """One line for each forbidden import below `package_folder`, a folder named `twinoar`."""
    units = {path.stem for path in package_folder.iterdir() if path.name != "__pycache__"}
    found = []
    for file in sorted(package_folder.rglob("*.py")):
        parts = file.relative_to(package_folder.parent).with_suffix("").parts
        unit = unit_of(parts[1:])
        package = ".".join(parts[:-1])
        for module, line, hidden in imported(ast.parse(file.read_text()), package, units):
            reason = refusal(unit, ".".join(parts), module, hidden)
            if reason:
                found.append(f"{'/'.join(parts)}.py:{line}: {reason}")
    return found


def refusal(unit: str, importer: str, module: str, hidden: bool) -> str | None:
    """Why `importer`, a module of `unit`, may not import `module`; None if it may."""
    name, *rest = module.split(".")
    if name in sys.stdlib_module_names or name == "__future__":
        return None
    if module == UNKNOWN:
        serves = unit == "compat" or importer == "twinoar.utils.try_import"  # what users name
        return None if serves else "imports a module whose name is not written out"
    if name != "twinoar":
        where = PACKAGES.get(name)
        if where is None:
            return f"imports {name}, which is no dependency"
        allowed = not where or f"{importer}.".startswith(f"{where}.")
        return None if allowed else f"imports {name}, which only {where} may"
    target = unit_of(rest) if rest else TOP
    if hidden:
        return f"imports {module} inside a function"
    own, other = layer_of(unit), layer_of(target)
    if own is None or other is None:
        return f"{unit if own is None else target} is in no layer of this test's table"
    if top_of(target) == top_of(unit) or other < own or target in BESIDE.get(unit, set()):
        return None
    return f"{unit} (layer {own}) imports {target} (layer {other})"


def test_every_import_is_from_a_lower_layer_or_the_own_folder() -> None:
    assert violations(ROOT / "twinoar") == []


# What is told the Target: nothing in these folders asks which machine it runs on.
TOLD = ("compile", "backends/llvm/contraction", "backends/native")
DOOR = "backends/native/__init__.py"  # through which those above ask
ASKING = re.compile(r"\b(host|processor|threads|cores|cpu_count|available|identity)\(\)")


def questions(package_folder: Path) -> list[str]:
    """One line for each place where what is told the Target asks for the machine."""
    return [
        f"{file.relative_to(package_folder)}:{number}: {line.strip()}"
        for folder in TOLD
        for file in sorted((package_folder / folder).rglob("*.py"))
        if file != package_folder / DOOR
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if ASKING.search(line) or "backends.host" in line
    ]


def test_what_is_told_the_target_does_not_ask_for_the_machine() -> None:
    assert questions(ROOT / "twinoar") == []


@pytest.mark.parametrize("text", ["n = openmp.threads()", "from twinoar.backends.host import host"])
def test_the_check_finds_who_asks_for_the_machine(tmp_path: Path, text: str) -> None:
    (question,) = questions(tree_with(tmp_path, "compile/a.py", text))
    assert question == f"compile/a.py:1: {text}"


OFFENCES = [
    ("ops/a.py", "from twinoar.eager import x", "ops (layer 1) imports eager (layer 2)"),
    ("ops/a.py", "import twinoar.nn.layer", "ops (layer 1) imports nn (layer 6)"),
    ("core/a.py", "from twinoar import ops", "core (layer 0) imports ops (layer 1)"),
    ("core/a.py", "from twinoar import to_tensor", "core (layer 0) imports __init__ (layer 9)"),
    ("core/a.py", "from ..ops import x", "core (layer 0) imports ops (layer 1)"),
    ("errors.py", "from twinoar import config", "errors (layer 0) imports config (layer 0)"),
    ("compile/a.py", "import twinoar.backends", "compile (layer 4) imports backends (layer 4)"),
    ("nn/a.py", "def f():\n    from twinoar.ops import x", "twinoar.ops inside a function"),
    ("nn/a.py", "class A:\n    def f(self):\n        import twinoar.core", "inside a function"),
    ("eager/a.py", "if 1:\n    import twinoar.nn", "eager (layer 2) imports nn (layer 6)"),
    (
        "eager/a.py",
        "import importlib\nimportlib.import_module('twinoar.nn')",
        "imports nn (layer 6)",
    ),
    ("eager/a.py", "def f(m):\n    __import__(m)", "not written out"),
    ("eager/a.py", "L = 'twinoar.nn.x'\ndef __getattr__(n):\n    import_module(L)", "imports nn"),
    (
        "eager/a.py",
        "class A:\n    def __getattr__(self, n):\n        import_module(n)",
        "not written",
    ),
    ("static/a.py", "import llvmlite.binding", "only twinoar.backends.llvm may"),
    ("backends/llvm2/a.py", "import llvmlite", "only twinoar.backends.llvm may"),
    ("jit/a.py", "from google.protobuf import message", "only twinoar.formats may"),
    ("jit/a.py", "import torch", "imports torch, which is no dependency"),
    ("eager/a.py", "import_module(f'{name}.x')", "not written out"),
    ("static/a.py", "import twinoar.nn", "static (layer 5) imports nn (layer 6)"),
    ("jit/a.py", "import twinoar.static.nn", "jit (layer 5) imports static.nn (layer 6)"),
    ("newcomer/a.py", "import twinoar.core", "newcomer is in no layer"),
]
SOUND = [
    ("ops/a.py", "from twinoar.core.spec import Spec\nfrom twinoar.ops.other import x"),
    ("backends/a.py", "from twinoar.compile import pipeline"),
    ("backends/llvm/a.py", "import llvmlite"),
    ("formats/a.py", "def f():\n    from google.protobuf import message"),
    ("vision/a.py", "def f():\n    import PIL.Image"),
    ("static/nn.py", "import twinoar.nn, twinoar.static.program"),
    ("ops/a.py", "import_module(f'{__name__}.{x}')"),
    ("__init__.py", "def __getattr__(name):\n    import twinoar.formats"),
    ("nn/a.py", "L = 'twinoar.nn.x'\ndef __getattr__(name):\n    import_module(L)"),
]


def tree_with(folder: Path, file: str, source: str) -> Path:
    package = folder / "twinoar"
    for unit in {top_of(unit) for unit in set().union(*LAYERS)} - {"errors"}:
        (package / unit).mkdir(parents=True)
    (package / file).parent.mkdir(parents=True, exist_ok=True)
    (package / file).write_text(source)
    return package


@pytest.mark.parametrize(("file", "source", "reason"), OFFENCES)
def test_the_check_finds_a_forbidden_import(
    tmp_path: Path, file: str, source: str, reason: str
) -> None:
    (violation,) = violations(tree_with(tmp_path, file, source))
    assert reason in violation


@pytest.mark.parametrize(("file", "source"), SOUND)
def test_the_check_lets_an_allowed_import_pass(tmp_path: Path, file: str, source: str) -> None:
    assert violations(tree_with(tmp_path, file, source)) == []
