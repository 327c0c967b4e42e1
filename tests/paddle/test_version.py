"""The version that twinoar serves is that of the real Paddle it is compared with."""

from __future__ import annotations

import pytest

from twinoar import version


def test_the_served_version_is_the_real_one(paddle_3) -> None:
    code = "v = paddle.version; answer([paddle.__version__, v.major, v.minor, v.patch, v.rc])"
    served = [version.full_version, version.major, version.minor, version.patch, version.rc]
    assert paddle_3(code) == served


def test_cuda_reads_as_in_a_real_paddle_without_it(paddle_3) -> None:
    code = "answer([str(paddle.version.cuda()), paddle.version.cudnn()])"
    assert paddle_3(code) == [version.cuda(), version.cudnn()]


def test_code_that_fails_in_the_real_paddle_fails_the_test(paddle_2) -> None:
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        paddle_2("1 / 0")
