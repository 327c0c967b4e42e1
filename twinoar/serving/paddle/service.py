"""Paddle Serving's service over HTTP and gRPC, on a model that this server serves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from twinoar.core.near import near_names
from twinoar.errors import FileError
from twinoar.formats.paddle_serving import SERVICE, Request, Response
from twinoar.formats.protobuf import parse, parse_json, plain
from twinoar.serving.http import Answer
from twinoar.serving.paddle.tensors import TYPES, array_of, tensor_of
from twinoar.serving.request import Arrays
from twinoar.serving.request import Request as Asked
from twinoar.serving.rest import Call, Route, while_connected
from twinoar.serving.state import State
from twinoar.serving.status import invalid, status_of, told

PROTO = b"application/proto"


class PaddleService:
    """The service of one model. config: the GeneralModelConfig that was converted with it."""

    def __init__(self, state: State, model: str, config: Any):
        self.state, self.model, self.config = state, model, config

    def routes(self, name: str | None = None) -> dict[tuple[str, ...], Route]:
        """The paths; name: of a web service, at /name/prediction."""
        found: dict[tuple[str, ...], Route] = {("GeneralModelService", "inference"): self._http}
        if name:
            found[name, "prediction"] = self._web
        return found

    def handler(self, grpc: Any) -> Any:
        """The generic handler of gRPC."""

        def inference(data: bytes, context: Any) -> bytes:
            try:
                request = self._read(data)
                asked = self._asked(request)
                context.add_callback(asked.cancel)  # for a client that goes
                return self._answer(request, asked.result()).SerializeToString()
            except Exception as error:
                status = getattr(grpc.StatusCode, status_of(error).grpc)
                context.abort(status, told(error))
                raise  # abort raises: this is not reached

        method = grpc.unary_unary_rpc_method_handler(inference)
        return grpc.method_handlers_generic_handler(SERVICE, {"inference": method})

    async def _http(self, call: Call) -> Answer:
        body = await call.body()
        is_json = "json" in call.headers.get("content-type", "").lower()
        request = self._read(body, is_json)
        outputs = await while_connected(self._asked(request), call.receive)
        answer = self._answer(request, outputs)
        if is_json:
            return Answer.of_json(plain(answer))
        return Answer(200, [answer.SerializeToString()], PROTO)

    def _read(self, body: bytes, is_json: bool = False) -> Any:
        try:
            if is_json:
                return parse_json(Request, body.decode(), "the request")
            return parse(Request, body, "the request")
        except (FileError, UnicodeDecodeError) as error:
            raise invalid(getattr(error, "message", str(error))) from None

    def _asked(self, request: Any) -> Asked:
        """The request, which waits for its turn."""
        names = {key: v.name for v in self.config.feed_var for key in (v.alias_name, v.name)}
        inputs = {names.get(t.name, t.name): array_of(t) for t in request.tensor}
        asked = Asked(inputs, id=str(request.log_id))
        self.state.repository.submit(self.model, "", asked)
        return asked

    def _answer(self, request: Any, outputs: Arrays) -> Any:
        answer = Response(log_id=request.log_id, err_no=0)
        written = answer.outputs.add(engine_name=self.model)
        for told_of in self._fetched(request.fetch_var_names):
            array = outputs[told_of.name]
            written.tensor.append(tensor_of(array, told_of.name, told_of.alias_name))
        return answer

    def _fetched(self, names: Any) -> list[Any]:
        known = {v.alias_name: v for v in self.config.fetch_var}
        for name in names:
            if name not in known:
                raise invalid(f"the model has no output {name!r}", cure=near_names(name, known))
        return [known[name] for name in (names or known)]

    async def _web(self, call: Call) -> Answer:
        """{"feed": [{"x": [...]}, ...], "fetch": ["price"]}: a row for each of the feed."""
        given = await call.json()
        feed = given.get("feed")
        if not isinstance(feed, list) or not feed or not all(isinstance(x, dict) for x in feed):
            raise invalid("feed is a list of objects, one for each row")
        fetch = given.get("fetch") or []
        if not isinstance(fetch, list) or not all(isinstance(x, str) for x in fetch):
            raise invalid("fetch is a list of names")
        request = Request(fetch_var_names=fetch)
        for var in self.config.feed_var:
            array = stacked_feed([self._row(row, var.alias_name) for row in feed], var)
            request.tensor.append(tensor_of(array, var.name, var.alias_name))
        outputs = await while_connected(self._asked(request), call.receive)
        answer = self._answer(request, outputs)
        (output,) = answer.outputs
        return Answer.of_json(
            {"result": {t.alias_name: array_of(t).tolist() for t in output.tensor}}
        )

    def _row(self, row: Mapping[str, Any], name: str) -> Any:
        if name not in row:
            raise invalid(f"the input {name!r} is missing", cure=near_names(name, row))
        return row[name]


def stacked_feed(rows: list[Any], var: Any) -> np.ndarray:
    """Rows of nested lists as an array of a feed's type and shape. Raises ServingError."""
    if var.feed_type not in TYPES:
        raise invalid(f"{var.alias_name!r} has the element type {var.feed_type}")
    try:
        array = np.array(rows)
        if array.dtype.kind not in "biuf":
            raise ValueError("no numbers")
        return array.astype(TYPES[var.feed_type][0]).reshape(len(rows), *var.shape)
    except (ValueError, OverflowError) as error:
        raise invalid(f"{var.alias_name!r} does not fit {list(var.shape)}: {error}") from None
