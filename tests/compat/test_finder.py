"""`import paddle` and everything below it is served from twinoar, as the same objects."""

from __future__ import annotations

import importlib
import operator
import sys
from pathlib import Path
from types import ModuleType

import numpy
import pytest

import twinoar
from twinoar import compat, version
from twinoar.errors import MissingModuleError, MissingNameError, TwinoarError


def test_nothing_is_served_without_install() -> None:
    with pytest.raises(ModuleNotFoundError, match="No module named 'paddle'"):
        importlib.import_module("paddle")


@pytest.mark.parametrize(
    "name", ["nn", "nn.functional", "static", "optimizer", "io", "jit", "vision.transforms"]
)
def test_a_submodule_is_twinoars_own(paddle: ModuleType, name: str) -> None:
    served = importlib.import_module(f"paddle.{name}")
    own = importlib.import_module(f"twinoar.{name}")
    assert served is own
    assert (served.__name__, served.__spec__.name) == (f"twinoar.{name}",) * 2


def test_from_imports_find_the_same_objects(paddle: ModuleType) -> None:
    from paddle.nn import Linear
    from paddle.static import InputSpec

    assert Linear is twinoar.nn.Linear
    assert InputSpec is twinoar.static.InputSpec


def test_every_public_name_is_served(paddle: ModuleType) -> None:
    found = [name for name in twinoar.__all__ if getattr(paddle, name) is None]
    assert found == ["newaxis"]  # which is None


def test_the_root_has_paddles_version_and_twinoar_its_own(paddle: ModuleType) -> None:
    assert paddle.__version__ == paddle.version.full_version
    assert twinoar.__version__ == version.__version__


def test_a_missing_name_is_explained(paddle: ModuleType) -> None:
    with pytest.raises(MissingNameError) as caught:
        paddle.to_tensr  # noqa: B018
    assert "twinoar does not have paddle.to_tensr yet" in str(caught.value)
    assert "near names: paddle.to_tensor" in str(caught.value)


@pytest.mark.parametrize("namespace", ["nn", "nn.functional", "static"])
def test_a_missing_name_of_a_submodule_is_explained(paddle: ModuleType, namespace: str) -> None:
    served = operator.attrgetter(namespace)(paddle)
    with pytest.raises(MissingNameError, match=rf"does not have paddle\.{namespace}\.no_such yet"):
        served.no_such  # noqa: B018


def test_hasattr_tells_what_is_there(paddle: ModuleType) -> None:
    assert hasattr(paddle, "to_tensor")
    assert not hasattr(paddle, "no_such_name")


@pytest.mark.parametrize("name", ["paddle.no_such", "paddle.nn.no_such.deeper"])
def test_a_missing_module_is_an_import_error_of_twinoar(paddle: ModuleType, name: str) -> None:
    with pytest.raises(MissingModuleError) as caught:
        importlib.import_module(name)
    assert isinstance(caught.value, ImportError)
    assert isinstance(caught.value, TwinoarError)


def test_a_missing_module_names_near_ones(paddle: ModuleType) -> None:
    with pytest.raises(MissingModuleError, match=r"near names: paddle\.optimizer"):
        importlib.import_module("paddle.optimzer")


def test_the_names_of_paddle_1_are_served(paddle: ModuleType) -> None:
    fluid = importlib.import_module("paddle.fluid")
    assert fluid is twinoar.fluid
    assert importlib.import_module("paddle.fluid.dygraph") is twinoar.fluid.dygraph
    assert importlib.import_module("paddle.dataset.mnist") is twinoar.dataset.mnist
    assert paddle.reader is twinoar.reader
    assert list(paddle.batch(lambda: range(3), 2)()) == [[0, 1], [2]]


def test_a_module_of_paddle_1_that_is_missing_says_what_to_write(paddle: ModuleType) -> None:
    with pytest.raises(MissingModuleError, match="use fluid"):
        importlib.import_module("paddle.fluid.evaluator")
    with pytest.raises(MissingModuleError, match="Dataset of your own"):
        importlib.import_module("paddle.dataset.flowers")


def test_a_name_of_paddle_1_that_is_missing_says_what_to_write(paddle: ModuleType) -> None:
    fluid = importlib.import_module("paddle.fluid")
    with pytest.raises(MissingNameError, match=r"DatasetFactory\s+cure: use fluid"):
        fluid.DatasetFactory  # noqa: B018
    with pytest.raises(
        MissingNameError, match=r"does not have paddle\.fluid\.regularizer\.no_such"
    ):
        fluid.regularizer.no_such  # noqa: B018


def test_a_module_that_is_missing_inside_twinoar_is_not_hidden(
    paddle: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "made_up").mkdir()
    (tmp_path / "made_up" / "__init__.py").write_text("import no_such_package")
    monkeypatch.setattr(twinoar, "__path__", [*twinoar.__path__, str(tmp_path)])
    with pytest.raises(ModuleNotFoundError, match="No module named 'no_such_package'"):
        importlib.import_module("paddle.made_up.inner")


def test_another_paddle_that_is_loaded_already_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "paddle", ModuleType("paddle"))
    with pytest.raises(MissingModuleError, match="ran before twinoar"):
        compat.install()


def test_install_twice_is_install_once() -> None:
    before = list(sys.meta_path)
    compat.install()
    compat.install()
    compat.uninstall()
    assert sys.meta_path == before


def test_the_explanation_leaves_modules_of_others_alone(paddle: ModuleType) -> None:
    assert type(numpy) is ModuleType


def test_the_modules_of_paddles_operators_hold_the_public_ones(paddle: ModuleType) -> None:
    from paddle.tensor.manipulation import concat

    assert concat is twinoar.concat
    assert paddle.tensor.math.add is paddle.tensor.add is twinoar.add
    assert paddle.tensor.linalg.cholesky_solve is twinoar.linalg.cholesky_solve
    with pytest.raises(MissingNameError, match=r"near names: paddle\.tensor\.math\.add"):
        operator.attrgetter("tensor.math.ad")(paddle)


@pytest.mark.parametrize(
    ("inner", "public"),
    [
        ("nn.layer.transformer.MultiHeadAttention", "nn.MultiHeadAttention"),
        ("nn.layer.layers.Layer", "nn.Layer"),
        ("nn.functional.common.linear", "nn.functional.linear"),
        ("framework.ParamAttr", "ParamAttr"),
        ("framework.io.load", "load"),
        ("io.dataloader.collate.default_collate_fn", "io.collate.default_collate_fn"),
        ("vision.transforms.transforms.BaseTransform", "vision.transforms.BaseTransform"),
    ],
)
def test_a_name_inside_paddle_is_the_public_one(
    paddle: ModuleType, inner: str, public: str
) -> None:
    module, _, name = inner.rpartition(".")
    assert getattr(importlib.import_module(f"paddle.{module}"), name) is operator.attrgetter(
        public
    )(twinoar)


def test_layers_are_where_paddle_defines_them_without_an_import(paddle: ModuleType) -> None:
    assert issubclass(paddle.nn.BatchNorm2D, paddle.nn.layer.norm._BatchNormBase)
    assert twinoar.nn.layer is sys.modules["twinoar.nn.layer"]
