"""Ctrl-C during a native run that may take long: it ends between two strips of its loops.

Native code runs without Python's lock, and Python's handlers of signals run in Python alone. So
loops of many iterations, and routines that are repeated, ask now and then, in `poll` of the native
driver, which calls back here a few times a second. That lets Python handle the signal; where its
handler raises, all that polls returns, and the run raises the same.
"""

from __future__ import annotations

import ctypes
import signal
import threading
from types import FrameType

_lock = threading.Lock()
_running = 0  # runs that poll, in all threads


class Interruptible:
    """A `with` block around a native run that polls; it raises what the handler of Ctrl-C raised.

    stopped: the word that tells the native code to return. All runs that poll return then, and
    raise KeyboardInterrupt where it was not theirs.
    """

    def __init__(self, stopped: ctypes.c_int64):
        self.stopped = stopped
        self.raised: BaseException | None = None
        self.is_main = threading.current_thread() is threading.main_thread()
        self.handler = signal.getsignal(signal.SIGINT) if self.is_main else None

    def __enter__(self) -> None:
        global _running
        with _lock:
            _running += 1
        if callable(self.handler):
            signal.signal(signal.SIGINT, self._handle)

    def __exit__(self, *_: object) -> None:
        global _running
        if callable(self.handler):
            signal.signal(signal.SIGINT, self.handler)
        with _lock:
            _running -= 1
            is_stopped = self.stopped.value
            if not _running:
                self.stopped.value = 0
        if is_stopped:
            raise (self.raised or KeyboardInterrupt) from None

    def _handle(self, number: int, frame: FrameType | None) -> None:
        """Do as the handler does that was there; one that raises ends the run."""
        handler = self.handler
        assert callable(handler)
        try:
            handler(number, frame)
            self.stopped.value |= getattr(handler, "is_delay", False)
        except BaseException as error:
            self.raised = error
            self.stopped.value = 1
        following = signal.getsignal(signal.SIGINT)
        if following != self._handle:  # it has put another in its place
            self.handler = following
            signal.signal(signal.SIGINT, self._handle)


def _nothing() -> None:
    """On the way into it Python handles signals."""


let_python_handle = ctypes.CFUNCTYPE(None)(_nothing)  # what the native driver calls
