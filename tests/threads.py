"""Work in threads of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable


def in_threads(work: Iterable[Callable[[], object]]) -> None:
    """Call each in a thread, all at the same time, and wait; an error of one is raised here."""
    errors: list[BaseException] = []

    def run(call: Callable[[], object]) -> None:
        try:
            call()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(call,)) for call in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
