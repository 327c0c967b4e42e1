"""Unknown sizes: arithmetic in a normal form."""

import pytest

from twinoar.core.dim import differ, evaluate, max_dim, parse_dim, substitute_dim, symbol
from twinoar.errors import ShapeError

N, M = symbol("N"), symbol("M")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (N + 0, N),
        (N * 2 // 2, N),
        (N * 784 // 784, N),
        (N * M // M, N),
        (N - N, 0),
        ((N + 1) * (N + 1), N * N + 2 * N + 1),
        ((2 * N + 4) // 2, N + 2),
        (N * 6 % 3, 0),
        (0 * N, 0),
        (3 - N, -N + 3),
        (max_dim(N, N), N),
        (max_dim(N, max_dim(M, N)), max_dim(N, M)),
        (max_dim(3, 5), 5),
        (max_dim(max_dim(N - 1, 0) - 1, 0), max_dim(N - 2, 0)),
        (max_dim(0, max_dim(2, N) - 5), max_dim(N - 5, 0)),
    ],
    ids=str,
)
def test_equal_expressions_have_one_form(expression, expected):
    assert str(expression) == str(expected)
    assert expression == expected


@pytest.mark.parametrize(
    "dim", [N, 2 * N + 1, (N + 2 - 3) // 2 + 1, max_dim(N, M), N % 3, N * M, -N + 7], ids=str
)
def test_text_reads_back(dim):
    assert parse_dim(str(dim)) == dim
    sizes = {"N": 11, "M": 4}
    assert evaluate(parse_dim(str(dim)), sizes) == evaluate(dim, sizes)


def test_evaluation_follows_integers():
    assert evaluate((N + 2 - 3) // 2 + 1, {"N": 28}) == (28 + 2 - 3) // 2 + 1
    assert evaluate(N % 3 + max_dim(N, M), {"N": 4, "M": 9}) == 10


def test_unknown_name_is_an_error():
    with pytest.raises(ShapeError, match="size M is not known"):
        evaluate(N + M, {"N": 1})


def test_size_is_no_number_yet():
    with pytest.raises(ShapeError, match="not known before the program runs"):
        int(N)


def test_minus_one_is_paddles_spelling():
    assert N == -1 and N != 3


def test_substitution():
    assert substitute_dim(2 * N + 1, {"N": M + 1}) == 2 * M + 3
    assert substitute_dim(2 * N + 1, {"N": 0}) == 1


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (2, 3, True),
        (3, 3, False),
        (N, M, False),
        (N, 1, False),
        (N, N + 1, True),
        (N + 2, 1, True),
        (0, 2 * N + 1, True),
        (max_dim(N, M), N, False),
    ],
    ids=str,
)
def test_sizes_differ_where_they_do_for_all_values_of_the_names(a, b, expected):
    assert differ(a, b) is expected
    assert differ(b, a) is expected


def test_an_expression_may_be_known_where_its_names_are_not():
    assert evaluate(2 * max_dim(N, M) + 1, {"2*max(M,N)+1": 7}) == 7
