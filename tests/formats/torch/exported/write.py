"""Write the archives that test_exported.py reads: `python write.py`, with torch 2.13.

Each model is exported as the code is written and, after `run_decompositions()`, in core ATen.
Beside the archives stand the inputs and what torch computes of them. Paths are cut to files' names.
"""

from __future__ import annotations

import copy
import io
import re
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import models
import numpy as np
import torch

HERE = Path(__file__).parent
PATH = re.compile(rb'File \\"[^"]*/')
FORMS: dict[str, Callable] = {"code": lambda e: e, "core": lambda e: e.run_decompositions()}


def plain(archive: bytes) -> bytes:
    """An archive without the paths of a machine and the sample inputs."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith("models/model.json"):
                data = PATH.sub(rb'File \\"', data)
            if "sample_inputs" not in name:
                new.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data)
    return out.getvalue()


def main() -> None:
    with zipfile.ZipFile(HERE / "models.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for name, (model, inputs, sizes) in models.MODELS.items():
            with torch.no_grad():
                results = copy.deepcopy(model)(*inputs)  # the export begins with unchanged buffers
            results = results if isinstance(results, (list, tuple)) else [results]
            for form, change in FORMS.items():
                exported = change(torch.export.export(model, tuple(inputs), dynamic_shapes=sizes))
                with tempfile.TemporaryDirectory() as folder:
                    torch.export.save(exported, f"{folder}/m.pt2")
                    written = plain(Path(f"{folder}/m.pt2").read_bytes())
                add(out, f"{name}.{form}.pt2", written)
            add(out, f"{name}.in.npz", arrays_of(inputs))
            add(out, f"{name}.out.npz", arrays_of(results))
            if hasattr(model, "gradients"):
                add(out, f"{name}.gradients.npz", arrays_of((), model.gradients(*inputs)))
            print(name, flush=True)


def arrays_of(tensors: Sequence, named: dict | None = None) -> bytes:
    held = io.BytesIO()
    by_name = {name: x.numpy() for name, x in (named or {}).items()}
    np.savez(held, *(x.detach().numpy() for x in tensors), **by_name)
    return held.getvalue()


def add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
