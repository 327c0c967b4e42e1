"""sdpa_kernel: the way that attention is computed is one of those that are named."""

from __future__ import annotations

from typing import Any

import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.nn.attention import SDPBackend, sdpa_kernel
from twinoar.nn.functional.flash_attention import sdp_kernel


def attend() -> list[int]:
    x = paddle.ones([1, 2, 1, 4])
    return paddle.nn.functional.scaled_dot_product_attention(x, x, x).shape


@pytest.mark.parametrize(
    "context",
    [
        sdpa_kernel(SDPBackend.MATH),
        sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH], set_priority=True),
        sdp_kernel(enable_math=True, enable_flash=False),
    ],
)
def test_attention_is_computed_within(context: Any) -> None:
    with context:
        assert attend() == [1, 2, 1, 4]


def test_it_is_a_decorator_too() -> None:
    assert sdpa_kernel(SDPBackend.MATH)(attend)() == [1, 2, 1, 4]


@pytest.mark.parametrize(
    "context", [sdpa_kernel([SDPBackend.FLASH_ATTENTION]), sdp_kernel(enable_math=False)]
)
def test_without_the_way_that_is_here_there_is_none(context: Any) -> None:
    with pytest.raises(UnsupportedError, match="MATH alone"), context:
        attend()


@pytest.mark.parametrize("backends", ["math", 3, [], None, [SDPBackend.MATH, 1]])
def test_what_is_no_backend_is_refused(backends: Any) -> None:
    with pytest.raises(ArgumentError, match="SDPBackend"), sdpa_kernel(backends):
        attend()


def test_backends_have_the_numbers_of_paddle() -> None:
    assert [b.value for b in SDPBackend] == [-1, 0, 1, 2]
