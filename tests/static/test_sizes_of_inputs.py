"""An input whose shape alone matters is fed as one that is read."""

from __future__ import annotations

import numpy as np

import twinoar
from twinoar import static


def test_an_input_that_nobody_reads_tells_its_size() -> None:
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [None, 2])
        found = twinoar.full([x.shape[0], 3], 2.0)
    (array,) = static.Executor().run(
        main, feed={"x": np.zeros((4, 2), "float32")}, fetch_list=[found]
    )
    assert array.tolist() == [[2.0] * 3] * 4
