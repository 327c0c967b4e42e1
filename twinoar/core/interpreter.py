"""Who is interpreting: the one decision behind eager, static and every wrapper of the two.

An interpreter gives operators a meaning: Eager runs them, a Builder appends them to a Program,
others watch or change them on the way. The innermost `using(...)` of this thread wins; under it
lies the base, which is Eager until `enable_static()` puts a Builder there for the whole process.

How it does so is its Policy: `under` gives the same interpreter with another one.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from twinoar.core.device import device_asked, device_of
from twinoar.core.observer import EVERYWHERE, Observer
from twinoar.core.policy import PLAIN, Exactness, Policy

if TYPE_CHECKING:
    from twinoar.core.op.definition import Op


class Gradients(Protocol):
    """The gradients of values, as the interpreter that each is called with has them."""

    def backward(
        self, here: Any, outputs: list[Any], gradients: list[Any], retain_graph: bool
    ) -> None:
        """Add the gradients of `outputs` to those of the leaves; `gradients` has a seed or None."""

    def grad(
        self,
        here: Any,
        outputs: list[Any],
        inputs: list[Any],
        gradients: list[Any],
        *,
        create_graph: bool,
        retain_graph: bool,
        blocked: list[Any],
    ) -> list[Any]:
        """The gradients of `outputs` with respect to `inputs`, without those through `blocked`."""

    def read(self, here: Any, x: Any) -> Any:
        """The accumulated gradient of `x`, or None."""

    def presence(self, x: Any) -> Any:
        """Whether the gradient of `x` is there: True, or a truth value where only data tell."""

    def set(self, here: Any, x: Any, gradient: Any) -> None:
        """Let `gradient`, a value or None, be the accumulated gradient of `x`."""

    def clear(self, here: Any, x: Any, set_to_zero: bool) -> None:
        """Make the gradient of `x`, where there is one, zeros; or forget it."""


class Interpreter(Protocol):
    """What every interpreter can do."""

    @property
    def policy(self) -> Policy:
        """How it does what it does."""

    def under(self, policy: Policy) -> Interpreter:
        """The same interpreter under another Policy."""

    @property
    def runs(self) -> bool:
        """True if results are data at once (eager), False if they are symbols."""

    @property
    def traces(self) -> bool:
        """True if code written for eager mode runs once, on symbols, to be run many times."""

    @property
    def program(self) -> Any:
        """The Program that is built; None where operators run."""

    @property
    def startup(self) -> Any:
        """The Program that initializes the states of the one that is built; None where it is live.

        So is all that runs or is traced.
        """

    def apply(self, op: Op, operands: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """The results of one operator: a value, or a tuple of values."""

    def rebind(self, target: Any, value: Any) -> None:
        """Make `target`, a value that users hold, stand for `value` from now on."""

    def share(self, base: Any, view: Any, step: Any, apart: bool = False) -> Any:
        """`view`, which shows `base` by `step`: a change in place of one is seen in the other.

        apart: no gradient links them.
        """

    def create_parameter(self, spec: Any, initializer: Any, **traits: Any) -> Any:
        """A trainable value of `spec`, filled by `initializer`."""

    def create_state(self, spec: Any, initializer: Any, name: str) -> Any:
        """A value that lives on between steps and is not trained, filled by `initializer`."""

    def code_of(self, function: Any, layer: Any = None) -> Any:
        """What runs for code of users that is called back: it, or what a trace makes of it.

        layer: whose `forward` it is; None for a hook.
        """

    def random_key(self, generator: Any) -> Any:
        """A key of its own for an operator that draws random numbers."""

    def live_number(self, name: str, read: Any) -> Any:
        """The number `read()`, now or before each run."""

    @property
    def gradients(self) -> Gradients:
        """What computes gradients here, and keeps those of leaves."""

    def note_made(self, x: Any) -> None:
        """`x`, an object of the package, is made while this traces."""

    def may_raise(self, error: str) -> None:
        """An operator follows that may raise `error`, an exception of Python's by its name."""

    def python_effect(self, what: str) -> None:
        """Python's own state changes here, by `what`: refused where code runs once for many."""


_innermost: ContextVar[Interpreter | None] = ContextVar("twinoar_interpreter", default=None)


class _Base:
    """Holds the interpreter under all `using` blocks, and what Policies leave to the process."""

    interpreter: Any = None
    eager: Any = None
    products: Exactness = "highest"


def current() -> Any:
    """The interpreter that operators called now go to."""
    return _innermost.get() or _Base.interpreter


def base() -> Any:
    """The interpreter under all `using` blocks."""
    return _Base.interpreter


def eager(policy: Policy = PLAIN) -> Any:
    """The interpreter that runs operators at once under `policy`, whatever is current."""
    return _Base.eager.under(policy)


def recording(records: bool) -> Any:
    """The interpreter of now, which records for gradients, or does not."""
    interpreter: Any = _innermost.get() or _Base.interpreter
    policy = interpreter.policy
    if policy.records is records:
        return interpreter
    return interpreter.under(policy._opposite or policy.recording(records))


def beside(x: Any) -> Any:
    """The interpreter of now, whose new values lie where `x` lies; a symbol lies nowhere yet."""
    interpreter = current()
    data = getattr(x, "_data", None)
    if data is None:
        return interpreter
    return interpreter.under(interpreter.policy.on(device_of(data)))


def placing(device: Any) -> using:
    """A block whose new values lie on a device, named as users do; None changes nothing.

    Raises ArgumentError for a device that there is not.
    """
    interpreter = current()
    policy = interpreter.policy
    return using(
        interpreter if device is None else interpreter.under(policy.on(device_asked(device)))
    )


def set_eager(interpreter: Interpreter) -> None:
    """Set the interpreter that runs operators at once; it becomes the base too."""
    _Base.eager = _Base.interpreter = interpreter


def set_base(interpreter: Interpreter) -> None:
    """Replace the interpreter under all `using` blocks, for every thread."""
    _Base.interpreter = interpreter


def set_products(exactness: Exactness) -> None:
    """How exact products of float32 are in all threads, where no Policy says it."""
    _Base.products = exactness


def products_now() -> Exactness:
    """How exact those products are that run now."""
    found: Exactness | None = (_innermost.get() or _Base.interpreter).policy.products
    return found or _Base.products


def derived(records: bool) -> Any:
    """The interpreter of now for what follows from users' calls, such as gradients."""
    interpreter = current()
    return interpreter.under(interpreter.policy.derived(records))


def autocast(here: Any, op: Op, operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """The operands that `op` gets under the Policy of `here`, which has an autocast."""
    with using(here.under(here.policy.derived(here.policy.records))):
        return here.policy.autocast.cast(op, operands)  # type: ignore[no-any-return]


def observers_now() -> tuple[Observer, ...]:
    """Who is told of what runs now."""
    interpreter: Any = _innermost.get() or _Base.interpreter
    own: tuple[Observer, ...] = interpreter.policy.observers
    return (*own, *EVERYWHERE) if EVERYWHERE else own


def is_observed_by_operator() -> bool:
    """True where an observer asks for the operators of Programs one by one."""
    observers = observers_now()
    return bool(observers) and any(x.by_operator for x in observers)


class using:
    """Operators called in this block, by this thread, go to `interpreter`."""

    # Not made by contextmanager, which takes three times as long.
    __slots__ = ("_interpreter", "_token")

    def __init__(self, interpreter: Any):
        self._interpreter = interpreter

    def __enter__(self) -> Any:
        self._token = _innermost.set(self._interpreter)
        return self._interpreter

    def __exit__(self, *raised: object) -> None:
        _innermost.reset(self._token)


class under(using):
    """Code of this block runs as now, under the Policy of now with these fields changed.

    >>> with under(records=False) as interpreter:
    ...     interpreter.policy.records
    False
    """

    __slots__ = ("_changes",)

    def __init__(self, **changes: Any):
        self._changes = changes

    def __enter__(self) -> Any:
        interpreter = current()
        self._interpreter = interpreter.under(replace(interpreter.policy, **self._changes))
        return super().__enter__()
