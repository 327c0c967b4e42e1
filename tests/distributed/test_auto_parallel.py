"""Tensors, layers and networks on a mesh of one process are whole."""

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError, UnsupportedError

MESH = dist.ProcessMesh([0], dim_names=["x"])


def test_a_mesh_names_its_dimensions():
    mesh = dist.ProcessMesh([[0, 1], [2, 3]], ["a", "b"])
    assert (mesh.shape, mesh.ndim, mesh.process_ids) == ([2, 2], 2, [0, 1, 2, 3])
    assert (mesh.get_dim_size("a"), mesh.get_dim_size(1)) == (2, 2)
    assert (mesh[0].process_ids, mesh[0].dim_names) == ([0, 1], ["b"])
    assert (mesh[:, 0].process_ids, mesh[:, 0].dim_names) == ([0, 2], ["a"])
    assert (mesh[0, 1].process_ids, mesh[0, 1].shape) == ([1], [1])
    assert mesh.get_mesh_with_dim("b").mesh.tolist() == [[0, 2], [1, 3]]
    assert mesh.get_mesh_with_dim("b", 0).process_ids == [0, 2]
    assert mesh.get_submesh_with_dim("a").process_ids == [0, 2]
    assert mesh.get_rank_by_dim_and_process_id("a", 3) == 1
    assert mesh.get_rank_by_dim_and_process_id("a", 7) == -1
    assert str(mesh) == "shape [2, 2], process_ids [0, 1, 2, 3], dim_names ['a', 'b']"
    assert mesh == dist.ProcessMesh(shape=[2, 2], process_ids=[0, 1, 2, 3])
    assert dist.ProcessMesh([[0]]).dim_names == ["d0", "d1"]
    assert MESH.get_group().ranks == [0]
    with pytest.raises(ArgumentError, match="of this world are 0 to 0"):
        mesh.get_group("a")


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({}, ArgumentError),
        ({"mesh": [0], "dim_names": ["a", "b"]}, ArgumentError),
        ({"mesh": [0, 0]}, ArgumentError),
        ({"mesh": [-1]}, ArgumentError),
        ({"mesh": ["a"]}, ArgumentError),
        ({"mesh": "a"}, TypeMismatchError),
        ({"mesh": [0], "dim_names": [3]}, TypeMismatchError),
    ],
)
def test_what_is_no_mesh_is_told(given, error):
    with pytest.raises(error):
        dist.ProcessMesh(**given)


def test_placements_are_values():
    shard, partial = dist.Shard(1), dist.Partial(dist.ReduceType.kRedMax)
    assert (shard.get_dim(), shard.is_shard(), shard.is_shard(1), shard.is_shard(0)) == (
        1, True, True, False,
    )  # fmt: skip
    assert shard == dist.Shard(1) != dist.Shard(0)
    assert hash(shard) == hash(dist.Shard(1))
    assert shard != dist.Replicate()
    assert partial.reduce_type() == 1
    assert (partial.is_partial(), dist.Replicate().is_replicated()) == (True, True)
    assert repr([shard, partial, dist.Replicate(), dist.Partial()]) == (
        "[Shard(dim=1), Partial(reduce_type=MAX), Replicate(), Partial(reduce_type=SUM)]"
    )
    assert isinstance(shard, dist.Placement)
    with pytest.raises(TypeMismatchError):
        dist.Shard("x")


def test_a_tensor_on_a_mesh_is_a_copy_that_says_how_it_lies():
    x = paddle.ones([2, 2])
    x.stop_gradient = False
    found = dist.shard_tensor(x, MESH, [dist.Shard(0)])
    assert found is not x
    assert (found.is_dist(), x.is_dist()) == (True, False)
    assert (found.placements, found.process_mesh) == ([dist.Shard(0)], MESH)
    assert (x.placements, x.process_mesh) == (None, None)
    assert found._local_value().tolist() == [[1.0, 1.0]] * 2
    (found * 2).sum().backward()
    assert x.grad is None
    assert found.grad.tolist() == [[2.0, 2.0]] * 2
    assert dist.shard_tensor([1, 2], MESH, [], dtype="float64").dtype == paddle.float64
    assert not dist.shard_tensor([1.0], MESH, [], stop_gradient=False).stop_gradient


def test_a_parameter_on_a_mesh_is_itself():
    layer = paddle.nn.Linear(2, 2)
    assert dist.shard_tensor(layer.weight, MESH, [dist.Replicate()]) is layer.weight
    assert layer.weight.is_dist()


def test_resharding_keeps_values_and_gradients():
    x = dist.shard_tensor([1.0, 2.0], MESH, [dist.Shard(0)], stop_gradient=False)
    y = dist.reshard(x, MESH, [dist.Partial()])
    assert y.placements == [dist.Partial()]
    (dist.unshard_dtensor(y) * 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]
    assert dist.dtensor_from_fn(paddle.ones, MESH, [dist.Replicate()], shape=[2]).is_dist()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: dist.shard_tensor([1.0], dist.ProcessMesh([0, 1]), []), UnsupportedError),
        (lambda: dist.shard_tensor([1.0], 3, []), TypeMismatchError),
        (lambda: dist.shard_tensor([1.0], MESH, [0]), TypeMismatchError),
        (lambda: dist.shard_tensor([1.0], MESH, [dist.Shard(1)]), ArgumentError),
        (lambda: dist.shard_tensor([1.0], MESH, [dist.Shard(0)] * 2), ArgumentError),
        (lambda: dist.set_mesh(3), TypeMismatchError),
        (lambda: dist.DistAttr(MESH, ["y"]), ArgumentError),
        (lambda: dist.shard_layer(3, MESH), TypeMismatchError),
        (lambda: dist.shard_optimizer(3), TypeMismatchError),
        (lambda: dist.shard_optimizer(sgd(), gradient_accumulation_steps=2), UnsupportedError),
        (lambda: dist.fsdp.fully_shard(paddle.nn.Linear(2, 2), mp_policy=1), UnsupportedError),
        (lambda: dist.passes.new_pass("fuse"), UnsupportedError),
        (lambda: dist.to_distributed(3, 3, 3, device_num=2), UnsupportedError),
        (lambda: dist.parallelize(paddle.nn.Linear(2, 2), config={"tp": 1}), ArgumentError),
        (lambda: dist.Strategy({"amps": {}}), ArgumentError),
        (lambda: dist.Strategy({"amp": {"levels": 1}}), ArgumentError),
    ],
)
def test_what_needs_more_processes_or_is_wrong_is_told(call, error):
    with pytest.raises(error):
        call()


def sgd():
    return paddle.optimizer.SGD(0.1, parameters=paddle.nn.Linear(2, 2).parameters())


def test_a_layer_on_a_mesh_is_itself_with_its_functions():
    layer, seen = paddle.nn.Sequential(paddle.nn.Linear(2, 2)), []
    found = dist.shard_layer(
        layer,
        MESH,
        lambda name, sublayer, mesh: seen.append(name),
        lambda inputs, mesh: (inputs[0] * 0,),
        lambda outputs, mesh: outputs + 1,
    )
    assert found is layer
    assert seen == ["", "0"]
    assert all(p.is_dist() for p in layer.parameters())
    assert layer(paddle.ones([1, 2])).tolist() == [[1.0, 1.0]]


def test_wrappers_of_training_give_back_what_they_get():
    optimizer = sgd()
    loader = paddle.io.DataLoader([(np.ones(2, "float32"),)] * 4, batch_size=2)
    scaler = paddle.amp.GradScaler(enable=False)
    stage = dist.ShardingStage1("x", MESH)
    assert dist.shard_optimizer(optimizer, stage) is optimizer
    assert dist.shard_dataloader(loader, MESH, shard_dims="x") is loader
    assert dist.shard_scaler(scaler) is scaler
    assert dist.to_distributed(1, 2, 3, 1) == (1, 2, 3)
    add = dist.local_map(lambda a, b: a + b, [[dist.Replicate()]], process_mesh=MESH)
    assert add(1, 2) == 3


def test_plans_prepare_inputs_and_outputs():
    model = paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 2))
    double = dist.PrepareLayerInput(lambda mesh: lambda layer, inputs: (inputs[0] * 0,))
    config = {"mp_config": {"parallelize_plan": {"0": [dist.ColWiseParallel(), double]}}}
    found, _ = dist.parallelize(model, None, MESH, config)
    assert found is model
    x = paddle.rand([3, 2])
    expected = model[1](model[0].bias.expand([3, 2]))
    np.testing.assert_array_equal(model(x).numpy(), expected.numpy())
    with pytest.warns(UserWarning, match="no config"):
        dist.parallelize(model)
    with pytest.warns(UserWarning, match="no layer"):
        plan = {"parallelize_plan": {"9": dist.RowWiseParallel()}}
        dist.parallelize(model, mesh=MESH, config={"mp_config": plan})


def trained(step):
    paddle.seed(3)
    network = paddle.nn.Linear(3, 1)
    optimizer = paddle.optimizer.Adam(0.1, parameters=network.parameters())
    x, y = paddle.rand([4, 3]), paddle.rand([4, 1])
    return step(network, optimizer, x, y)


def test_a_dist_model_trains_as_the_network():
    def plain(network, optimizer, x, y):
        losses = []
        for _ in range(3):
            loss = paddle.nn.functional.mse_loss(network(x), y)
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            losses.append(loss.item())
        return losses, network(x).numpy()

    def called(network, optimizer, x, y):
        model = dist.to_static(network, None, paddle.nn.MSELoss(), optimizer)
        losses = [model(x, y).item() for _ in range(3)]
        model.eval()
        assert model(x, y).item() < losses[0]
        assert {"weight", "bias"} < model.state_dict().keys()
        assert set(model.state_dict("param")) == {"weight", "bias"}
        model.predict()
        return losses, model(x).numpy()

    losses, outputs = trained(called)
    expected, expected_outputs = trained(plain)
    np.testing.assert_allclose(losses, expected, rtol=1e-5)
    np.testing.assert_allclose(outputs, expected_outputs, rtol=1e-5)


def test_a_dist_model_says_what_it_lacks():
    model = dist.to_static(paddle.nn.Linear(2, 2))
    with pytest.raises(ProgramError, match="needs a loss"):
        model.train()
    with pytest.raises(UnsupportedError):
        model.dist_main_program()
    strategy = dist.Strategy({"amp": {"enable": True}})
    with pytest.raises(UnsupportedError, match=r"Strategy\.amp"):
        dist.to_static(paddle.nn.Linear(2, 2), strategy=strategy)
