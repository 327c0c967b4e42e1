"""Programs from text: the reading half of `core.text`."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from twinoar.core.dim import parse_dim
from twinoar.core.dtype import BY_NAME
from twinoar.core.ir.program import Block, Operator, Program, State, Variable
from twinoar.core.op.attr import REQUIRED
from twinoar.core.op.definition import Op, op_named
from twinoar.core.policy import NO_MARKS
from twinoar.core.spec import Spec, split_top_level
from twinoar.errors import ProgramError, SourceLine, TwinoarError, TypeMismatchError

NAME = re.compile(r"[^\s:,(){}=!]+")
SOURCE = re.compile(r"[ \t]*# (.+?):(\d+)(?: in (\S+))?[ \t]*$", re.MULTILINE)
KEYWORD = re.compile(r"([A-Za-z_]\w*)=(?!=)")
CLOSING = {"(": ")", "[": "]", "{": "}"}


def parse(text: str) -> Program:
    """Inverse of `str(program)`. Raises ProgramError naming the line that does not read.

    >>> text = "program p {\\n  main(%x: f32[2]) {\\n    return %x\\n  }\\n}"
    >>> str(parse(text)) == text
    True
    """
    if not isinstance(text, str):
        raise TypeMismatchError(
            f"expected the text of a Program, received {type(text).__name__}",
            cure="pass what str(program) gave",
        )
    parser = _Parser(text)
    try:
        return parser.program()
    except ProgramError as error:
        raise error if error.message.startswith("line ") else parser.error(error.message) from error
    except RecursionError as error:
        raise parser.error("it is nested too deeply") from error
    # A text may say anything to the checks of attributes and arrays: what fails is its fault.
    except Exception as error:
        raise parser.error(getattr(error, "message", str(error))) from error


class _Parser:
    """A cursor over the text."""

    def __init__(self, text: str):
        self.text, self.position = text, 0

    def program(self) -> Program:
        self.expect("program")
        program = Program(self.name())
        self.expect("{")
        scope: dict[str, Any] = {}
        while (word := self.name()) != "main":
            self.state(program, word, scope)
        self.block_into(program.main, scope, program)
        self.expect("}")
        if self.peek():
            raise self.error("expected the end of the program")
        return program

    def state(self, program: Program, word: str, scope: dict[str, Any]) -> None:
        if word not in ("param", "state", "const"):
            raise self.error(f"expected param, state, const or main, received {word!r}")
        name, spec = self.declaration()
        if name in scope:
            raise self.error(f"%{name} is defined twice")
        frozen = self.accept("frozen")
        data = None
        if self.accept("="):
            data = _array(self.line_rest(), spec)
        elif word == "const":
            raise self.error(f"the constant %{name} has no value")
        scope[name] = program.add_state(
            spec, name, data=data, is_parameter=word == "param", is_constant=word == "const",
            stop_gradient=frozen or word != "param",
        )  # fmt: skip

    def block_into(
        self, block: Block, scope: dict[str, Any], program: Program | None = None
    ) -> None:
        """`(%x: f32[2]) { operators; end }`."""
        self.expect("(")
        while not self.accept(")"):
            name, spec = self.declaration()
            if name in scope:
                raise self.error(f"%{name} is defined twice")
            block.names.taken.add(name)
            scope[name] = Variable(name, spec, home=block, stop_gradient=not self.accept("!"))
            block.inputs.append(scope[name])
            self.accept(",")
        self.expect("{")
        while not self.accept("}"):
            if self.accept("return ") or self.accept("yield "):
                block.outputs = [self.operand(x, scope) for x in split_top_level(self.line_rest())]
            elif program is not None and self.accept("update "):
                self.update(program, scope)
            else:
                self.operator(block, scope)

    def update(self, program: Program, scope: dict[str, Any]) -> None:
        """`%state = %value`."""
        target, _, text = self.line_rest().partition("=")
        state, value = (self.operand(x.strip(), scope) for x in (target, text))
        if not isinstance(state, State) or not isinstance(value, Variable):
            raise self.error("expected the update of a state by a variable")
        program.update(state, value)

    def operator(self, block: Block, scope: dict[str, Any]) -> None:
        """`%a: f32[2], _ = op(%x, 2.0, axis=1) then(...) {...}  # file.py:3`."""
        declared = self.results()
        op = self.op()
        operands, attrs = self.arguments(op, scope)
        source, marks = self.source()
        while source is None and not self.at_line_end():
            nested = Block(block.names)
            self.keep(op, attrs, self.name(), nested)
            self.block_into(nested, {})
        missing = [k for k, a in op.attrs.items() if k not in attrs and a.default is REQUIRED]
        if missing:
            raise self.error(f"{op.name} lacks {missing}")
        full = {k: attrs.get(k, a.default) for k, a in op.attrs.items()}
        gradient = any(isinstance(x, Variable) and not x.stop_gradient for x in operands)
        results: list[Variable | None] = []
        for item in declared:
            if item is None:
                results.append(None)
                continue
            name, spec = item
            if name in scope:
                raise self.error(f"%{name} is defined twice")
            stop = not (gradient and spec.dtype.is_differentiable)
            block.names.taken.add(name)
            scope[name] = Variable(name, spec, home=block, stop_gradient=stop)
            results.append(scope[name])
        block.ops.append(Operator(op, operands, full, tuple(results), source, marks=marks))

    def results(self) -> list[tuple[str, Spec] | None]:
        """`%a: f32[2], _ =`, or nothing before an operator without results."""
        declared: list[tuple[str, Spec] | None] = []
        while self.peek() in ("%", "_"):
            declared.append(None if self.accept("_") else self.declaration())
            if not self.accept(","):
                self.expect("=")
                break
        return declared

    def op(self) -> Op:
        name = self.name()
        try:
            return op_named(name)
        except TwinoarError as error:
            raise self.error(error.message) from None

    def arguments(self, op: Op, scope: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        inside = self.bracketed("(")
        operands: list[Any] = []
        attrs: dict[str, Any] = {}
        for part in split_top_level(inside):
            keyword = KEYWORD.match(part)
            if keyword is None:
                operands.append(self.operand(part, scope))
            else:
                self.keep(op, attrs, keyword[1], self.literal(part[keyword.end() :]))
        return tuple(operands), attrs

    def keep(self, op: Op, attrs: dict[str, Any], name: str, value: Any) -> None:
        """Note the value of an attribute, or a block."""
        if name not in op.attrs:
            raise self.error(f"{op.name} has no attribute {name!r}")
        if name in attrs:
            raise self.error(f"{op.name} receives {name} twice")
        attrs[name] = op.attrs[name].convert(value)

    def operand(self, text: str, scope: dict[str, Any]) -> Any:
        if not text.startswith("%"):
            return self.literal(text)
        if text[1:] not in scope:
            raise self.error(f"{text} is not defined before its use")
        return scope[text[1:]]

    def literal(self, text: str) -> Any:
        try:
            return _evaluate(ast.parse(text.strip(), mode="eval").body)
        except (SyntaxError, ValueError, TwinoarError):
            raise self.error(f"expected a literal, received {text!r}") from None

    def declaration(self) -> tuple[str, Spec]:
        self.expect("%")
        name = self.name()
        self.expect(":")
        self.skip()
        start = self.position
        bracket = self.text.find("[", start)
        self.position = bracket if bracket >= 0 else len(self.text)
        dtype = self.text[start : self.position]
        return name, Spec.parse(f"{dtype}[{self.bracketed('[')}]")

    def source(self) -> tuple[SourceLine | None, Mapping[str, str]]:
        match = SOURCE.match(self.text, self.position)
        if match is None:
            return None, NO_MARKS
        self.position = match.end()
        marks = {"op_namescope": match[3]} if match[3] else NO_MARKS
        return SourceLine(match[1], int(match[2])), marks

    def bracketed(self, opening: str) -> str:
        """What stands between `opening` and its partner."""
        self.expect(opening)
        depth, start, quote = 1, self.position, ""
        while self.position < len(self.text):
            c = self.text[self.position]
            self.position += 1
            if quote:
                quote = "" if c == quote and self.text[self.position - 2] != "\\" else quote
            elif c in "'\"":
                quote = c
            elif c == opening:
                depth += 1
            elif c == CLOSING[opening]:
                depth -= 1
                if depth == 0:
                    return self.text[start : self.position - 1]
        self.position = start
        raise self.error(f"a {opening} is never closed")

    def name(self) -> str:
        self.skip()
        match = NAME.match(self.text, self.position)
        if match is None:
            raise self.error("expected a name")
        self.position = match.end()
        return match[0]

    def accept(self, token: str) -> bool:
        self.skip()
        if not self.text.startswith(token, self.position):
            return False
        self.position += len(token)
        return True

    def expect(self, token: str) -> None:
        if not self.accept(token):
            raise self.error(f"expected {token!r}")

    def peek(self) -> str:
        self.skip()
        return self.text[self.position : self.position + 1]

    def skip(self) -> None:
        while self.position < len(self.text) and self.text[self.position].isspace():
            self.position += 1

    def at_line_end(self) -> bool:
        end = self.text.find("\n", self.position)
        return not self.text[self.position : end if end >= 0 else None].strip()

    def line_rest(self) -> str:
        end = self.text.find("\n", self.position)
        end = len(self.text) if end < 0 else end
        rest = self.text[self.position : end]
        self.position = end
        return rest.strip()

    def error(self, message: str) -> ProgramError:
        number = self.text.count("\n", 0, self.position) + 1
        lines = self.text.splitlines() or [""]
        shown = lines[min(number, len(lines)) - 1].strip()
        return ProgramError(f"line {number} of the program: {message}, at {shown!r}")


def _evaluate(node: ast.expr) -> Any:
    """Literals, tuples, dtypes, sizes, `inf`, `nan`, `spec('')`, `array([])` and `bytes('')`."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return tuple(_evaluate(i) for i in items)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            value = _evaluate(operand)
            return -value
        case ast.Name(id=name) if name in BY_NAME:
            return BY_NAME[name]
        case ast.Name(id="inf" | "nan" as name):
            return float(name)
        case ast.Call(func=ast.Name(id="spec"), args=[ast.Constant(value=str(text))]):
            return Spec.parse(text)
        case ast.Call(func=ast.Name(id="ndarray"), args=[ast.Constant(value=str(text)), values]):
            return _array_of(values, Spec.parse(text))
        case ast.BinOp(
            left=ast.Constant(), op=ast.Add() | ast.Sub(), right=ast.Constant(value=complex())
        ):
            return ast.literal_eval(node)
    return parse_dim(node)


def _array(text: str, spec: Spec) -> np.ndarray:
    return _array_of(ast.parse(text, mode="eval").body, spec)


def _array_of(node: ast.expr, spec: Spec) -> np.ndarray:
    match node:
        case ast.Call(func=ast.Name(id="array"), args=[values]):
            return np.asarray(_nested(values), spec.dtype.numpy).reshape(spec.shape)
        case ast.Call(func=ast.Name(id="bytes"), args=[ast.Constant(value=str(text))]):
            flat = np.frombuffer(bytes.fromhex(text), spec.dtype.numpy)
            return flat.reshape(spec.shape)
    raise ProgramError(f"expected array(...) or bytes(...), received {ast.unparse(node)!r}")


def _nested(node: ast.expr) -> Any:
    return [_nested(i) for i in node.elts] if isinstance(node, ast.List) else _evaluate(node)
