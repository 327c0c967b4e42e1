"""What goes with a training as a WebAssembly module: an ES module that trains, and its types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.export.native.header import shown
from twinoar.export.native.page import ARRAYS, fields, filled, filled_script, named

FIELDS = """\
  #state;
"""
OPENED = """
    this.#state = this.#take(description.state_bytes);
    this.reset();"""
METHODS = """
  /** What a step takes and gives, and what a prediction does: name, shape and dtype of each. */
  get entries() {
    return description.entries;
  }

  /** The names, shapes and dtypes of what the state holds. */
  get states() {
    return description.states;
  }

  /** Trains one step; what it gives by name. Throws for other arrays, and then changes nothing. */
  step(feeds) {
    const size = description.workspace_bytes;
    return this.#ran("step", feeds, (given, made) =>
      this.#code.%NAME%_step(this.#model, this.#state, given, made, this.#workspace, size));
  }
%RUN%
  /** The state as it is when no step has run. */
  reset() {
    const size = description.state_bytes;
    this.#check(this.#code.%NAME%_state_init(this.#model, this.#state, size));
  }

  /** What the training has come to: a copy of its bytes, which are a safetensors file. */
  get state() {
    return this.#held().slice();
  }

  /** Goes on from such bytes. Throws for those of another model, and then changes nothing. */
  set state(bytes) {
    const held = this.#held();
    if (bytes.length !== held.length || held.subarray(0, mark).some((b, n) => b !== bytes[n])) {
      throw new Error("this is not a state of %NAME%");
    }
    held.set(bytes);
  }

  /** A copy of one array of the state, by its name. */
  read(name) {
    const found = description.states.find((state) => state.name === name);
    if (!found) throw new Error(`the state has no ${name}`);
    return this.#view({ ...found, at: this.#state + found.offset }).slice();
  }

  /** The learning rate of the next steps. */
  get learningRate() {
    return this.#code.%NAME%_learning_rate(this.#state);
  }

  set learningRate(rate) {
    this.#check(this.#code.%NAME%_set_learning_rate(this.#state, rate));
  }

  #held() {
    const { buffer } = this.#code.memory;
    return new Uint8Array(buffer, this.#state, description.state_bytes);
  }
"""
RUN = """
  /** What is predicted with the state as it is, by name. Throws for other arrays. */
  run(feeds) {
    const size = description.workspace_bytes;
    return this.#ran("run", feeds, (given, made) =>
      this.#code.%NAME%_run(this.#model, this.#state, given, made, this.#workspace, size));
  }
"""
MARK = "const mark = 72; // bytes that tell a state from those of other models\n"

TYPES = """\
// The types of the training %NAME%, written by twinoar.

/** What a step takes, by name. */
export interface StepInputs {
%STEP_INPUTS%
}

/** What a step gives, by name. */
export interface StepOutputs {
%STEP_OUTPUTS%
}
%RUN_TYPES%
export interface Port {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
}

/** An array of the state; offset: in bytes. */
export interface State extends Port {
  readonly offset: number;
}

export interface Entry {
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
}

type Source = string | URL | Response | ArrayBuffer | ArrayBufferView;

export declare class Model {
  private constructor();
  readonly entries: %ENTRIES_TYPE%;
  readonly states: readonly State[];
  /** Trains one step. Throws for other arrays, and then changes nothing. */
  step(feeds: StepInputs): StepOutputs;
%RUN_METHOD%\
  /** The state as it is when no step has run. */
  reset(): void;
  /** What the training has come to: bytes of a safetensors file. Goes on from such bytes. */
  get state(): Uint8Array;
  set state(bytes: Uint8Array);
  /** A copy of one array of the state, by its name. */
  read(name: string): %READ%;
  /** The learning rate of the next steps. */
  learningRate: number;
  /** Runs what the model brings, and throws where Python computed something else. */
  verify(): void;
}

/** The model, from its file beside this one, or from a URL, a Response or bytes. */
export declare function load(source?: Source%WEIGHTS_TYPE%): Promise<Model>;
"""
RUN_TYPES = """
/** What a prediction takes, by name. */
export interface RunInputs {
%RUN_INPUTS%
}

/** What a prediction gives, by name. */
export interface RunOutputs {
%RUN_OUTPUTS%
}
"""
RUN_METHOD = """\
  /** What is predicted with the state as it is. Throws for other arrays. */
  run(feeds: RunInputs): RunOutputs;
"""


def trained_script(description: Mapping[str, Any]) -> str:
    """The ES module of a training."""
    name, entries = description["name"], description["entries"]
    ports = [p for entry in entries.values() for what in entry.values() for p in what]
    run = RUN if "run" in entries else ""
    own = {
        "FIRST": "step",
        "INPUTS": ", ".join(shown(p["name"]) for p in entries["step"]["inputs"]),
        "FIELDS": FIELDS,
        "ENTRIES": "Object.entries(description.entries)",
        "OPENED": OPENED,
        "METHODS": named(METHODS.replace("%RUN%", run), name),
    }
    text = filled_script(description, [*ports, *description["states"]], own)
    return text.replace("\nconst alignment", f"\n{MARK}const alignment", 1)


def trained_types(description: Mapping[str, Any]) -> str:
    """The declarations of its types."""
    entries = description["entries"]
    pieces = {f"{end}_{what}".upper(): fields(entries[end][what]) for end in entries
              for what in ("inputs", "outputs")}  # fmt: skip
    predicts = "run" in entries
    pieces |= {
        "RUN_TYPES": filled(RUN_TYPES, pieces) if predicts else "",
        "RUN_METHOD": RUN_METHOD if predicts else "",
        "ENTRIES_TYPE": "{ " + "; ".join(f"readonly {end}: Entry" for end in entries) + " }",
        "READ": _arrays_of(description),
        "WEIGHTS_TYPE": "" if description["weights_inside"] else ", weights?: Source",
    }
    return filled(named(TYPES, description["name"]), pieces)


def _arrays_of(description: Mapping[str, Any]) -> str:
    """The type of an array of the state."""
    return " | ".join(sorted({ARRAYS[s["dtype"]] for s in description["states"]}))
