"""Inside the layers: no cycle of modules, no two rooms that need each other, no hook, no operator.

What does not keep to it yet is listed here, as data; each list may only become shorter.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Rooms of one folder that import each other.
MUTUAL: set[str] = set()

# The one module that hands down what a lower layer needs of a higher one.
WIRING = "twinoar.wiring"

# What of `ops` the compiler and the back ends import, though operators should tell them by rules.
IMPORTED_OPERATORS = {
    "twinoar.backends.native.compiled: if_",
    "twinoar.backends.native.compiled: over_time",
    "twinoar.backends.native.compiled: while_gradient",
    "twinoar.backends.native.compiled: while_second_gradient",
    "twinoar.backends.native.nested: add",
    "twinoar.backends.native.nested: fill",
    "twinoar.backends.native.compiled: while_",
    "twinoar.backends.native.iterations: add",
    "twinoar.backends.native.iterations: parts",
    "twinoar.compile.graph: over_time",
    "twinoar.compile.graph: parts",
}

# Places below `compile`, `backends` and `jit` that ask for an operator's name.
NAMED_OPERATORS: set[str] = set()

HOOK = re.compile(r"(announce|set)_\w+")
Graph = Mapping[str, set[str]]


def modules(package: Path) -> dict[str, ast.Module]:
    """The modules of a folder by dotted name, `twinoar` first."""
    found = {}
    for file in sorted(package.rglob("*.py")):
        parts = file.relative_to(package.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(file.read_text())
    return found


def at_import(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements that run when the module is imported, those below `if` and `try` too."""
    waiting = list(tree.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        waiting += [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]


def imports(trees: Mapping[str, ast.Module]) -> Graph:
    """Which modules each module imports when it is imported itself."""
    graph: dict[str, set[str]] = {name: set() for name in trees}
    for name, tree in trees.items():
        for node in at_import(tree):
            if isinstance(node, ast.Import):
                graph[name] |= {alias.name for alias in node.names} & trees.keys()
            elif isinstance(node, ast.ImportFrom) and node.module in trees:
                below = {f"{node.module}.{alias.name}" for alias in node.names}
                graph[name] |= below & trees.keys() or {node.module}
        graph[name].discard(name)
    return graph


def in_cycles(graph: Graph) -> list[str]:
    """The modules that are left without those that lead nowhere, or that nothing leads to."""
    left = set(graph)
    while True:
        reached = set().union(*(graph[name] for name in left))
        kept = {name for name in left & reached if graph[name] & left}
        if kept == left:
            return sorted(left)
        left = kept


def mutual(graph: Graph) -> set[str]:
    """Pairs of rooms (folders and modules right below one folder) that import each other."""
    edges: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for name, others in graph.items():
        for other in others:
            one, two = name.split("."), other.split(".")
            if min(len(one), len(two)) > 2 and one[1] == two[1] and one[2] != two[2]:
                edges[one[1]].add((one[2], two[2]))
    return {
        f"{folder}: {a} {b}"
        for folder, pairs in edges.items()
        for a, b in combinations(sorted({room for pair in pairs for room in pair}), 2)
        if {(a, b), (b, a)} <= pairs
    }


def hooks(trees: Mapping[str, ast.Module]) -> set[str]:
    """What a module does to another folder's while it is imported: `set_...(...)`, `X.y = ...`."""
    found = set()
    for name, tree in trees.items():
        own = ".".join(name.split(".")[:2])
        taken = {
            alias.asname or alias.name
            for node in at_import(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("twinoar")
            for alias in node.names
            if not f"{node.module}.{alias.name}.".startswith(f"{own}.")
        }
        for node in at_import(tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                called = ast.unparse(node.value.func)
                if called.partition(".")[0] in taken and HOOK.fullmatch(called.split(".")[-1]):
                    found.add(f"{name}: {called}")
            elif isinstance(node, ast.Assign):
                targets = [ast.unparse(x) for x in node.targets if isinstance(x, ast.Attribute)]
                found |= {f"{name}: {x}" for x in targets if x.partition(".")[0] in taken}
    return found


def imported_operators(trees: Mapping[str, ast.Module]) -> set[str]:
    """What of `twinoar.ops` is imported below `compile` and `backends`."""
    return {
        f"{name}: {alias.name}"
        for name, tree in trees.items()
        if name.split(".")[1:2] in (["compile"], ["backends"])
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith("twinoar.ops.")
        for alias in node.names
    }


def named_operators(trees: Mapping[str, ast.Module]) -> set[str]:
    """Comparisons of `....op.name`, and `op_named` with a name that is written out."""
    found = set()
    for name, tree in trees.items():
        if name.split(".")[1:2] not in (["compile"], ["backends"], ["jit"]):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                if any(re.search(r"\bop\.name$", ast.unparse(side)) for side in sides):
                    found.add(f"{name}: {ast.unparse(node)}")
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("op_named"):
                if node.args and isinstance(node.args[0], ast.Constant):
                    found.add(f"{name}: {ast.unparse(node)}")
    return found


def untold(package: Path, page: str) -> list[str]:
    """The folders that the table at the top of the page does not name."""
    table = page.partition("\n## ")[0]
    told = set(re.findall(r"`(\w+)`", table))
    return sorted({file.parent.name for file in package.glob("*/__init__.py")} - told)


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """The modules of the package; made late, as every process of a run imports this file."""
    return modules(ROOT / "twinoar")


def test_no_module_imports_itself_through_others(trees: dict[str, ast.Module]) -> None:
    assert in_cycles(imports(trees)) == []


def test_rooms_that_import_each_other_are_those_listed(trees: dict[str, ast.Module]) -> None:
    assert mutual(imports(trees)) == MUTUAL


def test_only_the_wiring_hands_down_what_a_lower_layer_needs(trees: dict[str, ast.Module]) -> None:
    assert {hook.partition(":")[0] for hook in hooks(trees)} == {WIRING}


def test_operators_that_the_compiler_imports_are_those_listed(trees: dict[str, ast.Module]) -> None:
    assert imported_operators(trees) == IMPORTED_OPERATORS


def test_places_that_ask_for_an_operators_name_are_those_listed(
    trees: dict[str, ast.Module],
) -> None:
    assert named_operators(trees) == NAMED_OPERATORS


def test_the_page_about_the_architecture_names_every_folder() -> None:
    page = (ROOT / "docs" / "one_page.md").read_text()
    assert untold(ROOT / "twinoar", page) == []


@pytest.mark.parametrize(
    ("page", "found"), [("| x | `nn`, `io` |\n", []), ("| x | `nn` |\n\n## A\n`io`", ["io"])]
)
def test_the_check_finds_a_folder_that_the_page_leaves_out(
    tmp_path: Path, page: str, found: list[str]
) -> None:
    for name in ("nn", "io"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    assert untold(tmp_path, page) == found


EMPTY = {"twinoar.a": "", "twinoar.b": ""}


def tree_of(files: Mapping[str, str]) -> dict[str, ast.Module]:
    return {name: ast.parse(source) for name, source in files.items()}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from twinoar.a.y import f", ["twinoar.a.x", "twinoar.a.y"]),
        ("import twinoar.a.y", ["twinoar.a.x", "twinoar.a.y"]),
        ("from twinoar.a import y", ["twinoar.a.x", "twinoar.a.y"]),
        ("if 1:\n    import twinoar.a.y", ["twinoar.a.x", "twinoar.a.y"]),
        ("def f():\n    import twinoar.a.y", []),
        ("if TYPE_CHECKING:\n    import twinoar.a.y", []),
        ("from twinoar.b import f", []),
    ],
)
def test_the_check_finds_a_cycle_of_modules(source: str, found: list[str]) -> None:
    trees = tree_of({"twinoar.a.x": source, "twinoar.a.y": "import twinoar.a.x", **EMPTY})
    assert in_cycles(imports(trees)) == found


@pytest.mark.parametrize(("source", "found"), [("import twinoar.a.p.x", {"a: p q"}), ("", set())])
def test_the_check_finds_rooms_that_import_each_other(source: str, found: set[str]) -> None:
    files = {"twinoar.a.p.x": "", "twinoar.a.p.y": "import twinoar.a.q.z"}
    assert (
        mutual(imports(tree_of({**files, "twinoar.a.q.z": "", "twinoar.a.q.w": source}))) == found
    )


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from twinoar.b import announce_it\nannounce_it(f)", {"twinoar.a: announce_it"}),
        ("from twinoar import b\nb.set_it(f)", {"twinoar.a: b.set_it"}),
        ("def announce_it(): ...\nannounce_it(f)", set()),
        ("from twinoar.b import set_it\ndef f():\n    set_it(1)", set()),
        ("from twinoar.b import X\nX.y = 1", {"twinoar.a: X.y"}),
        ("from twinoar.a.b import X\nX.y = 1", set()),
        ("class X: ...\nX.y = 1", set()),
    ],
)
def test_the_check_finds_a_hook(source: str, found: set[str]) -> None:
    assert hooks(tree_of({"twinoar.a": source})) == found


@pytest.mark.parametrize(
    ("module", "source", "found"),
    [
        ("jit", "o.op.name == 'add'", {"twinoar.jit: o.op.name == 'add'"}),
        ("compile.x", "'add' in (op.name, 1)", set()),
        ("compile.x", "op.name in ADDS", {"twinoar.compile.x: op.name in ADDS"}),
        ("backends", "op_named('add')", {"twinoar.backends: op_named('add')"}),
        ("jit", "op_named(name)", set()),
        ("static", "o.op.name == 'add'", set()),
    ],
)
def test_the_check_finds_an_operators_name(module: str, source: str, found: set[str]) -> None:
    assert named_operators(tree_of({f"twinoar.{module}": source})) == found
    trees = tree_of({f"twinoar.{module}": "from twinoar.ops.math.arithmetic import add"})
    below = module.partition(".")[0] in ("compile", "backends")
    assert imported_operators(trees) == ({f"twinoar.{module}: add"} if below else set())
