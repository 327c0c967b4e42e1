"""The protobuf messages of an ONNX model, made at import time.

Source: https://github.com/onnx/onnx/blob/main/docs/IR.md
"""

from __future__ import annotations

from typing import Any

from twinoar.formats.protobuf import Schema

PACKAGE = "twinoar.formats.onnx"

CODE_OF_DTYPE = {
    "float32": 1,
    "uint8": 2,
    "int8": 3,
    "uint16": 4,
    "int16": 5,
    "int32": 6,
    "int64": 7,
    "bool": 9,
    "float16": 10,
    "float64": 11,
    "uint32": 12,
    "uint64": 13,
    "complex64": 14,
    "complex128": 15,
    "bfloat16": 16,
    "float8_e4m3fn": 17,
    "float8_e5m2": 19,
}
DTYPE_OF_CODE = {code: name for name, code in CODE_OF_DTYPE.items()}
CODE_OF_ATTRIBUTE = {
    "FLOAT": 1,
    "INT": 2,
    "STRING": 3,
    "TENSOR": 4,
    "GRAPH": 5,
    "FLOATS": 6,
    "INTS": 7,
    "STRINGS": 8,
    "TENSORS": 9,
}
ATTRIBUTE_OF_CODE = {code: name for name, code in CODE_OF_ATTRIBUTE.items()}
FIELD_OF_ATTRIBUTE = {
    "FLOAT": "f",
    "INT": "i",
    "STRING": "s",
    "TENSOR": "t",
    "GRAPH": "g",
    "FLOATS": "floats",
    "INTS": "ints",
    "STRINGS": "strings",
    "TENSORS": "tensors",
}
# The version of the layout with which each version of the operators began.
LAYOUT_OF_OPSET = {
    11: 6, 12: 7, 13: 7, 14: 7, 15: 8, 16: 8, 17: 8, 18: 8, 19: 9, 20: 9, 21: 10, 22: 10, 23: 11,
    24: 12, 25: 13, 26: 13, 27: 13, 28: 14,
}  # fmt: skip

MESSAGES = {
    "Entry": ("1 optional string key", "2 optional string value"),
    "Opset": ("1 optional string domain", "2 optional int64 version"),
    "Tensor": (
        "1 repeated|packed int64 dims",
        "2 optional int32 data_type",
        "4 repeated|packed float float_data",
        "5 repeated|packed int32 int32_data",
        "6 repeated bytes string_data",
        "7 repeated|packed int64 int64_data",
        "8 optional string name",
        "9 optional bytes raw_data",
        "10 repeated|packed double double_data",
        "11 repeated|packed uint64 uint64_data",
        "13 repeated Entry external_data",
        "14 optional int32 data_location",
    ),
    "Dimension": ("1 optional int64 dim_value", "2 optional string dim_param"),
    "Shape": ("1 repeated Dimension dim",),
    "TensorType": ("1 optional int32 elem_type", "2 optional Shape shape"),
    "Type": ("1 optional TensorType tensor_type",),
    "Value": ("1 optional string name", "2 optional Type type"),
    "Attribute": (
        "1 optional string name",
        "2 optional float f",
        "3 optional int64 i",
        "4 optional bytes s",
        "5 optional Tensor t",
        "6 optional Graph g",
        "7 repeated|packed float floats",
        "8 repeated|packed int64 ints",
        "9 repeated bytes strings",
        "10 repeated Tensor tensors",
        "11 repeated Graph graphs",
        "20 optional int32 type",
        "21 optional string ref_attr_name",
    ),
    "Node": (
        "1 repeated string input",
        "2 repeated string output",
        "3 optional string name",
        "4 optional string op_type",
        "5 repeated Attribute attribute",
        "6 optional string doc_string",
        "7 optional string domain",
    ),
    "Function": (
        "1 optional string name",
        "4 repeated string input",
        "5 repeated string output",
        "6 repeated string attribute",
        "7 repeated Node node",
        "9 repeated Opset opset_import",
        "10 optional string domain",
        "11 repeated Attribute attribute_proto",
    ),
    "Graph": (
        "1 repeated Node node",
        "2 optional string name",
        "5 repeated Tensor initializer",
        "11 repeated Value input",
        "12 repeated Value output",
    ),
    "Model": (
        "1 optional int64 ir_version",
        "2 optional string producer_name",
        "3 optional string producer_version",
        "7 optional Graph graph",
        "8 repeated Opset opset_import",
        "25 repeated Function functions",
    ),
}

_CLASSES = Schema(PACKAGE, MESSAGES, {}).classes()

# Any: the classes are made at run time, so a type checker cannot know their fields.
Model: Any = _CLASSES["Model"]
Graph: Any = _CLASSES["Graph"]
Tensor: Any = _CLASSES["Tensor"]
