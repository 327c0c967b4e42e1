"""Record what Paddle 1.8.5 computes for `cases.txt`; run with it: python record.py > recorded.json.

With `signatures` as an argument it prints the signatures of all functions of its fluid.layers.
"""

import inspect
import json
import sys
from pathlib import Path

import numpy as np
from paddle import fluid

layers = fluid.layers


def weights(value):
    return fluid.ParamAttr(
        initializer=fluid.initializer.NumpyArrayInitializer(np.array(value, "float32"))
    )


def constant(value):
    return fluid.ParamAttr(initializer=fluid.initializer.Constant(value))


def record(case):
    main, startup, feeds = fluid.Program(), fluid.Program(), {}

    def tensor(value, dtype="float32"):
        array = np.array(value, dtype)
        name = f"x{len(feeds)}"
        feeds[name] = array
        found = fluid.data(name, array.shape, dtype)
        found.stop_gradient = False
        return found

    with fluid.program_guard(main, startup):
        out = eval(case, {"L": layers, "T": tensor, "W": weights, "C": constant, "np": np})
        results = list(out) if isinstance(out, (list, tuple)) else [out]
        fetches = [v for v in results if isinstance(v, fluid.framework.Variable)]
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(startup)
    return [
        [str(a.dtype), list(a.shape), a.reshape(-1).tolist()]
        for a in executor.run(main, feed=feeds, fetch_list=fetches)
    ]


def signatures():
    for name in sorted(dir(layers)):
        found = getattr(layers, name)
        if callable(found) and not name.startswith("_"):
            yield f"{name}{inspect.signature(found)}"


if __name__ == "__main__":
    if sys.argv[1:] == ["signatures"]:
        print("\n".join(signatures()))
        sys.exit()
    cases = Path(__file__).with_name("cases.txt").read_text().splitlines()
    recorded = {}
    for case in cases:
        try:
            recorded[case] = record(case)
        except Exception as error:
            print(f"{case}: {error!r:.300}", file=sys.stderr)
    lines = [f"{json.dumps(case)}: {json.dumps(found)}" for case, found in recorded.items()]
    print("{\n" + ",\n".join(lines) + "\n}")
