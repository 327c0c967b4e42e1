"""The C header of a model that trains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.export.native.header import C_TYPES, ports_told, shown

HEADER = """\
/* The training {name}, for {target}, written by twinoar. Link it with nothing else.

{ports}

   The caller gives all memory. A model is opened once, and is the same for all threads; a workspace
   serves one call at a time. A state holds what a training changes: write its bytes to a file to
   keep it. It is a safetensors file of

{states}

   Arrays begin at a multiple of the size of an element, and no output overlaps another array.

     const {name}_model *model;
     int32_t code = {name}_open(&model, {weights});
     if (code == 0) code = {name}_state_init(model, state, {upper}_STATE_BYTES);
     if (code == 0) code = {name}_step(model, state, inputs, outputs, workspace,
                                       {upper}_WORKSPACE_BYTES);
     if (code != 0) puts({name}_error(code));
*/
#ifndef {upper}_H
#define {upper}_H

#include <stddef.h>
#include <stdint.h>

#define {upper}_ALIGNMENT {alignment} /* of a workspace, a state, and weights, in bytes */
#define {upper}_WORKSPACE_BYTES {workspace}
#define {upper}_STATE_BYTES {state}
#define {upper}_VERIFY_BYTES {verify} /* of the workspace that {name}_verify needs */
{sizes}
#ifdef __cplusplus
extern "C" {{
#endif

typedef struct {name}_model {name}_model; /* a model that is open */

/* Opens the model. weights, bytes: {given}. 0, or a code. */
int32_t {name}_open(const {name}_model **model, const void *weights, size_t bytes);

/* Gives a state its first values. 0, or a code. */
int32_t {name}_state_init(const {name}_model *model, void *state, size_t bytes);

/* Runs one step on arrays in row-major order, and changes the state. 0, or a code: then outputs
   mean nothing, and the state is as it was. */
int32_t {name}_step(const {name}_model *model, void *state, const void *const *inputs,
                    void *const *outputs, void *workspace, size_t bytes);
{run}
/* The learning rate in a state{several}. */
double {name}_learning_rate(const void *state);
int32_t {name}_set_learning_rate(void *state, double rate);

/* Runs a step on what it brings, and compares with what Python computed. 0, or a code. */
int32_t {name}_verify(const {name}_model *model, void *workspace, size_t bytes);

size_t {name}_workspace_bytes(void);
size_t {name}_state_bytes(void);
size_t {name}_verify_bytes(void);
const char *{name}_error(int32_t code);   /* what a code means, in English */
const char *{name}_description(void);     /* inputs, outputs, states and sizes as JSON */

#ifdef __cplusplus
}}
#endif
#endif
"""
RUN = """
/* Computes with what a state holds, and leaves it as it is. 0, or a code. */
int32_t {name}_run(const {name}_model *model, const void *state, const void *const *inputs,
                   void *const *outputs, void *workspace, size_t bytes);
"""


def trained_header(description: Mapping[str, Any], target: str) -> str:
    """The header of a model with this description."""
    name: str = description["name"]
    inside = description["weights_inside"]
    ports = [
        row
        for end, entry in description["entries"].items()
        for what in ("inputs", "outputs")
        for row in ports_told(what, entry, f"{name}_{end}".upper(), f"{end}: ")
    ]
    rates = description["learning_rates"]
    return HEADER.format(
        name=name,
        upper=name.upper(),
        target=target,
        ports="\n".join(f"   {text}" for text, _ in ports),
        states="\n".join(f"     {_state(told)}" for told in description["states"]),
        sizes="".join(f"{macro}\n" for _, macro in ports),
        alignment=description["alignment"],
        workspace=description["workspace_bytes"],
        state=description["state_bytes"],
        verify=description["verify_bytes"],
        weights="NULL, 0" if inside else "weights, bytes",
        given="NULL and 0, as they are inside" if inside else f"what is in {name}.weights",
        run=RUN.format(name=name) if "run" in description["entries"] else "",
        several=_rates_told(len(rates)),
    )


def _rates_told(count: int) -> str:
    if count == 1:
        return "; it stays until it is set"
    if count:
        return f": the first of {count}; all are set"
    return ": not a number, as this training has none"


def _state(told: Mapping[str, Any]) -> str:
    shape = ",".join(map(str, told["shape"]))
    kind = C_TYPES.get(told["dtype"], told["dtype"])
    return f"{shown(told['name'])}, {kind} [{shape}], at {told['offset']}"
