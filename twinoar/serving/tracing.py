"""Traces by OpenTelemetry: a span for each request, and below it where its time went.

A request that names its parent (`traceparent` of W3C) goes on with that trace. Where nobody asked
for traces, nothing of OpenTelemetry is loaded, and requests carry no stages.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from twinoar import version
from twinoar.errors import UnsupportedError
from twinoar.serving.request import Stages

SERVICE = "twinoar"
WRONG = 500  # codes of HTTP from which on the server is at fault


@dataclass(slots=True)
class Traced:
    """A request while it is under way. stages: filled by those through whose hands it goes."""

    span: Any
    stages: Stages


class Tracing:
    """Makes spans. exporter: who gets them. rate: the share of requests that begin a trace.

    A request whose parent is recorded is recorded. at_once: spans leave when they end, as tests
    want it, and not in batches. Raises UnsupportedError without the packages.
    """

    def __init__(self, exporter: Any, rate: float = 1.0, *, at_once: bool = False):
        trace, export, sampling, resources, context, self._api = _packages()
        told = {"service.name": SERVICE, "service.version": version.__version__}
        # The usual variables, as OTEL_SERVICE_NAME, have the last word.
        resource = resources.Resource(told).merge(resources.OTELResourceDetector().detect())
        sampler = sampling.ParentBased(sampling.TraceIdRatioBased(rate))
        self._provider = trace.TracerProvider(sampler=sampler, resource=resource)
        kind = export.SimpleSpanProcessor if at_once else export.BatchSpanProcessor
        self._provider.add_span_processor(kind(exporter))
        self._tracer = self._provider.get_tracer("twinoar.serving")
        self._parents = context.TraceContextTextMapPropagator()

    def begin(self, name: str, headers: Mapping[str, str], **attributes: Any) -> Traced | None:
        """A span for a request that begins now; None for one that is not recorded."""
        parent = self._parents.extract(headers)
        kind = self._api.SpanKind.SERVER
        span = self._tracer.start_span(name, parent, kind, attributes)
        return Traced(span, []) if span.is_recording() else None

    def end(self, traced: Traced, *, failed: str = "", **attributes: Any) -> None:
        """End a request's span, with those of its stages below. failed: why, where it did."""
        below = self._api.set_span_in_context(traced.span)
        shift = time.time() - time.monotonic()
        for stage in traced.stages:
            start = int((stage.start + shift) * 1e9)
            span = self._tracer.start_span(
                stage.name, below, attributes=stage.attributes, start_time=start
            )
            span.end(int((stage.end + shift) * 1e9))
        traced.span.set_attributes(attributes)
        if failed:
            traced.span.set_status(self._api.Status(self._api.StatusCode.ERROR, failed))
        traced.span.end()

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()


def to_collector(endpoint: str, rate: float = 1.0) -> Tracing:
    """Traces to a collector by OTLP over HTTP, as to "http://localhost:4318/v1/traces"."""
    try:
        module = import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    except ImportError as error:
        raise _missing("opentelemetry-exporter-otlp-proto-http") from error
    return Tracing(module.OTLPSpanExporter(endpoint=endpoint), rate)


def identity_of(traced: Traced | None) -> dict[str, str]:
    """The trace's number for a line of the log, nothing where there is none."""
    if traced is None:
        return {}
    return {"trace_id": f"{traced.span.get_span_context().trace_id:032x}"}


def _packages() -> tuple[Any, ...]:
    try:
        return (
            import_module("opentelemetry.sdk.trace"),
            import_module("opentelemetry.sdk.trace.export"),
            import_module("opentelemetry.sdk.trace.sampling"),
            import_module("opentelemetry.sdk.resources"),
            import_module("opentelemetry.trace.propagation.tracecontext"),
            import_module("opentelemetry.trace"),
        )
    except ImportError as error:
        raise _missing("opentelemetry-sdk") from error


def _missing(package: str) -> UnsupportedError:
    return UnsupportedError(
        f"traces need {package}, which is not installed", cure="pip install 'twinoar[tracing]'"
    )
