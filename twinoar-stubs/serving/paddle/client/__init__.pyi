"""`paddle_serving_client`: asks a server, and converts models for it."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.serving.paddle.client
from typing import Any, Literal, overload

import numpy as _numpy

class Client:
    """Asks a server of Paddle Serving's protocol over HTTP; not for several threads at once."""
    def __init__(self) -> None: ...
    def load_client_config(self, model_config_path_list: builtins.str | collections.abc.Sequence[builtins.str]) -> None:
        """Read the config of a model: the folder that `convert` wrote for clients, or its file."""
    def connect(self, endpoints: builtins.str | collections.abc.Sequence[builtins.str], encryption: builtins.bool = False) -> None:
        """Name the servers, each as 'host:port'; several are asked in turns."""
    def set_rpc_timeout_ms(self, rpc_timeout: Any) -> None:
        """How long an answer may take, in milliseconds."""
    def get_feed_names(self) -> builtins.list[builtins.str]:
        """The names of the inputs."""
    def get_fetch_names(self) -> builtins.list[builtins.str]:
        """The names of the outputs."""
    def predict(self, feed: collections.abc.Mapping[builtins.str, Any] | collections.abc.Sequence[collections.abc.Mapping[builtins.str, Any]], fetch: builtins.str | collections.abc.Sequence[builtins.str] | None = None, batch: builtins.bool = False, need_variant_tag: builtins.bool = False, log_id: Any = 0) -> Any:
        """The outputs that are named by `fetch`, or all, as arrays by name."""
    def release(self) -> None:
        """Forget the servers."""
class HttpClient(twinoar.serving.paddle.client.Client):
    """Asks over HTTP in protobuf or JSON, or over gRPC; `predict` gives the answer as it comes."""
    def __init__(self, ip: builtins.str = '127.0.0.1', port: Any = '9393', service_name: builtins.str = ...) -> None: ...
    def set_http_proto(self, http_proto: builtins.bool) -> None:
        """Ask in protobuf, or in JSON."""
    def set_use_grpc_client(self, use_grpc_client: builtins.bool) -> None:
        """Ask over gRPC, at the port that is connected, or over HTTP."""
    def set_request_compress(self, try_request_gzip: builtins.bool) -> None:
        """Compress what is sent, or not."""
    def set_response_compress(self, try_response_gzip: builtins.bool) -> None:
        """Accepted: answers come as they are."""
    def set_timeout_ms(self, timeout_ms: Any) -> None:
        """How long an answer may take, in milliseconds."""
    def add_http_headers(self, headers: collections.abc.Mapping[builtins.str, builtins.str]) -> None:
        """Send these headers too, such as a key."""
    def predict(self, feed: collections.abc.Mapping[builtins.str, Any] | collections.abc.Sequence[collections.abc.Mapping[builtins.str, Any]], fetch: builtins.str | collections.abc.Sequence[builtins.str] | None = None, batch: builtins.bool = False, need_variant_tag: builtins.bool = False, log_id: Any = 0) -> Any:
        """The answer: a Response of protobuf, or what its JSON says, a dictionary."""
def inference_model_to_serving(dirname: builtins.str, serving_server: builtins.str = 'serving_server', serving_client: builtins.str = 'serving_client', model_filename: builtins.str | None = None, params_filename: builtins.str | None = None, encryption: builtins.bool = False, key_len: Any = 128, encrypt_conf: Any = None, show_proto: builtins.bool = False, feed_alias_names: builtins.str | None = None, fetch_alias_names: builtins.str | None = None) -> builtins.tuple[builtins.list[builtins.str], builtins.list[builtins.str]]:
    """Write folders for a server and for clients; the names of inputs and outputs."""
