"""Run by a Python that has `tritonclient`: talks to a server and prints what it found, as JSON.

`python client_of_triton.py HTTP GRPC`, two addresses; the server has the model `double`.
"""

from __future__ import annotations

import json
import sys
import uuid
from typing import Any

import numpy as np
import tritonclient.grpc as over_grpc
import tritonclient.http as over_http
from tritonclient.grpc import model_config_pb2, service_pb2
from tritonclient.utils import InferenceServerException, shared_memory


def told(module: Any, address: str) -> dict[str, Any]:
    """What a client of one protocol sees."""
    client = module.InferenceServerClient(address)
    as_json = {} if module is over_http else {"as_json": True}
    metadata = client.get_model_metadata("double", **as_json)
    x = np.arange(8, dtype="float32").reshape(2, 4)
    name = metadata["outputs"][0]["name"]
    given = module.InferInput("x", x.shape, "FP32")
    given.set_data_from_numpy(x)
    found = {
        "live": client.is_server_live(),
        "ready": client.is_server_ready(),
        "model ready": client.is_model_ready("double"),
        "server": client.get_server_metadata(**as_json)["name"],
        "config": client.get_model_config("double", **as_json),
        "infer": client.infer("double", [given]).as_numpy(name).tolist(),
        "index": client.get_model_repository_index(**as_json),
    }
    asked = [module.InferRequestedOutput(name, class_count=1)]
    classes = client.infer("double", [given], outputs=asked, priority=1, timeout=5_000_000)
    found["classes"] = [x.decode() for x in classes.as_numpy(name).reshape(-1)]
    found["memory"] = in_memory(module, client, x, name, as_json)
    client.unload_model("double")
    try:
        client.infer("double", [given])
    except Exception as error:
        found["error"] = f"{type(error).__name__} {error}"
    client.load_model("double", config=json.dumps({"max_batch_size": 4, "dynamic_batching": {}}))
    client.load_model("double")
    statistics = client.get_inference_statistics("double", **as_json)
    found["statistics"] = statistics["model_stats"][0]["name"]
    if module is over_http:
        found |= only_http(client, given, x, name)
    else:
        found |= only_grpc(client, given, name)
    return found


def in_memory(module: Any, client: Any, x: np.ndarray, name: str, as_json: Any) -> dict[str, Any]:
    """The same, with tensors in a region of shared memory, and what is said of regions."""
    size = x.nbytes
    key = f"/twinoar_{uuid.uuid4().hex}"
    region = shared_memory.create_shared_memory_region("region", key, 2 * size)
    found: dict[str, Any] = {}
    try:
        shared_memory.set_shared_memory_region(region, [x])
        client.register_system_shared_memory("region", key, 2 * size)
        status = client.get_system_shared_memory_status(**as_json)
        listed = status["regions"].values() if as_json else status
        found["status"] = [[one["name"], int(one["byte_size"])] for one in listed]
        given = module.InferInput("x", x.shape, "FP32")
        given.set_shared_memory("region", size)
        output = module.InferRequestedOutput(name)
        output.set_shared_memory("region", size, offset=size)
        answer = client.infer("double", [given], outputs=[output])
        told = answer.get_output(name)
        shape = list(told["shape"] if isinstance(told, dict) else told.shape)
        found["y"] = shared_memory.get_contents_as_numpy(region, x.dtype, shape, size).tolist()
        output.set_shared_memory("region", size - 1, offset=size)
        for what in ("small", "unknown"):
            try:
                client.infer("double", [given], outputs=[output])
            except InferenceServerException as error:
                found[what] = str(error)
            client.unregister_system_shared_memory("region")
        left = client.get_system_shared_memory_status(**as_json)
        found["left"] = list(left.get("regions", {}) if as_json else left)
    finally:
        shared_memory.destroy_shared_memory_region(region)
    return found


def only_http(client: Any, given: Any, x: np.ndarray, name: str) -> dict[str, Any]:
    given.set_data_from_numpy(x, binary_data=False)
    outputs = [over_http.InferRequestedOutput(name, binary_data=False)]
    answer = client.infer(
        "double", [given], outputs=outputs,
        request_compression_algorithm="gzip", response_compression_algorithm="deflate",
    )  # fmt: skip
    later = client.async_infer("double", [given])
    return {
        "json": answer.as_numpy(name).tolist(),
        "later": later.get_result().as_numpy(name).tolist(),
    }


def only_grpc(client: Any, given: Any, name: str) -> dict[str, Any]:
    answers: list[Any] = []
    client.start_stream(lambda result, error: answers.append((result, error)))
    for number in range(3):
        client.async_stream_infer("double", [given], request_id=str(number))
    client.stop_stream()
    return {
        "stream": [result.get_response().id for result, error in answers if error is None],
        "descriptors": {
            m.full_name.removeprefix("inference."): [[f.number, f.name, f.type] for f in m.fields]
            for file in (service_pb2, model_config_pb2)
            for m in file.DESCRIPTOR.message_types_by_name.values()
        },
    }


if __name__ == "__main__":
    http_address, grpc_address = sys.argv[1:]
    result = {"http": told(over_http, http_address), "grpc": told(over_grpc, grpc_address)}
    json.dump(result, sys.stdout)
