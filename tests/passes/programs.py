"""Small Programs as text, and running them."""

import numpy as np

from twinoar.backends.numpy import compile_numpy
from twinoar.core.ir.parse import parse
from twinoar.core.ir.program import copy_program
from twinoar.passes.pipeline import lower


def program(body, inputs="%x: f32[2,3]", states=""):
    """A Program of these lines."""
    lines = "\n".join(f"    {line.strip()}" for line in body.strip().splitlines())
    return parse(f"program p {{\n{states}  main({inputs}) {{\n{lines}\n  }}\n}}")


def types(given):
    """The names of a Program's operators, in order."""
    return [o.op.name for o in given.main.ops]


def outputs(given, *arrays):
    """What a Program without states gives for arrays."""
    executable = compile_numpy(lower(copy_program(given)[0]))
    return executable.execute([np.asarray(a, "float32") for a in arrays], [])[0]
