"""Load a saved model and name digits: there is no class of the model here.

python examples/predict.py MODEL_PREFIX DIGITS.npz
"""

from __future__ import annotations

import sys

import numpy as np

import twinoar as paddle


def main() -> None:
    """Print how the model was run, and on the last line the digits it sees."""
    prefix, digits = sys.argv[1:]
    model = paddle.jit.load(prefix)
    scores = model(paddle.to_tensor(np.load(digits)["images"]))
    print(f"loaded a {type(model).__name__} with {len(model.parameters())} parameters")
    print(*scores.numpy().argmax(1))


if __name__ == "__main__":
    main()
