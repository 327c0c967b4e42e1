"""Reading the graph of an exported program: each node is a call in the table of ATen's operators.

A graph may change tensors in place, as the code did that it is of. Here a name then stands for a
new value, and so do those of views of it: a view is made again of what it is a view of, and what
changes a view is put back into that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from twinoar.core import dtype as dtypes
from twinoar.core.interpreter import current, using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import State, Variable, among
from twinoar.core.policy import UNRECORDED
from twinoar.errors import FileError, SourceLine, TwinoarError, UnsupportedError
from twinoar.formats.torch.aten import found_target
from twinoar.formats.torch.aten.shape import copy
from twinoar.formats.torch.aten.table import tensor
from twinoar.formats.torch.view import put_back, shares
from twinoar.late import dataclass
from twinoar.ops.control.branch_and_loop import cond, while_loop

CODES = {
    1: dtypes.uint8, 2: dtypes.int8, 3: dtypes.int16, 4: dtypes.int32, 5: dtypes.int64,
    6: dtypes.float16, 7: dtypes.float32, 8: dtypes.float64, 10: dtypes.complex64,
    11: dtypes.complex128, 12: dtypes.bool_, 13: dtypes.bfloat16,
    29: dtypes.float8_e4m3fn, 30: dtypes.float8_e5m2,
}  # fmt: skip
STRIDED = 7  # the only layout
PREFIXES = ("torch.ops.", "torch.")
CONTROL = "higher_order."
PLACE = re.compile(r'File "([^"\n]+)", line (\d+), in [^\n]*\n([^\n]*)')
WITHOUT_MEANING = ("as_memory_format", "as_layout", "as_device")
PLAIN = ("as_int", "as_ints", "as_bool", "as_bools", "as_string", "as_strings", "as_int_lists")


@dataclass(frozen=True)
class View:
    """How the value of a name was made of that of another, whose memory it shows."""

    base: str
    target: str
    told: dict[str, Any]
    is_certain: bool  # or the result may as well be a copy


class GraphReader:
    """Builds one graph with a Builder; `values` holds what each name stands for."""

    def __init__(self, graph: Any, builder: Builder, path: str):
        self.graph, self.builder, self.path = graph, builder, path
        self.values: dict[str, Any] = {}
        self.views: dict[str, View] = {}  # in the order in which they were made
        self.aliases: dict[str, str] = {}  # results of in-place operators

    def read_nodes(self) -> None:
        """Build all nodes, in order."""
        for index, node in enumerate(self.graph["nodes"]):
            self.builder.source = source_of(node)
            place = f"{self.path}: node {index}, {node['target'].removeprefix('torch.ops.')}"
            try:
                self._read(node)
            except (FileError, UnsupportedError) as error:
                if str(error.message).startswith(self.path):
                    raise
                line = line_of(node)
                raise type(error)(f"{place}: {error.message}{line}", cure=error.cure) from error
            except RecursionError as error:
                raise FileError(f"{place}: it is nested too deeply") from error
            # The file may say anything to an operator's rules: whatever fails there is its fault.
            except Exception as error:
                raise FileError(f"{place}: {_message_of(error)}{line_of(node)}") from error

    def output(self, arg: Any) -> Variable:
        """What the graph returns, as a Variable."""
        value = tensor(self.argument(arg))
        value = value.latest() if isinstance(value, Variable) else value
        return self.builder.lift(value)

    def _read(self, node: Any) -> None:
        target = node["target"]
        for prefix in PREFIXES:
            target = target.removeprefix(prefix)
        if target.startswith(CONTROL):
            self._define(node, self._control(target.removeprefix(CONTROL), node))
            return
        told = {given["name"]: given["arg"] for given in node["inputs"]}
        name, _, overload = target.removeprefix("aten.").partition(".")
        changes = target.startswith("aten.") and name.endswith("_") and not name.endswith("__")
        called = f"aten.{name[:-1]}.{overload}" if changes else target
        function = found_target(called) or found_target(f"torch.{called}")
        if function is None:
            raise UnsupportedError(
                f"twinoar has no operator for {target}",
                cure="express it by others, and export again",
            )
        if called.startswith("aten."):
            found = function(**self._named(told))
        else:
            found = function(*(self.argument(arg) for arg in told.values()))
        if changes:
            first = next(iter(told.values()))["as_tensor"]["name"]
            self._change(self._name(first), found)
            self._alias(node, first)
        else:
            self._define(node, found)
            self._note_view(called, node, told)

    def _named(self, told: dict[str, Any]) -> dict[str, Any]:
        """Arguments by name, without those that say how data lies."""
        found = {}
        for name, arg in told.items():
            ((kind, value),) = arg.items()
            if kind == "as_layout" and value != STRIDED:
                raise UnsupportedError("a layout that is not strided")
            if kind in WITHOUT_MEANING or (kind == "as_none" and name in PLACEMENT):
                continue
            if name not in ("pin_memory", "non_blocking"):
                found[name] = self.argument(arg)
        return found

    def argument(self, arg: Any) -> Any:
        """What an argument stands for."""
        ((kind, value),) = arg.items()
        if kind in PLAIN:
            return value
        if kind not in ARGUMENTS:
            raise UnsupportedError(f"an argument of the kind {kind}")
        return ARGUMENTS[kind](self, value)

    def _name(self, name: str) -> str:
        while name in self.aliases:
            name = self.aliases[name]
        return name

    def value(self, name: str) -> Any:
        """What a name stands for now. Raises FileError where nothing has defined it."""
        found = self._name(name)
        if found not in self.values:
            raise FileError(f"nothing before it defines {name[:80]}")
        value = self.values[found]
        return value.latest() if isinstance(value, Variable) else value

    # What nodes define.

    def _define(self, node: Any, found: Any) -> None:
        """Let the names of a node's results stand for them."""
        outputs, values = node["outputs"], found
        if len(outputs) == 1 and "as_tensors" in outputs[0]:
            outputs = [{"as_tensor": told} for told in outputs[0]["as_tensors"]]
        elif not isinstance(found, (tuple, list)):
            values = [found]
        names = [_defined(told) for told in outputs]
        if len(names) > len(values):
            raise FileError(f"expected {len(names)} results, there are {len(values)}")
        for name, value in zip(names, values, strict=False):
            if name and value is not None:
                self.values[name] = self._checked(name, value)

    def _checked(self, name: str, value: Any) -> Any:
        """A value that is what the archive says of it, as far as sizes are known."""
        told = self.graph["tensor_values"].get(name)
        if told is None:
            return value
        value = tensor(value)
        sizes = [n.get("as_int") for n in told["sizes"]]
        shape = value.spec.shape
        fits = len(sizes) == len(shape) and all(
            m is None or not isinstance(n, int) or n == m for m, n in zip(sizes, shape, strict=True)
        )
        if not fits or value.dtype != CODES.get(told["dtype"]):
            wanted = CODES.get(told["dtype"], told["dtype"])
            raise FileError(
                f"its result is {value.spec}, the archive says {wanted} of the sizes {sizes}"
            )
        is_new = isinstance(value, Variable) and not isinstance(value, State)
        if is_new and value.producer is not None and name not in self.values:
            value.name = name
        return value

    # What is changed in place.

    def _note_view(self, target: str, node: Any, told: dict[str, Any]) -> None:
        base = next((arg["as_tensor"]["name"] for arg in told.values() if "as_tensor" in arg), None)
        outputs = node["outputs"]
        if base is None or not outputs:
            return
        metas = self.graph["tensor_values"]
        for output in outputs[0].get("as_tensors", [output.get("as_tensor") for output in outputs]):
            if output is None:
                continue
            shared = shares(target, metas.get(base), metas.get(output["name"]), told)
            if shared is not False:
                self.views[output["name"]] = View(self._name(base), target, told, shared is True)

    def _alias(self, node: Any, name: str) -> None:
        for output in node["outputs"]:
            self.aliases[output["as_tensor"]["name"]] = name

    def _change(self, name: str, value: Any) -> None:
        """Let a name stand for a new value, and all that shares memory with it."""
        before = self.values[name]
        fitted = copy(before.latest(), value)
        view = self.views.get(name)
        if view is not None:
            self._require_certain(view)
            base = self.value(view.base)
            self._change(view.base, put_back(view.target, base, fitted, self._named(view.told)))
            return
        if among(before, self.builder.program.main.inputs):
            raise UnsupportedError(
                f"the input {name} is changed in place",
                cure="export a module that copies it first",
            )
        self.builder.rebind(before, fitted)
        changed = {name}
        for shown, view in self.views.items():
            if view.base in changed:
                changed.add(shown)
                self._require_certain(view)
                function = found_target(view.target)
                again = function(**self._named(view.told)) if function is not None else None
                if isinstance(again, (tuple, list)):
                    raise UnsupportedError(f"{name} is changed in place, and parts of it are read")
                self.builder.rebind(self.values[shown], again)

    def _require_certain(self, view: View) -> None:
        if not view.is_certain:
            raise UnsupportedError(
                f"a tensor is changed in place, and {view.target} may share its memory or copy it",
                cure="export the program after run_decompositions(), which has no such changes",
            )

    # Graphs inside the graph.

    def _control(self, kind: str, node: Any) -> Any:
        args = [given["arg"] for given in node["inputs"]]
        if kind in ("wrap_with_set_grad_enabled", "wrap_with_autocast"):
            graph = next(n for n, arg in enumerate(args) if "as_graph" in arg)
            if kind == "wrap_with_autocast" and args[1] != {"as_none": True} and _is_on(args):
                raise UnsupportedError("a part under autocast")
            inside = self._function(args[graph])
            given = [self.argument(arg) for arg in args[graph + 1 :]]
            if kind == "wrap_with_set_grad_enabled" and not self.argument(args[0]):
                with using(self.builder.under(UNRECORDED)):
                    return inside(*given)
            return inside(*given)
        if kind == "cond":
            given = self.argument(args[3]) if len(args) > 3 else []
            then, otherwise = (partial(self._function(arg), *given) for arg in args[1:3])
            return cond(self.argument(args[0]), then, otherwise)
        if kind == "while_loop":
            carried, more = (self.argument(arg) for arg in args[2:4])
            test, body = (self._function(arg) for arg in args[:2])
            return while_loop(
                lambda *xs: test(*xs, *more)[0], lambda *xs: list(body(*xs, *more)), list(carried)
            )
        if kind == "with_effects":  # a check in its order: args[0] says after which others
            name = args[1]["as_operator"].removeprefix(PREFIXES[0])
            function = found_target(name)
            if function is None:
                raise UnsupportedError(f"twinoar has no operator for {name}")
            return None, function(*(self.argument(arg) for arg in args[2:]))
        raise UnsupportedError(f"twinoar has no operator for {CONTROL}{kind}")

    def _function(self, arg: Any) -> Callable[..., list[Any]]:
        """A graph inside this one, as a function that builds it."""
        graph = arg["as_graph"]["graph"]

        def call(*operands: Any) -> list[Any]:
            inner = GraphReader(graph, current(), self.path)
            for told, value in zip(graph["inputs"], operands, strict=True):
                inner.values[_defined(told)] = value
            inner.read_nodes()
            return [tensor(inner.argument(told)) for told in graph["outputs"]]

        return call


def _is_on(args: Sequence[Any]) -> bool:
    """Whether autocast is switched on: device, dtype and this."""
    return any(arg.get("as_bool") for arg in args[1:3])


def _defined(told: Any) -> str:
    """The name that an output defines, or none."""
    ((kind, value),) = told.items()
    if kind == "as_tensor":
        return value["name"]
    if kind in ("as_sym_int", "as_sym_bool", "as_sym_float"):
        return value.get("as_name", "")
    if kind == "as_none":
        return ""
    raise UnsupportedError(f"a result of the kind {kind}")


def source_of(node: Any) -> SourceLine | None:
    """The innermost line of the model's code that the archive names."""
    found = PLACE.findall(node.get("metadata", {}).get("stack_trace") or "")
    return SourceLine(found[-1][0], int(found[-1][1])) if found else None


def line_of(node: Any) -> str:
    """That line in words, with its text."""
    found = PLACE.findall(node.get("metadata", {}).get("stack_trace") or "")
    own = [line for line in found if "/torch/nn/" not in line[0]] or found
    return f" ({own[-1][0]}:{own[-1][1]}: {own[-1][2].strip()[:100]})" if own else ""


def _message_of(error: Exception) -> str:
    if isinstance(error, TwinoarError):
        return f"{error.operator}: {error.message}" if error.operator else error.message
    return f"its arguments do not fit ({type(error).__name__}: {error})"


def _sym(reader: GraphReader, told: Any) -> Any:
    """A size or number by its name, or itself."""
    if "as_name" in told:
        return reader.value(told["as_name"])
    ((_, value),) = told.items()
    return value


def _dtype(reader: GraphReader, code: int) -> Any:
    if code not in CODES:
        raise UnsupportedError(f"tensors of type {code}")
    return CODES[code]


def _tensor(reader: GraphReader, told: Any) -> Any:
    return reader.value(told["name"])


def _optional(reader: GraphReader, told: Any) -> Any:
    return reader.value(told["as_tensor"]["name"]) if "as_tensor" in told else None


def _each(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda reader, told: [function(reader, one) for one in told]


def _float(reader: GraphReader, told: Any) -> float:
    return float(told)


ARGUMENTS: dict[str, Callable[..., Any]] = {
    "as_none": lambda reader, told: None,
    "as_tensor": _tensor,
    "as_tensors": _each(_tensor),
    "as_optional_tensor": _optional,
    "as_optional_tensors": _each(_optional),
    "as_float": _float,
    "as_floats": _each(_float),
    "as_complex": lambda reader, told: complex(told["real"], told["imag"]),
    "as_scalar_type": _dtype,
    "as_sym_int": _sym,
    "as_sym_ints": _each(_sym),
    "as_sym_float": _sym,
    "as_sym_floats": _each(_sym),
    "as_sym_bool": _sym,
}
PLACEMENT = ("layout", "device", "pin_memory", "memory_format", "dtype_layout")
