"""Run by a Python with `paddle-serving-client` 0.9: asks over HTTP and gRPC; prints JSON.

`python client_of_paddle.py CONFIG HTTP GRPC`, the folder of the config and two addresses.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
from google.protobuf.json_format import MessageToDict
from paddle_serving_client.httpclient import HttpClient


def told(config: str, address: str, **how: bool) -> Any:
    client = HttpClient()
    client.load_client_config(config)
    client.set_http_proto(how.get("proto", True))
    client.set_use_grpc_client(how.get("grpc", False))
    client.connect([address])
    if how.get("gzip"):
        client.set_request_compress(True)
        client.set_response_compress(True)
    x = np.arange(4, dtype="float32")
    answer = client.predict(feed={"x": x}, fetch=["y"], batch=False)
    found = answer if isinstance(answer, dict) else MessageToDict(answer, None, True)
    (tensor,) = found["outputs"][0]["tensor"]
    rows = client.predict(feed={"x": np.ones((300, 4), "float32")}, fetch=["y"], batch=True)
    return [tensor["alias_name"], tensor["shape"], tensor["float_data"], rows is None]


if __name__ == "__main__":
    folder, http_address, grpc_address = sys.argv[1:]
    result = {
        "proto": told(folder, http_address),
        "json": told(folder, http_address, proto=False),
        "gzip": told(folder, http_address, gzip=True),
        "grpc": told(folder, grpc_address, grpc=True),
    }
    print("RESULT" + json.dumps(result))
