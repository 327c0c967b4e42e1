"""What a branch or loop of a Program cannot do."""

from __future__ import annotations

from twinoar.core.ir import Variable
from twinoar.errors import ConversionError

Effects = tuple[str, ...]


def check_effects(effects: Effects, construct: str, predicate: Variable) -> None:
    if effects:
        raise ConversionError(
            f"{effects[0]} stands inside {construct} that depends on the tensor {predicate.name}: "
            "a Program cannot repeat or skip it",
            cure="move it out, or compute a value in the branch or loop and use it after",
        )
