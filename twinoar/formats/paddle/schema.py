"""The protobuf messages of a `.pdmodel` file: Paddle's framework.proto, made at import time.

The messages live in a descriptor pool of their own, so they do not clash with those of the real
Paddle in the same process. This module knows the messages and checks them; what a program means is
not its concern.
"""

from __future__ import annotations

from typing import Any

from twinoar.errors import FileError
from twinoar.formats.cursor import Bytes
from twinoar.formats.protobuf import Schema, parse
from twinoar.formats.protobuf import serialize as serialize  # for those who write these messages

PACKAGE = "paddle.framework.proto"

# The numbers of VarType.Type: element types, by NumPy's names, and kinds of variables.
CODE_OF_DTYPE = {
    "bool": 0,
    "int16": 1,
    "int32": 2,
    "int64": 3,
    "float16": 4,
    "float32": 5,
    "float64": 6,
    "uint8": 20,
    "int8": 21,
    "bfloat16": 22,
    "complex64": 23,
    "complex128": 24,
    "float8_e4m3fn": 32,
    "float8_e5m2": 33,
    "uint16": 36,
    "uint32": 37,
    "uint64": 38,
}
CODE_OF_KIND = {
    "DENSE_TENSOR": 7,
    "SELECTED_ROWS": 8,
    "FEED_MINIBATCH": 9,
    "FETCH_LIST": 10,
    "STEP_SCOPES": 11,
    "LOD_RANK_TABLE": 12,
    "DENSE_TENSOR_ARRAY": 13,
    "PLACE_LIST": 14,
    "READER": 15,
    "RAW": 17,
    "TUPLE": 18,
    "SIZE_T": 19,
    "STRING": 25,
    "STRINGS": 26,
    "VOCAB": 27,
    "FEED_LIST": 28,
    "PSTRING": 29,
    "SPARSE_COO": 30,
    "SPARSE_CSR": 31,
}
CODE_OF_ATTRIBUTE = {
    "INT": 0,
    "FLOAT": 1,
    "STRING": 2,
    "INTS": 3,
    "FLOATS": 4,
    "STRINGS": 5,
    "BOOLEAN": 6,
    "BOOLEANS": 7,
    "BLOCK": 8,
    "LONG": 9,
    "BLOCKS": 10,
    "LONGS": 11,
    "FLOAT64S": 12,
    "VAR": 13,
    "VARS": 14,
    "FLOAT64": 15,
    "SCALAR": 16,
    "SCALARS": 17,
}
CODE_OF_SCALAR = {"BOOLEAN": 1, "LONG": 2, "FLOAT64": 3, "COMPLEX128": 4}

DTYPE_OF_CODE = {code: name for name, code in CODE_OF_DTYPE.items()}
KIND_OF_CODE = {code: name for name, code in CODE_OF_KIND.items()}
ATTRIBUTE_OF_CODE = {code: name for name, code in CODE_OF_ATTRIBUTE.items()}
SCALAR_OF_CODE = {code: name for name, code in CODE_OF_SCALAR.items()}

ENUMS = {
    "AttrType": CODE_OF_ATTRIBUTE,
    # The element types need names that no kind has: an enum's values share one namespace.
    "VarType.Type": {
        **{f"DTYPE_{name.upper()}": code for name, code in CODE_OF_DTYPE.items()},
        **CODE_OF_KIND,
    },
    "Scalar.Type": CODE_OF_SCALAR,
}

# Message: fields as "number label type name"; types of other messages begin with a capital.
MESSAGES = {
    "Version": ("1 optional int64 version",),
    "OpVersion": ("1 required int32 version",),
    "OpVersionMap.OpVersionPair": ("1 required string op_name", "2 required OpVersion op_version"),
    "OpVersionMap": ("1 repeated OpVersionMap.OpVersionPair pair",),
    "Complex": ("1 required double r", "2 required double i"),
    "Scalar": (
        "1 required Scalar.Type type",
        "2 optional bool b",
        "3 optional int64 i",
        "4 optional double r",
        "5 optional Complex c",
    ),
    "VarType.TensorDesc": ("1 required VarType.Type data_type", "2 repeated int64 dims"),
    "VarType.DenseTensorDesc": (
        "1 required VarType.TensorDesc tensor",
        "2 optional int32 legacy_lod_level",
    ),
    "VarType.DenseTensorArrayDesc": (
        "1 required VarType.TensorDesc tensor",
        "2 optional int32 legacy_lod_level",
    ),
    "VarType.ReaderDesc": ("1 repeated VarType.DenseTensorDesc dense_tensor",),
    "VarType.Tuple": ("1 repeated VarType.Type element_type",),
    "VarType": (
        "1 required VarType.Type type",
        "2 optional VarType.TensorDesc selected_rows",
        "3 optional VarType.DenseTensorDesc dense_tensor",
        "4 optional VarType.DenseTensorArrayDesc tensor_array",
        "5 optional VarType.ReaderDesc reader",
        "7 optional VarType.Tuple tuple",
        "8 optional VarType.TensorDesc string",
        "9 optional VarType.TensorDesc strings",
        "10 optional VarType.TensorDesc vocab",
        "11 optional VarType.TensorDesc sparse_coo",
        "12 optional VarType.TensorDesc sparse_csr",
    ),
    "VarDesc.Attr": (
        "1 required string name",
        "2 required AttrType type",
        "3 optional int32 i",
        "4 optional string s",
        "5 repeated int32 ints",
    ),
    "VarDesc": (
        "1 required string name",
        "2 required VarType type",
        "3 optional bool persistable",
        "4 optional bool need_check_feed",
        "5 optional bool is_parameter",
        "6 optional bool stop_gradient",
        "7 repeated VarDesc.Attr attrs",
    ),
    "OpDesc.Attr": (
        "1 required string name",
        "2 required AttrType type",
        "3 optional int32 i",
        "4 optional float f",
        "5 optional string s",
        "6 repeated int32 ints",
        "7 repeated float floats",
        "8 repeated string strings",
        "10 optional bool b",
        "11 repeated bool bools",
        "12 optional int32 block_idx",
        "13 optional int64 l",
        "14 repeated int32 blocks_idx",
        "15 repeated int64 longs",
        "16 repeated double float64s",
        "17 optional string var_name",
        "18 repeated string vars_name",
        "19 optional double float64",
        "20 optional Scalar scalar",
        "21 repeated Scalar scalars",
    ),
    "OpDesc.Var": ("1 required string parameter", "2 repeated string arguments"),
    "OpDesc": (
        "1 repeated OpDesc.Var inputs",
        "2 repeated OpDesc.Var outputs",
        "3 required string type",
        "4 repeated OpDesc.Attr attrs",
        "5 optional bool is_target",
    ),
    "BlockDesc": (
        "1 required int32 idx",
        "2 required int32 parent_idx",
        "3 repeated VarDesc vars",
        "4 repeated OpDesc ops",
        "5 optional int32 forward_block_idx",
    ),
    "ProgramDesc": (
        "1 repeated BlockDesc blocks",
        "4 optional Version version",
        "5 optional OpVersionMap op_version_map",
    ),
}
DEFAULTS = {("BlockDesc", "forward_block_idx"): "-1"}


# Attributes hold compilers' output and source lines, which are not always UTF-8.
_CLASSES = Schema(PACKAGE, MESSAGES, ENUMS, DEFAULTS, any_text=("OpDesc.Attr",)).classes()

# Any: the classes are made at run time, so a type checker cannot know their fields.
ProgramDesc: Any = _CLASSES["ProgramDesc"]
BlockDesc: Any = _CLASSES["BlockDesc"]
OpDesc: Any = _CLASSES["OpDesc"]
VarDesc: Any = _CLASSES["VarDesc"]
VarType: Any = _CLASSES["VarType"]
TensorDesc: Any = _CLASSES["VarType.TensorDesc"]
Scalar: Any = _CLASSES["Scalar"]
OpVersionMap: Any = _CLASSES["OpVersionMap"]


def read_program(data: Bytes, path: str) -> Any:
    """The ProgramDesc in the bytes of a `.pdmodel` file, with its blocks checked.

    `path` is for the messages. Raises FileError if the bytes are something else, or blocks refer to
    blocks that do not exist or to each other in a circle.
    """
    program = parse(ProgramDesc, data, path)
    if not program.blocks:
        raise FileError(f"{path}: expected a program, received one without blocks")
    for index, block in enumerate(program.blocks):
        _check_block(block, index, len(program.blocks), path)
    _check_ancestors(program.blocks, path)
    return program


def _check_block(block: Any, index: int, count: int, path: str) -> None:
    place = f"{path}: block {index} of {count}"
    if block.idx != index:
        raise FileError(f"{place} says that it is block {block.idx}")
    if not -1 <= block.parent_idx < count or (block.parent_idx == -1) != (index == 0):
        raise FileError(f"{place} has the parent {block.parent_idx}")
    if not -1 <= block.forward_block_idx < count:
        raise FileError(f"{place} has the forward block {block.forward_block_idx}")
    for operator in block.ops:
        for attr in operator.attrs:
            used = [attr.block_idx] if attr.HasField("block_idx") else list(attr.blocks_idx)
            if any(not 0 <= number < count for number in used):
                raise FileError(
                    f"{place}: attribute {attr.name} of {operator.type} names blocks {used}"
                )


def _check_ancestors(blocks: Any, path: str) -> None:
    """Every chain of parents ends at the root."""
    rooted = {0}
    for block in blocks:
        chain: set[int] = set()
        ancestor = block
        while ancestor.idx not in rooted:
            if ancestor.idx in chain:
                raise FileError(f"{path}: block {block.idx} is its own ancestor")
            chain.add(ancestor.idx)
            ancestor = blocks[ancestor.parent_idx]
        rooted |= chain
