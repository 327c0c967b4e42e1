"""Programs as Python files: a function that builds the same Program again, with `core.construct`.

Such a file is read, reviewed, edited and kept like other code. It says all that the text of a
Program says, and the rest: roles, which gradients are wanted, what optimizers want to know of
parameters.
"""

from __future__ import annotations

import io
import keyword
import math
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from twinoar.core.construct import Naming, Style, is_gradient
from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import BY_NUMPY, DType
from twinoar.core.ir.builder import infer
from twinoar.core.ir.program import Block, Operator, Program, State, Variable
from twinoar.core.ir.python_layout import (
    STEP,
    WIDTH,
    Bracketed,
    Identifiers,
    Part,
    call,
    entry,
    keyed,
    quoted,
    statement,
)
from twinoar.core.ir.text import is_default
from twinoar.core.live import name_of_live, name_of_reader
from twinoar.core.op.definition import Op, registry
from twinoar.core.spec import Spec
from twinoar.errors import UnsupportedError

MAX_LISTED = 64  # elements of a constant that stands in the file as a list
HELPERS = {"Construction", "array", "arrays", "dim", "ops", "spec"}
MATH = {"inf", "nan"}
RESERVED = {*HELPERS, *MATH, "p", "program", "traits", "CONSTANTS", "VALUES"}


class PythonSource(NamedTuple):
    """The text of a Python file, and the arrays that stand in the `.npz` beside it."""

    text: str
    arrays: dict[str, np.ndarray]

    def npz(self) -> bytes:
        """The bytes of the `.npz`; equal arrays give equal bytes."""
        import zipfile  # most processes write none

        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for name, array in self.arrays.items():
                with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)
        return file.getvalue()


def to_python(
    programs: Mapping[str, Program],
    values: Mapping[str, Any] | None = None,
    *,
    apart: bool = False,
    sources: bool = True,
) -> PythonSource:
    """The Python file whose functions build `programs`, given by the names of the functions.

    values: of states, to be loaded by the file as VALUES. apart: put large constants into the
    `.npz`, not into the text. sources: say which lines operators come from. Raises
    UnsupportedError for an operator that only this process has.

    >>> from twinoar.core.ir.parse import parse
    >>> text = "program p {\\n  main(%x: f32[2]) {\\n    %y: f32[2] = tanh(%x)\\n  }\\n}"
    >>> print(to_python({"build": parse(text)}).text)
    \"\"\"The program p: an input, an operator.
    <BLANKLINE>
    `build()` makes it.
    \"\"\"
    <BLANKLINE>
    from twinoar.core.construct import Construction, ops
    from twinoar.core.ir import Program
    <BLANKLINE>
    <BLANKLINE>
    def build() -> Program:
        program = Program("p")
        with Construction(program) as p:
            x = p.input("x", "f32[2]")
    <BLANKLINE>
            y = ops.tanh(x, name="y")  # f32[2]
        return program
    <BLANKLINE>
    """
    stored = {f"values/{name}": np.asarray(value) for name, value in (values or {}).items()}
    used: set[str] = set()
    bodies = []
    for function, program in programs.items():
        writer = _Writer(program, used, stored if apart else None, sources)
        bodies.append("\n".join(writer.function(function)))
    text = "\n\n\n".join(["\n".join(_head(programs, used, bool(values))), *bodies])
    return PythonSource(f"{text}\n", stored)


def _head(programs: Mapping[str, Program], used: set[str], has_values: bool) -> list[str]:
    """The docstring, the imports, and what is loaded."""
    (function, first), *others = programs.items()
    made = f"`{function}()` makes it"
    made += "".join(f", `{name}()` the program {_plain(p.name)}" for name, p in others)
    classes = {(_module(type(p)), type(p).__name__) for p in programs.values()}
    classes |= {(m, n) for x in used if x.startswith("class ") for _, m, n in [x.split()]}
    used = used | {"Construction"} | ({"arrays"} if has_values else set())
    modules = sorted(x.removeprefix("module ") for x in used if x.startswith("module "))
    imports = [
        ("twinoar.core.construct", sorted(used & HELPERS)),
        *((module, [name]) for module, name in classes),
    ]
    lines = [f'"""The program {_plain(first.name)}: {_counts(first)}.', "", f"{made}.", '"""', ""]
    if known := sorted(used & MATH):
        lines += [f"from math import {', '.join(known)}", ""]
    lines += [f"import {module}  # its operators" for module in modules]
    for module in sorted({m for m, _ in imports}):
        names = sorted(n for m, some in imports if m == module for n in some)
        lines.append(f"from {module} import {', '.join(names)}")
    loaded = [("CONSTANTS", "constants")] if "CONSTANTS" in used else []
    loaded += [("VALUES", "values")] if has_values else []
    lines += [""] if loaded else []
    return lines + [f'{name} = arrays(__file__, "{kind}")' for name, kind in loaded]


def _module(kind: type) -> str:
    """The outermost module that has the class."""
    parts = kind.__module__.split(".")
    outer = (".".join(parts[:n]) for n in range(1, len(parts) + 1))
    return next(m for m in outer if getattr(sys.modules.get(m), kind.__name__, None) is kind)


def _plain(name: str) -> str:
    """A name as a docstring may have it."""
    return re.sub(r"[^\w.:/-]", "_", name, flags=re.ASCII)


def _counts(program: Program) -> str:
    """`an input, 2 parameters, 14 operators`."""
    states = list(program.states.values())
    counts = {
        "input": len(program.main.inputs),
        "parameter": sum(s.is_parameter for s in states),
        "state": sum(not s.is_parameter and not s.is_constant for s in states),
        "constant": sum(s.is_constant for s in states),
        "operator": sum(1 for _ in program.main.walk()),
    }
    parts = [
        f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}" if count == 1 else f"{count} {noun}s"
        for noun, count in counts.items()
        if count
    ]
    return ", ".join(parts) or "empty"


class _Writer:
    """Writes one function; `used` notes what it needs imported, `stored` takes large constants."""

    def __init__(
        self,
        program: Program,
        used: set[str],
        stored: dict[str, np.ndarray] | None,
        sources: bool,
    ):
        self.program, self.used, self.stored, self.sources = program, used, stored, sources
        self.style = _style(program)
        self.naming = Naming(self.style)
        kinds = {type(x).__name__ for s in program.states.values() for x in _traits(s).values()}
        self.identifiers = Identifiers({*RESERVED, type(program).__name__, *kinds})
        self.known: dict[Variable, str] = {}
        self.taken: set[str] = set()  # names that came before
        self.source: str | None = None
        self.role = "forward"
        self.lines: list[str] = []
        self.indent = ""

    def function(self, name: str) -> list[str]:
        """The lines of `def build() -> Program: ...`."""
        program, kind = self.program, type(self.program).__name__
        self.line(f"def {name}() -> {kind}:")
        self.indent = STEP
        self.line(f"program = {kind}({quoted(program.name)})")
        if seed := getattr(program, "random_seed", 0):
            self.line(f"program.random_seed = {seed!r}")
        style = ['names="numbers"'] if self.style == "numbers" else []
        opening, first = call("Construction", ["program", *style]), len(self.lines)
        self.indent = STEP * 2
        for section in (self._states, self._inputs, self._operators, self._ends):
            before = len(self.lines)
            section()
            if first < before < len(self.lines) and self.lines[before]:
                self.lines.insert(before, "")
        self.lines.insert(first, f"{STEP}with {opening}{' as p' if self.lines[first:] else ''}:")
        if not self.lines[first + 1 :]:
            self.line("pass")
        self.indent = STEP
        self.line("return program")
        return self.lines

    def line(self, part: Part, before: str = "", after: str = "") -> None:
        """Write a statement here."""
        self.lines += statement(part, before, after, self.indent)

    def gap(self) -> None:
        """An empty line, but not where a block begins or another one is."""
        if self.lines and self.lines[-1] and not self.lines[-1].endswith(":"):
            self.lines.append("")

    def _meet(self, v: Variable) -> None:
        """Give a Variable its identifier."""
        self.known[v] = self.identifiers.take(v.name)
        self.taken.add(v.name)

    def _states(self) -> None:
        states = list(self.program.states.values())
        shared = _shared_traits(states)
        if shared:
            items = [entry(quoted(k), self.literal(v)) for k, v in shared.items()]
            self.line(Bracketed("{", items, "}"), "traits = ")
        for s in states:
            self._state(s, shared)

    def _state(self, s: State, shared: dict[str, Any]) -> None:
        self._meet(s)
        if (live := name_of_live(s.data)) is not None:
            names = [quoted(s.name)] if s.name == live else [quoted(s.name), quoted(live)]
            self.line(call("p.live", names), f"{self.known[s]} = ")
            return
        if (reader := name_of_reader(s.traits.get("read"))) is not None:
            names = [quoted(s.name), quoted(reader), str(s.traits["read"].index)]
            self.line(call("p.read_anew", names), f"{self.known[s]} = ")
            return
        word = "const" if s.is_constant else "param" if s.is_parameter else "state"
        wants = "!" if word == "state" and not s.stop_gradient else ""
        arguments: list[Part] = [quoted(s.name), quoted(f"{s.spec}{wants}")]
        if s.is_constant:
            arguments.append(self._elements(s))
        if s.is_parameter and s.stop_gradient:
            arguments.append("frozen=True")
        if s.persistable is s.is_constant:
            arguments.append(f"persistable={s.persistable}")
        given = _traits(s)
        if shared and all(k in given and _same(given[k], v) for k, v in shared.items()):
            arguments.append("**traits")
            given = {k: v for k, v in given.items() if k not in shared}
        arguments += [keyed(k, self.literal(v)) for k, v in given.items() if _is_literal(v)]
        lost = [k for k, v in given.items() if not _is_literal(v)]
        if lost:
            self.line(f"# without its {', '.join(lost)}, of the process that wrote this file")
        self.line(call(f"p.{word}", arguments), f"{self.known[s]} = ")

    def _elements(self, s: State) -> Part:
        """The value of a constant: a list, a number, or where it is large an array elsewhere."""
        array = np.asarray(s.data)
        if self.stored is None or array.size <= MAX_LISTED:
            return self._listed(array)
        self.stored[f"constants/{s.name}"] = array
        self.used |= {"arrays", "CONSTANTS"}
        return f"CONSTANTS[{quoted(s.name)}]"

    def _listed(self, array: np.ndarray) -> Part:
        """The elements as a list, or where they are many the bytes."""
        if array.size <= MAX_LISTED:
            return self.literal(array.tolist())
        return quoted(array.tobytes().hex())

    def _inputs(self) -> None:
        for v in self.program.main.inputs:
            self._meet(v)
            made = call("p.input", [quoted(v.name), quoted(_input_spec(v))])
            self.line(made, f"{self.known[v]} = ")

    def _operators(self) -> None:
        for o in self.program.main.ops:
            self._operator(o)

    def _ends(self) -> None:
        for s, v in self.program.updates.items():
            self.line(call("p.update", [self.known[s], self.operand(v)]))
        if self.program.main.outputs:
            self.line(call("p.output", [self.operand(v) for v in self.program.main.outputs]))

    def _operator(self, o: Operator) -> None:
        """The blocks of an operator as functions, and the line that calls it."""
        _require(o, self.used)
        blocks: dict[str, str] = {}
        for name, block in o.blocks.items():
            blocks[name] = self.identifiers.take(name)
            self._block(blocks[name], block)
        self._marks(o)
        arguments = [*self._arguments(o, blocks), *self._said(o)]
        wanted = [v for v in o.results if v is not None]
        for v in wanted:
            self._meet(v)
        targets = [] if not wanted else ["_" if v is None else self.known[v] for v in o.results]
        comment = f"  # {', '.join(str(v.spec) for v in wanted)}" if wanted else ""
        self.used.add("ops")
        called = call(f"ops.{_path(o.op)}", arguments)
        before = f"{', '.join(targets)} = " if wanted else ""
        if len(f"{self.indent}{before}{called.opening}") > WIDTH and len(targets) > 1:
            before = ") = "
            self.line("(")
            self.lines += [f"{self.indent}{STEP}{name}," for name in targets]
        self.line(called, before, comment)

    def _block(self, name: str, block: Block) -> None:
        """`@p.block({...})` and the function that fills the block."""
        self.gap()
        for v in block.inputs:
            self._meet(v)
        specs = [entry(quoted(v.name), quoted(_input_spec(v))) for v in block.inputs]
        self.line(call("@p.block", [Bracketed("{", specs, "}")]))
        self.line(call(f"def {name}", [self.known[v] for v in block.inputs]), after=":")
        self.indent += STEP
        for o in block.ops:
            self._operator(o)
        returned = [self.operand(v) for v in block.outputs]
        short = f"return {', '.join(map(str, returned)) or '()'}"
        if len(self.indent + short) <= WIDTH:
            self.line(short)
        else:
            self.line(Bracketed("(", returned, ")"), "return ")
        self.indent = self.indent.removesuffix(STEP)
        self.lines.append("")

    def _marks(self, o: Operator) -> None:
        """What changes from the operator before: the role, the line of the source."""
        if o.role != self.role:
            self.gap()
            self.line(f"p.role({quoted(o.role)})")
            self.role = o.role
        source = None if o.source is None else f"{Path(o.source.file).name}:{o.source.line}"
        if self.sources and source != self.source:
            self.line(f"p.at({quoted(source) if source else None})")
            self.source = source

    def _arguments(self, o: Operator, blocks: Mapping[str, str]) -> list[Part]:
        given = [self.operand(x) for x in o.operands]
        if o.op.variadic and not is_gradient(o.op):
            fixed = len(o.op.operands) - 1
            given = [*given[:fixed], Bracketed("[", given[fixed:], "]")]
        return given + [
            keyed(name, blocks.get(name) or self.literal(value))
            for name, value in o.attrs.items()
            if name in blocks or not is_default(value, o.op.attrs[name].default)
        ]

    def _said(self, o: Operator) -> list[Part]:
        """Where results are other than the call alone makes them: names, specs, gradients."""
        inferred = infer(o.op, o.operands, o.attrs, o.source)
        defaults = self.naming.of_results(o.op, len(inferred))
        said: dict[str, list[Any]] = {"name": [], "spec": [], "stop_gradient": []}
        unused = []
        for i, (v, spec, default) in enumerate(zip(o.results, inferred, defaults, strict=True)):
            if v is None:
                found: tuple[Any, ...] = (None, None, None)
                unused += [i] if spec is not None else []
            else:
                self.naming.note(o.op, i, v.name)
                found = (
                    v.name if v.name != default or default in self.taken else None,
                    None if _is_as_inferred(v.spec, spec) else str(v.spec),
                    None if v.stop_gradient is _stops(o, v) else v.stop_gradient,
                )
            for each, x in zip(said.values(), found, strict=True):
                each.append(x)
        parts = [
            keyed(key, self.literal(tuple(each) if len(each) > 1 else each[0]))
            for key, each in said.items()
            if any(x is not None for x in each)
        ]
        return parts + ([keyed("unused", self.literal(tuple(unused)))] if unused else [])

    def operand(self, x: Any) -> Part:
        """A Variable's identifier, or a literal."""
        return self.known[x] if isinstance(x, Variable) else self.literal(x)

    def literal(self, x: Any) -> Part:
        """A number, text, tuple, list, dict, dtype, size, spec or array, as the file has it."""
        match x:
            case np.generic():
                return self.literal(x.item())
            case np.ndarray():
                self.used.add("array")
                spec = Spec(x.shape, BY_NUMPY[x.dtype])
                return call("array", [quoted(str(spec)), self._listed(x)])
            case complex():
                return call("complex", [self.literal(x.real), self.literal(x.imag)])
            case float() if not math.isfinite(x):
                name = "nan" if math.isnan(x) else "inf"
                self.used.add(name)
                return f"-{name}" if x < 0 else name
            case str() | DType():
                return quoted(x if isinstance(x, str) else x.name)
            case SymbolicDim() | Spec():
                helper = "spec" if isinstance(x, Spec) else "dim"
                self.used.add(helper)
                return f"{helper}({quoted(str(x))})"
            case tuple() | list():
                items = [self.literal(i) for i in x]
                return Bracketed(*("(", items, ")") if isinstance(x, tuple) else ("[", items, "]"))
            case _ if _making(x) is not None:
                kind, arguments = _making(x) or (object, ())
                self.used.add(f"class {_module(kind)} {kind.__name__}")
                return call(kind.__name__, [self.literal(i) for i in arguments])
            case dict():
                entries = [entry(quoted(k), self.literal(v)) for k, v in x.items()]
                return Bracketed("{", entries, "}")
        return repr(x)


def _style(program: Program) -> Style:
    """How the results of a Program are numbered, mostly."""
    names = [v.name for o in program.main.ops for v in o.results if v is not None]
    return "numbers" if sum(map(str.isdecimal, names)) * 2 > len(names) else "paddle"


def _shared_traits(states: Sequence[State]) -> dict[str, Any]:
    """What most parameters have in common, so that it is written once."""
    found = [t for s in states if s.is_parameter and (t := _traits(s))]
    literal = [t for t in found if all(map(_is_literal, t.values()))]
    return max(literal, key=lambda t: sum(_same(t, other) for other in literal), default={})


def _traits(s: State) -> dict[str, Any]:
    return {**s.__dict__, **s.traits}


def _same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and bool(a == b or (_making(a) or a) == (_making(b) or b))


def _is_literal(x: Any) -> bool:
    """True for what a file can say: numbers, texts, and lists and dicts of them."""
    if isinstance(x, dict):
        return all(isinstance(k, str) for k in x) and all(map(_is_literal, x.values()))
    if isinstance(x, (tuple, list)):
        return all(map(_is_literal, x))
    return x is None or isinstance(x, (bool, int, float, str)) or _making(x) is not None


def _making(x: Any) -> tuple[type, tuple[Any, ...]] | None:
    """The class and the arguments that make an object, where its `__reduce__` says so."""
    kind: Any = type(x)
    if kind.__reduce__ is object.__reduce__:
        return None
    made = x.__reduce__()
    known = len(made) == 2 and made[0] is kind and all(map(_is_literal, made[1]))
    return made if known else None


def _input_spec(v: Variable) -> str:
    return f"{v.spec}{'' if v.stop_gradient else '!'}"


def _require(o: Operator, used: set[str]) -> None:
    """Note the module that an operator of the user's is in. Raises UnsupportedError for others."""
    base = o.op.name.partition(".")[0]
    defined = registry.get(base)
    if defined is None or (base == o.op.name and defined is not o.op):
        raise UnsupportedError(
            f"{o.op.name} is an operator of this process alone, no file can name it",
            cure="define it with @op in a module, or call the functions that it is made of",
        ).attach(o.op.name, (), o.source)
    module = defined.definition.__module__
    if module.partition(".")[0] not in ("twinoar", "__main__"):
        used.add(f"module {module}")


def _path(op: Op) -> str:
    """`if_` for `if`, `matmul.grad` as it is."""
    return ".".join(f"{x}_" if keyword.iskeyword(x) else x for x in op.name.split("."))


def _is_as_inferred(found: Spec, inferred: Spec | None) -> bool:
    return inferred is None or (None not in inferred.shape and str(found) == str(inferred))


def _stops(o: Operator, v: Variable) -> bool:
    """Whether a result wants no gradient, by the rule for results."""
    wanted = any(isinstance(x, Variable) and not x.stop_gradient for x in o.operands)
    return not (wanted and v.spec.dtype.is_differentiable)
