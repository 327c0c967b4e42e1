"""How Programs run: a back end is `compile(program) -> Executable`; and large eager operators."""

from twinoar.backends import eager_kernels as eager_kernels
