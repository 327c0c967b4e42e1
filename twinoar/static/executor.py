"""Running Programs: feeds by name in, fetches out, states in a Scope."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.core.device import to_host
from twinoar.core.interpreter import current, using
from twinoar.core.ir.program import Program
from twinoar.eager.elsewhere import moved
from twinoar.eager.place import place_of
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError, UnsupportedError
from twinoar.runtime import servers
from twinoar.static.mode import default_main_program
from twinoar.static.plan import plan_of, resolve_fetch
from twinoar.static.scope import Scope, global_scope
from twinoar.tracebacks import show_users_frames


class Executor:
    """Runs Programs: the startup Program once, then others as often as wanted.

    That is `exe.run(startup)`, then `exe.run(main, feed=..., fetch_list=...)`.
    place: the device to run on, "cpu" or another; None for that of new tensors.

    >>> import numpy as np
    >>> from twinoar import static
    >>> main = static.Program()
    >>> with static.program_guard(main):
    ...     y = static.data("x", [None]) * 2.0
    >>> static.Executor().run(main, feed={"x": np.ones(2, "float32")}, fetch_list=[y])
    [array([2., 2.], dtype=float32)]
    """

    def __init__(self, place: Any = None):
        self.place = place_of(place)
        self.is_closed = False

    def run(
        self,
        program: Any = None,
        feed: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        fetch_list: Any = None,
        feed_var_name: str = "feed",
        fetch_var_name: str = "fetch",
        scope: Scope | None = None,
        return_numpy: bool = True,
        use_program_cache: bool = True,
        use_prune: bool = False,
    ) -> list[Any]:
        """Run `program` (the default main Program) once.

        feed: arrays by the name of the input. fetch_list: Variables or names. scope: where states
        are, by default the global one. use_prune: run what the fetches need alone, and so no
        optimizer. feed_var_name, fetch_var_name, use_program_cache: for Paddle's code; a Program is
        compiled once for each list of fetches. Returns the values, ndarrays or with
        return_numpy=False Tensors.

        Threads may run Programs at once; those that change states of one scope take turns. Ctrl-C
        interrupts where all states of a run are written, or none is.

        Raises UnknownNameError for names that the program does not have, ProgramError for a feed
        that is missing, a state that is not initialized or an Executor that is closed, DTypeError
        and ShapeError for feeds that do not fit. Warns of feeds that the program has no input for.
        """
        if self.is_closed:
            raise ProgramError("the Executor is closed", cure="make another: static.Executor()")
        if not isinstance(scope, Scope | None):
            raise TypeMismatchError(
                f"scope must be a Scope, received {type(scope).__name__}",
                cure="make one: static.Scope()",
            )
        chosen = program_to_run(program)
        fetches = [resolve_fetch(chosen, f) for f in flat(fetch_list)]
        plan = plan_of(chosen, fetches, use_prune)
        device, interpreter = self.place.device, current()
        feeds = [moved(data, device) for data in plan.feeds(_one_feed(feed))]
        try:
            with using(interpreter.under(interpreter.policy.on(device))):
                outputs = plan.run(
                    feeds, scope or global_scope(), getattr(chosen, "random_seed", 0)
                )
        except Exception as error:
            show_users_frames(error)
            raise
        after = getattr(chosen, "after_run", None)  # as `random_seed`, of a static Program alone
        if after is not None:
            after(scope or global_scope())
        if not return_numpy:
            return [Tensor(a) for a in outputs]
        return [np.array(to_host(a)) for a in outputs]

    def train_from_dataset(
        self,
        program: Any = None,
        dataset: Iterable[Any] | None = None,
        scope: Scope | None = None,
        thread: int = 0,
        debug: bool = False,
        fetch_list: Any = None,
        fetch_info: Sequence[str] | None = None,
        print_period: int = 100,
        fetch_handler: Any = None,
    ) -> None:
        """Run `program` once for each batch of `dataset`.

        dataset: a DataLoader, or what else gives batches: dicts of arrays by input, or lists in the
        order of the inputs. fetch_list: what is printed each `print_period` batches, called as
        `fetch_info` says. debug: print the time of each of these, too. thread: batches run one
        after the other, each on all threads. Raises TypeMismatchError or ArgumentError for what
        gives no batches, and the errors of `run`.

        >>> import numpy as np
        >>> from twinoar import static
        >>> main = static.Program()
        >>> with static.program_guard(main):
        ...     total = static.data("x", [None]).sum()
        >>> batches = [{"x": np.ones(3, "float32")}, {"x": np.ones(4, "float32")}]
        >>> static.Executor().train_from_dataset(
        ...     main, batches, fetch_list=[total], fetch_info=["sum"], print_period=1
        ... )
        batch 0, sum: 3.0
        batch 1, sum: 4.0
        """
        if fetch_handler is not None:
            raise UnsupportedError(
                "fetch_handler reports from another thread, and this version has none",
                cure="pass fetch_list, fetch_info and print_period",
            )
        chosen = program_to_run(program)
        fetches = flat(fetch_list)
        named = list(fetch_info or [getattr(f, "name", f) for f in fetches])
        if len(named) != len(fetches):
            raise ArgumentError(
                f"fetch_info must name the {len(fetches)} fetches, received {len(named)} names"
            )
        for number, batch in enumerate(batches_of(dataset)):
            shown = bool(fetches) and number % print_period == 0
            start = time.perf_counter()
            found = self.run(
                chosen, feed_of(chosen, batch), fetches if shown else None, scope=scope
            )
            if shown:
                values = (f", {n}: {np.squeeze(v)}" for n, v in zip(named, found, strict=True))
                took = f", {time.perf_counter() - start:.6f} s" if debug else ""
                print(f"batch {number}{''.join(values)}{took}")

    def infer_from_dataset(
        self, program: Any = None, dataset: Iterable[Any] | None = None, *args: Any, **kwargs: Any
    ) -> None:
        """`train_from_dataset` without backward and update operators, with `training` off."""
        chosen = program_to_run(program)
        self.train_from_dataset(chosen.clone(for_test=True), dataset, *args, **kwargs)

    def close(self) -> None:
        """End the work with this Executor: `run` raises ProgramError from now on.

        A trainer of a DistributeTranspiler leaves its servers.
        """
        self.is_closed = True
        servers.close()

    def flush(self) -> None:
        """Wait for what runs: nothing does after `run` has returned."""


def program_to_run(program: Any) -> Any:
    """`program`, that of a CompiledProgram, or the default main one. Raises TypeMismatchError."""
    chosen = program if program is not None else default_main_program()
    chosen = getattr(chosen, "program", chosen)
    if not isinstance(chosen, Program):
        raise TypeMismatchError(
            f"expected a Program to run, received {type(chosen).__name__}",
            cure="pass a static.Program, or leave it out to run the default main Program",
        )
    return chosen


def _one_feed(feed: Any) -> Mapping[str, Any]:
    if isinstance(feed, (list, tuple)):
        if len(feed) != 1:
            raise ProgramError(
                f"expected one feed, received {len(feed)}", cure="this version has one device"
            )
        return feed[0]
    if feed is not None and not isinstance(feed, Mapping):
        raise TypeMismatchError(
            f"feed must be a dict of arrays by name, received {type(feed).__name__}",
            cure="pass feed={'x': array}",
        )
    return feed or {}


def flat(fetches: Any) -> list[Any]:
    """Fetches as one list, whether they are nested, one alone or None."""
    if isinstance(fetches, (list, tuple)):
        return [f for one in fetches for f in flat(one)]
    return [] if fetches is None else [fetches]


def batches_of(dataset: Any) -> Iterable[Any]:
    """What gives batches. Raises ArgumentError or TypeMismatchError for what gives none."""
    if dataset is None:
        raise ArgumentError("dataset is missing", cure="pass a DataLoader, or a list of batches")
    if not hasattr(dataset, "__iter__") or isinstance(dataset, Mapping):
        raise TypeMismatchError(
            f"dataset must give batches, received {type(dataset).__name__}",
            cure="wrap it: io.DataLoader(dataset, batch_size=...)",
        )
    return dataset


def feed_of(program: Program, batch: Any) -> Mapping[str, Any]:
    """A batch as arrays by the name of the input. Raises ArgumentError where it does not fit."""
    if isinstance(batch, Mapping):
        return batch
    given = list(batch) if isinstance(batch, (list, tuple)) else [batch]
    if len(given) == 1 and isinstance(given[0], Mapping):
        return given[0]
    names = [v.name for v in program.main.inputs]
    if len(given) != len(names):
        raise ArgumentError(
            f"a batch has {len(given)} arrays, the program {len(names)} inputs: {', '.join(names)}",
            cure="give dicts of arrays by input",
        )
    return dict(zip(names, given, strict=True))
