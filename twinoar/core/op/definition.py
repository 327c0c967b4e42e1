"""The one definition of an operator, and the one door through which every call of it goes."""

from __future__ import annotations

import difflib
import inspect
import math
import sys
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from twinoar.core.interpreter import _Base, _innermost
from twinoar.core.keyword import respelled, wider_than, with_name
from twinoar.core.op.attr import REQUIRED, parameters_of, read_signature
from twinoar.core.op.explain import call_shown, describe
from twinoar.core.op.registry import registry
from twinoar.core.op.slots import Slots, attributes_shown, operands_by_slot, results_by_slot
from twinoar.core.values import placed
from twinoar.errors import ArgumentError, TwinoarError, TypeMismatchError
from twinoar.late import LateSignature

DERIVATIONS: dict[
    str, Callable[[Op], Op]
] = {}  # suffix -> how `<name>.<suffix>` comes from `<name>`

RULES = (
    "infer",  # (*specs, **attrs) -> Spec or Specs
    "kernel",  # (*ndarrays, **attrs) -> ndarray or ndarrays: the oracle
    "grad",  # (what it needs, by name) -> one gradient per operand, None where there is none
    "grad_of_rows",  # (**attrs) -> bool: if the gradient rule gives SelectedRows for these
    "promote",  # (operands) -> operands of one dtype
    "scalar",  # one element of the output from one element of each operand, in the loop language
    "lower",  # one element of the output from an index and readers, in the loop language
    "procedure",  # (launcher, what it needs by name): launches of core.loop.procedure
    "begins_as",  # per result the operand that it is with some elements changed, by a procedure
    "host",  # why compiled Programs call Python or NumPy for it: the host list, in one place
    "counted",  # (operands, attrs) -> generator of how many elements, which returns the results
    "open",  # (*operands, **attrs) -> results by operators that are loops for any sizes, or None
    "library",  # a kernel library's primitive and its arguments, or None
    "collective",  # (**attrs) -> Collective: what ranks do together, without Python where they can
    "desc",  # a twinoar.core.op.desc.Desc: the form in Paddle's files
    "amp",  # the precision under auto_cast, one of PRECISIONS
    "amp_operands",  # names of the operands that auto_cast looks at and casts, where not of all
    "moves",  # True if it moves, fills or converts elements, and computes with none: of any dtype
    "elements",  # (*ndarrays, **attrs) -> int: how many the kernel makes, each in many passes
    "compiled_from",  # elements of an operand from which compiled code beats the kernel, eagerly
    "one_function",  # True if the kernel is one NumPy function, as fast as compiled code is
    "slow_kernel",  # True if Python calls many functions for it: compiled code beats it when small
    "flops",  # (*specs, **attrs) -> int
    "unless",  # an operand's name: the kernel does nothing where this is true
    "effect",  # True if calls must not be dropped, merged or reordered
    "total",  # True if no data of the specs that it takes makes a call fail
    "commutative",  # True if the two operands may change places
    "view",  # (base, part, **attrs) -> base with what the result shows of it replaced by part
    "anywhere",  # True if the kernel takes buffers of any device, and decides where its result lies
    "waits",  # True if what reads the result must not run before the last operand is there
    "shard",  # (*specs, specs, **attrs): how calls can be cut into equal parts, beside its element
    "apart",  # which dimensions of operands a call computes together, and all others apart: those
    # of that attribute, or so many last ones
    "factor",  # (spec, *operands but the first, **attrs): what it multiplies that by, as it draws
    "samples",  # (s) -> Samples: example calls, good and bad
)
# What `auto_cast` makes of an operator, beginning with what it makes of one that says nothing.
PRECISIONS = (
    "promote",  # float32 if an operand is, else low
    "low",
    "high",  # float32, but at level O2 as "promote": its kernel adds up in float32 anyway
    "full",  # float32 at every level
    "keep",  # that of its operands, which are none of its business
)
FEW = 512  # elements of an operand from which an interpreter asks for compiled code of any operator
F = TypeVar("F", bound=Callable[..., Any])
RESERVED = frozenset({"g", "gs", "out", "outs", "specs", "wanted", "vjp", "name"})


class Op:
    """An operator: name, operands and typed attributes by its signature, and rules by attachment.

    A composite operator has a body: inference, kernel, gradient and lowering follow from it, and
    each can be overridden. A primitive has none, and must have `infer` and `kernel`.
    """

    fills_gradients = True  # a gradient rule gets zeros for results that nothing depends on
    derives_kernel = False  # its kernel is made from its expression, of many NumPy functions
    elements_rule: Callable[..., int] | None = None
    is_compiled_small = False  # compiled code beats its kernel, or its body, on few elements, too
    is_one_function = False  # its kernel is as fast as compiled code, which costs more to call
    shows_memory = False  # its results are views of its first operand
    stops_gradients = False  # its gradient rule asks for no gradient: results want none either

    def __init__(
        self,
        definition: Callable[..., Any],
        *,
        composite: bool,
        name: str | None = None,
        **rules: Any,
    ):
        self.name = name or definition.__name__.rstrip("_")
        self.__name__ = self.name
        self.__module__ = definition.__module__
        self.__doc__ = definition.__doc__ or ""
        self.operands, self.attrs = read_signature(definition)
        if taken := RESERVED & {o.name for o in self.operands} | RESERVED & self.attrs.keys():
            raise TypeError(
                f"operator {self.name}: {sorted(taken)} mean something in gradient rules"
            )
        self.body = definition if composite else None
        self.is_compiled_small = composite  # many functions, each of which Python calls
        self.rules: dict[str, Any] = {}
        self.kernel_rule: Callable[..., Any] | None = None
        self.promote_rule: Callable[..., Any] | None = None
        self.grad_rule: GradRule | None = None
        self.variadic = bool(self.operands) and self.operands[-1].variadic
        self.takes_blocks = any(
            getattr(a.annotation, "is_block", False) for a in self.attrs.values()
        )
        self.definition = definition
        for kind, rule in rules.items():
            self.attach(kind, rule)

    @cached_property
    def doc(self) -> str:
        """The docstring without its indentation."""
        return inspect.cleandoc(self.__doc__ or "")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self.function(*args, **kwargs)
        except TypeError as error:
            return _called_otherwise(self, error, args, kwargs)

    @cached_property
    def function(self) -> Any:
        """A plain function that calls this operator; generated when it is first wanted."""
        return make_function(self)

    @cached_property
    def public(self) -> Any:
        """The plain function that users call, made once: `publish` puts it into a namespace."""
        return make_public(self)

    @property
    def precision(self) -> str:
        """What `auto_cast` makes of it, one of PRECISIONS."""
        return str(self.rules.get("amp", PRECISIONS[0]))

    @property
    def type(self) -> str:
        """The operator's type as Paddle spells it; its own name where Paddle has none."""
        desc = self.rules.get("desc")
        return desc.type if desc is not None else self.name

    def input_slots(self, operands: tuple[Any, ...], attrs: dict[str, Any]) -> Slots:
        """The operands of a call by Paddle's slots; by our names where Paddle has none."""
        return operands_by_slot(self.rules.get("desc"), self.operands, operands)

    def output_slots(self, results: tuple[Any, ...], attrs: dict[str, Any]) -> Slots:
        """The results of a call by Paddle's slots."""
        return results_by_slot(self.rules.get("desc"), results)

    def shown_attrs(self, operands: tuple[Any, ...], attrs: dict[str, Any]) -> dict[str, Any]:
        """The attributes of a call by Paddle's names; by ours where Paddle has none."""
        return attributes_shown(self.rules.get("desc"), attrs, operands)

    @property
    def __signature__(self) -> inspect.Signature:
        wider = wider_than(self)
        return inspect.signature(wider) if wider else with_name(inspect.signature(self.definition))

    def attach(self, kind: str, rule: Any) -> Any:
        """Add the rule of one kind; a second one of that kind is refused."""
        if kind not in RULES:
            raise TypeError(
                f"operator {self.name}: no such rule: {kind}; there are {', '.join(RULES)}"
            )
        if kind in self.rules:
            raise TypeError(f"operator {self.name} already has a {kind} rule")
        if kind == "amp" and rule not in PRECISIONS:
            raise TypeError(
                f"operator {self.name}: no such precision: {rule!r}; there are "
                f"{', '.join(PRECISIONS)}"
            )
        if inspect.isfunction(rule) and rule.__name__ in ("_", "<lambda>"):
            rule.__name__ = rule.__qualname__ = f"{self.name}.{kind}"
        self.rules[kind] = rule
        if kind in ("kernel", "scalar", "counted"):  # what NumPy needs few functions for, mostly
            slow = self.rules.get("compiled_from", FEW) < FEW
            self.is_compiled_small = slow or bool({"slow_kernel", "elements"} & self.rules.keys())
        if kind == "kernel":
            self.kernel_rule = rule
        elif kind == "promote":
            self.promote_rule = rule
        elif kind == "elements":
            self.elements_rule = rule
            self.is_compiled_small = True  # random draws, of many passes each
        elif kind == "compiled_from":
            small = rule < FEW or self.is_compiled_small
            self.is_compiled_small = small and math.isfinite(rule)
        elif kind == "one_function":
            self.is_one_function = bool(rule)
        elif kind == "slow_kernel":
            self.is_compiled_small = bool(rule)
        elif kind == "view":
            self.shows_memory = True
        elif kind == "grad":
            self.grad_rule = GradRule(self, rule)
            self.stops_gradients = not {"g", "gs", "vjp"} & set(self.grad_rule.asks)
        return rule

    def infer(self, rule: F) -> F:
        """Decorator: shapes and dtypes of the results."""
        self.attach("infer", rule)
        return rule

    def kernel(self, rule: F) -> F:
        """Decorator: the NumPy kernel."""
        self.attach("kernel", rule)
        return rule

    def grad(self, rule: F) -> F:
        """Decorator: the gradient rule."""
        self.attach("grad", rule)
        return rule

    def scalar(self, rule: F) -> F:
        """Decorator: one element of an elementwise operator."""
        self.attach("scalar", rule)
        return rule

    def lower(self, rule: F) -> F:
        """Decorator: one element of the output."""
        self.attach("lower", rule)
        return rule

    def procedure(self, rule: F) -> F:
        """Decorator: the loops that compute the results together."""
        self.attach("procedure", rule)
        return rule

    def counted(self, rule: F) -> F:
        """Decorator: results whose sizes data decides, by operators; see `core.ir.counted`."""
        self.attach("counted", rule)
        return rule

    def library(self, rule: F) -> F:
        """Decorator: the primitive of a kernel library."""
        self.attach("library", rule)
        return rule

    def flops(self, rule: F) -> F:
        """Decorator: arithmetic operations of one call."""
        self.attach("flops", rule)
        return rule

    def samples(self, rule: F) -> F:
        """Decorator: example calls, good and bad."""
        self.attach("samples", rule)
        return rule

    def operand_names(self, count: int) -> tuple[str, ...]:
        """The name of each of `count` operands; a variadic operand's are numbered."""
        names = [o.name for o in self.operands if not o.variadic]
        if self.variadic:
            names += [f"{self.operands[-1].name}[{i}]" for i in range(count - len(names))]
        return tuple(names)

    def __repr__(self) -> str:
        return f"<operator {self.name}>"


class GradRule:
    """A gradient rule and what it asks for by parameter name, which is all that backward keeps.

    asked: the names, with the place of the operand where that is what a name means. knows_complex:
    the rule takes and gives gradients of complex numbers as they are, as one does that runs the
    gradient of a block; others are written for real ones, and hold for complex ones between
    conjugations.
    """

    __slots__ = (
        "asked",
        "asks",
        "function",
        "knows_complex",
        "needs_all",
        "needs_operand",
        "needs_operands",
        "needs_out",
        "needs_specs",
    )

    def __init__(self, op: Op, function: Callable[..., Any]):
        self.function = function
        self.asks = tuple(
            parameters_of(function)
            if inspect.isfunction(function)
            else inspect.signature(function).parameters
        )
        self.knows_complex = getattr(function, "knows_complex", "vjp" in self.asks)
        known = RESERVED | {o.name for o in op.operands} | op.attrs.keys()
        if unknown := set(self.asks) - known:
            raise TypeError(
                f"{op.name}.grad asks for {sorted(unknown)}, which the operator does not have"
            )
        place = {o.name: n for n, o in enumerate(op.operands) if not o.variadic}
        self.asked = tuple((name, place.get(name)) for name in self.asks)
        self.needs_operand = tuple(o.name in self.asks for o in op.operands)
        self.needs_operands = any(self.needs_operand)
        self.needs_all = self.needs_operands and all(self.needs_operand)
        self.needs_out = "out" in self.asks or "outs" in self.asks
        self.needs_specs = "specs" in self.asks


def of_complex(rule: F) -> F:
    """Declare that a gradient rule knows of complex numbers."""
    rule.knows_complex = True  # type: ignore[attr-defined]  # read by GradRule
    return rule


def _called_otherwise(
    op: Op, error: TypeError, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A call that did not fit, by Paddle 3's spellings of keywords; else what went wrong."""
    trace = error.__traceback__
    if trace is None or trace.tb_next is not None:  # it did fit, and something within failed
        raise error
    again = respelled(op.function, kwargs)
    if again is not None:
        return again(*args)
    raise TypeMismatchError(
        f"the arguments do not fit: {error}", cure=call_shown(op.name, op.__signature__)
    ).attach(op.name, describe(op, args)) from None


def make_public(op: Op) -> Any:
    """A plain function that calls `op`: it has its name, docstring and signature, and pickles."""

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return op.function(*args, **kwargs)
        except TypeError as error:
            return _called_otherwise(op, error, args, kwargs)

    name = op.definition.__name__
    call.__name__ = call.__qualname__ = name
    call.__doc__, call.__module__ = op.doc, op.__module__
    call.__signature__ = LateSignature(lambda: op.__signature__)  # type: ignore[attr-defined]
    call.op = op  # type: ignore[attr-defined]
    return call


def publish(space: dict[str, Any]) -> None:
    """Make the operators that a namespace exports the plain functions that users call.

    The first namespace is where pickles find them again.
    """
    exported = [(n, space[n]) for n in space["__all__"] if isinstance(space.get(n), Op)]
    names = {n for n, _ in exported}
    for name, operator in exported:
        function = space[name] = operator.public
        if function.__module__ == operator.__module__:
            own = operator.definition.__name__
            function.__name__ = function.__qualname__ = own if own in names else name
            function.__module__ = space["__name__"]


def operator_of(function: Any) -> Op | None:
    """The operator that `function` is, or that a public function calls; None for another."""
    if isinstance(function, Op):
        return function
    found = getattr(function, "op", None)  # which functools.wraps gives to others, too
    return found if isinstance(found, Op) and found.public is function else None


def op(definition: Callable[..., Any] | None = None, **rules: Any) -> Any:
    """Define a composite operator, whose body is its meaning; bare, or with rules as keywords.

    method, inplace: where users find it besides, see `core.values.placed`.
    """
    return _define(definition, composite=True, rules=rules)


def primitive(definition: Callable[..., Any] | None = None, **rules: Any) -> Any:
    """Define an operator that no others express; bare, or with rules as keywords.

    method, inplace: where users find it besides, see `core.values.placed`.
    """
    return _define(definition, composite=False, rules=rules)


def _define(
    definition: Callable[..., Any] | None, *, composite: bool, rules: dict[str, Any]
) -> Any:
    places = {place: rules.pop(place) for place in ("method", "inplace") if place in rules}

    def make(function: Callable[..., Any]) -> Op:
        made = Op(function, composite=composite, **rules)
        if made.name in registry.defined:
            raise TypeError(f"there is already an operator {made.name}")
        registry[made.name] = made
        return placed(made, **places)

    return make if definition is None else make(definition)


def missing_rules(operator: Op) -> list[str]:
    """What a complete operator must have and this one lacks."""
    needed = ["samples"] if operator.body else ["infer", "kernel", "samples"]
    return [kind for kind in needed if kind not in operator.rules]


def check_complete() -> None:
    """Raise ImportError if an operator lacks a rule that it must have, or a docstring."""
    defined = registry.defined.values()
    lacking = [f"{o.name} lacks {', '.join(m)}" for o in defined if (m := missing_rules(o))]
    if sys.flags.optimize < 2:  # then Python drops them all
        lacking += [f"{o.name} lacks a docstring" for o in defined if not o.__doc__]
    if lacking:
        raise ImportError("incomplete operators: " + "; ".join(lacking))


def op_named(name: str) -> Op:
    """The operator `name`. Raises ArgumentError if there is none."""
    base, _, derivation = name.rpartition(".")
    if base and derivation in DERIVATIONS and name not in registry.defined:
        return DERIVATIONS[derivation](op_named(base))
    if name in registry:
        return registry[name]
    nearest = difflib.get_close_matches(name, registry, 3) or sorted(registry)[:3]
    raise ArgumentError(
        f"there is no operator {name!r}",
        cure=f"the nearest are {', '.join(nearest)}; one of your own is there once the module that "
        "defines it is imported",
    )


def make_function(op: Op) -> Any:
    """Generate `def add(x, y, name=None)`, which binds its arguments and calls the interpreter.

    `Signature.bind` would cost ten times more.
    """
    space: dict[str, Any] = {
        "_innermost": _innermost.get,
        "_base": _Base,
        "_op": op,
        "_no_attrs": {},
        "_rename": _rename,
        "_error": TwinoarError,
        "_describe": describe,
    }
    definition, parameters = op.definition, []
    for name, default in parameters_of(definition).items():
        if default is REQUIRED:
            parameters.append(name)
        else:
            space[f"_default_{name}"] = default
            parameters.append(f"{name}=_default_{name}")
    attrs = []
    for name, attr in op.attrs.items():
        space[f"_convert_{name}"] = attr.convert
        attrs.append(f"{name!r}: _convert_{name}({name})")
    operands = "".join(f"*{o.name}, " if o.variadic else f"{o.name}, " for o in op.operands)
    checked = (
        f"    try:\n"
        f"        attrs = {{{', '.join(attrs)}}}\n"
        f"    except _error as error:\n"
        f"        raise error.attach(_op.name, _describe(_op, ({operands}))) from None\n"
    )
    source = (
        f"def {definition.__name__}({', '.join([*parameters, 'name=None'])}):\n"
        f"{checked if attrs else ''}"
        f"    out = (_innermost() or _base.interpreter).apply("
        f"_op, ({operands}), {'attrs' if attrs else '_no_attrs'})\n"
        f"    if name is not None:\n"
        f"        _rename(out, name)\n"
        f"    return out\n"
    )
    exec(compile(source, f"<twinoar operator {op.name}>", "exec"), space)
    function = space[definition.__name__]
    function.__doc__, function.__module__ = op.doc, definition.__module__
    function.op = op
    return function


def _rename(out: Any, name: str) -> None:
    if not isinstance(out, tuple):
        out.rename(name)
