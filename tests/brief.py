"""What `make test` leaves to `make test-rest`: of the tests that take most time, most cases.

`make test` takes one of so many cases of the tests below, the first of them too, and none where the
number is 0: such a test starts compilers, or fills memory. Together the two run every case once,
and `.ci/run` runs both. A test holds the names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

# By folder: one of how many cases of each test is run, where its module says nothing of it.
FOLDERS = {
    "amp": 5,
    "autograd": 5,
    "backends": 16,
    "compat": 8,
    "compile": 5,
    "core": 7,
    "custom": 5,
    "distributed": 10,
    "errors": 5,
    "export": 5,
    "fluid": 5,
    "formats": 8,
    "incubate": 4,
    "inspection": 5,
    "jit": 15,
    "nn": 7,
    "onnx": 5,
    "ops": 16,
    "pretrained": 5,
    "quantization": 5,
    "serving": 5,
    "slim": 5,
    "static": 7,
    "vision": 7,
}
# By module, without "tests/" and ".py": the functions, and one of how many cases is run.
ONE_OF: dict[str, dict[str, int]] = {
    "amp/test_auto_cast": {
        "test_results_are_those_of_a_program_under_the_same_cast": 9,
    },
    "amp/test_decorate": {
        "test_losses_are_those_of_float32_within_the_precision": 5,
    },
    "backends/test_contraction": {
        "test_operators": 6,
    },
    "backends/test_native": {
        "test_gradients": 9,
        "test_results": 9,
    },
    "backends/test_native_complex": {
        "test_gradients": 5,
    },
    "backends/test_native_depth": {
        "test_a_long_chain_is_compiled": 5,
        "test_gradients_flow_through_a_long_chain": 5,
        "test_kernels_are_cut": 3,
    },
    "backends/test_native_draws": {
        "test_permutations_are_those_of_numpy": 9,
    },
    "backends/test_native_fourier": {
        "test_transform_of_any_length_is_the_sum_that_defines_it": 6,
        "test_long_lines_are_transformed_as_exactly": 5,
    },
    "backends/test_native_linalg": {
        "test_eigenvalues": 6,
        "test_singular_values": 6,
    },
    "backends/test_native_loop_gradients": {
        "test_gradients_of_random_loops_are_those_of_numpy": 5,
    },
    "backends/test_native_operation": {
        "test_results": 18,
        "test_gradients": 18,
        "test_results_of_other_samples": 12,
        "test_gradients_of_other_samples": 12,
    },
    "backends/test_native_order": {
        "test_results_do_not_depend_on_the_number_of_threads": 0,
        "test_topk": 5,
        "test_searchsorted": 5,
        "test_order_statistic": 5,
        "test_sort": 5,
        "test_running_extrema": 5,
    },
    "backends/test_native_pieces": {
        "test_random_lists_are_those_of_numpy": 5,
    },
    "backends/test_native_procedures": {
        "test_a_random_procedure_is_what_python_makes_of_it": 6,
    },
    "backends/test_native_processes": {
        "test_the_bits_depend_on_the_number_of_threads_alone": 5,
        "test_damaged_code_is_compiled_anew": 0,
    },
    "backends/test_native_programs": {
        "test_a_static_graph_trains_as_on_numpy": 6,
        "test_training_equals_that_on_numpy": 5,
        "test_two_runs_give_the_same_bits": 5,
    },
    "backends/test_native_random": {
        "test_outputs_and_states": 12,
    },
    "backends/test_native_scatter": {
        "test_results_do_not_depend_on_the_number_of_threads": 0,
        "test_added_put_and_scattered": 5,
        "test_put_along_an_axis": 5,
    },
    "backends/test_native_sizes": {
        "test_random_steps_are_right_at_all_sizes": 5,
    },
    "backends/test_native_sums": {
        "test_blocks_that_do_not_divide_a_sum_leave_nothing_out": 5,
    },
    "backends/test_native_views": {
        "test_what_lies_in_any_way_can_be_an_operand": 5,
    },
    "backends/test_streamed_products": {
        "test_with_the_registers_of_other_processors": 6,
    },
    "backends/test_weight_only_products": {
        "test_some_rows_times_integers": 6,
    },
    "compile/test_math": {
        "test_the_error_is_within_the_bound": 5,
    },
    "compile/test_special": {
        "test_gamma_functions_of_negative_numbers_are_within_the_bound": 5,
        "test_gamma_functions_of_positive_numbers_are_within_the_bound": 5,
    },
    "custom/test_scan": {
        "test_results_do_not_depend_on_the_number_of_threads": 0,
    },
    "device/test_operators": {
        "test_gradients_are_those_of_the_cpu": 15,
        "test_results_are_those_of_the_cpu": 9,
    },
    "distributed/ps/test_faults": {
        "test_a_server_that_ends_is_named_in_time": 0,
        "test_servers_may_end_at_any_moment_and_nothing_is_lost": 0,
    },
    "distributed/ps/test_whole_job": {
        "test_training_goes_on_when_a_server_is_killed": 0,
    },
    "distributed/test_deaths": {
        "test_an_elastic_job_goes_on_from_what_it_has_saved_with_fewer_ranks": 0,
        "test_a_rank_with_fewer_batches_is_named_in_compiled_steps_too": 0,
    },
    "distributed/test_mesh": {
        "test_operators_and_gradients_are_those_of_the_whole": 6,
        "test_parts_of_other_dtypes_and_of_little_move": 5,
    },
    "distributed/test_mesh_training": {
        "test_steps_are_those_of_one_process": 8,
    },
    "distributed/test_native_collectives": {
        "test_all_ranks_call_mpi_from_native_code": 0,
    },
    "distributed/test_strategies": {
        "test_most_operators_with_an_element_have_a_rule": 0,
        "test_parts_make_the_whole": 6,
    },
    "distributed/test_processes": {
        "test_launch_runs_a_script_for_paddle": 5,
    },
    "errors/test_out_of_memory": {
        "test_memory_that_runs_out_is_told_and_the_process_goes_on": 0,
    },
    "examples/test_phones": {
        "test_the_program_learns_a_digit_and_keeps_it": 3,
        "test_java_trains_and_recognizes": 0,
        "test_kotlin_trains_and_recognizes": 0,
    },
    "export/native/test_c_source": {
        "test_an_instruction_means_what_it_does_in_llvm": 15,
        "test_c_computes_what_eager_code_does": 8,
        "test_integers_have_the_bits_of_numpy": 5,
        "test_no_run_leaves_its_memory_or_the_language": 0,
        "test_whole_steps_train": 0,
    },
    "export/native/test_guarded": {
        "test_a_model_keeps_to_its_memory": 6,
        "test_a_training_keeps_to_its_memory": 11,
    },
    "export/native/test_levels": {
        "test_integers_have_the_same_bits_at_each_level": 0,
        "test_a_program_runs_on_each_processor_that_has_the_first": 5,
        "test_each_level_computes_what_eager_code_does": 6,
    },
    "export/native/test_paddle_api": {
        "test_a_program_in_c_computes_what_eager_code_does": 6,
    },
    "export/native/test_portable_bits": {
        "test_targets_agree_bit_for_bit": 5,
    },
    "export/native/test_shared": {
        "test_objects_have_no_undefined_symbols": 6,
    },
    "export/native/test_threads": {
        "test_all_numbers_of_threads_give_the_bits_of_one": 6,
        "test_other_numbers_are_refused": 9,
    },
    "export/native/test_training": {
        "test_a_library_trains_as_plain_python_does": 15,
        "test_each_rule_of_learning_leaves": 8,
    },
    "export/native/test_training_elsewhere": {
        "test_a_program_for_aarch64_trains_as_plain_python_does": 6,
        "test_a_page_trains_as_plain_python_does": 6,
        "test_targets_train_to_the_same_bits": 8,
    },
    "formats/paddle/pir/test_pir_write": {
        "test_the_operator_survives_a_file": 6,
    },
    "formats/paddle/test_hostile": {
        "test_hostile_attributes_of_each_operator": 18,
        "test_hostile_shapes_and_types_of_each_operator": 9,
        "test_blocks_in_blocks_are_read_or_refused": 5,
    },
    "formats/paddle/test_program_desc": {
        "test_the_operator_survives_a_file": 6,
    },
    "formats/test_unfinished": {
        "test_a_checkpoint_is_of_one_step_wherever_the_process_dies": 5,
    },
    "formats/torch/test_exported": {
        "test_what_torch_computed_is_computed": 12,
    },
    "inspection/test_view_command": {
        "test_a_target_has_a_page": 5,
        "test_the_page_shows_where_bits_are_lost_and_links_to_the_operators": 3,
    },
    "jit/hazards/test_hazards": {
        "test_a_hazardous_function_is_right_or_refused": 5,
    },
    "jit/matrix/test_matrix": {
        "test_saved_model_equals_the_function": 12,
        "test_gradients_of_the_program_equal_those_of_the_function": 6,
        "test_one_program_for_all_values_equals_the_function": 6,
    },
    "jit/models/test_models": {
        "test_converted_model_learns_and_answers_as_the_plain_one": 5,
        "test_converted_step_learns_as_the_plain_one": 5,
        "test_saved_model_answers_as_the_plain_one": 3,
    },
    "jit/test_stopped_gradients": {
        "test_a_loaded_model_stops_gradients_where_the_saved_one_did": 5,
    },
    "nn/test_recurrent": {
        "test_gradients_are_equal_in_converted_code": 5,
    },
    "onnx/test_backend": {
        "test_the_cases_of_operators": 0,
    },
    "onnx/test_runtimes": {
        "test_samples_of_each_operator_with_a_form": 9,
        "test_networks": 6,
    },
    "ops/sequence/test_tiled_attention": {
        "test_gradients_have_the_same_bits_in_one_and_two_threads_and_again": 0,
    },
    "ops/test_ops": {
        "test_static_gradients_equal_eager_ones": 6,
    },
    "project/test_stubs": {
        "test_a_type_checker_accepts_what_is_right": 0,
        "test_a_type_checker_finds_what_is_wrong": 0,
    },
    "serving/test_processes": {
        "test_thousands_of_slow_clients_hold_nobody_up": 0,
        "test_slow_clients_hold_nobody_up": 0,
    },
    "slim/nas/test_search": {
        "test_tokens_tell_networks_apart": 14,
    },
    "slim/test_filter_pruner": {
        "test_a_target_of_flops_is_met": 5,
    },
    "static/test_python_file": {
        "test_a_loaded_model_is_built_again_and_computes_the_same": 5,
    },
    "test_cli": {
        "test_a_failing_script_ends_as_under_python": 5,
    },
    "utils/test_cpp_extension_build": {
        "test_a_damaged_or_swapped_library_is_built_anew": 0,
        "test_two_processes_that_build_at_once_build_once": 0,
        "test_several_sources_are_one_library": 0,
        "test_a_package_with_operators_installs": 0,
        "test_what_is_built_is_kept_until_a_source_header_or_flag_changes": 0,
        "test_an_operator_may_not_have_the_name_of_a_built_in_one": 0,
        "test_a_gradient_operator_may_name_only_what_there_is": 0,
    },
    "vision/models/test_networks": {
        "test_a_step_of_training_is_the_same_compiled": 8,
        "test_inference_is_the_same_compiled": 8,
        "test_every_trained_parameter_gets_a_gradient": 8,
    },
}


def rest_of(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The cases, in the order of their tests, that `make test` leaves to `make test-rest`."""
    seen: Counter[tuple[str, str]] = Counter()
    rest = []
    for item in items:
        module, _, case = item.nodeid.partition("::")
        key = module.removeprefix("tests/").removesuffix(".py"), case.partition("[")[0]
        folder = FOLDERS.get(key[0].partition("/")[0], 1)
        one_of = ONE_OF.get(key[0], {}).get(key[1], folder)
        if one_of == 0 or seen[key] % one_of:
            rest.append(item)
        seen[key] += 1
    return rest
