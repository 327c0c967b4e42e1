"""What a Predictor is to run, and how."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from twinoar import config as flags
from twinoar.core.near import near_names
from twinoar.core.policy import Exactness, exactness
from twinoar.core.shown import Shown
from twinoar.errors import ArgumentError, FileError, UnknownNameError, UnsupportedError
from twinoar.formats.paddle.saved_state import PROGRAM_OF_FOLDER
from twinoar.formats.unfinished import settle
from twinoar.inference.engines import with_other_engines
from twinoar.inference.types import PrecisionType
from twinoar.passes import INFERENCE, get


class PassStrategy:
    """The passes that prepare a model, in order; see `twinoar.passes` for what each does."""

    def __init__(self) -> None:
        self._names = list(INFERENCE)
        self.shows_each = False

    def all_passes(self) -> list[str]:
        """The names, in order."""
        return list(self._names)

    def set_passes(self, passes: list[str]) -> None:
        """Run these instead. Raises UnknownNameError for one that is not registered."""
        for name in passes:
            get(name)
        self._names = list(passes)

    def append_pass(self, pass_type: str) -> None:
        """Run a pass after all others. Raises UnknownNameError."""
        self.insert_pass(len(self._names), pass_type)

    def insert_pass(self, idx: int, pass_type: str) -> None:
        """Run a pass as number `idx`. Raises UnknownNameError."""
        get(pass_type)
        self._names.insert(idx, pass_type)

    def delete_pass(self, pass_type: str | int) -> None:
        """Leave out a pass, by name or number. Raises UnknownNameError for an unknown name."""
        if isinstance(pass_type, int):
            del self._names[pass_type]
            return
        if pass_type not in self._names:
            raise UnknownNameError(
                f"no pass {pass_type!r} is run", cure=near_names(pass_type, self._names)
            )
        self._names = [n for n in self._names if n != pass_type]

    def turn_on_debug(self) -> None:
        """Draw the model after each pass, as `switch_ir_debug` of a Config does."""
        self.shows_each = True

    def debug_string(self) -> str:
        """The names, a line each."""
        return "\n".join([*(f"- {name}" for name in self._names), ""])


@with_other_engines
class Config:
    """A model's files, and options.

    Config(prog_file, params_file), or Config(model_dir) for a folder of Paddle 1 that holds
    `__model__`. Raises FileError for files that are not there, when a Predictor is made.

    >>> config = Config("model.pdmodel", "model.pdiparams")
    >>> config.pass_builder().delete_pass("fuse_attention")
    >>> config.prog_file(), config.ir_optim()
    ('model.pdmodel', True)
    """

    Precision = PrecisionType
    Float32, Int8, Half, Bfloat16 = PrecisionType

    def __init__(self, *files: str) -> None:
        self._folder = self._program = self._parameters = ""
        self._buffers: tuple[bytes, bytes] | None = None
        self._passes = PassStrategy()
        self._ir_optim, self._memory_optim, self._logs = True, False, True
        self._threads, self._new_ir = 0, False
        self._products: Exactness | None = None
        if files:
            self.set_model(*files)

    # The model.

    def set_model(self, *files: str) -> None:
        """The files: (prog_file, params_file), or (model_dir). Raises ArgumentError for more."""
        names = [str(f) for f in files]
        if len(names) == 1:
            self._folder, self._program, self._parameters = names[0], "", ""
        elif len(names) == 2:
            self._folder, (self._program, self._parameters) = "", names
        else:
            raise ArgumentError(
                f"expected (prog_file, params_file) or (model_dir), received {len(names)} names"
            )

    def set_prog_file(self, x: str) -> None:
        """The file of the program."""
        self._program = str(x)

    def set_params_file(self, x: str) -> None:
        """The file of the parameters."""
        self._parameters = str(x)

    def set_model_buffer(
        self, prog_buffer: bytes, prog_size: int, params_buffer: bytes, params_size: int
    ) -> None:
        """The contents of the two files, of which the first so many bytes count."""
        self._buffers = prog_buffer[:prog_size], params_buffer[:params_size]

    def model_dir(self) -> str:
        """The folder, or ""."""
        return self._folder

    def prog_file(self) -> str:
        """The file of the program, or ""."""
        return self._program

    def params_file(self) -> str:
        """The file of the parameters, or ""."""
        return self._parameters

    def model_from_memory(self) -> bool:
        """True after `set_model_buffer`."""
        return self._buffers is not None

    def contents(self) -> tuple[bytes, bytes | None, str]:
        """The program, the parameters (None where each has a file of its own), and where from.

        Raises FileError for what is not there.
        """
        if self._buffers is not None:
            return (*self._buffers, "the buffer")
        if self._folder:
            return _bytes(str(Path(self._folder, PROGRAM_OF_FOLDER))), None, self._folder
        if not self._program:
            raise ArgumentError(
                "the Config names no model", cure="Config('model.pdmodel', 'model.pdiparams')"
            )
        parameters = _bytes(self._parameters) if Path(self._parameters).is_file() else b""
        return _bytes(self._program), parameters, self._parameters

    # The device.

    def disable_gpu(self) -> None:
        """Run on the CPU, which it does anyway."""

    def enable_use_gpu(
        self, memory_pool_init_size_mb: int = 0, device_id: int = 0, precision_mode: object = None
    ) -> None:
        """Raises UnsupportedError: this version has one device, the CPU."""
        raise UnsupportedError(
            "this version of twinoar runs on the CPU alone", cure="call disable_gpu() instead"
        )

    def set_cpu_math_library_num_threads(self, x: int) -> None:
        """How many threads a run has. Raises ArgumentError for less than 1."""
        if x < 1:
            raise ArgumentError(f"expected at least one thread, received {x}")
        self._threads = int(x)

    def cpu_math_library_num_threads(self) -> int:
        """How many threads a run has; 0 for as many as there are cores."""
        return self._threads

    def set_float32_matmul_precision(self, precision: Exactness) -> None:
        """How exact products of float32 are in this model; `twinoar.set_float32_matmul_precision`.

        Raises ArgumentError for what is none of "highest", "high" and "medium".
        """
        self._products = exactness(precision)

    def float32_matmul_precision(self) -> Exactness | None:
        """What was set here; None for what the process has when the model runs."""
        return self._products

    def enable_mkldnn(self) -> None:
        """Run matrix products and convolutions in oneDNN where it is installed, as is usual."""

    def disable_mkldnn(self) -> None:
        """Raises UnsupportedError where oneDNN is in use: a flag of the process turns it off."""
        if flags.onednn:
            raise UnsupportedError(
                "one Predictor cannot do without oneDNN", cure="set TWINOAR_ONEDNN=0"
            )

    def mkldnn_enabled(self) -> bool:
        """True unless TWINOAR_ONEDNN=0."""
        return flags.onednn

    def set_mkldnn_cache_capacity(self, capacity: int = 0) -> None:
        """Accepted: what is compiled for each set of shapes is kept."""

    def disable_mkldnn_fc_passes(self) -> None:
        """Accepted: there are no such passes."""

    enable_onednn, disable_onednn = enable_mkldnn, disable_mkldnn
    onednn_enabled, set_onednn_cache_capacity = mkldnn_enabled, set_mkldnn_cache_capacity
    disable_onednn_fc_passes = disable_mkldnn_fc_passes

    def disable_onnxruntime(self) -> None:
        """Accepted: it is not in use."""

    # Passes.

    def switch_ir_optim(self, x: bool = True) -> None:
        """Run the passes of `pass_builder()` when a Predictor is made, or not."""
        self._ir_optim = bool(x)

    def ir_optim(self) -> bool:
        """True where passes are run."""
        return self._ir_optim

    def switch_ir_debug(self, x: bool = True, passes: Sequence[str] = ()) -> None:
        """Write `<n>_ir_<pass>.dot`, the model after a pass, into the current folder; or not.

        passes: those to be run, in place of all. Raises UnknownNameError.
        """
        self._passes.shows_each = bool(x)
        if passes:
            self._passes.set_passes(list(passes))

    def pass_builder(self) -> PassStrategy:
        """The list of passes, to be edited."""
        return self._passes

    def delete_pass(self, pass_name: str) -> None:
        """Leave out a pass. Raises UnknownNameError for one that is not there."""
        self._passes.delete_pass(pass_name)

    def enable_custom_passes(
        self, passes: Sequence[str] = (), custom_pass_only: bool = False
    ) -> None:
        """Run these passes after the others, or in their place. Raises UnknownNameError."""
        others = [] if custom_pass_only else self._passes.all_passes()
        self._passes.set_passes([*others, *passes])

    def set_optimization_level(self, opt_level: int = 2) -> None:
        """Run the passes of `pass_builder()`, or, at level 0, none. Raises ArgumentError."""
        if opt_level not in range(4):
            raise ArgumentError(f"expected a level from 0 to 3, received {opt_level}")
        self._ir_optim = opt_level > 0

    # What is accepted: it is always so, or concerns other back ends.

    def enable_memory_optim(self, x: bool = True) -> None:
        """Accepted: values that are not needed at once share memory in any case."""
        self._memory_optim = bool(x)

    def disable_glog_info(self) -> None:
        """Accepted: nothing is logged unless TWINOAR_DEBUG says so."""
        self._logs = False

    def glog_info_disabled(self) -> bool:
        """True after `disable_glog_info`."""
        return not self._logs

    def switch_use_feed_fetch_ops(self, x: bool = True) -> None:
        """Accepted: inputs and outputs have handles in any case."""

    def use_feed_fetch_ops_enabled(self) -> bool:
        """False."""
        return False

    def enable_new_executor(self, x: bool = True) -> None:
        """Accepted: there is one way to run a model."""

    def enable_new_ir(self, x: bool = True) -> None:
        """Accepted: models of both forms become the same Programs."""
        self._new_ir = bool(x)

    def new_ir_enabled(self) -> bool:
        """What `enable_new_ir` was given, False without it."""
        return self._new_ir

    def switch_specify_input_names(self, x: bool = True) -> None:
        """Accepted: inputs have names in any case."""

    def specify_input_name(self) -> bool:
        """True."""
        return True

    def summary(self) -> str:
        """The options as a table."""
        rows = {
            "model_dir": self._folder,
            "model_file": self._program,
            "params_file": self._parameters,
            "cpu_math_thread": self._threads or "all cores",
            "enable_mkldnn": self.mkldnn_enabled(),
            "float32_matmul_precision": self._products or "as the process",
            "use_gpu": False,
            "ir_optim": self._ir_optim,
            "ir_debug": self._passes.shows_each,
            "memory_optim": self._memory_optim,
            "enable_log": self._logs,
        }
        shown = {k: str(v).lower() if isinstance(v, bool) else str(v) for k, v in rows.items()}
        first, second = (max(map(len, column)) for column in (shown, shown.values()))
        line = f"+-{'-' * first}-+-{'-' * second}-+"
        body = [f"| {k:<{first}} | {v:<{second}} |" for k, v in shown.items()]
        head = f"| {'Option':<{first}} | {'Value':<{second}} |"
        return Shown("\n".join([line, head, line, *body, line, ""]))


def _bytes(file: str) -> bytes:
    settle(file)
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise FileError(
            f"cannot read {file}: {error.strerror}", cure=f"the working directory is {Path.cwd()}"
        ) from error
