"""What a kernel does to each element of a library's result, done by the library as it writes it.

`sigmoid(x @ w + b)` is a product, and a kernel that reads it once. Where the kernel is a chain of
steps that libraries know (a vector added to each row, a residual, an activation), the call does it.
A library gives a number for nan in relu, max and min, where ours keep it: these
only calls of our own loops take.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from twinoar.compile.kernel import Root
from twinoar.compile.pipeline import CallStep, KernelStep, Plan, Post, Step
from twinoar.compile.storage import Storage
from twinoar.core.ir.program import State, Variable
from twinoar.core.loop import language as loop
from twinoar.core.loop.expression import Expr, split, walk
from twinoar.core.varying import is_one

Offer = Callable[[CallStep, Sequence[Post]], bool]


def _hardswish(x: Expr) -> Expr:
    moved = x + 3.0
    moved = loop.select(loop.lt(moved, 0.0), 0.0, moved)
    return x * loop.select(loop.gt(moved, 6.0), 6.0, moved) / 6.0


ACTIVATIONS: dict[str, Callable[[Expr], Expr]] = {
    "hardswish": _hardswish,
    "sigmoid": lambda x: loop.call("sigmoid", x),
    "tanh": lambda x: loop.call("tanh", x),
    "swish": lambda x: x * loop.call("sigmoid", x),
}
BINARY = ("add", "sub", "mul")


def absorb(plan: Plan, takes: Offer) -> None:
    """Make kernels that only finish a call's result part of the call.

    takes: which calls can do what.
    """
    steps = plan.steps
    returned = {id(s) for s in (*plan.outputs, *plan.updates.values())}
    readers: dict[Storage, list[Step]] = {}
    for s in steps:
        for r in s.reads:
            readers.setdefault(r, []).append(s)
    position = {id(s): n for n, s in enumerate(steps)}
    changed: dict[Variable, int] = {}
    for n, s in enumerate(steps):
        changed.update({plan.in_place[w]: n for w in s.writes if w in plan.in_place})
    replaced: dict[int, Step | None] = {}
    for s in steps:
        if not isinstance(s, CallStep) or len(s.writes) != 1:
            continue
        result = s.writes[0]
        if result is None or id(result) in returned or len(readers.get(result, ())) != 1:
            continue
        kernel = readers[result][0]
        if not isinstance(kernel, KernelStep) or id(kernel) in replaced:
            continue
        until = position[id(kernel)]
        if any(position[id(s)] <= changed.get(r.variable, -1) <= until for r in s.reads):
            continue  # a state that the call reads would be changed before the kernel runs
        posts = chain(kernel, result, plan.in_place)
        if posts is not None and takes(s, posts):
            root = kernel.kernel.roots[0]
            reads = [*s.reads, *(p.operand for p in posts if p.operand is not None)]
            replaced[id(s)] = None
            assert s.result is not None
            replaced[id(kernel)] = replace(
                s,
                posts=posts,
                reads=list(dict.fromkeys(reads)),
                writes=[root.storage],
                result=replace(s.result, base=root.storage),
            )
    kept = [replaced.get(id(s), s) for s in steps]
    plan.steps = [s for s in kept if s is not None]


def chain(
    step: KernelStep, source: Storage, in_place: Mapping[Storage, State]
) -> list[Post] | None:
    """The steps from an element of `source` to what the kernel writes; None if there are others."""
    kernel = step.kernel
    if len(kernel.roots) != 1 or kernel.roots[0].combine:
        return None
    root = kernel.roots[0]
    result = root.storage
    if result.dtype is not source.dtype or result.count != source.count:
        return None
    loads = [e for e in walk(root.value) if e.kind == "load" and e.args[0] is source]
    if len(loads) != 1 or loads[0].args[1] is not root.offset:
        return None
    element = loads[0]
    posts: list[Post] = []
    while element is not root.value:
        found = _updating(root, element, in_place) or _step(root, element, source)
        if found is None or len(posts) == 8:
            return None
        post, element = found
        posts.append(post)
    return posts


def _step(root: Root, element: Expr, source: Storage) -> tuple[Post, Expr] | None:
    """The next step from `element` on, and the expression that it computes."""
    for kind, function in ACTIVATIONS.items():
        made = function(element)
        if made is root.value or (_uses(root, made) and _only(root, element, made)):
            return Post(kind), made
    users = [e for e in walk(root.value) if any(c is element for c in e.children)]
    bounded = _bounded(root, element, users)
    if bounded is not None:
        return bounded
    if len(users) != 1:
        return None
    (user,) = users
    operands = user.children
    if user.kind not in BINARY or len(operands) != 2:
        return None
    first = operands[0] is element
    other = operands[1] if first else operands[0]
    if other is element or (user.kind == "sub" and not first):
        return None
    operand = _operand(root, other, source)
    return None if operand is None else (Post(user.kind, operand), user)


def _bounded(root: Root, element: Expr, users: Sequence[Expr]) -> tuple[Post, Expr] | None:
    """The step to a bound where the element is beyond it."""
    for e in users:
        if e.kind != "select" or e.args[2] is not element or e.args[0].kind != "lt":
            continue
        bound, (x, y) = e.args[1], e.args[0].args
        if bound.value is None or {id(x), id(y)} != {id(element), id(bound)}:
            continue
        if _only(root, element, e):
            return Post("max" if x is element else "min", number=float(bound.value)), e
    return None


def _updating(
    root: Root, element: Expr, in_place: Mapping[Storage, State]
) -> tuple[Post, Expr] | None:
    """The step to `state - element`, where the kernel changes that state in place."""
    e = root.value
    if e.kind not in ("sub", "add") or root.storage not in in_place:
        return None
    old, change = e.args
    if change is not element or old.kind != "load" or old.args[1] is not root.offset:
        return None
    if old.args[0].variable is not in_place[root.storage]:
        return None
    return Post("old minus" if e.kind == "sub" else "old plus"), e


def _uses(root: Root, e: Expr) -> bool:
    return any(x is e for x in walk(root.value))


def _only(root: Root, element: Expr, made: Expr) -> bool:
    """True where all that is made of `element` goes through `made`."""
    inside = set(walk(made))
    return not any(
        e not in inside and any(c is element for c in e.children) for e in walk(root.value)
    )


def _operand(root: Root, e: Expr, source: Storage) -> Storage | None:
    """The value whose element `e` is: at the result's place, by the last dimension, or alone."""
    if e.kind != "load" or e.dtype is not root.storage.dtype:
        return None
    storage: Storage = e.args[0]
    if storage.dtype is not e.dtype:  # a part of a complex number
        return None
    if is_one(storage.count):
        return storage
    if e.args[1] is root.offset and storage.count == source.count:
        return storage
    width = source.physical[-1] if source.physical else 1
    _, terms = split(root.offset)
    inner = [t for t, c in terms.items() if is_one(c)]
    same = len(inner) == 1 and e.args[1] is inner[0] and storage.count == width > 1
    return storage if same else None
