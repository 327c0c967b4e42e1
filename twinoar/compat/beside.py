"""The import hooks behind `import paddleslim`, `visualdl` and others, packages beside Paddle."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from twinoar.errors import MissingModuleError


class FinderBeside(MetaPathFinder, Loader):
    """Finds a package and its modules, such as `paddleslim.x`, which is `twinoar.slim.x`."""

    def __init__(self, served: str, serving: str):
        self.served, self.serving = served, serving

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] != self.served:
            return None
        place = self._place(fullname)
        parent = importlib.util.find_spec(place.rpartition(".")[0])
        inside = parent is not None and parent.submodule_search_locations is not None
        found = importlib.util.find_spec(place) if inside else None
        if found is None:
            error = MissingModuleError(f"twinoar does not have the module {fullname} yet")
            error.name = fullname
            raise error
        is_package = found.submodule_search_locations is not None
        return ModuleSpec(fullname, self, is_package=is_package)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._place(spec.name))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own spec back, which the import system has replaced."""
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state

    def _place(self, fullname: str) -> str:
        return self.serving + fullname.removeprefix(self.served)


BESIDE = (
    FinderBeside("paddleslim", "twinoar.slim"),
    FinderBeside("visualdl", "twinoar.visual"),
    FinderBeside("paddle_serving_client", "twinoar.serving.paddle.client"),
    FinderBeside("paddle_serving_server", "twinoar.serving.paddle.server"),
)
