"""The parts put together: what a lower layer needs of a higher one is handed down here.

A module makes itself known to nothing that it imports, so what each part is does not depend on
which others were loaded; this one is imported first, and knows them all.
"""

from twinoar.autograd.tape import Tape
from twinoar.backends.eager_kernels import EagerKernels
from twinoar.core.dim import set_numbers
from twinoar.core.interpreter import set_eager
from twinoar.core.ir.program import Variable
from twinoar.core.op.registry import registry
from twinoar.core.policy import PLAIN
from twinoar.eager.interpreter import Eager
from twinoar.eager.selected_rows import RowTensor
from twinoar.eager.tensor import Tensor
from twinoar.ops import load_all, load_networks
from twinoar.ops.control.number import of_size
from twinoar.ops.index.selected_rows import KINDS

Eager.gradients = Tape()
Eager.kernels = EagerKernels()
set_eager(Eager(PLAIN))  # the first mode
set_numbers(of_size)
Variable.stands_for = Tensor
KINDS.append((Tensor, RowTensor))
registry.later = load_networks, load_all
