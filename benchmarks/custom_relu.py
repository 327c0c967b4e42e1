"""The relu of the custom operators' tutorial in each way, beside the built-in one, in the same run.

`eager`: forward and backward of one call. `compiled`: the same in a static Program with its
gradient. py_func runs NumPy between the operators around it; an expression is compiled as the
built-in relu is. C++ is measured where a compiler is installed.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from turns import THREADS, measure, serve, table

WAYS = ("built-in", "expression", "py_func", "C++")
WORKS = ("forward", "eager", "compiled")
SOURCE = Path(__file__).with_name("custom_relu.cc")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--way", choices=WAYS, help="serve this way; without it, measure all")
    parser.add_argument("--elements", type=int, default=1 << 20, help="elements of the operand")
    parser.add_argument("--blocks", type=int, default=7, help="blocks per way after a warm-up")
    parser.add_argument("--seconds", type=float, default=0.3, help="length of a block")
    given = parser.parse_args()
    if given.way:
        serve_way(given.way, given.elements)
        return
    ways = [w for w in WAYS if w != "C++" or (SOURCE.exists() and shutil.which("c++"))]
    own = [sys.executable, __file__, "--elements", str(given.elements), "--way"]
    medians = measure([[*own, way] for way in ways], WORKS, given.blocks, given.seconds)
    print(
        f"{given.elements} elements, {THREADS} threads, median of {given.blocks} blocks of about "
        f"{given.seconds} s, in turns"
    )
    print(table(medians, reference="built-in"))


def serve_way(way: str, elements: int) -> None:
    """Answer for one way."""
    import numpy as np

    import twinoar as paddle

    relu = relus()[way]()
    array = np.random.default_rng(0).standard_normal(elements).astype("float32")
    x, g = paddle.to_tensor(array, stop_gradient=False), paddle.to_tensor(array)

    def forward() -> object:
        return relu(x)

    def eager() -> None:
        relu(x).backward(g)
        x.clear_grad()

    def compiled() -> Callable[[], object]:
        paddle.enable_static()
        program = paddle.static.Program()
        with paddle.static.program_guard(program, paddle.static.Program()):
            fed = paddle.static.data("x", [elements])
            fed.stop_gradient = False
            (gradient,) = paddle.static.gradients([relu(fed) * 2.0], [fed])
        paddle.disable_static()
        executor = paddle.static.Executor()
        return lambda: executor.run(
            program, feed={"x": array}, fetch_list=[gradient], return_numpy=False
        )

    serve(way, {"forward": lambda: forward, "eager": lambda: eager, "compiled": compiled})


def relus() -> dict[str, Callable[[], Callable]]:
    """What makes the relu of each way."""
    import numpy as np

    import twinoar as paddle
    from twinoar import custom
    from twinoar.custom import language as s

    def by_expression() -> Callable:
        @custom.elementwise
        def my_relu(x):
            return s.select(x <= 0, 0, x)

        return my_relu

    def by_py_func() -> Callable:
        def forward(x):
            return np.maximum(x, 0)

        def backward(y, dy):
            return dy * (y > 0)

        def relu(x):
            out = paddle.static.InputSpec(x.shape)
            return paddle.static.py_func(forward, x, out, backward, x)

        return relu

    def by_compiler() -> Callable:
        from twinoar.utils import cpp_extension

        return cpp_extension.load(name="custom_relu", sources=[str(SOURCE)]).custom_relu

    return {
        "built-in": lambda: paddle.nn.functional.relu,
        "expression": by_expression,
        "py_func": by_py_func,
        "C++": by_compiler,
    }


if __name__ == "__main__":
    main()
