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
)
PACKAGES = ("nn.layer", "tensor", "framework", "io.dataloader")  # inner modules themselves

INNER: dict[str, tuple[str, ...]] = {}
for _place, _names, _public in ROWS:
    if _place in PACKAGES:
        INNER.setdefault(_place, _public)
    INNER.update({f"{_place}.{name}": _public for name in _names.split()})
