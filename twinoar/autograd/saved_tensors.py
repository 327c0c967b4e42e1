"""Hooks on what eager operators keep for their gradients: to keep it elsewhere, or smaller."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.core.interpreter import current, eager, under, using
from twinoar.core.policy import UNRECORDED
from twinoar.eager.tape import Node, Packed, Result
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError


class saved_tensors_hooks:
    """Within the block, what backward will need is kept as `pack_hook(tensor)` returns it.

    unpack_hook: makes the tensor of it again, when backward asks for it. Both run without a record.
    Tensors that a PyLayer saves pass through them too. Raises TypeMismatchError for what is no
    function, ArgumentError for a block within another, ProgramError where a Program is built.

    >>> x = twinoar.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> with twinoar.autograd.saved_tensors_hooks(lambda x: x.numpy(), twinoar.to_tensor):
    ...     y = twinoar.exp(x)
    >>> y.sum().backward()
    >>> bool((x.grad == y).all())
    True
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]):
        for name, hook in (("pack_hook", pack_hook), ("unpack_hook", unpack_hook)):
            if not callable(hook):
                raise TypeMismatchError(f"{name} must be a function, received {hook!r}")
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> None:
        interpreter = current()
        if not interpreter.runs:
            raise ProgramError(
                "hooks on what is saved for backward need eager mode",
                cure="leave static mode, or use the block outside the converted function",
            )
        if interpreter.policy.saving is not None:
            raise ArgumentError(
                "one pair of hooks at a time: the block is within another",
                cure="leave the outer block first",
            )
        self._under = under(saving=self)
        self._under.__enter__()

    def __exit__(self, *raised: object) -> None:
        self._under.__exit__(*raised)

    def packed(self, results: Any) -> Any:
        """`results` of an operator, of whose record all data is packed."""
        tensors = results if isinstance(results, tuple) else (results,)
        for producer in (x.producer for x in tensors if x.producer is not None):
            node: Node = producer.node if isinstance(producer, Result) else producer
            node.arrays, node.outs = self._all_packed(node.arrays), self._all_packed(node.outs)
        return results

    def pack(self, data: np.ndarray) -> Packed:
        """What `pack_hook` makes of data."""
        tensor = Tensor(data)
        with using(eager(UNRECORDED)):
            return Packed(self.pack_hook(tensor), tensor.spec, self._unpacked)

    def _all_packed(self, kept: Any) -> Any:
        if kept is None:
            return None
        return [self.pack(a) if isinstance(a, np.ndarray) else a for a in kept]

    def _unpacked(self, holder: Any) -> Any:
        with using(eager(UNRECORDED)):
            return self.unpack_hook(holder)


__all__ = ["saved_tensors_hooks"]
