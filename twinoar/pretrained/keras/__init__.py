"""Models of Keras as layers that train: sequential and functional ones of common layers."""

from twinoar.core.public import exported
from twinoar.pretrained.keras.model import KerasModel, load, load_weights

__all__ = exported(globals())
