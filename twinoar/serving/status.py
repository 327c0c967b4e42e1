"""What becomes of a request that is not served: gRPC's status, and HTTP's code for each."""

from __future__ import annotations

from typing import NamedTuple

from twinoar.errors import (
    ArgumentError,
    DTypeError,
    ServingError,
    TwinoarError,
    TypeMismatchError,
    UnsupportedError,
)


class Status(NamedTuple):
    """http: the code of the answer. grpc: the name of the status."""

    http: int
    grpc: str


# 499 is what proxies write into their logs for a client that has gone.
STATUSES = {
    name: Status(code, grpc)
    for name, code, grpc in (
        ("INVALID_ARGUMENT", 400, "INVALID_ARGUMENT"),
        ("UNAUTHENTICATED", 401, "UNAUTHENTICATED"),
        ("NOT_FOUND", 404, "NOT_FOUND"),
        ("WRONG_METHOD", 405, "UNIMPLEMENTED"),
        ("CLIENT_TIMEOUT", 408, "DEADLINE_EXCEEDED"),
        ("ALREADY_EXISTS", 409, "ALREADY_EXISTS"),
        ("FAILED_PRECONDITION", 409, "FAILED_PRECONDITION"),
        ("TOO_LARGE", 413, "RESOURCE_EXHAUSTED"),
        ("RESOURCE_EXHAUSTED", 429, "RESOURCE_EXHAUSTED"),
        ("CANCELLED", 499, "CANCELLED"),
        ("INTERNAL", 500, "INTERNAL"),
        ("UNIMPLEMENTED", 501, "UNIMPLEMENTED"),
        ("UNAVAILABLE", 503, "UNAVAILABLE"),
        ("DEADLINE_EXCEEDED", 504, "DEADLINE_EXCEEDED"),
    )
}


def invalid(message: str, *, cure: str | None = None) -> ServingError:
    """The error for a request that does not fit the model, or is not well formed."""
    return ServingError(message, "INVALID_ARGUMENT", cure=cure)


def status_of(error: BaseException) -> Status:
    """How an error is told to a client.

    >>> status_of(invalid("no such input")).http, status_of(OSError()).grpc
    (400, 'INTERNAL')
    """
    if isinstance(error, ServingError):
        return STATUSES[error.status]
    if isinstance(error, UnsupportedError):
        return STATUSES["UNIMPLEMENTED"]
    if isinstance(error, (ArgumentError, DTypeError, TypeMismatchError)):
        return STATUSES["INVALID_ARGUMENT"]
    return STATUSES["INTERNAL"]


def told(error: BaseException) -> str:
    """What a client reads: the message and its cure, without lines of the server's own code."""
    if not isinstance(error, TwinoarError):
        return f"{type(error).__name__}: {error}"
    shown = f"{error.operator}: {error.message}" if error.operator else error.message
    return f"{shown}; {error.cure}" if error.cure else shown
