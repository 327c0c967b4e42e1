"""The two versions: twinoar's own, and that of the API it speaks."""

from __future__ import annotations

import importlib.metadata
import re

import pytest

from twinoar import version


def test_the_package_carries_twinoars_own_version() -> None:
    assert importlib.metadata.version("twinoar") == version.__version__


def test_the_parts_make_the_full_version() -> None:
    parts = (version.major, version.minor, version.patch)
    assert ".".join(parts) == version.full_version
    assert re.fullmatch(r"\d+\.\d+\.\d+", version.full_version)


def test_show_prints_both(capsys: pytest.CaptureFixture[str]) -> None:
    version.show()
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == f"full_version: {version.full_version}"
    assert printed[-1] == f"twinoar: {version.__version__}"


def test_what_is_not_there_is_told_as_paddle_tells_it() -> None:
    assert version.cuda() == version.cudnn() == version.xpu() == version.xpu_xre() == "False"
    assert (version.nccl(), version.tensorrt(), version.cuda_archs()) == ("0", "None", [])
    assert version.hip is None
