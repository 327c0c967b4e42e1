"""Collectives as operators: what the ranks of a group compute together.

They have effects, so that no pass drops, repeats or reorders one; eager, traced and compiled code
calls the same kernels, which ask the current world for the group by its number. The gradients are
transposes: that of a sum over ranks is a sum over ranks, of a gathering a scattering sum.
"""
