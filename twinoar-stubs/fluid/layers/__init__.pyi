"""`fluid.layers` of Paddle 1.8: its names, arguments, orders and defaults, over what twinoar has."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.fluid
import twinoar.fluid.layers
from typing import Any, Literal, overload

import numpy as _numpy

class DynamicRNN:
    """A recurrent network over sequences: in `with rnn.block():` stands what is done at each step."""
    def __init__(self, name: builtins.str | None = None, lengths: Any = None) -> None: ...
    def block(self) -> collections.abc.Iterator[None]:
        """The block in which one step is written."""
    def step_input(self, x: Any, level: Any = 0) -> Any:
        """What a step sees of the sequences x, [batch,time,*]: [batch,*]"""
    def static_input(self, x: Any) -> Any:
        """What every step sees: x itself."""
    def memory(self, init: Any = None, shape: Any = None, value: Any = ..., need_reorder: builtins.bool = False, dtype: Any = 'float32') -> Any:
        """What the step before has left; in the first step init, or `value` in [batch,*shape]."""
    def update_memory(self, ex_mem: Any, new_mem: Any) -> None:
        """Let `new_mem` be what the next step finds in `ex_mem`."""
    def output(self, *outputs: Any) -> None:
        """Collect each of `outputs` of every step."""
    def __call__(self) -> Any: ...
class GRUCell(twinoar.fluid.layers.RNNCell):
    """A gated cell"""
    def __init__(self, hidden_size: Any, param_attr: Any = None, bias_attr: Any = None, gate_activation: Any = None, activation: Any = None, dtype: Any = 'float32', name: builtins.str = 'GRUCell') -> None: ...
    def call(self, inputs: Any, states: Any) -> builtins.tuple[Any, Any]:
        """One step"""
    @property
    def state_shape(self) -> builtins.list[builtins.int]:
        """The shape of the state without the batch."""
    hidden_size: builtins.int
    step: Any
    gate: Any
    activation: Any
class IfElse:
    """Two ways for the rows of a batch: those for which `cond`, [N,1], holds, and the others."""
    def __init__(self, cond: Any, name: builtins.str | None = None) -> None: ...
    def true_block(self) -> collections.abc.Iterator[None]:
        """The block for the rows for which the condition holds."""
    def false_block(self) -> collections.abc.Iterator[None]:
        """The block for the other rows."""
    def input(self, x: Any) -> twinoar.Tensor:
        """The rows of x that go this way"""
    def output(self, *outs: Any) -> None:
        """What becomes of the rows; the other block has as many"""
    def __call__(self) -> builtins.list[Any]: ...
    rows: Any
    outputs: builtins.dict[builtins.bool, builtins.list[Any]]
    side: builtins.bool | None
class LSTMCell(twinoar.fluid.layers.RNNCell):
    """A cell of long and short memory"""
    def __init__(self, hidden_size: Any, param_attr: Any = None, bias_attr: Any = None, gate_activation: Any = None, activation: Any = None, forget_bias: Any = ..., dtype: Any = 'float32', name: builtins.str = 'LSTMCell') -> None: ...
    def call(self, inputs: Any, states: Any) -> builtins.tuple[Any, Any]:
        """One step"""
    @property
    def state_shape(self) -> builtins.list[builtins.list[builtins.int]]:
        """The shapes of the states without the batch."""
    hidden_size: builtins.int
    forget_bias: builtins.float
    step: Any
    gate: Any
    activation: Any
def Print(input: Any, first_n: Any = -1, message: Any = None, summarize: Any = 20, print_tensor_name: Any = True, print_tensor_type: Any = True, print_tensor_shape: Any = True, print_tensor_lod: Any = True, print_phase: Any = 'both') -> Any:
    """Write the tensor whenever the Program runs, after `message`"""
class RNNCell:
    """The base of cells: `call(inputs, states)` gives the output of a step and the next states."""
    def call(self, inputs: Any, states: Any, **kwargs: Any) -> builtins.tuple[Any, Any]:
        """One step; a cell has its own"""
    def __call__(self, inputs: Any, states: Any, **kwargs: Any) -> builtins.tuple[Any, Any]: ...
    def get_initial_states(self, batch_ref: Any, shape: Any = None, dtype: Any = 'float32', init_value: Any = ..., batch_dim_idx: Any = 0) -> Any:
        """`init_value` everywhere, [N,*shape] for each of the shapes; N from batch_ref."""
class StaticRNN:
    """A recurrent network in a Program: what stands in `with rnn.step()` is done at every step."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def step(self) -> collections.abc.Iterator[None]:
        """The block in which one step is written."""
    def step_input(self, x: Any) -> twinoar.fluid.Variable:
        """What a step sees of the sequence x [time,*]: [*]."""
    def memory(self, init: Any = None, shape: Any = None, batch_ref: Any = None, init_value: Any = ..., init_batch_dim_idx: Any = 0, ref_batch_dim_idx: Any = 1) -> twinoar.fluid.Variable:
        """A value that goes from one step to the next by `update_memory`."""
    def update_memory(self, mem: twinoar.fluid.Variable, var: Any) -> None:
        """Let `var` be `mem` at the next step"""
    def step_output(self, o: Any) -> None:
        """Collect `o` of every step."""
    def output(self, *outputs: Any) -> None:
        """Collect each of `outputs` of every step."""
    def __call__(self) -> Any: ...
class Switch:
    """The first of several blocks whose condition holds, else the default one."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def __enter__(self) -> twinoar.fluid.layers.Switch: ...
    def __exit__(self, kind: builtins.type | None, *raised: Any) -> None: ...
    def case(self, condition: Any) -> collections.abc.Iterator[None]:
        """The block for a condition, one truth value"""
    def default(self) -> collections.abc.Iterator[None]:
        """The block for when no condition holds"""
    cases: builtins.list[builtins.tuple[Any, Any]]
    otherwise: Any
class While:
    """A loop of a Program: `with While(cond).block():` runs again while cond holds."""
    def __init__(self, cond: Any, is_test: builtins.bool = False, name: builtins.str | None = None) -> None: ...
    def block(self) -> collections.abc.Iterator[None]:
        """The body"""
    cond: Any
def abs(x: Any, name: Any = None) -> Any:
    """The absolute value."""
def accuracy(input: Any, label: Any, k: Any = 1, correct: Any = None, total: Any = None) -> Any:
    """The share of examples whose label is among their k highest scores."""
def acos(x: Any, name: Any = None) -> Any:
    """The angle in [0, pi] whose cosine is x; nan outside [-1, 1]."""
def adaptive_pool2d(input: Any, pool_size: Any, pool_type: Any = 'max', require_index: Any = False, name: Any = None) -> Any:
    """The maximum or mean of as many windows as `size` says; `with_places` of maxima, if wanted."""
def adaptive_pool3d(input: Any, pool_size: Any, pool_type: Any = 'max', require_index: Any = False, name: Any = None) -> Any:
    """The maximum or mean of as many windows as `size` says; `with_places` of maxima, if wanted."""
def add_position_encoding(input: Any, alpha: Any, beta: Any, name: Any = None) -> Any:
    """alpha * x + beta * the sines, then cosines, of the place in time"""
def addmm(input: Any, x: Any, y: Any, alpha: Any = ..., beta: Any = ..., name: Any = None) -> Any:
    """beta * input + alpha * x @ y."""
def affine_channel(x: Any, scale: Any = None, bias: Any = None, data_layout: Any = 'NCHW', name: Any = None, act: Any = None) -> Any:
    """scale * x + bias, with a number each for each channel"""
def affine_grid(theta: Any, out_shape: Any, name: Any = None) -> Any:
    """The points that an affine map makes of the pixels of images, for `grid_sample`."""
def arange(start: Any, end: Any, step: Any = 1, dtype: Any = None, name: Any = None) -> Any:
    """start, start + step, .."""
def argmax(x: Any, axis: Any = 0) -> Any:
    """The position of the largest element along `axis`, the first of equals; without an axis in the flattened x."""
def argmin(x: Any, axis: Any = 0) -> Any:
    """The position of the smallest element along `axis`, the first of equals; without an axis in the flattened x."""
def argsort(input: Any, axis: Any = -1, descending: Any = False, name: Any = None) -> Any:
    """x sorted along `axis`, and where its elements were."""
def array_length(array: Any) -> Any:
    """The number of items, [1], int64."""
def array_read(array: Any, i: Any) -> Any:
    """Item `i` of an array."""
def array_write(x: Any, i: Any, array: Any = None) -> Any:
    """Let item `i` of the array be x; returns the array, a new one for None."""
def asin(x: Any, name: Any = None) -> Any:
    """The angle in [-pi/2, pi/2] whose sine is x; nan outside [-1, 1]."""
def assign(input: Any, output: Any = None) -> Any:
    """A copy of x: a tensor (differentiably), an ndarray, a number or nested lists."""
def atan(x: Any, name: Any = None) -> Any:
    """The angle in (-pi/2, pi/2) whose tangent is x."""
def auc(input: Any, label: Any, curve: Any = 'ROC', num_thresholds: Any = 4095, topk: Any = 1, slide_steps: Any = 1) -> Any:
    """The area under the curve over all runs, and that over the last `slide_steps` ones."""
def autoincreased_step_counter(counter_name: Any = None, begin: Any = 1, step: Any = 1) -> Any:
    """Counts runs of the Program, [1], int64: begin - 1 before the first, `step` more in each."""
def batch_norm(input: Any, act: Any = None, is_test: Any = False, momentum: Any = ..., epsilon: Any = ..., param_attr: Any = None, bias_attr: Any = None, data_layout: Any = 'NCHW', in_place: Any = False, name: Any = None, moving_mean_name: Any = None, moving_variance_name: Any = None, do_model_average_for_mean_and_var: Any = True, use_global_stats: Any = False) -> Any:
    """act(scale (input - mean) / sqrt(variance + epsilon) + bias), for each channel."""
def bilinear_tensor_product(x: Any, y: Any, size: Any, act: Any = None, name: Any = None, param_attr: Any = None, bias_attr: Any = None) -> Any:
    """act(x W_i y + b_i) for each of `size` matrices W_i."""
def bmm(x: Any, y: Any, name: Any = None) -> Any:
    """The matrix products of two batches."""
def bpr_loss(input: Any, label: Any, name: Any = None) -> Any:
    """The mean over the other classes of -log(sigmoid(score of the label - theirs)), [N,1]."""
def brelu(x: Any, t_min: Any = ..., t_max: Any = ..., name: Any = None) -> Any:
    """x brought into [min, max]; a bound of None does not bind"""
def case(pred_fn_pairs: Any, default: Any = None, name: Any = None) -> Any:
    """What the function beside the first predicate that holds returns, else `default()`."""
def cast(x: Any, dtype: Any) -> Any:
    """The elements of x converted to `dtype`; fractions are cut towards zero."""
def ceil(x: Any, name: Any = None) -> Any:
    """The smallest whole number not below x."""
def center_loss(input: Any, label: Any, num_classes: Any, alpha: Any, param_attr: Any, update_center: Any = True) -> Any:
    """Half the squared distance of each row to the center of its class, [N,1]."""
def clamp(input: Any, min: Any = None, max: Any = None, output: Any = None, name: Any = None) -> Any:
    """x brought into [min, max]; a bound of None does not bind"""
def clip(x: Any, min: Any, max: Any, name: Any = None) -> Any:
    """x brought into [min, max]; a bound of None does not bind"""
def clip_by_norm(x: Any, max_norm: Any, name: Any = None) -> Any:
    """x, shortened to a norm of `max_norm` where it is longer."""
def concat(input: Any, axis: Any = 0, name: Any = None) -> Any:
    """The tensors of x joined along an axis they have."""
def cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: Any = None) -> Any:
    """`true_fn()` or `false_fn()`, by the truth value `pred`."""
def conv2d(input: Any, num_filters: Any, filter_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: Any = True, act: Any = None, name: Any = None, data_format: Any = 'NCHW') -> Any:
    """act(input * filters + bias): cross-correlation of images with num_filters filters."""
def conv2d_transpose(input: Any, num_filters: Any, output_size: Any = None, filter_size: Any = None, padding: Any = 0, stride: Any = 1, dilation: Any = 1, groups: Any = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: Any = True, act: Any = None, name: Any = None, data_format: Any = 'NCHW') -> Any:
    """act(transposed convolution of input + bias): it enlarges images."""
def conv3d(input: Any, num_filters: Any, filter_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: Any = True, act: Any = None, name: Any = None, data_format: Any = 'NCDHW') -> Any:
    """act(input * filters + bias): `conv2d` of volumes."""
def conv3d_transpose(input: Any, num_filters: Any, output_size: Any = None, filter_size: Any = None, padding: Any = 0, stride: Any = 1, dilation: Any = 1, groups: Any = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: Any = True, act: Any = None, name: Any = None, data_format: Any = 'NCDHW') -> Any:
    """act(transposed convolution of input + bias): `conv2d_transpose` of volumes."""
def cos(x: Any, name: Any = None) -> Any:
    """The cosine."""
def cos_sim(X: Any, Y: Any) -> Any:
    """The cosine of the angle between rows, [N,1]"""
def cosine_decay(learning_rate: Any, step_each_epoch: Any, epochs: Any) -> Any:
    """Half a cosine from learning_rate to 0 over `epochs`, one value an epoch."""
def create_array(dtype: Any) -> Any:
    """An array without items: a list where operators run at once."""
def create_global_var(shape: Any, value: Any, dtype: Any, persistable: Any = False, force_cpu: Any = False, name: Any = None) -> Any:
    """A state of the default main Program, `value` everywhere at first, that outlives runs."""
def create_parameter(shape: Any, dtype: Any, name: Any = None, attr: Any = None, is_bias: Any = False, default_initializer: Any = None) -> Any:
    """A trainable parameter, initialized by `attr`, `default_initializer`, or Paddle's default."""
def create_tensor(dtype: Any, name: Any = None, persistable: Any = False) -> Any:
    """A tensor that has no value yet, to be one that others are assigned to."""
def crop(x: Any, shape: Any = None, offsets: Any = None, name: Any = None) -> Any:
    """The part of x of `shape` that begins at `offsets`; -1 in shape takes all from there on."""
def crop_tensor(x: Any, shape: Any = None, offsets: Any = None, name: Any = None) -> Any:
    """The part of x of `shape` that begins at `offsets`; -1 in shape takes all from there on."""
def cross_entropy(input: Any, label: Any, soft_label: Any = False, ignore_index: Any = -100) -> Any:
    """-log of the probability of the label, [*,1]; 0 for `ignore_index`"""
def cumsum(x: Any, axis: Any = None, exclusive: Any = None, reverse: Any = None) -> Any:
    """Sums along `axis` of the elements up to each, or down to it; without it if exclusive."""
def data(name: builtins.str, shape: collections.abc.Sequence[Any], append_batch_size: builtins.bool = True, dtype: Any = 'float32', lod_level: Any = 0, type: Any = None, stop_gradient: builtins.bool = True) -> twinoar.fluid.Variable:
    """Declare the input `name`; that of the batch stands before `shape` unless a size is unknown."""
def data_norm(input: Any, act: Any = None, epsilon: Any = ..., param_attr: Any = None, data_layout: Any = 'NCHW', in_place: Any = False, name: Any = None, moving_mean_name: Any = None, moving_variance_name: Any = None, do_model_average_for_mean_and_var: Any = True, slot_dim: Any = -1, sync_stats: Any = False, summary_decay_rate: Any = ..., enable_scale_and_shift: Any = False) -> Any:
    """act((input - mean) / deviation), with moments of all data seen so far."""
def deformable_conv(input: Any, offset: Any, mask: Any, num_filters: Any, filter_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = None, deformable_groups: Any = None, im2col_step: Any = None, param_attr: Any = None, bias_attr: Any = None, modulated: Any = True, name: Any = None) -> Any:
    """Convolution that reads pixels where offsets that are computed point."""
def diag(diagonal: Any) -> Any:
    """A vector as the diagonal of a square matrix, or the diagonal of a matrix as a vector."""
def diag_embed(input: Any, offset: Any = 0, dim1: Any = -2, dim2: Any = -1) -> Any:
    """The last axis of a tensor as diagonals of square matrices in axes dim1 and dim2 of the result"""
def dice_loss(input: Any, label: Any, epsilon: Any = ..., name: Any = None) -> Any:
    """1 - 2 |A and B| / (|A| + |B|), averaged over images."""
def dot(x: Any, y: Any, name: Any = None) -> Any:
    """The inner products of vectors, or of rows, [*,1]."""
def dropout(x: Any, dropout_prob: Any, is_test: Any = False, seed: Any = None, name: Any = None, dropout_implementation: Any = 'downgrade_in_infer') -> Any:
    """x with elements left out, or without `upscale_in_train` x * (1 - p) if `is_test`"""
def dynamic_gru(input: Any, size: Any, param_attr: Any = None, bias_attr: Any = None, is_reverse: builtins.bool = False, gate_activation: builtins.str = 'sigmoid', candidate_activation: builtins.str = 'tanh', h_0: Any = None, origin_mode: builtins.bool = False, lengths: Any = None) -> Any:
    """The hidden states of a GRU, [batch,time,size], zeros after the end."""
def dynamic_lstm(input: Any, size: Any, h_0: Any = None, c_0: Any = None, param_attr: Any = None, bias_attr: Any = None, use_peepholes: builtins.bool = True, is_reverse: builtins.bool = False, gate_activation: builtins.str = 'sigmoid', cell_activation: builtins.str = 'tanh', candidate_activation: builtins.str = 'tanh', dtype: Any = 'float32', name: builtins.str | None = None, lengths: Any = None) -> builtins.tuple[Any, Any]:
    """The hidden states and cells of an LSTM, [batch,time,size/4], zeros after the end."""
def elementwise_add(x: Any, y: Any, axis: Any = -1, act: Any = None, name: Any = None) -> Any:
    """x + y."""
def elementwise_div(x: Any, y: Any, axis: Any = -1, act: Any = None, name: Any = None) -> Any:
    """x / y; of integers the whole part, cut towards 0."""
def elementwise_equal(x: Any, y: Any, name: Any = None) -> Any:
    """True where x == y; nan equals nothing."""
def elementwise_floordiv(x: Any, y: Any, axis: Any = -1, act: Any = None, name: Any = None) -> Any:
    """x / y; of integers the whole part, cut towards 0."""
def elementwise_max(x: Any, y: Any, axis: Any = -1, act: Any = None, name: Any = None) -> Any:
    """The larger of x and y, element by element; nan where either is nan."""
def elementwise_min(x: Any, y: Any, axis: Any = -1, act: Any = None, name: Any = None) -> Any:
    """The smaller of x and y, element by element; nan where either is nan."""
def elementwise_mod(x: Any, y: Any, axis: Any = -1, act: Any = None, name: Any = None) -> Any:
    """What x / y leaves; of integers with the sign of x, otherwise with that of y."""
def elementwise_mul(x: Any, y: Any, axis: Any = -1, act: Any = None, name: Any = None) -> Any:
    """x * y, element by element."""
def elementwise_pow(x: Any, y: Any, axis: Any = -1, act: Any = None, name: Any = None) -> Any:
    """x to the power of y."""
def elementwise_sub(x: Any, y: Any, axis: Any = -1, act: Any = None, name: Any = None) -> Any:
    """x - y."""
def elu(x: Any, alpha: Any = ..., name: Any = None) -> Any:
    """x where x > 0, alpha * (exp(x) - 1) elsewhere"""
def embedding(input: Any, size: Any, is_sparse: Any = False, is_distributed: Any = False, padding_idx: Any = None, param_attr: Any = None, dtype: Any = 'float32') -> Any:
    """Rows of a table that is learned, [*,width], for numbers [*,1]."""
def equal(x: Any, y: Any, cond: Any = None) -> Any:
    """True where x == y; nan equals nothing."""
def erf(x: Any) -> Any:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x."""
def exp(x: Any, name: Any = None) -> Any:
    """e to the power of x."""
def expand(x: Any, expand_times: Any, name: Any = None) -> Any:
    """x repeated as a whole along each axis; the shorter of its shape and `repeat_times` is preceded by ones."""
def expand_as(x: Any, target_tensor: Any, name: Any = None) -> Any:
    """x, repeated a whole number of times to the shape of `target`"""
def exponential_decay(learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: builtins.bool = False) -> Any:
    """learning_rate * decay_rate ** (runs / decay_steps), a whole exponent for `staircase`."""
def eye(num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = 'float32') -> Any:
    """Ones on the diagonal of a matrix; repeated over batch_shape."""
def fc(input: Any, size: Any, num_flatten_dims: Any = 1, param_attr: Any = None, bias_attr: Any = None, act: Any = None, name: Any = None) -> Any:
    """A fully connected layer: activation(x W + b), summed over several x."""
def fill_constant(shape: Any, dtype: Any, value: Any, force_cpu: Any = False, out: Any = None) -> Any:
    """`fill_value` everywhere."""
def fill_constant_batch_size_like(input: Any, shape: Any, dtype: Any, value: Any, input_dim_idx: Any = 0, output_dim_idx: Any = 0, force_cpu: Any = False) -> Any:
    """`fill_value` everywhere."""
def flatten(x: Any, axis: Any = 1, name: Any = None) -> Any:
    """x as a matrix: the dimensions before `axis` are its rows, the others its columns."""
def flip(input: Any, dims: Any, name: Any = None) -> Any:
    """x backwards along one or several axes"""
def floor(x: Any, name: Any = None) -> Any:
    """The largest whole number not above x."""
def fsp_matrix(x: Any, y: Any) -> Any:
    """The mean over pixels of each channel of x times each of y"""
def gather(input: Any, index: Any, overwrite: Any = True) -> Any:
    """The rows of a tensor whose numbers stand in `index`, [N] or [N,1]; gradients of a row that is taken several times add up, whatever `overwrite` says."""
def gather_nd(input: Any, index: Any, name: Any = None) -> Any:
    """The slices of x at coordinates: each last row of `index` names one."""
def gaussian_random(shape: Any, mean: Any = ..., std: Any = ..., seed: Any = 0, dtype: Any = 'float32') -> Any:
    """Normal numbers of that mean and standard deviation, of a shape."""
def gaussian_random_batch_size_like(input: Any, shape: Any, input_dim_idx: Any = 0, output_dim_idx: Any = 0, mean: Any = ..., std: Any = ..., seed: Any = 0, dtype: Any = 'float32') -> Any:
    """Normal numbers of that mean and standard deviation, of a shape."""
def gelu(x: Any, approximate: Any = False) -> Any:
    """x times the share of a normal distribution that lies below x."""
def greater_equal(x: Any, y: Any, cond: Any = None) -> Any:
    """True where x >= y; False where either is nan."""
def greater_than(x: Any, y: Any, cond: Any = None) -> Any:
    """True where x > y; False where either is nan."""
def grid_sampler(x: Any, grid: Any, name: Any = None) -> Any:
    """Images read at the points of a grid."""
def group_norm(input: Any, groups: Any, epsilon: Any = ..., param_attr: Any = None, bias_attr: Any = None, act: Any = None, data_layout: Any = 'NCHW', name: Any = None) -> Any:
    """act(weight (input - mean) / sqrt(variance + epsilon) + bias), over groups of channels."""
def gru_unit(input: Any, hidden: Any, size: Any, param_attr: Any = None, bias_attr: Any = None, activation: Any = 'tanh', gate_activation: Any = 'sigmoid', origin_mode: Any = False) -> Any:
    """One step of a GRU"""
def hard_shrink(x: Any, threshold: Any = None) -> Any:
    """x where |x| >= threshold, 0 elsewhere."""
def hard_sigmoid(x: Any, slope: Any = ..., offset: Any = ..., name: Any = None) -> Any:
    """slope * x + offset brought into [0, 1]: a sigmoid of straight lines."""
def hard_swish(x: Any, threshold: Any = ..., scale: Any = ..., offset: Any = ..., name: Any = None) -> Any:
    """x * relu6(x + 3) / 6"""
def has_inf(x: Any) -> Any:
    """True where any element is, of shape [1]."""
def has_nan(x: Any) -> Any:
    """True where any element is, of shape [1]."""
def huber_loss(input: Any, label: Any, delta: Any) -> Any:
    """Half the squared difference up to delta, linear beyond: under `smooth_l1_loss`."""
def image_resize(input: Any, out_shape: Any = None, scale: Any = None, name: Any = None, resample: Any = 'BILINEAR', actual_shape: Any = None, align_corners: Any = True, align_mode: Any = 1, data_format: Any = 'NCHW') -> Any:
    """x in the sizes of out_shape, or `scale` times as large, rounded down."""
def image_resize_short(input: Any, out_short_len: Any, resample: Any = 'BILINEAR') -> Any:
    """x, [N,C,H,W], in its own proportions, with the shorter of its sides as long as that."""
def increment(x: Any, value: Any = ..., in_place: Any = True) -> Any:
    """x + value, for one element; x itself changes if `in_place`."""
def index_sample(x: Any, index: Any) -> Any:
    """For each row of x, [n,m], the elements at the positions in that row of index, [n,k]."""
def index_select(input: Any, index: Any, dim: Any = 0) -> Any:
    """The slices of x at the positions `index`, [k], along an axis; the axis may come first."""
def instance_norm(input: Any, epsilon: Any = ..., param_attr: Any = None, bias_attr: Any = None, name: Any = None) -> Any:
    """weight (input - mean) / sqrt(variance + epsilon) + bias, for each channel of each example."""
def interpolate(input: Any, out_shape: Any = None, scale: Any = None, name: Any = None, resample: Any = 'BILINEAR', actual_shape: Any = None, align_corners: Any = True, align_mode: Any = 1, data_format: Any = 'NCHW') -> Any:
    """x in the sizes of out_shape, or `scale` times as large, rounded down."""
def inverse_time_decay(learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: builtins.bool = False) -> Any:
    """learning_rate / (1 + decay_rate * runs / decay_steps), in whole steps for `staircase`."""
def iou_similarity(x: Any, y: Any, box_normalized: Any = True, name: Any = None) -> Any:
    """|both| / |either| of boxes (left, top, right, bottom)"""
def is_empty(x: Any, cond: Any = None) -> Any:
    """True if x has no elements."""
def isfinite(x: Any) -> Any:
    """True where all elements are, of shape [1]."""
def kldiv_loss(x: Any, target: Any, reduction: Any = 'mean', name: Any = None) -> Any:
    """The Kullback-Leibler divergence of two distributions: label (log(label) - input)."""
def l2_normalize(x: Any, axis: Any, epsilon: Any = ..., name: Any = None) -> Any:
    """x / sqrt(sum(x * x) + epsilon), along `axis`."""
def label_smooth(label: Any, prior_dist: Any = None, epsilon: Any = ..., dtype: Any = 'float32', name: Any = None) -> Any:
    """(1 - epsilon) label + epsilon prior, where the prior is 1/C unless it is given."""
def layer_norm(input: Any, scale: Any = True, shift: Any = True, begin_norm_axis: Any = 1, epsilon: Any = ..., param_attr: Any = None, bias_attr: Any = None, act: Any = None, name: Any = None) -> Any:
    """act(weight (input - mean) / sqrt(variance + epsilon) + bias), over axes from begin_norm_axis."""
def leaky_relu(x: Any, alpha: Any = ..., name: Any = None) -> Any:
    """x where x >= 0, negative_slope * x elsewhere; with slope 1 at 0."""
def less_equal(x: Any, y: Any, cond: Any = None) -> Any:
    """True where x <= y; False where either is nan."""
def less_than(x: Any, y: Any, force_cpu: Any = None, cond: Any = None) -> Any:
    """True where x < y; False where either is nan."""
def linear_lr_warmup(learning_rate: Any, warmup_steps: Any, start_lr: Any, end_lr: Any) -> twinoar.Tensor:
    """From start_lr to end_lr in warmup_steps, then `learning_rate`, a number or schedule."""
def linspace(start: Any, stop: Any, num: Any, dtype: Any) -> Any:
    """`num` numbers at equal distances from start to stop, both included."""
def log(x: Any, name: Any = None) -> Any:
    """The natural logarithm: -inf at 0, nan below."""
def log1p(x: Any, out: Any = None, name: Any = None) -> Any:
    """log(1 + x), accurate near 0."""
def log_loss(input: Any, label: Any, epsilon: Any = ..., name: Any = None) -> Any:
    """-label log(input + epsilon) - (1 - label) log(1 - input + epsilon), element by element."""
def log_softmax(input: Any, axis: Any = None, dtype: Any = None, name: Any = None) -> Any:
    """log(softmax(x)) along `axis`, the last by default."""
def logical_and(x: Any, y: Any, out: Any = None, name: Any = None) -> Any:
    """True where both x and y are true; a number other than 0 is true."""
def logical_not(x: Any, out: Any = None, name: Any = None) -> Any:
    """True where x is false; a number other than 0 is true."""
def logical_or(x: Any, y: Any, out: Any = None, name: Any = None) -> Any:
    """True where x or y is true, or both; a number other than 0 is true."""
def logical_xor(x: Any, y: Any, out: Any = None, name: Any = None) -> Any:
    """True where one of x and y is true and the other is not; a number other than 0 is true."""
def logsigmoid(x: Any, name: Any = None) -> Any:
    """log(sigmoid(x)), accurate where the sigmoid is tiny."""
def logsumexp(x: Any, dim: Any = None, keepdim: Any = False, out: Any = None, name: Any = None) -> Any:
    """log(sum(exp(x))) over `axis`, of all for None, without overflow; -inf for no elements."""
def lrn(input: Any, n: Any = 5, k: Any = ..., alpha: Any = ..., beta: Any = ..., name: Any = None, data_format: Any = 'NCHW') -> Any:
    """x / (k + alpha m)^beta, where m is the mean square of `size` channels around each."""
def lstm_unit(x_t: Any, hidden_t_prev: Any, cell_t_prev: Any, forget_bias: Any = ..., param_attr: Any = None, bias_attr: Any = None, name: Any = None) -> Any:
    """One step of an LSTM"""
def margin_rank_loss(label: Any, left: Any, right: Any, margin: Any = ..., name: Any = None) -> Any:
    """max(0, margin - label * (left - right))."""
def matmul(x: Any, y: Any, transpose_x: Any = False, transpose_y: Any = False, alpha: Any = ..., name: Any = None) -> Any:
    """alpha * x y, matrices or batches of them; a vector is no matrix to transpose."""
def maxout(x: Any, groups: Any, name: Any = None, axis: Any = 1) -> Any:
    """The maximum of each `groups` channels that follow each other; the first has the gradient."""
def mean(x: Any, name: Any = None) -> Any:
    """The mean of all elements, of shape [1]."""
def mean_iou(input: Any, label: Any, num_classes: Any) -> Any:
    """The mean of |both| / |either| over the classes that occur, and how many are wrong and right."""
def meshgrid(input: Any, name: Any = None) -> Any:
    """The coordinates of a grid: result i holds the numbers of vector i along axis i."""
def mish(x: Any, threshold: Any = 20, name: Any = None) -> Any:
    """x * tanh(log(1 + exp(x)))"""
def mse_loss(input: Any, label: Any) -> Any:
    """The mean of all elements, of shape [1]."""
def mul(x: Any, y: Any, x_num_col_dims: Any = 1, y_num_col_dims: Any = 1, name: Any = None) -> Any:
    """The product of two tensors flattened to matrices, as a fully connected layer takes it."""
def multiplex(inputs: Any, index: Any) -> Any:
    """Row i of the tensor whose number stands in row i of `index`."""
def natural_exp_decay(learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: builtins.bool = False) -> Any:
    """learning_rate * exp(-decay_rate * runs / decay_steps), in whole steps for `staircase`."""
def nce(input: Any, label: Any, num_total_classes: Any, sample_weight: Any = None, param_attr: Any = None, bias_attr: Any = None, num_neg_samples: Any = None, name: Any = None, sampler: Any = 'uniform', custom_dist: Any = None, seed: Any = 0, is_sparse: Any = False) -> Any:
    """Noise-contrastive estimation: each class is told from classes that are drawn."""
def noam_decay(d_model: Any, warmup_steps: Any, learning_rate: Any = ...) -> Any:
    """learning_rate * d_model**-0.5 * min(runs**-0.5, runs * warmup_steps**-1.5), from run 1."""
def nonzero(input: Any, as_tuple: Any = False) -> Any:
    """The coordinates of the elements of x that are not 0, in order."""
def not_equal(x: Any, y: Any, cond: Any = None) -> Any:
    """True where x != y; nan differs from everything."""
def npair_loss(anchor: Any, positive: Any, labels: Any, l2_reg: Any = ...) -> Any:
    """The cross entropy of which positives have the label of each anchor, and a price of lengths."""
def one_hot(input: Any, depth: Any, allow_out_of_range: Any = False) -> Any:
    """One-hot rows, [*,depth], of numbers [*,1]; zeros for a number out of range, if allowed."""
def ones(shape: Any, dtype: Any, force_cpu: Any = False) -> Any:
    """Ones of a shape; dtype: the default floating type where it is None."""
def ones_like(x: Any, out: Any = None) -> Any:
    """Ones of the shape of x, and of its dtype where `dtype` is None."""
def pad(x: Any, paddings: Any, pad_value: Any = ..., name: Any = None) -> Any:
    """x with borders."""
def pad2d(input: Any, paddings: Any = ..., mode: Any = 'constant', pad_value: Any = ..., data_format: Any = 'NCHW', name: Any = None) -> Any:
    """An image with rows and columns around it"""
def pad_constant_like(x: Any, y: Any, pad_value: Any = ..., name: Any = None) -> Any:
    """y, with `pad_value` behind it in each dimension, in the shape of x."""
def piecewise_decay(boundaries: collections.abc.Sequence[Any], values: collections.abc.Sequence[Any]) -> Any:
    """values[i] in the runs before boundaries[i], the last value after them."""
def pixel_shuffle(x: Any, upscale_factor: Any) -> Any:
    """Each group of r^2 channels becomes a channel of images r times as large."""
def polynomial_decay(learning_rate: Any, decay_steps: Any, end_learning_rate: Any = ..., power: Any = ..., cycle: builtins.bool = False) -> Any:
    """From learning_rate to end_learning_rate in decay_steps; `cycle` rises again, less steeply."""
def pool2d(input: Any, pool_size: Any = -1, pool_type: Any = 'max', pool_stride: Any = 1, pool_padding: Any = 0, global_pooling: Any = False, use_cudnn: Any = True, ceil_mode: Any = False, name: Any = None, exclusive: Any = True, data_format: Any = 'NCHW') -> Any:
    """The maximum or mean of windows of images; of all pixels for `whole`."""
def pool3d(input: Any, pool_size: Any = -1, pool_type: Any = 'max', pool_stride: Any = 1, pool_padding: Any = 0, global_pooling: Any = False, use_cudnn: Any = True, ceil_mode: Any = False, name: Any = None, exclusive: Any = True, data_format: Any = 'NCDHW') -> Any:
    """The maximum or mean of windows of images; of all pixels for `whole`."""
def pow(x: Any, factor: Any = ..., name: Any = None) -> Any:
    """x to the power of y."""
def prelu(x: Any, mode: Any, param_attr: Any = None, name: Any = None) -> Any:
    """x where x > 0, alpha x elsewhere, with an alpha that is learned."""
def py_func(func: Any, x: Any, out: Any, backward_func: Any = None, skip_vars_in_backward_input: Any = None) -> Any:
    """Call `func` on `x` as ndarrays: now in eager mode, in a Program whenever it runs."""
def range(start: Any, end: Any, step: Any, dtype: Any) -> Any:
    """Numbers from `start` on, less than `end`; tensors of shape [1] count as numbers."""
def rank(input: Any) -> Any:
    """The number of dimensions as a tensor, [], int32."""
def rank_loss(label: Any, left: Any, right: Any, name: Any = None) -> Any:
    """The cross entropy of sigmoid(left - right) and label: RankNet's loss."""
def reciprocal(x: Any, name: Any = None) -> Any:
    """1 / x."""
def reduce_all(input: Any, dim: Any = None, keep_dim: Any = False, name: Any = None) -> Any:
    """The reduction of x over `dim`; over all it is [1], by one operator."""
def reduce_any(input: Any, dim: Any = None, keep_dim: Any = False, name: Any = None) -> Any:
    """The reduction of x over `dim`; over all it is [1], by one operator."""
def reduce_max(input: Any, dim: Any = None, keep_dim: Any = False, name: Any = None) -> Any:
    """The reduction of x over `dim`; over all it is [1], by one operator."""
def reduce_mean(input: Any, dim: Any = None, keep_dim: Any = False, name: Any = None) -> Any:
    """The reduction of x over `dim`; over all it is [1], by one operator."""
def reduce_min(input: Any, dim: Any = None, keep_dim: Any = False, name: Any = None) -> Any:
    """The reduction of x over `dim`; over all it is [1], by one operator."""
def reduce_prod(input: Any, dim: Any = None, keep_dim: Any = False, name: Any = None) -> Any:
    """The reduction of x over `dim`; over all it is [1], by one operator."""
def reduce_sum(input: Any, dim: Any = None, keep_dim: Any = False, name: Any = None) -> Any:
    """The reduction of x over `dim`; over all it is [1], by one operator."""
def relu(x: Any, name: Any = None) -> Any:
    """max(x, 0), with slope 0 at 0; nan stays."""
def relu6(x: Any, threshold: Any = ..., name: Any = None) -> Any:
    """min(max(x, 0), 6), with slope 0 at 0 and 6."""
def reshape(x: Any, shape: Any, actual_shape: Any = None, act: Any = None, inplace: Any = False, name: Any = None) -> Any:
    """The elements of x, in order, under another shape."""
def resize_bilinear(input: Any, out_shape: Any = None, scale: Any = None, name: Any = None, actual_shape: Any = None, align_corners: Any = True, align_mode: Any = 1, data_format: Any = 'NCHW') -> Any:
    """x in the sizes of out_shape, or `scale` times as large, rounded down."""
def resize_nearest(input: Any, out_shape: Any = None, scale: Any = None, name: Any = None, actual_shape: Any = None, align_corners: Any = True, data_format: Any = 'NCHW') -> Any:
    """x in the sizes of out_shape, or `scale` times as large, rounded down."""
def resize_trilinear(input: Any, out_shape: Any = None, scale: Any = None, name: Any = None, actual_shape: Any = None, align_corners: Any = True, align_mode: Any = 1, data_format: Any = 'NCDHW') -> Any:
    """x in the sizes of out_shape, or `scale` times as large, rounded down."""
def reverse(x: Any, axis: Any) -> Any:
    """x backwards along one or several axes"""
def rnn(cell: twinoar.fluid.layers.RNNCell, inputs: Any, initial_states: Any = None, sequence_length: Any = None, time_major: builtins.bool = False, is_reverse: builtins.bool = False, **kwargs: Any) -> builtins.tuple[Any, Any]:
    """A cell for each step of a sequence: its outputs, and the last states."""
def roll(input: Any, shifts: Any, dims: Any = None) -> Any:
    """x moved by `shifts` along `axis`; what leaves at the end comes in at the start."""
def round(x: Any, name: Any = None) -> Any:
    """The nearest whole number; of two, the one farther from 0."""
def row_conv(input: Any, future_context_size: Any, param_attr: Any = None, act: Any = None) -> Any:
    """act(sum over w of input[:, t + w] filter[w]): each step sees so many steps that follow it."""
def rsqrt(x: Any, name: Any = None) -> Any:
    """1 / sqrt(x): inf at 0, nan below."""
def sampling_id(x: Any, min: Any = ..., max: Any = ..., seed: Any = 0, dtype: Any = 'float32') -> Any:
    """The number of a column for each row, with the probabilities of the row, [N], int64."""
def scale(x: Any, scale: Any = ..., bias: Any = ..., bias_after_scale: Any = True, act: Any = None, name: Any = None) -> Any:
    """scale * x + bias, or scale * (x + bias) without `bias_after_scale`; `act` is applied to that."""
def scatter(input: Any, index: Any, updates: Any, name: Any = None, overwrite: Any = True) -> Any:
    """x with its rows at the positions `index` replaced by those of `updates`."""
def scatter_nd(index: Any, updates: Any, shape: Any, name: Any = None) -> Any:
    """x with slices added at coordinates, each time a coordinate occurs."""
def scatter_nd_add(ref: Any, index: Any, updates: Any, name: Any = None) -> Any:
    """x with slices added at coordinates, each time a coordinate occurs."""
def selu(x: Any, scale: Any = None, alpha: Any = None, name: Any = None) -> Any:
    """scale * x where x > 0, scale * alpha * (exp(x) - 1) elsewhere."""
def sequence_concat(input: collections.abc.Sequence[Any], name: builtins.str | None = None, lengths: Any = None) -> Any:
    """Sequences one after the other: first those of input[0], then of input[1], ..."""
def sequence_conv(input: Any, num_filters: Any, filter_size: Any = 3, filter_stride: Any = 1, padding: builtins.bool = True, padding_start: Any = None, bias_attr: Any = None, param_attr: Any = None, act: builtins.str | None = None, name: builtins.str | None = None, lengths: Any = None) -> Any:
    """act(W [x[t + s], ..., x[t + s + filter_size - 1]] + b), where s is padding_start."""
def sequence_enumerate(input: Any, win_size: Any, pad_value: Any = 0, name: builtins.str | None = None, lengths: Any = None) -> twinoar.Tensor:
    """For each step the win_size numbers from it on, with pad_value after the end."""
def sequence_expand(x: Any, y: Any, ref_level: Any = -1, name: builtins.str | None = None, lengths: Any = None) -> twinoar.Tensor:
    """Each example of x as often as the sequence of y beside it has steps."""
def sequence_expand_as(x: Any, y: Any, name: builtins.str | None = None, lengths: Any = None) -> Any:
    """Each example of x as every step of the sequence of y beside it."""
def sequence_first_step(input: Any, lengths: Any = None) -> Any:
    """The first step of each sequence, zeros where it has none: `sequence_pool` by 'first'."""
def sequence_last_step(input: Any, lengths: Any = None) -> Any:
    """The last step of each sequence, zeros where it has none: `sequence_pool` by 'last'."""
def sequence_mask(x: Any, maxlen: Any = None, dtype: Any = 'int64', name: Any = None) -> Any:
    """1 at the positions before each length, 0 from there on."""
def sequence_pad(x: Any, pad_value: Any, maxlen: Any = None, name: builtins.str | None = None, lengths: Any = None) -> builtins.tuple[Any, Any]:
    """Sequences with pad_value after their ends, and `maxlen` steps in all."""
def sequence_pool(input: Any, pool_type: builtins.str, is_test: builtins.bool = False, pad_value: Any = ..., lengths: Any = None) -> Any:
    """One step from all steps of each sequence."""
def sequence_reshape(input: Any, new_dim: Any, lengths: Any = None) -> Any:
    """The numbers of each sequence, in order, as steps of width new_dim."""
def sequence_reverse(x: Any, name: builtins.str | None = None, lengths: Any = None) -> twinoar.Tensor:
    """The steps of each sequence in reverse order; what pads it stays behind."""
def sequence_scatter(input: Any, index: Any, updates: Any, name: builtins.str | None = None, lengths: Any = None) -> twinoar.Tensor:
    """input with updates added: out[i, index[i, t]] = input[i, index[i, t]] + updates[i, t]."""
def sequence_slice(input: Any, offset: Any, length: Any, name: builtins.str | None = None) -> Any:
    """length[i] steps of sequence i, from step offset[i] on."""
def sequence_softmax(input: Any, use_cudnn: builtins.bool = False, name: builtins.str | None = None, lengths: Any = None) -> Any:
    """softmax over the steps of each sequence."""
def sequence_unpad(x: Any, length: Any, name: builtins.str | None = None) -> Any:
    """Sequences without what pads them: zeros after the end of each."""
def shape(input: Any) -> Any:
    """The sizes of `input` as int32: what Paddle's files call shape."""
def shard_index(input: Any, index_num: Any, nshards: Any, shard_id: Any, ignore_value: Any = -1) -> Any:
    """Numbers as they are counted in their shard; `other` for those of other shards."""
def shuffle_channel(x: Any, group: Any, name: Any = None) -> Any:
    """The first channel of each group, then the second of each, and so on."""
def sigmoid(x: Any, name: Any = None) -> Any:
    """1 / (1 + exp(-x))."""
def sigmoid_cross_entropy_with_logits(x: Any, label: Any, ignore_index: Any = -100, name: Any = None, normalize: Any = False) -> Any:
    """The cross entropy of sigmoid(x) and label, 0 where the label is `ignore_index`."""
def sign(x: Any) -> Any:
    """-1, 0 or 1, by the sign of x; nan stays"""
def sin(x: Any, name: Any = None) -> Any:
    """The sine."""
def size(input: Any) -> Any:
    """The number of elements as a tensor, [], int64."""
def slice(input: Any, axes: Any, starts: Any, ends: Any) -> Any:
    """input[starts:ends] along `axes`."""
def smooth_l1(x: Any, y: Any, inside_weight: Any = None, outside_weight: Any = None, sigma: Any = None) -> Any:
    """The smooth L1 loss of each row, [N,1]: squares within 1 / sigma**2, else distances."""
def soft_relu(x: Any, threshold: Any = ..., name: Any = None) -> Any:
    """log(1 + exp(x)), of x brought into [-threshold, threshold]."""
def softmax(input: Any, use_cudnn: Any = False, name: Any = None, axis: Any = -1) -> Any:
    """exp(x) / sum(exp(x)) along `axis`: positive shares that sum to 1."""
def softmax_with_cross_entropy(logits: Any, label: Any, soft_label: Any = False, ignore_index: Any = -100, numeric_stable_mode: Any = True, return_softmax: Any = False, axis: Any = -1) -> Any:
    """The cross entropy of softmax(logits) and each label."""
def softplus(x: Any, name: Any = None) -> Any:
    """log(1 + exp(beta * x)) / beta, a smooth relu; x itself where beta * x > threshold."""
def softshrink(x: Any, alpha: Any = None) -> Any:
    """x moved towards 0 by the threshold, and 0 where it would pass 0."""
def softsign(x: Any, name: Any = None) -> Any:
    """x / (1 + |x|)."""
def space_to_depth(x: Any, blocksize: Any, name: Any = None) -> Any:
    """[N,C,H,W] as [N, C * b * b, H / b, W / b], in the order of 1.x."""
def spectral_norm(weight: Any, dim: Any = 0, power_iters: Any = 1, eps: Any = ..., name: Any = None) -> Any:
    """A weight divided by its greatest singular value, which is approached by power iteration."""
def split(input: Any, num_or_sections: Any, dim: Any = -1, name: Any = None) -> Any:
    """Parts of x along an axis: as many equal ones as the number says, or of the sizes listed, one of which may be -1."""
def sqrt(x: Any, name: Any = None) -> Any:
    """The square root; nan below 0."""
def square(x: Any, name: Any = None) -> Any:
    """x * x."""
def square_error_cost(input: Any, label: Any) -> Any:
    """The squared difference of input and label, element by element."""
def squeeze(input: Any, axes: Any, name: Any = None) -> Any:
    """x without axes of size 1: those in `axis`, or all"""
def stack(x: Any, axis: Any = 0) -> Any:
    """The tensors of x, all of one shape, joined along a new axis"""
def stanh(x: Any, scale_a: Any = ..., scale_b: Any = ..., name: Any = None) -> Any:
    """scale_b * tanh(scale_a * x)"""
def strided_slice(input: Any, axes: Any, starts: Any, ends: Any, strides: Any) -> Any:
    """x[starts:ends:strides] along `axes`"""
def sum(x: Any) -> Any:
    """The sum of several tensors, element by element."""
def sums(input: Any, out: Any = None) -> Any:
    """The sum of several tensors, element by element."""
def swish(x: Any, beta: Any = ..., name: Any = None) -> Any:
    """x * sigmoid(x), as `silu`"""
def switch_case(branch_index: Any, branch_fns: Any, default: Any = None, name: Any = None) -> Any:
    """What the function of number branch_index returns, else `default()`."""
def t(input: Any, name: Any = None) -> Any:
    """The transpose of a matrix; vectors and numbers stay as they are."""
def tanh(x: Any, name: Any = None) -> Any:
    """The hyperbolic tangent."""
def tanh_shrink(x: Any, name: Any = None) -> Any:
    """x - tanh(x)."""
def teacher_student_sigmoid_loss(input: Any, label: Any, soft_max_up_bound: Any = ..., soft_max_lower_bound: Any = ...) -> Any:
    """The loss of a student that hears a teacher's score in [0,1], and clicks beside it, [N,1]."""
def temporal_shift(x: Any, seg_num: Any, shift_ratio: Any = ..., name: Any = None) -> Any:
    """The first channels of each frame from the frame before, the next from the frame after."""
def tensor_array_to_tensor(input: Any, axis: Any = 1, name: Any = None, use_stack: Any = False) -> Any:
    """The items along `axis`, as a new dimension if `use_stack`, and the size of each along it."""
def thresholded_relu(x: Any, threshold: Any = None) -> Any:
    """x where x > threshold, `value` elsewhere; nan stays."""
def topk(input: Any, k: Any, name: Any = None) -> Any:
    """The k largest elements along `axis`, the last by default, and where they are."""
def transpose(x: Any, perm: Any, name: Any = None) -> Any:
    """x with its axes reordered: axis i of the result is axis perm[i] of x."""
def tril(input: Any, diagonal: Any = 0, name: Any = None) -> Any:
    """The lower triangles of matrices, [..., rows, columns]; what lies above `diagonal` becomes 0."""
def triu(input: Any, diagonal: Any = 0, name: Any = None) -> Any:
    """The upper triangles of matrices, [..., rows, columns]; what lies below `diagonal` becomes 0."""
def unfold(x: Any, kernel_sizes: Any, strides: Any = 1, paddings: Any = 0, dilations: Any = 1, name: Any = None) -> Any:
    """The windows of images as columns."""
def uniform_random(shape: Any, dtype: Any = 'float32', min: Any = ..., max: Any = ..., seed: Any = 0) -> Any:
    """Uniform numbers in [min, max)."""
def uniform_random_batch_size_like(input: Any, shape: Any, dtype: Any = 'float32', input_dim_idx: Any = 0, output_dim_idx: Any = 0, min: Any = ..., max: Any = ..., seed: Any = 0) -> Any:
    """Uniform numbers in [min, max)."""
def unique(x: Any, dtype: Any = 'int32') -> Any:
    """The distinct elements in order of first appearance, where each element's is, how many."""
def unique_with_counts(x: Any, dtype: Any = 'int32') -> Any:
    """The distinct elements in order of first appearance, where each element's is, how many."""
def unsqueeze(input: Any, axes: Any, name: Any = None) -> Any:
    """x with new axes of size 1, inserted one after the other at the places `axis`."""
def unstack(x: Any, axis: Any = 0, num: Any = None) -> Any:
    """As `unbind`, but copies"""
def where(condition: Any) -> Any:
    """The coordinates of the elements of x that are not 0, in order."""
def while_loop(cond: Any, body: Any, loop_vars: Any, is_test: Any = False, name: Any = None) -> Any:
    """Run `body(*loop_vars)` while `cond(*loop_vars)` holds; returns the last loop variables."""
def zeros(shape: Any, dtype: Any, force_cpu: Any = False) -> Any:
    """Zeros of a shape; dtype: the default floating type where it is None."""
def zeros_like(x: Any, out: Any = None) -> Any:
    """Zeros of the shape of x, and of its dtype where `dtype` is None."""
