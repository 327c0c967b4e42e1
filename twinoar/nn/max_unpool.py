"""Max pooling undone, as layers."""

from twinoar.nn import functional
from twinoar.nn.function_layer import FunctionLayer


class MaxUnPool1D(FunctionLayer, of=functional.max_unpool1d, operands=2):
    """The maxima that MaxPool1D found, back in their places; zeros elsewhere.

    >>> x = twinoar.to_tensor([[[1.0, 2.0, 4.0, 3.0]]])
    >>> pooled = twinoar.nn.MaxPool1D(2, return_mask=True)(x)
    >>> twinoar.nn.MaxUnPool1D(2)(*pooled).tolist()
    [[[0.0, 2.0, 4.0, 0.0]]]
    """


class MaxUnPool2D(FunctionLayer, of=functional.max_unpool2d, operands=2):
    """The maxima that MaxPool2D found, back in their places; zeros elsewhere.

    >>> x = twinoar.to_tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
    >>> pooled = twinoar.nn.MaxPool2D(2, return_mask=True)(x)
    >>> twinoar.nn.MaxUnPool2D(2)(*pooled).tolist()
    [[[[0.0, 0.0], [4.0, 0.0]]]]
    """


class MaxUnPool3D(FunctionLayer, of=functional.max_unpool3d, operands=2):
    """The maxima that MaxPool3D found, back in their places; zeros elsewhere.

    >>> x = twinoar.arange(8).astype("float32").reshape([1, 1, 2, 2, 2])
    >>> pooled = twinoar.nn.MaxPool3D(2, return_mask=True)(x)
    >>> twinoar.nn.MaxUnPool3D(2)(*pooled).sum().item()
    7.0
    """
