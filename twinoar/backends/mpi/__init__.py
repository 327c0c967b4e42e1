"""Collectives as native code: MPI's functions called by address, without Python and its lock."""
