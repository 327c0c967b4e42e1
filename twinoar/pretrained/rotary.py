"""How fast the pairs of a head's elements turn from step to step, and how longer texts slow them.

A config names a kind of scaling. Most kinds change the speeds once; with two, those of a text hang
on its length. Sources: arXiv 2104.09864; "yarn" arXiv 2309.00071; "longrope" arXiv 2402.13753;
"llama3" the code that Llama 3.1 was published with; "dynamic" as in transformers, for the length of
this very text, where transformers keeps the speeds of the longest that it has seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from twinoar import nn
from twinoar.core.values import Value
from twinoar.eager.tensor import to_tensor
from twinoar.errors import FileError, UnsupportedError
from twinoar.ops.create.fill import full
from twinoar.ops.index.mask import where
from twinoar.ops.math.select import maximum
from twinoar.pretrained.config import Config


@dataclass(frozen=True)
class Rotation:
    """The speeds of pairs, float64 [size/2], and what cosines and sines are multiplied by.

    limit: the steps beyond which a text turns otherwise, if it ever does: with the speeds `beyond`,
    or slower by powers, `exponents`, of what grows with its length by `growth`.
    """

    speeds: np.ndarray
    scale: float = 1.0
    limit: int = 0
    beyond: np.ndarray | None = None
    exponents: np.ndarray | None = None
    growth: float = 0.0


def rotation_of(config: Config, size: int) -> Rotation:
    """What the config says of heads of `size` elements.

    Raises UnsupportedError for a kind of scaling that is not known, FileError for values that make
    no sense.
    """
    name = "rope_parameters" if config.has("rope_parameters") else "rope_scaling"
    told = config[name] if config.has(name) else {}
    if not isinstance(told, Mapping):
        raise FileError(f"the config's {name} must hold values by name, not {str(told)[:80]!r}")
    given = Config(told)
    kind = next((given[n] for n in ("rope_type", "type") if n in given), "default")
    if not isinstance(kind, str) or kind not in KINDS:
        raise UnsupportedError(
            f"{name} of the kind {str(kind)[:80]} are not read", cure=f"one of {', '.join(KINDS)}"
        )
    base = (given if "rope_theta" in given else config).number("rope_theta", 10000.0)
    plain = Rotation(1.0 / base ** (np.arange(0, size, 2) / size))
    found = KINDS[kind](plain, given, config, base)
    given.refuse(partial_rotary_factor=1.0)
    given.check_read()
    return found


Kind = Callable[[Rotation, Config, Config, float], Rotation]


def _default(plain: Rotation, given: Config, config: Config, base: float) -> Rotation:
    return plain


def _linear(plain: Rotation, given: Config, config: Config, base: float) -> Rotation:
    return replace(plain, speeds=plain.speeds / given.number("factor"))


def _llama3(plain: Rotation, given: Config, config: Config, base: float) -> Rotation:
    """Slow turns made slower, so that a text may be longer than those that were learned from."""
    length, turns = _learned_length(given, config), plain.speeds
    slow, fast = given.number("low_freq_factor"), given.number("high_freq_factor")
    if slow >= fast:
        raise FileError(f"low_freq_factor={slow} must be less than high_freq_factor={fast}")
    times = length * turns / (2 * math.pi)  # that a pair turns around in the length it was for
    share = np.clip((times - slow) / (fast - slow), 0.0, 1.0)
    return replace(plain, speeds=(1 - share) * turns / given.number("factor") + share * turns)


def _dynamic(plain: Rotation, given: Config, config: Config, base: float) -> Rotation:
    """The base grows with the text: the speeds do not change at the fast end."""
    size = 2 * len(plain.speeds)
    if size <= 2:
        raise FileError("rope_type dynamic needs heads of more than 2 elements")
    exponents = -np.arange(0, size, 2) / (size - 2)
    limit, growth = config.count("max_position_embeddings"), given.number("factor")
    return replace(plain, limit=limit, exponents=exponents, growth=growth)


def _yarn(plain: Rotation, given: Config, config: Config, base: float) -> Rotation:
    """Pairs that turn often stay, those that turn seldom are slowed, with a ramp between."""
    size, length = 2 * len(plain.speeds), _learned_length(given, config)
    factor = _factor(given, config, length)
    if base == 1.0:
        raise FileError("rope_type yarn needs another rope_theta than 1")

    def place(times: float) -> float:  # of the pair that turns around so often in the length
        return size * math.log(length / (times * 2 * math.pi)) / (2 * math.log(base))

    low = place(given.number("beta_fast") if given.has("beta_fast") else 32.0)
    high = place(given.number("beta_slow") if given.has("beta_slow") else 1.0)
    if given.flag("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, size - 1)
    width = high - low or 0.001  # as transformers has it, which divides by nothing smaller
    slowed = np.clip((np.arange(size // 2) - low) / width, 0.0, 1.0)
    speeds = plain.speeds * (slowed / factor + 1 - slowed)
    return replace(plain, speeds=speeds, scale=_magnitude(given, factor))


def _magnitude(given: Config, factor: float) -> float:
    """What attention is sharpened by. Source: arXiv 2309.00071, eq. 22."""

    def grown(share: float) -> float:
        return 0.1 * share * math.log(factor) + 1.0 if factor > 1 else 1.0

    of_one, of_all = (
        given.number(name) if given.has(name) else None for name in ("mscale", "mscale_all_dim")
    )
    if given.has("attention_factor"):
        return given.number("attention_factor")
    if of_one is not None and of_all is not None:
        return grown(of_one) / grown(of_all)
    return grown(1.0)


def _longrope(plain: Rotation, given: Config, config: Config, base: float) -> Rotation:
    """A factor of its own for each pair, of short texts and of long ones."""
    length = _learned_length(given, config)
    factor = _factor(given, config, length)
    short, long = (_factors(given, n, len(plain.speeds)) for n in ("short_factor", "long_factor"))
    if given.has("attention_factor"):
        scale = given.number("attention_factor")
    elif factor > 1 and length < 2:
        raise FileError("rope_type longrope needs a length of more than 1 to scale by")
    else:
        scale = math.sqrt(1 + math.log(factor) / math.log(length)) if factor > 1 else 1.0
    beyond = plain.speeds / long
    return replace(plain, speeds=plain.speeds / short, scale=scale, limit=length, beyond=beyond)


def _factors(given: Config, name: str, count: int) -> np.ndarray:
    values = given[name]
    is_listed = isinstance(values, list | tuple) and len(values) == count
    if not is_listed or not all(type(v) in {int, float} and 0 < v < math.inf for v in values):
        raise FileError(f"the config's {name} must be {count} numbers above 0")
    return np.array(values, np.float64)


def _learned_length(given: Config, config: Config) -> int:
    """How long the texts were that were learned from."""
    name = "original_max_position_embeddings"
    if config.has(name):
        given.get(name)
        return config.count(name)
    return given.count(name) if given.has(name) else config.count("max_position_embeddings")


def _factor(given: Config, config: Config, length: int) -> float:
    if given.has("factor"):
        return given.number("factor")
    return config.count("max_position_embeddings") / length


KINDS: dict[str, Kind] = {
    "default": _default,
    "linear": _linear,
    "dynamic": _dynamic,
    "yarn": _yarn,
    "longrope": _longrope,
    "llama3": _llama3,
}


class Speeds(nn.Layer):
    """The speeds of pairs in a text of some steps; its cosines are multiplied by `scale`."""

    def __init__(self, config: Config, size: int):
        super().__init__()
        found = rotation_of(config, size)
        self.scale, self.limit, self.growth = found.scale, found.limit, found.growth
        self._keep("near", found.speeds)
        self._keep("far", found.beyond)
        self._keep("exponents", found.exponents)

    def _keep(self, name: str, values: np.ndarray | None) -> None:
        kept = None if values is None else to_tensor(values.astype(np.float32))
        self.register_buffer(name, kept, persistable=False)

    def forward(self, steps: Any) -> Any:
        """[size/2]; steps: how long the text is, a number, a size, or a tensor of one element."""
        if self.limit == 0:
            return self.near
        length = steps if isinstance(steps, Value) else full([], steps, "float32")
        length = length.astype("float32")
        if self.far is not None:
            return where(length > float(self.limit), self.far, self.near)
        times = maximum(length / float(self.limit), full([], 1.0, "float32"))
        return self.near * (times * self.growth - (self.growth - 1.0)) ** self.exponents
