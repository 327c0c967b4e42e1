"""Max pooling undone, as layers."""

from __future__ import annotations

from typing import Any

from twinoar.nn import functional
from twinoar.nn.function_layer import FunctionLayer


class _MaxUnPool(FunctionLayer):
    """Maxima back in their places, by `function`."""

    default_format: str

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        data_format: str | None = None,
        output_size: Any = None,
        name: str | None = None,
    ):
        super().__init__(
            kernel_size=kernel_size,
            stride=stride,
            padding=padding,
            data_format=data_format or self.default_format,
            output_size=output_size,
            name=name,
        )


class MaxUnPool1D(_MaxUnPool):
    """The maxima that MaxPool1D found, back in their places; zeros elsewhere.

    >>> import twinoar
    >>> x = twinoar.to_tensor([[[1.0, 2.0, 4.0, 3.0]]])
    >>> pooled = twinoar.nn.MaxPool1D(2, return_mask=True)(x)
    >>> twinoar.nn.MaxUnPool1D(2)(*pooled).tolist()
    [[[0.0, 2.0, 4.0, 0.0]]]
    """

    function, default_format = functional.max_unpool1d, "NCL"


class MaxUnPool2D(_MaxUnPool):
    """The maxima that MaxPool2D found, back in their places; zeros elsewhere.

    >>> import twinoar
    >>> x = twinoar.to_tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
    >>> pooled = twinoar.nn.MaxPool2D(2, return_mask=True)(x)
    >>> twinoar.nn.MaxUnPool2D(2)(*pooled).tolist()
    [[[[0.0, 0.0], [4.0, 0.0]]]]
    """

    function, default_format = functional.max_unpool2d, "NCHW"


class MaxUnPool3D(_MaxUnPool):
    """The maxima that MaxPool3D found, back in their places; zeros elsewhere.

    >>> import twinoar
    >>> x = twinoar.arange(8).astype("float32").reshape([1, 1, 2, 2, 2])
    >>> pooled = twinoar.nn.MaxPool3D(2, return_mask=True)(x)
    >>> twinoar.nn.MaxUnPool3D(2)(*pooled).sum().item()
    7.0
    """

    function, default_format = functional.max_unpool3d, "NCDHW"
