"""Samples of neighbors, and new numbers for the nodes of a sample."""

import pytest

import twinoar as paddle
from twinoar import geometric
from twinoar.errors import ArgumentError, AxisError, ShapeError

ROW, COLPTR = paddle.to_tensor([1, 2, 3, 4, 0, 4]), paddle.to_tensor([0, 4, 6, 6, 6, 6])
NODES = paddle.to_tensor([1, 0, 2])


def test_all_neighbors_come_in_the_order_of_the_nodes():
    neighbors, count = geometric.sample_neighbors(ROW, COLPTR, NODES)
    assert (neighbors.tolist(), count.tolist()) == ([0, 4, 1, 2, 3, 4], [2, 4, 0])


def test_a_sample_draws_without_replacement_and_follows_the_seed():
    samples = []
    for seed in (1, 1, 2, 3, 4):
        paddle.seed(seed)
        out = geometric.sample_neighbors(ROW, COLPTR, NODES, 3, paddle.arange(6) * 10, True)
        neighbors, count, edges = (t.tolist() for t in out)
        assert count == [2, 3, 0]
        assert len(set(edges)) == 5
        assert neighbors == [ROW[e // 10].item() for e in edges]
        samples.append(edges)
    assert samples[0] == samples[1]
    assert len(set(map(tuple, samples))) > 1


def test_heavy_edges_are_drawn_more_often():
    paddle.seed(0)
    weight = paddle.to_tensor([0.01, 0.01, 10.0, 0.01, 1.0, 1.0])
    drawn = [
        geometric.weighted_sample_neighbors(ROW, COLPTR, weight, NODES[1:2], 1)[0].item()
        for _ in range(20)
    ]
    assert drawn.count(3) > 15


def test_edges_without_numbers_and_nodes_that_are_not_there_are_refused():
    with pytest.raises(ArgumentError, match="needs eids"):
        geometric.sample_neighbors(ROW, COLPTR, NODES, return_eids=True)
    with pytest.raises(AxisError, match="node 5 is not among the 5 nodes"):
        geometric.sample_neighbors(ROW, COLPTR, paddle.to_tensor([5]))


def test_kinds_of_edges_are_numbered_together():
    x, first, second = (paddle.to_tensor(v) for v in ([0, 5, 1], [8, 9, 0, 4, 7, 6, 7], [0, 2, 3]))
    counts = [paddle.to_tensor([2, 3, 2]), paddle.to_tensor([1, 2, 0])]
    source, destination, nodes = geometric.reindex_heter_graph(x, [first, second], counts)
    assert source.tolist() == [3, 4, 0, 5, 6, 7, 6, 0, 8, 9]
    assert destination.tolist() == [0, 0, 1, 1, 1, 2, 2, 0, 1, 1]
    assert nodes.tolist() == [0, 5, 1, 8, 9, 4, 7, 6, 2, 3]


def test_counts_that_do_not_fit_are_refused():
    with pytest.raises(ShapeError, match="for each of 2 nodes how many of the 1 neighbors"):
        geometric.reindex_graph(*(paddle.to_tensor(v) for v in ([0, 1], [1], [1, 1])))
