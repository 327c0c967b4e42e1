"""The stubs say what is there, and editors and type checkers understand them.

`make update` writes them; see tools/stubs.py.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import jedi
import pytest
from mypy import api
from stubs import public_modules, stubs

import twinoar
from tests.project.test_public_names import namespaces

ROOT = Path(__file__).parents[2]
PACKAGES = ("twinoar-stubs", "paddle-stubs")

written = cache(stubs)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with both packages, as pip leaves them."""
    folder = tmp_path_factory.mktemp("site")
    for path, text in written().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def outdated(root: Path, files: dict[str, str]) -> list[str]:
    """The paths below `root` that have something else than `files`, or that are not there."""
    there = {
        str(path.relative_to(root)): path.read_text()
        for package in PACKAGES
        for path in (root / package).rglob("*")
        if path.is_file()
    }
    return sorted(p for p in there.keys() | files.keys() if there.get(p) != files.get(p))


def test_the_stubs_say_what_is_there():
    changed = outdated(ROOT, written())
    assert not changed, f"`make update` writes the stubs anew\n{changed[:20]}"


def test_the_check_finds_stubs_that_are_old_missing_or_left(tmp_path):
    (tmp_path / "twinoar-stubs").mkdir()
    (tmp_path / "twinoar-stubs" / "nn.pyi").write_text("old")
    (tmp_path / "twinoar-stubs" / "left.pyi").write_text("left")
    files = {"twinoar-stubs/nn.pyi": "new", "paddle-stubs/py.typed": ""}
    assert outdated(tmp_path, files) == [
        "paddle-stubs/py.typed", "twinoar-stubs/left.pyi", "twinoar-stubs/nn.pyi",
    ]  # fmt: skip


def test_every_file_is_python():
    for path, text in written().items():
        if path.endswith(".pyi"):
            ast.parse(text, path)


def test_a_folder_is_a_package_and_nothing_else_has_its_name():
    folders = {path.rpartition("/")[0] for path in written()}
    assert [f for f in folders if f"{f}/__init__.pyi" not in written()] == []
    assert [f for f in folders if f"{f}.pyi" in written()] == []


def test_a_stub_is_a_package_where_the_module_is_one():
    """Tools lay partial stubs over the package, where a folder comes before a file."""
    for path in written():
        if path.startswith("twinoar-stubs/") and path.endswith(".pyi"):
            source = ROOT / path.replace("-stubs", "", 1).replace(".pyi", ".py")
            assert source.is_file(), path


def test_every_public_namespace_has_a_stub():
    lacking = {m.__name__ for m in namespaces()} - public_modules().keys()
    assert lacking == set()


def test_what_loads_late_is_listed():
    """Notebooks complete by dir()."""
    lacking = {m.__name__: set(m.__all__) - set(dir(m)) for m in namespaces()}
    assert {name: names for name, names in lacking.items() if names} == {}
    assert {"optimizer", "Model", "reshape_"} <= set(dir(twinoar))


COMPLETED = {
    "paddle.resh": "reshape",
    "paddle.ones([2]).resh": "reshape",
    "(paddle.ones([2]) - 1).resh": "reshape",
    "paddle.reshape(paddle.ones([2]), [2]).sum().ite": "item",
    "paddle.to_tensor(1)[0].rel": "relu_",
    "paddle.nn.Lin": "Linear",
    "paddle.nn.Linear(3, 4)(paddle.ones([3])).soft": "softmax",
    "paddle.nn.Linear(3, 4).weight.gra": "grad",
    "paddle.nn.functional.max_pool2d(1, 2).fla": "flatten",
    "paddle.optimizer.lr.Cos": "CosineAnnealingDecay",
    "paddle.vision.models.resnet18().state_d": "state_dict",
}


@pytest.mark.parametrize("code", COMPLETED)
def test_an_editor_completes(site, code):
    assert COMPLETED[code] in completed(site, f"import paddle\n{code}")


def test_an_editor_completes_under_the_own_name(site):
    assert "reshape" in completed(site, "import twinoar\nx = twinoar.ones([2])\nx.resh")


def completed(site: Path, source: str) -> list[str]:
    project = jedi.Project(site, added_sys_path=[str(site)])
    return [found.name for found in jedi.Script(source, project=project).complete()]


@pytest.mark.parametrize(
    "code", ["paddle.resh", "y = paddle.ones([2])\ny.resh", "z = paddle.ones([2]).sum()\nz.resh"]
)
def test_a_notebook_completes_what_has_not_run_yet(site, monkeypatch, code):
    monkeypatch.syspath_prepend(site)
    names = [found.name for found in jedi.Interpreter(code, [{"paddle": twinoar}]).complete()]
    assert "reshape" in names


RIGHT = """
import paddle
import paddle.nn.functional as F
from paddle import nn
from paddle.nn.layer.norm import BatchNorm2D

class Net(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.norm = BatchNorm2D(3)

    def forward(self, x: paddle.Tensor) -> paddle.Tensor:
        return F.relu(self.fc(x))

net = Net()
x = paddle.ones([2, 3], "float32")
number: float = paddle.reshape(x, [6]).sum().item()
y: paddle.Tensor = nn.Linear(3, 4)(x)
z: paddle.Tensor = paddle.sum(x, dim=1) + x.sum(dim=0, keepdim=True) * 2 - x.reshape(6, 1)[0]
largest, at = paddle.topk(x, 1)
values, mask = F.max_pool2d(x, 2, return_mask=True)
for row in paddle.concat([x, x], axis=0):
    row.exp_()
paddle.ones(2, 3, 4)
optimizer = paddle.optimizer.Adam(1e-3, parameters=net.parameters())
model = paddle.Model(net)
model.prepare(optimizer, nn.CrossEntropyLoss(), paddle.metric.Accuracy())
with paddle.no_grad():
    net.set_state_dict(paddle.load("file"))
loss = F.cross_entropy(net(x), paddle.to_tensor([1, 2]))
loss.backward()
optimizer.step()
step = paddle.jit.to_static(net)
data: paddle.Tensor = paddle.static.data("x", [None, 3])
"""
WRONG = {
    "paddle.reshpe": 'Module has no attribute "reshpe"',
    "paddle.ones([2]).resh": '"Tensor" has no attribute "resh"',
    "paddle.nn.functional.reluu": 'Module has no attribute "reluu"',
    "paddle.ones([2]).sum(axs=1)": "No overload variant",
    "paddle.nn.Linear(3)": 'Missing positional argument "out_features"',
    "paddle.nn.Linear(3, 4).weight.shap": '"Parameter" has no attribute "shap"',
    "paddle.optimizer.Adam(learnig_rate=1)": 'Unexpected keyword argument "learnig_rate"',
}


@pytest.fixture(scope="module")
def checked(site, tmp_path_factory):
    """What mypy says of programs, by their names."""
    folder = tmp_path_factory.mktemp("programs")
    for package in PACKAGES:  # outside of site-packages, stubs are found under the package's name
        (folder / package.removesuffix("-stubs")).symlink_to(site / package)
    lines = "\n".join(WRONG)
    (folder / "right.py").write_text(RIGHT)
    (folder / "wrong.py").write_text(f"import paddle\n{lines}\n")
    options = ["--strict", "--hide-error-context", "--no-error-summary", "--config-file="]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        cache_dir = f"--cache-dir={folder / 'cache'}"
        return api.run([*options, cache_dir, "right.py", "wrong.py"])[0].splitlines()


def test_a_type_checker_accepts_what_is_right(checked):
    assert [line for line in checked if line.startswith("right.py")] == []


@pytest.mark.parametrize("code", WRONG)
def test_a_type_checker_finds_what_is_wrong(checked, code):
    number = [*WRONG].index(code) + 2
    said = [line for line in checked if line.startswith(f"wrong.py:{number}: error")]
    assert WRONG[code] in "".join(said)
