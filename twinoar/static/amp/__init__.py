"""`paddle.static.amp`: mixed precision in Programs."""

from twinoar.amp import debugging
from twinoar.core.public import exported
from twinoar.static.amp.decoration import decorate
from twinoar.static.amp.lists import AutoMixedPrecisionLists, CustomOpLists
from twinoar.static.amp.rewriting import cast_model_to_fp16, cast_parameters_to_fp16, fp16_guard

__all__ = exported(globals(), "debugging")
