"""Optimizers: how parameters follow their gradients."""

from twinoar.core.public import exported
from twinoar.optimizer import lr
from twinoar.optimizer.adadelta import Adadelta
from twinoar.optimizer.adagrad import Adagrad
from twinoar.optimizer.adam import Adam
from twinoar.optimizer.adamax import Adamax
from twinoar.optimizer.adamw import AdamW
from twinoar.optimizer.asgd import ASGD
from twinoar.optimizer.lamb import Lamb
from twinoar.optimizer.lbfgs import LBFGS
from twinoar.optimizer.momentum import Momentum
from twinoar.optimizer.nadam import NAdam
from twinoar.optimizer.optimizer import Optimizer
from twinoar.optimizer.radam import RAdam
from twinoar.optimizer.rmsprop import RMSProp
from twinoar.optimizer.rprop import Rprop
from twinoar.optimizer.sgd import SGD

__all__ = exported(globals(), "lr")
