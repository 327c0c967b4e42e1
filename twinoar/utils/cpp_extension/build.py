"""Builds libraries of operators with the system's C++ compiler, and loads them.

What is built is kept under the digest of all that it is made of: the sources, the headers that they
include, and the flags. One process at a time builds a library in a folder.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from twinoar import config
from twinoar.errors import ExtensionError, FileError, UnsupportedError
from twinoar.runtime import kept_files
from twinoar.utils.cpp_extension.registration import module_of

INCLUDE = Path(__file__).parent / "include"
COMPILERS = ("c++", "g++", "clang++")
FLAGS = ("-std=c++17", "-O3", "-fno-trapping-math", "-fPIC", "-shared")
CUDA_SUFFIXES = (".cu", ".cuh")
DIGEST_LENGTH = 16
StrPath = str | os.PathLike[str]


def load(
    name: str,
    sources: Sequence[StrPath],
    extra_cxx_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[StrPath] | None = None,
    extra_library_paths: Sequence[StrPath] | None = None,
    build_directory: StrPath | None = None,
    verbose: bool = False,
) -> ModuleType:
    """Build C++ sources, unless that was done before, and load their operators.

    Returns a module with one function for each operator. extra_cuda_cflags are not used: there is
    no CUDA. extra_library_paths: folders with libraries that extra_ldflags name, when it is built
    and when it is loaded. build_directory: where the library is kept; by default a folder of that
    name in `get_build_directory()`. verbose prints the compiler's command and what it says. Raises
    ExtensionError with the compiler's message where the sources do not compile, FileError where one
    is missing.
    """
    folder = Path(build_directory) if build_directory else Path(get_build_directory()) / name
    flags = [*(extra_cxx_cflags or ()), *include_flags(extra_include_paths or ())]
    link_flags = [*library_flags(extra_library_paths or ()), *(extra_ldflags or ())]
    library = built(name, sources, flags, link_flags, folder, verbose)
    return module_of(name, library)


def get_build_directory(verbose: bool = False) -> str:
    """The folder that `load` builds in; PADDLE_EXTENSION_DIR changes it. It is made here."""
    chosen = os.environ.get("PADDLE_EXTENSION_DIR")
    folder = Path(chosen) if chosen else config.cache_dir / "extensions"
    kept_files.make(folder)
    if verbose:
        print(f"extensions are built in {folder}", file=sys.stderr)
    return str(folder)


def include_flags(folders: Sequence[StrPath]) -> list[str]:
    """The compiler's flags for folders with headers."""
    return [f"-I{Path(folder).absolute()}" for folder in folders]


def library_flags(folders: Sequence[StrPath]) -> list[str]:
    """The linker's flags for folders with libraries."""
    found = [str(Path(folder).absolute()) for folder in folders]
    return [flag for folder in found for flag in (f"-L{folder}", f"-Wl,-rpath,{folder}")]


def built(
    name: str,
    sources: Sequence[StrPath],
    flags: Sequence[str],
    link_flags: Sequence[str],
    folder: Path,
    verbose: bool,
) -> Path:
    """The library of these sources in `folder`, built if it is not there."""
    paths = [_source(source) for source in sources]
    if not paths:
        raise ExtensionError(f"{name} has no sources", cure="name at least one file of C++")
    kept_files.make(folder)
    reason = kept_files.refusal(folder)
    if reason is not None:
        raise ExtensionError(
            f"no library is built or loaded there: {reason}",
            cure="take the permission to write from others, or name another folder",
        )
    before = [*FLAGS, *include_flags([INCLUDE]), *flags]
    noted = folder / f"{name}.headers.json"
    with _locked(folder / f"{name}.lock"):
        headers = _noted_headers(noted, paths)
        if headers is not None:
            library = _library(folder, name, [*before, *link_flags], [*paths, *headers])
            if _is_sound(library):
                return library
        headers = _headers(paths, before)
        noted.write_text(json.dumps({"sources": list(map(str, paths)), "headers": headers}))
        library = _library(folder, name, [*before, *link_flags], [*paths, *headers])
        if not _is_sound(library):
            _compile(library, paths, before, link_flags, verbose)
    return library


def compiler() -> str:
    """The path of the C++ compiler: CXX, or the first that is installed. Raises ExtensionError."""
    wanted = (os.environ["CXX"],) if os.environ.get("CXX") else COMPILERS
    found = next(filter(None, map(shutil.which, wanted)), None)
    if found is None:
        raise ExtensionError(
            f"there is no C++ compiler: {', '.join(wanted)} are not on the path",
            cure="install one, as with apt install g++, or name it in the variable CXX",
        )
    return found


def _source(path: StrPath) -> Path:
    found = Path(path).absolute()
    if found.suffix in CUDA_SUFFIXES:
        raise UnsupportedError(
            f"{path} is CUDA code, and twinoar runs on the CPU", cure="leave the .cu files out"
        )
    if not found.exists():
        raise FileError(f"there is no source {path}", cure="give the path of a file of C++")
    return found


def _library(folder: Path, name: str, flags: Sequence[str], files: Sequence[StrPath]) -> Path:
    """The path of the library that flags and files, by their content, make."""
    digest = hashlib.sha256(json.dumps([os.environ.get("CXX"), *flags]).encode())
    for file in files:
        content = Path(file).read_bytes()
        digest.update(len(content).to_bytes(8, "little") + content)
    return folder / f"{name}_{digest.hexdigest()[:DIGEST_LENGTH]}.so"


def _is_sound(library: Path) -> bool:
    """If the library is there, whole, and the one that was built under this name."""
    try:
        entry = _seal_of(library).read_bytes() + library.read_bytes()
    except OSError:
        return False
    return kept_files.opened(library.name, entry) is not None


def _seal_of(library: Path) -> Path:
    return library.with_suffix(".seal")


def _noted_headers(noted: Path, sources: Sequence[Path]) -> list[str] | None:
    """The headers that these sources included when they were last built here, if that is known."""
    try:
        found = json.loads(noted.read_text())
        headers: list[str] = found["headers"]
        if found["sources"] == list(map(str, sources)) and all(map(os.path.exists, headers)):
            return headers
    except (OSError, ValueError, KeyError, TypeError):  # not there, or damaged
        pass
    return None


def _headers(sources: Sequence[Path], flags: Sequence[str]) -> list[str]:
    """The headers that the sources include, less the system's, as the compiler tells them."""
    rules = _run([compiler(), *flags, "-MM", "-MT", "library", *map(str, sources)])
    files = shlex.split(rules.replace("\\\n", " ").replace("library:", " "))
    return sorted({str(Path(file).absolute()) for file in files} - set(map(str, sources)))


def _compile(
    library: Path,
    sources: Sequence[Path],
    flags: Sequence[str],
    link_flags: Sequence[str],
    verbose: bool,
) -> None:
    beside = library.with_suffix(f".{os.getpid()}.tmp")
    command = [compiler(), *flags, *map(str, sources), "-o", str(beside), *link_flags]
    if verbose:
        print(shlex.join(command), file=sys.stderr)
    try:
        said = _run(command)
        seal = kept_files.sealed(library.name, beside.read_bytes())[: kept_files.DIGEST_BYTES]
        kept_files.replace(_seal_of(library), seal)
        beside.replace(library)
    finally:
        beside.unlink(missing_ok=True)
    if verbose and said:
        print(said, file=sys.stderr)


def _run(command: Sequence[str]) -> str:
    """What a compiler's command prints. Raises ExtensionError with all of it where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise ExtensionError(
            f"the C++ compiler failed: {shlex.join(command)}\n{done.stderr.strip()}",
            cure="mend what the compiler names",
        )
    return done.stdout + done.stderr


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Only one process at a time is in here."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
