"""Controllers of searches that learn by rewards, by PaddleSlim's name of their module."""

from twinoar.core.public import exported
from twinoar.slim.common.controllers import RLBaseController
from twinoar.slim.common.logs import get_logger
from twinoar.slim.common.rl_controller import lstm, registry
from twinoar.slim.common.rl_controller.lstm import LSTM, lstm_cell, uniform_initializer
from twinoar.slim.common.rl_controller.registry import (
    RLCONTROLLER,
    action_mapping,
    add_grad,
    compute_grad,
)

__all__ = exported(globals(), "lstm", "registry")
