"""The model server: a repository of models, batches of requests, and the protocols around them."""

from twinoar.core.public import exported
from twinoar.serving.configuration import Defaults
from twinoar.serving.repository import Repository
from twinoar.serving.request import Request

__all__ = exported(globals())
