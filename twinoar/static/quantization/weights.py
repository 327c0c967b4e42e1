"""WeightQuantization: a saved model whose weights are integers, and which computes in floats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.quantization.program.calibration import quantize_weights
from twinoar.quantization.program.rounding import Rounding
from twinoar.static.executor import Executor
from twinoar.static.quantization.post_training_quantization import load_model, save_model
from twinoar.static.quantization.quantization_pass import refuse_given
from twinoar.static.scope import Scope


class WeightQuantization:
    """Quantizes the weights of a saved model; it needs no data.

    model_dir, model_filename, params_filename: as of `static.load_inference_model`.
    """

    def __init__(
        self,
        model_dir: str,
        model_filename: str | None = None,
        params_filename: str | None = None,
    ):
        self._given = (model_dir, model_filename, params_filename)

    def quantize_weight_to_int(
        self,
        save_model_dir: str,
        save_model_filename: str | None = None,
        save_params_filename: str | None = None,
        quantizable_op_type: Sequence[str] = ("conv2d", "mul"),
        weight_bits: int = 8,
        weight_quantize_type: str = "channel_wise_abs_max",
        generate_test_model: bool = False,
        threshold_rate: float = 0.0,
    ) -> None:
        """Save the model in a folder, with integers for the weights of these operators.

        weight_bits: 8, or 2 to 8. weight_quantize_type: "abs_max" or "channel_wise_abs_max".
        generate_test_model: False, as the model itself runs anywhere. threshold_rate: 0. Raises
        ArgumentError, UnsupportedError, and for weights that are not float32 DTypeError.
        """
        refuse_given(
            "the model that is saved runs as it is", generate_test_model=generate_test_model
        )
        refuse_given("weights are not clipped: leave it out", threshold_rate=threshold_rate)
        if weight_bits not in range(2, 9):
            raise ArgumentError(f"weights are kept in 2 to 8 bits, received {weight_bits!r}")
        scope, (folder, model, params) = Scope(), self._given
        program, feeds, fetches = load_model(folder, Executor(), scope, model, params)
        how = Rounding(
            weight_quantize_type, weight_bits=weight_bits, types=tuple(quantizable_op_type)
        )
        new = quantize_weights(program, how, scope)
        names = [v.name for v in fetches]
        save_model(
            save_model_dir,
            new,
            [new.variable(name) for name in feeds],
            [new.variable(name) for name in names],
            scope,
            save_model_filename,
            save_params_filename,
        )

    def convert_weight_to_fp16(self, save_model_dir: Any) -> NoReturn:
        """Is not served. Raises UnsupportedError."""
        raise UnsupportedError(
            "weights as float16 are no quantization here",
            cure="use inference.convert_to_mixed_precision",
        )
