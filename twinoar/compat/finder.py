"""The import hook behind `import paddle`: a name below `paddle` is the same name below `twinoar`.

Submodules are the same objects (`paddle.nn is twinoar.nn`); for modules inside Paddle that have no
counterpart see `inner`. The root is a module of its own, which passes names on to twinoar:
`paddle.__version__` must be Paddle's, `twinoar.__version__` twinoar's.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

import twinoar
from twinoar import version
from twinoar.compat.beside import BESIDE
from twinoar.compat.inner import INNER
from twinoar.errors import MissingModuleError, MissingNameError

SERVED, SERVING = "paddle", "twinoar"
PARENTS = frozenset(place.rpartition(".")[0] for place in INNER)
OWN = (f"{SERVING}.core.", f"{SERVING}.custom")  # names that Paddle does not have


class PublicModule(ModuleType):
    """A module of twinoar as a script sees it: asked for a name it lacks, it names near ones.

    Where the module itself says what to write instead, it says that. A module inside Paddle is
    found below it, and does not become its attribute, as other modules do when they are imported.
    """

    def __getattr__(self, name: str) -> object:
        place = self.__name__.removeprefix(f"{SERVING}.")
        if _FINDER in sys.meta_path:
            if name == "__path__" and place in PARENTS:
                return []  # so that the import system looks for what is below it
            if f"{place}.{name}" in INNER:
                return importlib.import_module(f"{SERVED}.{place}.{name}")
            if not name.startswith("__") and not _has_module(self, name):
                others = [public for public in _public_of(place) if public is not self]
                for module in others:
                    if hasattr(module, name):
                        return getattr(module, name)
        _own_error(self, name)
        raise _missing_name(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        if not isinstance(value, InnerModule):
            super().__setattr__(name, value)


class Root(ModuleType):
    """The module `paddle`: the names of twinoar, with the version of Paddle that they follow."""

    def __init__(self) -> None:
        super().__init__(SERVED, twinoar.__doc__)
        self.__version__ = version.full_version
        self.__path__: list[str] = []  # a package; the finder alone finds what is in it
        self.__file__ = twinoar.__file__

    def __getattr__(self, name: str) -> object:
        if name in INNER:
            return importlib.import_module(f"{SERVED}.{name}")
        if not hasattr(twinoar, name):
            raise _missing_name(self, name)
        value = getattr(twinoar, name)
        if isinstance(value, ModuleType):
            _explain_missing_names()
        setattr(self, name, value)  # found without this call from now on
        return value

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(twinoar)})


class InnerModule(ModuleType):
    """A module inside Paddle, such as `paddle.nn.layer.norm`: names of public modules.

    Its `__dict__` has those of the first, for programs that look for a name there.
    """

    def __init__(self, fullname: str) -> None:
        super().__init__(fullname)
        self._public = _public_of(_place(fullname))
        self.__all__: list[str] = []  # as in Paddle: `import *` of such a module brings nothing
        vars(self).update(_defined(self._public[0]))

    def __getattr__(self, name: str) -> object:
        if f"{_place(self.__name__)}.{name}" in INNER:
            return importlib.import_module(f"{self.__name__}.{name}")
        for module in self._public:
            if not name.startswith("__") and hasattr(module, name):
                return getattr(module, name)
        raise _missing_name(self, name)

    def __dir__(self) -> list[str]:
        return sorted({name for module in self._public for name in dir(module)})


class PaddleFinder(MetaPathFinder, Loader):
    """Finds `paddle` and `paddle.x.y`; the latter are the modules `twinoar.x.y`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != SERVED and not fullname.startswith(SERVED + "."):
            return None
        is_inner = _place(fullname) in INNER
        if not is_inner and not _is_module(_served_by(fullname)):
            raise _missing_module(fullname)
        return ModuleSpec(fullname, self, is_package=is_inner or fullname == SERVED)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        if spec.name == SERVED:
            return Root()
        if _place(spec.name) in INNER:
            return InnerModule(spec.name)
        module = importlib.import_module(_served_by(spec.name))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give a module of twinoar its own spec back, which the import system has replaced."""
        if not isinstance(module, (Root, InnerModule)) and module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state
        _explain_missing_names()


_FINDER = PaddleFinder()


def install() -> None:
    """Serve `import paddle` from twinoar in this process, even where the real Paddle is installed.

    `import paddleslim` and `import visualdl` are served too, from `twinoar.slim` and
    `twinoar.visual`.

    >>> from twinoar import compat
    >>> compat.install()
    >>> import paddle.nn, twinoar.nn
    >>> paddle.nn is twinoar.nn
    True
    >>> compat.uninstall()
    """
    if _FINDER in sys.meta_path:
        return
    real = sys.modules.get(SERVED)
    if real is not None and not isinstance(real, Root):
        raise MissingModuleError(
            "`import paddle` ran before twinoar.compat.install()",
            cure="call install() first, or run the script with `twinoar run`",
        )
    sys.meta_path[:0] = [_FINDER, *BESIDE]


def uninstall() -> None:
    """Undo `install`: later imports are not served; modules already imported stay usable."""
    if _FINDER not in sys.meta_path:
        return
    for finder in (_FINDER, *BESIDE):
        sys.meta_path.remove(finder)
    served = {SERVED, *(finder.served for finder in BESIDE)}
    for name in [name for name in sys.modules if name.partition(".")[0] in served]:
        del sys.modules[name]


def _has_module(package: ModuleType, name: str) -> bool:
    """True for a module below a package that is not loaded yet: the import system will find it."""
    path = vars(package).get("__path__")
    return path is not None and PathFinder.find_spec(f"{package.__name__}.{name}", path) is not None


def _served_by(fullname: str) -> str:
    return SERVING + fullname.removeprefix(SERVED)


def _place(fullname: str) -> str:
    """The name below the root."""
    return fullname.removeprefix(f"{SERVED}.")


def _public_of(place: str) -> list[ModuleType]:
    """The modules that have the names of the module inside Paddle at `place`; none elsewhere."""
    names = INNER.get(place, ())
    return [importlib.import_module(f"{SERVING}.{name}".rstrip(".")) for name in names]


def _defined(module: ModuleType) -> dict[str, object]:
    """What a module exports, as far as it is there; of one without a list, what it defines."""
    names = getattr(module, "__all__", None)
    if names is not None:
        return {name: vars(module)[name] for name in names if name in vars(module)}
    return {
        name: value
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__ and not name.startswith("_")
    }


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith(SERVING):
            raise
        return False  # a parent is missing, or is no package


def _explain_missing_names() -> None:
    """Make the public modules of twinoar that are loaded so far say what they lack."""
    for name, module in list(sys.modules.items()):
        if (
            name.startswith(SERVING + ".")
            and type(module) is ModuleType
            and (hasattr(module, "__all__") or name.removeprefix(f"{SERVING}.") in INNER)
            and not name.startswith(OWN)
        ):
            module.__class__ = PublicModule


def _missing_name(module: ModuleType, name: str) -> AttributeError:
    if name.startswith("__"):  # Python's own questions: __path__, __wrapped__, ...
        return AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
    public = SERVED + module.__name__.removeprefix(SERVED).removeprefix(SERVING)
    return MissingNameError(
        f"twinoar does not have {public}.{name} yet", cure=_near(name, dir(module), public)
    )


def _missing_module(fullname: str) -> MissingModuleError:
    parent, _, name = fullname.rpartition(".")
    found = sys.modules.get(_served_by(parent))
    siblings = [module.name for module in pkgutil.iter_modules(getattr(found, "__path__", []))]
    error = MissingModuleError(
        f"twinoar does not have the module {fullname} yet",
        cure=_instead(found, name) or _near(name, siblings, parent),
    )
    error.name = fullname
    return error


def _own_error(module: ModuleType | None, name: str) -> None:
    """Raise the MissingNameError that a module has for a name, if it has one."""
    own = vars(module).get("__getattr__") if module is not None else None
    if own is not None:
        try:
            own(name)
        except MissingNameError:
            raise
        except AttributeError:
            return


def _instead(module: ModuleType | None, name: str) -> str | None:
    """What a module says to write instead of a name that it lacks."""
    try:
        _own_error(module, name)
    except MissingNameError as missing:
        return missing.cure
    return None


def _near(name: str, names: Iterable[str], public: str) -> str | None:
    public_names = [other for other in names if not other.startswith("_")]
    near = difflib.get_close_matches(name, public_names, n=3, cutoff=0.6)
    return f"near names: {', '.join(f'{public}.{other}' for other in near)}" if near else None
