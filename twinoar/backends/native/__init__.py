"""The native back end for CPUs: kernels of ours through LLVM, contractions through oneDNN.

A Program for given sizes is compiled to a list of commands, which one native call runs: see
`executable`.
"""
