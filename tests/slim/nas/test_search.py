"""Networks are searched: spaces of tokens, the controller, and what ends trainings early."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.errors import ArgumentError, FileError, UnknownNameError, UnsupportedError
from twinoar.slim import analysis
from twinoar.slim.common import SAController
from twinoar.slim.nas import SANAS, SEARCHSPACE, SearchSpaceBase, SearchSpaceFactory
from twinoar.slim.nas.early_stop import MedianStop

WHOLE = ("MobileNetV1Space", "MobileNetV2Space", "ResNetSpace")
PARTS = (
    "MobileNetV1BlockSpace",
    "MobileNetV2BlockSpace",
    "ResNetBlockSpace",
    "InceptionABlockSpace",
)


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


def built(build: Any, channels: int = 3, size: int = 32, **given: Any) -> tuple[Any, Any]:
    """The Program of a network, and what it returns."""
    program, startup = static.Program(), static.Program()
    with paddle.utils.unique_name.guard(), static.program_guard(program, startup):
        out = build(static.data("x", [2, channels, size, size]), **given)
    return program, out


def space(name: str, settings: Any = None) -> Any:
    return SearchSpaceFactory().get_search_space([(name, settings or {})])


@pytest.mark.parametrize("name", WHOLE)
def test_tokens_tell_networks_apart(name: str) -> None:
    one = space(name)
    table, first = one.range_table(), one.init_tokens()
    assert len(table) == len(first)
    assert all(0 <= token < count for token, count in zip(first, table, strict=True))
    small = [0] * len(table)
    programs = [built(one.token2arch(tokens)[0])[0] for tokens in (first, small)]
    assert analysis.flops(programs[1]) < 0.2 * analysis.flops(programs[0])


def test_networks_run_and_end_where_they_are_asked_to() -> None:
    (build,) = space("MobileNetV2Space").token2arch([0] * 25)
    _, out = built(build)
    scope, executor = static.Scope(), static.Executor()
    assert out.shape == [2, 1280, 1, 1]
    _, (early, ends) = built(build, end_points=3, return_block=[2])
    assert early.shape[2:] == [4, 4]
    assert list(ends) == [2]
    _, (out, _) = built(build, end_points=2, output_stride=4)
    assert out.shape[2:] == [8, 8]
    (resnet,) = space("ResNetSpace").token2arch([0] * 8)
    startup, main = static.Program(), static.Program()
    with static.program_guard(main, startup):
        y = resnet(static.data("x", [None, 3, 32, 32]))
    executor.run(startup, scope=scope)
    x = np.ones([1, 3, 32, 32], "f4")
    (found,) = executor.run(main, {"x": x}, [y.name], scope=scope)
    assert found.shape == (1, 192 * 4, 2, 2)
    assert np.isfinite(found).all()


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize(
    ("settings", "size"),
    [
        ({"block_mask": [0, 1, 1]}, 8),
        ({"input_size": 32, "output_size": 8, "block_num": 5}, 8),
        ({"input_size": 32, "output_size": 32, "block_num": 2}, 32),
    ],
)
def test_parts_halve_sizes_as_often_as_they_shall(name: str, settings: Any, size: int) -> None:
    one = space(name, settings)
    (part,) = one.token2arch([min(3, n - 1) for n in one.range_table()])
    _, (out,) = built(part, channels=8)
    assert out.shape[2:] == [size, size]
    _, (out, kept) = built(part, channels=8, return_mid_layer=True, return_block=1)
    assert size == 32 or list(kept) == [1]


def test_spaces_stand_one_after_the_other_and_users_add_some() -> None:
    class Wide(SearchSpaceBase):
        def init_tokens(self) -> list[int]:
            return [1]

        def range_table(self) -> list[int]:
            return [4]

        def token2arch(self, tokens: Any = None) -> Any:
            return lambda x: x * tokens[0]

    SEARCHSPACE.register(Wide)
    both = SearchSpaceFactory().get_search_space(["Wide", ("ResNetSpace", None)])
    assert both.range_table() == [4, 7, 5, 7, 6, 6, 13, 5, 6]
    assert both.token2arch([3] + [0] * 8)[0](2) == 6


@pytest.mark.parametrize(
    ("configs", "error", "told"),
    [
        ([("MobileNetV3Space", {})], UnknownNameError, "MobileNetV2Space"),
        ([("MobileNetV2BlockSpace", {"block_nums": 2})], UnknownNameError, "block_num"),
        ([("MobileNetV2BlockSpace", {"block_mask": 3})], ArgumentError, "list of 0 and 1"),
        ([], ArgumentError, "list of spaces"),
        ([("ResNetSpace", 4)], ArgumentError, "by name"),
    ],
)
def test_bad_spaces_are_refused(configs: Any, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        SearchSpaceFactory().get_search_space(configs)


def test_parts_whose_sizes_do_not_fit_are_refused() -> None:
    for settings in ({"input_size": 32, "output_size": 9, "block_num": 4}, {"block_num": 2},
                     {"input_size": 32, "output_size": 4, "block_num": 2}):  # fmt: skip
        with pytest.raises(ArgumentError):
            space("MobileNetV1BlockSpace", settings).token2arch()


def test_a_search_finds_what_is_rewarded() -> None:
    search = SANAS(["ResNetSpace"], init_temperature=0.1, save_checkpoint=None, seed=3)
    for _ in range(300):
        try:
            search.next_archs()
        except ArgumentError:  # nothing near the best is left
            break
        tokens = search.current_info()["current_tokens"]
        search.reward(-float(sum(tokens)))
    info = search.current_info()
    assert info["best_reward"] == -sum(info["best_tokens"])
    assert info["best_reward"] >= -4  # it begins at -17


def test_a_search_goes_on_from_its_folder(tmp_path: Path) -> None:
    folder = str(tmp_path / "kept")
    first = SANAS(["ResNetSpace"], save_checkpoint=folder, seed=0)
    for step in range(3):
        first.next_archs()
        first.reward(float(step))
    second = SANAS(["ResNetSpace"], save_checkpoint=None, load_checkpoint=folder, search_steps=4)
    assert second.current_info()["best_tokens"] == first.current_info()["best_tokens"]
    second.next_archs()
    second.reward(0.0)
    with pytest.raises(ArgumentError, match="search_steps"):
        second.next_archs()
    Path(folder, "sanas.checkpoints").write_text(json.dumps({"_tokens": []}))
    with pytest.raises(FileError, match="lacks"):
        SANAS(["ResNetSpace"], load_checkpoint=folder)
    with pytest.raises(FileError):
        SANAS(["ResNetSpace"], load_checkpoint=str(tmp_path))


def test_bad_steps_of_a_search_are_refused() -> None:
    search = SANAS(["ResNetSpace"], save_checkpoint=None, seed=0)
    with pytest.raises(ArgumentError, match="next_archs"):
        search.reward(1.0)
    search.next_archs()
    with pytest.raises(ArgumentError, match="finite"):
        search.reward(float("nan"))
    assert search.reward(1.0)
    with pytest.raises(UnsupportedError, match="one process"):
        SANAS(["ResNetSpace"], is_server=False)
    with pytest.raises(ArgumentError, match="below"):
        SANAS(["ResNetSpace"], init_tokens=[9] * 8, save_checkpoint=None)


def test_candidates_are_tried_once_within_bounds_and_constraints() -> None:
    controller = SAController(
        ([1, 0], [3, 2]), init_tokens=[1, 0], constrain_func=lambda t: t != [2, 1], seed=1
    )
    seen = []
    for step in range(3):
        seen.append(tuple(controller.next_tokens()))
        controller.update(list(seen[-1]), 1.0, step)
    assert len(set(seen)) == 3
    assert (2, 1) not in seen
    with pytest.raises(ArgumentError, match="end the search"):
        controller.next_tokens()
    for table in (([0], [0]), ([0, 1], [2]), [0, 3]):
        with pytest.raises(ArgumentError):
            SAController(table)


def test_worse_tokens_are_taken_while_it_is_hot_only() -> None:
    taken = []
    for heat in (1e6, 1e-6):
        controller = SAController(([0], [50]), 1.0, heat, init_tokens=[0], reward=10.0, seed=0)
        controller.update([7], 1.0, 1)
        taken.append(controller.state()["_tokens"])
    assert taken == [[7], [0]]


def test_trainings_that_fall_behind_are_ended() -> None:
    stop = MedianStop(None, start_epoch=2)
    for name, results in (("a", [0.2, 0.4, 0.6]), ("b", [0.4, 0.6, 0.8])):
        assert {stop.get_status(name, x, 3) for x in results} == {"GOOD"}
    assert stop.get_status("c", 0.0, 3) == "GOOD"  # before start_epoch
    assert stop.get_status("c", 0.1, 3) == "BAD"
    less = MedianStop(None, 1, mode="minimize")
    assert [less.get_status(n, x, 1) for n, x in enumerate([0.5, 0.9])] == ["GOOD", "BAD"]
    with pytest.raises(ArgumentError, match="maxmize"):
        MedianStop(None, 1, mode="most")  # type: ignore[arg-type]  # refused
