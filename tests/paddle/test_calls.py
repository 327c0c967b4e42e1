"""Calls of public functions, methods and layers do in twinoar what they do in Paddle 3.3.1.

Values, gradients, dtypes and shapes are compared, call by call; what Paddle 3 has dropped, most of
all the static API, is compared with 2.6.2. `call_differences.txt` has the names whose calls differ,
`names_without_calls.txt` those of daily use that no call reaches.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar
from tests.paddle import calls, run_calls
from tests.project.test_api_page import ABSENT, find, listed
from twinoar.core.op.definition import operator_of
from twinoar.testing.sample import samples_of

FOLDER = Path(__file__).parent
NAMES = set((FOLDER.parent / "project" / "paddle_names.txt").read_text().split())
DAILY = FOLDER / "daily_names.txt"
DIFFERENCES = FOLDER / "call_differences.txt"
WITHOUT = FOLDER / "names_without_calls.txt"

Run = Callable[..., object]

RUN = """
import pickle
from pathlib import Path
sys.path.insert(0, given["scripts"])
import run_calls
asked = pickle.loads(Path(given["asked"]).read_bytes())
outcomes = getattr(run_calls, given["function"])(paddle, asked)
Path(given["answered"]).write_bytes(pickle.dumps(outcomes))
answer(None)
"""


def available(call: str) -> bool:
    """Whether twinoar has all names that the call uses."""
    return all(find(name) is not ABSENT for name in calls.names_in(call, NAMES))


def compare(own: Any, real: Any, where: str = "") -> Iterator[str]:
    """What differs, in words."""
    if type(own) is not type(real):
        yield f"{where}: {own!r} for {real!r}"
    elif isinstance(real, dict):
        if own.keys() != real.keys():
            yield f"{where}: {list(own)} for {list(real)}"
        else:
            for key in real:
                yield from compare(own[key], real[key], f"{where}.{key}")
    elif isinstance(real, list):
        if len(own) != len(real):
            yield f"{where}: {len(own)} values for {len(real)}"
        else:
            for i, pair in enumerate(zip(own, real, strict=True)):
                yield from compare(*pair, f"{where}[{i}]")
    elif not same(own, real):
        yield f"{where}: {own!r} for {real!r}"


def same(own: Any, real: Any) -> bool:
    if isinstance(real, np.ndarray) and own.shape != real.shape:
        return False
    if isinstance(real, (np.ndarray, float, complex)) and np.asarray(real).dtype.kind in "fc":
        least = 1e-5 * max(1.0, np.abs(np.nan_to_num(real)).max(initial=0.0))
        return np.allclose(own, real, rtol=1e-4, atol=least, equal_nan=True)
    return bool(np.all(own == real))


def differing(own: dict[str, Any], real: dict[str, Any]) -> dict[str, str]:
    """The calls that differ, each with how."""
    found = {call: "; ".join(compare(own[call], real[call])) for call in own}
    return {call: how for call, how in found.items() if how}


def in_paddle(paddle: Run, folder: Path, function: str, given: Any) -> dict[str, Any]:
    """What that function of run_calls.py returns in the real Paddle."""
    asked, answered = folder / "asked", folder / "answered"
    asked.write_bytes(pickle.dumps(given))
    paddle(RUN, scripts=FOLDER, function=function, asked=asked, answered=answered)
    return pickle.loads(answered.read_bytes())


@pytest.fixture(scope="module")
def found(paddle_2: Run, paddle_3: Run, tmp_path_factory) -> dict[str, str]:
    """The calls that differ from the real Paddle's, each with how."""
    differ = {}
    for paddle, path in ((paddle_3, calls.LIST), (paddle_2, calls.OLDER)):
        known = [call for call in calls.read_calls(path.read_text()) if available(call)]
        real = in_paddle(paddle, tmp_path_factory.mktemp("calls"), "outcomes", known)
        differ |= differing(run_calls.outcomes(twinoar, known), real)
    return differ


def public_samples() -> dict[str, tuple[str, tuple, dict[str, Any]]]:
    """The samples of each operator that is a public function itself, under that name."""
    functions = {name: find(name) for name in sorted(NAMES) if "Tensor" not in name}
    operators = {operator_of(f): name for name, f in functions.items() if f is not ABSENT}
    return {
        f"{name}-{i}": (name, sample.args, sample.kwargs)
        for f, name in operators.items()
        if f is not None
        for i, sample in enumerate(samples_of(f))
        if sample.error is None
    }


@pytest.fixture(scope="module")
def found_in_samples(paddle_3: Run, tmp_path_factory) -> dict[str, str]:
    """The samples that differ, each with how, where the real Paddle runs them at all."""
    known = public_samples()
    folder = tmp_path_factory.mktemp("samples")
    real = in_paddle(paddle_3, folder, "outcomes_of_samples", known)
    served = {key: known[key] for key in known if "error" not in real[key]}
    assert len(served) > 0.85 * len(known)
    return differing(run_calls.outcomes_of_samples(twinoar, served), real)


def names_of(found: dict[str, str]) -> dict[str, list[str]]:
    """The public names in each call that differs."""
    return {call: calls.names_in(call, NAMES) for call in found}


def test_calls_do_what_they_do_in_paddle_but_for_those_listed(found: dict[str, str]) -> None:
    known = listed(DIFFERENCES.read_text())
    unknown = {
        call: found[call] for call, names in names_of(found).items() if not known.keys() & names
    }
    assert unknown == {}


def test_operators_do_with_their_samples_what_they_do_in_paddle(
    found_in_samples: dict[str, str],
) -> None:
    known = listed(DIFFERENCES.read_text())
    unknown = {
        key: how for key, how in found_in_samples.items() if key.partition("-")[0] not in known
    }
    assert unknown == {}


def test_what_is_listed_still_differs(
    found: dict[str, str], found_in_samples: dict[str, str]
) -> None:
    differing_names = {name for names in names_of(found).values() for name in names}
    differing_names |= {key.partition("-")[0] for key in found_in_samples}
    assert sorted(listed(DIFFERENCES.read_text()).keys() - differing_names) == []


def test_every_name_of_daily_use_is_called_or_listed_with_a_reason() -> None:
    called = {
        name
        for path in (calls.LIST, calls.OLDER)
        for call in calls.read_calls(path.read_text())
        for name in calls.names_in(call, NAMES)
    }
    reasons = tuple(listed(WITHOUT.read_text()))
    uncalled = set(DAILY.read_text().split()) - called
    assert sorted(name for name in uncalled if not name.startswith(reasons)) == []
    assert [name for name in reasons if not any(n.startswith(name) for n in uncalled)] == []


def test_calls_of_names_that_are_absent_are_not_made() -> None:
    assert available("paddle.abs(x(3)).sum()")
    assert not available("paddle.abs(paddle.linalg.fp8_fp8_half_gemm_fused(x(3)))")


@pytest.mark.parametrize(
    ("own", "real", "count"),
    [
        (np.ones(2), np.ones(2) + 1e-7, 0),
        (np.ones(2), np.ones(2) + 1e-2, 1),
        (np.ones(2), np.ones(3), 1),
        ([1, "a"], [1, "a"], 0),
        ([1], [1, 2], 1),
        ({"a": 1.0, "b": None}, {"a": 2.0, "b": 1}, 2),
        ({"error": "x"}, {"results": 1}, 1),
        (1, 1.0, 1),
    ],
)
def test_the_check_finds_what_differs(own: Any, real: Any, count: int) -> None:
    assert len(list(compare(own, real))) == count


def test_a_line_stands_for_the_calls_in_it() -> None:
    text = "# words\n[f(x(2), *k) for f, k in ((paddle.abs, []), (nn.ReLU, [1]))] + [t(3)]\nx(1)\n"
    assert calls.read_calls(text) == [
        "paddle.abs(x(2), *[])",
        "nn.ReLU(x(2), *[1])",
        "t(3)",
        "x(1)",
    ]


def test_the_names_of_a_call_are_those_written_and_methods_of_values() -> None:
    assert calls.names_in("F.relu(x(2)).sum().nothing + nn.utils.weight_norm", NAMES) == [
        "paddle.Tensor.sum",
        "paddle.nn.functional.relu",
        "paddle.nn.utils.weight_norm",
    ]
