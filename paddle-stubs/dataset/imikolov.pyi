"""The Penn Treebank: samples of word ids, n in a row, or a sentence and the one that follows."""

# Written by tools/stubs.py.

from twinoar.dataset.imikolov import *
