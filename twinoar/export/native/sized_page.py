"""What goes with a model for several sizes: its C header, and an ES module that chooses by them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.export.native.header import header, ports_told, shown
from twinoar.export.native.page import METHODS, filled_script, named, types

RUN = """\
  /** The outputs by name, for arrays by the names of the inputs, of one of the sizes. */
  run(feeds) {
    const size = description.workspace_bytes;
    const fits = (port) => feeds[port.name]?.length === elementsIn(port);
    const [end] = Object.entries(description.sizes).find(([, { inputs }]) => inputs.every(fits))
      ?? ["run"]; // which tells what is wrong
    return this.#ran(end, feeds, (given, made) =>
      this.#code[`%NAME%_${end}`](this.#model, given, made, this.#workspace, size));
  }

  /** What is taken and given for each of the sizes. */
  get sizes() {
    return Object.values(description.sizes);
  }
"""
SIZES_TYPE = """\
  /** What is taken and given for each of the sizes, of which `run` takes that of its arrays. */
  readonly sizes: readonly {
    readonly inputs: readonly Port[];
    readonly outputs: readonly Port[];
  }[];
"""
FUNCTION = """
/* As {name}_run, for other sizes:
{ports} */
int32_t {name}_{end}(const {name}_model *model, const void *const *inputs, void *const *outputs,
{space}void *workspace, size_t bytes);
"""


def sized_header(description: Mapping[str, Any], target: str) -> str:
    """The C header: that of the first size, and the functions of others."""
    name: str = description["name"]
    functions, macros = "", ""
    for end, size in list(description["sizes"].items())[1:]:
        rows = [
            row
            for what in ("inputs", "outputs")
            for row in ports_told(what, size, f"{name}_{end}".upper())
        ]
        macros += "".join(f"{macro}\n" for _, macro in rows)
        ports = "\n".join(f"   {text}" for text, _ in rows)
        space = " " * len(f"int32_t {name}_{end}(")
        functions += FUNCTION.format(name=name, end=end, ports=ports, space=space)
    text = header(description, target)
    text = text.replace("\n#ifdef __cplusplus\nextern", f"\n{macros}#ifdef __cplusplus\nextern", 1)
    mark = "\n/* Runs it on inputs that it brings"
    return text.replace(mark, f"{functions}{mark}", 1)


def sized_script(description: Mapping[str, Any]) -> str:
    """The ES module."""
    name = description["name"]
    ports = [p for size in description["sizes"].values() for what in size.values() for p in what]
    before = METHODS[: METHODS.index("  /** The outputs by name")]
    own = {
        "FIRST": "run",
        "INPUTS": ", ".join(shown(p["name"]) for p in description["inputs"]),
        "FIELDS": "",
        "ENTRIES": "Object.entries(description.sizes)",
        "OPENED": "",
        "METHODS": named(before + RUN, name),
    }
    return filled_script(description, ports, own)


def sized_types(description: Mapping[str, Any]) -> str:
    """The declarations of its types."""
    mark = "  /** The outputs for inputs"
    return types(description).replace(mark, f"{SIZES_TYPE}{mark}", 1)
