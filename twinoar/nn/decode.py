"""Decoding: sequences made step by step, the next input from what the last step gave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from twinoar.core.dtype import bool_, default_dtype, int64
from twinoar.core.tree import flatten, map_leaves, unflatten
from twinoar.core.values import Value
from twinoar.errors import ArgumentError
from twinoar.nn import functional
from twinoar.ops.control.branch_and_loop import while_loop
from twinoar.ops.create.fill import constant, zeros_like
from twinoar.ops.create.range import iota
from twinoar.ops.index.gather import gather
from twinoar.ops.index.repeat import repeat_each
from twinoar.ops.index.sort import topk
from twinoar.ops.math.arithmetic import add, floor_divide, remainder
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, less_equal
from twinoar.ops.math.fill import fill
from twinoar.ops.math.logical import logical_and, logical_not, logical_or
from twinoar.ops.math.select import select
from twinoar.ops.reduce.reduction import all as all_of
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.expand import broadcast_to
from twinoar.ops.shape.reorder import unflatten as unflattened
from twinoar.ops.shape.reshape import flatten as flattened
from twinoar.ops.shape.reshape import moveaxis, squeeze, unsqueeze

Tensor = Value
UNLIKELY = -1e9  # the logarithm of the likelihood of what is not to be chosen


class Decoder:
    """What `dynamic_decode` runs: an object that starts, steps, and may revise what it gave."""

    def initialize(self, inits: Any) -> tuple[Any, Any, Tensor]:
        """Inputs and states of the first step, and which sequences are finished before it."""
        raise _undefined(self, "initialize")

    def step(self, time: Tensor, inputs: Any, states: Any, **kwargs: Any) -> Any:
        """One step: its outputs, the states and inputs of the next one, and what is finished.

        time: [1], int64, the number of the step.
        """
        raise _undefined(self, "step")

    def finalize(self, outputs: Any, final_states: Any, sequence_lengths: Tensor) -> Any:
        """Outputs of all steps, [T,...], and the last states: as they are, unless overridden."""
        return outputs, final_states

    @property
    def tracks_own_finished(self) -> bool:
        """Whether `step` says of all sequences if they are finished, not of its own step alone."""
        return False


def _undefined(decoder: Decoder, method: str) -> ArgumentError:
    return ArgumentError(
        f"{type(decoder).__name__} does not define {method}", cure=f"define the method {method}"
    )


class OutputWrapper(NamedTuple):
    """What a step of a beam search gives, [N,K] each."""

    scores: Any
    predicted_ids: Any
    parent_ids: Any


class StateWrapper(NamedTuple):
    """Where a beam search is: states of the cell, [N,K,...], and the rest, [N,K]."""

    cell_states: Any
    log_probs: Any
    finished: Any
    lengths: Any


class BeamSearchDecoder(Decoder):
    """Of all sequences of tokens, keeps at each step the `beam_size` most likely ones.

    cell: called with inputs, [N*K,...], and states; returns outputs and states. start_token,
    end_token: what sequences begin and end with. beam_size: K. embedding_fn: makes inputs of
    tokens, [N,K]; None if the cell does so itself. output_fn: makes scores of the vocabulary,
    [N,K,V], of what the cell gives; None if that is the scores. Raises ArgumentError for a
    beam_size below 1. `dynamic_decode` runs it.

    >>> cell, embed = twinoar.nn.GRUCell(4, 6), twinoar.nn.Embedding(6, 4)
    >>> decoder = twinoar.nn.BeamSearchDecoder(cell, 0, 1, beam_size=3, embedding_fn=embed)
    >>> ids, states = twinoar.nn.dynamic_decode(decoder, twinoar.zeros([2, 6]), max_step_num=4)
    >>> ids.shape[0], ids.shape[2], states.lengths.shape
    (2, 3, [2, 3])
    """

    def __init__(
        self,
        cell: Any,
        start_token: int,
        end_token: int,
        beam_size: int,
        embedding_fn: Callable[..., Any] | None = None,
        output_fn: Callable[..., Any] | None = None,
    ) -> None:
        if beam_size < 1:
            raise ArgumentError(f"beam_size must be at least 1, received {beam_size}")
        self.cell, self.embedding_fn, self.output_fn = cell, embedding_fn, output_fn
        self.start_token, self.end_token, self.beam_size = start_token, end_token, beam_size

    @staticmethod
    def tile_beam_merge_with_batch(x: Tensor, beam_size: int) -> Tensor:
        """Each sample `beam_size` times, [N * beam_size,...]: what a cell sees beside its states.

        x: [N,...].
        """
        return repeat_each(x, beam_size, 0)

    def initialize(self, initial_cell_states: Any) -> tuple[Any, StateWrapper, Tensor]:
        """Inputs, states and what is finished before the first step.

        initial_cell_states: tensors [N,...], nested as the cell's states are.
        """
        states = map_leaves(self._tiled, initial_cell_states)
        batch = flatten(states)[0][0].spec.shape[0]
        shape = (batch, self.beam_size)
        first = [0.0] + [UNLIKELY] * (self.beam_size - 1)  # beams that are equal count once
        log_probs = broadcast_to(constant(tuple(first), default_dtype()), shape)
        finished = fill(shape, False, bool_)
        tokens = fill(shape, self.start_token, int64)
        lengths = fill(shape, 0, int64)
        return self._embedded(tokens), StateWrapper(states, log_probs, finished, lengths), finished

    def step(
        self, time: Tensor, inputs: Any, states: StateWrapper, **kwargs: Any
    ) -> tuple[OutputWrapper, StateWrapper, Any, Tensor]:
        """The most likely continuations of the beams.

        kwargs: what the cell takes besides inputs and states.
        """
        merged = [map_leaves(_merged, x) for x in (inputs, states.cell_states)]
        outputs, cell_states = self.cell(*merged, **kwargs)
        outputs, cell_states = (map_leaves(self._split, x) for x in (outputs, cell_states))
        scores = outputs if self.output_fn is None else self.output_fn(outputs)
        log_probs = self._log_probs(functional.log_softmax(scores, axis=-1), states)
        best, places = topk(flattened(log_probs, 1, 2), self.beam_size, axis=1)
        words = log_probs.spec.shape[2]
        beams, tokens = floor_divide(places, words), remainder(places, words)

        def taken(x: Tensor) -> Tensor:
            return self._taken(x, beams)

        was_finished = taken(states.finished)
        lengths = add(taken(states.lengths), astype(logical_not(was_finished), int64))
        finished = logical_or(was_finished, equal(tokens, self.end_token))
        following = StateWrapper(map_leaves(taken, cell_states), best, finished, lengths)
        return OutputWrapper(best, tokens, beams), following, self._embedded(tokens), finished

    def finalize(
        self, outputs: OutputWrapper, final_states: StateWrapper, sequence_lengths: Tensor
    ) -> tuple[Tensor, StateWrapper]:
        """The tokens of each sequence from its end backwards, [T,N,K], and the last states."""
        return functional.gather_tree(outputs.predicted_ids, outputs.parent_ids), final_states

    @property
    def tracks_own_finished(self) -> bool:
        """True: beams change places, so that each step says anew what is finished."""
        return True

    def _log_probs(self, of_words: Tensor, states: StateWrapper) -> Tensor:
        """Of each beam with each word behind it, [N,K,V]; behind an end only ends follow."""
        is_end = equal(iota(of_words.spec.shape[2]), self.end_token)
        ended = select(is_end, 0.0, fill(is_end.spec.shape, UNLIKELY, of_words.dtype))
        of_words = select(unsqueeze(states.finished, 2), ended, of_words)
        return add(of_words, unsqueeze(states.log_probs, 2))

    def _embedded(self, tokens: Tensor) -> Any:
        return tokens if self.embedding_fn is None else self.embedding_fn(tokens)

    def _tiled(self, x: Tensor) -> Tensor:
        return repeat_each(unsqueeze(x, 1), self.beam_size, 1)

    def _split(self, x: Tensor) -> Tensor:
        return unflattened(x, 0, [-1, self.beam_size])

    def _taken(self, x: Tensor, beams: Tensor) -> Tensor:
        """Those beams of x, [N,K,...]."""
        first = unsqueeze(iota(x.spec.shape[0]) * self.beam_size, 1)
        return self._split(gather(_merged(x), flattened(add(first, beams))))


# Paddle's names for them; set in the class they would hide the types of these names there.
BeamSearchDecoder.OutputWrapper = OutputWrapper  # type: ignore[attr-defined]
BeamSearchDecoder.StateWrapper = StateWrapper  # type: ignore[attr-defined]


def _merged(x: Tensor) -> Tensor:
    """[N,K,...] as [N*K,...]."""
    return flattened(x, 0, 1)


def dynamic_decode(
    decoder: Decoder,
    inits: Any = None,
    max_step_num: int | None = None,
    output_time_major: bool = False,
    impute_finished: bool = False,
    is_test: bool = False,
    return_length: bool = False,
    **kwargs: Any,
) -> tuple[Any, ...]:
    """Steps of a decoder until all sequences are finished, or `max_step_num` + 1 were made.

    inits: what `decoder.initialize` is given. output_time_major: outputs are [T,N,...], else
    [N,T,...]. impute_finished: the states of sequences that are finished stay as they are; a
    decoder that tracks that itself does so. is_test: accepted. kwargs: what `decoder.step` takes.
    Returns the outputs of all steps and the last states, as `decoder.finalize` leaves them, and
    with return_length the lengths of the sequences: those of the states that a tracking decoder
    has, else the steps that they were unfinished behind. In a Program the steps are a loop.
    """

    def following(time: Any, inputs: Any, states: Any, finished: Any, lengths: Any) -> Any:
        outputs, after, inputs, ended = decoder.step(time, inputs, states, **kwargs)
        if decoder.tracks_own_finished:
            return outputs, (inputs, after, ended, getattr(after, "lengths", lengths))
        ended = logical_or(ended, finished)
        lengths = add(lengths, astype(logical_not(ended), int64))
        if impute_finished:
            after = _kept_where(ended, states, after)
        return outputs, (inputs, after, ended, lengths)

    def iteration(time: Any, *values: Any) -> list[Any]:
        gathered, carried = values[:count], list(values[count:])
        outputs, state = following(time, *unflatten(structure, carried))
        pairs = zip(gathered, flatten(outputs)[0], strict=True)
        new = [concat([sofar, unsqueeze(out, 0)]) for sofar, out in pairs]
        return [time + 1, *new, *flatten(state)[0]]

    def is_going(time: Any, *values: Any) -> Any:
        going = logical_not(all_of(unflatten(structure, list(values[count:]))[2]))
        if max_step_num is None:
            return going
        return logical_and(going, squeeze(less_equal(time, max_step_num), 0))

    inputs, states, finished = decoder.initialize(inits)
    start = (inputs, states, finished, zeros_like(finished, int64))
    outputs, state = following(fill((1,), 0, int64), *start)
    (carried, structure), (outs, of_outputs) = flatten(state), flatten(outputs)
    count = len(outs)
    values = [fill((1,), 1, int64), *(unsqueeze(x, 0) for x in outs), *carried]
    values = while_loop(is_going, iteration, values)[1:]
    _, states, _, lengths = unflatten(structure, list(values[count:]))
    outputs = unflatten(of_outputs, list(values[:count]))
    outputs, states = decoder.finalize(outputs, states, lengths)
    if not output_time_major:
        outputs = map_leaves(lambda x: moveaxis(x, 0, 1), outputs)
    return (outputs, states, lengths) if return_length else (outputs, states)


def _kept_where(mask: Tensor, old: Any, new: Any) -> Any:
    """The old states where the mask is true, else the new ones."""

    def kept(a: Tensor, b: Tensor) -> Tensor:
        more = list(range(mask.ndim, a.ndim))
        return select(unsqueeze(mask, more) if more else mask, a, b)

    (before, structure), (after, _) = flatten(old), flatten(new)
    return unflatten(structure, [kept(a, b) for a, b in zip(before, after, strict=True)])
