"""The messages of Paddle Serving: a model's inputs and outputs, requests and answers.

Source: https://github.com/PaddlePaddle/Serving/tree/develop/core, the files
`configure/proto/general_model_config.proto` and `general-server/proto/general_model_service.proto`
"""

from __future__ import annotations

from typing import Any

from twinoar.formats.protobuf import Schema

SERVICE = "baidu.paddle_serving.predictor.general_model.GeneralModelService"

_CONFIG = Schema(
    "baidu.paddle_serving.configure",
    {
        "FeedVar": (
            "1 optional string name",
            "2 optional string alias_name",
            "3 optional bool is_lod_tensor",
            "4 optional int32 feed_type",
            "5 repeated int32 shape",
        ),
        "FetchVar": (
            "1 optional string name",
            "2 optional string alias_name",
            "3 optional bool is_lod_tensor",
            "4 optional int32 fetch_type",
            "5 repeated int32 shape",
        ),
        "GeneralModelConfig": ("1 repeated FeedVar feed_var", "2 repeated FetchVar fetch_var"),
    },
    {},
).classes()

_SERVICE = Schema(
    "baidu.paddle_serving.predictor.general_model",
    {
        "Tensor": (
            "1 repeated|packed int64 int64_data",
            "2 repeated|packed float float_data",
            "3 repeated|packed int32 int_data",
            "4 repeated|packed double float64_data",
            "5 repeated|packed uint32 uint32_data",
            "6 repeated|packed bool bool_data",
            "7 repeated|packed float complex64_data",
            "8 repeated|packed double complex128_data",
            "9 repeated string data",
            "10 optional int32 elem_type",
            "11 repeated|packed int32 shape",
            "12 repeated|packed int32 lod",
            "13 optional string name",
            "14 optional string alias_name",
            "15 optional bytes tensor_content",
        ),
        "Request": (
            "1 repeated Tensor tensor",
            "2 repeated string fetch_var_names",
            "3 optional bool profile_server",
            "4 optional uint64 log_id",
        ),
        "Response": (
            "1 repeated ModelOutput outputs",
            "2 repeated|packed int64 profile_time",
            "3 optional bool profile_server",
            "4 optional uint64 log_id",
            "5 optional int32 err_no",
            "6 optional string err_msg",
        ),
        "ModelOutput": ("1 repeated Tensor tensor", "2 optional string engine_name"),
    },
    {},
).classes()

# Any: the classes are made at run time, so a type checker cannot know their fields.
GeneralModelConfig: Any = _CONFIG["GeneralModelConfig"]
Tensor: Any = _SERVICE["Tensor"]
Request: Any = _SERVICE["Request"]
Response: Any = _SERVICE["Response"]
