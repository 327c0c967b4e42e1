"""quant_embedding: tables of words as integers, in a Program for inference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twinoar.core.dtype import float32
from twinoar.core.ir.program import State
from twinoar.core.near import near_names
from twinoar.errors import ArgumentError, DTypeError, UnknownNameError
from twinoar.passes.graph import Graph
from twinoar.quantization.program.fixed import keep_integers, largest, pair
from twinoar.quantization.program.places import ALL
from twinoar.static.executor import program_to_run
from twinoar.static.program import Program
from twinoar.static.scope import Scope, global_scope

NAMES = ("lookup_table", "lookup_table_v2", "fused_embedding_seq_pool")  # Paddle's, of one operator
ONE: dict[str, Any] = {"quantize_type": "abs_max", "quantize_bits": 8, "dtype": "int8"}


def quant_embedding(
    program: Any,
    place: Any = None,
    config: Mapping[str, Any] | None = None,
    scope: Scope | None = None,
) -> Program:
    """A Program whose tables of embeddings are integers with one scale.

    program: for inference. place: without effect. config: for "lookup_table_v2" or
    "lookup_table", "quantize_bits", 2 to 8; "quantize_op_types" names both. The Program that is
    given stays as it is. Raises ArgumentError for a Program without tables, or with some that are
    not finite; UnknownNameError, DTypeError.

    >>> from twinoar import static
    >>> main, startup = static.Program(), static.Program()
    >>> with static.program_guard(main, startup):
    ...     y = static.nn.embedding(static.data("x", [None], "int64"), [100, 8])
    >>> _ = static.Executor().run(startup)
    >>> sorted(state.dtype.name for state in quant_embedding(main).states.values())
    ['float32', 'float32', 'int8']
    """
    bits, scope = _bits(config or {}), scope or global_scope()
    graph = Graph(program_to_run(program))
    found: dict[Any, list[Any]] = {}
    for node in graph:
        if node.operator.type in NAMES and isinstance(node.operator.operands[1], State):
            found.setdefault(node.operator.operands[1], []).append(node)
    if not found:
        raise ArgumentError(
            "the program has no table of embeddings of floats", cure="quantize it once"
        )
    for table in found:
        if table.dtype is not float32:
            raise DTypeError(f"only float32 becomes integers, received %{table.name}: {table.spec}")
    scales = {table: largest(scope.read(table), ALL, table.name) for table in found}
    for table, nodes in found.items():
        with graph.before(nodes[0]):
            rounded = pair(graph, scope, table, scales[table], ALL, bits)
        for node in nodes:
            node.connect(table, rounded)
    made = keep_integers(graph, scope).to_program()
    assert isinstance(made, Program)
    return made


def _bits(config: Mapping[str, Any]) -> int:
    known = {**ONE, **{name: name for name in (*NAMES, "quantize_op_types")}}
    settings = dict(ONE)
    for name, value in config.items():
        if name not in known:
            raise UnknownNameError(
                f"there is no setting {name!r} of quant_embedding", cure=near_names(name, known)
            )
        if isinstance(value, Mapping):
            settings.update(value)
        elif name in ONE:
            settings[name] = value
    if (settings["quantize_type"], settings["dtype"]) != ("abs_max", "int8"):
        raise ArgumentError(f"tables are quantized by abs_max to int8, received {settings}")
    if settings["quantize_bits"] not in range(2, 9):
        raise ArgumentError(f"quantize_bits are 2 to 8, received {settings['quantize_bits']!r}")
    return int(settings["quantize_bits"])
