"""From a Program to kernels: which operators run together, as which loops, in which memory.

Read in the order of `pipeline`: a Program gets numbers for its sizes, its operators become readers
(`element`), readers become kernels (`group`), a kernel becomes a loop nest (`schedule`), and values
get places in memory (`memory`). A back end prints loop nests and calls libraries.
"""
