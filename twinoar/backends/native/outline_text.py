"""Outlines as text and back: plans for sizes that vary, kept for the next process.

A document of JSON. What a process needs to put numbers into a plan is in it: values and how they
lie, kernels by the digest of their source, calls by operator, guards. Sizes are numbers or texts
such as `2*N+1`. The loops of kernels are not: who asks for those plans anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.backends.llvm.emit import NAME
from twinoar.backends.native.compiled import Outline
from twinoar.backends.native.description import result_order
from twinoar.backends.native.named import is_named
from twinoar.backends.native.parts import LLVM, KernelCode
from twinoar.compile.commands import Kernel
from twinoar.compile.commands_text import array_text, read_array
from twinoar.compile.pipeline import CallStep, KernelStep, Plan, Post, Step
from twinoar.compile.stages import Stages
from twinoar.compile.storage import Storage, View
from twinoar.compile.target import Target
from twinoar.core.dim import parse_dim
from twinoar.core.dtype import BY_NAME, DType, int64
from twinoar.core.ir.program import Operator, Program, State, Variable
from twinoar.core.loop.expression import const, make
from twinoar.core.op.definition import registry
from twinoar.core.spec import Spec
from twinoar.core.varying import Guards, is_varying

FORMAT = 2
PLAIN = (type(None), bool, int, float, str)
Document = dict[str, Any]


class NotPlainError(Exception):
    """Something that has no text."""


def printed(outline: Outline) -> str | None:
    """The text of an Outline; None where it holds something that is no plain value."""
    try:
        return json.dumps(_Writer(outline).document(), separators=(",", ":"))
    except NotPlainError:
        return None


def kernels(text: str) -> list[Kernel]:
    """The kernels that a text names."""
    return [
        Kernel(LLVM, NAME, s["kernel"], s["polls"])
        for s in json.loads(text)["steps"]
        if "kernel" in s
    ]


class _Writer:
    """Numbers Variables and Storages as they are met."""

    def __init__(self, outline: Outline):
        self.outline = outline
        self.variables: dict[Variable, int] = {}
        self.storages: dict[Storage, int] = {}

    def document(self) -> Document:
        """All of it."""
        o, plan = self.outline, self.outline.plan
        assert o.guards is not None
        for v in [*plan.program.states.values(), *plan.program.main.inputs]:
            self.variable(v)
        body: Document = {
            "steps": [self.step(n, s) for n, s in enumerate(plan.steps)],
            "outputs": [self.value(x) for x in plan.outputs],
            "updates": [[self.variable(s), self.storage(v)] for s, v in plan.updates.items()],
            "in_place": [[self.storage(s), self.variable(v)] for s, v in plan.in_place.items()],
            "places": [[self.storage(s), n] for s, n in o.places.items()],
            "outside": [
                [n, "value", self.variable(x)] if isinstance(x, Variable) else [n, "result", x]
                for n, x in o.outside.items()
            ],
            "storages": [[self.variables[s.variable], s.order] for s in self.storages],
        }
        return {
            "format": FORMAT,
            "name": plan.program.name,
            "hints": o.guards.hints,
            "answers": [[str(d), kind, is_so] for (d, kind), is_so in o.guards.answers.items()],
            "inputs": len(plan.program.main.inputs),
            "variables": [self.declared(v) for v in self.variables],
            "cached": sorted(o.cached),
            "ways": {str(n): way for n, way in o.ways.items()},
            **body,
        }

    def variable(self, v: Variable) -> int:
        """The number of a value."""
        return self.variables.setdefault(v, len(self.variables))

    def storage(self, s: Storage) -> int:
        """The number of its memory."""
        self.variable(s.variable)
        return self.storages.setdefault(s, len(self.storages))

    def declared(self, v: Variable) -> list[Any]:
        """A value: name, spec, whether it is a state, and the data of a constant."""
        found = [v.name, *self.spec(v.spec)]
        if isinstance(v, State):
            found.append(array_text(np.asarray(v.data)) if v.is_constant else "")
        return found

    def size(self, x: Any) -> int | str:
        """A number, or the text of a size that varies."""
        return str(x.dim) if is_varying(x) else x

    def spec(self, spec: Spec) -> list[Any]:
        """Shape and dtype."""
        return [spec.dtype.name, list(map(self.size, spec.shape))]

    def step(self, n: int, s: Step) -> Document:
        """A kernel or a call."""
        ends = {
            "reads": list(map(self.storage, s.reads)),
            "writes": list(map(self.memory, s.writes)),
        }
        return {**(self.call(s) if isinstance(s, CallStep) else self.kernel(n)), **ends}

    def kernel(self, n: int) -> Document:
        """What launches of a kernel depend on."""
        made = self.outline.codes[n]
        return {
            "kernel": made.kernel.source,
            "polls": made.kernel.polls,
            "places": made.places,
            "numbers": list(map(self.size, made.numbers)),
            "checks": [[self.size(e.args[1]), e.args[2]] for e in made.checks],
            "rows": self.size(made.rows),
            "work": self.size(made.work),
            "divisible": made.divisible,
            "grain": made.grain,
        }

    def call(self, s: CallStep) -> Document:
        """The operator, and what it is given."""
        o = s.operator
        is_own = registry.defined.get(o.op.name) is o.op
        if not is_named(o) and (not is_own or result_order(o, self.outline.target) is None):
            raise NotPlainError(o.op.name)  # what NumPy runs is code of this process
        return {
            "operator": o.op.name,
            "operands": [self.value(x) for x in o.operands],
            "attrs": {k: self.value(a) for k, a in o.attrs.items()},
            "results": [None if v is None else self.variable(v) for v in o.results],
            "given": [self.value(x) for x in s.operands],
            "result": self.value(s.result),
            "posts": [[p.kind, self.memory(p.operand), p.number] for p in s.posts],
        }

    def memory(self, s: Storage | None) -> int | None:
        """The number of the memory of what may be absent."""
        return None if s is None else self.storage(s)

    def view(self, v: View) -> Document:
        """A value inside another's memory."""
        sizes = [list(map(self.size, x)) for x in (v.shape, v.strides)]
        return {"view": [self.storage(v.base), self.size(v.offset), *sizes]}

    def value(self, x: Any) -> Any:
        """An operand, attribute or output. Raises NotPlainError."""
        if type(x) in PLAIN:
            return x
        if isinstance(x, Storage):
            return {"memory": self.storage(x)}
        if isinstance(x, View):
            return self.view(x)
        if is_varying(x):
            return {"size": str(x.dim)}
        if isinstance(x, Variable):
            return {"variable": self.variable(x)}
        if type(x) in (tuple, list):
            return {type(x).__name__: list(map(self.value, x))}
        if type(x) is slice:
            return {"slice": [self.value(i) for i in (x.start, x.stop, x.step)]}
        if isinstance(x, DType) and BY_NAME.get(x.name) is x:
            return {"dtype": x.name}
        if isinstance(x, np.ndarray) and x.dtype != object:
            return {"array": array_text(x)}
        raise NotPlainError(type(x).__name__)


def parsed(text: str, codes: Mapping[Kernel, Any], target: Target) -> Outline:
    """The Outline of a text that `printed` gave, of kernels whose code is there."""
    return _Reader(json.loads(text), codes, target).outline()


class _Reader:
    def __init__(self, document: Document, codes: Mapping[Kernel, Any], target: Target):
        self.document, self.kernels, self.target = document, codes, target
        self.guards = Guards(document["hints"])
        for text, kind, is_so in document["answers"]:
            self.guards.answers[parse_dim(text), kind] = is_so  # type: ignore[index]
        self.guards.is_closed = True
        self.program = Program(document["name"])
        self.variables = list(map(self.declared, document["variables"]))
        self.storages = [Storage(self.variables[n], order) for n, order in document["storages"]]

    def outline(self) -> Outline:
        """All of it."""
        d, main = self.document, self.program.main
        codes: dict[int, KernelCode] = {}
        steps = [self.step(n, s, codes) for n, s in enumerate(d["steps"])]
        # What calls read comes from kernels, which are no operators here.
        made = {v for o in main.ops for v in o.results}
        main.inputs = [v for v in self.variables if not isinstance(v, State) and v not in made]
        outputs = [self.value(x) for x in d["outputs"]]
        updates = {self.variables[s]: self.storages[v] for s, v in d["updates"]}
        plan = Plan(self.program, steps, outputs, updates)
        plan.in_place = {self.storages[s]: self.variables[v] for s, v in d["in_place"]}
        places = {self.storages[s]: n for s, n in d["places"]}
        outside = {n: self.variables[x] if kind == "value" else x for n, kind, x in d["outside"]}
        ways = {int(n): way for n, way in d["ways"].items()}
        return Outline(
            plan, places, outside, self.target, Stages(), self.guards, set(d["cached"]), codes,
            ways, has_loops=False,
        )  # fmt: skip

    def declared(self, given: Sequence[Any]) -> Variable:
        """A value."""
        name, dtype, shape, *data = given
        spec = Spec(self.sizes(shape), BY_NAME[dtype])
        if not data:
            return Variable(name, spec)
        constant = read_array(data[0]) if data[0] else None
        state = State(name, spec, data=constant, is_constant=constant is not None)
        self.program.states[name] = state
        return state

    def size(self, x: Any) -> Any:
        """A number, or a size that varies."""
        return self.guards.of(parse_dim(x)) if isinstance(x, str) else x

    def sizes(self, given: Sequence[Any]) -> tuple[Any, ...]:
        """Several."""
        return tuple(map(self.size, given))

    def step(self, n: int, s: Document, codes: dict[int, KernelCode]) -> Step:
        """A kernel or a call."""
        reads = [self.storages[k] for k in s["reads"]]
        writes = [None if k is None else self.storages[k] for k in s["writes"]]
        if "kernel" in s:
            codes[n] = self.kernel(s)
            return KernelStep(None, None, reads, writes)  # type: ignore[arg-type]  # not kept
        results = tuple(None if k is None else self.variables[k] for k in s["results"])
        attrs = {k: self.value(a) for k, a in s["attrs"].items()}
        o = Operator(registry[s["operator"]], tuple(map(self.value, s["operands"])), attrs, results)
        self.program.main.ops.append(o)
        posts = [
            Post(kind, None if k is None else self.storages[k], number)
            for kind, k, number in s["posts"]
        ]
        given, result = list(map(self.value, s["given"])), self.value(s["result"])
        return CallStep(o, given, reads, writes, result, posts)

    def kernel(self, s: Document) -> KernelCode:
        """What launches of a kernel depend on."""
        kernel = Kernel(LLVM, NAME, s["kernel"], s["polls"])
        checks = [
            make("bounded", (const(0), self.size(size), what), int64) for size, what in s["checks"]
        ]
        return KernelCode(
            kernel,
            self.kernels[kernel],
            tuple(s["places"]),
            self.sizes(s["numbers"]),
            tuple(checks),
            self.size(s["rows"]),
            self.size(s["work"]),
            s["divisible"],
            s["grain"],
        )

    def value(self, x: Any) -> Any:
        """What the writer's value was."""
        if not isinstance(x, dict):
            return x
        ((kind, given),) = x.items()
        match kind:
            case "size":
                return self.size(given)
            case "variable":
                return self.variables[given]
            case "memory":
                return self.storages[given]
            case "view":
                home, offset, shape, strides = given
                return View(
                    self.storages[home], self.size(offset), self.sizes(shape), self.sizes(strides)
                )
            case "slice":
                return slice(*map(self.value, given))
            case "dtype":
                return BY_NAME[given]
            case "array":
                return read_array(given)
        return (tuple if kind == "tuple" else list)(map(self.value, given))
