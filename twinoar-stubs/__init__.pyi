"""twinoar: eager and static-graph deep learning as one thing, with Paddle's API."""

# Written by tools/stubs.py.

import _io
import abc
import builtins
import collections.abc
import os
import twinoar
import twinoar.callbacks
import twinoar.fluid.dygraph
import twinoar.nn
import typing
from typing import Any, Literal, overload

import numpy as _numpy

class BFloat16Tensor:
    """Makes a tensor of bfloat16."""
    made: twinoar.dtype
class BoolTensor:
    """Makes a tensor of bool."""
    made: twinoar.dtype
class ByteTensor:
    """Makes a tensor of uint8."""
    made: twinoar.dtype
class CPUPlace:
    """The CPU."""
    def __init__(self) -> None: ...
    def is_cpu_place(self) -> builtins.bool:
        """True for the CPU."""
    def is_gpu_place(self) -> builtins.bool:
        """True for a GPU."""
    def is_xpu_place(self) -> builtins.bool:
        """True for an XPU."""
    def is_custom_place(self) -> builtins.bool:
        """True for a device that a plug-in serves under a name of its own."""
    def is_cuda_pinned_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def is_xpu_pinned_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def is_ipu_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def gpu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def get_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def xpu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def custom_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def ipu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def get_device_type(self) -> builtins.str:
        """The kind of device."""
    def custom_device_type(self) -> builtins.str:
        """The kind of device."""
    def __eq__(self, other: Any) -> builtins.bool: ...  # type: ignore[override]
    device: Any
class CUDAPinnedPlace:
    """Memory that a GPU reads: making one raises ArgumentError."""
    def __init__(self) -> None: ...
    def is_cpu_place(self) -> builtins.bool:
        """True for the CPU."""
    def is_gpu_place(self) -> builtins.bool:
        """True for a GPU."""
    def is_xpu_place(self) -> builtins.bool:
        """True for an XPU."""
    def is_custom_place(self) -> builtins.bool:
        """True for a device that a plug-in serves under a name of its own."""
    def is_cuda_pinned_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def is_xpu_pinned_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def is_ipu_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def gpu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def get_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def xpu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def custom_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def ipu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def get_device_type(self) -> builtins.str:
        """The kind of device."""
    def custom_device_type(self) -> builtins.str:
        """The kind of device."""
    def __eq__(self, other: Any) -> builtins.bool: ...  # type: ignore[override]
    device: Any
class CUDAPlace:
    """A GPU"""
    def __init__(self, id: Any = 0) -> None: ...
    def is_cpu_place(self) -> builtins.bool:
        """True for the CPU."""
    def is_gpu_place(self) -> builtins.bool:
        """True for a GPU."""
    def is_xpu_place(self) -> builtins.bool:
        """True for an XPU."""
    def is_custom_place(self) -> builtins.bool:
        """True for a device that a plug-in serves under a name of its own."""
    def is_cuda_pinned_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def is_xpu_pinned_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def is_ipu_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def gpu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def get_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def xpu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def custom_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def ipu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def get_device_type(self) -> builtins.str:
        """The kind of device."""
    def custom_device_type(self) -> builtins.str:
        """The kind of device."""
    def __eq__(self, other: Any) -> builtins.bool: ...  # type: ignore[override]
    device: Any
class CharTensor:
    """Makes a tensor of int8."""
    made: twinoar.dtype
class CustomPlace:
    """A device that a plug-in serves, by its kind and number"""
    def __init__(self, device_type: builtins.str, device_id: Any = 0) -> None: ...
    def is_cpu_place(self) -> builtins.bool:
        """True for the CPU."""
    def is_gpu_place(self) -> builtins.bool:
        """True for a GPU."""
    def is_xpu_place(self) -> builtins.bool:
        """True for an XPU."""
    def is_custom_place(self) -> builtins.bool:
        """True for a device that a plug-in serves under a name of its own."""
    def is_cuda_pinned_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def is_xpu_pinned_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def is_ipu_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def gpu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def get_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def xpu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def custom_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def ipu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def get_device_type(self) -> builtins.str:
        """The kind of device."""
    def custom_device_type(self) -> builtins.str:
        """The kind of device."""
    def __eq__(self, other: Any) -> builtins.bool: ...  # type: ignore[override]
    device: Any
class DataParallel(twinoar.nn.Layer):
    """`layers`, whose gradients are the means over all processes after each backward."""
    def __init__(self, layers: twinoar.nn.Layer, strategy: Any = None, comm_buffer_size: Any = 25, last_comm_buffer_size: Any = 1, find_unused_parameters: builtins.bool = False, group: Any = None) -> None: ...
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layers compute."""
    def no_sync(self) -> collections.abc.Iterator[None]:
        """Within the block gradients stay each process's own, and add up."""
    def scale_loss(self, loss: Any) -> Any:
        """The loss: gradients become means by themselves."""
    def init_reducer(self) -> None:
        """Make ready to add up gradients: it is."""
    def apply_collective_grads(self) -> None:
        """Add up the gradients of all processes: each backward has done it."""
    def state_dict(self, *args: Any, **kwargs: Any) -> builtins.dict:
        """The state of the layers, by their own names."""
    def set_state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Give the layers the values of a state."""
    def set_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Give the layers the values of a state."""
    def load_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Give the layers the values of a state."""
    find_unused_parameters: builtins.bool
    group: Any
class DoubleTensor:
    """Makes a tensor of float64."""
    made: twinoar.dtype
class FloatTensor:
    """Makes a tensor of float32."""
    made: twinoar.dtype
class Generator:
    """Where keys come from: a seed and a counter, kept in one tensor."""
    def __init__(self, seed: Any = 0) -> None: ...
    @property
    def state(self) -> twinoar.Tensor:
        """(seed, counter), [2], int64: the tensor that stays the same object for good."""
    def manual_seed(self, seed: Any) -> twinoar.Generator:
        """Start again from `seed`"""
    def initial_seed(self) -> builtins.int:
        """The seed of the last `manual_seed`."""
    def get_state(self) -> twinoar.Tensor:
        """A copy of the state."""
    def set_state(self, state: Any) -> None:
        """Go on from a state that `get_state` gave."""
    def next_key(self) -> twinoar.Tensor:
        """A key that no other draw gets; in a Program another one in each run."""
    def split(self) -> twinoar.Tensor:
        """A key, taken off the state by an operator; in a Program the state is updated by runs."""
    def draw(self) -> _numpy.ndarray[Any, Any]:
        """A key, taken off the state now."""
class HalfTensor:
    """Makes a tensor of float16."""
    made: twinoar.dtype
class IntTensor:
    """Makes a tensor of int32."""
    made: twinoar.dtype
class LazyGuard:
    """Within the block, layers are made without data: each parameter is when it is first needed."""
    def __enter__(self) -> None: ...
    def __exit__(self, *raised: Any) -> None: ...
class LongTensor:
    """Makes a tensor of int64."""
    made: twinoar.dtype
class MmapStorage:
    """The first `nbytes` bytes of a file, of which tensors are made part by part."""
    def __init__(self, filename: builtins.str, nbytes: Any) -> None: ...
    def get_slice(self, dtype: Any = 'uint8', start: Any = 0, stop: Any = -1, step: Any = 1) -> twinoar.Tensor:
        """The elements from `start` up to `stop`, -1 for the end, as a vector of `dtype`."""
class Model:
    """A network with its optimizer, loss and metrics; trains, evaluates, predicts, saves, loads."""
    def __init__(self, network: twinoar.nn.Layer, inputs: Any = None, labels: Any = None) -> None: ...
    def prepare(self, optimizer: Any = None, loss: Any = None, metrics: Any = None, amp_configs: Any = None) -> None:
        """Say what trains and measures the network."""
    def parameters(self, *args: Any, **kwargs: Any) -> builtins.list[Any]:
        """The parameters of the network."""
    def train_batch(self, inputs: Any, labels: Any = None, update: builtins.bool = True) -> Any:
        """One step on a batch"""
    def eval_batch(self, inputs: Any, labels: Any = None) -> Any:
        """Losses, and where there are metrics their values, of a batch; nothing is learned."""
    def predict_batch(self, inputs: Any) -> builtins.list[_numpy.ndarray[Any, Any]]:
        """The outputs for a batch, as arrays."""
    def fit(self, train_data: Any = None, eval_data: Any = None, batch_size: Any = 1, epochs: Any = 1, eval_freq: Any = 1, log_freq: Any = 10, save_dir: builtins.str | None = None, save_freq: Any = 1, verbose: Any = 2, drop_last: builtins.bool = False, shuffle: builtins.bool = True, num_workers: Any = 0, callbacks: twinoar.callbacks.Callback | collections.abc.Sequence[twinoar.callbacks.Callback] | None = None, accumulate_grad_batches: Any = 1, num_iters: Any = None, resume: builtins.str | None = None) -> None:
        """Train for `epochs` epochs, evaluating after each `eval_freq` of them."""
    def evaluate(self, eval_data: Any, batch_size: Any = 1, log_freq: Any = 10, verbose: Any = 2, num_workers: Any = 0, callbacks: twinoar.callbacks.Callback | collections.abc.Sequence[twinoar.callbacks.Callback] | None = None, num_iters: Any = None) -> builtins.dict[builtins.str, Any]:
        """The metrics over `eval_data`, and the losses of its last batch, by name."""
    def predict(self, test_data: Any, batch_size: Any = 1, num_workers: Any = 0, stack_outputs: builtins.bool = False, verbose: Any = 1, callbacks: twinoar.callbacks.Callback | collections.abc.Sequence[twinoar.callbacks.Callback] | None = None) -> builtins.list[Any]:
        """The outputs for `test_data`: for each output of the network a tuple of arrays, one for each batch, or with stack_outputs one array."""
    def save(self, path: builtins.str, training: builtins.bool = True) -> None:
        """Write `path.pdparams` and, with an optimizer, `path.pdopt`."""
    def save_progress(self, path: builtins.str) -> None:
        """Write `path.pdprogress`: what `fit(resume=path)` needs beside the model."""
    def load(self, path: builtins.str, skip_mismatch: builtins.bool = False, reset_optimizer: builtins.bool = False) -> None:
        """Read what `save` wrote."""
    def summary(self, input_size: Any = None, dtype: Any = None) -> builtins.dict[builtins.str, builtins.int]:
        """Print a table of the layers and return the counts of parameters"""
    network: twinoar.nn.Layer
    mode: Any
    stop_training: Any
    optimizer: Any
    precision: Any
class ParamAttr:
    """What a parameter shall be: its name, how it starts, and how optimizers treat it."""
    def __init__(self, name: builtins.str | None = None, initializer: collections.abc.Callable | None = None, learning_rate: Any = ..., regularizer: Any = None, trainable: builtins.bool = True, do_model_average: builtins.bool = True, need_clip: builtins.bool = True) -> None: ...
    def traits(self) -> builtins.dict[builtins.str, Any]:
        """What optimizers want to know of the parameter."""
    name: builtins.str | None
    initializer: collections.abc.Callable | None
    learning_rate: builtins.float
    regularizer: Any
    trainable: builtins.bool
    do_model_average: builtins.bool
    need_clip: builtins.bool
class ShortTensor:
    """Makes a tensor of int16."""
    made: twinoar.dtype
class Size(builtins.list):
    """The sizes of a tensor's dimensions: a list that knows how many elements they make."""
    def __init__(self, sizes: collections.abc.Iterable[Any] = ...) -> None: ...
    def numel(self) -> builtins.int:
        """The product of the sizes."""
    def __getitem__(self, index: Any) -> Any: ...
    def __add__(self, other: Any) -> twinoar.Size: ...
    def __radd__(self, other: Any) -> twinoar.Size: ...
    def __mul__(self, times: typing.SupportsIndex) -> twinoar.Size: ...
    def __rmul__(self, times: typing.SupportsIndex) -> twinoar.Size: ...
    def __eq__(self, other: Any) -> builtins.bool: ...  # type: ignore[override]
class Tensor:
    """An array with a place in the autograd graph."""
    is_parameter: builtins.bool
    persistable: builtins.bool
    stop_gradient: builtins.bool
    producer: Any
    def __init__(self, data: _numpy.ndarray[Any, Any] | abc.ABC, stop_gradient: builtins.bool = True, producer: Any = None) -> None: ...
    @property
    def spec(self) -> Any:
        """Shape and dtype."""
    @property
    def dtype(self) -> twinoar.dtype:
        """Element type."""
    @property
    def shape(self) -> builtins.list[builtins.int]:
        """Sizes of the dimensions."""
    @property
    def ndim(self) -> builtins.int:
        """Number of dimensions."""
    @property
    def size(self) -> builtins.int:
        """Number of elements."""
    @property
    def name(self) -> builtins.str:
        """A name, made on first use."""
    @name.setter
    def name(self, value: Any) -> None: ...
    def rename(self, name: builtins.str) -> None:
        """Take `name`."""
    @property
    def place(self) -> Any:
        """The device that holds the data."""
    @property
    def process_mesh(self) -> Any:
        """The mesh of processes on which it lies, or None."""
    @property
    def placements(self) -> Any:
        """How it lies along each dimension of that mesh, or None."""
    @property
    def is_leaf(self) -> builtins.bool:
        """True for what no recorded operator made."""
    @property
    def grad_fn(self) -> Any:
        """The call that made it, with `name()` and `next_functions`; None for a leaf."""
    def gradient(self) -> _numpy.ndarray[Any, Any] | builtins.tuple[_numpy.ndarray[Any, Any], _numpy.ndarray[Any, Any]] | None:
        """The accumulated gradient as an ndarray, or None; of SelectedRows vectors, and rows."""
    def numpy(self, blocking: builtins.bool = True) -> _numpy.ndarray[Any, Any]:
        """The data as an ndarray of its own"""
    def item(self, *index: Any) -> Any:
        """One element as a Python number: the only one, or that at `index` (flat, or per axis)."""
    def tolist(self) -> Any:
        """The data as nested lists."""
    def detach(self) -> twinoar.Tensor:
        """The same data, outside the autograd graph."""
    def pin_memory(self) -> twinoar.Tensor:
        """The tensor in pinned memory: itself on a CPU."""
    def contiguous(self) -> twinoar.Tensor:
        """The tensor: values have no strides."""
    def is_contiguous(self) -> builtins.bool:
        """True: values have no strides."""
    def element_size(self) -> builtins.int:
        """Bytes of one element."""
    @property
    def nbytes(self) -> builtins.int:
        """Bytes of all elements."""
    def register_hook(self, hook: collections.abc.Callable[[twinoar.Tensor], twinoar.Tensor | None]) -> twinoar._HookHandle:
        """Call `hook(gradient)` when this tensor's gradient is known."""
    def retain_grads(self) -> None:
        """Keep the gradient of this intermediate tensor in `.grad` too."""
    def set_value(self, value: Any) -> None:
        """Replace the data"""
    def take_data(self, data: _numpy.ndarray[Any, Any] | abc.ABC) -> None:
        """Have `data` from now on, and all that share the memory with it."""
    def get_tensor(self) -> twinoar.Tensor:
        """The tensor (Paddle's inner one)."""
    def value(self) -> twinoar.Tensor:
        """The tensor (Paddle's inner one)."""
    @property
    def gradient_spec(self) -> Any:
        """The shape of the tensor, and the dtype that backward() gives its gradient as a leaf."""
    def __array__(self, dtype: Any = None, copy: builtins.bool | None = None) -> _numpy.ndarray[Any, Any]: ...
    def __bool__(self) -> builtins.bool: ...
    def __int__(self) -> builtins.int: ...
    def __float__(self) -> builtins.float: ...
    def __complex__(self) -> builtins.complex: ...
    def __index__(self) -> builtins.int: ...
    def __iter__(self) -> collections.abc.Iterator[twinoar.Tensor]: ...
    @property
    def data(self) -> Any:
        """The tensor; assigning gives it the data of another."""
    @data.setter
    def data(self, value: Any) -> None: ...
    def copy_(self, other: Any, blocking: builtins.bool = True) -> Any:
        """Take over the data of `other`."""
    def dim(self) -> builtins.int:
        """Number of dimensions."""
    def ndimension(self) -> builtins.int:
        """Number of dimensions."""
    @property
    def grad(self) -> Any:
        """The accumulated gradient, or None."""
    @grad.setter
    def grad(self, value: Any) -> None: ...
    @property
    def grad_(self) -> Any:
        """The accumulated gradient, or None."""
    @grad_.setter
    def grad_(self, value: Any) -> None: ...
    def clear_gradient(self, set_to_zero: builtins.bool = True) -> None:
        """Forget the gradient, or fill it with zeros."""
    def clear_grad(self) -> None:
        """Fill the gradient, where there is one, with zeros."""
    def __len__(self) -> builtins.int: ...
    @overload
    def cast(self, dtype: twinoar.dtype, name: builtins.str | None = None) -> twinoar.Tensor:
        """The elements of x converted to `dtype`; fractions are cut towards zero."""
    @overload
    def cast(self, *args: Any, x: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def astype(self, dtype: Any) -> twinoar.Tensor:
        """The elements of x converted to `dtype`; x itself where they have it already"""
    @overload
    def equal(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x == y; nan equals nothing."""
    @overload
    def equal(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def equal_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `equal`: x takes the result, and is returned."""
    @overload
    def not_equal(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x != y; nan differs from everything."""
    @overload
    def not_equal(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def not_equal_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `not_equal`: x takes the result, and is returned."""
    @overload
    def __lt__(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x < y; False where either is nan."""
    @overload
    def __lt__(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def less_than(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x < y; False where either is nan."""
    @overload
    def less_than(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def less_than_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `less_than`: x takes the result, and is returned."""
    @overload
    def __le__(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x <= y; False where either is nan."""
    @overload
    def __le__(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def less_equal(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x <= y; False where either is nan."""
    @overload
    def less_equal(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def less_equal_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `less_equal`: x takes the result, and is returned."""
    @overload
    def __gt__(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x > y; False where either is nan."""
    @overload
    def __gt__(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def greater_than(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x > y; False where either is nan."""
    @overload
    def greater_than(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def greater_than_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `greater_than`: x takes the result, and is returned."""
    @overload
    def __ge__(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x >= y; False where either is nan."""
    @overload
    def __ge__(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def greater_equal(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x >= y; False where either is nan."""
    @overload
    def greater_equal(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def greater_equal_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `greater_equal`: x takes the result, and is returned."""
    def __eq__(self, y: Any) -> twinoar.Tensor: ...  # type: ignore[override]
    def __ne__(self, y: Any) -> twinoar.Tensor: ...  # type: ignore[override]
    @overload
    def equal_all(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True if x and y have the same shape and all elements are equal."""
    @overload
    def equal_all(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def isclose(self, y: twinoar._TensorLike, rtol: Any = ..., atol: Any = ..., equal_nan: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where |x - y| <= atol + rtol * |y|; with `equal_nan`, also where both are nan."""
    @overload
    def isclose(self, *args: Any, x: Any = ..., y: Any = ..., rtol: Any = ..., atol: Any = ..., equal_nan: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def allclose(self, y: twinoar._TensorLike, rtol: Any = ..., atol: Any = ..., equal_nan: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """True if |x - y| <= atol + rtol * |y| everywhere; with `equal_nan`, nan is close to nan."""
    @overload
    def allclose(self, *args: Any, x: Any = ..., y: Any = ..., rtol: Any = ..., atol: Any = ..., equal_nan: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def isnan(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x is not a number."""
    @overload
    def isnan(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def isinf(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x is infinite, of either sign."""
    @overload
    def isinf(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def isfinite(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x is neither infinite nor nan."""
    @overload
    def isfinite(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def is_empty(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """True if x has no elements."""
    @overload
    def is_empty(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def maximum(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The larger of x and y, element by element; nan where either is nan."""
    @overload
    def maximum(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def minimum(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The smaller of x and y, element by element; nan where either is nan."""
    @overload
    def minimum(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def fmax(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The larger of x and y, element by element; the other one where one is nan."""
    @overload
    def fmax(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def fmin(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The smaller of x and y, element by element; the other one where one is nan."""
    @overload
    def fmin(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def clip(self, min: Any = None, max: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """x brought into [min, max]; a bound of None does not bind"""
    @overload
    def clip(self, *args: Any, x: Any = ..., min: Any = ..., max: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., to: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def clip_(self, min: Any = None, max: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `clip`: x takes the result, and is returned."""
    @overload
    def clamp(self, min: Any = None, max: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """Another name of `clip`."""
    @overload
    def clamp(self, *args: Any, x: Any = ..., min: Any = ..., max: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., to: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def clamp_(self, min: Any = None, max: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `clamp`: x takes the result, and is returned."""
    @overload
    def __abs__(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The absolute value."""
    @overload
    def __abs__(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def abs(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The absolute value."""
    @overload
    def abs(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def abs_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `abs`: x takes the result, and is returned."""
    @overload
    def sign(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """-1, 0 or 1, by the sign of x; nan stays"""
    @overload
    def sign(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def scale(self, scale: Any = ..., bias: Any = ..., bias_after_scale: builtins.bool = True, act: builtins.str | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """scale * x + bias, or scale * (x + bias) without `bias_after_scale`; `act` is applied to that."""
    def scale_(self, scale: Any = ..., bias: Any = ..., bias_after_scale: builtins.bool = True, act: builtins.str | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `scale`: x takes the result, and is returned."""
    def __pos__(self) -> twinoar.Tensor:
        """+x, which is x itself"""
    @overload
    def __neg__(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """-x"""
    @overload
    def __neg__(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def neg(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """-x"""
    @overload
    def neg(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def neg_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `neg`: x takes the result, and is returned."""
    @overload
    def lerp(self, y: twinoar._TensorLike, weight: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x + weight * (y - x): linear interpolation."""
    @overload
    def lerp(self, *args: Any, x: Any = ..., y: Any = ..., weight: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def lerp_(self, y: twinoar._TensorLike, weight: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `lerp`: x takes the result, and is returned."""
    def negative(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """-x."""
    def positive(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """+x, which is x itself"""
    @overload
    def logical_and(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where both x and y are true; a number other than 0 is true."""
    @overload
    def logical_and(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def logical_and_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `logical_and`: x takes the result, and is returned."""
    @overload
    def logical_or(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x or y is true, or both; a number other than 0 is true."""
    @overload
    def logical_or(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def logical_or_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `logical_or`: x takes the result, and is returned."""
    @overload
    def logical_xor(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where one of x and y is true and the other is not; a number other than 0 is true."""
    @overload
    def logical_xor(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def logical_xor_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `logical_xor`: x takes the result, and is returned."""
    @overload
    def logical_not(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x is false; a number other than 0 is true."""
    @overload
    def logical_not(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def logical_not_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `logical_not`: x takes the result, and is returned."""
    @overload
    def __and__(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The bits that are set in both x and y; for truth values, `and`."""
    @overload
    def __and__(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def bitwise_and(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The bits that are set in both x and y; for truth values, `and`."""
    @overload
    def bitwise_and(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def bitwise_and_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `bitwise_and`: x takes the result, and is returned."""
    @overload
    def __or__(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The bits that are set in x or y; for truth values, `or`."""
    @overload
    def __or__(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def bitwise_or(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The bits that are set in x or y; for truth values, `or`."""
    @overload
    def bitwise_or(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def bitwise_or_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `bitwise_or`: x takes the result, and is returned."""
    @overload
    def __xor__(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The bits that are set in one of x and y only; for truth values, exclusive `or`."""
    @overload
    def __xor__(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def bitwise_xor(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The bits that are set in one of x and y only; for truth values, exclusive `or`."""
    @overload
    def bitwise_xor(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def bitwise_xor_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `bitwise_xor`: x takes the result, and is returned."""
    @overload
    def __invert__(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """All bits of x flipped; for truth values, `not`."""
    @overload
    def __invert__(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def bitwise_not(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """All bits of x flipped; for truth values, `not`."""
    @overload
    def bitwise_not(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def bitwise_not_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `bitwise_not`: x takes the result, and is returned."""
    def __rand__(self, y: Any) -> twinoar.Tensor: ...
    def __ror__(self, y: Any) -> twinoar.Tensor: ...
    def __rxor__(self, y: Any) -> twinoar.Tensor: ...
    @overload
    def __add__(self, y: Any, name: builtins.str | None = None, *, alpha: Any = 1) -> twinoar.Tensor:
        """x + y."""
    @overload
    def __add__(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., alpha: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def add(self, y: Any, name: builtins.str | None = None, *, alpha: Any = 1) -> twinoar.Tensor:
        """x + y."""
    @overload
    def add(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., alpha: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def add_(self, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
        """In-place `add`: x takes the result, and is returned."""
    @overload
    def __sub__(self, y: Any, name: builtins.str | None = None, *, alpha: Any = 1) -> twinoar.Tensor:
        """x - y."""
    @overload
    def __sub__(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., alpha: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def subtract(self, y: Any, name: builtins.str | None = None, *, alpha: Any = 1) -> twinoar.Tensor:
        """x - y."""
    @overload
    def subtract(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., alpha: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def subtract_(self, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
        """In-place `subtract`: x takes the result, and is returned."""
    @overload
    def __mul__(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x * y, element by element."""
    @overload
    def __mul__(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def multiply(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x * y, element by element."""
    @overload
    def multiply(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def multiply_(self, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
        """In-place `multiply`: x takes the result, and is returned."""
    @overload
    def __truediv__(self, y: Any, name: builtins.str | None = None, *, rounding_mode: Literal['floor', 'trunc'] | None = None) -> twinoar.Tensor:
        """x / y, element by element; integers are divided as the default floating dtype."""
    @overload
    def __truediv__(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., rounding_mode: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def divide(self, y: Any, name: builtins.str | None = None, *, rounding_mode: Literal['floor', 'trunc'] | None = None) -> twinoar.Tensor:
        """x / y, element by element; integers are divided as the default floating dtype."""
    @overload
    def divide(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., rounding_mode: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def divide_(self, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
        """In-place `divide`: x takes the result, and is returned."""
    @overload
    def div(self, y: Any, name: builtins.str | None = None, *, rounding_mode: Literal['floor', 'trunc'] | None = None) -> twinoar.Tensor:
        """x / y; rounded towards negative infinity with 'floor', towards zero with 'trunc'."""
    @overload
    def div(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., rounding_mode: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def div_(self, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
        """In-place `div`: x takes the result, and is returned."""
    @overload
    def sub(self, y: Any, name: builtins.str | None = None, *, alpha: Any = 1) -> twinoar.Tensor:
        """x - alpha y"""
    @overload
    def sub(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., alpha: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def sub_(self, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
        """In-place `sub`: x takes the result, and is returned."""
    @overload
    def __floordiv__(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x / y rounded towards negative infinity."""
    @overload
    def __floordiv__(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def floor_divide(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x / y rounded towards negative infinity."""
    @overload
    def floor_divide(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def floor_divide_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `floor_divide`: x takes the result, and is returned."""
    @overload
    def __mod__(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x - y * floor(x / y): what is left of x, with the sign of y."""
    @overload
    def __mod__(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def remainder(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x - y * floor(x / y): what is left of x, with the sign of y."""
    @overload
    def remainder(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def mod(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x - y * floor(x / y): what is left of x, with the sign of y."""
    @overload
    def mod(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def floor_mod(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x - y * floor(x / y): what is left of x, with the sign of y."""
    @overload
    def floor_mod(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def remainder_(self, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
        """In-place `remainder`: x takes the result, and is returned."""
    def mod_(self, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
        """In-place `remainder`: x takes the result, and is returned."""
    def floor_mod_(self, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
        """In-place `remainder`: x takes the result, and is returned."""
    @overload
    def __pow__(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x to the power of y."""
    @overload
    def __pow__(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def pow(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x to the power of y."""
    @overload
    def pow(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def pow_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `pow`: x takes the result, and is returned."""
    def __radd__(self, y: twinoar._TensorLike) -> twinoar.Tensor: ...
    def __rsub__(self, y: twinoar._TensorLike) -> twinoar.Tensor: ...
    def __rmul__(self, y: twinoar._TensorLike) -> twinoar.Tensor: ...
    def __rtruediv__(self, y: twinoar._TensorLike) -> twinoar.Tensor: ...
    def __rfloordiv__(self, y: Any) -> twinoar.Tensor: ...
    def __rmod__(self, y: Any) -> twinoar.Tensor: ...
    def __rpow__(self, y: Any) -> twinoar.Tensor: ...
    @overload
    def exp(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """e to the power of x."""
    @overload
    def exp(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def exp_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `exp`: x takes the result, and is returned."""
    @overload
    def expm1(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """exp(x) - 1, accurate near 0."""
    @overload
    def expm1(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def expm1_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `expm1`: x takes the result, and is returned."""
    @overload
    def log(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The natural logarithm: -inf at 0, nan below."""
    @overload
    def log(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def log_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `log`: x takes the result, and is returned."""
    @overload
    def log2(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The logarithm to base 2: -inf at 0, nan below."""
    @overload
    def log2(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def log2_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `log2`: x takes the result, and is returned."""
    @overload
    def log10(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The logarithm to base 10: -inf at 0, nan below."""
    @overload
    def log10(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def log10_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `log10`: x takes the result, and is returned."""
    @overload
    def log1p(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """log(1 + x), accurate near 0."""
    @overload
    def log1p(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def log1p_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `log1p`: x takes the result, and is returned."""
    @overload
    def sqrt(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The square root; nan below 0."""
    @overload
    def sqrt(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def sqrt_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `sqrt`: x takes the result, and is returned."""
    @overload
    def rsqrt(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """1 / sqrt(x): inf at 0, nan below."""
    @overload
    def rsqrt(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def rsqrt_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `rsqrt`: x takes the result, and is returned."""
    @overload
    def square(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """x * x."""
    @overload
    def square(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def square_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `square`: x takes the result, and is returned."""
    @overload
    def reciprocal(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """1 / x."""
    @overload
    def reciprocal(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def reciprocal_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `reciprocal`: x takes the result, and is returned."""
    @overload
    def floor(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The largest whole number not above x."""
    @overload
    def floor(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def floor_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `floor`: x takes the result, and is returned."""
    @overload
    def ceil(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The smallest whole number not below x."""
    @overload
    def ceil(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def ceil_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `ceil`: x takes the result, and is returned."""
    @overload
    def trunc(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """x without its fraction: rounded towards 0."""
    @overload
    def trunc(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def trunc_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `trunc`: x takes the result, and is returned."""
    def round(self, decimals: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """x rounded to `decimals` places, halves to even; negative `decimals` round to tens, hundreds."""
    def round_(self, decimals: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `round`: x takes the result, and is returned."""
    @overload
    def nextafter(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The number next to x in the direction of y; no gradient flows."""
    @overload
    def nextafter(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def copysign(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The size of x with the sign of y, which 0.0 and -0.0 have too."""
    @overload
    def copysign(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def copysign_(self, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
        """In-place `copysign`: x takes the result, and is returned."""
    @overload
    def signbit(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """Where the sign is negative; -0.0 has one."""
    @overload
    def signbit(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def frexp(self, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
        """Mantissas of size in [0.5, 1) and exponents of two, whose product x is."""
    @overload
    def ldexp(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x 2**y."""
    @overload
    def ldexp(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def ldexp_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `ldexp`: x takes the result, and is returned."""
    @overload
    def heaviside(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """0 where x is below 0, y where it is 0, 1 above."""
    @overload
    def heaviside(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def hypot(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """sqrt(x^2 + y^2)."""
    @overload
    def hypot(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def hypot_(self, y: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `hypot`: x takes the result, and is returned."""
    @overload
    def logaddexp(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """log(exp(x) + exp(y)), without overflow."""
    @overload
    def logaddexp(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def frac(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """x less its whole part, with the sign of x."""
    def frac_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `frac`: x takes the result, and is returned."""
    def nan_to_num(self, nan: Any = ..., posinf: Any = None, neginf: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with numbers in the places of nan and infinities."""
    def nan_to_num_(self, nan: Any = ..., posinf: Any = None, neginf: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `nan_to_num`: x takes the result, and is returned."""
    def isposinf(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """Where x is infinity."""
    def isneginf(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """Where x is negative infinity."""
    @overload
    def sin(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The sine."""
    @overload
    def sin(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def sin_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `sin`: x takes the result, and is returned."""
    @overload
    def cos(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The cosine."""
    @overload
    def cos(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def cos_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `cos`: x takes the result, and is returned."""
    @overload
    def tan(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The tangent."""
    @overload
    def tan(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def tan_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `tan`: x takes the result, and is returned."""
    @overload
    def asin(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The angle in [-pi/2, pi/2] whose sine is x; nan outside [-1, 1]."""
    @overload
    def asin(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def asin_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `asin`: x takes the result, and is returned."""
    @overload
    def acos(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The angle in [0, pi] whose cosine is x; nan outside [-1, 1]."""
    @overload
    def acos(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def acos_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `acos`: x takes the result, and is returned."""
    @overload
    def atan(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The angle in (-pi/2, pi/2) whose tangent is x."""
    @overload
    def atan(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def atan_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `atan`: x takes the result, and is returned."""
    @overload
    def sinh(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The hyperbolic sine."""
    @overload
    def sinh(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def sinh_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `sinh`: x takes the result, and is returned."""
    @overload
    def cosh(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The hyperbolic cosine."""
    @overload
    def cosh(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def cosh_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `cosh`: x takes the result, and is returned."""
    @overload
    def tanh(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The hyperbolic tangent."""
    @overload
    def tanh(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def tanh_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `tanh`: x takes the result, and is returned."""
    @overload
    def asinh(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The inverse of the hyperbolic sine."""
    @overload
    def asinh(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def asinh_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `asinh`: x takes the result, and is returned."""
    @overload
    def acosh(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The inverse of the hyperbolic cosine; nan below 1."""
    @overload
    def acosh(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def acosh_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `acosh`: x takes the result, and is returned."""
    @overload
    def atanh(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The inverse of the hyperbolic tangent; nan outside [-1, 1]."""
    @overload
    def atanh(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def atanh_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `atanh`: x takes the result, and is returned."""
    @overload
    def atan2(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The angle in [-pi, pi] of the point with ordinate x and abscissa y."""
    @overload
    def atan2(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def deg2rad(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """Degrees in radians; integers count as floats."""
    def rad2deg(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """Radians in degrees; integers count as floats."""
    @overload
    def real(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The real parts."""
    @overload
    def real(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def imag(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The imaginary parts; 0 for real numbers."""
    @overload
    def imag(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def conj(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The complex conjugates."""
    @overload
    def conj(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def angle(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The angles of complex numbers with the positive real axis; 0 or pi for real ones."""
    @overload
    def angle(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def as_complex(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """Complex numbers whose parts stand side by side."""
    @overload
    def as_complex(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def as_real(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The parts of complex numbers side by side."""
    @overload
    def as_real(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def view_as_complex(self) -> twinoar.Tensor:
        """Complex numbers whose parts stand side by side"""
    def view_as_real(self) -> twinoar.Tensor:
        """The parts of complex numbers side by side"""
    def isreal(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """Where the imaginary part is 0."""
    @overload
    def sgn(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """x / |x|, and 0 where x is 0; the sign of real numbers."""
    @overload
    def sgn(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def erf(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The error function: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x."""
    @overload
    def erf(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def erf_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `erf`: x takes the result, and is returned."""
    @overload
    def erfinv(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The inverse of erf: infinite at -1 and 1, nan beyond."""
    @overload
    def erfinv(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def erfinv_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `erfinv`: x takes the result, and is returned."""
    @overload
    def sigmoid(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """1 / (1 + exp(-x))."""
    @overload
    def sigmoid(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def sigmoid_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `sigmoid`: x takes the result, and is returned."""
    @overload
    def stanh(self, scale_a: Any = ..., scale_b: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """scale_b * tanh(scale_a * x)"""
    @overload
    def stanh(self, *args: Any, x: Any = ..., scale_a: Any = ..., scale_b: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def reshape(self, shape: Any, *more: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """The elements of x, in order, under another shape."""
    @overload
    def reshape(self, *args: Any, x: Any = ..., shape: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def reshape_(self, shape: Any, *more: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `reshape`: x takes the result, and is returned."""
    @overload
    def view(self, shape_or_dtype: Any, *more: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """The elements of x under another shape, or the bits of x as elements of another dtype."""
    @overload
    def view(self, *args: Any, x: Any = ..., shape_or_dtype: Any = ..., name: Any = ..., A: Any = ..., dtype: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., shape: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def view_as(self, other: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The elements of x under the shape of `other`."""
    @overload
    def transpose(self, perm: Any, *more: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with its axes reordered: axis i of the result is axis perm[i] of x."""
    @overload
    def transpose(self, *args: Any, x: Any = ..., perm: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., dim0: Any = ..., dim1: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def transpose_(self, perm: Any, *more: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `transpose`: x takes the result, and is returned."""
    def t(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The transpose of a matrix; vectors and numbers stay as they are."""
    def moveaxis(self, source: Any, destination: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with the axes `source` moved to the places `destination`; the others keep their order."""
    def swapaxes(self, axis0: Any, axis1: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with two axes exchanged"""
    def swapdims(self, axis0: Any, axis1: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with two axes exchanged"""
    @property
    def T(self) -> twinoar.Tensor:
        """The tensor with its axes in reverse order."""
    @property
    def mT(self) -> twinoar.Tensor:
        """The tensor with its last two axes exchanged"""
    @overload
    def squeeze(self, axis: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """x without axes of size 1: those in `axis`, or all"""
    @overload
    def squeeze(self, *args: Any, x: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def squeeze_(self, axis: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `squeeze`: x takes the result, and is returned."""
    @overload
    def unsqueeze(self, axis: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with new axes of size 1, inserted one after the other at the places `axis`."""
    @overload
    def unsqueeze(self, *args: Any, x: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def unsqueeze_(self, axis: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `unsqueeze`: x takes the result, and is returned."""
    @overload
    def flatten(self, start_axis: Any = 0, stop_axis: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with the axes from start_axis to stop_axis, both included, made one."""
    @overload
    def flatten(self, *args: Any, x: Any = ..., start_axis: Any = ..., stop_axis: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., end_dim: Any = ..., input: Any = ..., obj: Any = ..., start_dim: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def flatten_(self, start_axis: Any = 0, stop_axis: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `flatten`: x takes the result, and is returned."""
    def clone(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """A copy of x through which gradients flow."""
    def rank(self) -> twinoar.Tensor:
        """The number of dimensions as a tensor, [], int32."""
    @overload
    def fill_(self, value: Any) -> twinoar.Tensor:
        """Set all elements of x to `value`, in place, and return x; what was there gets no gradient."""
    @overload
    def fill_(self, *args: Any, x: Any = ..., value: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def zero_(self) -> twinoar.Tensor:
        """Set all elements of x to 0, in place, and return x."""
    @overload
    def flip(self, axis: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x backwards along one or several axes"""
    @overload
    def flip(self, *args: Any, x: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def roll(self, shifts: Any, axis: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """x moved by `shifts` along `axis`; what leaves at the end comes in at the start."""
    @overload
    def roll(self, *args: Any, x: Any = ..., shifts: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def slice(self, axes: Any, starts: Any, ends: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """input[starts:ends] along `axes`."""
    @overload
    def slice(self, *args: Any, input: Any = ..., axes: Any = ..., starts: Any = ..., ends: Any = ..., name: Any = ..., dim: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def strided_slice(self, axes: Any, starts: Any, ends: Any, strides: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x[starts:ends:strides] along `axes`"""
    @overload
    def strided_slice(self, *args: Any, x: Any = ..., axes: Any = ..., starts: Any = ..., ends: Any = ..., strides: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def sum(self, axis: Any = None, dtype: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The sum of the elements over `axis`, of all for None."""
    @overload
    def sum(self, *args: Any, x: Any = ..., axis: Any = ..., dtype: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def mean(self, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None, *, dtype: Any = None) -> twinoar.Tensor:
        """The mean of the elements over `axis`, of all for None."""
    @overload
    def mean(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., dtype: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def prod(self, axis: Any = None, keepdim: builtins.bool = False, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """The product of the elements over `axis`, of all for None; 1 for no elements."""
    @overload
    def prod(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def all(self, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where all elements over `axis` are true; a number other than 0 is"""
    @overload
    def all(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def any(self, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where an element over `axis` is true; a number other than 0 is"""
    @overload
    def any(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def logsumexp(self, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """log(sum(exp(x))) over `axis`, of all for None, without overflow; -inf for no elements."""
    @overload
    def logsumexp(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def reduce_as(self, target: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x summed down to the shape of `target`, which broadcasts to that of x."""
    @overload
    def cumsum(self, axis: Any = None, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """Running sums along `axis`; without one, of the flattened x."""
    @overload
    def cumsum(self, *args: Any, x: Any = ..., axis: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def cumsum_(self, axis: Any = None, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `cumsum`: x takes the result, and is returned."""
    def cumprod(self, dim: Any = None, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """Running products along `dim`; without one, of the flattened x."""
    def cumprod_(self, dim: Any = None, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `cumprod`: x takes the result, and is returned."""
    @overload
    def max(self, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The largest element over `axis`, of all for None; nan where there is nan."""
    @overload
    def max(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def min(self, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The smallest element over `axis`, of all for None; nan where there is nan."""
    @overload
    def min(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def amax(self, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The largest element over `axis`, as `max`: equal elements share the gradient in both."""
    @overload
    def amax(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def amin(self, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The smallest element over `axis`, as `min`: equal elements share the gradient in both."""
    @overload
    def amin(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def argmax(self, axis: Any = None, keepdim: builtins.bool = False, dtype: Any = 'int64', name: builtins.str | None = None) -> twinoar.Tensor:
        """The position of the largest element along `axis`, the first of equals; without an axis in the flattened x."""
    @overload
    def argmax(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def argmin(self, axis: Any = None, keepdim: builtins.bool = False, dtype: Any = 'int64', name: builtins.str | None = None) -> twinoar.Tensor:
        """The position of the smallest element along `axis`, the first of equals; without an axis in the flattened x."""
    @overload
    def argmin(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def take_along_axis(self, indices: twinoar._TensorLike, axis: Any, broadcast: builtins.bool = True) -> twinoar.Tensor:
        """Elements of arr at the positions `indices` along an axis."""
    @overload
    def take_along_axis(self, *args: Any, arr: Any = ..., indices: Any = ..., axis: Any = ..., broadcast: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def index_sample(self, index: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """For each row of x, [n,m], the elements at the positions in that row of index, [n,k]."""
    @overload
    def index_sample(self, *args: Any, x: Any = ..., index: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def put_along_axis(self, indices: twinoar._TensorLike, values: Any, axis: Any, reduce: builtins.str = 'assign', include_self: builtins.bool = True, broadcast: builtins.bool = True) -> twinoar.Tensor:
        """arr with elements at the positions `indices` along an axis set to `values`."""
    @overload
    def put_along_axis(self, *args: Any, arr: Any = ..., indices: Any = ..., values: Any = ..., axis: Any = ..., reduce: Any = ..., include_self: Any = ..., broadcast: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., input: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def put_along_axis_(self, indices: twinoar._TensorLike, values: Any, axis: Any, reduce: builtins.str = 'assign', include_self: builtins.bool = True, broadcast: builtins.bool = True) -> twinoar.Tensor:
        """In-place `put_along_axis`: x takes the result, and is returned."""
    @overload
    def gather(self, index: twinoar._TensorLike, axis: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """The slices of x at the positions `index` along an axis, the first by default."""
    @overload
    def gather(self, *args: Any, x: Any = ..., index: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def index_select(self, index: twinoar._TensorLike, axis: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """The slices of x at the positions `index`, [k], along an axis; the axis may come first."""
    @overload
    def index_select(self, *args: Any, x: Any = ..., index: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def index_add(self, index: twinoar._TensorLike, axis: Any, value: twinoar._TensorLike, alpha: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with slices of `alpha * value` added at the positions `index`, [k], along an axis, which may come before them."""
    @overload
    def index_add(self, *args: Any, x: Any = ..., index: Any = ..., axis: Any = ..., value: Any = ..., alpha: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def index_add_(self, index: twinoar._TensorLike, axis: Any, value: twinoar._TensorLike, alpha: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `index_add`: x takes the result, and is returned."""
    def scatter(self, index: twinoar._TensorLike, updates: twinoar._TensorLike, overwrite: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with its rows at the positions `index` replaced by those of `updates`."""
    def scatter_(self, index: twinoar._TensorLike, updates: twinoar._TensorLike, overwrite: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `scatter`: x takes the result, and is returned."""
    @overload
    def split(self, num_or_sections: Any, axis: Any = 0, name: builtins.str | None = None) -> builtins.list[twinoar.Tensor]:
        """Parts of x along an axis: as many equal ones as the number says, or of the sizes listed, one of which may be -1."""
    @overload
    def split(self, *args: Any, x: Any = ..., num_or_sections: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
    @overload
    def chunk(self, chunks: Any, axis: Any = 0, name: builtins.str | None = None) -> builtins.list[twinoar.Tensor]:
        """x in `chunks` equal parts along an axis"""
    @overload
    def chunk(self, *args: Any, x: Any = ..., chunks: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
    @overload
    def unbind(self, axis: Any = 0) -> builtins.list[twinoar.Tensor]:
        """The slices of a tensor along an axis, which is dropped."""
    @overload
    def unbind(self, *args: Any, input: Any = ..., axis: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
    @overload
    def unstack(self, axis: Any = 0, num: Any = None) -> builtins.list[twinoar.Tensor]:
        """As `unbind`, but copies"""
    @overload
    def unstack(self, *args: Any, x: Any = ..., axis: Any = ..., num: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., steps: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
    def combinations(self, r: Any = 2, with_replacement: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """All subsets of r elements of a vector, [k,r]; with `with_replacement` an element may repeat."""
    @overload
    def cummax(self, axis: Any = None, dtype: Any = 'int64', name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
        """The largest elements so far along an axis, of the flattened x without one, and where they stand last."""
    @overload
    def cummax(self, *args: Any, x: Any = ..., axis: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
    @overload
    def cummin(self, axis: Any = None, dtype: Any = 'int64', name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
        """The smallest elements so far along an axis, and where they stand last"""
    @overload
    def cummin(self, *args: Any, x: Any = ..., axis: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
    @overload
    def logcumsumexp(self, axis: Any = None, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """log of the running sums of exp(x) along an axis, of the flattened x without one."""
    @overload
    def logcumsumexp(self, *args: Any, x: Any = ..., axis: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def atleast_1d(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """Tensors with a dimension at least: [] becomes [1]"""
    def atleast_2d(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """Tensors with two dimensions at least: [n] becomes [1,n]"""
    def atleast_3d(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """Tensors with three dimensions at least: [n] becomes [1,n,1], [m,n] [m,n,1]."""
    @overload
    def tensor_split(self, num_or_indices: Any, axis: Any = 0, name: builtins.str | None = None) -> builtins.list[twinoar.Tensor]:
        """Parts of x along an axis: a number of parts, the first ones longer by one where it does not divide, or the positions at which to cut."""
    @overload
    def tensor_split(self, *args: Any, x: Any = ..., num_or_indices: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., indices: Any = ..., indices_or_sections: Any = ..., input: Any = ..., obj: Any = ..., sections: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
    @overload
    def hsplit(self, num_or_indices: Any, name: builtins.str | None = None) -> builtins.list[twinoar.Tensor]:
        """Parts of x along the second dimension, the first of vectors"""
    @overload
    def hsplit(self, *args: Any, x: Any = ..., num_or_indices: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., indices: Any = ..., indices_or_sections: Any = ..., input: Any = ..., obj: Any = ..., sections: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
    @overload
    def vsplit(self, num_or_indices: Any, name: builtins.str | None = None) -> builtins.list[twinoar.Tensor]:
        """Parts of x along the first dimension"""
    @overload
    def vsplit(self, *args: Any, x: Any = ..., num_or_indices: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., indices: Any = ..., indices_or_sections: Any = ..., input: Any = ..., obj: Any = ..., sections: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
    @overload
    def dsplit(self, num_or_indices: Any, name: builtins.str | None = None) -> builtins.list[twinoar.Tensor]:
        """Parts of x along the third dimension"""
    @overload
    def dsplit(self, *args: Any, x: Any = ..., num_or_indices: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., indices: Any = ..., indices_or_sections: Any = ..., input: Any = ..., obj: Any = ..., sections: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
    @overload
    def tril(self, diagonal: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """The lower triangles of matrices, [..., rows, columns]; what lies above `diagonal` becomes 0."""
    @overload
    def tril(self, *args: Any, x: Any = ..., diagonal: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def triu(self, diagonal: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """The upper triangles of matrices, [..., rows, columns]; what lies below `diagonal` becomes 0."""
    @overload
    def triu(self, *args: Any, x: Any = ..., diagonal: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def diagonal(self, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
        """A diagonal of the matrices in axes axis1 and axis2, as the last axis; `offset` counts to the right."""
    @overload
    def diagonal(self, *args: Any, x: Any = ..., offset: Any = ..., axis1: Any = ..., axis2: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def diag(self, offset: Any = 0, padding_value: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """A vector as the diagonal of a square matrix, or the diagonal of a matrix as a vector."""
    @overload
    def diag(self, *args: Any, x: Any = ..., offset: Any = ..., padding_value: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def trace(self, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
        """The sum of the diagonal of the matrices in the dimensions `axis1` and `axis2`."""
    def diagflat(self, offset: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """A matrix with the elements of x on a diagonal, zeros elsewhere."""
    @overload
    def where(self, x: Any = None, y: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """x where `condition` is true, y elsewhere; without x and y, the positions where it is true."""
    @overload
    def where(self, *args: Any, condition: Any = ..., x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def nonzero(self, as_tuple: builtins.bool = False) -> twinoar.Tensor:
        """The coordinates of the elements of x that are not 0, in order."""
    @overload
    def masked_select(self, mask: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The elements of x where `mask` is true, in order; both broadcast."""
    @overload
    def masked_select(self, *args: Any, x: Any = ..., mask: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def masked_fill(self, mask: twinoar._TensorLike, value: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with `value`, a number or a 0-d tensor, where `mask` is true; mask broadcasts."""
    @overload
    def masked_fill(self, *args: Any, x: Any = ..., mask: Any = ..., value: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def masked_fill_(self, mask: twinoar._TensorLike, value: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `masked_fill`: x takes the result, and is returned."""
    @overload
    def gather_nd(self, index: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The slices of x at coordinates: each last row of `index` names one."""
    @overload
    def gather_nd(self, *args: Any, x: Any = ..., index: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def scatter_nd_add(self, index: twinoar._TensorLike, updates: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with slices added at coordinates, each time a coordinate occurs."""
    @overload
    def scatter_nd_add(self, *args: Any, x: Any = ..., index: Any = ..., updates: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def index_put(self, indices: collections.abc.Sequence[twinoar._TensorLike], value: twinoar._TensorLike, accumulate: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with x[indices] set to `value`, or with `accumulate` value added to it each time a position occurs."""
    @overload
    def index_put(self, *args: Any, x: Any = ..., indices: Any = ..., value: Any = ..., accumulate: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def index_put_(self, indices: collections.abc.Sequence[twinoar._TensorLike], value: twinoar._TensorLike, accumulate: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `index_put`: x takes the result, and is returned."""
    @overload
    def sort(self, axis: Any = -1, descending: builtins.bool = False, stable: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """x in order along `axis`, from small to large, or from large to small if `descending`."""
    @overload
    def sort(self, *args: Any, x: Any = ..., axis: Any = ..., descending: Any = ..., stable: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def argsort(self, axis: Any = -1, descending: builtins.bool = False, stable: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The positions that put x in order along `axis`"""
    @overload
    def argsort(self, *args: Any, x: Any = ..., axis: Any = ..., descending: Any = ..., stable: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def topk(self, k: Any, axis: Any = None, largest: builtins.bool = True, sorted: builtins.bool = True, name: builtins.str | None = None) -> twinoar._TopKRetType:
        """The k largest elements along `axis`, the last by default, and where they are."""
    @overload
    def topk(self, *args: Any, x: Any = ..., k: Any = ..., axis: Any = ..., largest: Any = ..., sorted: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar._TopKRetType: ...
    def msort(self) -> twinoar.Tensor:
        """x in order along its first dimension"""
    @overload
    def mode(self, axis: Any = -1, keepdim: builtins.bool = False, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
        """The commonest elements along an axis, the least of several, and where they stand last."""
    @overload
    def mode(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
    @overload
    def kthvalue(self, k: Any, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
        """The k-th smallest elements along an axis, the last by default, and where they are."""
    @overload
    def kthvalue(self, *args: Any, x: Any = ..., k: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
    @overload
    def nanmedian(self, axis: Any = None, keepdim: builtins.bool = False, mode: Literal['avg', 'min'] = 'avg', name: builtins.str | None = None) -> twinoar.Tensor:
        """The middle of the elements over `axis` that are not nan, of all for None; nan without any."""
    @overload
    def nanmedian(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., mode: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def quantile(self, q: Any, axis: Any = None, keepdim: builtins.bool = False, interpolation: Literal['linear', 'lower', 'higher', 'midpoint', 'nearest'] = 'linear', name: builtins.str | None = None) -> twinoar.Tensor:
        """The element below which a share q lies, over `axis`, of all for None; nan where there is nan."""
    @overload
    def quantile(self, *args: Any, x: Any = ..., q: Any = ..., axis: Any = ..., keepdim: Any = ..., interpolation: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def nanquantile(self, q: Any, axis: Any = None, keepdim: builtins.bool = False, interpolation: Literal['linear', 'lower', 'higher', 'midpoint', 'nearest'] = 'linear', name: builtins.str | None = None) -> twinoar.Tensor:
        """`quantile` of the elements that are not nan; nan without any."""
    @overload
    def nanquantile(self, *args: Any, x: Any = ..., q: Any = ..., axis: Any = ..., keepdim: Any = ..., interpolation: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def median(self, axis: Any = None, keepdim: builtins.bool = False, mode: Literal['avg', 'min'] = 'avg', name: builtins.str | None = None) -> twinoar.Tensor:
        """The middle element over `axis`, of all for None; nan where there is nan, or no element."""
    @overload
    def median(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., mode: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def repeat_interleave(self, repeats: Any, axis: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """Each slice of x along an axis repeated in place."""
    @overload
    def repeat_interleave(self, *args: Any, x: Any = ..., repeats: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def index_fill(self, index: twinoar._TensorLike, axis: Any, value: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with the slices at the positions `index`, [k], along an axis filled with a number."""
    @overload
    def index_fill(self, *args: Any, x: Any = ..., index: Any = ..., axis: Any = ..., value: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def index_fill_(self, index: twinoar._TensorLike, axis: Any, value: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `index_fill`: x takes the result, and is returned."""
    @overload
    def masked_scatter(self, mask: twinoar._TensorLike, value: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with its elements where `mask` is true replaced by those of `value`, in order."""
    @overload
    def masked_scatter(self, *args: Any, x: Any = ..., mask: Any = ..., value: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def masked_scatter_(self, mask: twinoar._TensorLike, value: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `masked_scatter`: x takes the result, and is returned."""
    @overload
    def select_scatter(self, values: twinoar._TensorLike, axis: Any, index: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with the slice at `index` along an axis replaced by `values`, which lack the axis."""
    @overload
    def select_scatter(self, *args: Any, x: Any = ..., values: Any = ..., axis: Any = ..., index: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def slice_scatter(self, value: twinoar._TensorLike, axes: collections.abc.Sequence[Any], starts: collections.abc.Sequence[Any], ends: collections.abc.Sequence[Any], strides: collections.abc.Sequence[Any], name: builtins.str | None = None) -> twinoar.Tensor:
        """x with x[starts:ends:strides] along `axes` replaced by `value`."""
    @overload
    def slice_scatter(self, *args: Any, x: Any = ..., value: Any = ..., axes: Any = ..., starts: Any = ..., ends: Any = ..., strides: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def diagonal_scatter(self, y: twinoar._TensorLike, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with a diagonal of the dimensions `axis1` and `axis2` replaced by y."""
    @overload
    def diagonal_scatter(self, *args: Any, x: Any = ..., y: Any = ..., offset: Any = ..., axis1: Any = ..., axis2: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def fill_diagonal_tensor(self, y: twinoar._TensorLike, offset: Any = 0, dim1: Any = 0, dim2: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with a diagonal replaced by y"""
    @overload
    def fill_diagonal_tensor(self, *args: Any, x: Any = ..., y: Any = ..., offset: Any = ..., dim1: Any = ..., dim2: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def scatter_add(self, dim: Any, index: twinoar._TensorLike, src: twinoar._TensorLike) -> twinoar.Tensor:
        """input with the elements of src added at the positions `index` along a dimension."""
    def scatter_add_(self, dim: Any, index: twinoar._TensorLike, src: twinoar._TensorLike) -> twinoar.Tensor:
        """In-place `scatter_add`: x takes the result, and is returned."""
    def scatter_reduce(self, dim: Any, index: twinoar._TensorLike, src: twinoar._TensorLike, reduce: builtins.str, *, include_self: builtins.bool = True) -> twinoar.Tensor:
        """input with elements of src combined at the positions `index` along a dimension."""
    @overload
    def unfold(self, axis: Any, size: Any, step: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """Windows of `size` slices along an axis, `step` apart, as a new last dimension: a view."""
    @overload
    def unfold(self, *args: Any, x: Any = ..., axis: Any = ..., size: Any = ..., step: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def as_strided(self, shape: Any, stride: Any, offset: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """The elements of x, in order, at `offset` plus the sum of index times `stride`: a view."""
    @overload
    def as_strided(self, *args: Any, x: Any = ..., shape: Any = ..., stride: Any = ..., offset: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def take_along_dim(self, indices: twinoar._TensorLike, axis: Any, broadcast: builtins.bool = True) -> twinoar.Tensor:
        """Elements of arr at positions along an axis"""
    @overload
    def take_along_dim(self, *args: Any, arr: Any = ..., indices: Any = ..., axis: Any = ..., broadcast: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def take(self, index: twinoar._TensorLike, mode: builtins.str = 'raise', name: builtins.str | None = None) -> twinoar.Tensor:
        """The elements of x, in order, at the positions `index`; negative ones count from the end."""
    def multiplex(self, index: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """Row i of the result is row i of inputs[index[i]]."""
    def shard_index(self, index_num: Any, nshards: Any, shard_id: Any, ignore_value: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
        """Positions within one of `nshards` equal parts of `index_num`; others are `ignore_value`."""
    def argwhere(self) -> twinoar.Tensor:
        """The positions of what is not 0, [k,n]"""
    @overload
    def unique(self, return_index: builtins.bool = False, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, axis: Any = None, dtype: Any = 'int64', sorted: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
        """The different elements of x, or its different slices along an axis, in ascending order."""
    @overload
    def unique(self, *args: Any, x: Any = ..., return_index: Any = ..., return_inverse: Any = ..., return_counts: Any = ..., axis: Any = ..., dtype: Any = ..., sorted: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def bincount(self, weights: twinoar._TensorLike | None = None, minlength: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """How often each number from 0 on occurs in x, or the sum of its weights."""
    @overload
    def bucketize(self, sorted_sequence: twinoar._TensorLike, out_int32: builtins.bool = False, right: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """Which of the intervals between the elements of a sorted vector each element of x is in."""
    @overload
    def bucketize(self, *args: Any, x: Any = ..., sorted_sequence: Any = ..., out_int32: Any = ..., right: Any = ..., name: Any = ..., A: Any = ..., boundaries: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def isin(self, test_x: twinoar._TensorLike, assume_unique: builtins.bool = False, invert: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """Where the elements of x are among those of `test_x`, or are not for `invert`."""
    @overload
    def isin(self, *args: Any, x: Any = ..., test_x: Any = ..., assume_unique: Any = ..., invert: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., test_elements: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def unique_consecutive(self, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, axis: Any = None, dtype: Any = 'int64', name: builtins.str | None = None) -> twinoar.Tensor:
        """One of each run of equal elements, or of equal slices along an axis."""
    @overload
    def unique_consecutive(self, *args: Any, x: Any = ..., return_inverse: Any = ..., return_counts: Any = ..., axis: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def matmul(self, y: twinoar._TensorLike, transpose_x: builtins.bool = False, transpose_y: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The matrix product of x and y."""
    @overload
    def matmul(self, *args: Any, x: Any = ..., y: Any = ..., transpose_x: Any = ..., transpose_y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def __matmul__(self, y: Any) -> twinoar.Tensor:
        """x @ y; y, which may be an array, is brought to the dtype of x where their kinds are one."""
    def __rmatmul__(self, y: Any) -> twinoar.Tensor: ...
    @overload
    def bmm(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The matrix products of two batches."""
    @overload
    def bmm(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def mm(self, mat2: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The matrix product of input and mat2"""
    @overload
    def dot(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The inner product of two vectors, or of two batches of vectors row by row."""
    @overload
    def dot(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def mv(self, vec: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The product of a matrix and a vector."""
    @overload
    def mv(self, *args: Any, x: Any = ..., vec: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def outer(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The products of every element of x with every element of y."""
    @overload
    def outer(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def inner(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The inner products of every row of x with every row of y."""
    @overload
    def inner(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def addmm(self, x: twinoar._TensorLike, y: twinoar._TensorLike, beta: Any = ..., alpha: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """beta * input + alpha * x @ y."""
    @overload
    def addmm(self, *args: Any, input: Any = ..., x: Any = ..., y: Any = ..., beta: Any = ..., alpha: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def cross(self, y: twinoar._TensorLike, axis: Any = 9, name: builtins.str | None = None) -> twinoar.Tensor:
        """The cross products of vectors of 3 along an axis, by default the first one of size 3."""
    @overload
    def cross(self, *args: Any, x: Any = ..., y: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def kron(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The Kronecker product: every element of x times y, in blocks."""
    @overload
    def kron(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def vander(self, n: Any = None, increasing: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The powers of the elements of a vector as rows, falling from n - 1 to 0, or rising."""
    @overload
    def vecdot(self, y: twinoar._TensorLike, axis: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
        """The dot products of vectors along an axis; x is conjugated where it is complex."""
    @overload
    def vecdot(self, *args: Any, x: Any = ..., y: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def inverse(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The inverse of square matrices."""
    @overload
    def inverse(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def slogdet(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The sign of the determinants of square matrices, and the logarithm of their size."""
    @overload
    def slogdet(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def solve(self, y: twinoar._TensorLike, left: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
        """The solution of `x @ out = y`, or of `out @ x = y` where `left` is False."""
    @overload
    def solve(self, *args: Any, x: Any = ..., y: Any = ..., left: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def triangular_solve(self, y: twinoar._TensorLike, upper: builtins.bool = True, transpose: builtins.bool = False, unitriangular: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The solution of `x @ out = y` for triangular matrices x; what is off the triangle is ignored."""
    @overload
    def triangular_solve(self, *args: Any, x: Any = ..., y: Any = ..., upper: Any = ..., transpose: Any = ..., unitriangular: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def cholesky(self, upper: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The triangular L with `L @ L.T = x`, or U with `U.T @ U = x` where `upper` is True."""
    @overload
    def cholesky(self, *args: Any, x: Any = ..., upper: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def cholesky_solve(self, y: twinoar._TensorLike, upper: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The solution of `A @ out = x`, with A known by its Cholesky factor y."""
    @overload
    def cholesky_solve(self, *args: Any, x: Any = ..., y: Any = ..., upper: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def cholesky_inverse(self, upper: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The inverse of A, with A known by its Cholesky factor x."""
    def eigvalsh(self, UPLO: Literal['L', 'U'] = 'L', name: builtins.str | None = None) -> twinoar.Tensor:
        """The eigenvalues, ascending, of symmetric or Hermitian matrices"""
    @overload
    def eig(self, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
        """Eigenvalues and eigenvectors of square matrices, complex; no gradient flows."""
    @overload
    def eig(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
    def eigvals(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The eigenvalues of square matrices, complex; no gradient flows"""
    def qr(self, mode: Literal['reduced', 'complete', 'r'] = 'reduced', name: builtins.str | None = None) -> twinoar.Tensor:
        """The decomposition of matrices into Q, orthonormal columns, and R, upper triangular."""
    @overload
    def norm(self, p: Any = None, axis: Any = None, keepdim: builtins.bool = False, out: twinoar._TensorLike | None = None, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """The norm of x as one vector, of the vectors along one axis, or of matrices for two axes."""
    @overload
    def norm(self, *args: Any, x: Any = ..., p: Any = ..., axis: Any = ..., keepdim: Any = ..., out: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ...) -> twinoar.Tensor: ...
    @overload
    def dist(self, y: twinoar._TensorLike, p: Any = 2, name: builtins.str | None = None) -> twinoar.Tensor:
        """The p-norm of x - y."""
    @overload
    def dist(self, *args: Any, x: Any = ..., y: Any = ..., p: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def renorm(self, p: Any, axis: Any, max_norm: Any) -> twinoar.Tensor:
        """x with the slices along `axis` scaled down to a p-norm of `max_norm` where theirs is larger."""
    @overload
    def renorm(self, *args: Any, x: Any = ..., p: Any = ..., axis: Any = ..., max_norm: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def renorm_(self, p: Any, axis: Any, max_norm: Any) -> twinoar.Tensor:
        """In-place `renorm`: x takes the result, and is returned."""
    @overload
    def cdist(self, y: twinoar._TensorLike, p: Any = ..., compute_mode: builtins.str = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """The p-norms of the differences of each vector of x and each of y."""
    @overload
    def cdist(self, *args: Any, x: Any = ..., y: Any = ..., p: Any = ..., compute_mode: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def digamma(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The derivative of lgamma: infinite at 0, nan at -1, -2, ..."""
    @overload
    def digamma(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def digamma_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `digamma`: x takes the result, and is returned."""
    @overload
    def lgamma(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The logarithm of the size of the gamma function: infinite at 0, -1, -2, ..."""
    @overload
    def lgamma(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def lgamma_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `lgamma`: x takes the result, and is returned."""
    @overload
    def gammaln(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The logarithm of the size of the gamma function, `lgamma`."""
    @overload
    def gammaln(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def gammaln_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `gammaln`: x takes the result, and is returned."""
    def polygamma(self, n: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """The derivative of order n of digamma, which is that of order 0."""
    def polygamma_(self, n: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `polygamma`: x takes the result, and is returned."""
    @overload
    def gcd(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The greatest common divisors of integers; not negative."""
    @overload
    def gcd(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def gcd_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `gcd`: x takes the result, and is returned."""
    @overload
    def lcm(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The least common multiples of integers; not negative."""
    @overload
    def lcm(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def lcm_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `lcm`: x takes the result, and is returned."""
    @overload
    def bitwise_left_shift(self, y: Any, is_arithmetic: builtins.bool = True, out: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """The bits of integers moved up by y; what leaves the dtype is lost."""
    @overload
    def bitwise_left_shift(self, *args: Any, x: Any = ..., y: Any = ..., is_arithmetic: Any = ..., out: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ...) -> twinoar.Tensor: ...
    @overload
    def __lshift__(self, y: Any, is_arithmetic: builtins.bool = True, out: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """The bits of integers moved up by y; what leaves the dtype is lost."""
    @overload
    def __lshift__(self, *args: Any, x: Any = ..., y: Any = ..., is_arithmetic: Any = ..., out: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ...) -> twinoar.Tensor: ...
    def bitwise_left_shift_(self, y: Any, is_arithmetic: builtins.bool = True, out: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `bitwise_left_shift`: x takes the result, and is returned."""
    @overload
    def bitwise_right_shift(self, y: Any, is_arithmetic: builtins.bool = True, out: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """The bits of integers moved down by y; the sign is kept where `is_arithmetic`."""
    @overload
    def bitwise_right_shift(self, *args: Any, x: Any = ..., y: Any = ..., is_arithmetic: Any = ..., out: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ...) -> twinoar.Tensor: ...
    @overload
    def __rshift__(self, y: Any, is_arithmetic: builtins.bool = True, out: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """The bits of integers moved down by y; the sign is kept where `is_arithmetic`."""
    @overload
    def __rshift__(self, *args: Any, x: Any = ..., y: Any = ..., is_arithmetic: Any = ..., out: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ...) -> twinoar.Tensor: ...
    def bitwise_right_shift_(self, y: Any, is_arithmetic: builtins.bool = True, out: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `bitwise_right_shift`: x takes the result, and is returned."""
    def __rlshift__(self, y: Any) -> twinoar.Tensor: ...
    def __rrshift__(self, y: Any) -> twinoar.Tensor: ...
    def multigammaln(self, p: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """The logarithm of the gamma function of p dimensions."""
    def multigammaln_(self, p: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `multigammaln`: x takes the result, and is returned."""
    @overload
    def gammainc(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The regularized lower incomplete gamma function of parameter x at y."""
    @overload
    def gammainc(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def gammainc_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `gammainc`: x takes the result, and is returned."""
    @overload
    def gammaincc(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The regularized upper incomplete gamma function of parameter x at y"""
    @overload
    def gammaincc(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def gammaincc_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `gammaincc`: x takes the result, and is returned."""
    @overload
    def i0(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The modified Bessel function of the first kind of order 0."""
    @overload
    def i0(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def i0_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `i0`: x takes the result, and is returned."""
    @overload
    def i0e(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """exp(-|x|) `i0(x)`."""
    @overload
    def i0e(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def i1(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The modified Bessel function of the first kind of order 1."""
    @overload
    def i1(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def i1e(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """exp(-|x|) `i1(x)`."""
    @overload
    def i1e(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def logit(self, eps: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """log(x / (1 - x)), the inverse of the logistic function; nan outside of [0, 1]."""
    def logit_(self, eps: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `logit`: x takes the result, and is returned."""
    def sinc(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """sin(pi x) / (pi x), and 1 where x is 0."""
    def sinc_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `sinc`: x takes the result, and is returned."""
    @overload
    def uniform_(self, min: Any = ..., max: Any = ..., seed: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """Fill x with uniform numbers in [min, max), in place, and return x."""
    @overload
    def uniform_(self, *args: Any, x: Any = ..., min: Any = ..., max: Any = ..., seed: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., to: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def normal_(self, mean: Any = ..., std: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """Fill x with normal numbers, in place, and return x."""
    def bernoulli(self, p: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """1 with the probability that x holds (or p everywhere), else 0; shape and dtype of x, no gradient."""
    def multinomial(self, num_samples: Any = 1, replacement: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """Positions drawn with the weights in the rows of x: [num_samples] or [rows, num_samples], int64."""
    def log_normal_(self, mean: Any = ..., std: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """Fill x with exp of normal numbers, in place, and return x."""
    def bernoulli_(self, p: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """Fill x with 1 with the probability p, else 0, in place, and return x."""
    @overload
    def exponential_(self, lam: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """Fill x with exponential draws of rate `lam`, in place, and return x."""
    @overload
    def exponential_(self, *args: Any, x: Any = ..., lam: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., lambd: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def geometric_(self, probs: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """Fill x with how many trials of probability `probs` it takes to succeed, and return x."""
    def cauchy_(self, loc: Any = 0, scale: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
        """Fill x with Cauchy draws of that median and scale, in place, and return x."""
    def random_(self, from_: Any = 0, to: Any = None) -> twinoar.Tensor:
        """Fill x with integers in [from_, to), in place, and return x."""
    @overload
    def diff(self, n: Any = 1, axis: Any = -1, prepend: twinoar._TensorLike | None = None, append: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """Differences of neighbors along an axis, n times over; of truth values, where they differ."""
    @overload
    def diff(self, *args: Any, x: Any = ..., n: Any = ..., axis: Any = ..., prepend: Any = ..., append: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def trapezoid(self, x: twinoar._TensorLike | None = None, dx: Any = None, axis: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
        """The integral of y along an axis by the trapezoid rule."""
    @overload
    def trapezoid(self, *args: Any, y: Any = ..., x: Any = ..., dx: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def cumulative_trapezoid(self, x: twinoar._TensorLike | None = None, dx: Any = None, axis: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
        """The running integral of y along an axis by the trapezoid rule"""
    @overload
    def cumulative_trapezoid(self, *args: Any, y: Any = ..., x: Any = ..., dx: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def histogram(self, bins: Any = 100, min: Any = ..., max: Any = ..., weight: twinoar._TensorLike | None = None, density: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """How many elements lie in each of `bins` equal intervals from `min` to `max`."""
    @overload
    def histogram(self, *args: Any, input: Any = ..., bins: Any = ..., min: Any = ..., max: Any = ..., weight: Any = ..., density: Any = ..., name: Any = ..., to: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def histogram_bin_edges(self, bins: Any = 100, min: Any = ..., max: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """The bounds of the intervals in which `histogram` counts, [bins + 1], float32."""
    @overload
    def histogram_bin_edges(self, *args: Any, input: Any = ..., bins: Any = ..., min: Any = ..., max: Any = ..., name: Any = ..., to: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def histogramdd(self, bins: Any = 10, ranges: collections.abc.Sequence[Any] | None = None, density: builtins.bool = False, weights: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, builtins.list[twinoar.Tensor]]:
        """How many points lie in each box of a grid, and the bounds along each axis."""
    @overload
    def var(self, axis: Any = None, unbiased: builtins.bool | None = None, keepdim: builtins.bool = False, name: builtins.str | None = None, *, correction: Any = 1) -> twinoar.Tensor:
        """The variance over `axis`, of all for None: squared distances from the mean over n - 1."""
    @overload
    def var(self, *args: Any, x: Any = ..., axis: Any = ..., unbiased: Any = ..., keepdim: Any = ..., name: Any = ..., correction: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def std(self, axis: Any = None, unbiased: builtins.bool | None = None, keepdim: builtins.bool = False, name: builtins.str | None = None, *, correction: Any = 1) -> twinoar.Tensor:
        """The standard deviation over `axis`, of all for None: the square root of `var`."""
    @overload
    def std(self, *args: Any, x: Any = ..., axis: Any = ..., unbiased: Any = ..., keepdim: Any = ..., name: Any = ..., correction: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def nansum(self, axis: Any = None, dtype: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The sum over `axis` of the elements that are not nan"""
    @overload
    def nansum(self, *args: Any, x: Any = ..., axis: Any = ..., dtype: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def nanmean(self, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The mean over `axis` of the elements that are not nan"""
    @overload
    def nanmean(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def count_nonzero(self, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """How many elements over `axis` are not 0, of all for None."""
    @overload
    def count_nonzero(self, *args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def expand(self, shape: Any, *more: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x repeated to `shape` by broadcasting; -1 keeps the size of x."""
    @overload
    def expand(self, *args: Any, x: Any = ..., shape: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def broadcast_to(self, shape: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x repeated to `shape` by broadcasting: `expand`"""
    @overload
    def broadcast_to(self, *args: Any, x: Any = ..., shape: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def expand_as(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x repeated to the shape of y by broadcasting"""
    @overload
    def expand_as(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def tile(self, repeat_times: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x repeated as a whole along each axis; the shorter of its shape and `repeat_times` is preceded by ones."""
    @overload
    def tile(self, *args: Any, x: Any = ..., repeat_times: Any = ..., name: Any = ..., A: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def rot90(self, k: Any = 1, axes: collections.abc.Sequence[Any] = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """x turned k times by 90 degrees, from the first axis towards the second."""
    @overload
    def rot90(self, *args: Any, x: Any = ..., k: Any = ..., axes: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def reverse(self, axis: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x backwards along one or several axes"""
    @overload
    def reverse(self, *args: Any, x: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def ravel(self) -> twinoar.Tensor:
        """The elements of x as a vector."""
    def permute(self, dims: Any, *more: Any) -> twinoar.Tensor:
        """x with its dimensions in the order of `dims`"""
    def matrix_transpose(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with its last two dimensions exchanged."""
    def narrow(self, dim: Any, start: Any, length: Any) -> twinoar.Tensor:
        """`length` slices of x along a dimension, from `start` on."""
    @overload
    def unflatten(self, axis: Any, shape: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with one dimension as several, whose sizes `shape` gives; one may be -1."""
    @overload
    def unflatten(self, *args: Any, x: Any = ..., axis: Any = ..., shape: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def numel(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The number of elements as a tensor, [], int64."""
    @overload
    def numel(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def softmax_(self, axis: Any = -1, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `softmax`: x takes the result, and is returned."""
    @overload
    def eq(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x == y; nan equals nothing."""
    @overload
    def eq(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def ne(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x != y; nan differs from everything."""
    @overload
    def ne(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def lt(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x < y; False where either is nan."""
    @overload
    def lt(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def le(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x <= y; False where either is nan."""
    @overload
    def le(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def gt(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x > y; False where either is nan."""
    @overload
    def gt(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def ge(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x >= y; False where either is nan."""
    @overload
    def ge(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def less(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x < y; False where either is nan."""
    @overload
    def less(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def greater(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """True where x > y; False where either is nan."""
    @overload
    def greater(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def mul(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """x * y, element by element."""
    @overload
    def mul(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def bitwise_invert(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """All bits of x flipped; for truth values, `not`."""
    @overload
    def bitwise_invert(self, *args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def ger(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The products of every element of x with every element of y."""
    @overload
    def ger(self, *args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def less_(self, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `less_than`: x takes the result, and is returned."""
    def mul_(self, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
        """In-place `multiply`: x takes the result, and is returned."""
    def bitwise_invert_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `bitwise_not`: x takes the result, and is returned."""
    def addmm_(self, x: twinoar._TensorLike, y: twinoar._TensorLike, beta: Any = ..., alpha: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `addmm`: x takes the result, and is returned."""
    def cast_(self, dtype: twinoar.dtype, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `cast`: x takes the result, and is returned."""
    def t_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `t`: x takes the result, and is returned."""
    def tril_(self, diagonal: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `tril`: x takes the result, and is returned."""
    def triu_(self, diagonal: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `triu`: x takes the result, and is returned."""
    def true_divide(self, other: Any) -> twinoar.Tensor:
        """input / other"""
    def softmax(self, dim: Any = None, dtype: Any = None) -> twinoar.Tensor:
        """exp(x) / sum(exp(x)) along `dim`"""
    @overload
    def baddbmm(self, x: twinoar._TensorLike, y: twinoar._TensorLike, beta: Any = ..., alpha: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """beta input + alpha x @ y, for batches of matrices."""
    @overload
    def baddbmm(self, *args: Any, input: Any = ..., x: Any = ..., y: Any = ..., beta: Any = ..., alpha: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def baddbmm_(self, x: twinoar._TensorLike, y: twinoar._TensorLike, beta: Any = ..., alpha: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `baddbmm`: x takes the result, and is returned."""
    def relu_(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `relu`: x takes the result, and is returned."""
    def leaky_relu_(self, negative_slope: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `leaky_relu`: x takes the result, and is returned."""
    def elu_(self, alpha: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `elu`: x takes the result, and is returned."""
    def hardtanh_(self, min: Any = ..., max: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `hardtanh`: x takes the result, and is returned."""
    def thresholded_relu_(self, threshold: Any = ..., value: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `thresholded_relu`: x takes the result, and is returned."""
    def __getitem__(self, item: Any) -> twinoar.Tensor:
        """The part of the tensor that the index names: a view, unless lists or arrays name it."""
    def __setitem__(self, item: Any, value: Any) -> None:
        """Replace the part of the tensor that the index names, in place; `value` broadcasts to it."""
    def bool(self) -> twinoar.Tensor:
        """The elements of x as bool"""
    def byte(self) -> twinoar.Tensor:
        """The elements of x as uint8"""
    def uint8(self) -> twinoar.Tensor:
        """The elements of x as uint8"""
    def char(self) -> twinoar.Tensor:
        """The elements of x as int8"""
    def int8(self) -> twinoar.Tensor:
        """The elements of x as int8"""
    def short(self) -> twinoar.Tensor:
        """The elements of x as int16"""
    def int16(self) -> twinoar.Tensor:
        """The elements of x as int16"""
    def int(self) -> twinoar.Tensor:
        """The elements of x as int32"""
    def int32(self) -> twinoar.Tensor:
        """The elements of x as int32"""
    def long(self) -> twinoar.Tensor:
        """The elements of x as int64"""
    def int64(self) -> twinoar.Tensor:
        """The elements of x as int64"""
    def half(self) -> twinoar.Tensor:
        """The elements of x as float16"""
    def float16(self) -> twinoar.Tensor:
        """The elements of x as float16"""
    def bfloat16(self) -> twinoar.Tensor:
        """The elements of x as bfloat16"""
    def float(self) -> twinoar.Tensor:
        """The elements of x as float32"""
    def float32(self) -> twinoar.Tensor:
        """The elements of x as float32"""
    def double(self) -> twinoar.Tensor:
        """The elements of x as float64"""
    def float64(self) -> twinoar.Tensor:
        """The elements of x as float64"""
    def cfloat(self) -> twinoar.Tensor:
        """The elements of x as complex64"""
    def complex64(self) -> twinoar.Tensor:
        """The elements of x as complex64"""
    def cdouble(self) -> twinoar.Tensor:
        """The elements of x as complex128"""
    def complex128(self) -> twinoar.Tensor:
        """The elements of x as complex128"""
    def add_n(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The sum of a list of tensors of one shape and dtype; a single tensor is itself the sum."""
    def block_diag(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """Matrices on the diagonal of a matrix of zeros; vectors and numbers count as rows."""
    @overload
    def diag_embed(self, offset: Any = 0, dim1: Any = -2, dim2: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
        """The last axis of a tensor as diagonals of square matrices in axes dim1 and dim2 of the result"""
    @overload
    def diag_embed(self, *args: Any, input: Any = ..., offset: Any = ..., dim1: Any = ..., dim2: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def increment(self, value: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
        """Add `value` to x, in place, and return x"""
    @overload
    def increment(self, *args: Any, x: Any = ..., value: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def polar(self, angle: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """Complex numbers of given sizes and angles."""
    @overload
    def scatter_nd(self, updates: twinoar._TensorLike, shape: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """Zeros of `shape` with `updates` added at the positions `index`"""
    @overload
    def scatter_nd(self, *args: Any, index: Any = ..., updates: Any = ..., shape: Any = ..., name: Any = ..., size: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def tensordot(self, y: twinoar._TensorLike, axes: Any = 2, name: builtins.str | None = None) -> twinoar.Tensor:
        """The sum of the products of x and y over pairs of dimensions."""
    @overload
    def tensordot(self, *args: Any, x: Any = ..., y: Any = ..., axes: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., dim: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def where_(self, x: Any = None, y: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `where`: x takes the elements of y where `condition` is false, and is returned."""
    @overload
    def where_(self, *args: Any, condition: Any = ..., x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def fill_diagonal_tensor_(self, y: twinoar._TensorLike, offset: Any = 0, dim1: Any = 0, dim2: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `fill_diagonal_tensor`: x takes the result, and is returned."""
    def type_as(self, tensor: twinoar._TensorLike) -> twinoar.Tensor:
        """The elements of x in the dtype of another tensor."""
    def new_full(self, size: Any, fill_value: Any, *, dtype: Any = None, requires_grad: builtins.bool = False) -> twinoar.Tensor:
        """`fill_value` everywhere, of a shape, and of the dtype of x where `dtype` is None."""
    def new_zeros(self, *size: Any, dtype: Any = None, requires_grad: builtins.bool = False) -> twinoar.Tensor:
        """Zeros of a shape, and of the dtype of x where `dtype` is None."""
    def new_empty(self, *size: Any, dtype: Any = None, requires_grad: builtins.bool = False) -> twinoar.Tensor:
        """Zeros of a shape, and of the dtype of x where `dtype` is None."""
    def new_ones(self, *size: Any, dtype: Any = None, requires_grad: builtins.bool = False) -> twinoar.Tensor:
        """Ones of a shape, and of the dtype of x where `dtype` is None."""
    def repeat(self, *repeats: Any) -> twinoar.Tensor:
        """x repeated along each dimension"""
    def split_with_sizes(self, split_sizes: collections.abc.Sequence[Any], dim: Any = 0) -> builtins.list[twinoar.Tensor]:
        """Parts of x of given sizes along a dimension"""
    @overload
    def is_same_shape(self, y: twinoar._TensorLike) -> builtins.bool:
        """Whether two tensors have one shape."""
    @overload
    def is_same_shape(self, *args: Any, x: Any = ..., y: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> builtins.bool: ...
    def apply(self, function: collections.abc.Callable[[twinoar.Tensor], twinoar.Tensor]) -> twinoar.Tensor:
        """function(x)."""
    def apply_(self, function: collections.abc.Callable[[twinoar.Tensor], twinoar.Tensor]) -> twinoar.Tensor:
        """In-place `apply`: x takes the result, and is returned."""
    @overload
    def fill_diagonal(self, value: Any, offset: Any = 0, wrap: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with a number on a diagonal; of more than two dimensions, where all positions are equal."""
    @overload
    def fill_diagonal(self, *args: Any, x: Any = ..., value: Any = ..., offset: Any = ..., wrap: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def fill_diagonal_(self, value: Any, offset: Any = 0, wrap: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """In-place `fill_diagonal`: x takes the result, and is returned."""
    @overload
    def requires_grad_(self, value: builtins.bool = True) -> twinoar.Tensor:
        """Let gradients flow to x, or not, and return it."""
    @overload
    def requires_grad_(self, *args: Any, x: Any = ..., value: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @property
    def requires_grad(self) -> builtins.bool:
        """Whether gradients flow to the tensor: the opposite of `stop_gradient`."""
    @requires_grad.setter
    def requires_grad(self, value: Any) -> None: ...
    @property
    def itemsize(self) -> builtins.int:
        """Bytes of one element."""
    @overload
    def pad(self, pad: Any, mode: builtins.str = 'constant', value: Any = ..., data_format: builtins.str | None = None, pad_from_left_axis: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
        """x with borders."""
    @overload
    def pad(self, *args: Any, x: Any = ..., pad: Any = ..., mode: Any = ..., value: Any = ..., data_format: Any = ..., pad_from_left_axis: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def broadcast_shape(self, y_shape: collections.abc.Sequence[Any]) -> builtins.list[builtins.int]:
        """The shape that two shapes broadcast to"""
    def broadcast_shapes(self) -> builtins.list[builtins.int]:
        """The shape that all shapes broadcast to"""
    def broadcast_tensors(self, name: builtins.str | None = None) -> builtins.list[twinoar.Tensor]:
        """The tensors, each expanded to the shape that all broadcast to"""
    @overload
    def concat(self, axis: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """The tensors of x joined along an axis they have."""
    @overload
    def concat(self, *args: Any, x: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def multi_dot(self, name: builtins.str | None = None) -> twinoar.Tensor:
        """The product of matrices, in the order of multiplications that takes the fewest steps."""
    @overload
    def stack(self, axis: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """The tensors of x, all of one shape, joined along a new axis"""
    @overload
    def stack(self, *args: Any, x: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def get_map_tensor(self, *args: Any) -> Any:
        """Of a table of words, which is no tensor here: raises UnsupportedError."""
    def rows(self, *args: Any) -> Any:
        """Of the rows of a sparse gradient, which is no tensor here: raises UnsupportedError."""
    def set_string_list(self, *args: Any) -> Any:
        """Of a table of words, which is no tensor here: raises UnsupportedError."""
    def set_tensor(self, *args: Any) -> Any:
        """Of a tensor over several devices, which is no tensor here: raises UnsupportedError."""
    def set_vocab(self, *args: Any) -> Any:
        """Of a table of words, which is no tensor here: raises UnsupportedError."""
    def get_selected_rows(self) -> None:
        """None: a tensor holds all its rows."""
    def reconstruct_from_(self, other: twinoar._TensorLike) -> None:
        """Let x be a copy of `other`, of its shape and dtype, that wants a gradient where it does."""
    @property
    def inplace_version(self) -> builtins.int:
        """How often an operator has changed the tensor, or one that shares its memory, in place."""
    @property
    def num_shard(self) -> None:
        """None: a tensor lies on one device."""
    @property
    def type(self) -> builtins.str:
        """The kind of variable, `core.VarDesc.VarType.DENSE_TENSOR`."""
    def to(self, device: Any = None, dtype: Any = None, blocking: Any = None) -> Any:
        """x on another device, with another dtype, or as another tensor is; x itself if it is so."""
    def cpu(self) -> Any:
        """x on the CPU: itself if it is there."""
    def cuda(self, device_id: Any = None, blocking: builtins.bool = True) -> Any:
        """x on a GPU"""
    def is_dense(self) -> Any:
        """True: all elements are held."""
    def is_selected_rows(self) -> Any:
        """False: all rows are held."""
    def is_sparse(self) -> Any:
        """False: all elements are held."""
    def is_sparse_coo(self) -> Any:
        """False: all elements are held."""
    def is_sparse_csr(self) -> Any:
        """False: all elements are held."""
    def sparse_dim(self) -> Any:
        """Number of dimensions that positions count: 0."""
    def get_device(self) -> builtins.int:
        """The number of its device: -1 for the CPU."""
    def is_dist(self) -> builtins.bool:
        """Whether `distributed.shard_tensor` or its kin has made the tensor."""
    def coalesce(self) -> Any:
        """Of sparse tensors alone: raises TypeMismatchError."""
    def cols(self) -> Any:
        """Of sparse tensors alone: raises TypeMismatchError."""
    def crows(self) -> Any:
        """Of sparse tensors alone: raises TypeMismatchError."""
    def indices(self) -> Any:
        """Of sparse tensors alone: raises TypeMismatchError."""
    def is_coalesced(self) -> Any:
        """Of sparse tensors alone: raises TypeMismatchError."""
    def nnz(self) -> Any:
        """Of sparse tensors alone: raises TypeMismatchError."""
    def to_dense(self) -> Any:
        """Of sparse tensors alone: raises TypeMismatchError."""
    def values(self) -> Any:
        """Of sparse tensors alone: raises TypeMismatchError."""
    def dense_dim(self) -> builtins.int:
        """Number of dimensions that are held whole: all."""
    def get_strides(self) -> builtins.list[Any]:
        """How many elements lie between neighbors along each dimension."""
    def stride(self, dim: Any = None) -> Any:
        """The strides, or that of one dimension"""
    def data_ptr(self) -> builtins.int:
        """The address of the first element; the others follow as `get_strides` says."""
    @property
    def device(self) -> Any:
        """The device that holds the data; for a symbol the CPU."""
    @property
    def is_cuda(self) -> builtins.bool:
        """Whether a GPU holds the data."""
    @property
    def layout(self) -> builtins.str:
        """The order of the dimensions of images, as Paddle names it."""
    @property
    def offset(self) -> builtins.int:
        """Where the data begin in their memory: at 0."""
    @property
    def strides(self) -> builtins.list[Any]:
        """How many elements lie between neighbors along each dimension."""
    @overload
    def resize_(self, shape: collections.abc.Sequence[Any], fill_zero: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """Let x have another shape, in place, and return it: its first elements, then zeros."""
    @overload
    def resize_(self, *args: Any, x: Any = ..., shape: Any = ..., fill_zero: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    @overload
    def set_(self, source: twinoar._TensorLike | None = None, shape: collections.abc.Sequence[Any] | None = None, stride: collections.abc.Sequence[Any] | None = None, offset: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
        """Let x have the elements of `source`, in place, and return it; without one x is empty."""
    @overload
    def set_(self, *args: Any, x: Any = ..., source: Any = ..., shape: Any = ..., stride: Any = ..., offset: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def backward(self, grad_tensor: twinoar._TensorLike | twinoar.fluid.dygraph.BackwardStrategy | None = None, retain_graph: builtins.bool = False, *, backward_strategy: twinoar.fluid.dygraph.BackwardStrategy | None = None) -> None:
        """Add the gradient of this tensor to `.grad` of every leaf that wants one."""
    def detach_(self) -> Any:
        """Take the tensor out of the autograd graph, in place, and return it."""
    def is_tensor(self) -> builtins.bool:
        """True for a Tensor or Variable."""
    def is_floating_point(self) -> builtins.bool:
        """True if x has a floating dtype."""
    def is_integer(self) -> builtins.bool:
        """True if x has an integer dtype; bool is none."""
    def is_complex(self) -> builtins.bool:
        """True if x has a complex dtype."""
    @overload
    def top_p_sampling(self, ps: twinoar._TensorLike, threshold: twinoar._TensorLike | None = None, topp_seed: twinoar._TensorLike | None = None, seed: Any = -1, k: Any = 0, mode: Literal['truncated', 'non-truncated'] = 'truncated', return_top: builtins.bool = False, name: builtins.str | None = None) -> Any:
        """One position of each row, drawn by its probability among the likeliest that make up ps."""
    @overload
    def top_p_sampling(self, *args: Any, x: Any = ..., ps: Any = ..., threshold: Any = ..., topp_seed: Any = ..., seed: Any = ..., k: Any = ..., mode: Any = ..., return_top: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., lambd: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
    def stft(self, n_fft: Any, hop_length: Any = None, win_length: Any = None, window: twinoar._TensorLike | None = None, center: builtins.bool = True, pad_mode: Literal['reflect', 'constant'] = 'reflect', normalized: builtins.bool = False, onesided: builtins.bool | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """The Fourier transforms of the parts of a signal."""
    def istft(self, n_fft: Any, hop_length: Any = None, win_length: Any = None, window: twinoar._TensorLike | None = None, center: builtins.bool = True, normalized: builtins.bool = False, onesided: builtins.bool = True, length: Any = None, return_complex: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The signal that `stft` came from, by the mean of its parts under the window."""
    def to_sparse_coo(self, sparse_dim: Any) -> twinoar._SparseCooTensor:
        """The elements of a tensor that are not 0, with their positions: those of its first `sparse_dim` dimensions"""
    def to_sparse_csr(self) -> twinoar._SparseCsrTensor:
        """The elements of a matrix that are not 0, row by row"""
    @overload
    def create_parameter(self, dtype: Any, name: builtins.str | None = None, attr: Any = None, is_bias: builtins.bool = False, default_initializer: Any = None) -> twinoar.nn.Parameter:
        """A trainable parameter, initialized by `attr`, `default_initializer`, or Paddle's default."""
    @overload
    def create_parameter(self, *args: Any, shape: Any = ..., dtype: Any = ..., name: Any = ..., attr: Any = ..., is_bias: Any = ..., default_initializer: Any = ..., size: Any = ..., out: Any = ...) -> twinoar.nn.Parameter: ...
    def create_tensor(self, name: builtins.str | None = None, persistable: builtins.bool = False) -> twinoar.Tensor:
        """A tensor without elements, to be filled"""
    def corrcoef(self, rowvar: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
        """The correlations of variables, each a row of x, or a column for `rowvar=False`"""
    def cov(self, rowvar: builtins.bool = True, ddof: builtins.bool = True, fweights: twinoar._TensorLike | None = None, aweights: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """The covariances of variables, each a row of x, or a column for `rowvar=False`."""
    def householder_product(self, tau: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
        """The first N columns of the product of the reflections I - tau v v^T."""
    @overload
    def ormqr(self, tau: twinoar._TensorLike, y: twinoar._TensorLike, left: builtins.bool = True, transpose: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The product of the reflections of `householder_product`, all M columns, and y."""
    @overload
    def ormqr(self, *args: Any, x: Any = ..., tau: Any = ..., y: Any = ..., left: Any = ..., transpose: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
    def cond(self, p: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """The condition number of matrices: the norm of x times that of its inverse."""
    @overload
    def lstsq(self, y: twinoar._TensorLike, rcond: Any = None, driver: builtins.str | None = None, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
        """The solution of least squares of `x @ out = y`; no gradient flows."""
    @overload
    def lstsq(self, *args: Any, x: Any = ..., y: Any = ..., rcond: Any = ..., driver: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
    def matrix_rank(self, tol: Any = None, hermitian: builtins.bool = False, atol: Any = None, rtol: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
        """How many singular values are above a tolerance."""
    def pinv(self, rcond: Any = ..., hermitian: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
        """The pseudo-inverse of matrices, from their singular values."""
    def pca_lowrank(self, q: Any = None, center: builtins.bool = True, niter: Any = 2, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
        """The q main components of the rows of x: `svd_lowrank`, of x less its mean row for `center`."""
    def svd_lowrank(self, q: Any = None, niter: Any = 2, M: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
        """The q largest singular values of x - M, and their vectors."""
    def lu(self, pivot: builtins.bool = True, get_infos: builtins.bool = False, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, ...]:
        """The decomposition A = P L U of matrices, with rows exchanged for the largest pivots."""
    @overload
    def lu_unpack(self, y: twinoar._TensorLike, unpack_ludata: builtins.bool = True, unpack_pivots: builtins.bool = True, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor | None, twinoar.Tensor | None, twinoar.Tensor | None]:
        """P, L and U of what `lu` gave."""
    @overload
    def lu_unpack(self, *args: Any, x: Any = ..., y: Any = ..., unpack_ludata: Any = ..., unpack_pivots: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor | None, twinoar.Tensor | None, twinoar.Tensor | None]: ...
    def matrix_power(self, n: Any, name: builtins.str | None = None) -> twinoar.Tensor:
        """Square matrices to the power n, an integer; of the inverse where it is negative."""
    @property
    def block(self) -> Any:
        """The outermost block of the default main Program, as if the tensor stood there."""
class XPUPinnedPlace:
    """Memory that an XPU reads: making one raises ArgumentError."""
    def __init__(self) -> None: ...
    def is_cpu_place(self) -> builtins.bool:
        """True for the CPU."""
    def is_gpu_place(self) -> builtins.bool:
        """True for a GPU."""
    def is_xpu_place(self) -> builtins.bool:
        """True for an XPU."""
    def is_custom_place(self) -> builtins.bool:
        """True for a device that a plug-in serves under a name of its own."""
    def is_cuda_pinned_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def is_xpu_pinned_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def is_ipu_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def gpu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def get_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def xpu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def custom_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def ipu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def get_device_type(self) -> builtins.str:
        """The kind of device."""
    def custom_device_type(self) -> builtins.str:
        """The kind of device."""
    def __eq__(self, other: Any) -> builtins.bool: ...  # type: ignore[override]
    device: Any
class XPUPlace:
    """An XPU"""
    def __init__(self, dev_id: Any = 0) -> None: ...
    def is_cpu_place(self) -> builtins.bool:
        """True for the CPU."""
    def is_gpu_place(self) -> builtins.bool:
        """True for a GPU."""
    def is_xpu_place(self) -> builtins.bool:
        """True for an XPU."""
    def is_custom_place(self) -> builtins.bool:
        """True for a device that a plug-in serves under a name of its own."""
    def is_cuda_pinned_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def is_xpu_pinned_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def is_ipu_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def gpu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def get_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def xpu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def custom_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def ipu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def get_device_type(self) -> builtins.str:
        """The kind of device."""
    def custom_device_type(self) -> builtins.str:
        """The kind of device."""
    def __eq__(self, other: Any) -> builtins.bool: ...  # type: ignore[override]
    device: Any
__git_commit__: builtins.str
__version__: builtins.str
@overload
def abs(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The absolute value."""
@overload
def abs(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def abs_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `abs`: x takes the result, and is returned."""
@overload
def acos(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The angle in [0, pi] whose cosine is x; nan outside [-1, 1]."""
@overload
def acos(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def acos_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `acos`: x takes the result, and is returned."""
@overload
def acosh(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of the hyperbolic cosine; nan below 1."""
@overload
def acosh(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def acosh_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `acosh`: x takes the result, and is returned."""
@overload
def adaptive_avg_pool1d(x: twinoar._TensorLike, output_size: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """The averages of a sequence cut into output_size bins."""
@overload
def adaptive_avg_pool1d(*args: Any, x: Any = ..., output_size: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def add(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, alpha: Any = 1) -> twinoar.Tensor:
    """x + y."""
@overload
def add(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., alpha: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def add_(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
    """In-place `add`: x takes the result, and is returned."""
@overload
def add_n(inputs: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike], name: builtins.str | None = None) -> twinoar.Tensor:
    """The sum of a list of tensors of one shape and dtype; a single tensor is itself the sum."""
@overload
def add_n(*args: Any, inputs: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def addmm(input: twinoar._TensorLike, x: twinoar._TensorLike, y: twinoar._TensorLike, beta: Any = ..., alpha: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """beta * input + alpha * x @ y."""
@overload
def addmm(*args: Any, input: Any = ..., x: Any = ..., y: Any = ..., beta: Any = ..., alpha: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def addmm_(input: twinoar._TensorLike, x: twinoar._TensorLike, y: twinoar._TensorLike, beta: Any = ..., alpha: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `addmm`: x takes the result, and is returned."""
@overload
def all(x: twinoar._TensorLike, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where all elements over `axis` are true; a number other than 0 is"""
@overload
def all(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def allclose(x: twinoar._TensorLike, y: twinoar._TensorLike, rtol: Any = ..., atol: Any = ..., equal_nan: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """True if |x - y| <= atol + rtol * |y| everywhere; with `equal_nan`, nan is close to nan."""
@overload
def allclose(*args: Any, x: Any = ..., y: Any = ..., rtol: Any = ..., atol: Any = ..., equal_nan: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def amax(x: twinoar._TensorLike, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The largest element over `axis`, as `max`: equal elements share the gradient in both."""
@overload
def amax(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def amin(x: twinoar._TensorLike, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The smallest element over `axis`, as `min`: equal elements share the gradient in both."""
@overload
def amin(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import amp as amp
@overload
def angle(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The angles of complex numbers with the positive real axis; 0 or pi for real ones."""
@overload
def angle(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def any(x: twinoar._TensorLike, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where an element over `axis` is true; a number other than 0 is"""
@overload
def any(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def arange(start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """start, start + step, .."""
@overload
def arange(*args: Any, start: Any = ..., end: Any = ..., step: Any = ..., dtype: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def argmax(x: twinoar._TensorLike, axis: Any = None, keepdim: builtins.bool = False, dtype: Any = 'int64', name: builtins.str | None = None) -> twinoar.Tensor:
    """The position of the largest element along `axis`, the first of equals; without an axis in the flattened x."""
@overload
def argmax(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def argmin(x: twinoar._TensorLike, axis: Any = None, keepdim: builtins.bool = False, dtype: Any = 'int64', name: builtins.str | None = None) -> twinoar.Tensor:
    """The position of the smallest element along `axis`, the first of equals; without an axis in the flattened x."""
@overload
def argmin(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def argsort(x: twinoar._TensorLike, axis: Any = -1, descending: builtins.bool = False, stable: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The positions that put x in order along `axis`"""
@overload
def argsort(*args: Any, x: Any = ..., axis: Any = ..., descending: Any = ..., stable: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def argwhere(input: twinoar._TensorLike) -> twinoar.Tensor:
    """The positions of what is not 0, [k,n]"""
@overload
def argwhere(*args: Any, input: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def as_complex(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Complex numbers whose parts stand side by side."""
@overload
def as_complex(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def as_real(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The parts of complex numbers side by side."""
@overload
def as_real(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def as_strided(x: twinoar._TensorLike, shape: Any, stride: Any, offset: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """The elements of x, in order, at `offset` plus the sum of index times `stride`: a view."""
@overload
def as_strided(*args: Any, x: Any = ..., shape: Any = ..., stride: Any = ..., offset: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def as_tensor(data: Any, dtype: Any = None, device: Any = None, requires_grad: builtins.bool = False, pin_memory: builtins.bool = False) -> twinoar.Tensor:
    """A tensor of what `data` holds"""
@overload
def as_tensor(*args: Any, data: Any = ..., dtype: Any = ..., device: Any = ..., requires_grad: Any = ..., pin_memory: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def asarray(obj: Any, *, dtype: Any = None, copy: builtins.bool | None = None) -> twinoar.Tensor:
    """A tensor of what `obj` holds"""
@overload
def asarray(*args: Any, obj: Any = ..., dtype: Any = ..., copy: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def asin(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The angle in [-pi/2, pi/2] whose sine is x; nan outside [-1, 1]."""
@overload
def asin(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def asin_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `asin`: x takes the result, and is returned."""
@overload
def asinh(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of the hyperbolic sine."""
@overload
def asinh(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def asinh_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `asinh`: x takes the result, and is returned."""
@overload
def assign(x: Any, output: twinoar._TensorLike | None = None) -> twinoar.Tensor:
    """A copy of x: a tensor (differentiably), an ndarray, a number or nested lists."""
@overload
def assign(*args: Any, x: Any = ..., output: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def atan(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The angle in (-pi/2, pi/2) whose tangent is x."""
@overload
def atan(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def atan2(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The angle in [-pi, pi] of the point with ordinate x and abscissa y."""
@overload
def atan2(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def atan_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `atan`: x takes the result, and is returned."""
@overload
def atanh(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of the hyperbolic tangent; nan outside [-1, 1]."""
@overload
def atanh(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def atanh_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `atanh`: x takes the result, and is returned."""
@overload
def atleast_1d(*inputs: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Tensors with a dimension at least: [] becomes [1]"""
@overload
def atleast_1d(*args: Any, name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def atleast_2d(*inputs: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Tensors with two dimensions at least: [n] becomes [1,n]"""
@overload
def atleast_2d(*args: Any, name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def atleast_3d(*inputs: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Tensors with three dimensions at least: [n] becomes [1,n,1], [m,n] [m,n,1]."""
@overload
def atleast_3d(*args: Any, name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import audio as audio
def autocast(device_type: builtins.str | None = None, dtype: builtins.str = 'float16', enabled: builtins.bool = True, cache_enabled: builtins.bool = True) -> collections.abc.Iterator[None]:
    """`auto_cast` with PyTorch's arguments."""
from . import autograd as autograd
@overload
def baddbmm(input: twinoar._TensorLike, x: twinoar._TensorLike, y: twinoar._TensorLike, beta: Any = ..., alpha: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """beta input + alpha x @ y, for batches of matrices."""
@overload
def baddbmm(*args: Any, input: Any = ..., x: Any = ..., y: Any = ..., beta: Any = ..., alpha: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def baddbmm_(input: twinoar._TensorLike, x: twinoar._TensorLike, y: twinoar._TensorLike, beta: Any = ..., alpha: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `baddbmm`: x takes the result, and is returned."""
@overload
def bartlett_window(window_length: Any, periodic: builtins.bool = True, *, dtype: Any = 'float32', layout: builtins.str | None = None, device: Any = None, pin_memory: builtins.bool = False, requires_grad: builtins.bool = False) -> twinoar.Tensor:
    """The Bartlett window, a triangle that begins with 0"""
@overload
def bartlett_window(*args: Any, window_length: Any = ..., periodic: Any = ..., dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., requires_grad: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def batch(reader: collections.abc.Callable[[], collections.abc.Iterable[Any]], batch_size: Any, drop_last: builtins.bool = False) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of lists of `batch_size` samples; the last is shorter, or left out by drop_last."""
@overload
def bernoulli(x: twinoar._TensorLike, p: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """1 with the probability that x holds (or p everywhere), else 0; shape and dtype of x, no gradient."""
@overload
def bernoulli(*args: Any, x: Any = ..., p: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def bernoulli_(x: twinoar._TensorLike, p: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """Fill x with 1 with the probability p, else 0, in place, and return x."""
@overload
def bernoulli_(*args: Any, x: Any = ..., p: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
bfloat16: twinoar.dtype
@overload
def bincount(x: twinoar._TensorLike, weights: twinoar._TensorLike | None = None, minlength: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """How often each number from 0 on occurs in x, or the sum of its weights."""
@overload
def bincount(*args: Any, x: Any = ..., weights: Any = ..., minlength: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def binomial(count: twinoar._TensorLike, prob: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Draws from the binomial distributions: how many of `count` trials of probability `prob` succeed."""
@overload
def binomial(*args: Any, count: Any = ..., prob: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def bitwise_and(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The bits that are set in both x and y; for truth values, `and`."""
@overload
def bitwise_and(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def bitwise_and_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `bitwise_and`: x takes the result, and is returned."""
@overload
def bitwise_invert(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """All bits of x flipped; for truth values, `not`."""
@overload
def bitwise_invert(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def bitwise_invert_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `bitwise_not`: x takes the result, and is returned."""
@overload
def bitwise_left_shift(x: twinoar._TensorLike, y: Any, is_arithmetic: builtins.bool = True, out: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The bits of integers moved up by y; what leaves the dtype is lost."""
@overload
def bitwise_left_shift(*args: Any, x: Any = ..., y: Any = ..., is_arithmetic: Any = ..., out: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ...) -> twinoar.Tensor: ...
def bitwise_left_shift_(x: twinoar._TensorLike, y: Any, is_arithmetic: builtins.bool = True, out: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `bitwise_left_shift`: x takes the result, and is returned."""
bitwise_not = bitwise_invert
bitwise_not_ = bitwise_invert_
@overload
def bitwise_or(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The bits that are set in x or y; for truth values, `or`."""
@overload
def bitwise_or(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def bitwise_or_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `bitwise_or`: x takes the result, and is returned."""
@overload
def bitwise_right_shift(x: twinoar._TensorLike, y: Any, is_arithmetic: builtins.bool = True, out: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The bits of integers moved down by y; the sign is kept where `is_arithmetic`."""
@overload
def bitwise_right_shift(*args: Any, x: Any = ..., y: Any = ..., is_arithmetic: Any = ..., out: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ...) -> twinoar.Tensor: ...
def bitwise_right_shift_(x: twinoar._TensorLike, y: Any, is_arithmetic: builtins.bool = True, out: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `bitwise_right_shift`: x takes the result, and is returned."""
@overload
def bitwise_xor(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The bits that are set in one of x and y only; for truth values, exclusive `or`."""
@overload
def bitwise_xor(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def bitwise_xor_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `bitwise_xor`: x takes the result, and is returned."""
@overload
def blackman_window(window_length: Any, periodic: builtins.bool = True, *, dtype: Any = 'float32', layout: builtins.str | None = None, device: Any = None, pin_memory: builtins.bool = False, requires_grad: builtins.bool = False) -> twinoar.Tensor:
    """The Blackman window: 0.42 - 0.5 cos(2 pi k / n) + 0.08 cos(4 pi k / n)"""
@overload
def blackman_window(*args: Any, window_length: Any = ..., periodic: Any = ..., dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., requires_grad: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def block_diag(inputs: collections.abc.Sequence[twinoar._TensorLike], name: builtins.str | None = None) -> twinoar.Tensor:
    """Matrices on the diagonal of a matrix of zeros; vectors and numbers count as rows."""
@overload
def block_diag(*args: Any, inputs: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def bmm(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The matrix products of two batches."""
@overload
def bmm(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
bool: twinoar.dtype
@overload
def broadcast_shape(x_shape: collections.abc.Sequence[Any], y_shape: collections.abc.Sequence[Any]) -> builtins.list[builtins.int]:
    """The shape that two shapes broadcast to"""
@overload
def broadcast_shape(*args: Any, x_shape: Any = ..., y_shape: Any = ..., out: Any = ...) -> builtins.list[builtins.int]: ...
@overload
def broadcast_shapes(*shapes: collections.abc.Sequence[Any]) -> builtins.list[builtins.int]:
    """The shape that all shapes broadcast to"""
@overload
def broadcast_shapes(*args: Any, out: Any = ...) -> builtins.list[builtins.int]: ...
@overload
def broadcast_tensors(input: collections.abc.Sequence[twinoar._TensorLike], name: builtins.str | None = None) -> builtins.list[twinoar.Tensor]:
    """The tensors, each expanded to the shape that all broadcast to"""
@overload
def broadcast_tensors(*args: Any, input: Any = ..., name: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
@overload
def broadcast_to(x: twinoar._TensorLike, shape: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """x repeated to `shape` by broadcasting: `expand`"""
@overload
def broadcast_to(*args: Any, x: Any = ..., shape: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def bucketize(x: twinoar._TensorLike, sorted_sequence: twinoar._TensorLike, out_int32: builtins.bool = False, right: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """Which of the intervals between the elements of a sorted vector each element of x is in."""
@overload
def bucketize(*args: Any, x: Any = ..., sorted_sequence: Any = ..., out_int32: Any = ..., right: Any = ..., name: Any = ..., A: Any = ..., boundaries: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import callbacks as callbacks
@overload
def cartesian_prod(x: collections.abc.Sequence[twinoar._TensorLike], name: builtins.str | None = None) -> twinoar.Tensor:
    """All tuples of one element of each vector, [n1 n2 ..., k]; the vector itself for k = 1."""
@overload
def cartesian_prod(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def cast(x: twinoar._TensorLike, dtype: twinoar.dtype, name: builtins.str | None = None) -> twinoar.Tensor:
    """The elements of x converted to `dtype`; fractions are cut towards zero."""
@overload
def cast(*args: Any, x: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def cast_(x: twinoar._TensorLike, dtype: twinoar.dtype, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `cast`: x takes the result, and is returned."""
@overload
def cat(x: collections.abc.Sequence[twinoar._TensorLike], axis: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """The tensors of x joined along an axis they have."""
@overload
def cat(*args: Any, x: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def cauchy_(x: twinoar._TensorLike, loc: Any = 0, scale: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
    """Fill x with Cauchy draws of that median and scale, in place, and return x."""
@overload
def cauchy_(*args: Any, x: Any = ..., loc: Any = ..., scale: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def cdist(x: twinoar._TensorLike, y: twinoar._TensorLike, p: Any = ..., compute_mode: builtins.str = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """The p-norms of the differences of each vector of x and each of y."""
@overload
def cdist(*args: Any, x: Any = ..., y: Any = ..., p: Any = ..., compute_mode: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
cdouble: twinoar.dtype
@overload
def ceil(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The smallest whole number not below x."""
@overload
def ceil(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def ceil_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `ceil`: x takes the result, and is returned."""
cfloat: twinoar.dtype
@overload
def check_shape(shape: Any, op_name: builtins.str, expected_shape_type: Any = ..., expected_element_type: Any = ..., expected_tensor_dtype: collections.abc.Sequence[builtins.str] = ...) -> None:
    """Raise TypeMismatchError or DTypeError, which name `op_name`, for what is no shape."""
@overload
def check_shape(*args: Any, shape: Any = ..., op_name: Any = ..., expected_shape_type: Any = ..., expected_element_type: Any = ..., expected_tensor_dtype: Any = ..., size: Any = ..., out: Any = ...) -> None: ...
@overload
def cholesky(x: twinoar._TensorLike, upper: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The triangular L with `L @ L.T = x`, or U with `U.T @ U = x` where `upper` is True."""
@overload
def cholesky(*args: Any, x: Any = ..., upper: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def chunk(x: twinoar._TensorLike, chunks: Any, axis: Any = 0, name: builtins.str | None = None) -> builtins.list[twinoar.Tensor]:
    """x in `chunks` equal parts along an axis"""
@overload
def chunk(*args: Any, x: Any = ..., chunks: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
@overload
def clamp(x: twinoar._TensorLike, min: Any = None, max: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Another name of `clip`."""
@overload
def clamp(*args: Any, x: Any = ..., min: Any = ..., max: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., to: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def clamp_(x: twinoar._TensorLike, min: Any = None, max: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `clamp`: x takes the result, and is returned."""
@overload
def clip(x: twinoar._TensorLike, min: Any = None, max: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """x brought into [min, max]; a bound of None does not bind"""
@overload
def clip(*args: Any, x: Any = ..., min: Any = ..., max: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., to: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def clip_(x: twinoar._TensorLike, min: Any = None, max: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `clip`: x takes the result, and is returned."""
@overload
def clone(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """A copy of x through which gradients flow."""
@overload
def clone(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def column_stack(x: collections.abc.Sequence[twinoar._TensorLike], name: builtins.str | None = None) -> twinoar.Tensor:
    """Tensors side by side, vectors as columns."""
@overload
def column_stack(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def combinations(x: twinoar._TensorLike, r: Any = 2, with_replacement: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """All subsets of r elements of a vector, [k,r]; with `with_replacement` an element may repeat."""
@overload
def combinations(*args: Any, x: Any = ..., r: Any = ..., with_replacement: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import compat as compat
@overload
def complex(real: twinoar._TensorLike, imag: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Complex numbers of given real and imaginary parts."""
@overload
def complex(*args: Any, real: Any = ..., imag: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
complex128: twinoar.dtype
complex64: twinoar.dtype
concat = cat
@overload
def concatenate(x: collections.abc.Sequence[twinoar._TensorLike], axis: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """Tensors joined along an axis"""
@overload
def concatenate(*args: Any, x: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import config as config
@overload
def conj(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The complex conjugates."""
@overload
def conj(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def conv1d(x: twinoar._TensorLike, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, data_format: builtins.str = 'NCL', name: builtins.str | None = None) -> twinoar.Tensor:
    """Cross-correlation of sequences with filters: `conv2d` with one row."""
@overload
def conv1d(*args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., stride: Any = ..., padding: Any = ..., dilation: Any = ..., groups: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def conv2d(x: twinoar._TensorLike, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """Cross-correlation of images with filters, plus a bias for each filter."""
@overload
def conv2d(*args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., stride: Any = ..., padding: Any = ..., dilation: Any = ..., groups: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def conv3d(x: twinoar._TensorLike, weight: twinoar._TensorLike, bias: twinoar._TensorLike | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1, data_format: builtins.str = 'NCDHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """Cross-correlation of volumes with filters: `conv2d` with one axis more."""
@overload
def conv3d(*args: Any, x: Any = ..., weight: Any = ..., bias: Any = ..., stride: Any = ..., padding: Any = ..., dilation: Any = ..., groups: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def copysign(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The size of x with the sign of y, which 0.0 and -0.0 have too."""
@overload
def copysign(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def copysign_(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
    """In-place `copysign`: x takes the result, and is returned."""
@overload
def cos(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The cosine."""
@overload
def cos(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def cos_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `cos`: x takes the result, and is returned."""
@overload
def cosh(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The hyperbolic cosine."""
@overload
def cosh(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def cosh_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `cosh`: x takes the result, and is returned."""
from . import cost_model as cost_model
@overload
def count_nonzero(x: twinoar._TensorLike, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """How many elements over `axis` are not 0, of all for None."""
@overload
def count_nonzero(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def create_parameter(shape: Any, dtype: Any, name: builtins.str | None = None, attr: Any = None, is_bias: builtins.bool = False, default_initializer: Any = None) -> twinoar.nn.Parameter:
    """A trainable parameter, initialized by `attr`, `default_initializer`, or Paddle's default."""
@overload
def create_parameter(*args: Any, shape: Any = ..., dtype: Any = ..., name: Any = ..., attr: Any = ..., is_bias: Any = ..., default_initializer: Any = ..., size: Any = ..., out: Any = ...) -> twinoar.nn.Parameter: ...
@overload
def crop(x: twinoar._TensorLike, shape: Any = None, offsets: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The part of x that starts at `offsets`, zeros by default, and has the sizes `shape`."""
@overload
def crop(*args: Any, x: Any = ..., shape: Any = ..., offsets: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def cross(x: twinoar._TensorLike, y: twinoar._TensorLike, axis: Any = 9, name: builtins.str | None = None) -> twinoar.Tensor:
    """The cross products of vectors of 3 along an axis, by default the first one of size 3."""
@overload
def cross(*args: Any, x: Any = ..., y: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import cuda as cuda
@overload
def cummax(x: twinoar._TensorLike, axis: Any = None, dtype: Any = 'int64', name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """The largest elements so far along an axis, of the flattened x without one, and where they stand last."""
@overload
def cummax(*args: Any, x: Any = ..., axis: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def cummin(x: twinoar._TensorLike, axis: Any = None, dtype: Any = 'int64', name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """The smallest elements so far along an axis, and where they stand last"""
@overload
def cummin(*args: Any, x: Any = ..., axis: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def cumprod(x: twinoar._TensorLike, dim: Any = None, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Running products along `dim`; without one, of the flattened x."""
@overload
def cumprod(*args: Any, x: Any = ..., dim: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def cumprod_(x: twinoar._TensorLike, dim: Any = None, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `cumprod`: x takes the result, and is returned."""
@overload
def cumsum(x: twinoar._TensorLike, axis: Any = None, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Running sums along `axis`; without one, of the flattened x."""
@overload
def cumsum(*args: Any, x: Any = ..., axis: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def cumsum_(x: twinoar._TensorLike, axis: Any = None, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `cumsum`: x takes the result, and is returned."""
@overload
def cumulative_trapezoid(y: twinoar._TensorLike, x: twinoar._TensorLike | None = None, dx: Any = None, axis: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
    """The running integral of y along an axis by the trapezoid rule"""
@overload
def cumulative_trapezoid(*args: Any, y: Any = ..., x: Any = ..., dx: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import custom as custom
from . import dataset as dataset
@overload
def deg2rad(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Degrees in radians; integers count as floats."""
@overload
def deg2rad(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import device as device
@overload
def diag(x: twinoar._TensorLike, offset: Any = 0, padding_value: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """A vector as the diagonal of a square matrix, or the diagonal of a matrix as a vector."""
@overload
def diag(*args: Any, x: Any = ..., offset: Any = ..., padding_value: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def diag_embed(input: twinoar._TensorLike, offset: Any = 0, dim1: Any = -2, dim2: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
    """The last axis of a tensor as diagonals of square matrices in axes dim1 and dim2 of the result"""
@overload
def diag_embed(*args: Any, input: Any = ..., offset: Any = ..., dim1: Any = ..., dim2: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def diagflat(x: twinoar._TensorLike, offset: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """A matrix with the elements of x on a diagonal, zeros elsewhere."""
@overload
def diagflat(*args: Any, x: Any = ..., offset: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def diagonal(x: twinoar._TensorLike, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
    """A diagonal of the matrices in axes axis1 and axis2, as the last axis; `offset` counts to the right."""
@overload
def diagonal(*args: Any, x: Any = ..., offset: Any = ..., axis1: Any = ..., axis2: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def diagonal_scatter(x: twinoar._TensorLike, y: twinoar._TensorLike, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with a diagonal of the dimensions `axis1` and `axis2` replaced by y."""
@overload
def diagonal_scatter(*args: Any, x: Any = ..., y: Any = ..., offset: Any = ..., axis1: Any = ..., axis2: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def diff(x: twinoar._TensorLike, n: Any = 1, axis: Any = -1, prepend: twinoar._TensorLike | None = None, append: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Differences of neighbors along an axis, n times over; of truth values, where they differ."""
@overload
def diff(*args: Any, x: Any = ..., n: Any = ..., axis: Any = ..., prepend: Any = ..., append: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def digamma(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The derivative of lgamma: infinite at 0, nan at -1, -2, ..."""
@overload
def digamma(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def digamma_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `digamma`: x takes the result, and is returned."""
def disable_compat() -> None:
    """Nothing: `enable_compat` is refused."""
@overload
def disable_signal_handler() -> None:
    """Leave signals to Python, as they are: twinoar handles none."""
@overload
def disable_signal_handler(*args: Any, out: Any = ...) -> None: ...
@overload
def disable_static(place: Any = None) -> None:
    """From now on operators run at once (the default)."""
@overload
def disable_static(*args: Any, place: Any = ..., out: Any = ...) -> None: ...
@overload
def dist(x: twinoar._TensorLike, y: twinoar._TensorLike, p: Any = 2, name: builtins.str | None = None) -> twinoar.Tensor:
    """The p-norm of x - y."""
@overload
def dist(*args: Any, x: Any = ..., y: Any = ..., p: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import distributed as distributed
from . import distribution as distribution
@overload
def div(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, rounding_mode: Literal['floor', 'trunc'] | None = None) -> twinoar.Tensor:
    """x / y; rounded towards negative infinity with 'floor', towards zero with 'trunc'."""
@overload
def div(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., rounding_mode: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def div_(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
    """In-place `div`: x takes the result, and is returned."""
@overload
def divide(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, rounding_mode: Literal['floor', 'trunc'] | None = None) -> twinoar.Tensor:
    """x / y, element by element; integers are divided as the default floating dtype."""
@overload
def divide(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., rounding_mode: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def divide_(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
    """In-place `divide`: x takes the result, and is returned."""
@overload
def dot(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The inner product of two vectors, or of two batches of vectors row by row."""
@overload
def dot(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
double: twinoar.dtype
@overload
def dsplit(x: twinoar._TensorLike, num_or_indices: Any, name: builtins.str | None = None) -> builtins.list[twinoar.Tensor]:
    """Parts of x along the third dimension"""
@overload
def dsplit(*args: Any, x: Any = ..., num_or_indices: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., indices: Any = ..., indices_or_sections: Any = ..., input: Any = ..., obj: Any = ..., sections: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
@overload
def dstack(x: collections.abc.Sequence[twinoar._TensorLike], name: builtins.str | None = None) -> twinoar.Tensor:
    """Tensors behind each other: joined along the third dimension."""
@overload
def dstack(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
class dtype:
    """An element type such as `float32`; equal to its own name and to its NumPy form."""
    def __init__(self, name: builtins.str, short: builtins.str, numpy: Any, category: Any) -> None: ...
    @property
    def itemsize(self) -> builtins.int:
        """Bytes of one element."""
    @property
    def is_floating(self) -> builtins.bool:
        """True for float16, bfloat16, float32 and float64."""
    @property
    def is_integer(self) -> builtins.bool:
        """True for the integer types; False for bool."""
    @property
    def is_whole(self) -> builtins.bool:
        """True for the integer types and bool."""
    @property
    def is_complex(self) -> builtins.bool:
        """True for complex64 and complex128."""
    @property
    def is_stored(self) -> builtins.bool:
        """True for float8, which tensors hold and operators move and convert: none computes."""
    @property
    def is_differentiable(self) -> builtins.bool:
        """True where gradients exist: floating and complex types."""
    def __eq__(self, other: Any) -> builtins.bool: ...  # type: ignore[override]
    category: Any
    name: Any
    numpy: Any
    short: Any
e: builtins.float
@overload
def eigvalsh(x: twinoar._TensorLike, UPLO: Literal['L', 'U'] = 'L', name: builtins.str | None = None) -> twinoar.Tensor:
    """The eigenvalues, ascending, of symmetric or Hermitian matrices"""
@overload
def eigvalsh(*args: Any, x: Any = ..., UPLO: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def einsum(equation: builtins.str, *operands: twinoar._TensorLike) -> twinoar.Tensor:
    """The sum of the products of the operands' elements, by Einstein's convention."""
@overload
def einsum(*args: Any, equation: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def empty(shape: Any, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """A tensor whose elements are to be set later; they are 0, for the sake of equal results."""
@overload
def empty(*args: Any, shape: Any = ..., dtype: Any = ..., name: Any = ..., size: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def empty_like(x: twinoar._TensorLike, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """A tensor of the shape of x whose elements are to be set later; they are 0."""
@overload
def empty_like(*args: Any, x: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def enable_compat(*, scope: Any = None, blocked_modules: Any = None, backend: builtins.str = 'torch', silent: builtins.bool = False) -> None:
    """Raises UnsupportedError: `import torch` is not served from here."""
def enable_grad(function: Any = None) -> Any:
    """Record for backward, inside `no_grad` too: a context manager and a decorator."""
@overload
def enable_static(place: Any = None) -> None:
    """From now on operators build the default main Program instead of running."""
@overload
def enable_static(*args: Any, place: Any = ..., out: Any = ...) -> None: ...
@overload
def eq(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where x == y; nan equals nothing."""
@overload
def eq(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
equal = eq
def equal_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `equal`: x takes the result, and is returned."""
@overload
def equal_all(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """True if x and y have the same shape and all elements are equal."""
@overload
def equal_all(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def erf(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x."""
@overload
def erf(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def erf_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `erf`: x takes the result, and is returned."""
@overload
def erfinv(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of erf: infinite at -1 and 1, nan beyond."""
@overload
def erfinv(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def erfinv_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `erfinv`: x takes the result, and is returned."""
from . import errors as errors
@overload
def exp(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """e to the power of x."""
@overload
def exp(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def exp_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `exp`: x takes the result, and is returned."""
@overload
def expand(x: twinoar._TensorLike, shape: Any, *more: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """x repeated to `shape` by broadcasting; -1 keeps the size of x."""
@overload
def expand(*args: Any, x: Any = ..., shape: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def expand_as(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x repeated to the shape of y by broadcasting"""
@overload
def expand_as(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def expm1(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """exp(x) - 1, accurate near 0."""
@overload
def expm1(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def expm1_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `expm1`: x takes the result, and is returned."""
@overload
def eye(num_rows: Any, num_columns: Any = None, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """A matrix with ones on the main diagonal, [num_rows, num_columns]; square where num_columns is None."""
@overload
def eye(*args: Any, num_rows: Any = ..., num_columns: Any = ..., dtype: Any = ..., name: Any = ..., m: Any = ..., n: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import fft as fft
@overload
def finfo(dtype: Any) -> _numpy.finfo:
    """Limits of a floating dtype: min, max, eps, tiny, bits"""
@overload
def finfo(*args: Any, dtype: Any = ..., out: Any = ...) -> _numpy.finfo: ...
@overload
def flatten(x: twinoar._TensorLike, start_axis: Any = 0, stop_axis: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with the axes from start_axis to stop_axis, both included, made one."""
@overload
def flatten(*args: Any, x: Any = ..., start_axis: Any = ..., stop_axis: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., end_dim: Any = ..., input: Any = ..., obj: Any = ..., start_dim: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def flatten_(x: twinoar._TensorLike, start_axis: Any = 0, stop_axis: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `flatten`: x takes the result, and is returned."""
@overload
def flip(x: twinoar._TensorLike, axis: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """x backwards along one or several axes"""
@overload
def flip(*args: Any, x: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
float: twinoar.dtype
float16: twinoar.dtype
float32: twinoar.dtype
float64: twinoar.dtype
float8_e4m3fn: twinoar.dtype
float8_e5m2: twinoar.dtype
@overload
def floor(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The largest whole number not above x."""
@overload
def floor(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def floor_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `floor`: x takes the result, and is returned."""
@overload
def floor_divide(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x / y rounded towards negative infinity."""
@overload
def floor_divide(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def floor_divide_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `floor_divide`: x takes the result, and is returned."""
@overload
def floor_mod(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x - y * floor(x / y): what is left of x, with the sign of y."""
@overload
def floor_mod(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def floor_mod_(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
    """In-place `remainder`: x takes the result, and is returned."""
def flops(net: twinoar.nn.Layer, input_size: collections.abc.Sequence[Any], custom_ops: collections.abc.Mapping[builtins.type, collections.abc.Callable[..., Any]] | None = None, print_detail: builtins.bool = False) -> builtins.int:
    """The multiplications that inference with `net` takes, each with its addition counted once."""
from . import fluid as fluid
@overload
def fmax(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The larger of x and y, element by element; the other one where one is nan."""
@overload
def fmax(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fmin(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The smaller of x and y, element by element; the other one where one is nan."""
@overload
def fmin(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def frac(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x less its whole part, with the sign of x."""
@overload
def frac(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def frac_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `frac`: x takes the result, and is returned."""
@overload
def frexp(x: twinoar._TensorLike, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """Mantissas of size in [0.5, 1) and exponents of two, whose product x is."""
@overload
def frexp(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def from_dlpack(dlpack: Any, *, device: Any = None, copy: builtins.bool | None = None) -> twinoar.Tensor:
    """A tensor with a copy of what a DLPack capsule, or an object with `__dlpack__`, holds."""
@overload
def from_dlpack(*args: Any, dlpack: Any = ..., device: Any = ..., copy: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def from_numpy(ndarray: Any) -> twinoar.Tensor:
    """A tensor of the elements of an ndarray, and of its dtype"""
@overload
def from_numpy(*args: Any, ndarray: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def full(shape: Any, fill_value: Any, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """`fill_value` everywhere."""
@overload
def full(*args: Any, shape: Any = ..., fill_value: Any = ..., dtype: Any = ..., name: Any = ..., size: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def full_like(x: twinoar._TensorLike, fill_value: Any, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """`fill_value` everywhere, of the shape of x, and of its dtype where `dtype` is None."""
@overload
def full_like(*args: Any, x: Any = ..., fill_value: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import functional as functional
@overload
def gammainc(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The regularized lower incomplete gamma function of parameter x at y."""
@overload
def gammainc(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def gammainc_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `gammainc`: x takes the result, and is returned."""
@overload
def gammaincc(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The regularized upper incomplete gamma function of parameter x at y"""
@overload
def gammaincc(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def gammaincc_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `gammaincc`: x takes the result, and is returned."""
@overload
def gammaln(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The logarithm of the size of the gamma function, `lgamma`."""
@overload
def gammaln(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def gammaln_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `gammaln`: x takes the result, and is returned."""
@overload
def gather(x: twinoar._TensorLike, index: twinoar._TensorLike, axis: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The slices of x at the positions `index` along an axis, the first by default."""
@overload
def gather(*args: Any, x: Any = ..., index: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def gather_nd(x: twinoar._TensorLike, index: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The slices of x at coordinates: each last row of `index` names one."""
@overload
def gather_nd(*args: Any, x: Any = ..., index: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def gcd(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The greatest common divisors of integers; not negative."""
@overload
def gcd(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def gcd_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `gcd`: x takes the result, and is returned."""
@overload
def ge(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where x >= y; False where either is nan."""
@overload
def ge(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import geometric as geometric
@overload
def geometric_(x: twinoar._TensorLike, probs: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """Fill x with how many trials of probability `probs` it takes to succeed, and return x."""
@overload
def geometric_(*args: Any, x: Any = ..., probs: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def ger(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The products of every element of x with every element of y."""
@overload
def ger(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def get_autocast_cpu_dtype(device_type: Any = None) -> builtins.str:
    """`get_autocast_dtype` of CPUs."""
def get_autocast_dtype(device_type: Any = None) -> builtins.str:
    """The low dtype of the `auto_cast` around, or of one where none is given: 'float16'."""
def get_autocast_gpu_dtype(device_type: Any = None) -> builtins.str:
    """`get_autocast_dtype` of GPUs."""
@overload
def get_cuda_rng_state() -> builtins.list[Any]:
    """The states of the random numbers of all GPUs: none, as one generator serves all devices."""
@overload
def get_cuda_rng_state(*args: Any, out: Any = ...) -> builtins.list[Any]: ...
def get_cudnn_version() -> None:
    """None: there is no cuDNN."""
def get_default_dtype() -> builtins.str:
    """The name of the type of floating literals and of new parameters."""
@overload
def get_device() -> builtins.str:
    """The device of new tensors."""
@overload
def get_device(*args: Any, out: Any = ...) -> builtins.str: ...
def get_flags(flags: builtins.str | collections.abc.Iterable[builtins.str]) -> builtins.dict[builtins.str, Any]:
    """The values of one flag, or of several, by name"""
@overload
def get_float32_matmul_precision() -> Literal['highest', 'high', 'medium']:
    """How exact products of float32 are here, as `set_float32_matmul_precision` says it."""
@overload
def get_float32_matmul_precision(*args: Any, out: Any = ...) -> Literal['highest', 'high', 'medium']: ...
@overload
def get_rng_state(device: Any = None) -> builtins.list[twinoar.Tensor]:
    """The state of the generator, to be handed to `set_rng_state`."""
@overload
def get_rng_state(*args: Any, device: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
@overload
def grad(outputs: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike], inputs: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike], grad_outputs: Any = None, retain_graph: builtins.bool | None = None, create_graph: builtins.bool = False, only_inputs: builtins.bool = True, allow_unused: builtins.bool = False, no_grad_vars: Any = None) -> builtins.list:
    """Gradients of `outputs` with respect to `inputs`; `.grad` of tensors stays as it is."""
@overload
def grad(*args: Any, outputs: Any = ..., inputs: Any = ..., grad_outputs: Any = ..., retain_graph: Any = ..., create_graph: Any = ..., only_inputs: Any = ..., allow_unused: Any = ..., no_grad_vars: Any = ..., out: Any = ...) -> builtins.list: ...
@overload
def greater(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where x > y; False where either is nan."""
@overload
def greater(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
greater_equal = ge
def greater_equal_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `greater_equal`: x takes the result, and is returned."""
greater_than = greater
def greater_than_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `greater_than`: x takes the result, and is returned."""
@overload
def group_norm(x: twinoar._TensorLike, num_groups: Any, epsilon: Any = ..., weight: twinoar._TensorLike | None = None, bias: twinoar._TensorLike | None = None, data_format: builtins.str = 'NCHW', name: builtins.str | None = None) -> twinoar.Tensor:
    """x with mean 0 and variance 1 over each of num_groups groups of channels of each example."""
@overload
def group_norm(*args: Any, x: Any = ..., num_groups: Any = ..., epsilon: Any = ..., weight: Any = ..., bias: Any = ..., data_format: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., eps: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
gt = greater
half: twinoar.dtype
@overload
def hamming_window(window_length: Any, periodic: builtins.bool = True, alpha: Any = ..., beta: Any = ..., *, dtype: Any = 'float32', layout: builtins.str | None = None, device: Any = None, pin_memory: builtins.bool = False, requires_grad: builtins.bool = False) -> twinoar.Tensor:
    """The Hamming window: alpha - beta cos(2 pi k / n)"""
@overload
def hamming_window(*args: Any, window_length: Any = ..., periodic: Any = ..., alpha: Any = ..., beta: Any = ..., dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., requires_grad: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def hann_window(window_length: Any, periodic: builtins.bool = True, *, dtype: Any = 'float32', layout: builtins.str | None = None, device: Any = None, pin_memory: builtins.bool = False, requires_grad: builtins.bool = False) -> twinoar.Tensor:
    """The Hann window: 0.5 - 0.5 cos(2 pi k / n)"""
@overload
def hann_window(*args: Any, window_length: Any = ..., periodic: Any = ..., dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., requires_grad: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def heaviside(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """0 where x is below 0, y where it is 0, 1 above."""
@overload
def heaviside(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def histogram(input: twinoar._TensorLike, bins: Any = 100, min: Any = ..., max: Any = ..., weight: twinoar._TensorLike | None = None, density: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """How many elements lie in each of `bins` equal intervals from `min` to `max`."""
@overload
def histogram(*args: Any, input: Any = ..., bins: Any = ..., min: Any = ..., max: Any = ..., weight: Any = ..., density: Any = ..., name: Any = ..., to: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def histogram_bin_edges(input: twinoar._TensorLike, bins: Any = 100, min: Any = ..., max: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """The bounds of the intervals in which `histogram` counts, [bins + 1], float32."""
@overload
def histogram_bin_edges(*args: Any, input: Any = ..., bins: Any = ..., min: Any = ..., max: Any = ..., name: Any = ..., to: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def histogramdd(x: twinoar._TensorLike, bins: Any = 10, ranges: collections.abc.Sequence[Any] | None = None, density: builtins.bool = False, weights: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, builtins.list[twinoar.Tensor]]:
    """How many points lie in each box of a grid, and the bounds along each axis."""
@overload
def histogramdd(*args: Any, x: Any = ..., bins: Any = ..., ranges: Any = ..., density: Any = ..., weights: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, builtins.list[twinoar.Tensor]]: ...
@overload
def hsplit(x: twinoar._TensorLike, num_or_indices: Any, name: builtins.str | None = None) -> builtins.list[twinoar.Tensor]:
    """Parts of x along the second dimension, the first of vectors"""
@overload
def hsplit(*args: Any, x: Any = ..., num_or_indices: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., indices: Any = ..., indices_or_sections: Any = ..., input: Any = ..., obj: Any = ..., sections: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
@overload
def hstack(x: collections.abc.Sequence[twinoar._TensorLike], name: builtins.str | None = None) -> twinoar.Tensor:
    """Tensors side by side: joined along the second dimension, vectors along their only one."""
@overload
def hstack(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import hub as hub
@overload
def hypot(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """sqrt(x^2 + y^2)."""
@overload
def hypot(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def hypot_(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `hypot`: x takes the result, and is returned."""
@overload
def i0(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The modified Bessel function of the first kind of order 0."""
@overload
def i0(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def i0_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `i0`: x takes the result, and is returned."""
@overload
def i0e(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """exp(-|x|) `i0(x)`."""
@overload
def i0e(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def i1(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The modified Bessel function of the first kind of order 1."""
@overload
def i1(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def i1e(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """exp(-|x|) `i1(x)`."""
@overload
def i1e(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def iinfo(dtype: Any) -> _numpy.iinfo:
    """Limits of an integer dtype: min, max, bits"""
@overload
def iinfo(*args: Any, dtype: Any = ..., out: Any = ...) -> _numpy.iinfo: ...
@overload
def imag(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The imaginary parts; 0 for real numbers."""
@overload
def imag(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def in_dynamic_mode() -> builtins.bool:
    """True where operators run at once."""
@overload
def increment(x: twinoar._TensorLike, value: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """Add `value` to x, in place, and return x"""
@overload
def increment(*args: Any, x: Any = ..., value: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import incubate as incubate
@overload
def index_add(x: twinoar._TensorLike, index: twinoar._TensorLike, axis: Any, value: twinoar._TensorLike, alpha: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with slices of `alpha * value` added at the positions `index`, [k], along an axis, which may come before them."""
@overload
def index_add(*args: Any, x: Any = ..., index: Any = ..., axis: Any = ..., value: Any = ..., alpha: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def index_add_(x: twinoar._TensorLike, index: twinoar._TensorLike, axis: Any, value: twinoar._TensorLike, alpha: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `index_add`: x takes the result, and is returned."""
@overload
def index_fill(x: twinoar._TensorLike, index: twinoar._TensorLike, axis: Any, value: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with the slices at the positions `index`, [k], along an axis filled with a number."""
@overload
def index_fill(*args: Any, x: Any = ..., index: Any = ..., axis: Any = ..., value: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def index_fill_(x: twinoar._TensorLike, index: twinoar._TensorLike, axis: Any, value: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `index_fill`: x takes the result, and is returned."""
@overload
def index_put(x: twinoar._TensorLike, indices: collections.abc.Sequence[twinoar._TensorLike], value: twinoar._TensorLike, accumulate: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with x[indices] set to `value`, or with `accumulate` value added to it each time a position occurs."""
@overload
def index_put(*args: Any, x: Any = ..., indices: Any = ..., value: Any = ..., accumulate: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def index_put_(x: twinoar._TensorLike, indices: collections.abc.Sequence[twinoar._TensorLike], value: twinoar._TensorLike, accumulate: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `index_put`: x takes the result, and is returned."""
@overload
def index_sample(x: twinoar._TensorLike, index: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """For each row of x, [n,m], the elements at the positions in that row of index, [n,k]."""
@overload
def index_sample(*args: Any, x: Any = ..., index: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def index_select(x: twinoar._TensorLike, index: twinoar._TensorLike, axis: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """The slices of x at the positions `index`, [k], along an axis; the axis may come first."""
@overload
def index_select(*args: Any, x: Any = ..., index: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
inf: builtins.float
from . import inference as inference
@overload
def inner(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The inner products of every row of x with every row of y."""
@overload
def inner(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
int: twinoar.dtype
int16: twinoar.dtype
int32: twinoar.dtype
int64: twinoar.dtype
int8: twinoar.dtype
inverse: Any
from . import io as io
def is_autocast_enabled(device_type: Any = None) -> builtins.bool:
    """Whether operators choose their precision here."""
def is_compiled_with_cinn() -> builtins.bool:
    """False: Programs are compiled by twinoar's own compiler."""
@overload
def is_compiled_with_cuda() -> builtins.bool:
    """Whether something serves GPUs, which a plug-in may."""
@overload
def is_compiled_with_cuda(*args: Any, out: Any = ...) -> builtins.bool: ...
def is_compiled_with_custom_device(device_type: builtins.str) -> builtins.bool:
    """Whether a plug-in serves devices of a kind."""
def is_compiled_with_distribute() -> builtins.bool:
    """False: this version runs in one process."""
def is_compiled_with_ipu() -> builtins.bool:
    """False: nothing serves IPUs."""
def is_compiled_with_rocm() -> builtins.bool:
    """False: nothing of AMD's is used."""
@overload
def is_compiled_with_xpu() -> builtins.bool:
    """Whether something serves XPUs, which a plug-in may."""
@overload
def is_compiled_with_xpu(*args: Any, out: Any = ...) -> builtins.bool: ...
@overload
def is_complex(x: twinoar._TensorLike) -> builtins.bool:
    """True if x has a complex dtype."""
@overload
def is_complex(*args: Any, x: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.bool: ...
@overload
def is_empty(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """True if x has no elements."""
@overload
def is_empty(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def is_floating_point(x: twinoar._TensorLike) -> builtins.bool:
    """True if x has a floating dtype."""
@overload
def is_floating_point(*args: Any, x: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.bool: ...
def is_grad_enabled() -> builtins.bool:
    """True where operators record for backward."""
@overload
def is_integer(x: twinoar._TensorLike) -> builtins.bool:
    """True if x has an integer dtype; bool is none."""
@overload
def is_integer(*args: Any, x: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.bool: ...
def is_tensor(x: Any) -> builtins.bool:
    """True for a Tensor or Variable."""
@overload
def isclose(x: twinoar._TensorLike, y: twinoar._TensorLike, rtol: Any = ..., atol: Any = ..., equal_nan: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where |x - y| <= atol + rtol * |y|; with `equal_nan`, also where both are nan."""
@overload
def isclose(*args: Any, x: Any = ..., y: Any = ..., rtol: Any = ..., atol: Any = ..., equal_nan: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def isfinite(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where x is neither infinite nor nan."""
@overload
def isfinite(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def isin(x: twinoar._TensorLike, test_x: twinoar._TensorLike, assume_unique: builtins.bool = False, invert: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """Where the elements of x are among those of `test_x`, or are not for `invert`."""
@overload
def isin(*args: Any, x: Any = ..., test_x: Any = ..., assume_unique: Any = ..., invert: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., test_elements: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def isinf(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where x is infinite, of either sign."""
@overload
def isinf(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def isnan(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where x is not a number."""
@overload
def isnan(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def isneginf(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Where x is negative infinity."""
@overload
def isneginf(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def isposinf(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Where x is infinity."""
@overload
def isposinf(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def isreal(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Where the imaginary part is 0."""
@overload
def isreal(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import jit as jit
@overload
def kaiser_window(window_length: Any, periodic: builtins.bool = True, beta: Any = ..., *, dtype: Any = 'float32', layout: builtins.str | None = None, device: Any = None, pin_memory: builtins.bool = False, requires_grad: builtins.bool = False) -> twinoar.Tensor:
    """The Kaiser window of shape `beta`, from the Bessel function I0"""
@overload
def kaiser_window(*args: Any, window_length: Any = ..., periodic: Any = ..., beta: Any = ..., dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., requires_grad: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def kron(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The Kronecker product: every element of x times y, in blocks."""
@overload
def kron(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def kthvalue(x: twinoar._TensorLike, k: Any, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """The k-th smallest elements along an axis, the last by default, and where they are."""
@overload
def kthvalue(*args: Any, x: Any = ..., k: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def layer_norm(x: twinoar._TensorLike, normalized_shape: Any, weight: twinoar._TensorLike | None = None, bias: twinoar._TensorLike | None = None, epsilon: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """x with mean 0 and variance 1 over its last dimensions, then scaled and shifted."""
@overload
def layer_norm(*args: Any, x: Any = ..., normalized_shape: Any = ..., weight: Any = ..., bias: Any = ..., epsilon: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., eps: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def lcm(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The least common multiples of integers; not negative."""
@overload
def lcm(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def lcm_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `lcm`: x takes the result, and is returned."""
@overload
def ldexp(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x 2**y."""
@overload
def ldexp(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def ldexp_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `ldexp`: x takes the result, and is returned."""
@overload
def le(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where x <= y; False where either is nan."""
@overload
def le(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def lerp(x: twinoar._TensorLike, y: twinoar._TensorLike, weight: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x + weight * (y - x): linear interpolation."""
@overload
def lerp(*args: Any, x: Any = ..., y: Any = ..., weight: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def lerp_(x: twinoar._TensorLike, y: twinoar._TensorLike, weight: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `lerp`: x takes the result, and is returned."""
@overload
def less(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where x < y; False where either is nan."""
@overload
def less(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def less_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `less_than`: x takes the result, and is returned."""
less_equal = le
def less_equal_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `less_equal`: x takes the result, and is returned."""
less_than = less
less_than_ = less_
@overload
def lgamma(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The logarithm of the size of the gamma function: infinite at 0, -1, -2, ..."""
@overload
def lgamma(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def lgamma_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `lgamma`: x takes the result, and is returned."""
from . import linalg as linalg
@overload
def linspace(start: Any, stop: Any, num: Any, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """`num` numbers at equal distances from start to stop, both included."""
@overload
def linspace(*args: Any, start: Any = ..., stop: Any = ..., num: Any = ..., dtype: Any = ..., name: Any = ..., end: Any = ..., steps: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def load(path: builtins.str | os.PathLike[builtins.str] | _io.BytesIO, **configs: Any) -> Any:
    """The object in the file `path`, which `save` or Paddle has written; its arrays are Tensors."""
@overload
def log(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The natural logarithm: -inf at 0, nan below."""
@overload
def log(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def log10(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The logarithm to base 10: -inf at 0, nan below."""
@overload
def log10(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def log10_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `log10`: x takes the result, and is returned."""
@overload
def log1p(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """log(1 + x), accurate near 0."""
@overload
def log1p(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def log1p_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `log1p`: x takes the result, and is returned."""
@overload
def log2(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The logarithm to base 2: -inf at 0, nan below."""
@overload
def log2(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def log2_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `log2`: x takes the result, and is returned."""
def log_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `log`: x takes the result, and is returned."""
@overload
def log_normal(mean: Any = ..., std: Any = ..., shape: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """exp of normal numbers of that mean and standard deviation"""
@overload
def log_normal(*args: Any, mean: Any = ..., std: Any = ..., shape: Any = ..., name: Any = ..., size: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def log_normal_(x: twinoar._TensorLike, mean: Any = ..., std: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """Fill x with exp of normal numbers, in place, and return x."""
@overload
def log_normal_(*args: Any, x: Any = ..., mean: Any = ..., std: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def logaddexp(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """log(exp(x) + exp(y)), without overflow."""
@overload
def logaddexp(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def logcumsumexp(x: twinoar._TensorLike, axis: Any = None, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """log of the running sums of exp(x) along an axis, of the flattened x without one."""
@overload
def logcumsumexp(*args: Any, x: Any = ..., axis: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def logical_and(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where both x and y are true; a number other than 0 is true."""
@overload
def logical_and(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def logical_and_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `logical_and`: x takes the result, and is returned."""
@overload
def logical_not(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where x is false; a number other than 0 is true."""
@overload
def logical_not(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def logical_not_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `logical_not`: x takes the result, and is returned."""
@overload
def logical_or(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where x or y is true, or both; a number other than 0 is true."""
@overload
def logical_or(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def logical_or_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `logical_or`: x takes the result, and is returned."""
@overload
def logical_xor(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where one of x and y is true and the other is not; a number other than 0 is true."""
@overload
def logical_xor(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def logical_xor_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `logical_xor`: x takes the result, and is returned."""
@overload
def logit(x: twinoar._TensorLike, eps: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """log(x / (1 - x)), the inverse of the logistic function; nan outside of [0, 1]."""
@overload
def logit(*args: Any, x: Any = ..., eps: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def logit_(x: twinoar._TensorLike, eps: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `logit`: x takes the result, and is returned."""
@overload
def logspace(start: Any, stop: Any, num: Any, base: Any = ..., dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """`num` powers of `base` whose exponents go evenly from `start` to `stop`."""
@overload
def logspace(*args: Any, start: Any = ..., stop: Any = ..., num: Any = ..., base: Any = ..., dtype: Any = ..., name: Any = ..., end: Any = ..., steps: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def logsumexp(x: twinoar._TensorLike, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """log(sum(exp(x))) over `axis`, of all for None, without overflow; -inf for no elements."""
@overload
def logsumexp(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
long: twinoar.dtype
lt = less
@overload
def manual_seed(seed: Any) -> twinoar.Generator:
    """Start all random numbers again from `seed`, and return the generator."""
@overload
def manual_seed(*args: Any, seed: Any = ..., out: Any = ...) -> twinoar.Generator: ...
@overload
def masked_fill(x: twinoar._TensorLike, mask: twinoar._TensorLike, value: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with `value`, a number or a 0-d tensor, where `mask` is true; mask broadcasts."""
@overload
def masked_fill(*args: Any, x: Any = ..., mask: Any = ..., value: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def masked_fill_(x: twinoar._TensorLike, mask: twinoar._TensorLike, value: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `masked_fill`: x takes the result, and is returned."""
@overload
def masked_scatter(x: twinoar._TensorLike, mask: twinoar._TensorLike, value: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with its elements where `mask` is true replaced by those of `value`, in order."""
@overload
def masked_scatter(*args: Any, x: Any = ..., mask: Any = ..., value: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def masked_scatter_(x: twinoar._TensorLike, mask: twinoar._TensorLike, value: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `masked_scatter`: x takes the result, and is returned."""
@overload
def masked_select(x: twinoar._TensorLike, mask: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The elements of x where `mask` is true, in order; both broadcast."""
@overload
def masked_select(*args: Any, x: Any = ..., mask: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def matmul(x: twinoar._TensorLike, y: twinoar._TensorLike, transpose_x: builtins.bool = False, transpose_y: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The matrix product of x and y."""
@overload
def matmul(*args: Any, x: Any = ..., y: Any = ..., transpose_x: Any = ..., transpose_y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def matrix_transpose(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with its last two dimensions exchanged."""
@overload
def matrix_transpose(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def max(x: twinoar._TensorLike, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The largest element over `axis`, of all for None; nan where there is nan."""
@overload
def max(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def maximum(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The larger of x and y, element by element; nan where either is nan."""
@overload
def maximum(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def mean(x: twinoar._TensorLike, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None, *, dtype: Any = None) -> twinoar.Tensor:
    """The mean of the elements over `axis`, of all for None."""
@overload
def mean(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., dtype: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def median(x: twinoar._TensorLike, axis: Any = None, keepdim: builtins.bool = False, mode: Literal['avg', 'min'] = 'avg', name: builtins.str | None = None) -> twinoar.Tensor:
    """The middle element over `axis`, of all for None; nan where there is nan, or no element."""
@overload
def median(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., mode: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def meshgrid(*args: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike], name: builtins.str | None = None, indexing: Literal['ij', 'xy'] | None = None) -> builtins.list[twinoar.Tensor]:
    """The coordinates of a grid: result i holds the numbers of vector i along axis i."""
@overload
def meshgrid(*args: Any, name: Any = ..., indexing: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
from . import metric as metric
@overload
def min(x: twinoar._TensorLike, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The smallest element over `axis`, of all for None; nan where there is nan."""
@overload
def min(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def minimum(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The smaller of x and y, element by element; nan where either is nan."""
@overload
def minimum(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def mm(input: twinoar._TensorLike, mat2: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The matrix product of input and mat2"""
@overload
def mm(*args: Any, input: Any = ..., mat2: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
mod = floor_mod
mod_ = floor_mod_
@overload
def mode(x: twinoar._TensorLike, axis: Any = -1, keepdim: builtins.bool = False, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """The commonest elements along an axis, the least of several, and where they stand last."""
@overload
def mode(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def moveaxis(x: twinoar._TensorLike, source: Any, destination: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with the axes `source` moved to the places `destination`; the others keep their order."""
@overload
def moveaxis(*args: Any, x: Any = ..., source: Any = ..., destination: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def msort(input: twinoar._TensorLike) -> twinoar.Tensor:
    """x in order along its first dimension"""
@overload
def msort(*args: Any, input: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def mul(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x * y, element by element."""
@overload
def mul(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def mul_(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
    """In-place `multiply`: x takes the result, and is returned."""
@overload
def multigammaln(x: twinoar._TensorLike, p: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """The logarithm of the gamma function of p dimensions."""
@overload
def multigammaln(*args: Any, x: Any = ..., p: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def multigammaln_(x: twinoar._TensorLike, p: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `multigammaln`: x takes the result, and is returned."""
@overload
def multinomial(x: twinoar._TensorLike, num_samples: Any = 1, replacement: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """Positions drawn with the weights in the rows of x: [num_samples] or [rows, num_samples], int64."""
@overload
def multinomial(*args: Any, x: Any = ..., num_samples: Any = ..., replacement: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def multiplex(inputs: collections.abc.Sequence[twinoar._TensorLike], index: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Row i of the result is row i of inputs[index[i]]."""
@overload
def multiplex(*args: Any, inputs: Any = ..., index: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
multiply = mul
multiply_ = mul_
@overload
def mv(x: twinoar._TensorLike, vec: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The product of a matrix and a vector."""
@overload
def mv(*args: Any, x: Any = ..., vec: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
nan: builtins.float
@overload
def nan_to_num(x: twinoar._TensorLike, nan: Any = ..., posinf: Any = None, neginf: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with numbers in the places of nan and infinities."""
@overload
def nan_to_num(*args: Any, x: Any = ..., nan: Any = ..., posinf: Any = ..., neginf: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def nan_to_num_(x: twinoar._TensorLike, nan: Any = ..., posinf: Any = None, neginf: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `nan_to_num`: x takes the result, and is returned."""
@overload
def nanmean(x: twinoar._TensorLike, axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The mean over `axis` of the elements that are not nan"""
@overload
def nanmean(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def nanmedian(x: twinoar._TensorLike, axis: Any = None, keepdim: builtins.bool = False, mode: Literal['avg', 'min'] = 'avg', name: builtins.str | None = None) -> twinoar.Tensor:
    """The middle of the elements over `axis` that are not nan, of all for None; nan without any."""
@overload
def nanmedian(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., mode: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def nanquantile(x: twinoar._TensorLike, q: Any, axis: Any = None, keepdim: builtins.bool = False, interpolation: Literal['linear', 'lower', 'higher', 'midpoint', 'nearest'] = 'linear', name: builtins.str | None = None) -> twinoar.Tensor:
    """`quantile` of the elements that are not nan; nan without any."""
@overload
def nanquantile(*args: Any, x: Any = ..., q: Any = ..., axis: Any = ..., keepdim: Any = ..., interpolation: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def nansum(x: twinoar._TensorLike, axis: Any = None, dtype: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The sum over `axis` of the elements that are not nan"""
@overload
def nansum(*args: Any, x: Any = ..., axis: Any = ..., dtype: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def narrow(input: twinoar._TensorLike, dim: Any, start: Any, length: Any) -> twinoar.Tensor:
    """`length` slices of x along a dimension, from `start` on."""
@overload
def narrow(*args: Any, input: Any = ..., dim: Any = ..., start: Any = ..., length: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def ne(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """True where x != y; nan differs from everything."""
@overload
def ne(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def neg(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """-x"""
@overload
def neg(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def neg_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `neg`: x takes the result, and is returned."""
@overload
def negative(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """-x."""
@overload
def negative(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
newaxis: None
@overload
def nextafter(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The number next to x in the direction of y; no gradient flows."""
@overload
def nextafter(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import nn as nn
def no_grad(function: Any = None) -> Any:
    """Record nothing for backward: a context manager, a decorator with or without parentheses."""
@overload
def nonzero(x: twinoar._TensorLike, as_tuple: builtins.bool = False) -> twinoar.Tensor:
    """The coordinates of the elements of x that are not 0, in order."""
@overload
def nonzero(*args: Any, x: Any = ..., as_tuple: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def norm(x: twinoar._TensorLike, p: Any = None, axis: Any = None, keepdim: builtins.bool = False, out: twinoar._TensorLike | None = None, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The norm of x as one vector, of the vectors along one axis, or of matrices for two axes."""
@overload
def norm(*args: Any, x: Any = ..., p: Any = ..., axis: Any = ..., keepdim: Any = ..., out: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ...) -> twinoar.Tensor: ...
@overload
def normal(mean: Any = ..., std: Any = ..., shape: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Normal numbers; mean and std are numbers, or tensors whose common shape is that of the result."""
@overload
def normal(*args: Any, mean: Any = ..., std: Any = ..., shape: Any = ..., name: Any = ..., size: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def normal_(x: twinoar._TensorLike, mean: Any = ..., std: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """Fill x with normal numbers, in place, and return x."""
@overload
def normal_(*args: Any, x: Any = ..., mean: Any = ..., std: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
not_equal = ne
def not_equal_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `not_equal`: x takes the result, and is returned."""
@overload
def numel(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The number of elements as a tensor, [], int64."""
@overload
def numel(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def ones(shape: Any, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Ones of a shape; dtype: the default floating type where it is None."""
@overload
def ones(*args: Any, shape: Any = ..., dtype: Any = ..., name: Any = ..., size: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def ones_like(x: twinoar._TensorLike, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Ones of the shape of x, and of its dtype where `dtype` is None."""
@overload
def ones_like(*args: Any, x: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import onnx as onnx
from . import optimizer as optimizer
outer = ger
from . import passes as passes
@overload
def pdist(x: twinoar._TensorLike, p: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """The p-norms of the differences of each pair of rows of x."""
@overload
def pdist(*args: Any, x: Any = ..., p: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def permute(input: twinoar._TensorLike, dims: Any, *more: Any) -> twinoar.Tensor:
    """x with its dimensions in the order of `dims`"""
@overload
def permute(*args: Any, input: Any = ..., dims: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
pi: builtins.float
@overload
def poisson(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Draws from the Poisson distributions of rate x; their gradient is zero."""
@overload
def poisson(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def polar(abs: twinoar._TensorLike, angle: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Complex numbers of given sizes and angles."""
@overload
def polar(*args: Any, abs: Any = ..., angle: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def polygamma(x: twinoar._TensorLike, n: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """The derivative of order n of digamma, which is that of order 0."""
@overload
def polygamma(*args: Any, x: Any = ..., n: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def polygamma_(x: twinoar._TensorLike, n: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `polygamma`: x takes the result, and is returned."""
@overload
def positive(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """+x, which is x itself"""
@overload
def positive(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def pow(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x to the power of y."""
@overload
def pow(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def pow_(x: twinoar._TensorLike, y: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `pow`: x takes the result, and is returned."""
from . import pretrained as pretrained
@overload
def prod(x: twinoar._TensorLike, axis: Any = None, keepdim: builtins.bool = False, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The product of the elements over `axis`, of all for None; 1 for no elements."""
@overload
def prod(*args: Any, x: Any = ..., axis: Any = ..., keepdim: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import profiler as profiler
pstring: twinoar.dtype
@overload
def put_along_axis(arr: twinoar._TensorLike, indices: twinoar._TensorLike, values: Any, axis: Any, reduce: builtins.str = 'assign', include_self: builtins.bool = True, broadcast: builtins.bool = True) -> twinoar.Tensor:
    """arr with elements at the positions `indices` along an axis set to `values`."""
@overload
def put_along_axis(*args: Any, arr: Any = ..., indices: Any = ..., values: Any = ..., axis: Any = ..., reduce: Any = ..., include_self: Any = ..., broadcast: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., input: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def put_along_axis_(arr: twinoar._TensorLike, indices: twinoar._TensorLike, values: Any, axis: Any, reduce: builtins.str = 'assign', include_self: builtins.bool = True, broadcast: builtins.bool = True) -> twinoar.Tensor:
    """In-place `put_along_axis`: x takes the result, and is returned."""
@overload
def quantile(x: twinoar._TensorLike, q: Any, axis: Any = None, keepdim: builtins.bool = False, interpolation: Literal['linear', 'lower', 'higher', 'midpoint', 'nearest'] = 'linear', name: builtins.str | None = None) -> twinoar.Tensor:
    """The element below which a share q lies, over `axis`, of all for None; nan where there is nan."""
@overload
def quantile(*args: Any, x: Any = ..., q: Any = ..., axis: Any = ..., keepdim: Any = ..., interpolation: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import quantization as quantization
@overload
def rad2deg(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Radians in degrees; integers count as floats."""
@overload
def rad2deg(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def rand(shape: Any, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Uniform numbers in [0, 1)."""
@overload
def rand(*args: Any, shape: Any = ..., dtype: Any = ..., name: Any = ..., size: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def rand_like(input: twinoar._TensorLike, name: builtins.str | None = None, *, dtype: Any = None) -> twinoar.Tensor:
    """Uniform numbers in [0, 1), of the shape of `input` and of its dtype where `dtype` is None."""
@overload
def rand_like(*args: Any, input: Any = ..., name: Any = ..., dtype: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def randint(low: Any = 0, high: Any = None, shape: Any = ..., dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Integers in [low, high), or in [0, low) where high is None; int64 by default."""
@overload
def randint(*args: Any, low: Any = ..., high: Any = ..., shape: Any = ..., dtype: Any = ..., name: Any = ..., size: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def randint_like(x: twinoar._TensorLike, low: Any = 0, high: Any = None, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Integers in [low, high), or [0, low), of the shape of x and of its dtype where `dtype` is None."""
@overload
def randint_like(*args: Any, x: Any = ..., low: Any = ..., high: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def randn(shape: Any, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Normal numbers of mean 0 and standard deviation 1: `standard_normal`."""
@overload
def randn(*args: Any, shape: Any = ..., dtype: Any = ..., name: Any = ..., size: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def randn_like(x: twinoar._TensorLike, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Normal numbers of mean 0 and standard deviation 1, of the shape of x and of its dtype where `dtype` is None."""
@overload
def randn_like(*args: Any, x: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def randperm(n: Any, dtype: Any = 'int64', name: builtins.str | None = None) -> twinoar.Tensor:
    """The numbers from 0 to n - 1 in random order, [n]."""
@overload
def randperm(*args: Any, n: Any = ..., dtype: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def range(start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Numbers from start to end, which is among them where a step meets it"""
@overload
def range(*args: Any, start: Any = ..., end: Any = ..., step: Any = ..., dtype: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def rank(input: twinoar._TensorLike) -> twinoar.Tensor:
    """The number of dimensions as a tensor, [], int32."""
@overload
def rank(*args: Any, input: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def ravel(input: twinoar._TensorLike) -> twinoar.Tensor:
    """The elements of x as a vector."""
@overload
def ravel(*args: Any, input: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
raw: twinoar.dtype
from . import reader as reader
@overload
def real(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The real parts."""
@overload
def real(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def reciprocal(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """1 / x."""
@overload
def reciprocal(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def reciprocal_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `reciprocal`: x takes the result, and is returned."""
@overload
def reduce_as(x: twinoar._TensorLike, target: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x summed down to the shape of `target`, which broadcasts to that of x."""
@overload
def reduce_as(*args: Any, x: Any = ..., target: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import regularizer as regularizer
remainder = floor_mod
remainder_ = floor_mod_
@overload
def renorm(x: twinoar._TensorLike, p: Any, axis: Any, max_norm: Any) -> twinoar.Tensor:
    """x with the slices along `axis` scaled down to a p-norm of `max_norm` where theirs is larger."""
@overload
def renorm(*args: Any, x: Any = ..., p: Any = ..., axis: Any = ..., max_norm: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def renorm_(x: twinoar._TensorLike, p: Any, axis: Any, max_norm: Any) -> twinoar.Tensor:
    """In-place `renorm`: x takes the result, and is returned."""
@overload
def repeat_interleave(x: twinoar._TensorLike, repeats: Any, axis: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Each slice of x along an axis repeated in place."""
@overload
def repeat_interleave(*args: Any, x: Any = ..., repeats: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def reshape(x: twinoar._TensorLike, shape: Any, *more: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """The elements of x, in order, under another shape."""
@overload
def reshape(*args: Any, x: Any = ..., shape: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def reshape_(x: twinoar._TensorLike, shape: Any, *more: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `reshape`: x takes the result, and is returned."""
@overload
def reverse(x: twinoar._TensorLike, axis: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """x backwards along one or several axes"""
@overload
def reverse(*args: Any, x: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def roll(x: twinoar._TensorLike, shifts: Any, axis: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """x moved by `shifts` along `axis`; what leaves at the end comes in at the start."""
@overload
def roll(*args: Any, x: Any = ..., shifts: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def rot90(x: twinoar._TensorLike, k: Any = 1, axes: collections.abc.Sequence[Any] = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """x turned k times by 90 degrees, from the first axis towards the second."""
@overload
def rot90(*args: Any, x: Any = ..., k: Any = ..., axes: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def round(x: twinoar._TensorLike, decimals: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """x rounded to `decimals` places, halves to even; negative `decimals` round to tens, hundreds."""
@overload
def round(*args: Any, x: Any = ..., decimals: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def round_(x: twinoar._TensorLike, decimals: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `round`: x takes the result, and is returned."""
@overload
def row_stack(x: collections.abc.Sequence[twinoar._TensorLike], name: builtins.str | None = None) -> twinoar.Tensor:
    """Tensors below each other"""
@overload
def row_stack(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def rsqrt(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """1 / sqrt(x): inf at 0, nan below."""
@overload
def rsqrt(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def rsqrt_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `rsqrt`: x takes the result, and is returned."""
def save(obj: Any, path: builtins.str | os.PathLike[builtins.str] | _io.BytesIO, protocol: Any = 4, **configs: Any) -> None:
    """Write `obj` to the file `path`: a state dict, a Tensor, a nested object or a static Program."""
@overload
def scale(x: twinoar._TensorLike, scale: Any = ..., bias: Any = ..., bias_after_scale: builtins.bool = True, act: builtins.str | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """scale * x + bias, or scale * (x + bias) without `bias_after_scale`; `act` is applied to that."""
@overload
def scale(*args: Any, x: Any = ..., scale: Any = ..., bias: Any = ..., bias_after_scale: Any = ..., act: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def scale_(x: twinoar._TensorLike, scale: Any = ..., bias: Any = ..., bias_after_scale: builtins.bool = True, act: builtins.str | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `scale`: x takes the result, and is returned."""
@overload
def scatter(x: twinoar._TensorLike, index: twinoar._TensorLike, updates: twinoar._TensorLike, overwrite: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with its rows at the positions `index` replaced by those of `updates`."""
@overload
def scatter(*args: Any, x: Any = ..., index: Any = ..., updates: Any = ..., overwrite: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def scatter_(x: twinoar._TensorLike, index: twinoar._TensorLike, updates: twinoar._TensorLike, overwrite: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `scatter`: x takes the result, and is returned."""
@overload
def scatter_add(input: twinoar._TensorLike, dim: Any, index: twinoar._TensorLike, src: twinoar._TensorLike) -> twinoar.Tensor:
    """input with the elements of src added at the positions `index` along a dimension."""
@overload
def scatter_add(*args: Any, input: Any = ..., dim: Any = ..., index: Any = ..., src: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def scatter_add_(input: twinoar._TensorLike, dim: Any, index: twinoar._TensorLike, src: twinoar._TensorLike) -> twinoar.Tensor:
    """In-place `scatter_add`: x takes the result, and is returned."""
@overload
def scatter_nd(index: twinoar._TensorLike, updates: twinoar._TensorLike, shape: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """Zeros of `shape` with `updates` added at the positions `index`"""
@overload
def scatter_nd(*args: Any, index: Any = ..., updates: Any = ..., shape: Any = ..., name: Any = ..., size: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def scatter_nd_add(x: twinoar._TensorLike, index: twinoar._TensorLike, updates: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with slices added at coordinates, each time a coordinate occurs."""
@overload
def scatter_nd_add(*args: Any, x: Any = ..., index: Any = ..., updates: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def scatter_reduce(input: twinoar._TensorLike, dim: Any, index: twinoar._TensorLike, src: twinoar._TensorLike, reduce: builtins.str, *, include_self: builtins.bool = True) -> twinoar.Tensor:
    """input with elements of src combined at the positions `index` along a dimension."""
@overload
def scatter_reduce(*args: Any, input: Any = ..., dim: Any = ..., index: Any = ..., src: Any = ..., reduce: Any = ..., include_self: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def searchsorted(sorted_sequence: twinoar._TensorLike, values: twinoar._TensorLike, out_int32: builtins.bool = False, right: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """Where values would be inserted into ascending sequences to keep them in order."""
@overload
def searchsorted(*args: Any, sorted_sequence: Any = ..., values: Any = ..., out_int32: Any = ..., right: Any = ..., name: Any = ..., boundaries: Any = ..., input: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
seed = manual_seed
@overload
def select_scatter(x: twinoar._TensorLike, values: twinoar._TensorLike, axis: Any, index: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with the slice at `index` along an axis replaced by `values`, which lack the axis."""
@overload
def select_scatter(*args: Any, x: Any = ..., values: Any = ..., axis: Any = ..., index: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def set_cuda_rng_state(state_list: collections.abc.Sequence[Any]) -> None:
    """Go on from states of all GPUs; raises ArgumentError for any, as there is none."""
@overload
def set_cuda_rng_state(*args: Any, state_list: Any = ..., out: Any = ...) -> None: ...
def set_default_dtype(d: Any) -> None:
    """Make `d`, a floating type, the type of floating literals and of new parameters."""
@overload
def set_device(device: Any) -> twinoar._Place:
    """Choose the device for new tensors, in all threads: 'cpu', 'gpu:0', a plug-in's, a Place."""
@overload
def set_device(*args: Any, device: Any = ..., out: Any = ...) -> twinoar._Place: ...
def set_flags(flags: collections.abc.Mapping[builtins.str, Any]) -> None:
    """Set flags by name; those about memory, devices and speed have no effect here."""
@overload
def set_float32_matmul_precision(precision: Literal['highest', 'high', 'medium']) -> None:
    """Choose how exact matrix products and convolutions of float32 are, in all threads."""
@overload
def set_float32_matmul_precision(*args: Any, precision: Any = ..., out: Any = ...) -> None: ...
def set_grad_enabled(mode: builtins.bool) -> twinoar._GradientMode:
    """From now on record for backward if `mode`; as a context manager or decorator, within it."""
def set_printoptions(precision: Any = None, threshold: Any = None, edgeitems: Any = None, sci_mode: builtins.bool | None = None, linewidth: Any = None) -> None:
    """Set how tensors print."""
@overload
def set_rng_state(state_list: Any, device: Any = None) -> None:
    """Go on from a state that `get_rng_state` gave"""
@overload
def set_rng_state(*args: Any, state_list: Any = ..., device: Any = ..., out: Any = ...) -> None: ...
@overload
def sgn(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x / |x|, and 0 where x is 0; the sign of real numbers."""
@overload
def sgn(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def shape(input: twinoar._TensorLike) -> twinoar.Tensor:
    """The sizes of `input` as a tensor, [ndim], int64."""
@overload
def shape(*args: Any, input: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def shard_index(input: twinoar._TensorLike, index_num: Any, nshards: Any, shard_id: Any, ignore_value: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
    """Positions within one of `nshards` equal parts of `index_num`; others are `ignore_value`."""
@overload
def shard_index(*args: Any, input: Any = ..., index_num: Any = ..., nshards: Any = ..., shard_id: Any = ..., ignore_value: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
short: twinoar.dtype
@overload
def sigmoid(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """1 / (1 + exp(-x))."""
@overload
def sigmoid(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def sign(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """-1, 0 or 1, by the sign of x; nan stays"""
@overload
def sign(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import signal as signal
@overload
def signbit(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Where the sign is negative; -0.0 has one."""
@overload
def signbit(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def sin(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The sine."""
@overload
def sin(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def sin_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `sin`: x takes the result, and is returned."""
@overload
def sinc(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """sin(pi x) / (pi x), and 1 where x is 0."""
@overload
def sinc(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def sinc_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `sinc`: x takes the result, and is returned."""
@overload
def sinh(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The hyperbolic sine."""
@overload
def sinh(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def sinh_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `sinh`: x takes the result, and is returned."""
@overload
def slice(input: twinoar._TensorLike, axes: Any, starts: Any, ends: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """input[starts:ends] along `axes`."""
@overload
def slice(*args: Any, input: Any = ..., axes: Any = ..., starts: Any = ..., ends: Any = ..., name: Any = ..., dim: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def slice_scatter(x: twinoar._TensorLike, value: twinoar._TensorLike, axes: collections.abc.Sequence[Any], starts: collections.abc.Sequence[Any], ends: collections.abc.Sequence[Any], strides: collections.abc.Sequence[Any], name: builtins.str | None = None) -> twinoar.Tensor:
    """x with x[starts:ends:strides] along `axes` replaced by `value`."""
@overload
def slice_scatter(*args: Any, x: Any = ..., value: Any = ..., axes: Any = ..., starts: Any = ..., ends: Any = ..., strides: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., source: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import slim as slim
@overload
def softmax(input: twinoar._TensorLike, dim: Any = None, dtype: Any = None) -> twinoar.Tensor:
    """exp(x) / sum(exp(x)) along `dim`"""
@overload
def softmax(*args: Any, input: Any = ..., dim: Any = ..., dtype: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def softmax_(x: twinoar._TensorLike, axis: Any = -1, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `softmax`: x takes the result, and is returned."""
@overload
def sort(x: twinoar._TensorLike, axis: Any = -1, descending: builtins.bool = False, stable: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """x in order along `axis`, from small to large, or from large to small if `descending`."""
@overload
def sort(*args: Any, x: Any = ..., axis: Any = ..., descending: Any = ..., stable: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import sparse as sparse
from . import special as special
@overload
def split(x: twinoar._TensorLike, num_or_sections: Any, axis: Any = 0, name: builtins.str | None = None) -> builtins.list[twinoar.Tensor]:
    """Parts of x along an axis: as many equal ones as the number says, or of the sizes listed, one of which may be -1."""
@overload
def split(*args: Any, x: Any = ..., num_or_sections: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
@overload
def sqrt(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The square root; nan below 0."""
@overload
def sqrt(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def sqrt_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `sqrt`: x takes the result, and is returned."""
@overload
def square(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x * x."""
@overload
def square(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def square_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `square`: x takes the result, and is returned."""
@overload
def squeeze(x: twinoar._TensorLike, axis: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """x without axes of size 1: those in `axis`, or all"""
@overload
def squeeze(*args: Any, x: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def squeeze_(x: twinoar._TensorLike, axis: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `squeeze`: x takes the result, and is returned."""
@overload
def stack(x: collections.abc.Sequence[twinoar._TensorLike], axis: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """The tensors of x, all of one shape, joined along a new axis"""
@overload
def stack(*args: Any, x: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def standard_gamma(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """Draws from the gamma distributions of shape x and rate 1, with a gradient."""
@overload
def standard_gamma(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def standard_normal(shape: Any, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Normal numbers of mean 0 and standard deviation 1."""
@overload
def standard_normal(*args: Any, shape: Any = ..., dtype: Any = ..., name: Any = ..., size: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def stanh(x: twinoar._TensorLike, scale_a: Any = ..., scale_b: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """scale_b * tanh(scale_a * x)"""
@overload
def stanh(*args: Any, x: Any = ..., scale_a: Any = ..., scale_b: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import static as static
@overload
def std(x: twinoar._TensorLike, axis: Any = None, unbiased: builtins.bool | None = None, keepdim: builtins.bool = False, name: builtins.str | None = None, *, correction: Any = 1) -> twinoar.Tensor:
    """The standard deviation over `axis`, of all for None: the square root of `var`."""
@overload
def std(*args: Any, x: Any = ..., axis: Any = ..., unbiased: Any = ..., keepdim: Any = ..., name: Any = ..., correction: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def strided_slice(x: twinoar._TensorLike, axes: Any, starts: Any, ends: Any, strides: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """x[starts:ends:strides] along `axes`"""
@overload
def strided_slice(*args: Any, x: Any = ..., axes: Any = ..., starts: Any = ..., ends: Any = ..., strides: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def sub(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, alpha: Any = 1) -> twinoar.Tensor:
    """x - alpha y"""
@overload
def sub(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., alpha: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def sub_(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
    """In-place `sub`: x takes the result, and is returned."""
@overload
def subtract(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, alpha: Any = 1) -> twinoar.Tensor:
    """x - y."""
@overload
def subtract(*args: Any, x: Any = ..., y: Any = ..., name: Any = ..., alpha: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def subtract_(x: twinoar._TensorLike, y: Any, name: builtins.str | None = None, *, alpha: Any = None, rounding_mode: Any = None) -> twinoar.Tensor:
    """In-place `subtract`: x takes the result, and is returned."""
@overload
def sum(x: twinoar._TensorLike, axis: Any = None, dtype: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The sum of the elements over `axis`, of all for None."""
@overload
def sum(*args: Any, x: Any = ..., axis: Any = ..., dtype: Any = ..., keepdim: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def summary(net: twinoar.nn.Layer, input_size: Any = None, dtypes: Any = None, input: Any = None) -> builtins.dict[builtins.str, builtins.int]:
    """Print a table of the layers that a call of `net` goes through."""
@overload
def swapaxes(x: twinoar._TensorLike, axis0: Any, axis1: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with two axes exchanged"""
@overload
def swapaxes(*args: Any, x: Any = ..., axis0: Any = ..., axis1: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
swapdims = swapaxes
from . import sysconfig as sysconfig
@overload
def t(input: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The transpose of a matrix; vectors and numbers stay as they are."""
@overload
def t(*args: Any, input: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def t_(input: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `t`: x takes the result, and is returned."""
@overload
def take(x: twinoar._TensorLike, index: twinoar._TensorLike, mode: builtins.str = 'raise', name: builtins.str | None = None) -> twinoar.Tensor:
    """The elements of x, in order, at the positions `index`; negative ones count from the end."""
@overload
def take(*args: Any, x: Any = ..., index: Any = ..., mode: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def take_along_axis(arr: twinoar._TensorLike, indices: twinoar._TensorLike, axis: Any, broadcast: builtins.bool = True) -> twinoar.Tensor:
    """Elements of arr at the positions `indices` along an axis."""
@overload
def take_along_axis(*args: Any, arr: Any = ..., indices: Any = ..., axis: Any = ..., broadcast: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def take_along_dim(arr: twinoar._TensorLike, indices: twinoar._TensorLike, axis: Any, broadcast: builtins.bool = True) -> twinoar.Tensor:
    """Elements of arr at positions along an axis"""
@overload
def take_along_dim(*args: Any, arr: Any = ..., indices: Any = ..., axis: Any = ..., broadcast: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def tan(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The tangent."""
@overload
def tan(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def tan_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `tan`: x takes the result, and is returned."""
@overload
def tanh(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The hyperbolic tangent."""
@overload
def tanh(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def tanh_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `tanh`: x takes the result, and is returned."""
from . import tensor as tensor
@overload
def tensor_split(x: twinoar._TensorLike, num_or_indices: Any, axis: Any = 0, name: builtins.str | None = None) -> builtins.list[twinoar.Tensor]:
    """Parts of x along an axis: a number of parts, the first ones longer by one where it does not divide, or the positions at which to cut."""
@overload
def tensor_split(*args: Any, x: Any = ..., num_or_indices: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., indices: Any = ..., indices_or_sections: Any = ..., input: Any = ..., obj: Any = ..., sections: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
@overload
def tensordot(x: twinoar._TensorLike, y: twinoar._TensorLike, axes: Any = 2, name: builtins.str | None = None) -> twinoar.Tensor:
    """The sum of the products of x and y over pairs of dimensions."""
@overload
def tensordot(*args: Any, x: Any = ..., y: Any = ..., axes: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., dim: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import text as text
@overload
def tile(x: twinoar._TensorLike, repeat_times: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """x repeated as a whole along each axis; the shorter of its shape and `repeat_times` is preceded by ones."""
@overload
def tile(*args: Any, x: Any = ..., repeat_times: Any = ..., name: Any = ..., A: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def to_dlpack(x: twinoar._TensorLike) -> Any:
    """A DLPack capsule of a copy of x, to be used once."""
@overload
def to_dlpack(*args: Any, x: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def to_tensor(data: Any, dtype: Any = None, place: Any = None, stop_gradient: builtins.bool = True) -> twinoar.Tensor:
    """A tensor holding a copy of `data`: a number, nested lists, an ndarray or a Tensor."""
@overload
def to_tensor(*args: Any, data: Any = ..., dtype: Any = ..., place: Any = ..., stop_gradient: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def tolist(x: twinoar._TensorLike) -> Any:
    """The elements as nested Python lists, or a number."""
@overload
def tolist(*args: Any, x: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
@overload
def topk(x: twinoar._TensorLike, k: Any, axis: Any = None, largest: builtins.bool = True, sorted: builtins.bool = True, name: builtins.str | None = None) -> twinoar._TopKRetType:
    """The k largest elements along `axis`, the last by default, and where they are."""
@overload
def topk(*args: Any, x: Any = ..., k: Any = ..., axis: Any = ..., largest: Any = ..., sorted: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar._TopKRetType: ...
@overload
def trace(x: twinoar._TensorLike, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
    """The sum of the diagonal of the matrices in the dimensions `axis1` and `axis2`."""
@overload
def trace(*args: Any, x: Any = ..., offset: Any = ..., axis1: Any = ..., axis2: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def transpose(x: twinoar._TensorLike, perm: Any, *more: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with its axes reordered: axis i of the result is axis perm[i] of x."""
@overload
def transpose(*args: Any, x: Any = ..., perm: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., dim0: Any = ..., dim1: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def transpose_(x: twinoar._TensorLike, perm: Any, *more: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `transpose`: x takes the result, and is returned."""
@overload
def trapezoid(y: twinoar._TensorLike, x: twinoar._TensorLike | None = None, dx: Any = None, axis: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
    """The integral of y along an axis by the trapezoid rule."""
@overload
def trapezoid(*args: Any, y: Any = ..., x: Any = ..., dx: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def tril(x: twinoar._TensorLike, diagonal: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """The lower triangles of matrices, [..., rows, columns]; what lies above `diagonal` becomes 0."""
@overload
def tril(*args: Any, x: Any = ..., diagonal: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def tril_(x: twinoar._TensorLike, diagonal: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `tril`: x takes the result, and is returned."""
@overload
def tril_indices(row: Any, col: Any, offset: Any = 0, dtype: Any = 'int64') -> twinoar.Tensor:
    """The positions [2,k] of the lower triangle of a matrix, up to the diagonal `offset`."""
@overload
def tril_indices(*args: Any, row: Any = ..., col: Any = ..., offset: Any = ..., dtype: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def triu(x: twinoar._TensorLike, diagonal: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """The upper triangles of matrices, [..., rows, columns]; what lies below `diagonal` becomes 0."""
@overload
def triu(*args: Any, x: Any = ..., diagonal: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def triu_(x: twinoar._TensorLike, diagonal: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `triu`: x takes the result, and is returned."""
@overload
def triu_indices(row: Any, col: Any = None, offset: Any = 0, dtype: Any = 'int64') -> twinoar.Tensor:
    """The positions [2,k] of the upper triangle of a matrix, from the diagonal `offset` on."""
@overload
def triu_indices(*args: Any, row: Any = ..., col: Any = ..., offset: Any = ..., dtype: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def true_divide(input: twinoar._TensorLike, other: Any) -> twinoar.Tensor:
    """input / other"""
@overload
def true_divide(*args: Any, input: Any = ..., other: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def trunc(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """x without its fraction: rounded towards 0."""
@overload
def trunc(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def trunc_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `trunc`: x takes the result, and is returned."""
uint16: twinoar.dtype
uint32: twinoar.dtype
uint64: twinoar.dtype
uint8: twinoar.dtype
@overload
def unbind(input: twinoar._TensorLike, axis: Any = 0) -> builtins.list[twinoar.Tensor]:
    """The slices of a tensor along an axis, which is dropped."""
@overload
def unbind(*args: Any, input: Any = ..., axis: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
@overload
def unflatten(x: twinoar._TensorLike, axis: Any, shape: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with one dimension as several, whose sizes `shape` gives; one may be -1."""
@overload
def unflatten(*args: Any, x: Any = ..., axis: Any = ..., shape: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def unfold(x: twinoar._TensorLike, axis: Any, size: Any, step: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """Windows of `size` slices along an axis, `step` apart, as a new last dimension: a view."""
@overload
def unfold(*args: Any, x: Any = ..., axis: Any = ..., size: Any = ..., step: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def uniform(shape: Any, dtype: Any = None, min: Any = ..., max: Any = ..., seed: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """Uniform numbers in [min, max)."""
@overload
def uniform(*args: Any, shape: Any = ..., dtype: Any = ..., min: Any = ..., max: Any = ..., seed: Any = ..., name: Any = ..., size: Any = ..., to: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def unique(x: twinoar._TensorLike, return_index: builtins.bool = False, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, axis: Any = None, dtype: Any = 'int64', sorted: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """The different elements of x, or its different slices along an axis, in ascending order."""
@overload
def unique(*args: Any, x: Any = ..., return_index: Any = ..., return_inverse: Any = ..., return_counts: Any = ..., axis: Any = ..., dtype: Any = ..., sorted: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def unique_consecutive(x: twinoar._TensorLike, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, axis: Any = None, dtype: Any = 'int64', name: builtins.str | None = None) -> twinoar.Tensor:
    """One of each run of equal elements, or of equal slices along an axis."""
@overload
def unique_consecutive(*args: Any, x: Any = ..., return_inverse: Any = ..., return_counts: Any = ..., axis: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def unsqueeze(x: twinoar._TensorLike, axis: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with new axes of size 1, inserted one after the other at the places `axis`."""
@overload
def unsqueeze(*args: Any, x: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def unsqueeze_(x: twinoar._TensorLike, axis: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `unsqueeze`: x takes the result, and is returned."""
@overload
def unstack(x: twinoar._TensorLike, axis: Any = 0, num: Any = None) -> builtins.list[twinoar.Tensor]:
    """As `unbind`, but copies"""
@overload
def unstack(*args: Any, x: Any = ..., axis: Any = ..., num: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., steps: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
from . import utils as utils
@overload
def vander(x: twinoar._TensorLike, n: Any = None, increasing: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The powers of the elements of a vector as rows, falling from n - 1 to 0, or rising."""
@overload
def vander(*args: Any, x: Any = ..., n: Any = ..., increasing: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def var(x: twinoar._TensorLike, axis: Any = None, unbiased: builtins.bool | None = None, keepdim: builtins.bool = False, name: builtins.str | None = None, *, correction: Any = 1) -> twinoar.Tensor:
    """The variance over `axis`, of all for None: squared distances from the mean over n - 1."""
@overload
def var(*args: Any, x: Any = ..., axis: Any = ..., unbiased: Any = ..., keepdim: Any = ..., name: Any = ..., correction: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def vecdot(x: twinoar._TensorLike, y: twinoar._TensorLike, axis: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
    """The dot products of vectors along an axis; x is conjugated where it is complex."""
@overload
def vecdot(*args: Any, x: Any = ..., y: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import version as version
@overload
def view(x: twinoar._TensorLike, shape_or_dtype: Any, *more: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """The elements of x under another shape, or the bits of x as elements of another dtype."""
@overload
def view(*args: Any, x: Any = ..., shape_or_dtype: Any = ..., name: Any = ..., A: Any = ..., dtype: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., shape: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def view_as(x: twinoar._TensorLike, other: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The elements of x under the shape of `other`."""
@overload
def view_as(*args: Any, x: Any = ..., other: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def view_as_complex(input: twinoar._TensorLike) -> twinoar.Tensor:
    """Complex numbers whose parts stand side by side"""
@overload
def view_as_complex(*args: Any, input: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def view_as_real(input: twinoar._TensorLike) -> twinoar.Tensor:
    """The parts of complex numbers side by side"""
@overload
def view_as_real(*args: Any, input: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from . import vision as vision
@overload
def vsplit(x: twinoar._TensorLike, num_or_indices: Any, name: builtins.str | None = None) -> builtins.list[twinoar.Tensor]:
    """Parts of x along the first dimension"""
@overload
def vsplit(*args: Any, x: Any = ..., num_or_indices: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., indices: Any = ..., indices_or_sections: Any = ..., input: Any = ..., obj: Any = ..., sections: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.list[twinoar.Tensor]: ...
@overload
def vstack(x: collections.abc.Sequence[twinoar._TensorLike], name: builtins.str | None = None) -> twinoar.Tensor:
    """Tensors below each other: joined along the first dimension, vectors as rows."""
@overload
def vstack(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def where(condition: twinoar._TensorLike, x: Any = None, y: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """x where `condition` is true, y elsewhere; without x and y, the positions where it is true."""
@overload
def where(*args: Any, condition: Any = ..., x: Any = ..., y: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def where_(condition: twinoar._TensorLike, x: Any = None, y: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `where`: x takes the elements of y where `condition` is false, and is returned."""
@overload
def zeros(shape: Any, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Zeros of a shape; dtype: the default floating type where it is None."""
@overload
def zeros(*args: Any, shape: Any = ..., dtype: Any = ..., name: Any = ..., size: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def zeros_like(x: twinoar._TensorLike, dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Zeros of the shape of x, and of its dtype where `dtype` is None."""
@overload
def zeros_like(*args: Any, x: Any = ..., dtype: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
_TensorLike = Tensor | _numpy.ndarray[Any, Any] | _numpy.generic | builtins.complex
class _HookHandle:
    """What `register_hook` returns."""
    def __init__(self, hooks: builtins.dict[Any, collections.abc.Callable], hook: collections.abc.Callable) -> None: ...
    def remove(self) -> builtins.bool:
        """Forget the hook; False if it was gone already."""
class _TopKRetType(typing.NamedTuple):
    """What `topk` returns, under Paddle's name."""
    values: Any
    indices: Any
class _SparseCooTensor:
    """Elements with their positions; those of one position add up."""
    def __init__(self, indices: _numpy.ndarray[Any, Any], values: Any, shape: collections.abc.Sequence[Any]) -> None: ...
    @property
    def sparse_shape(self) -> builtins.tuple[builtins.int, ...]:
        """The sizes of the dimensions that positions count."""
    def indices(self) -> twinoar.Tensor:
        """The positions, [sparse_dim,nnz], int64."""
    def flat(self) -> _numpy.ndarray[Any, Any]:
        """The positions as single numbers, row by row."""
    def with_values(self, values: Any) -> twinoar._SparseCooTensor:
        """Other values in the same places."""
    def coalesce(self) -> twinoar._SparseCooTensor:
        """The tensor with its positions in order, each once."""
    def is_coalesced(self) -> builtins.bool:
        """Whether positions are in order, each once."""
    def to_sparse_coo(self, sparse_dim: Any = None) -> twinoar._SparseCooTensor:
        """The tensor itself."""
    def to_sparse_csr(self) -> twinoar._SparseCsrTensor:
        """The tensor row by row; raises ShapeError unless it is a matrix."""
    @property
    def shape(self) -> builtins.list[builtins.int]:
        """Sizes of the dimensions."""
    @property
    def ndim(self) -> builtins.int:
        """Number of dimensions."""
    @property
    def dtype(self) -> twinoar.dtype:
        """Element type."""
    @property
    def stop_gradient(self) -> builtins.bool:
        """True where no gradient is wanted."""
    def values(self) -> Any:
        """The elements that are held, a tensor."""
    def nnz(self) -> builtins.int:
        """How many elements, or rows of elements, are held."""
    def is_sparse(self) -> builtins.bool:
        """True."""
    def is_sparse_coo(self) -> builtins.bool:
        """True where each element has its position."""
    def is_sparse_csr(self) -> builtins.bool:
        """True where the elements are held row by row."""
    def to_dense(self) -> twinoar.Tensor:
        """A tensor that holds all elements."""
    def numpy(self) -> _numpy.ndarray[Any, Any]:
        """All elements, as an array."""
    def astype(self, dtype: Any) -> twinoar._SparseCooTensor:
        """The tensor with values of `dtype`."""
    def detach(self) -> twinoar._SparseCooTensor:
        """The same data, outside the autograd graph."""
    places: _numpy.ndarray[Any, Any]
class _SparseCsrTensor:
    """A matrix row by row."""
    def __init__(self, crows: _numpy.ndarray[Any, Any], cols: _numpy.ndarray[Any, Any], values: Any, shape: collections.abc.Sequence[Any]) -> None: ...
    def crows(self) -> twinoar.Tensor:
        """Where each row starts, [rows+1], int64."""
    def cols(self) -> twinoar.Tensor:
        """The column of each element, [nnz], int64."""
    def with_values(self, values: Any) -> twinoar._SparseCsrTensor:
        """Other values in the same places."""
    def to_sparse_coo(self, sparse_dim: Any = None) -> twinoar._SparseCooTensor:
        """The tensor with a position for each element."""
    def to_sparse_csr(self) -> twinoar._SparseCsrTensor:
        """The tensor itself."""
    @property
    def shape(self) -> builtins.list[builtins.int]:
        """Sizes of the dimensions."""
    @property
    def ndim(self) -> builtins.int:
        """Number of dimensions."""
    @property
    def dtype(self) -> twinoar.dtype:
        """Element type."""
    @property
    def stop_gradient(self) -> builtins.bool:
        """True where no gradient is wanted."""
    def values(self) -> Any:
        """The elements that are held, a tensor."""
    def nnz(self) -> builtins.int:
        """How many elements, or rows of elements, are held."""
    def is_sparse(self) -> builtins.bool:
        """True."""
    def is_sparse_coo(self) -> builtins.bool:
        """True where each element has its position."""
    def is_sparse_csr(self) -> builtins.bool:
        """True where the elements are held row by row."""
    def to_dense(self) -> twinoar.Tensor:
        """A tensor that holds all elements."""
    def numpy(self) -> _numpy.ndarray[Any, Any]:
        """All elements, as an array."""
    def astype(self, dtype: Any) -> twinoar._SparseCsrTensor:
        """The tensor with values of `dtype`."""
    def detach(self) -> twinoar._SparseCsrTensor:
        """The same data, outside the autograd graph."""
    starts: _numpy.ndarray[Any, Any]
    columns: _numpy.ndarray[Any, Any]
class _Place:
    """Where data lie: a device"""
    def __init__(self, device: Any = ...) -> None: ...
    def is_cpu_place(self) -> builtins.bool:
        """True for the CPU."""
    def is_gpu_place(self) -> builtins.bool:
        """True for a GPU."""
    def is_xpu_place(self) -> builtins.bool:
        """True for an XPU."""
    def is_custom_place(self) -> builtins.bool:
        """True for a device that a plug-in serves under a name of its own."""
    def is_cuda_pinned_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def is_xpu_pinned_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def is_ipu_place(self) -> builtins.bool:
        """False: the CPU's memory is one."""
    def gpu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def get_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def xpu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def custom_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def ipu_device_id(self) -> builtins.int:
        """The number among the devices of its kind."""
    def get_device_type(self) -> builtins.str:
        """The kind of device."""
    def custom_device_type(self) -> builtins.str:
        """The kind of device."""
    def __eq__(self, other: Any) -> builtins.bool: ...  # type: ignore[override]
    device: Any
class _GradientMode:
    """A context manager and decorator that switches recording on or off."""
    def __init__(self, records: builtins.bool) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *error: Any) -> None: ...
    def __call__(self, function: Any) -> Any: ...
    records: builtins.bool
