"""Paddle's passes that quantize a Program, by its names: `apply` changes a graph in place.

A graph is what `program.to_graph()` gives, and `graph.to_program()` the Program again; a Program is
taken too, and another one returned. The passes of names with V2 do the same: there is one form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from twinoar.core.public import declared
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError
from twinoar.passes.graph import Graph
from twinoar.quantization.program.fixed import fix_scales, keep_integers, weights_of
from twinoar.quantization.program.places import DEFAULT, WITH_WEIGHT
from twinoar.quantization.program.rounding import SKIPPED, Rounding, put_rounding
from twinoar.static.program import Program
from twinoar.static.scope import Scope, global_scope


def changed(given: Any, change: Callable[[Graph], Any]) -> Any:
    """A Graph that `change` has changed in place, or the Program that a given one becomes."""
    if isinstance(given, Graph):
        change(given)
        return given
    program = getattr(given, "program", given)
    if not isinstance(program, Program):
        raise TypeMismatchError(
            f"expected a Graph or a Program, received {type(given).__name__}",
            cure="pass program.to_graph(), or the program",
        )
    graph = Graph(program)
    change(graph)
    return graph.to_program()


def refuse_given(cure: str, **given: Any) -> None:
    """Raise UnsupportedError where one of these arguments is given."""
    named = [name for name, value in given.items() if value]
    if named:
        raise UnsupportedError(f"{', '.join(named)}: not served", cure=cure)


class _Rounds:
    """A pass that puts operators which round into a graph."""

    _how: Rounding
    _scope: Scope | None
    _in_training: bool

    def apply(self, graph: Any) -> Any:
        """The graph, changed in place; of a Program another one."""
        scope = self._scope or global_scope()
        return changed(
            graph,
            lambda g: put_rounding(g, self._how, scope, in_training=self._in_training),
        )


class QuantizationTransformPass(_Rounds):
    """Rounds what convolutions and products read, their weights too, as integers of few bits would.

    scope: where scales are, by default the global one. place, window_size, executor: without
    effect. weight_quantize_type: "abs_max" or "channel_wise_abs_max". activation_quantize_type:
    also "moving_average_abs_max"; "range_abs_max" is the same. skip_pattern: parts of names of
    `static.name_scope`. is_test: let scales stand still. Raises ArgumentError, and UnsupportedError
    for functions of one's own.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program()):
    ...     y = static.nn.fc(static.data("x", [None, 4]), 2)
    ...     graph = static.default_main_program().to_graph()
    >>> kind = {"activation_quantize_type": "moving_average_abs_max"}
    >>> graph = QuantizationTransformPass(**kind).apply(graph)
    >>> [node.operator.type for node in graph][:3]  # doctest: +NORMALIZE_WHITESPACE
    ['fake_quantize_dequantize_moving_average_abs_max', 'fake_quantize_dequantize_abs_max', 'mul']
    """

    def __init__(
        self,
        scope: Scope | None = None,
        place: Any = None,
        weight_bits: int = 8,
        activation_bits: int = 8,
        activation_quantize_type: str = "abs_max",
        weight_quantize_type: str = "abs_max",
        window_size: int = 10000,
        moving_rate: float = 0.9,
        skip_pattern: Sequence[str] = SKIPPED,
        quantizable_op_type: Sequence[str] = DEFAULT,
        weight_quantize_func: Any = None,
        act_quantize_func: Any = None,
        weight_preprocess_func: Any = None,
        act_preprocess_func: Any = None,
        optimizer_func: Any = None,
        executor: Any = None,
        is_test: bool | None = None,
    ):
        refuse_given(
            "write a layer of one's own: quantization.quanter and QAT",
            weight_quantize_func=weight_quantize_func,
            act_quantize_func=act_quantize_func,
            weight_preprocess_func=weight_preprocess_func,
            act_preprocess_func=act_preprocess_func,
            optimizer_func=optimizer_func,
        )
        others = [kind for kind in quantizable_op_type if kind not in WITH_WEIGHT]
        if others:
            raise ArgumentError(
                f"expected types of {', '.join(WITH_WEIGHT)}, received {', '.join(others)}",
                cure="AddQuantDequantPass rounds what other operators read",
            )
        self._how = Rounding(
            weight_quantize_type,
            activation_quantize_type,
            weight_bits,
            activation_bits,
            moving_rate,
            tuple(quantizable_op_type),
            tuple(skip_pattern),
        )
        self._scope, self._in_training = scope, not is_test


class AddQuantDequantPass(_Rounds):
    """Rounds what other operators read, such as those of the type "elementwise_add".

    An operator that reads a parameter is left alone. Arguments as of QuantizationTransformPass;
    scale_dict: None. Raises ArgumentError.
    """

    def __init__(
        self,
        scope: Scope | None = None,
        place: Any = None,
        moving_rate: float = 0.9,
        quant_bits: int = 8,
        skip_pattern: Sequence[str] = SKIPPED,
        quantizable_op_type: Sequence[str] = ("elementwise_add", "pool2d"),
        is_test: bool | None = None,
        scale_dict: Any = None,
    ):
        refuse_given("set scales in the scope, by scope.var(name).set(x)", scale_dict=scale_dict)
        types, skip = tuple(quantizable_op_type), tuple(skip_pattern)
        self._how = Rounding(
            activation_bits=quant_bits, moving_rate=moving_rate, types=types, skip=skip
        )
        self._scope, self._in_training = scope, not is_test


class ReplaceFakeQuantDequantPass:
    """Lets rounding for inference be quantizing and dequantizing by the scales in the scope.

    place, quant_bits: without effect, as rounding knows its bits.
    """

    def __init__(self, scope: Scope | None, place: Any = None, quant_bits: int = 8):
        self._scope = scope

    def apply(self, graph: Any) -> Any:
        """The graph, changed in place; of a Program another one. Raises ArgumentError."""
        return changed(graph, lambda g: fix_scales(g, self._scope or global_scope()))


class QuantWeightPass:
    """Lets weights that are quantized in each run be integers in the scope.

    place, quant_bits: without effect. bias_correction, save_int_weight: False and True. Raises
    UnsupportedError.
    """

    def __init__(
        self,
        scope: Scope | None,
        place: Any = None,
        bias_correction: bool = False,
        quant_bits: int = 8,
        save_int_weight: bool = True,
    ):
        refuse_given(
            "slim.quant.correct_biases corrects a network of layers",
            bias_correction=bias_correction,
        )
        if not save_int_weight:
            raise UnsupportedError("save_int_weight=False", cure="leave this pass out")
        self._scope = scope

    def apply(self, graph: Any) -> Any:
        """The graph, changed in place; of a Program another one. Raises ArgumentError."""
        return changed(graph, lambda g: keep_integers(g, self._scope or global_scope()))


class QuantizationFreezePass:
    """Both of the above: a Program of fixed scales, with weights of integers.

    place, weight_bits, activation_bits, weight_quantize_type, quantizable_op_type: without effect,
    as the Program tells them. Raises UnsupportedError for bias_correction, and another round_type
    than "round".
    """

    def __init__(
        self,
        scope: Scope | None,
        place: Any = None,
        bias_correction: bool = False,
        weight_bits: int = 8,
        activation_bits: int = 8,
        round_type: str = "round",
        weight_quantize_type: str = "abs_max",
        quantizable_op_type: Any = None,
    ):
        check_round_type(round_type)
        refuse_given(
            "slim.quant.correct_biases corrects a network of layers",
            bias_correction=bias_correction,
        )
        self._scope = scope

    def apply(self, graph: Any) -> Any:
        """The graph, changed in place; of a Program another one. Raises ArgumentError."""
        scope = self._scope or global_scope()

        def freeze(g: Graph) -> None:
            fix_scales(g, scope)
            if weights_of(g):
                keep_integers(g, scope)

        return changed(graph, freeze)


class ConvertToInt8Pass:
    """Nothing is left to do: weights are integers when QuantizationFreezePass has been applied.

    Raises ArgumentError for a graph in which none is.
    """

    def __init__(self, scope: Scope | None, place: Any = None, quantizable_op_type: Any = None):
        self._scope = scope

    def apply(self, graph: Any) -> Any:
        """The graph as it is."""
        program = getattr(graph, "program", graph)
        if not any(state.dtype.name == "int8" for state in program.states.values()):
            raise ArgumentError(
                "no weight of the program is int8", cure="apply QuantizationFreezePass first"
            )
        return graph


def check_round_type(round_type: str) -> None:
    """Raise UnsupportedError for what is not "round"."""
    if round_type != "round":
        raise UnsupportedError(
            f"expected round_type='round', received {round_type!r}",
            cure="slim.quant.advanced.GPTQ finds how to round weights of a network of layers",
        )


QuantizationTransformPassV2, AddQuantDequantPassV2 = QuantizationTransformPass, AddQuantDequantPass
__all__ = declared(globals(), but=("changed", "check_round_type", "refuse_given"))
