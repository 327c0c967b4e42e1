"""Calls of operators on other devices than the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.device import CPU, Buffer, Data, Device, backend_of, device_of_all, to_host
from twinoar.core.op.definition import Op
from twinoar.core.op.explain import describe
from twinoar.core.tree import flatten
from twinoar.errors import DeviceError, TwinoarError


def moved(data: Data, device: Device) -> Data:
    """The elements on a device: what was given where they lie there, else a copy."""
    if isinstance(data, Buffer):
        if data.device == device:
            return data
        if data.device.kind == device.kind:
            return backend_of(device.kind).copy(data, device)
        data = to_host(data)
    return data if device == CPU else backend_of(device.kind).copy_in(data, device)


def next_of(old: Data, new: Data) -> Data:
    """What follows `old` as the data of one tensor: `new`, lying as `old` does on its device."""
    if not isinstance(old, Buffer) or not isinstance(new, Buffer) or old.device != new.device:
        return new
    found: Data = backend_of(old.device.kind).next_of(old, new)
    return found


def on_device(
    op: Op, operands: tuple, arrays: list[Any], attrs: dict[str, Any], chosen: Device
) -> Any:
    """What a call gives on the device of its operands; None where that is the CPU.

    arrays: the data of the operands, with literals between. chosen: the device of new values, which
    is asked where there is no operand, or a key alone. Raises DeviceError for operands on different
    devices; numbers of the CPU and arrays of NumPy's go where they are used.
    """
    if "anywhere" in op.rules:
        return None
    try:
        device = device_of_all(arrays, "operands")
        if device == CPU:
            if not _makes(op, arrays):
                return None
            device = chosen
        given = set(map(id, flatten(operands)[0]))  # not held by a tensor
        for n, x in enumerate(arrays):
            if not isinstance(x, np.ndarray) or not x.ndim:
                continue
            if id(x) in given:
                arrays[n] = moved(x, device)
            elif backend_of(device.kind).is_of_processes:  # each has it
                continue
            elif not _is_key(op, arrays, x):
                raise DeviceError(f"operands lie on {CPU} and {device}")
        out = backend_of(device.kind).call(op, arrays, attrs, device)
    except TwinoarError as error:
        raise error.attach(op.name, describe(op, operands)) from None
    return out[0] if len(out) == 1 else out


def _makes(op: Op, arrays: list[Any]) -> bool:
    """True for an operator that makes values of nothing, or of a key."""
    return all(_is_key(op, arrays, x) for x in arrays if isinstance(x, np.ndarray))


def _is_key(op: Op, arrays: list[Any], x: Any) -> bool:
    """True for the operand that random numbers are drawn with."""
    names = [operand.name for operand in op.operands]
    return "key" in names and arrays[names.index("key")] is x
