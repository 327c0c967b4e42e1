"""A declaration of C++ as an operator: the same rules as any other, served by a library."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from itertools import islice
from types import FunctionType
from typing import Any

from twinoar.core.dtype import BY_NUMPY
from twinoar.core.interpreter import current
from twinoar.core.op.attr import REQUIRED
from twinoar.core.op.definition import Op
from twinoar.core.op.desc import Desc
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import ExtensionError, GradientError, TypeMismatchError
from twinoar.utils.cpp_extension.declaration import GRAD, NEW, Attribute, Declaration, Slot
from twinoar.utils.cpp_extension.inference import result_specs
from twinoar.utils.cpp_extension.library import Library

TENSORS = "tensors"  # the operand that has the tensors of all lists
LENGTHS = "lengths"  # the attribute that tells the lists of a call apart, where there are several
GRADIENT_MARKS = (GRAD, GRAD + NEW, NEW)  # what follows an input's name in its gradient's
LIMIT = 256  # calls of an operator whose specs are remembered


class CppOp(Op):
    """An operator whose kernel and inference are functions of a library.

    Its operands are the inputs that hold one tensor, and after them the tensors of all lists.
    """

    def __init__(self, library: Library, declaration: Declaration):
        self.compiled, self.declaration = library, declaration
        self.lists = [slot for slot in declaration.inputs if slot.is_list]
        self.expected: dict[Any, tuple[Spec, ...] | None] = {}
        super().__init__(
            _definition(library, declaration),
            composite=False,
            name=declaration.name,
            infer=self.infer_results,
            kernel=self.run,
            host="C++ of a library",
            samples=lambda s: iter(()),
        )
        form = _form(declaration)
        if form is not None:
            self.attach("desc", form)

    @property
    def parameters(self) -> dict[str, str]:
        """The name of the operand that holds each input, by the input's name."""
        return {
            slot.name: TENSORS if slot.is_list else slot.python_name
            for slot in self.declaration.inputs
        }

    def flat(self, slots: Sequence[Any]) -> tuple[Any, ...]:
        """The operands for what each input holds."""
        singles, lists = self._parted(slots)
        return (*singles, *[x for held in lists for x in held])

    def applied(self, slots: Sequence[Any], attrs: dict[str, Any]) -> tuple[Any, ...]:
        """The results of a call, for what each input holds."""
        singles, lists = self._parted(slots)
        tensors = [[x for held in lists for x in held]] if lists else []
        lengths = {LENGTHS: [len(held) for held in lists]} if len(lists) > 1 else {}
        out = self.function(*singles, *tensors, **attrs, **lengths)
        return out if isinstance(out, tuple) else (out,)

    def _parted(self, slots: Sequence[Any]) -> tuple[list[Any], list[list[Any]]]:
        """What inputs of one tensor hold, and what lists do."""
        pairs = list(zip(self.declaration.inputs, slots, strict=True))
        return (
            [x for slot, x in pairs if not slot.is_list],
            [list(x or ()) for slot, x in pairs if slot.is_list],
        )

    def slots(self, flat: Sequence[Any], attrs: dict[str, Any]) -> list[Any]:
        """What each input holds: the inverse of `flat`. An optional list that is empty is None."""
        if not self.lists:
            return list(flat)
        count = len(self.declaration.inputs) - len(self.lists)
        singles, rest = iter(flat[:count]), iter(flat[count:])
        lengths = iter(attrs.get(LENGTHS) or (len(flat) - count,))
        found: list[Any] = []
        for slot in self.declaration.inputs:
            if not slot.is_list:
                found.append(next(singles))
                continue
            held = [next(rest) for _ in range(next(lengths))]
            found.append(None if slot.is_optional and not held else held)
        return found

    def infer_results(self, *specs: Any, **attrs: Any) -> tuple[Spec, ...]:
        """The specs of the results."""
        return result_specs(self.compiled, self.declaration, self.slots(specs, attrs), attrs)

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        """The arrays of the results, which must be what inference says, where anything does."""
        results = self.compiled.run(self.declaration, self.slots(arrays, attrs), attrs)
        expected = self._expected(arrays, attrs)
        found = [(a.shape, a.dtype) for a in results]
        if expected is not None and found != [(s.shape, s.dtype.numpy) for s in expected]:
            shown = [str(Spec(a.shape, BY_NUMPY[a.dtype])) for a in results]
            raise ExtensionError(
                f"the kernel returned {', '.join(shown)}, declared are "
                f"{', '.join(map(str, expected))}",
                cure="let SetInferShapeFn and SetInferDtypeFn say what the kernel returns",
            )
        return results[0] if len(results) == 1 else tuple(results)

    def _expected(self, arrays: Sequence[Any], attrs: dict[str, Any]) -> tuple[Spec, ...] | None:
        """The specs of the results for arrays like these, remembered; None if nothing says them."""
        key = (*[None if a is None else (a.shape, a.dtype) for a in arrays], *attrs.values())
        if key not in self.expected:
            if len(self.expected) >= LIMIT:
                self.expected.clear()
            specs = [None if a is None else Spec(a.shape, BY_NUMPY[a.dtype]) for a in arrays]
            self.expected[key] = self._declared(specs, attrs)
        return self.expected[key]

    def _declared(self, specs: Sequence[Any], attrs: dict[str, Any]) -> tuple[Spec, ...] | None:
        try:
            return self.infer_results(*specs, **attrs)
        except ExtensionError:
            if self.declaration.infers:
                raise
            return None

    def result_slots(self, results: Sequence[Any], sizes: dict[str, int]) -> dict[str, Any]:
        """What each output holds, by its name.

        sizes: how many results outputs have, for what is not one; the list it does not tell has all
        that remain.
        """
        outputs = self.declaration.outputs
        known = {slot.name: 1 for slot in outputs if not slot.is_list} | sizes
        free = len(results) - sum(known[slot.name] for slot in outputs if slot.name in known)
        remaining = iter(results)
        found: dict[str, Any] = {}
        for slot in outputs:
            held = list(islice(remaining, known.get(slot.name, free)))
            found[slot.name] = held if slot.is_list else held[0] if held else None
        return found

    def changed(self, slots: Sequence[Any]) -> dict[str, Any]:
        """What the inputs hold that outputs take the place of, by the outputs' names."""
        inputs = dict(zip((slot.declared for slot in self.declaration.inputs), slots, strict=True))
        return {
            slot.name: inputs[self.declaration.inplace[slot.declared]]
            for slot in self.declaration.outputs
            if slot.declared in self.declaration.inplace
        }


class CppGradient:
    """The gradient rule of an operator: another operator of C++, called with what it names."""

    knows_complex = True

    def __init__(self, of: CppOp, by: CppOp):
        self.of, self.by = of, by
        names = [slot.name for slot in by.declaration.inputs]
        outputs = [slot.name for slot in of.declaration.outputs]
        known = {*of.parameters, *outputs, *[name + GRAD for name in outputs]}
        if unknown := [name for name in names if name not in known]:
            raise ExtensionError(
                f"{by.name} has the input {unknown[0]}, and {of.name} has nothing of that name",
                cure=f"name one of {', '.join(sorted(known))}",
            )
        wanted = [of.parameters[name] for name in names if name in of.parameters]
        wanted += ["outs"] if set(outputs).intersection(names) else []
        wanted += [a.name for a in by.declaration.attributes]
        wanted += [LENGTHS] if LENGTHS in of.attrs else []
        self.asked = list(dict.fromkeys(["gs", "specs", *wanted]))
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature([inspect.Parameter(n, kind) for n in self.asked])

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        offered = dict(zip(self.asked, values, strict=True))
        specs = self.of.slots(offered["specs"], offered)
        known = self._known(offered, specs)
        given = [known[slot.name] for slot in self.by.declaration.inputs]
        for slot, x in zip(self.by.declaration.inputs, given, strict=True):
            if x is None and not slot.is_optional:
                raise GradientError(f"{self.by.name} needs {slot.name}, and there is none")
        attrs = {a.name: offered[a.name] for a in self.by.declaration.attributes}
        return self._by_operand(self.by.applied(given, attrs), specs)

    def _known(self, offered: dict[str, Any], specs: list[Any]) -> dict[str, Any]:
        """What inputs, outputs and the gradients of outputs hold, by name, as far as asked for."""
        singles = [s for s in self.of.declaration.inputs if not s.is_list]
        count = len(offered["specs"]) - len(singles)
        flat = [offered.get(s.python_name) for s in singles]
        flat += offered.get(TENSORS, (None,) * count)
        sizes = {name: _count(x) for name, x in self.of.changed(specs).items()}
        gradients = self.of.result_slots(offered["gs"], sizes)
        return {
            **dict(zip(self.of.parameters, self.of.slots(flat, offered), strict=True)),
            **(self.of.result_slots(offered["outs"], sizes) if "outs" in offered else {}),
            **{name + GRAD: g for name, g in gradients.items()},
        }

    def _by_operand(self, results: tuple[Any, ...], specs: list[Any]) -> tuple[Any, ...]:
        """The gradient of each operand, in their order."""
        pairs = list(zip(self.of.declaration.inputs, specs, strict=True))
        found = self.by.result_slots(
            results,
            {
                slot.name + mark: _count(spec)
                for slot, spec in pairs
                for mark in GRADIENT_MARKS
                if slot.is_list or spec is None
            },
        )
        gradients = []
        for slot, spec in pairs:
            names = [slot.name + mark for mark in GRADIENT_MARKS if slot.name + mark in found]
            none = [None] * _count(spec) if slot.is_list else None
            gradients.append(found[names[0]] if names else none)
        return self.of.flat(gradients)


def face_of(op: CppOp) -> Callable[..., Any]:
    """The function that users call: inputs in their declared order, then attributes.

    Returns the output, or a list of them. Inputs that are declared to change in place change.
    """
    declaration = op.declaration
    is_plain = len(declaration.outputs) == 1 and not (
        op.lists or declaration.inplace or declaration.outputs[0].is_list
    )

    def call(given: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        slots = [_checked(s, x) for s, x in zip(declaration.inputs, given, strict=True)]
        if is_plain:
            return op.function(*slots, **attrs)
        results = op.applied(slots, attrs)
        changed = op.changed(slots)
        found = op.result_slots(results, {name: _count(x) for name, x in changed.items()})
        for name, target in changed.items():
            _rebind(target, found[name])
            found[name] = target
        held = list(found.values())
        return held[0] if len(held) == 1 else held

    inputs = [slot.python_name for slot in declaration.inputs]
    optional = [None if slot.is_optional else REQUIRED for slot in declaration.inputs]
    names = [a.name for a in declaration.attributes]
    defaults = [*optional, *[a.default for a in declaration.attributes]]
    given = "".join(f"{name}, " for name in inputs)
    attrs = ", ".join(f"{name!r}: {name}" for name in names)
    body = f"return call(({given}), {{{attrs}}})"
    return _function(declaration.name, [*inputs, *names], defaults, body, call=call)


def _definition(library: Library, declaration: Declaration) -> Callable[..., Any]:
    """The function whose signature is the operator's."""
    singles = [slot for slot in declaration.inputs if not slot.is_list]
    lists = len(declaration.inputs) - len(singles)
    annotations: dict[str, Any] = {
        slot.python_name: Value | None if slot.is_optional else Value for slot in singles
    }
    annotations |= {TENSORS: Sequence[Value]} if lists else {}
    operands = len(annotations)
    annotations |= {a.name: a.annotation for a in declaration.attributes}
    defaults = [REQUIRED] * operands + [a.default for a in declaration.attributes]
    if lists > 1:
        annotations[LENGTHS] = tuple[int, ...]
        defaults.append(())
    made = _function(declaration.name, list(annotations), defaults, "pass")
    made.__annotations__ = annotations
    made.__doc__ = f"The operator {declaration.name} of C++."
    made.__module__ = library.path.stem  # else it would count as one of the package
    return made


def _function(
    name: str, parameters: list[str], defaults: list[Any], body: str, **names: Any
) -> Callable[..., Any]:
    """A plain function; as Python has it, a default counts if all parameters after it have one."""
    first = max((i + 1 for i, d in enumerate(defaults) if d is REQUIRED), default=0)
    space: dict[str, Any] = {"__name__": __name__, **names}
    source = f"def {name}({', '.join(parameters)}):\n    {body}\n"
    exec(compile(source, f"<twinoar operator {name}>", "exec"), space)
    made: FunctionType = space[name]
    made.__defaults__ = tuple(defaults[first:])
    return made


def _form(declaration: Declaration) -> Desc | None:
    """Its form in Paddle's files; None where lists cannot be told apart there."""
    lists = [slot for slot in declaration.inputs if slot.is_list]
    if len(lists) > 1 or any(slot.is_list for slot in declaration.outputs[:-1]):
        return None
    return Desc(
        declaration.name,
        {s.declared: TENSORS if s.is_list else s.python_name for s in declaration.inputs},
        tuple(slot.declared for slot in declaration.outputs),
        attrs={a.name: _attribute_form(a) for a in declaration.attributes},
    )


def _attribute_form(attribute: Attribute) -> tuple[Any, ...]:
    def written(value: Any) -> tuple[str, Any]:
        return attribute.kind, list(value) if attribute.is_list else value

    return attribute.name, written, lambda value: value


def _checked(slot: Slot, x: Any) -> Any:
    """What an input is given. Raises TypeMismatchError for what is not a tensor, or a list."""
    if x is None and slot.is_optional:
        return None
    if slot.is_list and isinstance(x, (list, tuple)) and all(isinstance(y, Value) for y in x):
        return x
    if not slot.is_list and isinstance(x, Value):
        return x
    expected = "a list of Tensors" if slot.is_list else "a Tensor"
    raise TypeMismatchError(
        f"{slot.python_name} must be {expected}, received {type(x).__name__}",
        cure="convert numbers and arrays with to_tensor",
    )


def _count(x: Any) -> int:
    return 0 if x is None else len(x) if isinstance(x, (list, tuple)) else 1


def _rebind(target: Any, value: Any) -> None:
    """Let each tensor of an input that is changed in place have its new value."""
    if isinstance(target, (list, tuple)):
        for one, new in zip(target, value, strict=True):
            current().rebind(one, new)
    elif target is not None:
        current().rebind(target, value)
