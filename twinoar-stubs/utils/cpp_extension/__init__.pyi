"""Operators written in C++: built with the system's compiler, loaded, and used like built-in ones."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import distutils.command.build_ext
import distutils.extension
import os
import twinoar.utils.cpp_extension
from typing import Any, Literal, overload

import numpy as _numpy

class BuildExtension(distutils.command.build_ext.build_ext):
    """The command that builds the library of a package, and writes the module beside it."""
    @classmethod
    def with_options(cls, **options: Any) -> builtins.type[twinoar.utils.cpp_extension.BuildExtension]:
        """This class; Paddle's options choose how it compiles, and there is one way here."""
    def get_ext_filename(self, fullname: builtins.str) -> builtins.str:
        """The file of the library, below the folder that is built."""
    def build_extension(self, ext: distutils.extension.Extension) -> None:
        """Build one library."""
    def copy_extensions_to_source(self) -> None:
        """Copy what was built beside the sources, for a package that is used in place."""
    def get_outputs(self) -> builtins.list[builtins.str]:
        """All files that are built: the libraries and the modules."""
def CUDAExtension(sources: collections.abc.Sequence[builtins.str | os.PathLike[builtins.str]], *args: Any, **kwargs: Any) -> distutils.extension.Extension:
    """Not served: raises UnsupportedError, as twinoar runs on the CPU."""
def CppExtension(sources: collections.abc.Sequence[builtins.str | os.PathLike[builtins.str]], *args: Any, **kwargs: Any) -> distutils.extension.Extension:
    """An extension of C++ sources; the arguments are those of setuptools.Extension."""
def get_build_directory(verbose: builtins.bool = False) -> builtins.str:
    """The folder that `load` builds in; PADDLE_EXTENSION_DIR changes it"""
def load(name: builtins.str, sources: collections.abc.Sequence[builtins.str | os.PathLike[builtins.str]], extra_cxx_cflags: collections.abc.Sequence[builtins.str] | None = None, extra_cuda_cflags: collections.abc.Sequence[builtins.str] | None = None, extra_ldflags: collections.abc.Sequence[builtins.str] | None = None, extra_include_paths: collections.abc.Sequence[builtins.str | os.PathLike[builtins.str]] | None = None, extra_library_paths: collections.abc.Sequence[builtins.str | os.PathLike[builtins.str]] | None = None, build_directory: builtins.str | os.PathLike[builtins.str] | None = None, verbose: builtins.bool = False) -> Any:
    """Build C++ sources, unless that was done before, and load their operators."""
def setup(**attr: Any) -> None:
    """Build and install a package whose `ext_modules` is one CppExtension."""
