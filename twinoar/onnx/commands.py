"""What `twinoar export`, `twinoar import` and X2Paddle's command line do with files."""

from __future__ import annotations

from pathlib import Path

from twinoar import static
from twinoar.export.save import is_archive, save
from twinoar.export.translated import load as load_saved
from twinoar.onnx.export import export
from twinoar.onnx.layer import load


def export_saved(prefix: str, output: str, opset: int) -> str:
    """Write the model that was saved with a prefix as an ONNX file; its path."""
    path = output.removesuffix(".onnx")
    export(load_saved(prefix.removesuffix(".pdmodel")), path, opset_version=opset)
    return f"{path}.onnx"


def import_model(model: str, prefix: str, code: str) -> list[str]:
    """Save a model of ONNX or torch.export as a Program and as Python; the files' paths."""
    Path(prefix).parent.mkdir(parents=True, exist_ok=True)
    if is_archive(model):
        save(load_saved(model), prefix)
    else:
        layer = load(model)
        save(layer, prefix, layer.input_spec)
    with static.scope_guard(static.Scope()):
        static.load_inference_model(prefix)[0].to_python(code, values=True, sources=False)
    return [f"{prefix}.pdmodel", f"{prefix}.pdiparams", code]
