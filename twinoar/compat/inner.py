"""Modules inside Paddle that scripts import from although the names in them are public elsewhere.

`paddle.nn.layer.norm.BatchNorm2D` is `paddle.nn.BatchNorm2D`: such a module is served as one that
passes names on to the public modules that have them.
"""

from __future__ import annotations

# Where they are, the modules there, and the public modules that have the names.
ROWS = (
    (
        "nn.layer",
        "activation common container conv distance layers loss norm pooling rnn transformer vision",
        ("nn", "nn.batch_norm", "nn.layer"),
    ),
    (
        "nn.functional",
        "activation common conv distance extension input loss norm pooling vision",
        ("nn.functional",),
    ),
    (
        "tensor",
        "array attribute creation einsum linalg logic manipulation math ops random search stat",
        ("", "linalg"),
    ),
    ("framework", "dtype framework io random", ("",)),
    ("framework", "core", ("fluid.core",)),
    ("io.dataloader", "batch_sampler collate dataset sampler worker", ("io", "io.collate")),
    ("metric", "metrics", ("metric",)),
    ("vision.transforms", "transforms", ("vision.transforms",)),
    (
        "vision.transforms",
        "functional_cv2 functional_pil functional_tensor",
        ("vision.transforms.functional",),
    ),
    ("jit", "api", ("jit",)),
    ("distribution", "kl", ("distribution",)),
    ("text", "datasets", ("text",)),
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
    ("distributed.fleet", "recompute", ("distributed.fleet.recomputing",)),
    (
        "distributed.fleet.base",
        "distributed_strategy role_maker topology",
        ("distributed.fleet.role", "distributed.fleet.topology", "distributed.fleet.strategy"),
    ),
    (
        "distributed.fleet.layers.mpu",
        "mp_layers mp_ops random",
        ("distributed.fleet.tensor_parallel",),
    ),
    (
        "distributed.fleet.meta_parallel.parallel_layers",
        "mp_layers pp_layers random",
        ("distributed.fleet.tensor_parallel", "distributed.fleet.pipeline"),
    ),
    (
        "distributed.fleet.meta_parallel",
        "pipeline_parallel",
        ("distributed.fleet.pipeline",),
    ),
    (
        "distributed.fleet.recompute",
        "recompute recompute_hybrid",
        ("distributed.fleet.recomputing",),
    ),
    (
        "distributed.fleet.utils",
        "fs hybrid_parallel_util log_util sequence_parallel_utils",
        (
            "distributed.fleet.file_systems",
            "distributed.fleet.gradients",
            "distributed.fleet.log",
            "distributed.fleet.tensor_parallel",
        ),
    ),
)
PACKAGES = (
    "nn.layer",
    "tensor",
    "framework",
    "io.dataloader",
    "distributed.fleet.base",
    "distributed.fleet.layers.mpu",
    "distributed.fleet.meta_parallel.parallel_layers",
)  # inner modules themselves

INNER: dict[str, tuple[str, ...]] = {}
for _place, _names, _public in ROWS:
    if _place in PACKAGES:
        INNER.setdefault(_place, _public)
    INNER.update({f"{_place}.{name}": _public for name in _names.split()})
