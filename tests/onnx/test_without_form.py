"""Which operators cannot go out, and why: the list is whole, and none of it could."""

from __future__ import annotations

import numpy as np

from twinoar.core.op.definition import registry
from twinoar.errors import UnsupportedError
from twinoar.formats.onnx.write import write_model
from twinoar.testing.calls import build
from twinoar.testing.sample import samples_of

OPSET = 23
WITHOUT_FORM = {
    "what ranks say to each other": """
        all_gather_rows all_reduce_avg all_reduce_max all_reduce_min all_reduce_prod
        all_reduce_sum all_reduce_together all_to_all_rows barrier_before begin_means
        begin_parameter broadcast_from distributed_lookup_table distributed_push_sparse end_means
        enter_ranks join_parts join_rows listen_and_serv own_part own_rows receive_from
        receive_parameter send_barrier send_gradient reduce_scatter_rows root_gather
        root_reduce_avg root_reduce_max root_reduce_min root_reduce_prod root_reduce_sum
        root_scatter send_receive send_to sum_of_parts wait""",
    "gradients, of which a model that answers has none": """
        adaptive_avg_pool2d_grad adaptive_avg_pool3d_grad avg_pool2d_grad avg_pool3d_grad
        conv2d_grad_weight conv3d_grad_weight ctc_slope embedding_sum gamma_sensitivity
        max_pool2d_grad max_pool2d_select max_pool2d_with_position max_pool3d_grad max_pool3d_select
        max_pool3d_with_position rnnt_slope scatter_pixels spread_regions while_gradient
        while_second_gradient window_maxima""",
    "losses and measures": """
        accuracy auc class_center_sample classes_present ctc head_position rnnt""",
    "calls into Python": "assert print py_func",
    "draws": "binomial_random dropout_mask fractional_max_pool gamma_random poisson_random",
    "complex numbers, which a model of one operator takes or gives": """
        as_complex as_real complex fft_c2c fft_c2r fft_r2c imag real""",
    "decompositions of matrices": """
        cholesky eig eigh inverse least_squares lu matrix_exp qr row_exchanges sign_and_log_det
        slogdeterminant solve svd triangular_solve""",
    "functions that ONNX has not": """
        affine_scan derivative_of_digamma erfinv frexp gammainc gammaincc gcd histogram_bin_edges
        histogramdd i0 i0e i1 i1e lcm mode nextafter shift_left shift_right view_dtype""",
    "what passes and containers make": """
        chosen_counts chosen_elements chosen_positions csr_mask expert_rows from_int8 gather_pixels
        integer_conv2d integer_linear merge_rows put_rows run_positions sequence_bounds take_rows
        to_int8""",
}
LISTED = {name for names in WITHOUT_FORM.values() for name in names.split()}


def goes_out(name: str) -> bool:
    """Whether a sample of an operator can be written."""
    for sample in samples_of(registry[name]):
        if sample.error is not None:
            continue
        try:
            write_model(build(registry[name], sample), OPSET, lambda s: np.asarray(s.data))
        except UnsupportedError:
            continue
        return True
    return False


def test_the_operators_without_a_form() -> None:
    ours = [n for n, op in registry.items() if op.__module__.startswith("twinoar.ops")]
    asked = [n for n in ours if "samples" in registry[n].rules and not n.endswith(".grad")]
    kept_back = {name for name in asked if not goes_out(name)}
    assert kept_back - LISTED == set(), "give them a form, or a place in the list"
    assert LISTED - kept_back == set(), "these have a form: take them off the list"
