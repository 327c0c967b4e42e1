"""What supernets need beside: parameters of other networks, sizes by a rule."""

from twinoar.core.public import exported
from twinoar.slim.nas.ofa.utils import states as utils
from twinoar.slim.nas.ofa.utils.special_config import dynabert_config
from twinoar.slim.nas.ofa.utils.states import get_paddle_version, pd_ver, set_state_dict

__all__ = exported(globals(), "pd_ver", "utils")
