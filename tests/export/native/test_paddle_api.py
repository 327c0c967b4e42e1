"""Programs for Paddle Inference in C and C++ on exported libraries: compiled, and run."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from tests.export.native.exported import Network, assert_near, here, lenet, of_function
from twinoar.export.native import get_include

FLAGS = ["-Wall", "-Wextra", "-Werror", "-pedantic", f"-I{get_include()}"]
# Runs the model that its first argument names on what is given, and writes what comes out.
C_PROGRAM = r"""
#include "pd_inference_api.h"

int main(int count, char **names) {
  PD_Config *config = PD_ConfigCreate();
  PD_Predictor *predictor;
  PD_OneDimArrayCstr *inputs, *outputs;
  PD_OneDimArrayInt32 *shape;
  PD_Tensor *input, *output;
  float *memory;
  int32_t size = 1, told = 0;
  PD_PlaceType place;
  size_t n;
  if (count > 2)
    PD_ConfigSetModel(config, names[1], names[2]);
  else
    PD_ConfigSetModelDir(config, names[1]);
  PD_ConfigDisableGpu(config);
  PD_ConfigEnableMKLDNN(config);
  PD_ConfigEnableMemoryOptim(config, TRUE);
  PD_ConfigSetCpuMathLibraryNumThreads(config, 1);
  if ((predictor = PD_PredictorCreate(config)) == NULL) return 3;
  inputs = PD_PredictorGetInputNames(predictor);
  outputs = PD_PredictorGetOutputNames(predictor);
  fprintf(stderr, "%s %s\n", inputs->data[0], outputs->data[0]);
  input = PD_PredictorGetInputHandle(predictor, inputs->data[0]);
  shape = PD_TensorGetShape(input);
  PD_TensorReshape(input, shape->size, shape->data);
  for (n = 0; n < shape->size; ++n) size *= shape->data[n];
  PD_OneDimArrayInt32Destroy(shape);
  memory = (float *)malloc(size * sizeof *memory);
  if (fread(memory, sizeof *memory, size, stdin) != (size_t)size) return 4;
  PD_TensorCopyFromCpuFloat(input, memory);
  if (!PD_PredictorRun(predictor)) return 5;
  output = PD_PredictorGetOutputHandle(predictor, outputs->data[0]);
  free(memory);
  memory = PD_TensorDataFloat(output, &place, &told);
  fwrite(memory, sizeof *memory, told, stdout);
  PD_TensorDestroy(output);
  PD_TensorDestroy(input);
  PD_OneDimArrayCstrDestroy(inputs);
  PD_OneDimArrayCstrDestroy(outputs);
  PD_PredictorDestroy(predictor);
  return place == PD_PLACE_CPU ? 0 : 6;
}
"""
C_MISUSE = r"""
#include "pd_inference_api.h"

int main(int count, char **names) {
  int32_t wrong[] = {1, 1, 28, 29}, right[] = {1, 1, 28, 28};
  static float image[784];
  static int64_t numbers[784];
  PD_Config *config = PD_ConfigCreate();
  PD_Predictor *predictor, *other;
  PD_Tensor *input;
  PD_IOInfos *infos;
  PD_ConfigEnableUseGpu(config, 100, 0, PD_PRECISION_FLOAT32);
  printf("%d %d", PD_ConfigUseGpu(config), PD_PredictorCreate(config) == NULL);
  config = PD_ConfigCreate();
  printf(" %d", PD_PredictorCreate(config) == NULL);
  config = PD_ConfigCreate();
  PD_ConfigSetModel(config, names[count - 1], NULL);
  predictor = PD_PredictorCreate(config);
  printf(" %d", PD_PredictorGetInputHandle(predictor, "none") == NULL);
  input = PD_PredictorGetInputHandle(predictor, "x0");
  PD_TensorReshape(input, 4, wrong);
  printf(" %d", PD_PredictorRun(predictor));
  PD_TensorReshape(input, 4, right);
  printf(" %d", PD_PredictorRun(predictor));
  PD_TensorCopyFromCpuInt64(input, numbers);
  printf(" %d", PD_PredictorRun(predictor));
  PD_TensorCopyFromCpuFloat(input, image);
  printf(" %d", PD_PredictorRun(predictor));
  PD_TensorReshape(input, 4, right);
  printf(" %d", PD_PredictorRun(predictor));
  other = PD_PredictorClone(predictor);
  PD_PredictorDestroy(predictor);
  printf(" %d", PD_PredictorRun(other));
  infos = PD_PredictorGetInputInfos(other);
  printf(" %s %d %d\n", infos->io_info[0]->name->data, (int)infos->io_info[0]->shape->data[2],
         (int)infos->io_info[0]->dtype);
  PD_IOInfosDestroy(infos);
  PD_TensorDestroy(input);
  PD_PredictorDestroy(other);
  return 0;
}
"""
CPP_PROGRAM = r"""
#include <cstdio>
#include <iostream>
#include <numeric>
#include <thread>

#include "paddle_inference_api.h"

using paddle_infer::Config;
using paddle_infer::CreatePredictor;
using paddle_infer::Predictor;
using paddle_infer::services::PredictorPool;

static std::vector<float> run(Predictor *predictor, const std::vector<float> &given) {
  auto input = predictor->GetInputHandle(predictor->GetInputNames()[0]);
  input->Reshape(input->shape());
  input->CopyFromCpu(given.data());
  if (!predictor->Run()) throw std::runtime_error("it does not run");
  auto output = predictor->GetOutputHandle(predictor->GetOutputNames()[0]);
  auto shape = output->shape();
  std::vector<float> found(std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<int>()));
  output->CopyToCpu(found.data());
  return found;
}

static std::string refusal(const std::string &what, Predictor *predictor, Config config) {
  try {
    auto input = predictor->GetInputHandle(what == "name" ? "none" : "x0");
    if (what == "shape") input->Reshape({2, 2});
    if (what == "type") input->mutable_data<int64_t>(paddle_infer::PlaceType::kCPU);
    if (what == "gpu") config.EnableUseGpu(100, 0);
    if (what == "engine") config.EnableTensorRtEngine(1 << 20, 1, 3);
    if (what == "file") config.SetModel("none/net.pdmodel", "");
    CreatePredictor(config);
  } catch (const std::runtime_error &error) {
    return error.what();
  }
  return "";
}

int main(int, char **names) {
  Config config(names[1], "");
  config.EnableMKLDNN();
  config.SwitchIrOptim(true);
  config.EnableMemoryOptim();
  auto predictor = CreatePredictor(config);
  std::vector<float> given(784);
  if (fread(given.data(), sizeof(float), given.size(), stdin) != given.size()) return 4;
  auto wanted = run(predictor.get(), given);

  PredictorPool pool(config, 3);
  std::vector<std::vector<float>> found(3);
  std::vector<std::thread> threads;
  for (size_t n = 0; n < 3; ++n)
    threads.emplace_back([&, n] {
      for (int k = 0; k < 20; ++k) found[n] = run(pool.Retrive(n), given);
    });
  for (auto &thread : threads) thread.join();
  for (auto &one : found)
    if (one != wanted) return 5;

  auto clone = predictor->Clone();
  predictor.reset();
  std::vector<float> shared(wanted.size());
  auto shape = clone->GetOutputHandle("output_0")->shape();
  clone->GetInputHandle("x0")->ShareExternalData<float>(given.data(), {1, 1, 28, 28});
  clone->GetOutputHandle("output_0")->ShareExternalData<float>(shared.data(), shape);
  clone->Run();
  if (shared != wanted) return 6;
  if (clone->GetInputTypes()["x0"] != paddle_infer::DataType::FLOAT32) return 7;
  if (clone->GetInputTensorShape()["x0"] != std::vector<int64_t>({1, 1, 28, 28})) return 8;
  if (paddle_infer::GetNumBytesOfDataType(paddle_infer::DataType::INT64) != 8) return 9;
  for (auto what : {"name", "shape", "type", "gpu", "engine", "file"})
    std::cerr << refusal(what, clone.get(), config) << std::endl;
  fwrite(wanted.data(), sizeof(float), wanted.size(), stdout);
  return 0;
}
"""


def compiled(source: str, folder: Path, *flags: str) -> str:
    """A program; what starts with -x is a language."""
    is_c = "<iostream>" not in source
    compiler, name = ("cc", "program.c") if is_c else ("c++", "program.cpp")
    if shutil.which(compiler) is None:
        pytest.skip(f"there is no {compiler}")
    (folder / name).write_text(source)
    standard = "-std=c99" if is_c else "-std=c++11"
    given = [f for f in flags if f.startswith("-std")] or [standard]
    rest = [f for f in flags if not f.startswith("-std")]
    command = [compiler, *given, *FLAGS, *rest, "-O1", str(folder / name), "-o"]
    command += [str(folder / "program"), "-ldl", "-pthread"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return str(folder / "program")


def run(
    program: str, *arguments: object, given: np.ndarray | None = None
) -> tuple[np.ndarray, str]:
    """The floats that a program writes, and what it tells."""
    command = [program, *map(str, arguments)]
    content = b"" if given is None else given.tobytes()
    done = subprocess.run(command, input=content, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return np.frombuffer(done.stdout, np.float32), done.stderr.decode()


@pytest.mark.parametrize("named", ["library", "program", "folder", "bare"])
def test_a_program_in_c_computes_what_eager_code_does(named, tmp_path):
    net = lenet()
    net.exported(tmp_path / "model", here())
    arguments = {
        "library": [tmp_path / "model/libnet.so", ""],
        "program": [tmp_path / "model/net.pdmodel", tmp_path / "model/net.pdiparams"],
        "folder": [tmp_path / "model"],
        "bare": [tmp_path / "model/net", ""],
    }[named]
    found, told = run(compiled(C_PROGRAM, tmp_path), *arguments, given=net.inputs[0])
    assert_near([found.reshape(1, 10)], net.eager())
    assert told == "x0 output_0\n"


@pytest.mark.parametrize("named", ["beside", "given"])
def test_weights_beside_the_library_are_found(named, tmp_path):
    net = lenet()
    library, _, weights = net.exported(tmp_path / "model", here(), weights="beside")
    arguments = [library, ""]
    if named == "given":
        Path(weights).rename(tmp_path / "other.weights")
        arguments = [library, str(tmp_path / "other.weights")]
    found, _ = run(compiled(C_PROGRAM, tmp_path), *arguments, given=net.inputs[0])
    assert_near([found.reshape(1, 10)], net.eager())


def test_misuse_in_c_is_told_until_a_right_shape_is_given(tmp_path):
    library = lenet().exported(tmp_path / "model", here())[0]
    program = compiled(C_MISUSE, tmp_path)
    done = subprocess.run([program, library], capture_output=True, text=True, check=False)
    assert done.stdout == "0 1 1 1 0 1 0 0 1 1 x0 28 0\n"
    assert done.stderr.splitlines() == [
        "PD_PredictorCreate: PD_ConfigEnableUseGpu: an exported library runs on the CPU",
        "PD_PredictorCreate: the config names no model: call SetModel",
        "PD_PredictorGetInputHandle: there is no input none",
        "PD_TensorReshape: x0 was exported for the shape [1, 1, 28, 28], received [1, 1, 28, 29]",
        "PD_PredictorRun: what was given for the input x0 was refused",
        "PD_TensorCopyFromCpuInt64: x0 is of type float32, not int64",
        "PD_PredictorRun: what was given for the input x0 was refused",
        "PD_PredictorRun: what was given for the input x0 was refused",
    ]


@pytest.mark.parametrize("standard", ["-std=c++11", "-std=c++20"])
def test_a_program_in_cplusplus_computes_what_eager_code_does(standard, tmp_path):
    net = lenet()
    library = net.exported(tmp_path / "model", here())[0]
    found, told = run(compiled(CPP_PROGRAM, tmp_path, standard), library, given=net.inputs[0])
    assert_near([found.reshape(1, 10)], net.eager())
    assert told.splitlines() == [
        "the model has no input none",
        "x0 was exported for the shape [1, 1, 28, 28], received [2, 2]",
        "x0 is of type float32, not int64",
        "EnableUseGpu: an exported library runs on the CPU",
        "EnableTensorRtEngine: an exported library runs its own code",
        "there is no library for none/net.pdmodel: export the model as libNAME.so beside it",
    ]


def test_names_are_read_whatever_is_in_them(tmp_path):
    name = 'é "\\/ \n\t😀 {[,:'
    spec = [paddle.static.InputSpec([2], "float32", name)]
    net = Network(paddle.nn.ReLU(), (np.float32([-1, 2]),))
    library = net.exported(tmp_path / "model", here(), input_spec=spec)[0]
    found, told = run(compiled(C_PROGRAM, tmp_path), library, "", given=net.inputs[0])
    np.testing.assert_array_equal(found, [0, 2])
    assert told == f"{name} output_0\n"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda folder: None, "expected one library libNAME.so in the folder"),
        (lambda folder: (folder / "libnet.so").write_bytes(b"no library"), "libnet.so: "),
        (
            lambda folder: [(folder / f"lib{n}.so").touch() for n in "ab"],
            "expected one library libNAME.so in the folder",
        ),
    ],
)
def test_another_folder_is_refused(make, message, tmp_path):
    (tmp_path / "model").mkdir()
    make(tmp_path / "model")
    program = compiled(C_PROGRAM, tmp_path)
    done = subprocess.run([program, str(tmp_path / "model")], capture_output=True, check=False)
    assert done.returncode == 3
    assert message in done.stderr.decode()


def test_an_index_outside_is_told(tmp_path):
    table = paddle.nn.Embedding(4, 1)
    net = of_function(lambda x: table(x.astype("int64")), np.float32([3]))
    library = net.exported(tmp_path / "model", here())[0]
    program = compiled(C_PROGRAM, tmp_path)
    given = np.float32([9]).tobytes()
    done = subprocess.run([program, library, ""], input=given, capture_output=True, check=False)
    assert done.returncode == 5
    assert re.search(r"PD_PredictorRun: .* outside of the 4 places", done.stderr.decode())


def test_nothing_leaks_or_is_read_outside(tmp_path):
    library = lenet().exported(tmp_path / "model", here())[0]
    program = compiled(C_MISUSE, tmp_path, "-fsanitize=address,undefined")
    done = subprocess.run([program, library], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "ERROR" not in done.stderr
    assert "runtime error" not in done.stderr


def test_all_headers_stand_alone_and_in_an_installed_folder(tmp_path):
    folder = Path(get_include())
    for file in sorted(folder.rglob("*.h")):
        name = str(file.relative_to(folder))
        language = "c++" if "paddle_inference" in name else "c"
        (tmp_path / "program.c").write_text(f'#include "{name}"\n#include "{name}"\n')
        if shutil.which("cc") is None:
            pytest.skip("there is no cc")
        command = ["cc", *FLAGS, "-x", language, "-fsyntax-only", str(tmp_path / "program.c")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
