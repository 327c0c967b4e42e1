"""Run by a Python that has `kserve`: talks to a server over both protocols, and prints JSON.

`python client_of_kserve.py HTTP GRPC`, two addresses; the server has the model `double`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import numpy as np
from kserve import InferenceGRPCClient, InferenceRESTClient, InferInput, InferRequest
from kserve.inference_client import RESTConfig


def asked(*, binary: bool) -> InferRequest:
    """A request of two rows."""
    x = np.arange(8, dtype="float32").reshape(2, 4)
    given = InferInput("x", list(x.shape), "FP32")
    given.set_data_from_numpy(x, binary_data=binary)
    return InferRequest(model_name="double", infer_inputs=[given])


async def over_http(address: str) -> dict[str, Any]:
    """What the REST client sees."""
    client, url = InferenceRESTClient(RESTConfig(protocol="v2", retries=1)), f"http://{address}"
    found = {
        "live": await client.is_server_live(url),
        "ready": await client.is_server_ready(url),
        "model ready": await client.is_model_ready(url, "double"),
    }
    for name, binary in (("json", False), ("binary", True)):
        answer = await client.infer(url, asked(binary=binary), model_name="double")
        found[name] = answer.outputs[0].as_numpy().tolist()
    try:
        await client.infer(url, {"inputs": []}, model_name="other")
    except Exception as error:
        found["error"] = str(error)
    await client.close()
    return found


async def over_grpc(address: str) -> dict[str, Any]:
    """What the gRPC client sees."""
    client = InferenceGRPCClient(address)
    found = {
        "live": await client.is_server_live(),
        "ready": await client.is_server_ready(),
        "model ready": await client.is_model_ready("double"),
    }
    for name, binary in (("json", False), ("binary", True)):
        answer = await client.infer(asked(binary=binary))
        found[name] = answer.outputs[0].as_numpy().tolist()
    wrong = asked(binary=True)
    wrong.model_name = "other"
    try:
        await client.infer(wrong)
    except Exception as error:
        found["error"] = str(error)
    await client.close()
    return found


async def main() -> None:
    """Print what both see."""
    http, grpc = sys.argv[1:]
    told = {"http": await over_http(http), "grpc": await over_grpc(grpc)}
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main())
