"""Whether a converted function gives, prints and raises what the plain one does."""

import numpy as np

import twinoar as paddle
from twinoar.jit import to_static
from twinoar.static import InputSpec

VECTORS = [(1.0, 2.0, 3.0), (-1.0, -2.0, -3.5), (0.1, 0.2, 0.7)]
ANY_LENGTH = [InputSpec([None], "float32")]


def tensor(*values):
    return paddle.to_tensor(list(values), dtype="float32")


def outcome(function, values, capsys):
    """What a call gives: its value or exception, and what it printed."""
    capsys.readouterr()
    try:
        found = function(tensor(*values))
        result = [(v.numpy().tolist(), str(v.dtype)) if isinstance(v, paddle.Tensor) else v
                  for v in (found if isinstance(found, (list, tuple)) else [found])]  # fmt: skip
    except (AssertionError, ValueError, ZeroDivisionError, OverflowError) as error:
        kind = next(k for k in type(error).__mro__ if k.__module__ == "builtins")
        result = kind, str(error.args[0]).splitlines()[0] if error.args else ""
    return result, capsys.readouterr().out


def assert_same(function, capsys, inputs=VECTORS, specs=(None, ANY_LENGTH)):
    for spec in specs:
        static = to_static(function, input_spec=spec)
        for values in (*inputs, inputs[0]):
            found, expected = (outcome(f, values, capsys) for f in (static, function))
            assert found[1] == expected[1]
            assert len(found[0]) == len(expected[0])
            for a, b in zip(found[0], expected[0], strict=True):
                if isinstance(a, tuple):
                    assert a[1] == b[1]
                    np.testing.assert_allclose(a[0], b[0], rtol=1e-6)
                else:
                    assert a == b
