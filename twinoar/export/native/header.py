"""The C header of an exported model."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.export.native import threads
from twinoar.export.native.data import ALIGNMENT
from twinoar.export.native.levels import declared

HEADER = """\
/* The model {name}, for {target}, written by twinoar. Link it with nothing else.

{ports}

   The caller gives all memory. A model is opened once, and is the same for all threads; a workspace
   serves one run at a time. Nothing is allocated, nothing is written but outputs and workspace.
   Arrays begin at a multiple of the size of an element, and no output overlaps another array.

     const {name}_model *model;
     int32_t code = {name}_open(&model, {weights});
     if (code == 0) code = {name}_run(model, inputs, outputs, workspace, {upper}_WORKSPACE_BYTES);
     if (code != 0) puts({name}_error(code));
*/
#ifndef {upper}_H
#define {upper}_H

#include <stddef.h>
#include <stdint.h>

#define {upper}_ALIGNMENT {alignment} /* of a workspace, and of weights, in bytes */
#define {upper}_WORKSPACE_BYTES {workspace}
#define {upper}_VERIFY_BYTES {verify} /* of the workspace that {name}_verify needs */
{sizes}
#ifdef __cplusplus
extern "C" {{
#endif

typedef struct {name}_model {name}_model; /* a model that is open */

/* Opens the model. weights, bytes: {given}. 0, or a code. */
int32_t {name}_open(const {name}_model **model, const void *weights, size_t bytes);

/* Runs it once on arrays in row-major order. 0, or a code: then outputs mean nothing. */
int32_t {name}_run(const {name}_model *model, const void *const *inputs, void *const *outputs,
                   void *workspace, size_t bytes);

/* Runs it on inputs that it brings, and compares with what Python computed. 0, or a code. */
int32_t {name}_verify(const {name}_model *model, void *workspace, size_t bytes);

{threads}size_t {name}_workspace_bytes(void);
size_t {name}_verify_bytes(void);
const char *{name}_error(int32_t code);   /* what a code means, in English */
const char *{name}_description(void);     /* inputs, outputs and sizes as JSON */

#ifdef __cplusplus
}}
#endif
#endif
"""
C_TYPES = {
    "float32": "float", "float64": "double", "bool": "uint8_t (0 or 1)", "uint8": "uint8_t",
    "int8": "int8_t", "int16": "int16_t", "int32": "int32_t", "int64": "int64_t",
    "bfloat16": "uint16_t (the upper half of a float)", "float16": "uint16_t (IEEE half)",
    "complex64": "float (pairs)", "complex128": "double (pairs)",
}  # fmt: skip


def header(description: Mapping[str, Any], target: str) -> str:
    """The header of a model with this description."""
    name: str = description["name"]
    inside = description["weights_inside"]
    ports = [
        row for what in ("inputs", "outputs") for row in ports_told(what, description, name.upper())
    ]
    return HEADER.format(
        name=name,
        upper=name.upper(),
        target=target,
        ports="\n".join(f"   {text}" for text, _ in ports),
        sizes="".join(f"{macro}\n" for _, macro in ports),
        alignment=ALIGNMENT,
        workspace=description["workspace_bytes"],
        verify=description["verify_bytes"],
        weights="NULL, 0" if inside else "weights, bytes",
        threads=threads.declared(description) + declared(description),
        given="NULL and 0, as they are inside" if inside else f"what is in {name}.weights",
    )


def shown(name: str) -> str:
    """A name as a comment may hold it, whatever is in it."""
    if name.isidentifier():
        return name
    return json.dumps(name).replace("*/", "*\\/").replace("/*", "/\\*")


def ports_told(
    what: str, description: Mapping[str, Any], upper: str, before: str = ""
) -> Sequence[tuple[str, str]]:
    """A line about each input or output, after `before`, and the macro of its size."""
    found = []
    for n, port in enumerate(description[what]):
        size = math.prod(port["shape"]) * itemsize(port["dtype"])
        kind = C_TYPES.get(port["dtype"], port["dtype"])
        shape = ",".join(map(str, port["shape"]))
        text = f"{before}{what}[{n}]: {shown(port['name'])}, {kind} [{shape}]"
        found.append((text, f"#define {upper}_{what[:-1].upper()}_{n}_BYTES {size}"))
    return found


def itemsize(dtype: str) -> int:
    """The bytes of an element."""
    return 2 if dtype == "bfloat16" else np.dtype(dtype).itemsize
