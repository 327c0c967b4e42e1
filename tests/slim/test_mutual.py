"""Networks that teach each other, and the configs of teachers in files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, FileError
from twinoar.slim.dist import DML
from twinoar.slim.dygraph.dist import config2yaml, yaml2config


def both() -> DML:
    paddle.seed(3)
    return DML([paddle.nn.Linear(6, 4), paddle.nn.Linear(6, 4)])


def data() -> tuple[paddle.Tensor, paddle.Tensor]:
    random = np.random.default_rng(0)
    x = random.standard_normal((16, 6)).astype("f4")
    return paddle.to_tensor(x), paddle.to_tensor(x[:, :4].argmax(1)[:, None])


def test_losses_are_cross_entropy_and_mean_divergence_from_the_others() -> None:
    networks = DML([paddle.nn.Linear(6, 4) for _ in range(3)])
    x, labels = data()
    logits = networks(x)
    shares = [np.exp(v.numpy()) / np.exp(v.numpy()).sum(1, keepdims=True) for v in logits]
    for n, found in enumerate(networks.loss(logits, labels)):
        right = np.take_along_axis(shares[n], labels.numpy(), 1)
        others = [p for k, p in enumerate(shares) if k != n]
        apart = [(p * np.log(p / shares[n])).sum(1).mean() for p in others]
        np.testing.assert_allclose(float(found), -np.log(right).mean() + np.mean(apart), rtol=1e-4)


def test_they_learn_together() -> None:
    networks = both()
    x, labels = data()
    optimizers = networks.opt(
        [paddle.optimizer.Adam(0.05, parameters=m.parameters()) for m in networks.model]
    )
    for _ in range(60):
        optimizers.minimize(networks.loss(networks(x), labels))
    assert [float(a) for a in networks.acc(networks(x), labels, 1)] == [1.0, 1.0]
    assert optimizers.get_lr() == [0.05, 0.05]
    assert not any(p.grad.numpy().any() for p in networks.parameters())


def test_no_gradient_goes_into_those_that_teach() -> None:
    networks = both()
    first, _ = networks.kl_loss(networks(data()[0]))
    first.backward()
    assert networks.model[0].weight.grad is not None
    assert networks.model[1].weight.grad is None


def test_one_network_learns_by_labels_alone() -> None:
    alone = DML([paddle.nn.Linear(6, 4)])
    x, labels = data()
    assert alone.kl_loss(alone(x)) == []
    (loss,) = alone.loss(alone(x), labels)
    np.testing.assert_allclose(float(loss), float(alone.ce_loss(alone(x), labels)[0]))


def test_numbers_of_networks_must_agree() -> None:
    with pytest.raises(ArgumentError, match="no network"):
        DML([])
    networks = both()
    with pytest.raises(ArgumentError, match="2 networks have 1"):
        networks.opt([paddle.optimizer.SGD(0.1, parameters=networks.parameters())])
    with pytest.raises(ArgumentError, match="give 1"):
        networks.kl_loss([paddle.ones([2, 4])])


@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_configs_of_teachers_go_through_files(ending: str, tmp_path: Path) -> None:
    configs = [{"layers": [{"layers_name": ["a", "b"], "loss_function": "MSELoss"}]}]
    file = str(tmp_path / f"distill.{ending}")
    config2yaml(configs, file)
    assert yaml2config(file) == configs
    Path(file).write_text("{}" if ending == "json" else "a: 1")
    Path(tmp_path, "other.json").write_text('{"a": 1}')
    with pytest.raises(FileError, match="DistillConfig"):
        yaml2config(str(tmp_path / "other.json"))
    with pytest.raises(FileError):
        yaml2config(str(tmp_path / "none.yaml"))
