"""Automatic sparsity: weights of which n of m neighbors are 0, as some accelerators want them."""

from twinoar.core.public import exported
from twinoar.incubate.asp.masks import (
    CheckMethod,
    MaskAlgo,
    calculate_density,
    check_mask_1d,
    check_mask_2d,
    check_sparsity,
    create_mask,
    get_mask_1d,
    get_mask_2d_best,
    get_mask_2d_greedy,
)
from twinoar.incubate.asp.pruning import (
    OptimizerWithSparsityGuarantee,
    add_supported_layer,
    decorate,
    prune_model,
    reset_excluded_layers,
    set_excluded_layers,
)

__all__ = exported(globals())
