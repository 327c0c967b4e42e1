"""The model server as a deployment of Ray Serve: copies on the machines of a cluster.

pip install 'twinoar[serving]' 'ray[serve]'
MODELS=models serve run ray_serve:deployment

Each copy loads all models of the repository; Ray's proxy spreads requests over them, makes more
where many wait, and begins a copy again that has died. It speaks HTTP: gRPC and sequences with
state, which have to come to the copy that began them, are for `twinoar serve`.
"""

from __future__ import annotations

import os

from ray import serve

from twinoar.serving import Repository, RestApp, State
from twinoar.serving.completions import routes

MODELS = os.environ.get("MODELS", "models")


def application() -> RestApp:
    """The server of one copy, which is made where the copy runs."""
    repository = Repository(MODELS)
    for name in repository.in_order(repository.names()):
        repository.load(name)
    return RestApp(State(repository), routes())


@serve.deployment(
    ray_actor_options={"num_cpus": 1, "runtime_env": {"env_vars": {"MODELS": MODELS}}},
    # Batches form of what waits in a copy, so as many have to be let in.
    max_ongoing_requests=64,
    autoscaling_config={"min_replicas": 1, "max_replicas": 4, "target_ongoing_requests": 16},
)
@serve.ingress(application)
class Models:
    """A copy of the server."""


deployment = Models.bind()
