"""The lists that `auto_cast` is held against are those of the real Paddle."""

from tests.amp.paddle_lists import BLACK_O1, BLACK_O2, WHITE

LISTS = """
from paddle.amp.amp_lists import black_list, white_list
answer({
    dtype: {
        kind: {level: sorted(table()[dtype][level]) for level in ("OD", "O1", "O2")}
        for kind, table in (("white", white_list), ("black", black_list))
    }
    for dtype in ("float16", "bfloat16")
})
"""


def test_lists_are_those_of_paddle_3(paddle_3):
    found = paddle_3(LISTS)
    assert {frozenset(found["bfloat16"]["white"][level]) for level in ("OD", "O1", "O2")} == {WHITE}
    for dtype in ("float16", "bfloat16"):
        assert set(found[dtype]["white"]["O1"]) >= WHITE
        assert found[dtype]["black"] == {
            "OD": [],
            "O1": sorted(BLACK_O1),
            "O2": sorted(BLACK_O2),
        }
