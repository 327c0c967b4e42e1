"""Workers with servers train as one process does: in step, each by itself, between meetings."""

import numpy as np
import pytest

import twinoar as paddle
from tests.distributed.ps.jobs import alone, trained
from twinoar import optimizer

RULES = {
    "sgd": lambda: optimizer.SGD(0.1),
    "adagrad": lambda: optimizer.Adagrad(0.1),
    "adam": lambda: optimizer.Adam(0.05, lazy_mode=True),
    "decayed": lambda: optimizer.AdamW(0.05, lazy_mode=True, weight_decay=0.0),
}
NAMES = ("losses", "emb", "fc.w_0", "fc.b_0")


@pytest.mark.parametrize("rule", RULES)
def test_two_workers_in_step_are_one_process(rule: str) -> None:
    one, two = alone(RULES[rule]), trained(RULES[rule])
    for name in NAMES:
        # sums of two halves round otherwise than sums of the whole; Adam divides by their root
        np.testing.assert_allclose(two[name], one[name], rtol=1e-4, atol=2e-6, err_msg=name)


@pytest.mark.parametrize("rule", ["sgd", "adam"])
def test_one_worker_in_step_is_one_process(rule: str) -> None:
    one, other = alone(RULES[rule]), trained(RULES[rule], workers=1)
    for name in NAMES:  # a compiled step rounds otherwise than one in parts does, in the last bit
        np.testing.assert_allclose(other[name], one[name], rtol=1e-6, atol=1e-7, err_msg=name)


def test_runs_repeat_to_the_bit_and_do_not_depend_on_the_number_of_servers() -> None:
    runs = [trained(RULES["adam"], servers=servers) for servers in (2, 2, 3)]
    for name in NAMES:
        for run in runs[1:]:
            np.testing.assert_array_equal(run[name], runs[0][name], err_msg=name)


@pytest.mark.parametrize("mode", ["async", "geo"])
def test_workers_that_do_not_wait_learn_the_same_task(mode: str) -> None:
    one, two = alone(RULES["adam"], steps=60), trained(RULES["adam"], mode, steps=60)
    assert two["losses"][-10:].mean() < 0.5 * one["losses"][:2].mean()


@pytest.mark.parametrize("mode", ["async", "geo"])
def test_one_worker_alone_is_one_process_however_it_goes_on(mode: str) -> None:
    one, other = alone(RULES["sgd"]), trained(RULES["sgd"], mode, workers=1, every=3)
    for name in NAMES:  # in geo mode differences are added up, which rounds
        np.testing.assert_allclose(other[name], one[name], rtol=1e-5, atol=1e-6, err_msg=name)


def test_a_worker_clips_its_own_gradient() -> None:
    def clipped() -> optimizer.Optimizer:
        return optimizer.SGD(0.1, grad_clip=paddle.nn.ClipGradByGlobalNorm(0.1))

    one, other = alone(clipped), trained(clipped, workers=1)
    np.testing.assert_allclose(other["emb"], one["emb"], rtol=1e-5, atol=1e-7)
