"""What the operators of ONNX compute, in families; `table` says how they are declared."""

from __future__ import annotations

from twinoar.onnx.nodes import (  # for what they declare
    activation,
    attention,
    control,
    convolution,
    elementwise,
    image,
    index,
    loss,
    normalization,
    pooling,
    product,
    quantized,
    random,
    recurrent,
    reduction,
    resize,
    sequence,
    shape,
    signal,
    text,
    trees,
)
