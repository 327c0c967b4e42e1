"""A layer that finds the best sequences of tags."""

from __future__ import annotations

from twinoar.core.values import Value
from twinoar.nn.layer import Layer
from twinoar.ops.sequence.viterbi import viterbi_decode

Tensor = Value


class ViterbiDecoder(Layer):
    """`viterbi_decode` with fixed scores of what follows what.

    transitions: [N,N]; see `viterbi_decode`.
    """

    def __init__(
        self, transitions: Tensor, include_bos_eos_tag: bool = True, name: str | None = None
    ):
        super().__init__()
        self.transitions = transitions
        self.include_bos_eos_tag = include_bos_eos_tag
        self.name = name

    def forward(self, potentials: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Scores [B] and tags [B,longest] for potentials [B,T,N] and lengths [B]."""
        return viterbi_decode(
            potentials, self.transitions, lengths, self.include_bos_eos_tag, name=self.name
        )
