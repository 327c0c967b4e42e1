"""What searches and compressions share: controllers, saved models, batches, settings in files."""

from twinoar.core.public import exported
from twinoar.slim.common import rl_controller
from twinoar.slim.common.batches import wrap_dataloader
from twinoar.slim.common.controllers import (
    EvolutionaryController,
    RLBaseController,
    SAController,
)
from twinoar.slim.common.logs import AvgrageMeter, get_logger
from twinoar.slim.common.models import get_feed_vars, get_model_dir, load_inference_model
from twinoar.slim.common.recovering import recover_inference_program
from twinoar.slim.common.settings import load_config, save_config

__all__ = exported(globals(), "rl_controller")
