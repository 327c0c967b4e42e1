"""Packages with operators in C++: `setup` for their setup.py, in place of setuptools' own.

What is installed is a module that has a function for each operator, and beside it the library.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import setuptools
from setuptools.command.build_ext import build_ext

from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.utils.cpp_extension.build import StrPath, built, include_flags

SUFFIX = "_pd_.so"  # a library is no module, so it must not have the name of one
UNNAMED = "unnamed"
MODULE = '''"""The operators of {name}, written in C++."""

from pathlib import Path

from twinoar.utils.cpp_extension.registration import module_of

_operators = vars(module_of(__name__, Path(__file__).with_name("{library}")))
globals().update({{name: f for name, f in _operators.items() if not name.startswith("_")}})
'''


def setup(**attr: Any) -> None:
    """Build and install a package whose `ext_modules` is one CppExtension.

    It takes what setuptools.setup takes, and is called from a setup.py. The module that is
    installed has the package's `name`. Raises ArgumentError without a name or an extension.
    """
    extensions = attr.get("ext_modules")
    if isinstance(extensions, setuptools.Extension):
        extensions = [extensions]
    if not attr.get("name") or not extensions or len(extensions) != 1:
        raise ArgumentError(
            "setup needs a name and one extension",
            cure="write setup(name='my_ops', ext_modules=CppExtension(sources=['my_ops.cc']))",
        )
    (extension,) = extensions
    if extension.name == UNNAMED:
        extension.name = attr["name"].replace("-", "_")
    commands = {"build_ext": BuildExtension, **attr.get("cmdclass", {})}
    setuptools.setup(**{**attr, "ext_modules": extensions, "cmdclass": commands, "zip_safe": False})


def CppExtension(sources: Sequence[StrPath], *args: Any, **kwargs: Any) -> setuptools.Extension:
    """An extension of C++ sources; the arguments are those of setuptools.Extension.

    extra_compile_args may be a list or {"cxx": [...]}.
    """
    name = kwargs.pop("name", None) or UNNAMED
    return setuptools.Extension(name, [str(source) for source in sources], *args, **kwargs)


def CUDAExtension(sources: Sequence[StrPath], *args: Any, **kwargs: Any) -> setuptools.Extension:
    """Not served: raises UnsupportedError, as twinoar runs on the CPU."""
    raise UnsupportedError(
        "an extension with CUDA code cannot be built: twinoar runs on the CPU",
        cure="write CppExtension(sources=[...]) with the sources in C++",
    )


class BuildExtension(build_ext):  # type: ignore[misc]  # setuptools has no types
    """The command that builds the library of a package, and writes the module beside it."""

    @classmethod
    def with_options(cls, **options: Any) -> type[BuildExtension]:
        """This class; Paddle's options choose how it compiles, and there is one way here."""
        return cls

    def get_ext_filename(self, fullname: str) -> str:
        """The file of the library, below the folder that is built."""
        return str(Path(*fullname.split("."))) + SUFFIX

    def build_extension(self, ext: setuptools.Extension) -> None:
        """Build one library."""
        flags = [*include_flags(ext.include_dirs), *_compile_flags(ext)]
        flags += [f"-D{k}" if v is None else f"-D{k}={v}" for k, v in ext.define_macros]
        link_flags = [*(ext.extra_objects or ()), *(f"-L{d}" for d in ext.library_dirs)]
        link_flags += [*(f"-l{library}" for library in ext.libraries), *ext.extra_link_args]
        folder = Path(self.build_temp)
        library = built(ext.name, ext.sources, flags, link_flags, folder, verbose=False)
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, target)
        _write_module(target)

    def copy_extensions_to_source(self) -> None:
        """Copy what was built beside the sources, for a package that is used in place."""
        super().copy_extensions_to_source()
        for ext in self.extensions:
            _write_module(
                Path(self.get_finalized_command("build_py").get_package_dir(""))
                / self.get_ext_filename(ext.name)
            )

    def get_outputs(self) -> list[str]:
        """All files that are built: the libraries and the modules."""
        libraries = list(super().get_outputs())
        return [*libraries, *(str(_module_of(Path(path))) for path in libraries)]


def _compile_flags(ext: setuptools.Extension) -> list[str]:
    given = ext.extra_compile_args or []
    return list(given.get("cxx", []) if isinstance(given, dict) else given)


def _module_of(library: Path) -> Path:
    return library.with_name(library.name.removesuffix(SUFFIX) + ".py")


def _write_module(library: Path) -> None:
    module = _module_of(library)
    module.write_text(MODULE.format(name=module.stem, library=library.name))
