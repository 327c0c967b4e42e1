"""Where the nodes of a picture stand."""

from twinoar.inspection.graph_layout import Place, layout


def forward_only(reads):
    return layout(["forward"] * len(reads), reads, {})


def test_a_chain_runs_down():
    assert forward_only([[], [0], [1]]) == [Place(0, 0), Place(1, 0), Place(2, 0)]


def test_branches_stand_side_by_side():
    places = forward_only([[], [0], [0], [1, 2]])
    assert [p.row for p in places] == [0, 1, 1, 2]
    assert places[1].column != places[2].column


def test_no_two_nodes_share_a_place():
    reads = [[], [0], [0], [0], [1, 2], [3, 4], [0, 5], [5], [5]]
    places = forward_only(reads)
    assert len(set(places)) == len(places)


def test_a_node_stands_below_what_it_reads():
    reads = [[], [], [0], [1, 2], [0, 3], [4], [1, 5]]
    places = forward_only(reads)
    assert all(places[n].row > places[m].row for n, found in enumerate(reads) for m in found)


def test_a_source_stands_just_above_its_reader():
    places = forward_only([[], [], [0], [2], [1, 3]])
    assert places[1].row == places[4].row - 1


def test_the_gradient_stands_at_the_height_of_its_operator():
    lanes = ["forward"] * 3 + ["backward"] * 3
    reads = [[], [0], [1], [2], [3, 1], [4, 0]]
    places = layout(lanes, reads, {2: 3, 1: 4, 0: 5})
    assert [places[n].row for n in (0, 1, 2)] == [places[n].row for n in (5, 4, 3)]
    assert min(p.column for p in places[3:]) > max(p.column for p in places[:3])


def test_forward_leaves_room_where_backward_has_more():
    lanes = ["forward"] * 2 + ["backward"] * 3
    places = layout(lanes, [[], [0], [1], [2], [3]], {1: 2, 0: 4})
    assert places[1].row - places[0].row == 2


def test_updates_stand_beside_their_gradients():
    lanes = ["forward", "backward", "optimize", "optimize"]
    places = layout(lanes, [[], [0], [1], [1]], {0: 1})
    assert places[2].row == places[3].row == places[1].row
    assert places[3].column > places[2].column > places[1].column


def test_an_empty_program_has_no_places():
    assert layout([], [], {}) == []
