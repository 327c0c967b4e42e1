"""`twinoar serve`: the options of the server, named as those of Triton where it has them."""

from __future__ import annotations

import argparse
import ipaddress
import logging
import sys
from multiprocessing.connection import Connection

from twinoar.errors import ServingError, TwinoarError
from twinoar.serving.agreement import Agreement, SharedControl
from twinoar.serving.configuration import Defaults
from twinoar.serving.control import Change
from twinoar.serving.processes import CANNOT_START, Processes, listen
from twinoar.serving.repository import Repository
from twinoar.serving.server import Certificate, Ports, Server, start_logs
from twinoar.serving.shared_memory import Regions
from twinoar.serving.state import Limits, State, read_keys
from twinoar.serving.tracing import Tracing, to_collector

LOG = logging.getLogger("twinoar.serving")
UNFINISHED = 3
MODES = ("none", "explicit", "poll")


def boolean(text: str) -> bool:
    """The truth value that an option names."""
    known = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if text.lower() not in known:
        raise argparse.ArgumentTypeError(f"expected true or false, received {text!r}")
    return known[text.lower()]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options to a parser."""
    add = parser.add_argument
    add("folders", nargs="*", help="folders of models: NAME/VERSION/model.pdmodel and its like")
    add("--model-repository", action="append", default=[], metavar="FOLDER", help="as FOLDERS")
    add(
        "--model-control-mode",
        choices=MODES,
        default="none",
        help="load all models (none), those named or asked for (explicit), what changes (poll)",
    )
    add(
        "--load-model",
        action="append",
        default=[],
        metavar="NAME",
        help="with explicit: a model to begin with, * for all",
    )
    add("--repository-poll-secs", type=float, default=15.0, metavar="SECONDS")
    add(
        "--exit-on-error",
        type=boolean,
        default=True,
        metavar="BOOL",
        help="do not start where a model cannot be loaded",
    )
    add(
        "--strict-readiness",
        type=boolean,
        default=True,
        metavar="BOOL",
        help="not ready while a model could not be loaded",
    )
    add("--host", default="127.0.0.1", help="the address to listen at, 0.0.0.0 for all")
    for what, port in (("http", 8000), ("grpc", 8001), ("metrics", 8002)):
        add(f"--{what}-port", type=int, default=port, metavar="PORT")
        add(f"--allow-{what}", type=boolean, default=True, metavar="BOOL")
    add(
        "--max-batch-size",
        type=int,
        default=8,
        metavar="ROWS",
        help="of models without a config.pbtxt, where rows are computed apart",
    )
    add(
        "--max-queue-delay-us",
        type=float,
        default=0.0,
        metavar="US",
        help="how long requests of such models wait for others",
    )
    add(
        "--max-queue-size",
        type=int,
        default=1000,
        metavar="REQUESTS",
        help="the most that wait for a model whose config does not say; 0 for any number",
    )
    add("--threads", type=int, default=0, help="of each run of a model, 0 for all cores")
    add(
        "--processes",
        type=int,
        default=1,
        metavar="COUNT",
        help="that serve the same ports; one that dies is begun again",
    )
    add("--max-body-bytes", type=int, default=64 << 20, metavar="BYTES")
    add("--read-timeout", type=float, default=30.0, metavar="SECONDS", help="for a body to come")
    add("--max-connections", type=int, default=4096, metavar="COUNT")
    add(
        "--rate-limit",
        type=float,
        default=0.0,
        metavar="RATE",
        help="requests a second of each client, 0 for any",
    )
    add("--api-key-file", metavar="FILE", help="keys of clients, one a line")
    add("--tls-certificate", metavar="FILE", help="in PEM, for HTTP and gRPC")
    add("--tls-key", metavar="FILE", help="the certificate's private key")
    add("--tls-client-authority", metavar="FILE", help="clients need a certificate of this one")
    add(
        "--exit-timeout-secs",
        type=float,
        default=30.0,
        metavar="SECONDS",
        help="how long requests may take to finish when the server ends",
    )
    add("--allow-python", action="store_true", help="run model.py of the repository, if trusted")
    add(
        "--allow-shared-memory",
        type=boolean,
        default=None,
        metavar="BOOL",
        help="clients may give tensors in shared memory of this machine; where nothing is said, if "
        "the server listens to this machine alone",
    )
    add("--trace-endpoint", metavar="URL", help="send traces there by OTLP over HTTP")
    add(
        "--trace-rate",
        type=float,
        default=1.0,
        metavar="SHARE",
        help="of requests that are traced, those of a trace that goes on beside",
    )
    add("--log-requests", action="store_true", help="a line of JSON for each request")  # fmt: skip


def serve(options: argparse.Namespace) -> int:
    """Run the server; 0, 1 where it cannot start, 3 where requests were not finished at the end."""
    start_logs(access=options.log_requests)
    try:
        if options.processes < 1:
            raise ServingError(f"--processes is at least 1, not {options.processes}")
        if options.processes > 1:
            return Processes(options, one_of_several, Agreement(_standing(options))).run()
        server = made(options)
        _load(server.state, options)
        return 0 if server.run() else UNFINISHED
    except TwinoarError as error:
        print(f"twinoar: {error.message}", file=sys.stderr)
        if error.cure:
            print(f"  cure: {error.cure}", file=sys.stderr)
        return CANNOT_START


def one_of_several(options: argparse.Namespace, pipe: Connection) -> int:
    """Run one server of several, until the pipe of who began it is gone."""
    start_logs(access=options.log_requests)
    try:
        server = made(options, shared=True)
        state = server.state
        control = state.control = SharedControl(state.repository, state.regions, pipe)
        listen(pipe, control, server.stop)
        _load(state, options)
        control.begin()
        return 0 if server.run() else UNFINISHED
    except TwinoarError as error:
        LOG.error("%s", error.message, extra={"cure": error.cure})
        return CANNOT_START


def _standing(options: argparse.Namespace) -> list[Change]:
    """What several processes begin with, as far as clients may change it."""
    if options.model_control_mode != "explicit":
        return []
    repository = Repository(*_folders(options))
    return [Change("load", name) for name in _names(repository, options)]


def _folders(options: argparse.Namespace) -> list[str]:
    folders = [*options.folders, *options.model_repository]
    if not folders:
        raise ServingError("no folder of models is named", cure="twinoar serve models/")
    return folders


def _names(repository: Repository, options: argparse.Namespace) -> list[str]:
    """The models to begin with."""
    if options.model_control_mode == "explicit" and "*" not in options.load_model:
        return list(options.load_model)
    return repository.names()


def made(options: argparse.Namespace, *, shared: bool = False) -> Server:
    """The server that options ask for, without its models. Raises FileError, ServingError.

    shared: whether other processes serve the same.
    """
    folders = _folders(options)
    if bool(options.tls_certificate) != bool(options.tls_key):
        raise ServingError("TLS needs both --tls-certificate and --tls-key")
    defaults = Defaults(
        options.max_batch_size,
        options.max_queue_delay_us * 1e-6,
        options.max_queue_size,
        options.threads,
    )
    certificate = None
    if options.tls_certificate:
        files = options.tls_certificate, options.tls_key, options.tls_client_authority
        certificate = Certificate(*files)
    allowed = options.allow_shared_memory
    if allowed is None:
        allowed = _is_local(options.host)
    state = State(
        Repository(*folders, defaults=defaults, python=options.allow_python, shared=shared),
        Limits(options.max_body_bytes, options.read_timeout, options.rate_limit),
        read_keys(options.api_key_file) if options.api_key_file else frozenset(),
        options.strict_readiness,
        explicit=options.model_control_mode == "explicit",
        tracing=_tracing(options),
        regions=Regions(options.max_body_bytes) if allowed else None,
    )
    open_ports = {
        what: getattr(options, f"{what}_port") if getattr(options, f"allow_{what}") else None
        for what in ("http", "grpc", "metrics")
    }
    polls = options.model_control_mode == "poll"
    return Server(
        state,
        Ports(options.host, **open_ports),
        certificate,
        options.exit_timeout_secs,
        options.repository_poll_secs if polls else 0.0,
        options.max_connections,
        reuse_port=getattr(options, "reuse_port", False),
    )


def _tracing(options: argparse.Namespace) -> Tracing | None:
    if not 0 <= options.trace_rate <= 1:
        raise ServingError(f"--trace-rate is from 0 to 1, not {options.trace_rate:g}")
    if not options.trace_endpoint:
        return None
    return to_collector(options.trace_endpoint, options.trace_rate)


def _is_local(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _load(state: State, options: argparse.Namespace) -> None:
    """Load the models to begin with; pipelines last, as they need the others.

    One of several processes has what stands among them, memory that clients registered too.
    """
    standing: list[Change] | None = getattr(options, "standing", None)
    changes: dict[str, Change] = {}
    if not state.explicit:
        names = state.repository.names()
    elif standing is None:
        names = _names(state.repository, options)
    else:
        changes = {change.name: change for change in standing if change.kind == "load"}
        names = list(changes)
    configs = {name: change.config for name, change in changes.items()}
    for name in state.repository.in_order(names, configs):
        change = changes.get(name) or Change("load", name)
        _begin_with(state, change, options.exit_on_error)
    for change in standing or ():
        if change.kind == "register":
            _begin_with(state, change, False)  # its client may have gone


def _begin_with(state: State, change: Change, needed: bool) -> None:
    try:
        state.control.ready(change).commit()
    except ServingError as error:
        if needed:
            raise
        LOG.error("%s", error.message)
