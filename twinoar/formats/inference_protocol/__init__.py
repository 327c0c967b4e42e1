"""The Open Inference Protocol's messages, made at run time, with the configuration of models."""

from __future__ import annotations

from typing import Any

from twinoar.formats.inference_protocol import model_config, service
from twinoar.formats.protobuf import Schema

PACKAGE = "inference"
SERVICE = "inference.GRPCInferenceService"

# Any: the classes are made at run time, so a type checker cannot know their fields.
CLASSES: dict[str, Any] = Schema(
    PACKAGE,
    {**model_config.MESSAGES, **service.MESSAGES},
    model_config.ENUMS,
    maps=(*model_config.MAPS, *service.MAPS),
).classes()
ModelConfig: Any = CLASSES["ModelConfig"]

HEALTH_SERVICE = "grpc.health.v1.Health"
HEALTH_CLASSES: dict[str, Any] = Schema(
    "grpc.health.v1",
    {
        "HealthCheckRequest": ("1 optional string service",),
        "HealthCheckResponse": ("1 optional HealthCheckResponse.ServingStatus status",),
    },
    {
        "HealthCheckResponse.ServingStatus": {
            "UNKNOWN": 0,
            "SERVING": 1,
            "NOT_SERVING": 2,
            "SERVICE_UNKNOWN": 3,
        }
    },
).classes()
