"""The schedules under the name that 1.8's module of them has."""

from twinoar.fluid.schedule import *  # noqa: F403  # whatever stands there
from twinoar.fluid.schedule import __all__ as __all__
