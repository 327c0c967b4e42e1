"""PaddleSlim's names for Programs: tables as integers, and what is not served."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import twinoar
from twinoar import slim, static
from twinoar.errors import ArgumentError, UnknownNameError, UnsupportedError
from twinoar.slim.quant import quant_embedding
from twinoar.static.scope import Scope


def test_quant_aware_and_convert_are_those_of_static() -> None:
    assert slim.quant.quant_aware is static.quantization.quant_aware
    assert slim.quant.convert is static.quantization.convert


class Words:
    """A Program that looks words up in a table twice."""

    def __init__(self) -> None:
        self.program, startup, self.scope = static.Program(), static.Program(), Scope()
        twinoar.seed(2)
        with static.program_guard(self.program, startup), twinoar.utils.unique_name.guard():
            words = static.data("words", [None, 3], "int64")
            table = static.create_parameter([50, 8], "float32")
            self.name = table.name
            look = twinoar.nn.functional.embedding
            self.out = look(words, table).sum(1) + look(words, table).max(1)
        static.Executor().run(startup, scope=self.scope)

    def run(self, program: Any) -> np.ndarray:
        words = np.random.default_rng(0).integers(0, 50, (4, 3))
        return static.Executor().run(program, {"words": words}, [self.out], scope=self.scope)[0]


@pytest.mark.parametrize("config", [None, {"lookup_table_v2": {"quantize_bits": 4}}])
def test_tables_are_integers_with_one_scale(config: Any) -> None:
    words = Words()
    before, table = words.run(words.program), np.array(words.scope.find_var(words.name))
    made = quant_embedding(words.program, config=config, scope=words.scope)
    assert [s.dtype.name for s in made.states.values()].count("int8") == 1
    limit = 127 if config is None else 7
    error = np.abs(words.run(made) - before).max()
    # Three rows are added and one is taken; each is off by half a step at most.
    assert 0 < error <= (3 + 1) * np.abs(table).max() / limit / 2 + 1e-6
    np.testing.assert_array_equal(words.run(words.program), before)


def test_a_table_is_not_quantized_twice() -> None:
    words = Words()
    made = quant_embedding(words.program, scope=words.scope)
    with pytest.raises(ArgumentError, match="no table"):
        quant_embedding(made, scope=words.scope)


@pytest.mark.parametrize(
    ("config", "error", "told"),
    [
        ({"lookup_tabel": {}}, UnknownNameError, "lookup_table"),
        ({"lookup_table": {"quantize_bits": 16}}, ArgumentError, "2 to 8"),
        ({"quantize_type": "log"}, ArgumentError, "abs_max"),
    ],
)
def test_tables_are_not_quantized_otherwise(config: Any, error: type[Exception], told: str) -> None:
    words = Words()
    with pytest.raises(error, match=told):
        quant_embedding(words.program, config=config, scope=words.scope)


def test_a_table_that_is_not_finite_is_refused() -> None:
    words = Words()
    table = np.array(words.scope.find_var(words.name))
    table[3] = np.nan
    words.scope.var(words.name).set(table)
    with pytest.raises(ArgumentError, match="not finite"):
        quant_embedding(words.program, scope=words.scope)


@pytest.mark.parametrize(
    "function",
    [
        slim.quant.quant_aware_with_infermodel,
        slim.quant.export_quant_infermodel,
        slim.quant.quant_recon_static,
        slim.quant.pact,
        slim.quant.SlimQAT,
        slim.quant.SlimQuantConfig,
    ],
)
def test_names_that_are_not_served_say_what_to_use(function: Callable[..., Any]) -> None:
    with pytest.raises(UnsupportedError) as raised:
        function(None)
    assert raised.value.cure
