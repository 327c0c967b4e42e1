"""What `twinoar export --target` does with its arguments."""

from __future__ import annotations

import argparse
from typing import Any

from twinoar.errors import ArgumentError
from twinoar.export.native.sizes import export_sizes
from twinoar.export.native.targets import KINDS, Kind
from twinoar.export.native.training import export_training
from twinoar.export.native.writing import export

ALONE: dict[str, Kind] = {"wasm32": "wasm", "c": "c"}  # what these targets are written as


def add_native_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of a native library."""
    native = parser.add_argument_group("with --target")
    native.add_argument("--kind", choices=KINDS, help="shared without, wasm for wasm32, c for c")
    native.add_argument("-o", "--output", metavar="FOLDER", default=".", help="here without")
    native.add_argument("--name", help="of the functions, the prefix's last part without")
    native.add_argument(
        "--shape",
        action="append",
        default=[],
        metavar="INPUT=SIZES",
        help="numbers for the sizes that an input leaves open, such as x=1,3,224,224; once more "
        "for the same input: the library serves that size, too",
    )
    native.add_argument(
        "--weights", choices=("inside", "beside"), default="inside", help="beside: NAME.weights"
    )
    native.add_argument(
        "--portable-bits", action="store_true", help="equal bits on all targets; slower"
    )
    native.add_argument(
        "--threads", type=int, default=1, help="at most so many run parts of kernels; 1 without"
    )
    native.add_argument(
        "--training",
        action="store_true",
        help="the prefix is a training Program of static.save, of which a step is written",
    )
    native.add_argument(
        "--fetch", action="append", metavar="NAME", help="what a step returns: the loss's name"
    )
    native.add_argument(
        "--predict", metavar="PREFIX", help="a saved model that predicts with what is trained"
    )


def export_native(given: argparse.Namespace) -> list[str]:
    """Write the library of a saved model or training; the files' paths."""
    kind: Kind = given.kind or ALONE.get(given.target, "shared")
    if not given.training and (given.fetch or given.predict):
        raise ArgumentError("--fetch and --predict are for a training", cure="say --training, too")
    prefix = given.prefix.removesuffix(".pdmodel")
    sizes = _sizes(list(map(_shape, given.shape)))
    options: dict[str, Any] = {
        "target": given.target,
        "kind": kind,
        "name": given.name,
        "shapes": sizes[0],
        "weights": given.weights,
        "portable_bits": given.portable_bits,
    }
    if given.training:
        if given.threads != 1:
            raise ArgumentError("a training runs in one thread", cure="leave out --threads")
        if len(sizes) > 1:
            raise ArgumentError(
                "a training has one size of batches", cure="export it once for each"
            )
        options |= {"fetch": given.fetch, "predict": given.predict}
        return export_training(prefix, given.output, **options)
    if len(sizes) == 1:
        return export(prefix, given.output, threads=given.threads, **options)
    if given.threads != 1:
        raise ArgumentError("several sizes run in one thread", cure="leave out --threads")
    return export_sizes(prefix, given.output, **options | {"shapes": sizes})


def _sizes(shapes: list[tuple[str, list[int]]]) -> list[dict[str, list[int]]]:
    """A set of shapes for each time that an input is named; one named once is in all sets."""
    by_name: dict[str, list[list[int]]] = {}
    for name, shape in shapes:
        by_name.setdefault(name, []).append(shape)
    count = max(map(len, by_name.values()), default=1)
    for name, given in by_name.items():
        if len(given) not in (1, count):
            raise ArgumentError(
                f"{name} has {len(given)} shapes, and another input {count}",
                cure="give each input a --shape for each size, or one for all",
            )
    return [{n: given[k % len(given)] for n, given in by_name.items()} for k in range(count)]


def _shape(text: str) -> tuple[str, list[int]]:
    """A pair as INPUT=SIZES says it."""
    name, equals, sizes = text.partition("=")
    try:
        if equals:
            return name, [int(n) for n in sizes.split(",") if n]
    except ValueError:
        pass
    raise ArgumentError(
        f"expected INPUT=SIZES such as x=1,3,224,224, received {text!r}", cure="separate by commas"
    )
