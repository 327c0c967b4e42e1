"""A simulated accelerator: memory of its own, work that is done later, failures on demand."""

from twinoar_sim.backend import SimBackend
from twinoar_sim.machine import MACHINE

__all__ = ["MACHINE", "SimBackend"]
