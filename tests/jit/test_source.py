"""The source of what is converted: lambdas, decorated functions, methods, texts."""

import functools
import importlib.util
import inspect
import os
import sys

import pytest

from tests.jit.test_control_flow import tensor
from twinoar.errors import ConversionError
from twinoar.jit import to_static
from twinoar.jit.convert.source import definition_of

FIRST, SECOND = (lambda v: v * 2 if v.sum() > 0 else v, lambda v: v * 3 if v.sum() > 0 else -v)


def add_one(function):
    @functools.wraps(function)
    def wrapper(x):
        if x.sum() > 100:
            return x
        return function(x) + 1

    return wrapper


@add_one
def decorated(x):
    text = """
not indented
"""
    if x.sum() > 0:
        return x * len(text)
    return x


class Scale:
    sign = staticmethod(lambda v: v if v.max() > 0 else v * 9)

    def __init__(self):
        self.__factor = 3.0

    def of(self, x):
        scaled = lambda k=2: x * k if x.sum() > 0 else x  # noqa: E731
        if x.max() > 2:
            return scaled() * self.__factor
        return scaled() + self.sign(x)


# Several lambdas begin in one line: their code tells which text is whose.
# fmt: off
IN_ONE_LINE = [
    (lambda k=lambda v: v * 2 if v.sum() > 0 else v: lambda x: k(x) + 1)(),
    (lambda k: (lambda x: x * k if x.sum() > 0 else x))(3),
    lambda x: (lambda y: (lambda z: z * 4 if z.sum() > 0 else z)(y + 1))(x),
    *((lambda k: (lambda x: x * k if x.sum() > 0 else x - k))(k) for k in (3, 4)),
    *[lambda x: x - 1, lambda x: 1 - x],
    *[lambda x: x * 1, lambda x: x * True, lambda x: x * 1.0],
    *[lambda x, k=1: (lambda: x * k)(), lambda x, k=2: (lambda: x * k)()],
    lambda x: sum(f(x) for f in (lambda v: v * 2 if v.sum() > 0 else v, lambda v: -v)),
]
# fmt: on
FUNCTIONS = [FIRST, SECOND, decorated, Scale().of, lambda v: FIRST(v) + SECOND(v), *IN_ONE_LINE]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("values", [(1.0, 2.0), (3.0, 4.0), (-1.0, 0.5), (200.0, 1.0)], ids=str)
def test_every_form_of_function_is_converted(function, values):
    x = tensor(*values)
    assert to_static(function)(x).tolist() == function(x).tolist()


def test_a_function_without_source_is_refused():
    namespace = {}
    exec("def hidden(x):\n    return x if x.sum() > 0 else -x", namespace)
    with pytest.raises(ConversionError, match="the source of hidden is not available"):
        to_static(namespace["hidden"])(tensor(1.0))


def imported(path, text):
    """The module of a file that holds `text`."""
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("later", ["x * 3", "x * 2.0", "(lambda: x * 2)()", "x"])
def test_a_file_that_has_changed_since_it_was_imported_is_refused(tmp_path, monkeypatch, later):
    text = "def scaled(x):\n    return x * 2 if x.sum() > 0 else x\n"
    monkeypatch.delitem(sys.modules, "changed_source", raising=False)
    path = tmp_path / "changed_source.py"
    scaled = imported(path, text).scaled
    path.write_text("\n" + text.replace("x * 2", later))
    os.utime(path, (1, 1))
    with pytest.raises(ConversionError, match="its file has changed"):
        to_static(scaled)(tensor(1.0))
    path.write_text(text.replace("x * 2", later))
    os.utime(path, (2, 2))
    with pytest.raises(ConversionError, match="its file has changed"):
        to_static(scaled)(tensor(1.0))
    path.write_text(text + "# nothing that matters\n")
    os.utime(path, (3, 3))
    assert to_static(scaled)(tensor(1.0)).tolist() == [2.0]
    del sys.modules["changed_source"]


def test_reading_a_source_does_not_look_through_all_modules(monkeypatch) -> None:
    def sought(*args: object) -> None:
        raise AssertionError("each loaded module's real path was asked for")

    monkeypatch.setattr(inspect, "getmodule", sought)

    def doubled(x):
        return x * 2

    assert definition_of(doubled).name == "doubled"
