"""The functions of tensors by the place where Paddle has them too: `paddle.tensor.concat`."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar import abs as abs
from twinoar import abs_ as abs_
from twinoar import acos as acos
from twinoar import acos_ as acos_
from twinoar import acosh as acosh
from twinoar import acosh_ as acosh_
from twinoar import adaptive_avg_pool1d as adaptive_avg_pool1d
from twinoar import add as add
from twinoar import add_ as add_
from twinoar import add_n as add_n
from twinoar import addmm as addmm
from twinoar import addmm_ as addmm_
from twinoar import all as all
from twinoar import allclose as allclose
from twinoar import amax as amax
from twinoar import amin as amin
from twinoar import angle as angle
from twinoar import any as any
def apply_(x: twinoar._TensorLike, function: collections.abc.Callable[[twinoar.Tensor], twinoar.Tensor]) -> twinoar.Tensor:
    """In-place `apply`: x takes the result, and is returned."""
from twinoar import arange as arange
from twinoar import argmax as argmax
from twinoar import argmin as argmin
from twinoar import argsort as argsort
from twinoar import argwhere as argwhere
from twinoar import as_complex as as_complex
from twinoar import as_real as as_real
from twinoar import as_strided as as_strided
from twinoar import as_tensor as as_tensor
from twinoar import asarray as asarray
from twinoar import asin as asin
from twinoar import asin_ as asin_
from twinoar import asinh as asinh
from twinoar import asinh_ as asinh_
from twinoar import assign as assign
from twinoar import atan as atan
from twinoar import atan2 as atan2
from twinoar import atan_ as atan_
from twinoar import atanh as atanh
from twinoar import atanh_ as atanh_
from twinoar import atleast_1d as atleast_1d
from twinoar import atleast_2d as atleast_2d
from twinoar import atleast_3d as atleast_3d
from twinoar import baddbmm as baddbmm
from twinoar import baddbmm_ as baddbmm_
from twinoar import bartlett_window as bartlett_window
from twinoar import bernoulli as bernoulli
from twinoar import bernoulli_ as bernoulli_
from twinoar import bincount as bincount
from twinoar import binomial as binomial
from twinoar import bitwise_and as bitwise_and
from twinoar import bitwise_and_ as bitwise_and_
from twinoar import bitwise_invert as bitwise_invert
from twinoar import bitwise_invert_ as bitwise_invert_
from twinoar import bitwise_left_shift as bitwise_left_shift
from twinoar import bitwise_left_shift_ as bitwise_left_shift_
from twinoar import bitwise_invert as bitwise_not
from twinoar import bitwise_invert_ as bitwise_not_
from twinoar import bitwise_or as bitwise_or
from twinoar import bitwise_or_ as bitwise_or_
from twinoar import bitwise_right_shift as bitwise_right_shift
from twinoar import bitwise_right_shift_ as bitwise_right_shift_
from twinoar import bitwise_xor as bitwise_xor
from twinoar import bitwise_xor_ as bitwise_xor_
from twinoar import blackman_window as blackman_window
from twinoar import block_diag as block_diag
from twinoar import bmm as bmm
from twinoar import broadcast_shape as broadcast_shape
from twinoar import broadcast_shapes as broadcast_shapes
from twinoar import broadcast_tensors as broadcast_tensors
from twinoar import broadcast_to as broadcast_to
from twinoar import bucketize as bucketize
from twinoar import cartesian_prod as cartesian_prod
from twinoar import cast as cast
from twinoar import cast_ as cast_
from twinoar import cat as cat
from twinoar import cauchy_ as cauchy_
from twinoar import cdist as cdist
from twinoar import ceil as ceil
from twinoar import ceil_ as ceil_
from twinoar import check_shape as check_shape
from twinoar import cholesky as cholesky
from twinoar.linalg import cholesky_inverse as cholesky_inverse
from twinoar.linalg import cholesky_solve as cholesky_solve
from twinoar import chunk as chunk
from twinoar import clamp as clamp
from twinoar import clamp_ as clamp_
from twinoar import clip as clip
from twinoar import clip_ as clip_
from twinoar import clone as clone
from twinoar import column_stack as column_stack
from twinoar import combinations as combinations
from twinoar import complex as complex
from twinoar import cat as concat
from twinoar import concatenate as concatenate
from twinoar.linalg import cond as cond
from twinoar import conj as conj
from twinoar import conv1d as conv1d
from twinoar import conv2d as conv2d
from twinoar import conv3d as conv3d
from twinoar import copysign as copysign
from twinoar import copysign_ as copysign_
from twinoar.linalg import corrcoef as corrcoef
from twinoar import cos as cos
from twinoar import cos_ as cos_
from twinoar import cosh as cosh
from twinoar import cosh_ as cosh_
from twinoar import count_nonzero as count_nonzero
from twinoar.linalg import cov as cov
from twinoar import crop as crop
from twinoar import cross as cross
from twinoar import cummax as cummax
from twinoar import cummin as cummin
from twinoar import cumprod as cumprod
from twinoar import cumprod_ as cumprod_
from twinoar import cumsum as cumsum
from twinoar import cumsum_ as cumsum_
from twinoar import cumulative_trapezoid as cumulative_trapezoid
from twinoar import deg2rad as deg2rad
from twinoar.linalg import det as det
from twinoar import diag as diag
from twinoar import diag_embed as diag_embed
from twinoar import diagflat as diagflat
from twinoar import diagonal as diagonal
from twinoar import diagonal_scatter as diagonal_scatter
from twinoar import diff as diff
from twinoar import digamma as digamma
from twinoar import digamma_ as digamma_
from twinoar import disable_signal_handler as disable_signal_handler
from twinoar import dist as dist
from twinoar import div as div
from twinoar import div_ as div_
from twinoar import divide as divide
from twinoar import divide_ as divide_
from twinoar import dot as dot
from twinoar import dsplit as dsplit
from twinoar import dstack as dstack
from twinoar.linalg import eig as eig
from twinoar.linalg import eigh as eigh
from twinoar.linalg import eigvals as eigvals
from twinoar import eigvalsh as eigvalsh
from twinoar import einsum as einsum
def elu_(x: twinoar._TensorLike, alpha: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `elu`: x takes the result, and is returned."""
from twinoar import empty as empty
from twinoar import empty_like as empty_like
from twinoar import eq as eq
from twinoar import eq as equal
from twinoar import equal_ as equal_
from twinoar import equal_all as equal_all
from twinoar import erf as erf
from twinoar import erf_ as erf_
from twinoar import erfinv as erfinv
from twinoar import erfinv_ as erfinv_
from twinoar import exp as exp
from twinoar import exp_ as exp_
from twinoar import expand as expand
from twinoar import expand_as as expand_as
from twinoar import expm1 as expm1
from twinoar import expm1_ as expm1_
@overload
def exponential_(x: twinoar._TensorLike, lam: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """Fill x with exponential draws of rate `lam`, in place, and return x."""
@overload
def exponential_(*args: Any, x: Any = ..., lam: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., lambd: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import eye as eye
def fill_diagonal_(x: twinoar._TensorLike, value: Any, offset: Any = 0, wrap: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `fill_diagonal`: x takes the result, and is returned."""
def fill_diagonal_tensor_(x: twinoar._TensorLike, y: twinoar._TensorLike, offset: Any = 0, dim1: Any = 0, dim2: Any = 1, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `fill_diagonal_tensor`: x takes the result, and is returned."""
from twinoar import finfo as finfo
from twinoar import flatten as flatten
from twinoar import flatten_ as flatten_
from twinoar import flip as flip
from twinoar import floor as floor
from twinoar import floor_ as floor_
from twinoar import floor_divide as floor_divide
from twinoar import floor_divide_ as floor_divide_
from twinoar import floor_mod as floor_mod
from twinoar import floor_mod_ as floor_mod_
from twinoar import fmax as fmax
from twinoar import fmin as fmin
from twinoar import frac as frac
from twinoar import frac_ as frac_
from twinoar import frexp as frexp
from twinoar import from_numpy as from_numpy
from twinoar import full as full
from twinoar import full_like as full_like
from twinoar import gammainc as gammainc
from twinoar import gammainc_ as gammainc_
from twinoar import gammaincc as gammaincc
from twinoar import gammaincc_ as gammaincc_
from twinoar import gammaln as gammaln
from twinoar import gammaln_ as gammaln_
from twinoar import gather as gather
from twinoar import gather_nd as gather_nd
from twinoar import gcd as gcd
from twinoar import gcd_ as gcd_
from twinoar import ge as ge
from twinoar import geometric_ as geometric_
from twinoar import ger as ger
from twinoar import get_device as get_device
from twinoar import get_rng_state as get_rng_state
from twinoar import greater as greater
from twinoar import ge as greater_equal
from twinoar import greater_equal_ as greater_equal_
from twinoar import greater as greater_than
from twinoar import greater_than_ as greater_than_
from twinoar import group_norm as group_norm
from twinoar import greater as gt
from twinoar import hamming_window as hamming_window
from twinoar import hann_window as hann_window
def hardtanh_(x: twinoar._TensorLike, min: Any = ..., max: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `hardtanh`: x takes the result, and is returned."""
from twinoar import heaviside as heaviside
from twinoar import histogram as histogram
from twinoar import histogram_bin_edges as histogram_bin_edges
from twinoar import histogramdd as histogramdd
from twinoar.linalg import householder_product as householder_product
from twinoar import hsplit as hsplit
from twinoar import hstack as hstack
from twinoar import hypot as hypot
from twinoar import hypot_ as hypot_
from twinoar import i0 as i0
from twinoar import i0_ as i0_
from twinoar import i0e as i0e
from twinoar import i1 as i1
from twinoar import i1e as i1e
from twinoar import iinfo as iinfo
from twinoar import imag as imag
from twinoar import increment as increment
from twinoar import index_add as index_add
from twinoar import index_add_ as index_add_
from twinoar import index_fill as index_fill
from twinoar import index_fill_ as index_fill_
from twinoar import index_put as index_put
from twinoar import index_put_ as index_put_
from twinoar import index_sample as index_sample
from twinoar import index_select as index_select
from twinoar import inner as inner
from twinoar.linalg import inv as inv
@overload
def inverse(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of square matrices."""
@overload
def inverse(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import is_compiled_with_cuda as is_compiled_with_cuda
from twinoar import is_compiled_with_xpu as is_compiled_with_xpu
from twinoar import is_complex as is_complex
from twinoar import is_empty as is_empty
from twinoar import is_floating_point as is_floating_point
from twinoar import is_integer as is_integer
from twinoar import is_tensor as is_tensor
from twinoar import isclose as isclose
from twinoar import isfinite as isfinite
from twinoar import isin as isin
from twinoar import isinf as isinf
from twinoar import isnan as isnan
from twinoar import isneginf as isneginf
from twinoar import isposinf as isposinf
from twinoar import isreal as isreal
from twinoar.signal import istft as istft
from twinoar import kaiser_window as kaiser_window
from twinoar import kron as kron
from twinoar import kthvalue as kthvalue
from twinoar import layer_norm as layer_norm
from twinoar import lcm as lcm
from twinoar import lcm_ as lcm_
from twinoar import ldexp as ldexp
from twinoar import ldexp_ as ldexp_
from twinoar import le as le
def leaky_relu_(x: twinoar._TensorLike, negative_slope: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `leaky_relu`: x takes the result, and is returned."""
from twinoar import lerp as lerp
from twinoar import lerp_ as lerp_
from twinoar import less as less
from twinoar import less_ as less_
from twinoar import le as less_equal
from twinoar import less_equal_ as less_equal_
from twinoar import less as less_than
from twinoar import less_ as less_than_
from twinoar import lgamma as lgamma
from twinoar import lgamma_ as lgamma_
from twinoar import linspace as linspace
from twinoar import log as log
from twinoar import log10 as log10
from twinoar import log10_ as log10_
from twinoar import log1p as log1p
from twinoar import log1p_ as log1p_
from twinoar import log2 as log2
from twinoar import log2_ as log2_
from twinoar import log_ as log_
from twinoar import log_normal as log_normal
from twinoar import log_normal_ as log_normal_
from twinoar import logaddexp as logaddexp
from twinoar import logcumsumexp as logcumsumexp
from twinoar import logical_and as logical_and
from twinoar import logical_and_ as logical_and_
from twinoar import logical_not as logical_not
from twinoar import logical_not_ as logical_not_
from twinoar import logical_or as logical_or
from twinoar import logical_or_ as logical_or_
from twinoar import logical_xor as logical_xor
from twinoar import logical_xor_ as logical_xor_
from twinoar import logit as logit
from twinoar import logit_ as logit_
from twinoar import logspace as logspace
from twinoar import logsumexp as logsumexp
from twinoar.linalg import lstsq as lstsq
from twinoar import less as lt
from twinoar.linalg import lu as lu
from twinoar.linalg import lu_solve as lu_solve
from twinoar.linalg import lu_unpack as lu_unpack
from twinoar import manual_seed as manual_seed
from twinoar import masked_fill as masked_fill
from twinoar import masked_fill_ as masked_fill_
from twinoar import masked_scatter as masked_scatter
from twinoar import masked_scatter_ as masked_scatter_
from twinoar import masked_select as masked_select
from twinoar import matmul as matmul
from twinoar.linalg import matrix_exp as matrix_exp
from twinoar.linalg import matrix_norm as matrix_norm
from twinoar.linalg import matrix_power as matrix_power
from twinoar.linalg import matrix_rank as matrix_rank
from twinoar import matrix_transpose as matrix_transpose
from twinoar import max as max
from twinoar import maximum as maximum
from twinoar import mean as mean
from twinoar import median as median
from twinoar import meshgrid as meshgrid
from twinoar import min as min
from twinoar import minimum as minimum
from twinoar import mm as mm
from twinoar import floor_mod as mod
from twinoar import floor_mod_ as mod_
from twinoar import mode as mode
from twinoar import moveaxis as moveaxis
from twinoar import msort as msort
from twinoar import mul as mul
from twinoar import mul_ as mul_
from twinoar.linalg import multi_dot as multi_dot
from twinoar import multigammaln as multigammaln
from twinoar import multigammaln_ as multigammaln_
from twinoar import multinomial as multinomial
from twinoar import multiplex as multiplex
from twinoar import mul as multiply
from twinoar import mul_ as multiply_
from twinoar import mv as mv
from twinoar import nan_to_num as nan_to_num
from twinoar import nan_to_num_ as nan_to_num_
from twinoar import nanmean as nanmean
from twinoar import nanmedian as nanmedian
from twinoar import nanquantile as nanquantile
from twinoar import nansum as nansum
from twinoar import narrow as narrow
from twinoar import ne as ne
from twinoar import neg as neg
from twinoar import neg_ as neg_
from twinoar import negative as negative
from twinoar import nextafter as nextafter
from twinoar import nonzero as nonzero
from twinoar import norm as norm
from twinoar import normal as normal
from twinoar import normal_ as normal_
from twinoar import ne as not_equal
from twinoar import not_equal_ as not_equal_
from twinoar import numel as numel
from twinoar import ones as ones
from twinoar import ones_like as ones_like
from twinoar.linalg import ormqr as ormqr
from twinoar import ger as outer
from twinoar.linalg import pca_lowrank as pca_lowrank
from twinoar import pdist as pdist
from twinoar import permute as permute
from twinoar.linalg import pinv as pinv
from twinoar import poisson as poisson
from twinoar import polar as polar
from twinoar import polygamma as polygamma
from twinoar import polygamma_ as polygamma_
from twinoar import positive as positive
from twinoar import pow as pow
from twinoar import pow_ as pow_
from twinoar import prod as prod
from twinoar import put_along_axis as put_along_axis
from twinoar import put_along_axis_ as put_along_axis_
from twinoar.linalg import qr as qr
from twinoar import quantile as quantile
from twinoar import rad2deg as rad2deg
from twinoar import rand as rand
from twinoar import rand_like as rand_like
from twinoar import randint as randint
from twinoar import randint_like as randint_like
from twinoar import randn as randn
from twinoar import randn_like as randn_like
from twinoar import randperm as randperm
from twinoar import range as range
from twinoar import rank as rank
from twinoar import ravel as ravel
from twinoar import real as real
from twinoar import reciprocal as reciprocal
from twinoar import reciprocal_ as reciprocal_
from twinoar import reduce_as as reduce_as
def relu_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `relu`: x takes the result, and is returned."""
from twinoar import floor_mod as remainder
from twinoar import floor_mod_ as remainder_
from twinoar import renorm as renorm
from twinoar import renorm_ as renorm_
from twinoar import repeat_interleave as repeat_interleave
from twinoar import reshape as reshape
from twinoar import reshape_ as reshape_
@overload
def resize_(x: twinoar._TensorLike, shape: collections.abc.Sequence[Any], fill_zero: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """Let x have another shape, in place, and return it: its first elements, then zeros."""
@overload
def resize_(*args: Any, x: Any = ..., shape: Any = ..., fill_zero: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import reverse as reverse
from twinoar import roll as roll
from twinoar import rot90 as rot90
from twinoar import round as round
from twinoar import round_ as round_
from twinoar import row_stack as row_stack
from twinoar import rsqrt as rsqrt
from twinoar import rsqrt_ as rsqrt_
from twinoar import scale as scale
from twinoar import scale_ as scale_
from twinoar import scatter as scatter
from twinoar import scatter_ as scatter_
from twinoar import scatter_add as scatter_add
from twinoar import scatter_add_ as scatter_add_
from twinoar import scatter_nd as scatter_nd
from twinoar import scatter_nd_add as scatter_nd_add
from twinoar import scatter_reduce as scatter_reduce
from twinoar import searchsorted as searchsorted
from twinoar import manual_seed as seed
from twinoar import select_scatter as select_scatter
@overload
def set_(x: twinoar._TensorLike, source: twinoar._TensorLike | None = None, shape: collections.abc.Sequence[Any] | None = None, stride: collections.abc.Sequence[Any] | None = None, offset: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """Let x have the elements of `source`, in place, and return it; without one x is empty."""
@overload
def set_(*args: Any, x: Any = ..., source: Any = ..., shape: Any = ..., stride: Any = ..., offset: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., size: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import set_device as set_device
from twinoar import set_rng_state as set_rng_state
from twinoar import sgn as sgn
from twinoar import shape as shape
from twinoar import shard_index as shard_index
@overload
def sigmoid(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """1 / (1 + exp(-x))."""
@overload
def sigmoid(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
def sigmoid_(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `sigmoid`: x takes the result, and is returned."""
from twinoar import sign as sign
from twinoar import signbit as signbit
from twinoar import sin as sin
from twinoar import sin_ as sin_
from twinoar import sinc as sinc
from twinoar import sinc_ as sinc_
from twinoar import sinh as sinh
from twinoar import sinh_ as sinh_
from twinoar import slice as slice
from twinoar import slice_scatter as slice_scatter
from twinoar.linalg import slogdet as slogdet
from twinoar import softmax as softmax
from twinoar import softmax_ as softmax_
from twinoar.linalg import solve as solve
from twinoar import sort as sort
from twinoar import split as split
from twinoar import sqrt as sqrt
from twinoar import sqrt_ as sqrt_
from twinoar import square as square
from twinoar import square_ as square_
from twinoar import squeeze as squeeze
from twinoar import squeeze_ as squeeze_
from twinoar import stack as stack
from twinoar import standard_gamma as standard_gamma
from twinoar import standard_normal as standard_normal
from twinoar import stanh as stanh
from twinoar import std as std
from twinoar.signal import stft as stft
from twinoar import strided_slice as strided_slice
from twinoar import sub as sub
from twinoar import sub_ as sub_
from twinoar import subtract as subtract
from twinoar import subtract_ as subtract_
from twinoar import sum as sum
from twinoar.linalg import svd as svd
from twinoar.linalg import svd_lowrank as svd_lowrank
from twinoar.linalg import svdvals as svdvals
from twinoar import swapaxes as swapaxes
from twinoar import swapaxes as swapdims
from twinoar import t as t
from twinoar import t_ as t_
from twinoar import take as take
from twinoar import take_along_axis as take_along_axis
from twinoar import take_along_dim as take_along_dim
from twinoar import tan as tan
from twinoar import tan_ as tan_
from twinoar import tanh as tanh
from twinoar import tanh_ as tanh_
from twinoar import tensor_split as tensor_split
from twinoar import tensordot as tensordot
def thresholded_relu_(x: twinoar._TensorLike, threshold: Any = ..., value: Any = ..., name: builtins.str | None = None) -> twinoar.Tensor:
    """In-place `thresholded_relu`: x takes the result, and is returned."""
from twinoar import tile as tile
from twinoar import to_tensor as to_tensor
from twinoar import tolist as tolist
@overload
def top_p_sampling(x: twinoar._TensorLike, ps: twinoar._TensorLike, threshold: twinoar._TensorLike | None = None, topp_seed: twinoar._TensorLike | None = None, seed: Any = -1, k: Any = 0, mode: Literal['truncated', 'non-truncated'] = 'truncated', return_top: builtins.bool = False, name: builtins.str | None = None) -> Any:
    """One position of each row, drawn by its probability among the likeliest that make up ps."""
@overload
def top_p_sampling(*args: Any, x: Any = ..., ps: Any = ..., threshold: Any = ..., topp_seed: Any = ..., seed: Any = ..., k: Any = ..., mode: Any = ..., return_top: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., lambd: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> Any: ...
from twinoar import topk as topk
from twinoar import trace as trace
from twinoar import transpose as transpose
from twinoar import transpose_ as transpose_
from twinoar import trapezoid as trapezoid
from twinoar.linalg import triangular_solve as triangular_solve
from twinoar import tril as tril
from twinoar import tril_ as tril_
from twinoar import tril_indices as tril_indices
from twinoar import triu as triu
from twinoar import triu_ as triu_
from twinoar import triu_indices as triu_indices
from twinoar import true_divide as true_divide
from twinoar import trunc as trunc
from twinoar import trunc_ as trunc_
from twinoar import unbind as unbind
from twinoar import unflatten as unflatten
from twinoar import unfold as unfold
from twinoar import uniform as uniform
@overload
def uniform_(x: twinoar._TensorLike, min: Any = ..., max: Any = ..., seed: Any = 0, name: builtins.str | None = None) -> twinoar.Tensor:
    """Fill x with uniform numbers in [min, max), in place, and return x."""
@overload
def uniform_(*args: Any, x: Any = ..., min: Any = ..., max: Any = ..., seed: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., to: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import unique as unique
from twinoar import unique_consecutive as unique_consecutive
from twinoar import unsqueeze as unsqueeze
from twinoar import unsqueeze_ as unsqueeze_
from twinoar import unstack as unstack
from twinoar import vander as vander
from twinoar import var as var
from twinoar import vecdot as vecdot
from twinoar.linalg import vector_norm as vector_norm
from twinoar import view as view
from twinoar import view_as as view_as
from twinoar import view_as_complex as view_as_complex
from twinoar import view_as_real as view_as_real
from twinoar import vsplit as vsplit
from twinoar import vstack as vstack
from twinoar import where as where
from twinoar import where_ as where_
from twinoar import zeros as zeros
from twinoar import zeros_like as zeros_like
