"""quant_aware and convert: a Program to train as integers will compute, and the one to serve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.core.near import near_names
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.passes.graph import Graph
from twinoar.quantization.program.places import DEFAULT, WITH_WEIGHT
from twinoar.quantization.program.rounding import SKIPPED, Rounding, put_rounding
from twinoar.regularizer import L2Decay
from twinoar.static.executor import program_to_run
from twinoar.static.program import Program
from twinoar.static.quantization.quantization_pass import QuantizationFreezePass, refuse_given
from twinoar.static.scope import Scope, global_scope

# Read by what is rounded besides, where a configuration says is_full_quantize.
OTHERS = [
    "elementwise_add",
    "elementwise_mul",
    "elementwise_sub",
    "pool2d",
    "concat",
    "softmax",
    "relu",
    "relu6",
    "leaky_relu",
    "prelu",
    "tanh",
    "sigmoid",
    "swish",
    "hard_swish",
    "hard_sigmoid",
    "gelu",
    "batch_norm",
    "layer_norm",
    "reduce_mean",
]
# Of bounds that are learnt: they come closer by themselves, until they clip what matters.
PACT: dict[str, Any] = {
    "optimize_attr": {"learning_rate": 1.0},
    "regularizer": L2Decay(1e-4),  # PaddleSlim's
    "need_clip": True,
}
CONFIG: dict[str, Any] = {  # Paddle's, with its defaults
    "weight_quantize_type": "channel_wise_abs_max",
    "activation_quantize_type": "moving_average_abs_max",
    "weight_bits": 8,
    "activation_bits": 8,
    "not_quant_pattern": list(SKIPPED),
    "quantize_op_types": list(DEFAULT),
    "dtype": "int8",
    "window_size": 10000,
    "moving_rate": 0.9,
    "activation_preprocess_type": None,  # PaddleSlim's, of layers
    "for_tensorrt": False,
    "is_full_quantize": False,
    "onnx_format": True,
    "quant_post_first": False,
    "scale_trainable": True,
    "deploy_backend": None,
}


def quant_aware(
    program: Any,
    place: Any = None,
    config: Mapping[str, Any] | None = None,
    scope: Scope | None = None,
    for_test: bool = False,
    weight_quantize_func: Any = None,
    act_quantize_func: Any = None,
    weight_preprocess_func: Any = None,
    act_preprocess_func: Any = None,
    optimizer_func: Any = None,
    executor: Any = None,
    return_program: bool = False,
    calib_config: Any = None,
    draw_graph: bool = False,
    return_scale_dict: bool = False,
    scale_dict: Any = None,
    model_type: Any = None,
    pattern_ops: Any = None,
) -> Program:
    """A Program whose convolutions and products read what integers of few bits stand for.

    program: before or after `optimizer.minimize`. config: what differs from `CONFIG`. scope: where
    scales are, by default the global one. for_test: let scales stand still; pass a clone for tests.
    place, executor, return_program: without effect. Returns a Program to train, which begins scales
    anew, or to test. Raises ArgumentError for a Program that is quantized already, UnknownNameError
    for other settings, DTypeError, ProgramError, and UnsupportedError for the other arguments.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program()):
    ...     y = static.nn.fc(static.data("x", [None, 4]), 2)
    ...     program = quant_aware(static.default_main_program())
    >>> sorted(name for name in program.states if name[0] == "x")
    ['x@accum', 'x@scale', 'x@state']
    """
    refuse_given(
        "write a quanter of one's own: quantization.quanter and QAT",
        weight_quantize_func=weight_quantize_func,
        act_quantize_func=act_quantize_func,
        weight_preprocess_func=weight_preprocess_func,
        act_preprocess_func=act_preprocess_func,
        optimizer_func=optimizer_func,
    )
    refuse_given(
        "scales are in the scope, by the name of the value and @scale",
        calib_config=calib_config,
        return_scale_dict=return_scale_dict,
        scale_dict=scale_dict,
        model_type=model_type,
        pattern_ops=pattern_ops,
    )
    refuse_given("program.to_graph().draw(file)", draw_graph=draw_graph)
    graph, how = Graph(program_to_run(program)), rounding_of(config)
    put_rounding(graph, how, scope or global_scope(), in_training=not for_test)
    made = graph.to_program()
    assert isinstance(made, Program)
    return made


def convert(
    program: Any,
    place: Any = None,
    config: Mapping[str, Any] | None = None,
    scope: Scope | None = None,
    save_int8: bool = False,
) -> Any:
    """The Program to serve: scales stand still, and weights are integers.

    program: what `quant_aware(..., for_test=True)` returned, after training. place: without effect.
    save_int8: return the Program twice, as Paddle's second one has integers. The Program that is
    given, and its states in the scope, stay as they are. It computes what that does, but values
    below the least that a scale tells become -128, in training -127. Raises ArgumentError for
    scales that no data has moved, and for what is not finite.
    """
    rounding_of(config)
    made = QuantizationFreezePass(scope).apply(program_to_run(program))
    return (made, made) if save_int8 else made


def rounding_of(config: Mapping[str, Any] | None) -> Rounding:
    """What Paddle's dictionary says. Raises UnknownNameError, ArgumentError, UnsupportedError."""
    for name in config or {}:
        if name not in CONFIG:
            raise UnknownNameError(
                f"there is no setting {name!r} of quantization", cure=near_names(name, CONFIG)
            )
    known = {**CONFIG, **(config or {})}
    if known["dtype"] != "int8":
        raise ArgumentError(f"integers are int8, received dtype={known['dtype']!r}")
    refuse_given("leave it out", **{n: known[n] for n in ("for_tensorrt", "deploy_backend")})
    refuse_given(
        "calibrate by PostTrainingQuantization", quant_post_first=known["quant_post_first"]
    )
    if known["activation_preprocess_type"] not in (None, "PACT"):
        raise ArgumentError(
            "activation_preprocess_type is None or 'PACT', received "
            f"{known['activation_preprocess_type']!r}"
        )
    types = tuple(known["quantize_op_types"])
    if known["is_full_quantize"]:
        types = (*WITH_WEIGHT, *OTHERS)
    return Rounding(
        known["weight_quantize_type"],
        known["activation_quantize_type"],
        known["weight_bits"],
        known["activation_bits"],
        known["moving_rate"],
        types,
        tuple(known["not_quant_pattern"]),
        bound=PACT if known["activation_preprocess_type"] else None,
    )
