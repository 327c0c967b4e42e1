"""Single weights of Programs become 0, and sensitivities and ratios of Programs are searched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.errors import ArgumentError, FileError, UnknownNameError, UnsupportedError
from twinoar.slim import analysis
from twinoar.slim.prune import (
    AutoPruner,
    GMPUnstructuredPruner,
    Pruner,
    UnstructuredPruner,
    get_ratios_by_loss,
    load_model,
    load_sensitivities,
    merge_sensitive,
    save_model,
    sensitivity,
)

IMAGE = [None, 3, 8, 8]


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    with static.scope_guard(static.Scope()):
        yield
    paddle.disable_static()


class Built:
    """A Program with its values in the global scope, before its optimizer comes."""

    def __init__(self) -> None:
        self.main, self.startup = static.Program(), static.Program()
        self.main.random_seed = self.startup.random_seed = 4
        conv, norm = static.nn.conv2d, static.nn.batch_norm
        with paddle.utils.unique_name.guard(), static.program_guard(self.main, self.startup):
            x = static.data("x", IMAGE)
            h = norm(conv(x, 8, 3, padding=1), act="relu")
            h = conv(h, 8, 1, act="relu")
            self.y = static.nn.fc(conv(h, 6, 3), 4)
            self.test = self.main.clone(for_test=True)
            self.loss = (self.y**2).mean()
        self.executor = static.Executor()
        self.executor.run(self.startup)
        self.weights = [p.name for p in self.main.all_parameters() if len(p.shape) == 4]

    def run(self, program: Any, fetch: Any = None) -> np.ndarray:
        x = np.random.default_rng(1).normal(size=(2, 3, 8, 8)).astype("float32")
        fetched = [(self.y if fetch is None else fetch).name]
        return self.executor.run(program, feed={"x": x}, fetch_list=fetched)[0]

    def train(self, pruner: Any, steps: int) -> None:
        with static.program_guard(self.main, self.startup):
            optimizer = paddle.optimizer.SGD(0.01)
            optimizer.minimize(self.loss, no_grad_set=pruner.no_grad_set)
        for _ in range(steps):
            self.run(self.main, self.loss)
            pruner.step()
        pruner.update_params()


def value(name: str) -> np.ndarray:
    return np.array(static.global_scope().find_var(name))


@pytest.mark.parametrize("local", [False, True])
def test_a_share_of_weights_is_0_after_training(local: bool) -> None:
    built = Built()
    pruner = UnstructuredPruner(built.main, "ratio", ratio=0.5, local_sparsity=local)
    built.train(pruner, 3)
    zeros = [float((value(n) == 0).mean()) for n in pruner.masks]
    sizes = [value(n).size for n in pruner.masks]
    assert np.average(zeros, weights=sizes) == pytest.approx(0.5, abs=0.01)
    assert not local or zeros == pytest.approx([0.5] * len(zeros), abs=0.01)
    assert all("norm" not in name for name in pruner.masks)
    assert pruner.sparse_by_layer(built.test)[built.weights[0]] == pytest.approx(zeros[0])


def test_runs_read_masked_weights_before_values_change() -> None:
    built = Built()
    pruner = UnstructuredPruner(built.main, "ratio", ratio=0.5)
    whole = built.run(built.test)
    pruner.step()
    assert UnstructuredPruner.total_sparse_conv1x1(built.test) == 0
    masked = built.run(built.main.clone(for_test=True))
    np.testing.assert_array_equal(built.run(built.test), whole)
    pruner.update_params()
    assert np.abs(masked - whole).max() > 0
    np.testing.assert_allclose(built.run(built.test), masked, rtol=1e-5, atol=1e-6)


def test_masks_of_zeros_let_zeros_stay() -> None:
    built = Built()
    kept = value(built.weights[0])
    kept[::2] = 0
    static.global_scope().var(built.weights[0]).set(kept)
    pruner = UnstructuredPruner(built.main, "threshold", threshold=0.0)
    pruner.set_static_masks()
    with static.program_guard(built.main, built.startup):
        paddle.optimizer.SGD(0.1).minimize(built.loss)
    for _ in range(3):
        built.run(built.main, built.loss)
    pruner.update_params()
    found = value(built.weights[0])
    assert (found[::2] == 0).all()
    assert (found[1::2] != kept[1::2]).any()


def test_the_share_grows_by_the_schedule_of_layers() -> None:
    built = Built()
    configs = {
        "stable_iterations": 2,
        "pruning_iterations": 24,
        "tunning_iterations": 2,
        "resume_iteration": 0,
        "pruning_steps": 2,
        "initial_ratio": 0.1,
    }
    pruner = GMPUnstructuredPruner(built.main, ratio=0.6, configs=configs)
    shares = []
    for _ in range(28):
        pruner.step()
        shares.append(pruner.ratio)
    assert shares[0] == 0
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(0.6)
    with pytest.raises(ArgumentError, match="pruning_steps"):
        GMPUnstructuredPruner(built.main, configs={"stable_iterations": 0})


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"mode": "share"}, UnknownNameError),
        ({"mode": "ratio", "ratio": 1.0}, ArgumentError),
        ({"mode": "ratio", "prune_params_type": "all"}, UnknownNameError),
        ({"mode": "ratio", "skip_params_func": lambda p: [x.name for x in p.all_parameters()]},
         ArgumentError),
    ],
)  # fmt: skip
def test_bad_settings_change_nothing(given: dict[str, Any], error: type[Exception]) -> None:
    built = Built()
    before = str(built.main)
    with pytest.raises(error):
        UnstructuredPruner(built.main, **given)
    assert str(built.main) == before


def test_sensitivities_of_programs_are_kept_and_values_given_back(tmp_path: Path) -> None:
    built, file, asked = Built(), str(tmp_path / "sen.json"), []
    before = {p.name: value(p.name) for p in built.main.all_parameters()}

    def score(program: Any, scale: float) -> float:
        asked.append(program)
        return scale / (1 + float(np.square(built.run(program)).mean()))

    given = {"sensitivities_file": file, "pruned_ratios": [0.25, 0.5], "eval_args": [2.0]}
    found = sensitivity(built.test, None, built.weights[:2], score, **given)
    assert {n: sorted(x) for n, x in found.items()} == {n: [0.25, 0.5] for n in built.weights[:2]}
    assert all((value(n) == x).all() for n, x in before.items())
    count = len(asked)
    assert sensitivity(built.test, None, built.weights[:2], score, **given) == found
    assert len(asked) == count
    assert load_sensitivities(file) == found
    assert merge_sensitive([file, {"a": {0.1: 0.5}}]) == {**found, "a": {0.1: 0.5}}
    assert get_ratios_by_loss({"a": {0.1: 0.5}, "b": {0.1: 0.0}}, 0.1) == {"a": 0.0, "b": 0.1}


def test_values_are_given_back_where_a_score_fails() -> None:
    built = Built()
    before = value(built.weights[0])
    calls = iter([1.0])
    with pytest.raises(StopIteration):
        sensitivity(built.test, None, built.weights[:1], lambda program: next(calls))
    assert (value(built.weights[0]) == before).all()
    with pytest.raises(ArgumentError, match="is 0"):
        sensitivity(built.test, None, built.weights[:1], lambda program: 0.0)
    with pytest.raises(FileError):
        load_sensitivities(__file__)


def test_ratios_are_searched_within_flops_and_values_given_back() -> None:
    built = Built()
    before = {n: value(n) for n in built.weights}
    pruner = AutoPruner(
        built.test, static.global_scope(), None, built.weights, pruned_flops=0.3, seed=0
    )
    whole = analysis.flops(built.test)
    for _ in range(4):
        pruned, test = pruner.prune(built.test, built.test)
        assert analysis.flops(pruned) <= 0.7 * whole
        assert test is not None
        assert built.run(pruned).shape == (2, 4)
        pruner.reward(float(-analysis.flops(pruned)))
    assert set(pruner.best_ratios or {}) == set(built.weights)
    assert all((value(n) == x).all() for n, x in before.items())


def test_a_search_is_rewarded_once_and_in_one_process() -> None:
    built = Built()
    given = built.test, static.global_scope(), None, built.weights
    pruner = AutoPruner(*given, pruned_flops=0.2, seed=0)
    with pytest.raises(ArgumentError, match=r"prune\(program\)"):
        pruner.reward(1.0)
    pruner.prune(built.test)
    with pytest.raises(ArgumentError, match="reward"):
        pruner.prune(built.test)
    with pytest.raises(UnsupportedError):
        AutoPruner(*given, is_server=False)
    with pytest.raises(ArgumentError, match="ratios"):
        AutoPruner(*given, max_ratios=[0.5, 0.5])


def test_a_pruned_program_is_loaded_into_one_that_is_not(tmp_path: Path) -> None:
    built = Built()
    scope = static.global_scope()
    pruned, _, _ = Pruner().prune(built.test, scope, built.weights[:1], [0.5])
    wanted = built.run(pruned)
    save_model(built.executor, pruned, str(tmp_path / "pruned"))
    with static.scope_guard(static.Scope()):
        other = Built()
        load_model(other.executor, other.test, str(tmp_path / "pruned"))
        np.testing.assert_allclose(other.run(other.test), wanted, rtol=1e-6)
        with pytest.raises(FileError, match="save_model"):
            load_model(other.executor, other.test, str(tmp_path))
