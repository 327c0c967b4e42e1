"""`paddle_serving_client.Client`: feeds arrays to a server by name, and fetches others."""

from __future__ import annotations

import gzip
import http.client
import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.core.near import near_names
from twinoar.errors import ArgumentError, FileError, ServingError
from twinoar.formats.paddle_serving import SERVICE, GeneralModelConfig, Request, Response
from twinoar.formats.protobuf import parse, parse_text, plain
from twinoar.serving.paddle.client.io import CLIENT_CONFIG
from twinoar.serving.paddle.tensors import TYPES, array_of, tensor_of
from twinoar.serving.server import package
from twinoar.serving.status import STATUSES

PATH = "/GeneralModelService/inference"
PROTO, JSON = "application/proto", "application/json"
MILLISECONDS = 1e-3


class Client:
    """Asks a server of Paddle Serving's protocol over HTTP; not for several threads at once.

    client = Client(); client.load_client_config("serving_client"); client.connect(["host:9393"])
    """

    def __init__(self) -> None:
        self._config = GeneralModelConfig()
        self._endpoints: list[str] = []
        self._turns = itertools.count()
        self._timeout_seconds = 20.0
        self._path = PATH

    def load_client_config(self, model_config_path_list: str | Sequence[str]) -> None:
        """Read the config of a model: the folder that `convert` wrote for clients, or its file.

        Of several, as of models in a row, the inputs of the first and the outputs of the last.
        """
        several = model_config_path_list
        paths = [several] if isinstance(several, str) else list(several)
        read = [_read(Path(path)) for path in paths]
        if not read:
            raise ArgumentError("expected the path of a config, received none")
        self._config = GeneralModelConfig(feed_var=read[0].feed_var, fetch_var=read[-1].fetch_var)

    def connect(self, endpoints: str | Sequence[str], encryption: bool = False) -> None:
        """Name the servers, each as "host:port"; several are asked in turns."""
        if encryption:
            raise ArgumentError("encrypted models are not served", cure="encryption=False")
        named = [endpoints] if isinstance(endpoints, str) else list(endpoints)
        self._endpoints = [x.removeprefix("http://").rstrip("/") for x in named]
        if not self._endpoints:
            raise ArgumentError("expected an endpoint, received none", cure='["127.0.0.1:9393"]')

    def set_rpc_timeout_ms(self, rpc_timeout: int) -> None:
        """How long an answer may take, in milliseconds."""
        self._timeout_seconds = rpc_timeout * MILLISECONDS

    def get_feed_names(self) -> list[str]:
        """The names of the inputs."""
        return [v.alias_name for v in self._config.feed_var]

    def get_fetch_names(self) -> list[str]:
        """The names of the outputs."""
        return [v.alias_name for v in self._config.fetch_var]

    def predict(
        self,
        feed: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        fetch: str | Sequence[str] | None = None,
        batch: bool = False,
        need_variant_tag: bool = False,
        log_id: int = 0,
    ) -> Any:
        """The outputs that are named by `fetch`, or all, as arrays by name.

        feed: arrays or lists by name, or a list of one such dictionary. batch: whether they have
        the batch axis; if not, it is put in front. need_variant_tag: return a list of outputs and
        of the server's number. Raises ServingError for what the server refuses, where Paddle's
        client prints a line and returns None.
        """
        request = self._request(feed, fetch, batch, log_id)
        turn = next(self._turns) % max(len(self._endpoints), 1)
        data = self._post(request.SerializeToString(), turn, {"Content-Type": PROTO})
        answer = parse(Response, data, self._endpoints[turn])
        found = {t.alias_name: array_of(t) for output in answer.outputs for t in output.tensor}
        return [found, str(turn)] if need_variant_tag else found

    def release(self) -> None:
        """Forget the servers."""
        self._endpoints = []

    def _request(self, feed: Any, fetch: Any, batch: bool, log_id: int) -> Any:
        """The message that feeds and fetches. Raises ArgumentError for names that are not there."""
        given = feed if isinstance(feed, Mapping) else self._single(feed)
        names = [fetch] if isinstance(fetch, str) else list(fetch or [])
        for name in names:
            self._known(name, self.get_fetch_names(), "fetch")
        request = Request(fetch_var_names=names, log_id=log_id)
        for name, value in given.items():
            self._known(name, self.get_feed_names(), "feed")
            var = next(v for v in self._config.feed_var if v.alias_name == name)
            request.tensor.append(tensor_of(_array(value, var, batch), var.name, name))
        return request

    def _post(self, body: bytes, turn: int, headers: Mapping[str, str]) -> bytes:
        if not self._endpoints:
            raise ArgumentError("the client is not connected", cure='connect(["127.0.0.1:9393"])')
        where = self._endpoints[turn]
        connection = http.client.HTTPConnection(where, timeout=self._timeout_seconds)
        try:
            connection.request("POST", self._path, body, headers)
            answer = connection.getresponse()
            data = answer.read()
        except OSError as error:
            raise ServingError(f"{where} does not answer: {error}", "UNAVAILABLE") from error
        finally:
            connection.close()
        if answer.status != 200:
            raise ServingError(f"{where} refused: {_reason(data)}", "INVALID_ARGUMENT")
        return data

    def _single(self, feed: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        if len(feed) != 1 or not isinstance(feed[0], Mapping):
            raise ArgumentError("feed is a dictionary, or a list of one", cure="batch=True")
        return feed[0]

    def _known(self, name: str, names: Sequence[str], what: str) -> None:
        if name not in names:
            raise ArgumentError(f"the model has no {what} {name!r}", cure=near_names(name, names))


class HttpClient(Client):
    """Asks over HTTP in protobuf or JSON, or over gRPC; `predict` gives the answer as it comes."""

    def __init__(
        self, ip: str = "127.0.0.1", port: str | int = "9393", service_name: str = PATH
    ) -> None:
        super().__init__()
        self._path, self._compresses, self._grpc = service_name, False, False
        self._headers = {"Content-Type": PROTO}
        self.connect(f"{ip}:{port}")

    def set_http_proto(self, http_proto: bool) -> None:
        """Ask in protobuf, or in JSON."""
        self._headers["Content-Type"] = PROTO if http_proto else JSON

    def set_use_grpc_client(self, use_grpc_client: bool) -> None:
        """Ask over gRPC, at the port that is connected, or over HTTP."""
        self._grpc = use_grpc_client

    def set_request_compress(self, try_request_gzip: bool) -> None:
        """Compress what is sent, or not."""
        self._compresses = try_request_gzip

    def set_response_compress(self, try_response_gzip: bool) -> None:
        """Accepted: answers come as they are."""

    def set_timeout_ms(self, timeout_ms: int) -> None:
        """How long an answer may take, in milliseconds."""
        self.set_rpc_timeout_ms(timeout_ms)

    def add_http_headers(self, headers: Mapping[str, str]) -> None:
        """Send these headers too, such as a key."""
        self._headers.update(headers)

    def predict(
        self,
        feed: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        fetch: str | Sequence[str] | None = None,
        batch: bool = False,
        need_variant_tag: bool = False,
        log_id: int = 0,
    ) -> Any:
        """The answer: a Response of protobuf, or what its JSON says, a dictionary.

        Arguments and errors are those of `Client.predict`; need_variant_tag changes nothing.
        """
        request = self._request(feed, fetch, batch, log_id)
        if self._grpc:
            return self._call(request.SerializeToString())
        is_json = self._headers["Content-Type"] == JSON
        body = json.dumps(plain(request)).encode() if is_json else request.SerializeToString()
        headers = dict(self._headers)
        if self._compresses:
            body, headers["Content-Encoding"] = gzip.compress(body), "gzip"
        data = self._post(body, 0, headers)
        return json.loads(data) if is_json else parse(Response, data, self._endpoints[0])

    def _call(self, body: bytes) -> Any:
        grpc = package("grpc")
        with grpc.insecure_channel(self._endpoints[0]) as channel:
            try:
                data = channel.unary_unary(f"/{SERVICE}/inference")(
                    body, timeout=self._timeout_seconds
                )
            except grpc.RpcError as error:
                where = self._endpoints[0]
                status = error.code().name
                known = status if status in STATUSES else "INTERNAL"
                raise ServingError(f"{where} refused: {error.details()}", known) from error
        return parse(Response, data, self._endpoints[0])


def _read(path: Path) -> Any:
    file = path / f"{CLIENT_CONFIG}.prototxt" if path.is_dir() else path
    try:
        return parse_text(GeneralModelConfig, file.read_text(), str(file))
    except OSError as error:
        cure = "convert the model first: paddle_serving_client.convert"
        raise FileError(f"cannot read {file}: {error.strerror}", cure=cure) from error


def _array(value: Any, var: Any, batch: bool) -> np.ndarray:
    """The value as an array of the input's element type, with the batch axis."""
    array = np.asarray(value)
    wanted = TYPES[var.feed_type][0] if var.feed_type in TYPES else array.dtype
    if array.dtype != wanted and not (
        isinstance(value, (list, tuple)) and array.dtype.kind in "biuf"
    ):
        raise ArgumentError(
            f"{var.alias_name!r} is {wanted}, received {array.dtype}",
            cure=f'convert it with astype("{wanted}")',
        )
    array = array.astype(wanted)
    return array if batch else array[None]


def _reason(data: bytes) -> str:
    try:
        return str(json.loads(data)["error"])
    except (ValueError, KeyError, TypeError):
        return repr(data[:200])
