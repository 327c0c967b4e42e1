"""`return`, `break`, `continue` and the `else` of loops, taken out: one way in, one way out.

What follows a branch that jumps moves into its other side. Where that cannot be, a flag tells
whether a jump was taken, and guards what follows. Flags are plain as long as plain values decide.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from typing import Any

from twinoar.errors import ConversionError
from twinoar.jit.convert.names import walk_scope
from twinoar.jit.convert.template import Transformer, assignment
from twinoar.jit.runtime.names import FLAG, RESULT
from twinoar.late import dataclass

JUMPS = (ast.Return, ast.Break, ast.Continue)
Loop = ast.While | ast.For


class JumpTransformer(Transformer):
    """for t in s:            broken = False
        if p: break    ->     for t in s:  # until broken
        a                         if p: broken = True
                                  else: a

    if p: return a     ->     if p: result = a
    return b                  else: result = b
                              return result
    """

    def inside(self, node: ast.FunctionDef) -> ast.stmt:
        """Let a function return at its end alone."""
        self.generic_visit(node)
        returns = [s for s in walk_scope(node.body) if isinstance(s, ast.Return) or _left(s)]
        if returns and not (returns == node.body[-1:] and isinstance(returns[0], ast.Return)):
            end = ast.Return(ast.Constant(None))
            ast.copy_location(end, node.body[-1])
            body = node.body if _ends(node.body) == "jumps" else [*node.body, end]
            made, _ = self._settled(body, Target())
            node.body = [*made, *self.placed([ast.Return(_load(RESULT))], end)]
        return node

    def visit_While(self, node: ast.While) -> ast.stmt | list[ast.stmt]:
        """Convert one `while`: its test says first that no `break` has come."""
        self.generic_visit(node)
        target = self._target(node)
        before, after = self._around(node, target)
        if target.broken is not None:
            going: ast.expr = ast.UnaryOp(ast.Not(), _load(target.broken))
            if not (isinstance(node.test, ast.Constant) and node.test.value):
                going = ast.BoolOp(ast.And(), [going, node.test])
            node.test = self.placed_expression(going, node.test)
        return [*before, node, *after]

    def visit_For(self, node: ast.For) -> ast.stmt | list[ast.stmt]:
        """Convert one `for`: it is told the flag of its `break`."""
        self.generic_visit(node)
        target = self._target(node)
        before, after = self._around(node, target)
        if target.broken is not None:
            node.broken = target.broken  # type: ignore[attr-defined]  # told to ForTransformer
        return [*before, node, *after]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """Annotations of variables go: no function can annotate a name that it shares."""
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def _target(self, node: Loop) -> Target:
        """The flags that the jumps in the body of a loop need."""
        inside = list(walk_scope(node.body))
        returns = any(isinstance(s, ast.Return) or _left(s) for s in inside)
        breaks = any(isinstance(s, ast.Break) for s in inside)
        runs_on = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
        return Target(
            self._flag("broken") if breaks or returns else None,
            self._flag("returned") if returns else None,
            is_loop=True,
            is_endless=runs_on and bool(node.test.value) and not breaks,  # type: ignore[union-attr]
        )

    def _around(self, node: Loop, target: Target) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Take the jumps out of a loop. Returns what comes before it and after it."""
        node.body, head = self._settled(node.body, target)
        flags = [f for f in (target.broken, target.returned) if f is not None]
        lowered = [_set(f, False) for f in flags]
        node.body = self.placed([*copy.deepcopy(lowered), *head], node) + node.body
        after: list[ast.stmt] = node.orelse
        node.orelse = []
        if after and target.broken is not None:
            after = [self._guard(target.broken, after)]
        if target.returned is not None:
            end = ast.Return(_load(RESULT)) if target.is_endless else _leaving(target.returned)
            after = [*after, *self.placed([end], node)]
        return self.placed(lowered, node), after

    def _settled(
        self, statements: list[ast.stmt], target: Target
    ) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Statements without jumps, and what lowers the flag that they use, if any."""
        made = self._settle(statements, target)
        if not target.is_guarded:
            return made, []
        target.left = self._flag("left")
        head = [_set(target.left, False)]
        made = self._settle(statements, target)
        return (made, head) if target.is_loop else (self.placed(head, statements[0]) + made, [])

    def _settle(self, statements: Sequence[ast.stmt], target: Target) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for i, s in enumerate(statements):
            rest = list(statements[i + 1 :])
            if isinstance(s, (*JUMPS, ast.Raise)):
                return out + (target.leave(s) if isinstance(s, JUMPS) else [s])
            if _left(s) is not None:
                out += target.follow(s)
                return out + self._rest(rest, target, _left(s))
            if not _jumps(s):
                out.append(s)
                continue
            if isinstance(s, ast.If):
                ends = _ends(s.body), _ends(s.orelse)
                if "jumps" in ends:
                    there = [rest if e != "jumps" else [] for e in ends]
                    made = copy.copy(s)
                    made.guards = False  # type: ignore[attr-defined]  # its body may have more now
                    made.body = self._settle([*s.body, *there[0]], target) or [ast.Pass()]
                    made.orelse = self._settle([*s.orelse, *there[1]], target)
                    return [*out, made]
            out.append(self._inside(s, target))
            return out + self._rest(rest, target, None)
        return out

    def _inside(self, s: ast.stmt, target: Target) -> ast.stmt:
        """A statement with the jumps in its blocks taken out."""
        made = copy.copy(s)
        if getattr(s, "finalbody", ()) and any(_jumps(f) for f in s.finalbody):  # type: ignore[attr-defined]
            raise ConversionError(
                f"line {s.lineno}: a finally clause leaves by return, break or continue",
                cure="let it fall through, and leave after the try statement",
            )
        for field in ("body", "orelse"):
            block = getattr(s, field, None)
            if isinstance(block, list):
                setattr(made, field, self._settle(block, target))
        made.body = getattr(made, "body", None) or [ast.Pass()]  # type: ignore[attr-defined]
        if isinstance(made, ast.Try):
            made.handlers = [self._block(h, target) for h in made.handlers]
            if made.orelse and any(_jumps(b) for b in s.body):  # type: ignore[attr-defined]
                made.orelse = self._rest(s.orelse, target, None)  # type: ignore[attr-defined]
        if isinstance(made, ast.Match):
            made.cases = [self._block(c, target) for c in made.cases]
            del made.body  # type: ignore[attr-defined]
        return made

    def _block(self, block: Any, target: Target) -> Any:
        made = copy.copy(block)
        made.body = self._settle(block.body, target) or [ast.Pass()]
        return made

    def _rest(self, rest: list[ast.stmt], target: Target, flag: str | None) -> list[ast.stmt]:
        """What follows where a jump may have been taken."""
        if not rest:
            return []
        if flag is None:
            target.is_guarded = True
        return [self._guard(flag or target.left or FLAG, self._settle(rest, target))]

    def _guard(self, flag: str, statements: list[ast.stmt]) -> ast.stmt:
        """`if flag: pass else: statements`, for IfTransformer."""
        made = ast.If(_load(flag), [ast.Pass()], statements)
        made.guards = True  # type: ignore[attr-defined]
        return self.placed([made], statements[0])[0] if statements else made

    def _flag(self, what: str) -> str:
        self.count += 1
        return f"{FLAG}{what}_{self.count}"


@dataclass
class Target:
    """Where jumps go: the end of an iteration, of a loop or of the function, and the flags they
    raise.

    left: guards what follows in the same block. is_guarded: whether something is guarded.
    is_endless: True for a loop that only a return leaves.
    """

    broken: str | None = None
    returned: str | None = None
    left: str | None = None
    is_loop: bool = False
    is_endless: bool = False
    is_guarded: bool = False

    def leave(self, s: ast.stmt) -> list[ast.stmt]:
        """What a jump does instead."""
        made: list[ast.stmt] = []
        if isinstance(s, ast.Return) and not _is_result(s.value):
            made = [assignment(RESULT, s.value or ast.Constant(None))]
        made += [_set(f, True) for f in self._flags(s) if f is not None]
        return [_placed(m, s) for m in made]

    def follow(self, s: ast.stmt) -> list[ast.stmt]:
        """What happens after a loop that may have returned."""
        flags = [f for f in (self.returned, self.broken, self.left) if f is not None]
        return [_placed(assignment(f, _load(_left(s) or "")), s) for f in flags]

    def _flags(self, s: ast.stmt) -> list[str | None]:
        if isinstance(s, ast.Return):
            return [self.returned, self.broken, self.left]
        return [self.broken, self.left] if isinstance(s, ast.Break) else [self.left]


def _ends(statements: Sequence[ast.stmt]) -> str:
    """Whether all paths through statements leave: "jumps", "falls" or "either"."""
    found = "falls"
    for s in statements:
        if isinstance(s, (*JUMPS, ast.Raise)):
            return "jumps"
        if isinstance(s, ast.If):
            ends = {_ends(s.body), _ends(s.orelse)}
            if ends == {"jumps"}:
                return "jumps"
            found = found if ends == {"falls"} else "either"
        elif _jumps(s):
            found = "either"
    return found


def _jumps(s: ast.AST) -> bool:
    """True if a statement may jump out of itself."""
    return any(isinstance(n, JUMPS) or _left(n) is not None for n in walk_scope([s]))


def _left(node: ast.AST) -> str | None:
    """The flag that tells whether the loop before this mark has returned."""
    return getattr(node, "returned", None)


def _is_result(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Name) and value.id == RESULT


def _leaving(flag: str) -> ast.stmt:
    made = ast.Pass()
    made.returned = flag  # type: ignore[attr-defined]
    return made


def _set(flag: str, value: bool) -> ast.stmt:
    return assignment(flag, ast.Constant(value))


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _placed(new: ast.stmt, node: ast.stmt) -> ast.stmt:
    for child in ast.walk(new):
        if "lineno" in getattr(child, "_attributes", ()) and not hasattr(child, "lineno"):
            ast.copy_location(child, node)
    return new
