"""Reading the archives of `torch.export.save` (`.pt2`): a zip of a graph as JSON, and of weights.

The graph is `models/model.json`, schema 8; each weight is a file of its plain bytes. Nothing in
such an archive is unpickled: weights that are pickled are refused, sample inputs are not looked at.
Source of the schema: torch/_export/serde/schema.py.
"""

from __future__ import annotations

import ast
import io
import json
import operator
import zipfile
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from twinoar.core.dim import Dim, max_dim
from twinoar.core.dtype import BY_NUMPY, DType
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program, State
from twinoar.core.spec import Spec
from twinoar.errors import FileError, TwinoarError, UnsupportedError
from twinoar.formats.torch.archive import DAMAGE, MAX_RANK, Storage, tensor_of
from twinoar.formats.torch.graph import CODES, GraphReader

MODEL = "/models/model.json"
TABLES = {
    "weights": "data/weights/model_weights_config.json",
    "constants": "data/constants/model_constants_config.json",
}
SCHEMA = 8  # the major version that is read
OLD_MODEL = "serialized_exported_program.json"
MALFORMED = (AttributeError, IndexError, KeyError, SyntaxError, TypeError, ValueError)


def read_exported(
    data: bytes, path: str, factory: Callable[[], Program] = Program
) -> tuple[Program, dict[str, np.ndarray]]:
    """The Program of an archive of torch.export, and the arrays of its states by name.

    path: for messages. factory: makes the empty Program. States have the names that the module has
    for its parameters and buffers, inputs the names of the arguments; what the exported module
    returns is returned flat. Raises UnsupportedError for a target that is not in the table, by its
    name and the line that it comes from, FileError for what is damaged or no such archive.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _Exported(archive, path, factory()).read()
    except TwinoarError:
        raise
    except (zipfile.BadZipFile, *DAMAGE) as error:
        raise FileError(f"{path}: damaged archive: {error}") from error


class _Exported:
    """One archive, and the Program that is built of it."""

    def __init__(self, archive: zipfile.ZipFile, path: str, program: Program):
        self.archive, self.path, self.program = archive, path, program
        self.names = set(archive.namelist())
        found = [name for name in self.names if name.endswith(MODEL)]
        if len(found) != 1:
            is_old = any(name.endswith(OLD_MODEL) for name in self.names)
            raise FileError(
                f"{path}: expected an archive of torch.export, with one file {MODEL[1:]}",
                cure="export it again, with torch 2.8 or newer"
                if is_old
                else "read weights of torch.save with load, and give jit.load what "
                "torch.export.save has written",
            )
        self.folder = found[0].removesuffix(MODEL)
        self.arrays: dict[str, np.ndarray] = {}
        self.states: dict[tuple, State] = {}
        self.dims: dict[Any, Dim] = {}

    def read(self) -> tuple[Program, dict[str, np.ndarray]]:
        """The Program and the arrays."""
        model = self._json(MODEL[1:])
        try:
            version = model["schema_version"]["major"]
            if version != SCHEMA:
                raise UnsupportedError(
                    f"{self.path}: its graph is of schema {version}, schema {SCHEMA} is read",
                    cure="export the model with a torch that writes this schema",
                )
            self._read_graph(model["graph_module"])
        except MALFORMED as error:
            if isinstance(error, TwinoarError):
                raise
            raise FileError(
                f"{self.path}: its graph is malformed ({type(error).__name__}: {error})"
            ) from error
        except RecursionError as error:
            raise FileError(f"{self.path}: its graph is nested too deeply") from error
        return self.program, self.arrays

    def _read_graph(self, module: Any) -> None:
        graph, signature = module["graph"], module["signature"]
        builder = Builder(self.program)
        reader = GraphReader(graph, builder, self.path)
        self.program.names.taken |= set(graph["tensor_values"])
        for spec in signature["input_specs"]:
            self._read_input(reader, spec)
        with using(builder):
            reader.read_nodes()
            for spec in signature["output_specs"]:
                self._read_output(reader, spec)

    def _read_input(self, reader: GraphReader, spec: Any) -> None:
        """One input of the graph: a weight, or what the user gives."""
        ((kind, told),) = spec.items()
        if kind in STATES:
            table, name_of = STATES[kind]
            name = told[name_of]
            reader.values[told["arg"]["name"]] = self._state(table, name, kind)
        elif kind == "user_input" and "as_tensor" in told["arg"]:
            name = told["arg"]["as_tensor"]["name"]
            given = self._spec(reader.graph["tensor_values"][name])
            reader.values[name] = self.program.main.add_input(given, name, stop_gradient=True)
        elif kind not in ("user_input", "constant_input", "token"):
            raise UnsupportedError(f"{self.path}: an input of the kind {kind} is not read")
        elif "as_sym_int" in told.get("arg", {}):
            raise UnsupportedError(
                f"{self.path}: a number that each call gives is not read",
                cure="export the model with that number as a constant, or as a tensor",
            )

    def _read_output(self, reader: GraphReader, spec: Any) -> None:
        """One output of the graph: a result, or the new value of a buffer."""
        ((kind, told),) = spec.items()
        if kind in ("user_output", "loss_output"):
            arg = told["arg"] if kind == "user_output" else {"as_tensor": told["arg"]}
            if "as_none" not in arg:
                self.program.main.outputs.append(reader.output(arg))
        elif kind in ("buffer_mutation", "parameter_mutation"):
            name = told[f"{kind.partition('_')[0]}_name"]
            target = self.program.states.get(name)
            if target is None:
                raise FileError(f"{self.path}: {name} gets a value, and is no buffer")
            reader.builder.rebind(target, reader.values[told["arg"]["name"]])
        elif kind == "user_input_mutation":
            raise UnsupportedError(
                f"{self.path}: the input {told['user_input_name']} is changed in place",
                cure="export a module that copies it first",
            )
        elif kind != "token":
            raise UnsupportedError(f"{self.path}: an output of the kind {kind} is not read")

    # Weights.

    def _state(self, table: str, name: str, kind: str) -> State:
        """The state of a weight; weights that share their memory are one."""
        entries = self._table(table)
        if name not in entries and table == "weights":
            entries = self._table("constants")  # buffers that no checkpoint keeps
        if name not in entries:
            raise FileError(f"{self.path}: the archive has no weight {name}")
        entry = entries[name]
        meta = entry["tensor_meta"]
        if entry["use_pickle"] or meta is None:
            raise UnsupportedError(f"{self.path}: the weight {name} is pickled, which is not read")
        key = (entry["path_name"], json.dumps(meta))
        if key not in self.states:
            array = self._array(table, entry["path_name"], meta, name)
            spec = Spec(array.shape, BY_NUMPY[array.dtype])
            is_parameter = kind == "parameter"
            wants = is_parameter and bool(meta["requires_grad"])
            self.states[key] = state = self.program.add_state(
                spec, name, is_parameter=is_parameter, stop_gradient=not wants
            )
            self.arrays[state.name] = array
        return self.states[key]

    def _array(self, table: str, file: str, meta: Any, name: str) -> np.ndarray:
        """The elements of a weight, of its bytes, sizes and strides."""
        dtype = self._dtype(meta)
        folders = [TABLES[t].rpartition("/")[0] for t in (table, "constants")]
        path = next(
            (f"{f}/{file}" for f in folders if f"{self.folder}/{f}/{file}" in self.names), ""
        )
        held = self._bytes(path or f"{folders[0]}/{file}")
        if len(held) % dtype.numpy.itemsize:
            raise FileError(f"{self.path}: {len(held)} bytes of {name} are no {dtype.name}")
        sizes, steps = ([n["as_int"] for n in meta[key]] for key in ("sizes", "strides"))
        storage = Storage(np.frombuffer(held, dtype.numpy))
        try:
            return tensor_of((storage, meta["storage_offset"]["as_int"], sizes, steps))
        except ValueError as error:
            raise FileError(f"{self.path}: {name}: {error}") from error

    def _table(self, name: str) -> Any:
        return self._json(TABLES[name])["config"]

    # What types and sizes are written as.

    def _dtype(self, meta: Any) -> DType:
        if meta["dtype"] not in CODES:
            raise UnsupportedError(f"{self.path}: tensors of type {meta['dtype']} are not read")
        return CODES[meta["dtype"]]

    def _spec(self, meta: Any) -> Spec:
        """Shape and dtype of an input; sizes that are symbols there get names of ours."""
        if len(meta["sizes"]) > MAX_RANK:
            raise FileError(f"{self.path}: an input of {len(meta['sizes'])} dimensions")
        return Spec(tuple(self._dim(n) for n in meta["sizes"]), self._dtype(meta))

    def _dim(self, told: Any) -> Dim:
        if "as_int" in told:
            if type(told["as_int"]) is not int or told["as_int"] < 0:
                raise FileError(f"{self.path}: {str(told['as_int'])[:40]} is no size")
            return told["as_int"]
        return self._size(ast.parse(told["as_expr"]["expr_str"], mode="eval").body)

    def _size(self, node: ast.expr) -> Any:
        """A size of an expression such as `Mul(Integer(2), Symbol('s0', integer=True))`."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            raise ValueError(f"{ast.unparse(node)[:80]} is no size")
        kind, args = node.func.id, node.args
        if kind in ("Symbol", "Integer") and len(args) == 1:
            value = ast.literal_eval(args[0])
            if kind == "Integer":
                return int(value)
            if value not in self.dims:
                self.dims[value] = self.program.fresh_dim()
            return self.dims[value]
        if kind not in EXPRESSIONS:
            raise UnsupportedError(f"{self.path}: a size that is {kind} of others")
        return reduce(EXPRESSIONS[kind], map(self._size, args))

    # The files of the archive.

    def _json(self, name: str) -> Any:
        try:
            return json.loads(self._bytes(name))
        except (ValueError, RecursionError) as error:
            raise FileError(f"{self.path}: {name} is no JSON ({str(error)[:80]})") from error

    def _bytes(self, name: str) -> bytes:
        """The contents of a file, which must lie in the archive as they are."""
        if f"{self.folder}/{name}" not in self.names:
            raise FileError(f"{self.path}: the archive has no file {name}")
        found = self.archive.getinfo(f"{self.folder}/{name}")
        if found.compress_type != zipfile.ZIP_STORED:
            raise FileError(f"{self.path}: {name} is compressed, which torch does not do")
        return self.archive.read(found)


# What sizes of inputs are made of, as SymPy writes it.
EXPRESSIONS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add,
    "Mul": operator.mul,
    "FloorDiv": operator.floordiv,
    "CleanDiv": operator.floordiv,
    "Mod": operator.mod,
    "PythonMod": operator.mod,
    "Max": max_dim,
}
# Of each kind of input that is a weight: the table that it is in, and what holds its name.
STATES = {
    "parameter": ("weights", "parameter_name"),
    "buffer": ("weights", "buffer_name"),
    "tensor_constant": ("constants", "tensor_constant_name"),
}
