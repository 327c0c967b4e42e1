"""The model server: a repository of models, batches of requests, and the protocols around them."""

from twinoar.core.public import exported
from twinoar.serving.configuration import Defaults
from twinoar.serving.repository import Repository
from twinoar.serving.request import Request
from twinoar.serving.rest import MetricsApp, RestApp
from twinoar.serving.server import Certificate, Ports, Server
from twinoar.serving.state import Limits, State

__all__ = exported(globals())
