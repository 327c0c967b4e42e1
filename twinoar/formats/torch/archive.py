"""Reading the archives of `torch.save`: a zip of a pickle and of the bytes of storages.

The pickle is read by the reader that cannot act. It refers to storages by number, and says of each
tensor where in one it lies; what else it may name is listed here.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np

from twinoar.errors import FileError, TwinoarError
from twinoar.formats.paddle.pickle_forms import ORDERED, Form, UnsafeForm, ordered_dict
from twinoar.formats.paddle.unpickling import Forms, read_pickle
from twinoar.late import dataclass

HEAD = b"PK\x03\x04"  # of a zip
PICKLE = "/data.pkl"
MAX_RANK = 32
# What the module zipfile raises where a zip is damaged.
DAMAGE = (EOFError, NotImplementedError, OSError, OverflowError, RuntimeError, ValueError)
STORAGES: dict[str, Any] = {
    "Float": np.float32,
    "Double": np.float64,
    "Half": np.float16,
    "BFloat16": ml_dtypes.bfloat16,
    "Long": np.int64,
    "Int": np.int32,
    "Short": np.int16,
    "Char": np.int8,
    "Byte": np.uint8,
    "Bool": np.bool_,
    "ComplexFloat": np.complex64,
    "ComplexDouble": np.complex128,
    "Float8_e4m3fn": ml_dtypes.float8_e4m3fn,
    "Float8_e5m2": ml_dtypes.float8_e5m2,
}
TENSOR, OLD_TENSOR, PARAMETER = Form("tensor"), Form("old tensor"), Form("parameter")
SIZE = Form("size")
ELEMENTS = {Form(f"{name} storage"): np.dtype(dtype) for name, dtype in STORAGES.items()}


@dataclass(frozen=True)
class Storage:
    """The elements of a storage, which tensors share."""

    elements: np.ndarray


def read_archive(data: bytes, path: str) -> object:
    """What `torch.save` wrote, with arrays in place of tensors and parameters.

    path: for messages. Raises UnsafeFileError where a real loader would run code, by the name of
    what it would run; FileError for what is damaged, or no such archive.

    >>> import io, zipfile
    >>> file = io.BytesIO()
    >>> with zipfile.ZipFile(file, "w") as archive:
    ...     archive.writestr("net/data.pkl", bytes([128, 2]) + b"]K" + bytes([7]) + b"a.")
    >>> read_archive(file.getvalue(), "net.pth")
    [7]
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _Archive(archive, path).read()
    except TwinoarError:
        raise
    except (zipfile.BadZipFile, *DAMAGE) as error:
        raise FileError(f"{path}: damaged archive: {error}") from error


class _Archive:
    """One archive, and the storages that were read of it."""

    def __init__(self, archive: zipfile.ZipFile, path: str):
        self.archive, self.path = archive, path
        self.storages: dict[str, Storage] = {}
        names = [i.filename for i in archive.infolist() if i.filename.endswith(PICKLE)]
        if len(names) != 1:
            raise FileError(
                f"{path}: expected an archive of torch.save, with one file {PICKLE[1:]}",
                cure="give a file that torch.save has written",
            )
        self.folder = names[0].removesuffix(PICKLE)

    def read(self) -> object:
        """The object in it."""
        order = self.folder + "/byteorder"
        if order in self.archive.namelist() and self.bytes_of("byteorder") != b"little":
            raise FileError(f"{self.path}: its numbers are big-endian, which is not read")
        forms = Forms(NAMES, BUILDERS, self.storage)
        return read_pickle(self.bytes_of("data.pkl"), self.path, forms)

    def bytes_of(self, name: str) -> bytes:
        """The contents of a file, which must lie in the archive as they are."""
        try:
            found = self.archive.getinfo(f"{self.folder}/{name}")
        except KeyError:
            raise FileError(f"{self.path}: the archive has no file {name}") from None
        if found.compress_type != zipfile.ZIP_STORED:
            raise FileError(f"{self.path}: {name} is compressed, which torch does not do")
        return self.archive.read(found)

    def storage(self, reference: object) -> Storage:
        """The storage of a reference: its element type, number, place and count of elements."""
        if type(reference) is not tuple or len(reference) != 5 or reference[0] != "storage":
            raise ValueError("expected a reference to a storage")
        _, kind, key, _, count = reference
        if kind not in ELEMENTS or not isinstance(key, str) or type(count) is not int:
            raise ValueError("expected the type, number and size of a storage")
        if key not in self.storages:
            data, dtype = self.bytes_of(f"data/{key}"), ELEMENTS[kind]
            if len(data) != count * dtype.itemsize:
                raise ValueError(f"storage {key} has {len(data)} bytes for {count} elements")
            self.storages[key] = Storage(np.frombuffer(data, dtype))
        found = self.storages[key]
        if found.elements.dtype != ELEMENTS[kind] or found.elements.size != count:
            raise ValueError("expected one element type and size for a storage")
        return found


def tensor_of(arguments: tuple) -> np.ndarray:
    """The array of a tensor: a storage, where it begins, sizes and steps, in elements."""
    if len(arguments) < 4 or not isinstance(arguments[0], Storage):
        raise ValueError("expected a storage, an offset, sizes and strides")
    storage, offset, sizes, steps = arguments[0].elements, *arguments[1:4]
    if not (_are_counts((offset,)) and _are_counts(sizes) and _are_counts(steps)):
        raise ValueError("expected an offset, sizes and strides that are not negative")
    if len(sizes) != len(steps) or len(sizes) > MAX_RANK:
        raise ValueError("expected as many strides as sizes")
    if 0 in sizes:
        return np.empty(sizes, storage.dtype)
    last = offset + sum((n - 1) * step for n, step in zip(sizes, steps, strict=True))
    if last >= storage.size:
        raise ValueError(f"a tensor ends at {last} in a storage of {storage.size} elements")
    strides = [step * storage.itemsize for step in steps]
    plain = storage[offset:].view(f"V{storage.itemsize}")  # NumPy has no steps of all types
    shown = np.lib.stride_tricks.as_strided(plain, sizes, strides, writeable=False)
    if shown.nbytes > storage.nbytes + MOST_REPEATED:
        raise ValueError("a tensor repeats its elements too often")
    return np.array(shown).view(storage.dtype)


MOST_REPEATED = 1 << 24  # bytes that expanded tensors may have beyond those of their storage


def _are_counts(numbers: object) -> bool:
    return isinstance(numbers, Sequence) and all(
        type(n) is int and 0 <= n < 1 << 62 for n in numbers
    )


def _parameter(arguments: tuple) -> np.ndarray:
    if not arguments or not isinstance(arguments[0], np.ndarray):
        raise ValueError("expected the tensor of a parameter")
    return arguments[0]


def _size(arguments: tuple) -> tuple:
    if len(arguments) != 1 or not _are_counts(arguments[0]):
        raise ValueError("expected sizes")
    return tuple(arguments[0])


def _no_storage(arguments: tuple) -> object:
    raise UnsafeForm("the file asks for a storage to be made")


NAMES = {
    "collections.OrderedDict": ORDERED,
    "torch._utils._rebuild_tensor_v2": TENSOR,
    "torch._utils._rebuild_tensor": OLD_TENSOR,
    "torch._utils._rebuild_parameter": PARAMETER,
    "torch.Size": SIZE,
    **{f"torch.{form.name.replace(' storage', 'Storage')}": form for form in ELEMENTS},
}
BUILDERS: dict[Form, Callable[[tuple], object]] = {
    ORDERED: ordered_dict,
    TENSOR: tensor_of,
    OLD_TENSOR: tensor_of,
    PARAMETER: _parameter,
    SIZE: _size,
    **dict.fromkeys(ELEMENTS, _no_storage),
}
