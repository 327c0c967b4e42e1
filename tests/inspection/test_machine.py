"""The speeds that times are held against: measured once, then found on the disk."""

import pytest

from twinoar import config
from twinoar.backends.host import host
from twinoar.inspection import machine as module


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "COPIED", (1 << 14, 1 << 16))
    monkeypatch.setattr(module, "COPIES_BYTES", 1 << 18)
    monkeypatch.setattr(module, "ROUNDS", 2)
    with config.override(cache_dir=tmp_path):
        yield


def test_speeds_are_measured(own_cache):
    found = module.machine.__wrapped__(host())
    assert list(found.copies) == [1 << 15, 1 << 17]
    assert all(speed > 0 for speed in (*found.copies.values(), *found.peaks.values()))
    assert found.peaks.get("bfloat16", found.peaks["float32"]) >= found.peaks["float32"]


def test_speeds_are_measured_once(own_cache, monkeypatch):
    found = module.machine.__wrapped__(host())
    monkeypatch.setattr(module, "_copy_speed", None)
    assert module.machine.__wrapped__(host()) == found


def test_the_text_names_them():
    text = str(module.Machine({1 << 15: 2e11, 1 << 24: 2e10}, {"float32": 1e11}))
    assert text.startswith("copies, GB/s: 200 of 32 KiB, 20 of 16 MiB; GFLOP/s: 100 in float32; ")
