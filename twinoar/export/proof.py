"""What the verification of a saved model compared: a file with which it can be repeated."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from twinoar.core.device import to_host
from twinoar.eager.tensor import Tensor
from twinoar.errors import FileError, TwinoarError
from twinoar.export.loaded import LoadedModel
from twinoar.formats.cursor import Bytes
from twinoar.jit.compare import gap
from twinoar.late import dataclass

LARGEST_FILE = 4 << 20  # bytes of samples that are written
SUFFIX = ".verify.npz"


@dataclass
class Sample:
    """Inputs, and the outputs of plain Python for them; None where a random number decides."""

    inputs: list[np.ndarray]
    outputs: list[np.ndarray | None]

    def nbytes(self) -> int:
        """The size of all arrays."""
        return sum(x.nbytes for x in (*self.inputs, *self.outputs) if x is not None)


@dataclass
class Proof:
    """What was compared, by entry point, and what was not.

    unreached: sides of branches and numbers of iterations that no input led to. notes: what else
    the comparison leaves out.
    """

    samples: dict[str, list[Sample]] = field(default_factory=dict)
    unreached: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def __str__(self) -> str:
        counts = ", ".join(f"{name} {len(found)}" for name, found in self.samples.items())
        lines = [f"verified in {self.seconds:.2f} s on inputs: {counts}"]
        lines += [f"  not reached: {text}" for text in self.unreached]
        return "\n".join([*lines, *(f"  note: {text}" for text in self.notes)])

    __repr__ = __str__

    def to_bytes(self) -> bytes:
        """The samples as an `.npz` file, as many of each entry point as its share of it holds."""
        arrays: dict[str, np.ndarray] = {}
        for name, samples in self.samples.items():
            left = LARGEST_FILE // len(self.samples)
            for i, sample in enumerate(samples):
                left -= sample.nbytes()
                if left < 0:
                    break
                arrays |= {f"{name}/{i}/in/{j}": x for j, x in enumerate(sample.inputs)}
                arrays |= {
                    f"{name}/{i}/out/{j}": x for j, x in enumerate(sample.outputs) if x is not None
                }
        file = io.BytesIO()
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # names are no keywords
        return file.getvalue()


def read_samples(data: Bytes, path: str) -> dict[str, list[Sample]]:
    """What `to_bytes` wrote, by entry point. Raises FileError for anything else."""
    found: dict[tuple[str, int], Sample] = {}
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            for key in file.files:
                name, number, side, position = key.split("/")
                sample = found.setdefault((name, int(number)), Sample([], []))
                sides: dict[str, list[Any]] = {"in": sample.inputs, "out": sample.outputs}
                arrays = sides[side]
                if not 0 <= int(position) < len(file.files):
                    raise ValueError(f"there is no array {position}")
                arrays += [None] * (int(position) + 1 - len(arrays))
                arrays[int(position)] = file[key]
        if any(x is None for sample in found.values() for x in sample.inputs):
            raise ValueError("inputs are missing")
    except MemoryError:
        raise
    except Exception as failure:  # damaged archives make zipfile and NumPy raise a dozen kinds
        raise FileError(
            f"{path} is not the file of a verification: {failure}",
            cure="save the model again with verify=True",
        ) from failure
    samples: dict[str, list[Sample]] = {}
    for (name, _), sample in sorted(found.items(), key=lambda item: item[0]):
        samples.setdefault(name, []).append(sample)
    return samples


@dataclass
class Row:
    """One sample, run again. gap: the largest difference, in units of what rounding allows."""

    name: str
    inputs: str
    gap: float
    failure: str = ""

    @property
    def is_same(self) -> bool:
        """True if the model still gives what plain Python gave."""
        return not self.failure and self.gap <= 1

    def __str__(self) -> str:
        verdict = self.failure or ("same" if self.is_same else "DIFFERENT")
        return f"{self.name:<12} {self.inputs:<40} {self.gap:>10.3g}  {verdict}"


def repeat(loaded: LoadedModel, samples: Mapping[str, list[Sample]]) -> Iterator[Row]:
    """Run a loaded model on the inputs of samples, each from the state it has now, and compare."""
    states = [(t, t._data) for t in loaded.tensors]
    for name, found in samples.items():
        if name not in loaded.methods:
            yield Row(name, "", np.inf, "the model has no such method")
            continue
        main = loaded.program(name).main
        for sample in found:
            given = [_typed(x, v) for x, v in zip(sample.inputs, main.inputs, strict=False)]
            wanted = [_typed(x, v) for x, v in zip(sample.outputs, main.outputs, strict=False)]
            yield _row(name, loaded.methods[name], given, wanted)
            for tensor, data in states:
                tensor.take_data(data)


def _row(name: str, method: Callable, given: list[np.ndarray], wanted: list) -> Row:
    shown = shapes(given)
    try:
        out = method(*map(Tensor, given))
    except TwinoarError as error:
        return Row(name, shown, np.inf, f"FAILS: {error.message}")
    found = [to_host(x._data) for x in (out if isinstance(out, list) else [out])]
    gaps = [gap(a, b) for a, b in zip(found, wanted, strict=False) if b is not None]
    return Row(name, shown, max(gaps, default=0.0))


def _typed(array: np.ndarray | None, v: Any) -> Any:
    """An array as it was: NumPy's files know no bfloat16, and keep its bytes alone."""
    if array is None or array.dtype.kind != "V":
        return array
    return array.view(v.spec.dtype.numpy)


def shapes(arrays: Sequence[np.ndarray]) -> str:
    """Dtypes and shapes, in words."""
    return ", ".join(f"{a.dtype.name}{list(a.shape)}" for a in arrays)
