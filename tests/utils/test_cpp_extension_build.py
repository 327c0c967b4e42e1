"""Building and loading libraries of operators: what is kept, what fails, and packages."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import twinoar as paddle
from tests.utils.test_cpp_extension import FAST, needs_compiler
from twinoar import errors
from twinoar.utils import cpp_extension
from twinoar.utils.cpp_extension import build
from twinoar.utils.cpp_extension.build import compiler

pytestmark = needs_compiler

OPERATOR = """
#include "paddle/extension.h"
#include "factor.h"
std::vector<paddle::Tensor> Scale(const paddle::Tensor& x, float by) {
  auto out = paddle::empty_like(x);
  for (int64_t i = 0; i < x.numel(); ++i) out.data<float>()[i] = FACTOR * by * x.data<float>()[i];
  return {out};
}
PD_BUILD_OP(%s).Inputs({"X"}).Outputs({"Out"}).Attrs({"by: float = 1.5"})
    .SetKernelFn(PD_KERNEL(Scale));
"""


def source(folder: Path, operator: str, factor: int = 2) -> Path:
    """A file with one operator, which multiplies by what a header says."""
    (folder / "factor.h").write_text(f"#define FACTOR {factor}\n")
    path = folder / f"{operator}.cc"
    path.write_text(OPERATOR % operator)
    return path


def loaded(folder: Path, operator: str, **options):
    arguments = {"extra_cxx_cflags": FAST, "build_directory": folder / "built", **options}
    return cpp_extension.load(f"of_{operator}", [folder / f"{operator}.cc"], **arguments)


def result(module, operator: str, *args) -> float:
    return float(getattr(module, operator)(paddle.to_tensor([1.0]), *args))


def test_an_attribute_may_have_a_default(tmp_path: Path) -> None:
    source(tmp_path, "cpp_defaulted")
    module = loaded(tmp_path, "cpp_defaulted")
    assert result(module, "cpp_defaulted") == 3.0
    assert result(module, "cpp_defaulted", 0.5) == 1.0


def test_what_is_built_is_kept_until_a_source_header_or_flag_changes(
    tmp_path: Path, monkeypatch
) -> None:
    source(tmp_path, "cpp_kept")
    first = loaded(tmp_path, "cpp_kept")
    monkeypatch.setattr(build, "compiler", lambda: pytest.fail("it compiles again"))
    assert loaded(tmp_path, "cpp_kept") is first
    monkeypatch.undo()
    source(tmp_path, "cpp_kept", factor=4)
    second = loaded(tmp_path, "cpp_kept")
    assert (result(first, "cpp_kept"), result(second, "cpp_kept")) == (3.0, 6.0)
    other_flags = loaded(tmp_path, "cpp_kept", extra_cxx_cflags=[*FAST, "-DUNUSED"])
    assert len({first.__file__, second.__file__, other_flags.__file__}) == 3


def test_headers_are_found_in_folders_that_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "headers"
    folder.mkdir()
    source(tmp_path, "cpp_included")
    (tmp_path / "factor.h").rename(folder / "factor.h")
    with pytest.raises(errors.ExtensionError, match=r"factor\.h"):
        loaded(tmp_path, "cpp_included")
    module = loaded(tmp_path, "cpp_included", extra_include_paths=[str(folder)])
    assert result(module, "cpp_included") == 3.0


def test_libraries_are_found_in_folders_that_are_named(tmp_path: Path) -> None:
    folder, path = tmp_path / "libraries", source(tmp_path, "cpp_linked")
    folder.mkdir()
    (tmp_path / "factor.cc").write_text("float factor() { return 2.0f; }\n")
    (tmp_path / "factor.h").write_text("float factor();\n#define FACTOR factor()\n")
    library = folder / "libfactor.so"
    subprocess.run(
        [compiler(), "-shared", "-fPIC", "-o", library, path.with_name("factor.cc")], check=True
    )
    options = {"extra_ldflags": ["-lfactor"], "extra_library_paths": [folder]}
    assert result(loaded(tmp_path, "cpp_linked", **options), "cpp_linked") == 3.0


def test_several_sources_are_one_library(tmp_path: Path) -> None:
    paths = [source(tmp_path, name) for name in ("cpp_first", "cpp_second")]
    paths[1].write_text(paths[1].read_text().replace("Scale", "Stretch"))
    module = cpp_extension.load(
        "of_two", paths, extra_cxx_cflags=FAST, build_directory=str(tmp_path)
    )
    assert result(module, "cpp_first") == result(module, "cpp_second") == 3.0


def test_the_compilers_message_is_in_the_error(tmp_path: Path) -> None:
    path = source(tmp_path, "cpp_wrong")
    path.write_text(path.read_text().replace("return {out}", "return {undeclared_name}"))
    with pytest.raises(errors.ExtensionError, match="undeclared_name"):
        loaded(tmp_path, "cpp_wrong")
    assert not list((tmp_path / "built").glob("*.so")) + list((tmp_path / "built").glob("*.tmp"))


def test_without_a_compiler_the_error_says_how_to_get_one(tmp_path: Path, monkeypatch) -> None:
    source(tmp_path, "cpp_uncompiled")
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(errors.ExtensionError, match="there is no C\\+\\+ compiler") as caught:
        loaded(tmp_path, "cpp_uncompiled")
    assert "apt install g++" in caught.value.cure


@pytest.mark.parametrize(
    ("sources", "error", "message"),
    [
        (["missing.cc"], errors.FileError, "there is no source missing.cc"),
        (["kernel.cu"], errors.UnsupportedError, "kernel.cu is CUDA code"),
        ([], errors.ExtensionError, "has no sources"),
    ],
)
def test_sources_that_cannot_be_built(tmp_path: Path, sources, error, message) -> None:
    with pytest.raises(error, match=message):
        cpp_extension.load("wrong", sources, build_directory=str(tmp_path))


def test_an_operator_may_not_have_the_name_of_a_built_in_one(tmp_path: Path) -> None:
    source(tmp_path, "elementwise_add")
    with pytest.raises(errors.ArgumentError, match="elementwise_add is a built-in operator"):
        loaded(tmp_path, "elementwise_add")


def test_a_gradient_operator_may_name_only_what_there_is(tmp_path: Path) -> None:
    path = source(tmp_path, "cpp_misnamed")
    path.write_text(
        path.read_text()
        + 'PD_BUILD_GRAD_OP(cpp_misnamed).Inputs({"Z"}).Outputs({paddle::Grad("X")})'
        '.Attrs({"by: float"}).SetKernelFn(PD_KERNEL(Scale));'
    )
    with pytest.raises(
        errors.ExtensionError, match="has the input Z, and cpp_misnamed has nothing"
    ):
        loaded(tmp_path, "cpp_misnamed")


def test_two_processes_that_build_at_once_build_once(tmp_path: Path) -> None:
    source(tmp_path, "cpp_shared")
    marks = tmp_path / "marks"
    wrapper = tmp_path / "compiler"
    noting = f'case "$*" in *" -o "*) echo x >> {marks};; esac'
    wrapper.write_text(f'#!/bin/sh\n{noting}\nexec {compiler()} "$@"\n')
    wrapper.chmod(0o755)
    script = (
        "from twinoar.utils.cpp_extension import load\n"
        f"load('shared', [r'{tmp_path / 'cpp_shared.cc'}'], ['-O0'], build_directory=r'{tmp_path}')"
    )

    def run(_: int) -> subprocess.CompletedProcess:
        environment = {**os.environ, "CXX": str(wrapper)}
        return subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True)

    with ThreadPoolExecutor() as pool:
        done = list(pool.map(run, range(2)))
    assert [d.returncode for d in done] == [0, 0], done[0].stderr + done[1].stderr
    assert marks.read_text() == "x\n"


def test_the_folder_can_be_chosen(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PADDLE_EXTENSION_DIR", str(tmp_path / "mine"))
    assert cpp_extension.get_build_directory() == str(tmp_path / "mine")
    assert (tmp_path / "mine").is_dir()


def test_a_library_that_holds_no_operators_is_refused(tmp_path: Path) -> None:
    path = source(tmp_path, "cpp_plain")
    path.write_text("int main_of_nothing() { return 0; }")
    with pytest.raises(errors.ExtensionError, match="is no library of operators"):
        loaded(tmp_path, "cpp_plain")


def test_cuda_extensions_are_refused() -> None:
    with pytest.raises(errors.UnsupportedError, match="CppExtension"):
        cpp_extension.CUDAExtension(sources=["kernel.cu"])


SETUP = """
from twinoar.utils.cpp_extension import CppExtension, setup
setup(
    name="packaged-ops",
    version="1.0",
    ext_modules=CppExtension(
        sources=["cpp_packaged.cc"], extra_compile_args={"cxx": ["-O0"]}, include_dirs=["headers"]
    ),
)
"""
USE = """
import twinoar as paddle
import packaged_ops
print(float(packaged_ops.cpp_packaged(paddle.to_tensor([1.0]))))
"""


def test_a_package_with_operators_installs(tmp_path: Path) -> None:
    source(tmp_path, "cpp_packaged")
    (tmp_path / "headers").mkdir()
    (tmp_path / "factor.h").rename(tmp_path / "headers" / "factor.h")
    (tmp_path / "setup.py").write_text(SETUP)
    target = tmp_path / "installed"
    command = ["setup.py", "-q", "install", "--root", target, "--install-lib", "lib"]
    command += ["--single-version-externally-managed"]
    done = subprocess.run([sys.executable, *command], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (module,) = target.rglob("packaged_ops.py")
    used = subprocess.run(
        [sys.executable, "-c", USE],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(module.parent), *sys.path])},
        capture_output=True,
        text=True,
        cwd=target,
    )
    assert used.stdout == "3.0\n", used.stderr


def test_a_damaged_or_swapped_library_is_built_anew(tmp_path: Path) -> None:
    for operator, factor in (("cpp_whole", 2), ("cpp_cut", 3), ("cpp_swapped", 5)):
        path = source(tmp_path, operator, factor)
        build.built(f"of_{operator}", [path], FAST, [], tmp_path / operator, False)
    source(tmp_path, "cpp_cut", 3)
    cut, whole, swapped = (
        next((tmp_path / f"cpp_{name}").glob("*.so")) for name in ("cut", "whole", "swapped")
    )
    cut.write_bytes(cut.read_bytes()[:-2000])
    swapped.write_bytes(whole.read_bytes())
    assert result(loaded(tmp_path, "cpp_cut", build_directory=cut.parent), "cpp_cut") == 4.5
    source(tmp_path, "cpp_swapped", 5)
    module = loaded(tmp_path, "cpp_swapped", build_directory=swapped.parent)
    assert result(module, "cpp_swapped") == 7.5


def test_damaged_notes_of_headers_are_made_anew(tmp_path: Path) -> None:
    path = source(tmp_path, "cpp_noted")
    library = build.built("of_cpp_noted", [path], FAST, [], tmp_path / "built", False)
    (tmp_path / "built" / "of_cpp_noted.headers.json").write_text('{"sources": 3')
    assert build.built("of_cpp_noted", [path], FAST, [], tmp_path / "built", False) == library


def test_a_folder_that_others_may_write_to_is_refused(tmp_path: Path) -> None:
    source(tmp_path, "cpp_shared")
    (tmp_path / "built").mkdir()
    (tmp_path / "built").chmod(0o777)
    with pytest.raises(errors.ExtensionError, match="others may write to it"):
        loaded(tmp_path, "cpp_shared")
