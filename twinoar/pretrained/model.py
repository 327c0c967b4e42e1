"""What the models have in common: how they are made of a config, attention, and masks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from twinoar import nn
from twinoar.errors import ShapeError
from twinoar.nn import functional as F
from twinoar.ops.create.fill import full
from twinoar.ops.math.select import maximum
from twinoar.pretrained.config import Config

FAR = 1e30  # what hides: no score comes near it


class Pretrained(nn.Layer):
    """A layer with the config that it was made from, in evaluation mode once it is loaded.

    kind: `model_type` of its config. base: what holds a model without its head, in one that has a
    head. turned: weights of linear layers are [out,in] in files. tied: names in files
    that stand for what other names hold as well. harmless: of the config, what changes nothing.
    idle: last parts of names in files that hold what follows from the config.
    """

    kind: ClassVar[str] = ""
    base: ClassVar[str] = ""
    turned: ClassVar[bool] = True
    tied: tuple[str, ...] = ()
    harmless: ClassVar[Iterable[str]] = ()
    idle: ClassVar[tuple[str, ...]] = ("num_batches_tracked",)

    def __init__(self, config: Mapping[str, Any]):
        """Raises FileError for what the config lacks, UnsupportedError for what is not served."""
        super().__init__()
        self.config = config if isinstance(config, Config) else Config(config)
        self.config.refuse(model_type=self.kind)
        self.config.read.update(self.harmless)


def heads_of(x: Any, size: int) -> Any:
    """[batch,steps,width] as [batch,steps,heads,size]."""
    batch, steps, width = x.shape
    return x.reshape([batch, steps, width // size, size])


def attention(
    query: Any, key: Any, value: Any, mask: Any, *, dropped: float, causal: bool = False,
    scale: float | None = None,
) -> Any:  # fmt: skip
    """[batch,steps,width], of heads [batch,steps,heads,size]; a head of keys may serve several.

    mask: added to scores. dropped: the share of what is seen that is not, as training wants it.
    scale: of scores, 1 / sqrt(size) if None.
    """
    batch, steps, heads, size = query.shape
    found = F.scaled_dot_product_attention(query, key, value, mask, dropped, causal, scale=scale)
    return found.reshape([batch, steps, heads * size])


def check_steps(input_ids: Any, most: int | None = None) -> None:
    """Raise ShapeError for what is no [batch,steps], or has more steps than there are places."""
    shape = list(input_ids.shape)
    if len(shape) != 2:
        raise ShapeError(f"input_ids must be [batch,steps], received {shape}")
    if most is not None and isinstance(shape[1], int) and shape[1] > most:
        raise ShapeError(
            f"the model has places for {most} words, received {shape[1]}",
            cure="cut the text, or read it in parts",
        )


def hidden_from_padding(mask: Any) -> Any:
    """What is added to scores, of 1 for what is there and 0 for padding, [batch,steps]."""
    if mask is None:
        return None
    if len(mask.shape) != 2:
        raise ShapeError(f"attention_mask must be [batch,steps], received {list(mask.shape)}")
    return (mask.astype("float32") - 1.0).unsqueeze([1, 2]) * FAR


def hidden_from_earlier(mask: Any) -> Any:
    """The same, so that no step sees later ones either; None where no mask is given."""
    if mask is None:
        return None
    steps = mask.shape[-1]
    later = full([steps, steps], -FAR).triu(1)
    return maximum(hidden_from_padding(mask) + later, full([1], -FAR))
