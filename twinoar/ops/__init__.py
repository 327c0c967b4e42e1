"""Every operator, one family a file; importing this package loads those that tensors have.

The others are loaded, and their rules checked, when a program imports their modules or asks the
registry for all, or for a name that is not there yet.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterable

from twinoar.core.op.definition import check_complete
from twinoar.runtime.garbage import uncollected

# Infinity and nan are results like any other. A filter costs nothing where none comes up, and
# `np.errstate` around each kernel would; NumPy's warnings about users' own arithmetic stay.
warnings.filterwarnings("ignore", r".* encountered in ", RuntimeWarning, r"twinoar\.")

# The functions of tensors, by the module of `twinoar.ops` that has each.
FAMILIES = {
    "activation.smooth": """
        stanh""",
    "conv.conv": """
        conv1d conv2d conv3d""",
    "create.fill": """
        assign clone empty empty_like full full_like increment ones ones_like rank zeros
        zeros_like""",
    "create.range": """
        arange linspace logspace""",
    "create.window_function": """
        bartlett_window blackman_window hamming_window hann_window kaiser_window""",
    "index.along_axis": """
        index_sample put_along_axis take_along_axis""",
    "index.combinations": """
        cartesian_prod combinations""",
    "index.cumulative_extreme": """
        cummax cummin logcumsumexp""",
    "index.diagonal": """
        block_diag diag diag_embed diagflat diagonal eye trace tril tril_indices triu
        triu_indices""",
    "index.gather": """
        gather index_add index_select scatter""",
    "index.gather_nd": """
        gather_nd index_put scatter_nd_add""",
    "index.mask": """
        masked_fill masked_select nonzero where""",
    "index.order_statistic": """
        kthvalue""",
    "index.quantile": """
        median nanmedian nanquantile quantile""",
    "index.repeat": """
        repeat_interleave""",
    "index.scatter": """
        diagonal_scatter index_fill masked_scatter scatter_add scatter_nd scatter_reduce
        select_scatter slice_scatter""",
    "index.sort": """
        argsort mode msort sort topk""",
    "index.strided": """
        as_strided unfold""",
    "index.take": """
        argwhere multiplex shard_index take take_along_dim tolist""",
    "index.unique": """
        bincount bucketize isin searchsorted unique unique_consecutive""",
    "linalg.einsum": """
        einsum tensordot""",
    "linalg.matmul": """
        addmm bmm dot inner matmul mm mv outer""",
    "linalg.product": """
        cross kron vander vecdot""",
    "linalg.vector_norm": """
        cdist dist norm pdist renorm""",
    "math.affine": """
        add_n lerp neg negative positive scale""",
    "math.arithmetic": """
        add div divide floor_divide floor_mod mod multiply pow remainder sub subtract""",
    "math.cast": """
        cast""",
    "math.compare": """
        allclose equal equal_all greater_equal greater_than is_empty isclose isfinite isinf
        isnan less_equal less_than not_equal""",
    "math.complex_number": """
        angle as_complex as_real complex conj imag isreal polar real sgn view_as_complex
        view_as_real""",
    "math.error_function": """
        erf erfinv""",
    "math.exponential": """
        exp expm1 log log10 log1p log2""",
    "math.floating": """
        copysign frac frexp heaviside hypot isneginf isposinf ldexp logaddexp nan_to_num
        nextafter signbit""",
    "math.gamma": """
        digamma gammaln lgamma polygamma""",
    "math.integer": """
        bitwise_left_shift bitwise_right_shift gcd lcm""",
    "math.logical": """
        bitwise_and bitwise_not bitwise_or bitwise_xor logical_and logical_not logical_or
        logical_xor""",
    "math.root": """
        reciprocal rsqrt sqrt square""",
    "math.rounding": """
        ceil floor round trunc""",
    "math.select": """
        clamp clip fmax fmin maximum minimum""",
    "math.sign": """
        abs sign""",
    "math.special": """
        gammainc gammaincc i0 i0e i1 i1e logit multigammaln sinc""",
    "math.trigonometry": """
        acos acosh asin asinh atan atan2 atanh cos cosh deg2rad rad2deg sin sinh tan tanh""",
    "norm.group_norm": """
        group_norm""",
    "norm.layer_norm": """
        layer_norm""",
    "pool.adaptive": """
        adaptive_avg_pool1d""",
    "random.categorical": """
        bernoulli multinomial""",
    "random.gamma": """
        binomial poisson standard_gamma""",
    "random.in_place": """
        bernoulli_ cauchy_ geometric_ log_normal log_normal_ rand_like randn_like""",
    "random.integers": """
        randint randint_like randperm""",
    "random.uniform": """
        Generator get_rng_state normal normal_ rand randn set_rng_state standard_normal uniform""",
    "reduce.cumulative_sum": """
        cumprod cumsum""",
    "reduce.difference": """
        cumulative_trapezoid diff trapezoid""",
    "reduce.extreme": """
        amax amin argmax argmin max min""",
    "reduce.histogram": """
        histogram histogram_bin_edges histogramdd""",
    "reduce.reduction": """
        all any logsumexp mean prod reduce_as sum""",
    "reduce.statistics": """
        count_nonzero nanmean nansum std var""",
    "shape.concat": """
        broadcast_tensors cat chunk concat meshgrid split stack unbind unstack""",
    "shape.expand": """
        broadcast_shape broadcast_shapes broadcast_to expand expand_as tile""",
    "shape.reorder": """
        crop matrix_transpose narrow permute ravel reverse rot90 unflatten""",
    "shape.reshape": """
        flatten moveaxis reshape squeeze swapaxes t transpose unsqueeze view view_as""",
    "shape.roll": """
        flip roll""",
    "shape.size": """
        numel shape""",
    "shape.slice": """
        slice strided_slice""",
    "shape.stack": """
        atleast_1d atleast_2d atleast_3d column_stack concatenate dsplit dstack hsplit hstack
        row_stack tensor_split vsplit vstack""",
    "spelling": """
        baddbmm bitwise_invert eq ge ger greater gt le less lt mul ne range softmax swapdims
        true_divide where_""",
}
# Besides: what declares methods of tensors, for each of which there is no function of its name.
WITH_METHODS = "activation.rectifier", "index.getitem", "methods", "shape.pad"
# What a file that somebody serves most likely names, when it names what is not loaded.
IN_NETWORKS = (
    "conv.operator",
    "norm.batch_norm",
    "pool.average",
    "pool.maximum",
    "random.dropout",
    "sequence.embedding",
)


def _load(modules: Iterable[str]) -> None:
    """Load modules of operators by their names in this package."""
    with uncollected():  # or a sixth of `import twinoar` is a search for garbage
        for module in modules:
            importlib.import_module(f"{__name__}.{module}")


def load_networks() -> None:
    """Load what most networks are made of."""
    _load(IN_NETWORKS)


def load_all() -> None:
    """Load every module of operators, and check the rules of all."""
    import pkgutil  # which takes longer than a module of operators

    found = pkgutil.walk_packages(__path__, f"{__name__}.")
    _load(module.name.removeprefix(f"{__name__}.") for module in found)
    check_complete()


_load((*FAMILIES, *WITH_METHODS))
