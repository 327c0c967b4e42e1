"""The forms of composites that ONNX has as one node, for which runtimes have a kernel of their own.

Calls that do not suit one go in by their bodies: another dtype than runtimes have the kernel for,
another layout, or positions that would come out otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.core.dim import Dim, is_known
from twinoar.core.dtype import float32
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, channels_first, form, is_single

FEW = 1e-5  # of the distance between elements: what rounding moves a position by
TRIED = 1 << 14  # positions at which factors are compared where sizes are not known
SPATIAL = {"nearest": "nearest", "bicubic": "cubic"}  # the others are linear
Attrs = Mapping[str, Any]


def _is_first(attrs: Attrs) -> bool:
    return attrs["data_format"][1] == "C"


# Images of another size.


def _mode(attrs: Attrs, is_nearest: bool) -> str:
    """How positions of results are told."""
    if attrs["align_corners"]:
        return "align_corners"
    return "asymmetric" if is_nearest or attrs["align_mode"] == 1 else "half_pixel"


def _positions(mode: str, count: int, distance: np.float32) -> np.ndarray:
    i = np.arange(count, dtype=np.float32)
    if mode == "half_pixel":
        return (i + np.float32(0.5)) * distance - np.float32(0.5)
    return i * distance


def _there(mode: str, n: int, count: int, factor: float) -> np.ndarray:
    """Where results lie, in elements, as ONNX has it."""
    i = np.arange(count, dtype=np.float32)
    if mode == "align_corners":
        return i * np.float32(n - 1) / np.float32(max(count - 1, 1))
    scale = np.float32(factor) if factor else np.float32(count) / np.float32(n)
    return (i + np.float32(0.5)) / scale - np.float32(0.5) if mode == "half_pixel" else i / scale


def _here(mode: str, kind: str, n: int, count: int, factor: float) -> np.ndarray:
    """Where they lie here; see `interpolate`."""
    if count == 1 and (kind not in ("linear", "trilinear") or mode == "align_corners"):
        distance = np.float32(0.0)
    elif mode == "align_corners":
        distance = np.float32(n - 1) / np.float32(count - 1)
    else:
        distance = np.float32(1.0 / factor) if factor else np.float32(n) / np.float32(count)
    return _positions(mode, count, distance)


def _agrees(kind: str, mode: str, n: Dim, count: Dim, factor: float) -> bool:
    """Whether results are read at the same positions."""
    if not is_known(n, count):
        if not factor or factor < 1.0 or mode == "align_corners":
            return False  # what a size is divided by is not known, or there may be one result
        n, count = TRIED, int(TRIED * factor)
    here, there = _here(mode, kind, n, count, factor), _there(mode, n, count, factor)  # type: ignore[arg-type]
    if kind == "nearest":
        return bool((np.floor(here) == np.floor(there)).all())
    ours, theirs = (np.clip(at, 0, n - 1) for at in (here, there))  # type: ignore[arg-type]
    if kind == "bicubic":
        ours, theirs = here, there
    return bool((np.abs(ours - theirs) <= FEW * np.maximum(1.0, np.abs(theirs))).all())


def _resizes(kind: str) -> Any:
    def suits(operands: Sequence[Any], attrs: Attrs) -> bool:
        mode = _mode(attrs, kind == "nearest")
        if not is_single(operands, attrs) or (kind == "nearest" and mode == "align_corners"):
            return False
        shape = operands[0].spec.shape
        sizes = shape[2:] if _is_first(attrs) else shape[1:-1]
        factors = attrs["scale"] or (0.0,) * len(sizes)
        pairs = zip(sizes, attrs["size"], factors, strict=True)
        return all(_agrees(kind, mode, n, count, factor) for n, count, factor in pairs)

    return suits


def _declare_resizing(kind: str) -> None:
    @form(f"{kind}_interp", suits=_resizes(kind))
    @channels_first
    def _(call: Call) -> None:
        nothing = call.graph.constant(np.zeros(0), float32)
        operands = [call.x[0], "" if call.opset >= 13 else nothing]
        if call.scale:
            operands.append(call.graph.constant([1.0, 1.0, *call.scale], float32))
        else:
            sizes = call.specs[0].shape[:2] + tuple(call.operator.attrs["size"])
            operands += ["" if call.opset >= 13 else nothing, call.graph.shape(sizes)]
        call.gives(
            "Resize",
            operands,
            mode=SPATIAL.get(kind, "linear"),
            coordinate_transformation_mode=_mode(call.operator.attrs, kind == "nearest"),
            nearest_mode="floor" if kind == "nearest" else None,
            cubic_coeff_a=-0.75 if kind == "bicubic" else None,
        )


for kind in ("nearest", "linear", "bilinear", "trilinear", "bicubic"):
    _declare_resizing(kind)


def _samples_linearly(operands: Sequence[Any], attrs: Attrs) -> bool:
    """Images, not volumes; the nearest pixel is another one where two are as near."""
    is_image = len(operands[0].spec.shape) == 4
    return is_single(operands, attrs) and is_image and attrs["mode"] == "bilinear"


@form("grid_sample", since=16, suits=_samples_linearly)
def _(call: Call) -> None:
    call.gives(
        "GridSample",
        call.x,
        mode="linear" if call.opset >= 20 else "bilinear",
        padding_mode=call.padding_mode,
        align_corners=int(call.align_corners),
    )


@form("pixel_shuffle", suits=lambda x, attrs: is_single(x, attrs) and _is_first(attrs))
def _(call: Call) -> None:
    call.gives("DepthToSpace", call.x, blocksize=call.upscale_factor, mode="CRD")


# Normalization.


def _per_channel(call: Call, value: str, default: float) -> str:
    """A number for each channel: that which is given, or all the same."""
    if value:
        return value
    one = call.graph.constant(default, call.specs[0].dtype)
    return call.node("Expand", [one, call.graph.shape([call.specs[0].shape[1]])])


def _has_elements(operands: Sequence[Any], attrs: Attrs) -> bool:
    """Whether there is something to take a mean of, in float32."""
    shape = operands[0].spec.shape
    return is_single(operands, attrs) and len(shape) > 2 and 0 not in shape


@form("instance_norm", suits=_has_elements)
def _(call: Call) -> None:
    x, weight, bias = call.x
    operands = [x, _per_channel(call, weight, 1.0), _per_channel(call, bias, 0.0)]
    call.gives("InstanceNormalization", operands, epsilon=float(call.epsilon))


@form(
    "group_norm",
    since=21,
    suits=lambda x, attrs: _has_elements(x, attrs) and _is_first(attrs),
)
def _(call: Call) -> None:
    x, weight, bias = call.x
    operands = [x, _per_channel(call, weight, 1.0), _per_channel(call, bias, 0.0)]
    call.gives("GroupNormalization", operands, epsilon=float(call.epsilon), num_groups=call.groups)


@form("rms_norm", since=23)
def _(call: Call) -> None:
    x, weight = call.x
    spec, axis = call.specs[0], call.rank - call.operator.attrs["rank"]
    wide = "float64" if spec.dtype.name == "float64" else "float32"
    if not weight:
        one = call.graph.constant(1.0, spec.dtype)
        weight = call.node("Expand", [one, call.graph.shape(spec.shape[axis:])])
    out, factor = call.results
    code = schema.CODE_OF_DTYPE[wide]
    epsilon = float(call.epsilon)
    if out:
        settings = {"axis": axis, "epsilon": epsilon, "stash_type": code}
        call.graph.node("RMSNormalization", [x, weight], [out], **settings)
    if factor:
        large = call.node("Cast", [x], to=code)
        axes = list(range(axis, call.rank))
        square = call.node("Mul", [large, large])
        mean = call.graph.with_axes("ReduceMean", square, axes, 18, keepdims=0)
        shifted = call.node("Add", [mean, call.graph.constant(epsilon, wide)])
        root = call.node("Sqrt", [shifted])
        call.graph.node("Reciprocal", [root], [factor])


# Activations.


@form("selu", suits=is_single)
def _(call: Call) -> None:
    call.gives("Selu", call.x, alpha=float(call.alpha), gamma=float(call.scale))


@form("celu", since=12, suits=is_single)
def _(call: Call) -> None:
    call.gives("Celu", call.x, alpha=float(call.alpha))


@form("prelu", suits=is_single)
def _(call: Call) -> None:
    x, weight = call.x
    rank, count = call.rank, call.specs[1].shape[0]
    sizes: list[Any] = [1] * max(rank, 1)
    if rank > 1:
        sizes[1 if _is_first(call.operator.attrs) else -1] = count
    call.gives("PRelu", [x, call.node("Reshape", [weight, call.ints(sizes if rank else [])])])
