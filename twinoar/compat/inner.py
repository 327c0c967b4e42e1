"""Modules inside Paddle that scripts import from although the names in them are public elsewhere.

`paddle.nn.layer.norm.BatchNorm2D` is `paddle.nn.BatchNorm2D`: such a module is served as one that
passes names on to the public modules that have them, and to `compat.inside` for what no public
module has.
"""

from __future__ import annotations

OWN = "compat.inside"
FRAMEWORK = (f"{OWN}.framework", f"{OWN}.checks", f"{OWN}.dygraph", "", "static", "utils.flags")

# Where they are, the modules there ("." is the place itself), and the modules that have the names.
ROWS = (
    # Layers, by the module of ours that has most of them, whose names such a module lists.
    ("nn.layer", ". common container distance layers rnn vision", ("nn", "nn.layer")),
    ("nn.layer", "activation", ("nn.activation", "nn")),
    ("nn.layer", "conv", ("nn.conv", f"{OWN}.layers", "nn")),
    ("nn.layer", "loss", ("nn.loss", "nn")),
    ("nn.layer", "norm", ("nn.norm", "nn.batch_norm", f"{OWN}.layers", "nn")),
    ("nn.layer", "pooling", ("nn.pool", "nn")),
    ("nn.layer", "transformer", ("nn.transformer", f"{OWN}.layers", "nn")),
    (
        "nn.functional",
        "activation common conv distance extension input loss norm pooling sparse_attention vision",
        ("nn.functional",),
    ),
    (
        "nn.initializer",
        "assign bilinear constant dirac kaiming lazy_init normal orthogonal uniform xavier",
        ("nn.initializer", ""),
    ),
    ("nn", "init", (f"{OWN}.layers",)),
    ("nn", "parameter", (f"{OWN}.framework",)),
    (
        "nn.utils",
        "dygraph_utils spectral_norm_hook transform_parameters weight_norm_hook",
        ("nn.utils",),
    ),
    (
        "tensor",
        ". array attribute creation einsum layer_function_generator linalg logic manipulation math "
        "ops random search stat tensor",
        (f"{OWN}.tensor", "tensor", "", "linalg"),
    ),
    ("tensor", "to_string", ("",)),
    # The inner side of Paddle.
    ("framework", ". dtype framework", FRAMEWORK),
    ("framework", "random", ("ops.random", f"{OWN}.framework", "")),
    ("framework", "io io_utils", (f"{OWN}.files", f"{OWN}.framework", "", "static")),
    ("base", ". framework compiler", (*FRAMEWORK, "nn.initializer", "utils", "fluid.data_feeder")),
    ("base", "core libpaddle", (f"{OWN}.core", "fluid.core")),
    ("", "core", (f"{OWN}.core", "fluid.core")),
    ("framework", "core", (f"{OWN}.core", "fluid.core")),
    ("base", "backward executor", ("static",)),
    ("base", "data_feeder", (f"{OWN}.checks", "fluid.data_feeder")),
    ("base", "dygraph", (f"{OWN}.dygraph", "", "jit")),
    ("base.dygraph", "base tracer", (f"{OWN}.dygraph", "")),
    ("base", "initializer", ("nn.initializer",)),
    ("base", "io reader", ("io", "static")),
    ("base", "layer_helper layer_helper_base", (f"{OWN}.layer_helper",)),
    ("base", "layers", (f"{OWN}.tensor", "static.nn", "static", "nn.functional", "tensor")),
    ("base.layers", "io math_op_patch", ("static",)),
    ("base", "log_helper", (f"{OWN}.training",)),
    ("base", "lod_tensor", ("fluid.lod_tensor",)),
    ("base", "param_attr", ("nn.param_attr", "static")),
    ("base", "unique_name", ("utils.unique_name", "core.unique_name")),
    ("base", "variable_index", ("static.input",)),
    ("base", "wrapped_decorator", (f"{OWN}.training",)),
    (
        "",
        "common_ops_import",
        (f"{OWN}.layer_helper", f"{OWN}.checks", *FRAMEWORK, "fluid.core"),
    ),
    ("", "_C_ops _pir_ops", (f"{OWN}.by_position",)),
    ("", "_legacy_C_ops", (f"{OWN}.by_type",)),
    ("", "pir", (f"{OWN}.pir",)),
    ("pir", "core", (f"{OWN}.pir",)),
    # The rest, one namespace after the other.
    ("autograd", "autograd backward_mode saved_tensors_hooks", ("autograd",)),
    ("distribution", "kl lognormal chi2 beta gamma normal uniform", ("distribution",)),
    (
        "distribution",
        "bernoulli binomial cauchy constraint dirichlet exponential exponential_family geometric "
        "gumbel laplace multinomial poisson student_t transformed_distribution variable",
        ("distribution", "distribution.transform"),
    ),
    ("geometric", "math message_passing sampling", ("geometric",)),
    ("hapi", "hub", ("hub",)),
    ("hapi", "dynamic_flops model_summary static_flops", ("hapi", f"{OWN}.training")),
    ("hapi", "progressbar", (f"{OWN}.training",)),
    ("hapi", "logger", (f"{OWN}.training",)),
    ("hapi", "model", ("hapi.model", f"{OWN}.training")),
    ("incubate", "jit", (f"{OWN}.training",)),
    ("incubate", "tensor", ("incubate",)),
    ("incubate.tensor", "math manipulation", ("incubate",)),
    ("incubate.optimizer", "lookahead modelaverage", ("incubate",)),
    ("io", "dataloader", ("io", "io.collate")),
    (
        "io.dataloader",
        "batch_sampler collate dataloader_iter dataset sampler worker",
        ("io", "io.collate"),
    ),
    ("io", "reader", ("io",)),
    ("jit", "api dy2static layer translated_layer", ("jit", "nn.layer")),
    ("jit.dy2static", "program_translator convert_operators", ("jit",)),
    ("metric", "metrics", ("metric",)),
    ("profiler", "timer utils profiler_statistic", ("profiler",)),
    ("reader", "decorator", ("reader",)),
    ("sparse", "binary creation multiary unary", ("sparse",)),
    ("static", "io_utils", ("static",)),
    ("static.nn", "common metric sequence_lod static_pylayer", ("static.nn", "static")),
    ("text", "datasets", ("text",)),
    ("text.datasets", "conll05 imdb imikolov movielens uci_housing wmt14 wmt16", ("text",)),
    ("text", "viterbi_decode", ("text",)),
    ("utils", "deprecated install_check layers_utils lazy_import", ("utils",)),
    ("vision.models", "_utils", (f"{OWN}.layers",)),
    ("vision.transforms", "transforms", ("vision.transforms", f"{OWN}.images")),
    ("vision.transforms", "functional", ("vision.transforms.functional", f"{OWN}.images")),
    (
        "vision.transforms",
        "functional_cv2 functional_pil functional_tensor",
        ("vision.transforms.functional",),
    ),
    (
        "distributed",
        "parallel",
        ("distributed.world", "distributed", "distributed.fleet.gradients"),
    ),
    ("distributed", "collective", ("distributed.group", "distributed")),
    ("distributed", "cloud_utils", ("distributed",)),
    (
        "distributed.communication",
        "batch_isend_irecv group",
        ("distributed.group", "distributed.communication"),
    ),
    ("distributed.fleet", "layers", ("distributed.fleet.meta_parallel",)),
    ("distributed.fleet", "dataset", ("distributed.dataset",)),
    ("distributed", "utils", ("distributed", "distributed.experts")),
    ("distributed.utils", "moe_utils", ("distributed.experts",)),
    ("distributed", "models", ("distributed.experts",)),
    ("distributed.models", "moe", ("distributed.experts",)),
    ("distributed.models.moe", "utils", ("distributed.experts",)),
    (
        "incubate.distributed.models.moe.gate",
        "base_gate gshard_gate naive_gate switch_gate",
        ("incubate.distributed.models.moe",),
    ),
    ("distributed", "checkpoint", ("distributed.saving",)),
    ("distributed.checkpoint", "load_state_dict save_state_dict", ("distributed.saving",)),
    (
        "distributed.auto_parallel",
        "api high_level_api interface local_layer local_map placement_type",
        ("distributed.auto_parallel",),
    ),
    (
        "distributed.auto_parallel.intermediate",
        ". context_parallel parallelize pipeline_parallel tensor_parallel",
        ("distributed.auto_parallel",),
    ),
    ("distributed.fleet", "recompute", ("distributed.fleet.recomputing",)),
    (
        "distributed.fleet.base",
        ". distributed_strategy role_maker topology",
        ("distributed.fleet.role", "distributed.fleet.topology", "distributed.fleet.strategy"),
    ),
    (
        "distributed.fleet.layers.mpu",
        ". mp_layers mp_ops random",
        ("distributed.fleet.tensor_parallel",),
    ),
    (
        "distributed.fleet.meta_parallel.parallel_layers",
        ". mp_layers pp_layers random",
        ("distributed.fleet.tensor_parallel", "distributed.fleet.pipeline"),
    ),
    (
        "distributed.fleet.meta_parallel",
        "pipeline_parallel",
        ("distributed.fleet.pipeline_parallel", "distributed.fleet.pipeline"),
    ),
    (
        "distributed.fleet.recompute",
        "recompute recompute_hybrid",
        ("distributed.fleet.recomputing",),
    ),
    (
        "distributed.fleet.utils",
        "fs hybrid_parallel_util log_util",
        (
            "distributed.fleet.file_systems",
            "distributed.fleet.gradients",
            "distributed.fleet.log",
            "distributed.fleet.tensor_parallel",
        ),
    ),
)

INNER: dict[str, tuple[str, ...]] = {
    f"{place}.{name}".strip("."): public for place, names, public in ROWS for name in names.split()
}
