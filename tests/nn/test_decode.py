"""BeamSearchDecoder and dynamic_decode, against a search written out in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ArgumentError
from twinoar.nn.decode import Decoder

START, END, WORDS = 0, 1, 5


class Chain:
    """A cell whose scores for the next word depend on the last one alone."""

    def __init__(self, table: np.ndarray):
        self.table = paddle.to_tensor(table)

    def __call__(self, inputs, states):
        return self.table[inputs], states + 1.0


class Countdown(Decoder):
    """Finishes sequence n behind step `last[n]`; its outputs are the numbers of the steps."""

    def __init__(self, last: list[int]):
        self.last = paddle.to_tensor(last)

    def initialize(self, inits):
        return paddle.zeros([3]), {"h": inits}, paddle.zeros([3], "bool")

    def step(self, time, inputs, states, by=1.0):
        outputs = {"a": inputs, "b": (inputs * 2,)}
        return outputs, {"h": states["h"] + by}, inputs + 1, self.last == time


def table(seed: int) -> np.ndarray:
    return np.random.RandomState(seed).randn(WORDS, WORDS).astype("float32") * 2


def most_likely(scores: np.ndarray, beams: int, steps: int) -> list[tuple[float, list[int]]]:
    """The best sequences of a chain, by all continuations of the best ones so far."""
    log_probs = scores - np.log(np.exp(scores).sum(1, keepdims=True))
    kept: list[tuple[float, list[int]]] = [(0.0, [])]
    for _ in range(steps):
        found = []
        for total, words in kept:
            last = words[-1] if words else START
            if words and last == END:
                found.append((total, [*words, END]))
            else:
                found += [(total + log_probs[last, w], [*words, w]) for w in range(WORDS)]
        kept = sorted(found, key=lambda pair: -pair[0])[:beams]
    return kept


@pytest.mark.parametrize(("beams", "seed"), [(1, 0), (3, 0), (3, 1), (4, 2)])
def test_a_beam_search_finds_the_most_likely_sequences(beams: int, seed: int) -> None:
    decoder = nn.BeamSearchDecoder(Chain(table(seed)), START, END, beams)
    ids, states = nn.dynamic_decode(decoder, paddle.zeros([2, 3]), max_step_num=5)
    wanted = most_likely(table(seed), beams, ids.shape[1])
    for n in range(2):
        assert ids[n].numpy().T.tolist() == [words for _, words in wanted]
        np.testing.assert_allclose(states.log_probs[n], [total for total, _ in wanted], rtol=1e-5)


def test_a_search_ends_where_all_beams_have_ended() -> None:
    likely = np.full((WORDS, WORDS), -9.0, "float32")
    likely[:, END], likely[START, 2] = 9.0, 9.0
    decoder = nn.BeamSearchDecoder(Chain(likely), START, END, 2)
    ids, states, lengths = nn.dynamic_decode(decoder, paddle.zeros([1, 3]), return_length=True)
    assert ids.tolist() == [[[END, 2], [END, END]]]
    assert states.finished.all().item()
    assert lengths.tolist() == states.lengths.tolist() == [[1, 2]]


def test_a_program_searches_as_eager_mode_does_for_any_number_of_sequences() -> None:
    paddle.seed(1)
    cell, embed, out = nn.LSTMCell(4, 6), nn.Embedding(WORDS, 4), nn.Linear(6, WORDS)
    out.weight.set_value(out.weight * 9.0)

    def search(h):
        decoder = nn.BeamSearchDecoder(cell, START, END, 3, embed, out)
        ids, states = nn.dynamic_decode(decoder, (h, h * 0.5), max_step_num=4)
        return ids, states.log_probs

    spec = paddle.static.InputSpec([None, 6])
    compiled = paddle.jit.to_static(search, input_spec=[spec])
    for count in (3, 1):
        h = paddle.randn([count, 6])
        for found, wanted in zip(compiled(h), search(h), strict=True):
            np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-5)


def test_outputs_are_stacked_in_their_structure() -> None:
    outputs, _ = nn.dynamic_decode(Countdown([0, 2, 1]), paddle.zeros([3, 2]))
    assert outputs["a"].tolist() == [[0, 1, 2]] * 3
    assert outputs["b"][0].tolist() == [[0, 2, 4]] * 3


def test_time_comes_first_on_request() -> None:
    options = {"max_step_num": 1, "output_time_major": True}
    outputs, _ = nn.dynamic_decode(Countdown([0, 2, 1]), paddle.zeros([3, 2]), **options)
    assert outputs["a"].shape == [2, 3]


def test_lengths_count_the_steps_behind_which_a_sequence_goes_on() -> None:
    found = nn.dynamic_decode(Countdown([0, 2, 1]), paddle.zeros([3, 2]), return_length=True)
    assert found[2].tolist() == [0, 2, 1]


@pytest.mark.parametrize(("impute", "wanted"), [(False, [3, 3, 3]), (True, [0, 2, 1])])
def test_states_of_finished_sequences_stay_on_request(impute: bool, wanted: list[int]) -> None:
    start = paddle.zeros([3, 2])
    _, states = nn.dynamic_decode(Countdown([0, 2, 1]), start, impute_finished=impute)
    assert states["h"][:, 0].tolist() == wanted


def test_further_arguments_reach_the_step() -> None:
    _, states = nn.dynamic_decode(Countdown([1, 1, 1]), paddle.zeros([3, 2]), by=5.0)
    assert states["h"].max().item() == 10.0


def test_samples_are_repeated_beam_by_beam() -> None:
    x = paddle.to_tensor([[1, 2], [3, 4]])
    tiled = nn.BeamSearchDecoder.tile_beam_merge_with_batch(x, 2)
    assert tiled.tolist() == [[1, 2], [1, 2], [3, 4], [3, 4]]


def test_a_decoder_says_which_method_it_lacks() -> None:
    with pytest.raises(ArgumentError, match="Decoder does not define initialize"):
        nn.dynamic_decode(Decoder())


def test_a_beam_is_no_less_than_one() -> None:
    with pytest.raises(ArgumentError, match="at least 1, received 0"):
        nn.BeamSearchDecoder(Chain(table(0)), START, END, 0)
