"""run_check, where Paddle 1.8 has it."""

from twinoar.utils.install_check import run_check

__all__ = ["run_check"]
