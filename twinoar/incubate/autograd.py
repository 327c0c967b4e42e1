"""Products with Jacobian matrices, and the matrices of functions."""

from twinoar.autograd.functional import Hessian, Jacobian, jvp, vjp

__all__ = ["Hessian", "Jacobian", "jvp", "vjp"]
