"""Names nobody else has."""

from __future__ import annotations

import pytest

from twinoar.core import unique_name
from twinoar.errors import TypeMismatchError


def test_names_of_a_key_are_numbered_from_zero() -> None:
    with unique_name.guard():
        made = [unique_name.generate(key) for key in ("fc", "fc", "conv", "fc")]
    assert made == ["fc_0", "fc_1", "conv_0", "fc_2"]


def test_a_guard_leaves_the_numbers_outside_as_they_were() -> None:
    with unique_name.guard():
        unique_name.generate("fc")
        with unique_name.guard():
            unique_name.generate("fc")
            unique_name.generate("fc")
        assert unique_name.generate("fc") == "fc_1"


@pytest.mark.parametrize("prefix", ["left/", b"left/"])
def test_a_guard_puts_a_prefix_before_names(prefix: str | bytes) -> None:
    with unique_name.guard(prefix):
        assert unique_name.generate("fc") == "left/fc_0"


def test_a_guard_ends_when_its_block_raises() -> None:
    with unique_name.guard():
        with pytest.raises(RuntimeError), unique_name.guard("x"):
            raise RuntimeError
        assert unique_name.generate("fc") == "fc_0"


def test_switch_returns_the_generator_before() -> None:
    with unique_name.guard():
        unique_name.generate("fc")
        before = unique_name.switch()
        assert unique_name.generate("fc") == "fc_0"
        unique_name.switch(before)
        assert unique_name.generate("fc") == "fc_1"


def test_a_guard_takes_no_number() -> None:
    with (
        pytest.raises(
            TypeMismatchError, match="must be a string or a name generator, received int"
        ),
        unique_name.guard(5),
    ):  # type: ignore[arg-type]
        pass
