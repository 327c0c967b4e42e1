"""What goes with a WebAssembly module: an ES module that runs it, its types, an npm package."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from twinoar.export.native.header import shown

# The array of JavaScript for each dtype; of complex numbers pairs, of 16-bit floats the bits.
ARRAYS = {
    "float32": "Float32Array", "float64": "Float64Array", "bool": "Uint8Array",
    "uint8": "Uint8Array", "int8": "Int8Array", "int16": "Int16Array", "int32": "Int32Array",
    "int64": "BigInt64Array", "float16": "Uint16Array", "bfloat16": "Uint16Array",
    "complex64": "Float32Array", "complex128": "Float64Array",
}  # fmt: skip
PAIRS = ("complex64", "complex128")

SCRIPT = """\
// The model %NAME%, written by twinoar: `const model = await load(); model.%FIRST%({ %INPUTS% })`.
// It runs in pages, workers and Node, and needs nothing else.

const description = %DESCRIPTION%;
const arrays = %ARRAYS%;
const pairs = new Set(%PAIRS%);
const alignment = description.alignment;

/** The model, from its file beside this one, or from a URL, a Response or bytes. */
export async function load(source = new URL("./%NAME%.wasm", import.meta.url)%WEIGHTS_PARAMETER%) {
  const { instance } = await WebAssembly.instantiate(await bytesOf(source), {});
  return new Model(instance.exports%WEIGHTS_GIVEN%);
}

async function bytesOf(source) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  if (typeof Response !== "undefined" && source instanceof Response) return answered(source);
  const url = new URL(source, import.meta.url);
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  return answered(await fetch(url));
}

async function answered(response) {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/** A model that is loaded; its memory serves one run at a time. */
export class Model {
  #code;
  #end;
  #model = 0;
  #workspace;
  #places;
%FIELDS%
  constructor(code%WEIGHTS_ARGUMENT%) {
    this.#code = code;
    this.#end = code.__heap_base.value;
    this.#workspace = this.#take(description.workspace_bytes);
    const placed = (port) => ({ ...port, at: this.#take(bytesIn(port)) });
    const table = (entry) => {
      const inputs = entry.inputs.map(placed), outputs = entry.outputs.map(placed);
      return { inputs, outputs, given: this.#table(inputs), made: this.#table(outputs) };
    };
    this.#places = Object.fromEntries(%ENTRIES%.map(([end, entry]) => [end, table(entry)]));
    const to = this.#take(4);
%WEIGHTS_OPENED%
    this.#model = new DataView(code.memory.buffer).getUint32(to, true);%OPENED%
  }
%METHODS%
  /** Runs what the model brings, and throws where Python computed something else. */
  verify() {
    const size = description.verify_bytes;
    const before = this.#end;
    const memory = this.#take(size);
    this.#end = before;
    this.#check(this.#code.%NAME%_verify(this.#model, memory, size));
  }

  #ran(end, feeds, call) {
    const { inputs, outputs, given, made } = this.#places[end];
    for (const name of Object.keys(feeds)) {
      if (!inputs.some((port) => port.name === name)) throw new Error(`there is no input ${name}`);
    }
    for (const port of inputs) this.#view(port).set(checked(feeds[port.name], port));
    this.#check(call(given, made));
    return Object.fromEntries(outputs.map((port) => [port.name, this.#view(port).slice()]));
  }

  #take(size) {
    const at = Math.ceil(this.#end / alignment) * alignment;
    this.#end = at + size;
    const { memory } = this.#code;
    const lacking = Math.ceil((this.#end - memory.buffer.byteLength) / 65536);
    if (lacking > 0) memory.grow(lacking);
    return at;
  }

  #table(ports) {
    const at = this.#take(4 * Math.max(1, ports.length));
    new Uint32Array(this.#code.memory.buffer, at).set(ports.map((port) => port.at));
    return at;
  }

  #view(port) {
    const kind = globalThis[arrays[port.dtype]];
    return new kind(this.#code.memory.buffer, port.at, elementsIn(port));
  }

  #check(code) {
    if (code === 0) return;
    const bytes = new Uint8Array(this.#code.memory.buffer, this.#code.%NAME%_error(code));
    throw new Error(new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0))));
  }
}

function elementsIn(port) {
  return port.shape.reduce((count, size) => count * size, pairs.has(port.dtype) ? 2 : 1);
}

function bytesIn(port) {
  return elementsIn(port) * globalThis[arrays[port.dtype]].BYTES_PER_ELEMENT;
}

function checked(array, port) {
  const kind = arrays[port.dtype];
  const count = elementsIn(port);
  if (!(array instanceof globalThis[kind]) || array.length !== count) {
    const given = array === undefined ? "nothing" : `${array?.constructor?.name} ${array?.length}`;
    throw new TypeError(`${port.name} is a ${kind} of ${count} elements, received ${given}`);
  }
  return array;
}
"""
METHODS = """
  /** What the model takes: name, shape and dtype of each. */
  get inputs() {
    return description.inputs;
  }

  /** What it gives. */
  get outputs() {
    return description.outputs;
  }

  /** The outputs by name, for arrays by the names of the inputs. Throws for others. */
  run(feeds) {
    const size = description.workspace_bytes;
    return this.#ran("run", feeds, (given, made) =>
      this.#code.%NAME%_run(this.#model, given, made, this.#workspace, size));
  }
"""
OPENED_INSIDE = "    this.#check(code.%NAME%_open(to, 0, 0));"
OPENED_BESIDE = """\
    const at = this.#take(weights.byteLength);
    new Uint8Array(code.memory.buffer, at, weights.byteLength).set(
      new Uint8Array(weights.buffer ?? weights, weights.byteOffset ?? 0, weights.byteLength),
    );
    this.#check(code.%NAME%_open(to, at, weights.byteLength));"""

TYPES = """\
// The types of the model %NAME%, written by twinoar.

/** What the model takes, by name. */
export interface Inputs {
%INPUT_TYPES%
}

/** What it gives, by name. */
export interface Outputs {
%OUTPUT_TYPES%
}

export interface Port {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
}

type Source = string | URL | Response | ArrayBuffer | ArrayBufferView;

export declare class Model {
  private constructor();
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  /** The outputs for inputs in row-major order. Throws for others. */
  run(feeds: Inputs): Outputs;
  /** Runs what the model brings, and throws where Python computed something else. */
  verify(): void;
}

/** The model, from its file beside this one, or from a URL, a Response or bytes. */
export declare function load(source?: Source%WEIGHTS_TYPE%): Promise<Model>;
"""


def script(description: Mapping[str, Any]) -> str:
    """The ES module."""
    name = description["name"]
    ports = (*description["inputs"], *description["outputs"])
    own = {
        "FIRST": "run",
        "INPUTS": ", ".join(shown(p["name"]) for p in description["inputs"]),
        "FIELDS": "",
        "ENTRIES": '[["run", description]]',
        "OPENED": "",
        "METHODS": named(METHODS, name),
    }
    return filled_script(description, ports, own)


def filled_script(
    description: Mapping[str, Any], ports: Sequence[Mapping[str, Any]], own: Mapping[str, str]
) -> str:
    """The ES module of a model with these ports; own: what it has of its own."""
    inside, name = description["weights_inside"], description["name"]
    weights = ', weights = new URL("./%NAME%.weights", import.meta.url)'
    used = {p["dtype"] for p in ports}
    pieces = {
        **own,
        "WEIGHTS_PARAMETER": "" if inside else named(weights, name),
        "WEIGHTS_GIVEN": "" if inside else ", await bytesOf(weights)",
        "WEIGHTS_ARGUMENT": "" if inside else ", weights",
        "WEIGHTS_OPENED": named(OPENED_INSIDE if inside else OPENED_BESIDE, name),
        "DESCRIPTION": json.dumps(description, indent=2),
        "ARRAYS": json.dumps({dtype: ARRAYS[dtype] for dtype in sorted(used)}),
        "PAIRS": json.dumps([d for d in PAIRS if d in used]),
    }
    return filled(named(SCRIPT, name), pieces)


def types(description: Mapping[str, Any]) -> str:
    """The declarations of its types."""
    pieces = {
        "INPUT_TYPES": fields(description["inputs"]),
        "OUTPUT_TYPES": fields(description["outputs"]),
        "WEIGHTS_TYPE": "" if description["weights_inside"] else ", weights?: Source",
    }
    return filled(named(TYPES, description["name"]), pieces)


def package(description: Mapping[str, Any]) -> str:
    """The package.json."""
    name: str = description["name"]
    files = [f"{name}.wasm", f"{name}.js", f"{name}.d.ts"]
    if not description["weights_inside"]:
        files.append(f"{name}.weights")
    told = {
        "name": name.lower().strip("_") or "model",
        "version": "1.0.0",
        "description": f"The model {name} as WebAssembly",
        "type": "module",
        "main": f"./{name}.js",
        "types": f"./{name}.d.ts",
        "exports": {
            ".": {"types": f"./{name}.d.ts", "default": f"./{name}.js"},
            f"./{name}.wasm": f"./{name}.wasm",
        },
        "files": files,
        "sideEffects": False,
    }
    return json.dumps(told, indent=2) + "\n"


def fields(ports: Sequence[Mapping[str, Any]]) -> str:
    """A field of an interface for each input or output."""
    lines = []
    for port in ports:
        shape = ",".join(map(str, port["shape"]))
        about = f"/** {port['dtype']} [{shape}] */"
        lines.append(f"  {about}\n  {json.dumps(port['name'])}: {ARRAYS[port['dtype']]};")
    return "\n".join(lines)


def named(template: str, name: str) -> str:
    """The template with the name of the model."""
    return template.replace("%NAME%", name)


def filled(template: str, pieces: Mapping[str, str]) -> str:
    """The template with pieces, in which nothing is filled in: names of inputs may be anything."""
    return re.sub(r"%([A-Z_]+)%", lambda found: pieces[found[1]], template)
