"""PACT: values are clipped where training says, and then rounded by another quanter.

Source: Choi et al. 2018, "PACT: Parameterized Clipping Activation for Quantized Neural Networks",
arXiv 1805.06085, equations 1 and 3, for values of both signs.
"""

from __future__ import annotations

from typing import Any

from twinoar.core import unique_name
from twinoar.errors import TypeMismatchError
from twinoar.nn.functional import relu
from twinoar.nn.initializer import Constant
from twinoar.nn.layer import Layer
from twinoar.nn.param_attr import ParamAttr
from twinoar.ops.math.select import minimum
from twinoar.quantization.base_quanter import BaseQuanter
from twinoar.quantization.factory import ClassWithArguments, QuanterFactory


class PACT(Layer):
    """Clips values to [-alpha, alpha], where alpha is learnt.

    init_value: alpha before training. learning_rate: by how much more than others alpha is moved.
    dtype: of alpha. name: what its name begins with. Between the bounds gradients go to the values,
    outside to alpha.

    >>> clip = PACT(init_value=2.0)
    >>> x = twinoar.to_tensor([-3.0, 1.0, 5.0, 6.0], stop_gradient=False)
    >>> y = clip(x)
    >>> y.sum().backward()
    >>> y.tolist(), x.grad.tolist(), clip.alpha.grad.tolist()
    ([-2.0, 1.0, 2.0, 2.0], [0.0, 1.0, 0.0, 0.0], [1.0])
    """

    def __init__(
        self,
        init_value: float = 100.0,
        learning_rate: float = 1000.0,
        dtype: Any = "float32",
        name: str | None = None,
    ):
        super().__init__()
        made = unique_name.generate(f"{name or 'quant_dequant'}.pact")
        attr = ParamAttr(
            name=made, initializer=Constant(float(init_value)), learning_rate=learning_rate
        )
        self.alpha = self.create_parameter([1], attr, dtype)

    def forward(self, input: Any) -> Any:
        """x, but what is outside as the nearest bound."""
        return input - relu(input - self.alpha) + relu(-self.alpha - input)


class PACTQuanter(QuanterFactory):
    """Makes quanters that clip values to learnt bounds, and leave the rounding to another.

    quanter: the factory of those that round. Other arguments: as of `PACT`. Raises
    TypeMismatchError.

    >>> from twinoar.quantization.quanters import FakeQuanterWithAbsMaxObserver
    >>> inner = FakeQuanterWithAbsMaxObserver(moving_rate=0.0)
    >>> quanter = PACTQuanter(inner, init_value=2.0)._instance(None)
    >>> quanter(twinoar.to_tensor([-4.0, 2.0])).tolist(), quanter.scales().tolist()
    ([-2.0, 2.0], [2.0])
    """

    def __init__(
        self,
        quanter: Any,
        init_value: float = 100.0,
        learning_rate: float = 1000.0,
        dtype: Any = "float32",
        name: str | None = None,
    ):
        if not isinstance(quanter, ClassWithArguments):
            raise TypeMismatchError(
                f"quanter must be a factory of quanters, received {quanter!r}",
                cure="such as paddle.quantization.quanters.FakeQuanterWithAbsMaxObserver()",
            )
        super().__init__(
            quanter=quanter,
            init_value=init_value,
            learning_rate=learning_rate,
            dtype=dtype,
            name=name,
        )

    def _get_class(self) -> type:
        return PACTQuanterLayer


class PACTQuanterLayer(PACT, BaseQuanter):
    """The quanter itself, with `quanter`, which rounds."""

    def __init__(self, layer: Any, quanter: Any, *arguments: Any, **named: Any):
        super().__init__(*arguments, **named)
        self.quanter = quanter._instance(layer)

    @property
    def is_unseen(self) -> bool:
        """True while no data has passed in training."""
        return bool(getattr(self.quanter, "is_unseen", False))

    def forward(self, input: Any) -> Any:
        """x clipped, and rounded."""
        return self.quanter(super().forward(input))

    def scales(self) -> Any:
        """The largest magnitudes: those that the rounding tells, and not beyond the bounds."""
        found = self.quanter.scales()
        # An average of the past may still be beyond a bound that has come closer since.
        return found if found is None else minimum(found, self.alpha.detach())

    def zero_points(self) -> Any:
        """As of the rounding."""
        return self.quanter.zero_points()

    def quant_axis(self) -> Any:
        """As of the rounding."""
        return self.quanter.quant_axis()

    def bit_length(self) -> Any:
        """Bits of the integers."""
        return self.quanter.bit_length()
