"""What travels between workers and servers: a header of JSON and arrays, in frames of ZeroMQ.

Nothing that arrives is run: headers are plain values, and arrays are their bytes.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import json
import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, DistributedError, MissingModuleError

try:
    import zmq
    from zmq.auth.thread import ThreadAuthenticator
    from zmq.utils import z85
except ImportError as error:
    raise MissingModuleError(
        f"parameter servers need ZeroMQ, which cannot be loaded: {error}",
        cure="pip install twinoar[distributed]",
    ) from None

KEY = "TWINOAR_SERVER_KEY"  # the environment variable with what all processes know
PLAIN_KINDS = "biuf"  # of dtypes: truth values and numbers
EMPTY: Mapping[str, np.ndarray] = {}
Arrays = dict[str, np.ndarray]


def packed(header: Mapping[str, Any], arrays: Mapping[str, np.ndarray] = EMPTY) -> list[Any]:
    """A message as frames."""
    whole = {name: np.ascontiguousarray(a).reshape(a.shape) for name, a in arrays.items()}
    specs = [[name, a.dtype.str, a.shape] for name, a in whole.items()]
    first = json.dumps({**header, "arrays": specs}).encode()
    return [first, *(a.data if a.size else b"" for a in whole.values())]


def unpacked(frames: Sequence[Any]) -> tuple[dict[str, Any], Arrays]:
    """The header and the arrays of a message. Raises DistributedError for what is none."""
    try:
        header = json.loads(bytes(frames[0].buffer))
        specs = header.pop("arrays")
        if len(specs) != len(frames) - 1:
            raise ValueError(f"{len(specs)} arrays in {len(frames) - 1} frames")
        arrays = {
            str(name): _array(frame.buffer, str(dtype), shape)
            for (name, dtype, shape), frame in zip(specs, frames[1:], strict=True)
        }
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        raise DistributedError(
            f"a message is no header with arrays: {error}",
            cure="let nobody but workers of the same twinoar connect",
        ) from None
    return header, arrays


def _array(data: Any, name: str, shape: Sequence[int]) -> np.ndarray:
    dtype = np.dtype(name)
    if dtype.kind not in PLAIN_KINDS or not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError(f"an array of {name}{shape}")
    if math.prod(shape) * dtype.itemsize != len(data):
        raise ValueError(f"{len(data)} bytes for {name}{shape}")
    return np.frombuffer(data, dtype).reshape(shape)


def split_endpoint(endpoint: str) -> tuple[str, int]:
    """Address and port. Raises ArgumentError for what is no "address:port"."""
    host, _, port = endpoint.strip().rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise ArgumentError(
            f"a server's endpoint is 'address:port', received {endpoint!r}",
            cure="such as PADDLE_PSERVERS_IP_PORT_LIST=10.0.0.1:6170,10.0.0.2:6170",
        )
    return host, int(port)


def is_local(host: str) -> bool:
    """Whether nobody on another machine can reach an address.

    >>> is_local("127.0.0.1"), is_local("10.0.0.1")
    (True, False)
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def key_for(host: str) -> str:
    """What processes prove to each other that they know, or "" on one machine without one.

    Raises ArgumentError where others can reach the address.
    """
    secret = os.environ.get(KEY, "")
    if not secret and not is_local(host):
        raise ArgumentError(
            f"servers at {host} need a secret: who connects reads and changes what they keep",
            cure=f"set the environment variable {KEY} to the same text in all processes",
        )
    return secret


def guard(socket: Any, secret: str, is_server: bool) -> Any:
    """Encrypt what a socket sends, and let only those in who know the secret.

    Both ends have the key pair that the secret gives (CurveZMQ). Returns what to stop at the end of
    a server, or None.
    """
    if not secret:
        return None
    private = z85.encode(hashlib.sha256(b"twinoar servers " + secret.encode()).digest())
    public = zmq.curve_public(private)
    socket.curve_secretkey, socket.curve_publickey = private, public
    if not is_server:
        socket.curve_serverkey = public
        return None
    socket.curve_server = True
    gate = ThreadAuthenticator(socket.context)
    gate.start()
    gate.configure_curve_callback(domain="*", credentials_provider=_Knowing(public))
    return gate


class _Knowing:
    """Says of a public key whether it is that of the secret."""

    def __init__(self, public: bytes):
        self._public = public

    def callback(self, domain: str, key: bytes) -> bool:
        return hmac.compare_digest(key, self._public)


__all__ = [
    "EMPTY", "KEY", "Arrays", "guard", "is_local", "key_for", "packed", "split_endpoint",
    "unpacked", "zmq",
]  # fmt: skip
