"""LSTM: a recurrent network that writes tokens, and learns by the rewards of what it wrote.

Sources: Zoph and Le 2017, "Neural Architecture Search with Reinforcement Learning", arXiv
1611.01578, section 3.2; Williams 1992, "Simple Statistical Gradient-Following Algorithms for
Connectionist Reinforcement Learning", Machine Learning 8.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar import nn, optimizer
from twinoar.autograd import no_grad
from twinoar.core.interpreter import eager, using
from twinoar.core.near import near_names
from twinoar.core.public import declared
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.nn.initializer import Uniform
from twinoar.nn.param_attr import ParamAttr
from twinoar.slim.common.controllers import RLBaseController, Tokens
from twinoar.slim.common.draws import seeded
from twinoar.slim.common.rl_controller.registry import RLCONTROLLER

SETTINGS: dict[str, Any] = {  # PaddleSlim's, with its defaults
    "lstm_num_layers": 1,
    "hidden_size": 100,
    "temperature": None,
    "controller_lr": 1e-4,
    "controller_decay_steps": None,
    "controller_decay_rate": None,
    "tanh_constant": None,
    "decay": 0.99,
    "weight_entropy": None,
    "controller_batch_size": 1,
}
LONGEST = 5.0  # of a gradient


def uniform_initializer(x: float) -> Uniform:
    """Numbers between -x and x."""
    return Uniform(low=-x, high=x)


class lstm_cell(nn.Layer):  # PaddleSlim's name
    """LSTM cells one above the other.

    num_layers: how many. hidden_size: of what goes in, of their states and of what comes out.

    >>> cells = lstm_cell(2, 4)
    >>> out, states = cells(twinoar.ones([1, 4]))
    >>> out.shape, len(states)
    ([1, 4], 2)
    """

    def __init__(self, num_layers: int, hidden_size: int):
        super().__init__()
        attr = ParamAttr(initializer=uniform_initializer(1.0 / math.sqrt(hidden_size)))
        self.num_layers, self.hidden_size = num_layers, hidden_size
        self.lstm_cells = nn.LayerList(
            [
                nn.LSTMCell(hidden_size, hidden_size, attr, attr, attr, attr)
                for _ in range(num_layers)
            ]
        )

    def forward(self, inputs: Any, states: Sequence[Any] | None = None) -> tuple[Any, list[Any]]:
        """What the last cell gives, and the states of all. states: those before, None for zeros."""
        new = []
        for cell, state in zip(self.lstm_cells, states or [None] * self.num_layers, strict=True):
            inputs, state = cell(inputs, state)
            new.append(state)
        return inputs, new


class _Writer(nn.Layer):
    """Writes a token after the other: each is drawn by a layer of its own, and read next."""

    def __init__(self, counts: Sequence[int], layers: int, hidden: int):
        super().__init__()
        attr = ParamAttr(initializer=uniform_initializer(1.0))
        self.first = self.create_parameter([1, hidden], attr)
        self.read = nn.Embedding(max(counts), hidden, weight_attr=attr)
        self.cells = lstm_cell(layers, hidden)
        self.heads = nn.LayerList([nn.Linear(hidden, count) for count in counts])


@RLCONTROLLER.register
class LSTM(RLBaseController):
    """A recurrent network that writes tokens, and learns by their rewards: REINFORCE.

    range_tables: how many tokens there are at each place. use_gpu: without effect. Settings: those
    of `SETTINGS`; temperature divides scores, tanh_constant bounds them, decay is that of the
    average of rewards which others are compared with, weight_entropy rewards what is not decided,
    controller_batch_size is how many candidates are written and rewarded together. Parameters and
    draws follow from `paddle.seed`. Raises UnknownNameError, ArgumentError.

    >>> _ = twinoar.seed(0)
    >>> controller = LSTM([3, 4], controller_lr=0.05)
    >>> for _ in range(80):
    ...     ((first, second),) = controller.next_tokens()
    ...     loss = controller.update(float(first == 2) + float(second == 1))
    >>> controller.next_tokens(is_inference=True)
    [[2, 1]]
    """

    def __init__(self, range_tables: Sequence[int], use_gpu: bool = False, **settings: Any):
        for name in settings:
            if name not in SETTINGS:
                raise UnknownNameError(
                    f"the controller has no setting {name!r}", cure=near_names(name, SETTINGS)
                )
        if not range_tables or any(count < 1 for count in range_tables):
            raise ArgumentError(f"there is no token in {list(range_tables)}")
        known = {**SETTINGS, **{n: v for n, v in settings.items() if v is not None}}
        self.range_tables, self._known = list(range_tables), known
        with using(eager()):
            self._writer = _Writer(
                self.range_tables, known["lstm_num_layers"], known["hidden_size"]
            )
            rate: Any = known["controller_lr"]
            if known["controller_decay_steps"]:
                gamma = known["controller_decay_rate"] or 1.0
                rate = optimizer.lr.StepDecay(rate, known["controller_decay_steps"], gamma)
            self._rate, clip = rate, nn.ClipGradByNorm(LONGEST)
            self._optimizer = optimizer.Adam(
                rate, parameters=self._writer.parameters(), grad_clip=clip
            )
        self._random = seeded()
        self._tokens: list[Tokens] = []
        self._baseline: float | None = None

    def next_tokens(self, num_archs: int = 1, is_inference: bool = False) -> list[Tokens]:
        """Tokens of so many candidates, drawn; the likeliest where is_inference.

        Raises ArgumentError for what is no number of candidates.
        """
        if not isinstance(num_archs, (int, np.integer)) or num_archs < 1:
            raise ArgumentError(f"expected a number of candidates, received {num_archs!r}")
        found: list[Tokens] = [[] for _ in range(num_archs)]
        with using(eager()), no_grad():
            read, states = self._first(num_archs), None
            for head in self._writer.heads:
                scores, states = self._scores(read, states, head)
                chosen = self._chosen(scores.numpy(), is_inference)
                for tokens, token in zip(found, chosen.tolist(), strict=True):
                    tokens.append(token)
                read = self._writer.read(to_tensor(chosen))
        self._tokens = found
        return [list(tokens) for tokens in found]

    def update(self, rewards: Any) -> float:
        """Learn by the rewards of the last tokens, one for each candidate. Returns the loss.

        Raises ArgumentError before `next_tokens`, for another number of rewards, and for rewards
        that are not finite.
        """
        given = np.atleast_1d(np.asarray(rewards, np.float32))
        if not self._tokens or given.shape != (len(self._tokens),):
            raise ArgumentError(
                f"{len(self._tokens)} candidates wait for rewards, received {given.shape}",
                cure="call next_tokens, and give a reward for each",
            )
        if not np.isfinite(given).all():
            raise ArgumentError(f"rewards must be finite, received {given.tolist()}")
        mean = float(given.mean())
        before = mean if self._baseline is None else self._baseline
        self._baseline = before + (1.0 - self._known["decay"]) * (mean - before)
        with using(eager()):
            losses, entropy = self._losses()
            if self._known["weight_entropy"] is not None:
                given = given + self._known["weight_entropy"] * entropy
            loss = (losses * to_tensor(given - before)).mean()
            loss.backward()
            self._optimizer.step()
            self._optimizer.clear_grad()
            if self._rate is not self._known["controller_lr"]:
                self._rate.step()
            return float(loss.item())

    def state(self) -> dict[str, Any]:
        """The parameters by name, and the average of rewards: what `set_state` takes."""
        state: dict[str, Any] = dict(self._writer.state_dict())
        state["baseline"] = to_tensor([math.nan if self._baseline is None else self._baseline])
        return state

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from what `state` returned. Raises ArgumentError for that of another search."""
        own = self._writer.state_dict()
        if set(state) != {*own, "baseline"} or any(
            list(state[n].shape) != list(own[n].shape) for n in own
        ):
            raise ArgumentError("the parameters are those of a controller of another search")
        with using(eager()):
            for name, parameter in own.items():
                parameter.set_value(state[name])
        baseline = float(np.asarray(state["baseline"]).item())
        self._baseline = None if math.isnan(baseline) else baseline

    def _first(self, count: int) -> Any:
        return self._writer.first.expand([count, self._known["hidden_size"]])

    def _scores(self, read: Any, states: Any, head: Any) -> tuple[Any, Any]:
        """Of each token at a place: [candidates, tokens], before they are made probabilities."""
        out, states = self._writer.cells(read, states)
        scores = head(out)
        if self._known["temperature"] is not None:
            scores = scores / self._known["temperature"]
        if self._known["tanh_constant"] is not None:
            scores = scores.tanh() * self._known["tanh_constant"]
        return scores, states

    def _chosen(self, scores: np.ndarray, is_inference: bool) -> np.ndarray:
        if is_inference:
            return np.asarray(scores.argmax(axis=1))
        # The largest of scores with Gumbel noise is a draw by their probabilities.
        return np.asarray((scores + self._random.gumbel(size=scores.shape)).argmax(axis=1))

    def _losses(self) -> tuple[Any, np.ndarray]:
        """Of each candidate minus the logarithm of its probability, and the entropy."""
        read, states = self._first(len(self._tokens)), None
        total: Any = 0.0
        entropy = np.zeros(len(self._tokens), np.float32)
        for tokens, head in zip(np.array(self._tokens).T, self._writer.heads, strict=True):
            scores, states = self._scores(read, states, head)
            chosen = to_tensor(tokens.astype(np.int64))
            total = total + nn.functional.cross_entropy(scores, chosen, reduction="none")
            shares = nn.functional.softmax(scores.detach(), axis=-1).numpy()
            entropy -= (shares * np.log(np.maximum(shares, 1e-30))).sum(axis=1)
            read = self._writer.read(chosen)
        return total, entropy


__all__ = declared(globals(), "RLBaseController", "RLCONTROLLER")
