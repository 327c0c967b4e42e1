"""DataParallel in one process is the network that it holds."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import TypeMismatchError


@pytest.fixture
def network():
    return paddle.nn.Linear(2, 3)


def test_it_computes_what_the_network_does(network):
    parallel = paddle.DataParallel(network, find_unused_parameters=True)
    x = paddle.rand([4, 2])
    with parallel.no_sync():
        loss = parallel.scale_loss(parallel(x).sum())
    loss.backward()
    parallel.apply_collective_grads()
    np.testing.assert_array_equal(parallel(x).numpy(), network(x).numpy())
    np.testing.assert_allclose(network.weight.grad.numpy()[:, 0], x.numpy().sum(0), rtol=1e-6)


def test_the_state_has_the_names_of_the_network(network):
    parallel = paddle.DataParallel(network)
    assert list(parallel.state_dict()) == ["weight", "bias"]
    assert [name for name, _ in parallel.named_parameters()] == ["_layers.weight", "_layers.bias"]
    parallel.set_state_dict({"weight": paddle.ones([2, 3]), "bias": paddle.zeros([3])})
    assert network.weight.tolist() == [[1.0] * 3] * 2
    parallel.eval()
    assert not network.training


def test_a_group_of_one_is_kept(network):
    group = paddle.distributed.new_group([0])
    assert paddle.DataParallel(network, group=group).group is group


@pytest.mark.parametrize("given", [3, None, "network"])
def test_what_is_no_layer_is_refused(given):
    with pytest.raises(TypeMismatchError, match="DataParallel takes a Layer"):
        paddle.DataParallel(given)


def test_what_is_no_group_is_refused(network):
    with pytest.raises(TypeMismatchError, match="expected a Group"):
        paddle.DataParallel(network, group=object())
