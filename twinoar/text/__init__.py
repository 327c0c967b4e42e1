"""Texts: tags by Viterbi's algorithm, and data sets."""

from twinoar.core.public import exported
from twinoar.ops.sequence.viterbi import viterbi_decode
from twinoar.text.conll05 import Conll05st
from twinoar.text.movielens import Movielens
from twinoar.text.reviews import Imdb, Imikolov
from twinoar.text.translation import WMT14, WMT16
from twinoar.text.uci_housing import UCIHousing
from twinoar.text.viterbi_decoder import ViterbiDecoder

__all__ = exported(globals())
