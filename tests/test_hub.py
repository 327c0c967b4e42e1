"""hub: what a repository's hubconf.py can make, from a folder or an archive."""

import hashlib
import sys
import zipfile

import pytest

import twinoar as paddle
from twinoar import config, hub
from twinoar.errors import (
    ArgumentError,
    FileError,
    MissingModuleError,
    TypeMismatchError,
    UnknownNameError,
)

HUBCONF = '''
dependencies = ["numpy"]
from beside_hubconf import Net


def small(size=3, **options):
    """A small network."""
    return Net(size), options


def _hidden():
    pass


number = 3
'''
BESIDE = """
import twinoar


class Net(twinoar.nn.Linear):
    def __init__(self, size):
        super().__init__(size, size)
"""


@pytest.fixture(autouse=True)
def home(tmp_path):
    with config.override(data_home=tmp_path / "home"):
        yield tmp_path / "home"
    sys.modules.pop("beside_hubconf", None)


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "hubconf.py").write_text(HUBCONF)
    (folder / "beside_hubconf.py").write_text(BESIDE)
    return folder


def test_a_folder_is_a_repository(repository):
    where = str(repository)
    assert hub.list(where, source="local") == ["Net", "small"]
    assert hub.help(where, "small", source="local") == "A small network."
    network, options = hub.load(where, "small", source="local", size=2, depth=1)
    assert network(paddle.ones([1, 2])).shape == [1, 2]
    assert options == {"depth": 1}
    assert where not in sys.path


@pytest.mark.parametrize(
    ("model", "error", "what"),
    [
        ("large", UnknownNameError, "has no function 'large'"),
        ("number", UnknownNameError, "has no function 'number'"),
        (3, TypeMismatchError, "must be a string, received int"),
    ],
)
def test_what_a_repository_does_not_make_is_refused(repository, model, error, what):
    with pytest.raises(error, match=what):
        hub.load(str(repository), model, source="local")


def test_packages_that_are_missing_are_named(repository):
    (repository / "hubconf.py").write_text("dependencies = ['no_such_one']\ndef f(): pass\n")
    assert hub.list(str(repository), source="local") == ["f"]
    with pytest.raises(MissingModuleError, match="pip install no_such_one"):
        hub.load(str(repository), "f", source="local")


def test_wrong_places_are_refused(tmp_path):
    with pytest.raises(FileError, match=r"there is no hubconf\.py in"):
        hub.list(str(tmp_path / "nowhere"), source="local")
    with pytest.raises(ArgumentError, match="source must be one of github, gitee, local"):
        hub.list(str(tmp_path), source="elsewhere")
    with pytest.raises(ArgumentError, match='write "owner/name"'):
        hub.list("a folder", source="github")


def archive(path, number):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("name-main/hubconf.py", f"def number(): return {number}\n")


def test_an_archive_is_downloaded_once_unless_asked_for_again(tmp_path, home, monkeypatch):
    url = (tmp_path / "{owner}.{name}.{branch}.zip").as_uri()
    url = url.replace("%7B", "{").replace("%7D", "}")
    monkeypatch.setitem(hub.ARCHIVES, "github", (url, "main"))
    for number in (1, 2):
        archive(tmp_path / "owner.name.main.zip", number)
        assert hub.load("owner/name", "number") == 1
    assert hub.load("owner/name", "number", force_reload=True) == 2
    assert (home / "hub" / "owner_name_main" / "hubconf.py").exists()
    with pytest.raises(FileError, match="cannot download"):
        monkeypatch.setattr("twinoar.formats.fetch.ATTEMPTS", 1)
        hub.load("owner/name:other", "number")


def test_a_state_is_loaded_from_a_url(tmp_path, home):
    path = tmp_path / "state.pdparams"
    paddle.save({"w": paddle.ones([2])}, str(path))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    assert hub.load_state_dict_from_url(path.as_uri())["w"].tolist() == [1.0, 1.0]
    assert (home / "hub" / "checkpoints" / "state.pdparams").exists()

    def load(name):
        return hub.load_state_dict_from_url(
            path.as_uri(), tmp_path / "own", check_hash=True, file_name=name, map_location="numpy"
        )

    assert type(load(f"state-{digest}.pdparams")["w"]).__name__ == "ndarray"
    with pytest.raises(FileError, match="expected sha256 01234567"):
        load("state-01234567.pdparams")
    with pytest.raises(ArgumentError, match="check_hash needs a name with a hash"):
        load("state.pdparams")
    with pytest.raises(ArgumentError, match="map_location must be"):
        hub.load_state_dict_from_url(path.as_uri(), map_location="gpu")
