/* Paddle's inference in C++ (11 or newer), on a shared library that twinoar exported: headers alone.

     paddle_infer::Config config("model/libnet.so", "");
     auto predictor = paddle_infer::CreatePredictor(config);

   See pd_inference_api.h for what a config names. What fails throws std::runtime_error. */
#ifndef TWINOAR_PADDLE_INFERENCE_API_H
#define TWINOAR_PADDLE_INFERENCE_API_H

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "pd_inference_api.h"

#define PD_INFER_DECL

namespace paddle_infer {

enum DataType { FLOAT32, INT64, INT32, UINT8, INT8, FLOAT16, BOOL, FLOAT64, BFLOAT16 };
enum class PlaceType { kUNK = -1, kCPU, kGPU, kXPU, kNPU, kIPU, kCUSTOM };
enum class DataLayout { kUNK = -1, kAny, kNHWC, kNCHW };
enum class PrecisionType { kFloat32 = 0, kInt8, kHalf, kBf16 };

namespace twinoar {

inline void Require(bool holds, const std::string &text) {
  if (!holds) throw std::runtime_error(text);
}

template <typename T>
struct Name;
#define TWINOAR_NAME(type, dtype)                      \
  template <>                                          \
  struct Name<type> {                                  \
    static const char *text() { return dtype; }        \
  };
TWINOAR_NAME(float, "float32")
TWINOAR_NAME(double, "float64")
TWINOAR_NAME(int64_t, "int64")
TWINOAR_NAME(int32_t, "int32")
TWINOAR_NAME(int16_t, "int16")
TWINOAR_NAME(uint8_t, "uint8")
TWINOAR_NAME(int8_t, "int8")
TWINOAR_NAME(bool, "bool")
#undef TWINOAR_NAME

inline const std::vector<std::string> &Types() { /* in the order of DataType */
  static const std::vector<std::string> names = {"float32", "int64", "int32",   "uint8",   "int8",
                                                 "float16", "bool",  "float64", "bfloat16"};
  return names;
}

inline DataType TypeOf(const std::string &dtype) {
  for (size_t n = 0; n < Types().size(); ++n)
    if (Types()[n] == dtype) return static_cast<DataType>(n);
  throw std::runtime_error("Paddle has no name for the type " + dtype);
}

}  // namespace twinoar

/* Which library is run. What was decided when the model was exported is kept and told back; what a
   library cannot do makes CreatePredictor throw. */
class Config {
 public:
  using Precision = PrecisionType;

  Config() : config_(PD_ConfigCreate(), PD_ConfigDestroy) {}
  explicit Config(const std::string &folder) : Config() { SetModel(folder); }
  Config(const std::string &prog, const std::string &params) : Config() { SetModel(prog, params); }
  Config(const Config &other) : Config() { *this = other; }
  Config &operator=(const Config &other) {
    if (this == &other) return *this;
    config_.reset(PD_ConfigCreate());
    PD_Config *to = config_.get();
    const PD_Config *from = other.config_.get();
    twinoar_set(&to->prog, from->prog);
    twinoar_set(&to->params, from->params);
    twinoar_set(&to->folder, from->folder);
    twinoar_set(&to->cache, from->cache);
    memcpy(to->refusal, from->refusal, sizeof to->refusal);
    to->threads = from->threads;
    to->passes = from->passes;
    to->memory = from->memory;
    to->onednn = from->onednn;
    to->int8 = from->int8;
    to->padding = from->padding;
    to->quiet = from->quiet;
    to->invalid = from->invalid;
    return *this;
  }

  void SetModel(const std::string &folder) { PD_ConfigSetModelDir(raw(), folder.c_str()); }
  void SetModel(const std::string &prog, const std::string &params) {
    PD_ConfigSetModel(raw(), prog.c_str(), params.c_str());
  }
  void SetProgFile(const std::string &path) { PD_ConfigSetProgFile(raw(), path.c_str()); }
  void SetParamsFile(const std::string &path) { PD_ConfigSetParamsFile(raw(), path.c_str()); }
  void SetOptimCacheDir(const std::string &path) { PD_ConfigSetOptimCacheDir(raw(), path.c_str()); }
  std::string model_dir() const { return PD_ConfigGetModelDir(raw()); }
  std::string prog_file() const { return PD_ConfigGetProgFile(raw()); }
  std::string params_file() const { return PD_ConfigGetParamsFile(raw()); }
  bool model_from_memory() const { return false; }

  void EnableMKLDNN() { PD_ConfigEnableMKLDNN(raw()); }
  void EnableONEDNN() { EnableMKLDNN(); }
  void DisableMKLDNN() { raw()->onednn = 0; }
  bool mkldnn_enabled() const { return PD_ConfigMkldnnEnabled(raw()) != 0; }
  void SetMkldnnCacheCapacity(int) {}
  void SetMKLDNNOp(const std::unordered_set<std::string> &) {}
  void EnableMkldnnInt8(const std::unordered_set<std::string> & = {}) {
    PD_ConfigEnableMkldnnInt8(raw());
  }
  bool mkldnn_int8_enabled() const { return PD_ConfigMkldnnInt8Enabled(raw()) != 0; }
  void SetCpuMathLibraryNumThreads(int count) { PD_ConfigSetCpuMathLibraryNumThreads(raw(), count); }
  int cpu_math_library_num_threads() const { return PD_ConfigGetCpuMathLibraryNumThreads(raw()); }
  void SwitchIrOptim(int x = true) { PD_ConfigSwitchIrOptim(raw(), x != 0); }
  bool ir_optim() const { return PD_ConfigIrOptim(raw()) != 0; }
  void EnableMemoryOptim(bool x = true) { PD_ConfigEnableMemoryOptim(raw(), x); }
  bool enable_memory_optim() const { return PD_ConfigMemoryOptimEnabled(raw()) != 0; }
  void DisableFCPadding() { PD_ConfigDisableFCPadding(raw()); }
  bool use_fc_padding() const { return PD_ConfigUseFcPadding(raw()) != 0; }
  void DisableGlogInfo() { PD_ConfigDisableGlogInfo(raw()); }
  bool glog_info_disabled() const { return PD_ConfigGlogInfoDisabled(raw()) != 0; }
  void SetInvalid() const { PD_ConfigSetInvalid(raw()); }
  bool is_valid() const { return PD_ConfigIsValid(raw()) != 0; }
  void SwitchUseFeedFetchOps(int = true) {}
  void SwitchSpecifyInputNames(bool = true) {}
  bool specify_input_name() const { return true; }
  void PartiallyRelease() {}
  void DisableGpu() {}
  void DisableONNXRuntime() {}
  bool use_gpu() const { return false; }
  bool use_xpu() const { return false; }
  bool use_onnxruntime() const { return false; }
  bool tensorrt_engine_enabled() const { return false; }
  bool profile_enabled() const { return false; }
  bool mkldnn_bfloat16_enabled() const { return false; }
  std::string Summary() {
    std::unique_ptr<PD_Cstr, void (*)(PD_Cstr *)> text(PD_ConfigSummary(raw()), PD_CstrDestroy);
    return text->data;
  }

#define TWINOAR_REFUSED(method, why)       \
  template <typename... Given>             \
  void method(const Given &...) {          \
    twinoar_refuse(raw(), #method, why);   \
  }
  TWINOAR_REFUSED(EnableUseGpu, TWINOAR_CPU)
  TWINOAR_REFUSED(EnableXpu, TWINOAR_CPU)
  TWINOAR_REFUSED(EnableIpu, TWINOAR_CPU)
  TWINOAR_REFUSED(EnableNpu, TWINOAR_CPU)
  TWINOAR_REFUSED(EnableCustomDevice, TWINOAR_CPU)
  TWINOAR_REFUSED(EnableCUDNN, TWINOAR_CPU)
  TWINOAR_REFUSED(EnableGpuMultiStream, TWINOAR_CPU)
  TWINOAR_REFUSED(SetExecStream, TWINOAR_CPU)
  TWINOAR_REFUSED(EnableONNXRuntime, TWINOAR_OWN)
  TWINOAR_REFUSED(EnableORTOptimization, TWINOAR_OWN)
  TWINOAR_REFUSED(EnableTensorRtEngine, TWINOAR_OWN)
  TWINOAR_REFUSED(SetTRTDynamicShapeInfo, TWINOAR_OWN)
  TWINOAR_REFUSED(EnableTunedTensorRtDynamicShape, TWINOAR_OWN)
  TWINOAR_REFUSED(EnableVarseqlen, TWINOAR_OWN)
  TWINOAR_REFUSED(EnableTensorRtDLA, TWINOAR_OWN)
  TWINOAR_REFUSED(EnableLiteEngine, TWINOAR_OWN)
  TWINOAR_REFUSED(EnableCINN, TWINOAR_OWN)
  TWINOAR_REFUSED(EnableOpenVINOEngine, TWINOAR_OWN)
  TWINOAR_REFUSED(Exp_DisableTensorRtOPs, TWINOAR_OWN)
  TWINOAR_REFUSED(Exp_EnableUseCutlass, TWINOAR_OWN)
  TWINOAR_REFUSED(CollectShapeRangeInfo, TWINOAR_EXPORTED)
  TWINOAR_REFUSED(EnableMkldnnQuantizer, TWINOAR_EXPORTED)
  TWINOAR_REFUSED(EnableMkldnnBfloat16, TWINOAR_EXPORTED)
  TWINOAR_REFUSED(SetBfloat16Op, TWINOAR_EXPORTED)
  TWINOAR_REFUSED(SwitchIrDebug, TWINOAR_EXPORTED)
  TWINOAR_REFUSED(DeletePass, TWINOAR_EXPORTED)
  TWINOAR_REFUSED(EnableLowPrecisionIO, TWINOAR_EXPORTED)
  TWINOAR_REFUSED(EnableProfile, "an exported library measures nothing: time its runs")
  TWINOAR_REFUSED(SetModelBuffer, "a library is loaded from a file: give its path")
#undef TWINOAR_REFUSED

  PD_Config *raw() const { return config_.get(); }

 private:
  std::unique_ptr<PD_Config, void (*)(PD_Config *)> config_;
};

/* An input or an output of a predictor, which has to live longer. */
class Tensor {
 public:
  Tensor() = delete;
  explicit Tensor(const PD_Tensor &tensor) : tensor_(tensor), name_(port()->name) {}

  void Reshape(const std::vector<int> &shape) {
    char text[TWINOAR_TEXT] = "";
    bool same = twinoar_reshape(&tensor_, shape.size(), shape.data(), text) != 0;
    twinoar::Require(same, text);
  }
  template <typename T>
  void CopyFromCpu(const T *data) {
    memcpy(elements<T>(), data, port()->bytes);
  }
  template <typename T>
  void CopyToCpu(T *data) const {
    memcpy(data, elements<T>(), port()->bytes);
  }
  /* The caller's memory is read, or written, by the runs that follow. */
  template <typename T>
  void ShareExternalData(const T *data, const std::vector<int> &shape,
                         PlaceType place = PlaceType::kCPU, DataLayout = DataLayout::kNCHW) {
    twinoar::Require(place == PlaceType::kCPU, TWINOAR_CPU);
    Reshape(shape);
    elements<T>();
    tensor_.predictor->arrays[tensor_.side][tensor_.number] = const_cast<T *>(data);
  }
  template <typename T>
  T *mutable_data(PlaceType place) {
    twinoar::Require(place == PlaceType::kCPU, TWINOAR_CPU);
    return elements<T>();
  }
  template <typename T>
  T *data(PlaceType *place, int *size) const {
    *place = PlaceType::kCPU;
    *size = static_cast<int>(port()->bytes / sizeof(T));
    return elements<T>();
  }
  std::vector<int> shape() const {
    return std::vector<int>(port()->shape, port()->shape + port()->rank);
  }
  const std::string &name() const { return name_; }
  DataType type() const { return twinoar::TypeOf(port()->dtype); }
  PlaceType place() const { return PlaceType::kCPU; }
  void SetLoD(const std::vector<std::vector<size_t>> &levels) {
    twinoar::Require(levels.empty(), "SetLoD: an exported model has no levels of detail");
  }
  std::vector<std::vector<size_t>> lod() const { return {}; }

 private:
  const twinoar_port *port() const { return twinoar_port_of(&tensor_); }
  template <typename T>
  T *elements() const {
    char text[TWINOAR_TEXT] = "";
    void *found = twinoar_elements(&tensor_, twinoar::Name<T>::text(), text);
    twinoar::Require(found != nullptr, text);
    return static_cast<T *>(found);
  }

  mutable PD_Tensor tensor_;
  std::string name_;
};

/* A library with memory of its own for a run: for one thread at a time. */
class Predictor {
 public:
  Predictor() = delete;
  explicit Predictor(const Config &config) : Predictor(Created(config)) {}

  std::vector<std::string> GetInputNames() const { return Names(0); }
  std::vector<std::string> GetOutputNames() const { return Names(1); }
  std::unique_ptr<Tensor> GetInputHandle(const std::string &name) { return Handle(0, name); }
  std::unique_ptr<Tensor> GetOutputHandle(const std::string &name) { return Handle(1, name); }
  std::map<std::string, DataType> GetInputTypes() const {
    std::map<std::string, DataType> types;
    for (size_t n = 0; n < library()->counts[0]; ++n)
      types[library()->ports[0][n].name] = twinoar::TypeOf(library()->ports[0][n].dtype);
    return types;
  }
  std::map<std::string, std::vector<int64_t>> GetInputTensorShape() const {
    std::map<std::string, std::vector<int64_t>> shapes;
    for (size_t n = 0; n < library()->counts[0]; ++n) {
      const twinoar_port &port = library()->ports[0][n];
      shapes[port.name] = std::vector<int64_t>(port.shape, port.shape + port.rank);
    }
    return shapes;
  }
  bool Run() {
    char text[TWINOAR_TEXT] = "";
    bool ran = twinoar_run(predictor_.get(), text) != 0;
    twinoar::Require(ran, text);
    return true;
  }
  std::unique_ptr<Predictor> Clone(void *stream = nullptr) const {
    twinoar::Require(stream == nullptr, TWINOAR_CPU);
    return std::unique_ptr<Predictor>(new Predictor(PD_PredictorClone(predictor_.get())));
  }
  void ClearIntermediateTensor() {}
  uint64_t TryShrinkMemory() { return 0; }

 private:
  explicit Predictor(PD_Predictor *made) : predictor_(made, PD_PredictorDestroy) {}

  static PD_Predictor *Created(const Config &config) {
    char text[TWINOAR_TEXT] = "";
    PD_Predictor *made = twinoar_created(config.raw(), text);
    twinoar::Require(made != nullptr, text);
    return made;
  }
  const twinoar_library *library() const { return predictor_->library; }
  std::vector<std::string> Names(size_t side) const {
    std::vector<std::string> names;
    for (size_t n = 0; n < library()->counts[side]; ++n)
      names.push_back(library()->ports[side][n].name);
    return names;
  }
  std::unique_ptr<Tensor> Handle(size_t side, const std::string &name) {
    std::unique_ptr<PD_Tensor, void (*)(PD_Tensor *)> found(
        twinoar_handle(predictor_.get(), side, name.c_str()), PD_TensorDestroy);
    twinoar::Require(found != nullptr, "the model has no " +
                                           std::string(side ? "output " : "input ") + name);
    return std::unique_ptr<Tensor>(new Tensor(*found));
  }

  std::unique_ptr<PD_Predictor, void (*)(PD_Predictor *)> predictor_;
};

inline std::shared_ptr<Predictor> CreatePredictor(const Config &config) {
  return std::make_shared<Predictor>(config);
}
inline std::string GetVersion() { return "twinoar"; }
inline int GetNumBytesOfDataType(DataType dtype) {
  return static_cast<int>(twinoar_itemsize(twinoar::Types()[static_cast<size_t>(dtype)].c_str()));
}

namespace services {

/* Predictors of one library for several threads. */
class PredictorPool {
 public:
  PredictorPool() = delete;
  PredictorPool(const PredictorPool &) = delete;
  PredictorPool &operator=(const PredictorPool &) = delete;
  explicit PredictorPool(const Config &config, size_t size = 1) : first_(CreatePredictor(config)) {
    twinoar::Require(size >= 1, "a PredictorPool has at least one predictor");
    for (size_t n = 1; n < size; ++n) others_.push_back(first_->Clone());
  }
  Predictor *Retrieve(size_t number) {
    twinoar::Require(number <= others_.size(), "the pool has fewer predictors");
    return number == 0 ? first_.get() : others_[number - 1].get();
  }
  Predictor *Retrive(size_t number) { return Retrieve(number); } /* as Paddle writes it */

 private:
  std::shared_ptr<Predictor> first_;
  std::vector<std::unique_ptr<Predictor>> others_;
};

}  // namespace services
}  // namespace paddle_infer

namespace paddle {
using AnalysisConfig = paddle_infer::Config;
using PaddleDType = paddle_infer::DataType;
using PaddlePlace = paddle_infer::PlaceType;
}  // namespace paddle

#endif
