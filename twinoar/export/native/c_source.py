"""The text of a model, LLVM IR before any pass, as one file of portable C.

Our own texts use few kinds of instructions, the same for all back ends; each becomes a line of C11.
Blocks become labels, what several ways give becomes assignments before a jump. Nothing is optimized
here: that is for the compiler of C.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from twinoar.errors import ProgramError
from twinoar.export.native import c_functions
from twinoar.export.native.c_values import (
    ARRAY,
    CURE,
    c_type,
    constant,
    names,
    parted,
    signed,
    size_of,
    split,
    typed,
)

ARITHMETIC = {
    "add": "+", "sub": "-", "mul": "*", "udiv": "/", "urem": "%", "and": "&", "or": "|",
    "xor": "^", "shl": "<<", "lshr": ">>", "sdiv": "/", "srem": "%", "ashr": ">>", "fadd": "+",
    "fsub": "-", "fmul": "*", "fdiv": "/",
}  # fmt: skip
SIGNED = ("sdiv", "srem", "ashr")
RELATIONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
UNORDERED = {"lt": ">=", "le": ">", "gt": "<=", "ge": "<"}
FLAGS = re.compile(
    r"^((nuw|nsw|exact|inbounds|nusw|disjoint|samesign|nneg|contract|reassoc|nsz|nnan|ninf|arcp|"
    r"afn|fast|volatile|tail|musttail|notail) )+"
)
DEFINE = re.compile(r"^define (?:\w+ )*?(void|i\d+|ptr|float|double) @([\w.]+)\((.*?)\)")
WORD = re.compile(r"\b[vmn]v?_\w+")
SET = re.compile(r"(?<![\w>=] )(?<![\w*])\b(v_\w+) = (?=[^=])")
ASSIGNED = re.compile(r"(?<![\w*])\b(v_\w+) = ([^;]*);")
NAME = re.compile(r'%(?:"[^"]*"|[\w.$-]+)')


@dataclass
class Instruction:
    """result: its name, "" without one. text: what follows the opcode."""

    result: str
    opcode: str
    text: str

    @property
    def is_pure(self) -> bool:
        """True for what may be left out where nobody reads it."""
        return bool(self.result) and (self.opcode != "call" or "@llvm." in self.text)


@dataclass
class Function:
    """A definition of LLVM IR. blocks: by label, in order."""

    kind: str
    name: str
    parameters: list[tuple[str, str]]
    blocks: dict[str, list[Instruction]] = field(default_factory=dict)


def functions_of(text: str) -> list[Function]:
    """The definitions of a module, as LLVM prints it, with nothing that nobody reads."""
    found: list[Function] = []
    block: list[Instruction] = []
    lines = iter(re.sub(r"\[\n((?: +i\d+ -?\d+, label %[\w.]+\n)*) *\]", _joined, text).split("\n"))
    for line in lines:
        head = DEFINE.match(line)
        if head:
            given = [typed(p) for p in split(head[3])]
            found.append(Function(head[1], head[2], [(k, n.split()[-1]) for k, n in given]))
            block = found[-1].blocks.setdefault("", [])
        elif label := re.match(r"^([\w.]+):", line):
            if block or found[-1].blocks != {"": []}:
                block = found[-1].blocks.setdefault(label[1], [])
            else:
                found[-1].blocks = {label[1]: block}
        elif line.startswith("  "):
            block.append(_instruction(line.strip()))
    for function in found:
        _prune(function)
    return found


def _joined(switch: re.Match[str]) -> str:
    return "[ " + " ; ".join(row.strip() for row in switch[1].strip().split("\n")) + " ]"


def _instruction(line: str) -> Instruction:
    line = re.sub(r", !.*$", "", line)
    line = re.sub(r" #\d+$", "", line)
    found = re.match(rf"^(?:({NAME.pattern}) = )?(?:(?:tail|musttail|notail) )?(\w+) ?(.*)$", line)
    assert found is not None
    return Instruction(found[1] or "", found[2], FLAGS.sub("", found[3]))


def _prune(function: Function) -> None:
    """Leave out what nobody reads."""
    while True:
        read = {n for b in function.blocks.values() for i in b for n in NAME.findall(i.text)}
        dead = 0
        for label, block in function.blocks.items():
            kept = [i for i in block if not i.is_pure or i.result in read]
            dead += len(block) - len(kept)
            function.blocks[label] = kept
        if not dead:
            return


class Writer:
    """Writes functions. symbols: what C calls those of the module. needed: small functions."""

    def __init__(self, symbols: Mapping[str, str]):
        self.symbols = symbols
        self.needed: dict[str, str] = {}

    def head(self, function: Function) -> str:
        """The head of a definition."""
        given = ", ".join(f"{c_type(kind)} {local(name)}" for kind, name in function.parameters)
        return f"static {c_type(function.kind)} {self.symbols[function.name]}({given or 'void'})"

    def function(self, function: Function) -> str:
        """A definition."""
        return _Body(function, self).text()

    def small(self, made: tuple[str, str] | None, what: str) -> str:
        """The name of a small function, which is written."""
        if made is None:
            raise ProgramError(f"C has no {what} of LLVM", cure=CURE)
        name, text = made
        if text:
            self.needed[name] = text
        return name


def local(name: str) -> str:
    """A variable's name in C."""
    return "v_" + re.sub(r"\W", "_", name.strip('%"'))


class _Body:
    """The lines of a function, and the variables that they have. kinds: of values, by name."""

    def __init__(self, function: Function, writer: Writer):
        self.given, self.writer = function, writer
        self.lines: list[str] = []
        self.variables: list[str] = []
        self.values: dict[str, list[str]] = {n: [local(n)] for _, n in function.parameters}
        self.goes: set[str] = set()
        self.renamed: dict[str, Instruction] = {}

    def text(self) -> str:
        """The definition."""
        blocks = self.given.blocks
        for block in blocks.values():
            for i in block:
                if i.opcode in RENAMED:
                    self.renamed[i.result] = i
                elif i.result:
                    self._declare(i)
        bodies = []
        for label, block in blocks.items():
            self.lines = []
            for i in block:
                if i.opcode != "phi" and i.opcode not in RENAMED:
                    self._print(i, label)
            bodies.append((label, self.lines))
        _sweep(self.variables, [found for _, found in bodies])
        lines = [f"  {v}" for v in self.variables]
        read = {n for b in blocks.values() for i in b for n in NAME.findall(i.text)}
        lines += [f"  (void){local(n)};" for _, n in self.given.parameters if n not in read]
        for label, found in bodies:
            if label in self.goes:
                lines.append(f"{_label(label)}:;")
            lines += [f"  {x}" for x in found]
        return "\n".join([f"{self.writer.head(self.given)} {{", *lines, "}", ""])

    # Values.

    def _declare(self, i: Instruction) -> None:
        element, lanes = parted(self._kind(i))
        own = names(lanes, local(i.result))
        self.values[i.result] = list(own)
        if i.opcode == "alloca":
            first, *rest = split(i.text)
            align = next((int(x[6:]) for x in rest if x.startswith("align ")), 16)
            memory = f"m{own[0]}"
            self.variables.append(f"_Alignas({align}) char {memory}[{size_of(first)}];")
            self.variables.append(f"char *{own[0]} = {memory};")
        else:
            kind = c_type(element)
            self.variables += [f"{kind}{'' if kind[-1] == '*' else ' '}{name};" for name in own]

    def _kind(self, i: Instruction) -> str:
        """The type of an instruction's result."""
        if i.opcode in ("alloca", "getelementptr", "inttoptr"):
            return "ptr"
        if i.opcode in ("icmp", "fcmp"):
            _, lanes = parted(typed(i.text.split(" ", 1)[1])[0])
            return "i1" if lanes == 1 else f"<{lanes} x i1>"
        if " to " in i.text and i.opcode not in ("call", "phi"):
            return i.text.rpartition(" to ")[2]
        if i.opcode == "select":
            return typed(split(i.text)[1])[0]
        if i.opcode == "extractelement":
            return parted(typed(i.text)[0])[0]
        if i.opcode == "shufflevector":
            count = parted(typed(split(i.text)[2])[0])[1]
            return f"<{count} x {parted(typed(i.text)[0])[0]}>"
        return typed(i.text)[0]

    def _value(self, kind: str, text: str) -> list[str]:
        """The lanes of an operand."""
        found = constant(kind, text)
        if found is not None:
            return found
        if text.startswith("@"):
            return [f"(char *)(uintptr_t){self.writer.symbols[text[1:]]}"]
        if text not in self.values:
            i = self.renamed[text]
            self.values[text] = RENAMED[i.opcode](self, i)
        return self.values[text]

    def _operand(self, text: str) -> tuple[str, list[str]]:
        kind, value = typed(text)
        return kind, self._value(kind, value)

    # Statements.

    def _print(self, i: Instruction, label: str) -> None:
        if i.opcode in ARITHMETIC:
            self._arithmetic(i)
        elif i.opcode in PRINTED:
            PRINTED[i.opcode](self, i)
        elif i.opcode == "br":
            self._branch(i, label)
        elif i.opcode == "switch":
            self._switch(i, label)
        elif i.opcode != "alloca":
            raise ProgramError(f"C has no form for {i.opcode} of LLVM", cure=CURE)

    def _set(self, i: Instruction, expressions: Sequence[str]) -> None:
        pairs = zip(self.values[i.result], expressions, strict=True)
        self.lines += [f"{name} = {x};" for name, x in pairs]

    def _arithmetic(self, i: Instruction) -> None:
        first, second = split(i.text)
        kind, left = self._operand(first)
        right = self._value(kind, second)
        element, _ = parted(kind)
        relation, of = ARITHMETIC[i.opcode], c_type(element)
        made = []
        for a, b in zip(left, right, strict=True):
            if element in ("float", "double"):
                made.append(f"{a} {relation} {b}")
            elif i.opcode in SIGNED:
                b = b if i.opcode == "ashr" else signed(element, b)
                made.append(f"({of})({signed(element, a)} {relation} {b})")
            elif element in ("i32", "i64"):
                made.append(f"{a} {relation} {b}")
            else:
                mask = " & 1" if element == "i1" else ""
                made.append(f"({of})(((uint32_t){a} {relation} {b}){mask})")
        self._set(i, made)

    def _negated(self, i: Instruction) -> None:
        self._set(i, [f"-{x}" for x in self._operand(i.text)[1]])

    def _compared(self, i: Instruction) -> None:
        relation, rest = i.text.split(" ", 1)
        first, second = split(rest)
        kind, left = self._operand(first)
        right = self._value(kind, second)
        element, _ = parted(kind)
        pairs = zip(left, right, strict=True)
        compare = _floats_compared if i.opcode == "fcmp" else _integers_compared
        self._set(i, [compare(relation, element, a, b) for a, b in pairs])

    def _converted(self, i: Instruction) -> None:
        given, _, wanted = i.text.rpartition(" to ")
        kind, values = self._operand(given)
        source, target = parted(kind)[0], parted(wanted)[0]
        if i.opcode == "bitcast":
            self._bits(i, kind, wanted, values)
        elif i.opcode in ("fptosi", "fptoui"):
            bits = max(8, int(target[1:]))
            made = c_functions.cut(source, bits, i.opcode == "fptosi")
            name = self.writer.small(made, i.opcode)
            self._set(i, [f"{name}({x})" for x in values])
        elif i.opcode in ("sext", "sitofp"):
            self._set(i, [f"({c_type(target)}){signed(source, x)}" for x in values])
        elif i.opcode == "ptrtoint":
            self._set(i, [f"({c_type(target)})(uintptr_t){x}" for x in values])
        elif i.opcode == "inttoptr":
            self._set(i, [f"(char *)(uintptr_t){x}" for x in values])
        else:
            last = " & 1" if target == "i1" else ""
            self._set(i, [f"({c_type(target)})({x}{last})" for x in values])

    def _bits(self, i: Instruction, given: str, wanted: str, values: Sequence[str]) -> None:
        """The same bits as another type."""
        own = self.values[i.result]
        if parted(given)[1] == len(own):
            for name, x in zip(own, values, strict=True):
                kind = c_type(parted(given)[0])
                self.lines.append(f"{{ {kind} x = {x}; memcpy(&{name}, &x, sizeof x); }}")
            return
        raise ProgramError(f"C has no form for {given} as {wanted}", cure=CURE)

    def _selected(self, i: Instruction) -> None:
        condition, first, second = map(self._operand, split(i.text))
        chosen = condition[1] * (len(first[1]) if len(condition[1]) == 1 else 1)
        rows = zip(chosen, first[1], second[1], strict=True)
        self._set(i, [f"{c} ? {a} : {b}" for c, a, b in rows])

    def _loaded(self, i: Instruction) -> None:
        kind, *rest = split(i.text)
        element, lanes = parted(kind)
        (where,) = self._operand(rest[0])[1]
        name = self.writer.small(c_functions.load(element), "load")
        size = 0 if element == "ptr" else size_of(element)
        self._set(i, [f"{name}({_at(where, n * size)})" for n in range(lanes)])

    def _stored(self, i: Instruction) -> None:
        what, where, *_ = split(i.text)
        kind, values = self._operand(what)
        element, _ = parted(kind)
        (to,) = self._operand(where)[1]
        name = self.writer.small(c_functions.store(element), "store")
        size = 0 if element == "ptr" else size_of(element)
        self.lines += [f"{name}({_at(to, n * size)}, {x});" for n, x in enumerate(values)]

    def _address(self, i: Instruction) -> None:
        kind, base, *indices = split(i.text)
        (where,) = self._operand(base)[1]
        if len(indices) == 2 and ARRAY.fullmatch(kind) and indices[0].endswith(" 0"):
            kind, indices = ARRAY.fullmatch(kind)[2], indices[1:]  # type: ignore[index]
        if len(indices) != 1:
            raise ProgramError(f"C has no form for the address {i.text}", cure=CURE)
        of, (index,) = self._operand(indices[0])
        self._set(i, [f"{where} + ({signed(of, index)}) * INT64_C({size_of(kind)})"])

    # What only names lanes anew.

    def _frozen(self, i: Instruction) -> list[str]:
        return self._operand(i.text)[1]

    def _inserted(self, i: Instruction) -> list[str]:
        vector, element, place = split(i.text)
        values = list(self._operand(vector)[1])
        values[int(typed(place)[1])] = self._operand(element)[1][0]
        return values

    def _extracted(self, i: Instruction) -> list[str]:
        vector, place = split(i.text)
        return [self._operand(vector)[1][int(typed(place)[1])]]

    def _shuffled(self, i: Instruction) -> list[str]:
        first, second, mask = split(i.text)
        both = [*self._operand(first)[1], *self._operand(second)[1]]
        kind, chosen = typed(mask)
        if chosen in ("zeroinitializer", "poison"):
            lanes = [0] * parted(kind)[1]
        elif chosen.startswith("splat ("):
            lanes = [int(typed(chosen[7:-1])[1])] * parted(kind)[1]
        else:
            told = [typed(x)[1] for x in split(chosen[1:-1])]
            lanes = [0 if x == "poison" else int(x) for x in told]
        return [both[n] for n in lanes]

    # Calls.

    def _called(self, i: Instruction) -> None:
        found = re.match(r"^(\S+|<[^>]*>) @([\w.]+)\((.*)\)", i.text)
        if found is None:
            raise ProgramError(f"C has no form for the call {i.text}", cure=CURE)
        kind, name, given = found.groups()
        operands = list(map(self._operand, split(given)))
        if name.startswith("llvm."):
            self._intrinsic(i, kind, name, operands)
            return
        call = f"{self.writer.symbols[name]}({', '.join(x for _, (x,) in operands)})"
        if i.result:
            self._set(i, [call])
        else:
            self.lines.append(f"{call};")

    def _intrinsic(
        self, i: Instruction, kind: str, name: str, operands: Sequence[tuple[str, list[str]]]
    ) -> None:
        what = name.removeprefix("llvm.")
        values = [v for _, v in operands]
        element, _ = parted(kind)
        if what.startswith("masked.load"):
            self._masked(i, element, values)
        elif what.startswith("masked.store"):
            self._written(operands[0][0], values)
        elif what.startswith(("memcpy", "memmove")):
            self.lines.append(f"memmove({values[0][0]}, {values[1][0]}, {values[2][0]});")
        elif what.startswith("memset"):
            self.lines.append(f"memset({values[0][0]}, {values[1][0]}, {values[2][0]});")
        elif what.startswith("vector.reduce."):
            self._reduced(i, what.split(".")[2], element, values)
        elif what.startswith("fmuladd."):
            self._set(i, [f"{a} * {b} + {c}" for a, b, c in zip(*values, strict=True)])
        elif not what.startswith(("prefetch", "assume", "lifetime")):
            if what.split(".")[0] in ("abs", "ctlz", "cttz"):
                values = values[:1]
            made = c_functions.intrinsic(what.split(".")[0], element)
            own = self.writer.small(made, name)
            rows = zip(*values, strict=True)
            self._set(i, [f"{own}({', '.join(row)})" for row in rows])

    def _masked(self, i: Instruction, element: str, values: Sequence[list[str]]) -> None:
        (where,), *rest = values
        mask, other = rest[-2:]
        name = self.writer.small(c_functions.load(element), "load")
        size = size_of(element)
        self._set(
            i,
            [
                f"{m} ? {name}({_at(where, n * size)}) : {o}"
                for n, (m, o) in enumerate(zip(mask, other, strict=True))
            ],
        )

    def _written(self, kind: str, values: Sequence[list[str]]) -> None:
        given, (where,), *_, mask = values
        element, _ = parted(kind)
        name = self.writer.small(c_functions.store(element), "store")
        size = size_of(element)
        rows = enumerate(zip(mask, given, strict=True))
        self.lines += [f"if ({m}) {name}({_at(where, n * size)}, {x});" for n, (m, x) in rows]

    def _reduced(self, i: Instruction, how: str, element: str, values: Sequence[list[str]]) -> None:
        *start, lanes = values
        all_ = [*(start[0] if start else []), *lanes]
        if how not in ("fadd", "fmul", "add", "mul", "and", "or", "xor"):
            made = {"fmax": "maxnum", "fmin": "minnum", "fmaximum": "maximum"}.get(how, how)
            name = self.writer.small(c_functions.intrinsic(made, element), f"reduction {how}")
            found = all_[0]
            for x in all_[1:]:
                found = f"{name}({found}, {x})"
            self._set(i, [found])
            return
        found = all_[0]
        for x in all_[1:]:
            found = f"({found} {ARITHMETIC[how]} {x})"
        self._set(i, [found])

    # Ways to go on.

    def _branch(self, i: Instruction, label: str) -> None:
        parts = split(i.text)
        if len(parts) == 1:
            self.lines += self._going(label, parts[0].removeprefix("label %"))
            return
        (condition,) = self._operand(parts[0])[1]
        yes, no = (p.removeprefix("label %") for p in parts[1:])
        self.lines.append(f"if ({condition}) {{ {' '.join(self._going(label, yes))} }}")
        self.lines += self._going(label, no)

    def _switch(self, i: Instruction, label: str) -> None:
        found = re.match(r"^(.*), label %([\w.]+) \[(.*)\]$", i.text)
        assert found is not None
        kind, (value,) = self._operand(found[1])
        self.lines.append(f"switch ({value}) {{")
        for row in filter(None, map(str.strip, found[3].split(" ; "))):
            case, to = split(row)
            (number,) = self._value(kind, typed(case)[1])
            going = " ".join(self._going(label, to.removeprefix("label %")))
            self.lines.append(f"  case {number}: {going}")
        self.lines.append(f"  default: {' '.join(self._going(label, found[2]))}")
        self.lines.append("}")

    def _going(self, label: str, to: str) -> list[str]:
        """What is set on the way to a block, and the jump."""
        sets: list[tuple[str, str]] = []
        for i in self.given.blocks[to]:
            if i.opcode != "phi":
                break
            kind, rest = typed(i.text)
            for value, before in re.findall(r"\[ (.*?), %([\w.]+) \]", rest):
                if before == label:
                    sets += zip(self.values[i.result], self._value(kind, value), strict=True)
                    break
        self.goes.add(to)
        changed = {name for name, _ in sets}
        if any(x in changed for _, x in sets):
            kinds = dict(v.rstrip(";").rsplit(" ", 1)[::-1] for v in self.variables)
            held = [f"{_kind_of(name, kinds)} n{name} = {x};" for name, x in sets if name != x]
            given = [f"{name} = n{name};" for name, x in sets if name != x]
            return ["{", *held, *given, f"goto {_label(to)}; }}"]
        return [*(f"{name} = {x};" for name, x in sets), f"goto {_label(to)};"]

    def _returned(self, i: Instruction) -> None:
        if i.text == "void":
            self.lines.append("return;")
        else:
            self.lines.append(f"return {self._operand(i.text)[1][0]};")

    def _never(self, i: Instruction) -> None:
        self.lines.append("for (;;) {}")


def _sweep(variables: list[str], bodies: Sequence[list[str]]) -> None:
    """Leave out variables that are set alone, lanes of vectors most often, in place."""
    while True:
        counts = Counter(n for lines in bodies for x in lines for n in WORD.findall(x))
        set_ = Counter(n for lines in bodies for x in lines for n in SET.findall(x))
        own = [re.findall(r"\w+", v.partition("[")[0].partition("=")[0])[-1] for v in variables]
        dead = {n for n in own if counts[n] == set_[n] and n.startswith("v_")}
        if not dead:
            return

        def kept(found: re.Match[str], dead: set[str] = dead) -> str:
            if found[1] not in dead:
                return found[0]
            return f"(void){found[2]};" if "impl_" in found[2] else ""

        for lines in bodies:
            lines[:] = [x for x in (ASSIGNED.sub(kept, line).strip() for line in lines) if x]
        memory = {v for v, n in zip(variables, own, strict=True) if n in dead}
        variables[:] = [v for v in variables if v not in memory]


def _kind_of(name: str, kinds: Mapping[str, str]) -> str:
    return kinds.get(name, "char *")


def _label(name: str) -> str:
    return "l_" + re.sub(r"\W", "_", name)


def _at(where: str, offset: int) -> str:
    return f"{where} + {offset}" if offset else where


def _integers_compared(relation: str, element: str, a: str, b: str) -> str:
    if relation in ("eq", "ne"):
        return f"{a} {RELATIONS[relation]} {b}"
    if element == "ptr":
        a, b = f"(uintptr_t){a}", f"(uintptr_t){b}"
    elif relation[0] == "s":
        a, b = signed(element, a), signed(element, b)
    return f"{a} {RELATIONS[relation[1:]]} {b}"


def _floats_compared(relation: str, element: str, a: str, b: str) -> str:
    if relation in ("ord", "uno"):
        joined = f"{a} == {a} && {b} == {b}"
        return joined if relation == "ord" else f"!({joined})"
    family, rest = relation[0], relation[1:]
    if rest == "ne":
        return f"{a} != {b}" if family == "u" else f"{a} < {b} || {a} > {b}"
    if rest == "eq":
        return f"{a} == {b}" if family == "o" else f"!({a} < {b} || {a} > {b})"
    return f"{a} {RELATIONS[rest]} {b}" if family == "o" else f"!({a} {UNORDERED[rest]} {b})"


PRINTED: Mapping[str, Callable[[_Body, Instruction], None]] = {
    **dict.fromkeys(("icmp", "fcmp"), _Body._compared),
    **dict.fromkeys(
        ("sext", "zext", "trunc", "fpext", "fptrunc", "sitofp", "uitofp", "fptosi", "fptoui",
         "bitcast", "ptrtoint", "inttoptr"), _Body._converted,
    ),
    "fneg": _Body._negated,
    "select": _Body._selected,
    "load": _Body._loaded,
    "store": _Body._stored,
    "getelementptr": _Body._address,
    "call": _Body._called,
    "ret": _Body._returned,
    "unreachable": _Body._never,
}  # fmt: skip
RENAMED: Mapping[str, Callable[[_Body, Instruction], list[str]]] = {
    "freeze": _Body._frozen,
    "insertelement": _Body._inserted,
    "extractelement": _Body._extracted,
    "shufflevector": _Body._shuffled,
}
