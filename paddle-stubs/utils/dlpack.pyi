"""Exchange of tensors with other libraries by DLPack; data is copied, as values never change."""

# Written by tools/stubs.py.

from twinoar.utils.dlpack import *
