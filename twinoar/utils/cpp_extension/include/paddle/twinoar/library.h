// The C functions by which Python describes and calls the operators of a library. Errors are
// texts: a function that fails returns null, and twinoar_error() says why.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "paddle/twinoar/operator.h"

#define TWINOAR_EXPORT extern "C" __attribute__((visibility("default"), used)) inline

namespace paddle {
namespace detail {

constexpr int kInterface = 1;  // the number of this interface

// A tensor that goes in; `data` is null in inference.
struct TensorView {
  void* data;
  const int64_t* shape;
  int32_t rank;
  int32_t dtype;
};

// An attribute that goes in: an array of its elements; strings follow each other, each ends in 0.
struct AttributeView {
  const void* data;
  int64_t count;
};

// A tensor that comes out, and the handle that keeps its memory.
struct ResultView {
  void* handle;
  void* data;
  const int64_t* shape;
  int32_t rank;
  int32_t dtype;
};

__attribute__((visibility("hidden"))) inline std::string& LastError() {
  static thread_local std::string text;
  return text;
}

template <typename F>
void* Guarded(F&& function) {
  try {
    return function();
  } catch (const std::exception& error) {
    LastError() = error.what();
  } catch (...) {
    LastError() = "an exception that is no std::exception";
  }
  return nullptr;
}

inline bool IsVector(const std::string& name) { return name.find("@VECTOR") != std::string::npos; }

// The type of an attribute declared as `name: type`, and maybe `= default`.
inline std::string TypeOf(const std::string& declaration) {
  const size_t begin = declaration.find(':') + 1;
  std::string type = declaration.substr(begin, declaration.find('=') - begin);
  type.erase(std::remove(type.begin(), type.end(), ' '), type.end());
  return type;
}

template <typename T>
std::any NumberOrList(bool is_list, const AttributeView& view) {
  const T* data = static_cast<const T*>(view.data);
  if (is_list) return std::vector<T>(data, data + view.count);
  return T(*data);
}

inline std::any AttributeOf(const std::string& type, const AttributeView& view) {
  const bool is_list = type.rfind("std::vector<", 0) == 0;
  const std::string element = is_list ? type.substr(12, type.size() - 13) : type;
  if (element == "bool") return NumberOrList<bool>(is_list, view);
  if (element == "int") return NumberOrList<int>(is_list, view);
  if (element == "int64_t") return NumberOrList<int64_t>(is_list, view);
  if (element == "float") return NumberOrList<float>(is_list, view);
  if (element == "double") return NumberOrList<double>(is_list, view);
  std::vector<std::string> texts;
  const char* next = static_cast<const char*>(view.data);
  for (int64_t i = 0; i < view.count; ++i, next += texts.back().size() + 1) texts.emplace_back(next);
  if (is_list) return texts;
  return texts.at(0);
}

template <typename V, typename F>
Call<V> CallOf(const OpMetaInfo& op, const TensorView* tensors, const int64_t* counts,
               const AttributeView* attributes, F&& value_of) {
  Call<V> call;
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    call.inputs.emplace_back();
    if (counts[i] < 0) continue;  // None
    call.inputs.back() = std::vector<V>();
    for (int64_t k = 0; k < counts[i]; ++k) call.inputs.back()->push_back(value_of(*tensors++));
  }
  for (const auto& declaration : op.attributes) {
    call.attributes.push_back(AttributeOf(TypeOf(declaration), *attributes++));
  }
  return call;
}

inline std::vector<int64_t> ShapeOf(const TensorView& x) { return {x.shape, x.shape + x.rank}; }

inline DataType DataTypeOfView(const TensorView& x) { return static_cast<DataType>(x.dtype); }

// The outputs in their declared order: those computed in place are the inputs that changed, the
// others what the kernel returned.
inline std::vector<Tensor> Outputs(const OpMetaInfo& op, const Call<Tensor>& call,
                                   const std::vector<Tensor>& returned) {
  if (op.inplace.empty()) return returned;
  std::vector<Tensor> found;
  size_t next = 0, own = 0;
  for (const auto& name : op.outputs) {
    own += std::none_of(op.inplace.begin(), op.inplace.end(),
                        [&](const auto& pair) { return pair.second == name; });
  }
  for (const auto& name : op.outputs) {
    const auto pair = std::find_if(op.inplace.begin(), op.inplace.end(),
                                   [&](const auto& candidate) { return candidate.second == name; });
    if (pair == op.inplace.end()) {
      const size_t count = IsVector(name) ? returned.size() - own + 1 : 1;
      for (size_t k = 0; k < count; ++k) found.push_back(returned.at(next++));
      continue;
    }
    const auto slot = std::find(op.inputs.begin(), op.inputs.end(), pair->first) - op.inputs.begin();
    PD_CHECK(slot < static_cast<int64_t>(op.inputs.size()), "there is no input ", pair->first);
    if (call.inputs[slot].has_value()) {
      found.insert(found.end(), call.inputs[slot]->begin(), call.inputs[slot]->end());
    }
  }
  return found;
}

inline std::vector<Tensor> Run(const OpMetaInfo& op, const TensorView* tensors,
                               const int64_t* counts, const AttributeView* attributes) {
  PD_CHECK(op.kernel != nullptr, "the operator has no kernel: SetKernelFn is missing");
  auto call = CallOf<Tensor>(op, tensors, counts, attributes, [](const TensorView& x) {
    return Tensor::Borrowed(x.data, ShapeOf(x), DataTypeOfView(x));
  });
  auto results = Outputs(op, call, op.kernel(&call));
  for (size_t i = 0; i < results.size(); ++i) {
    PD_CHECK(results[i].initialized(), "the kernel returned a tensor without data as output ", i);
    if (results[i].is_borrowed()) results[i] = results[i].copy_to(CPUPlace());
  }
  return results;
}

inline std::vector<Tensor> InferShapes(const OpMetaInfo& op, const TensorView* tensors,
                                       const int64_t* counts, const AttributeView* attributes) {
  auto call = CallOf<std::vector<int64_t>>(op, tensors, counts, attributes, ShapeOf);
  std::vector<Tensor> found;
  for (const auto& shape : op.infer_shape(&call)) {
    found.push_back(Tensor::Described(shape, DataType::UNDEFINED));
  }
  return found;
}

inline std::vector<Tensor> InferTypes(const OpMetaInfo& op, const TensorView* tensors,
                                      const int64_t* counts, const AttributeView* attributes) {
  auto call = CallOf<DataType>(op, tensors, counts, attributes, DataTypeOfView);
  std::vector<Tensor> found;
  for (const DataType dtype : op.infer_dtype(&call)) {
    PD_CHECK(SizeOf(dtype) != 0, "the function for element types returned an undefined one");
    found.push_back(Tensor::Described({}, dtype));
  }
  return found;
}

using Results = std::vector<Tensor>;

// A result that Python keeps.
struct Taken {
  Tensor tensor;
  std::vector<int64_t> shape;
};

template <typename F>
void* Called(F&& function, int32_t op, const TensorView* tensors, const int64_t* counts,
             const AttributeView* attributes) {
  return Guarded([&] { return new Results(function(Operators().at(op), tensors, counts, attributes)); });
}

// All operators, as lines of a word and what it says; before them the types, in their order.
__attribute__((visibility("hidden"))) inline const std::string& Description() {
  static std::string text;
  text = "interface " + std::to_string(kInterface) + "\n";
  for (int32_t i = 1; i < static_cast<int32_t>(DataType::NUM_DATA_TYPES); ++i) {
    text += std::string("dtype ") + DataTypeToString(static_cast<DataType>(i)) + "\n";
  }
  for (const auto& op : Operators()) {
    text += "operator " + op.name + "\n";
    for (const auto& name : op.inputs) text += "input " + name + "\n";
    for (const auto& name : op.outputs) text += "output " + name + "\n";
    for (const auto& declaration : op.attributes) text += "attribute " + declaration + "\n";
    for (const auto& [input, output] : op.inplace) text += "inplace " + input + " " + output + "\n";
    if (op.infer_shape) text += "infers shape\n";
    if (op.infer_dtype) text += "infers dtype\n";
  }
  return text;
}

}  // namespace detail
}  // namespace paddle

TWINOAR_EXPORT const char* twinoar_operators() { return paddle::detail::Description().c_str(); }

TWINOAR_EXPORT const char* twinoar_error() { return paddle::detail::LastError().c_str(); }

TWINOAR_EXPORT void* twinoar_run(int32_t op, const paddle::detail::TensorView* tensors,
                                 const int64_t* counts,
                                 const paddle::detail::AttributeView* attributes) {
  return paddle::detail::Called(paddle::detail::Run, op, tensors, counts, attributes);
}

TWINOAR_EXPORT void* twinoar_infer_shapes(int32_t op, const paddle::detail::TensorView* tensors,
                                          const int64_t* counts,
                                          const paddle::detail::AttributeView* attributes) {
  return paddle::detail::Called(paddle::detail::InferShapes, op, tensors, counts, attributes);
}

TWINOAR_EXPORT void* twinoar_infer_dtypes(int32_t op, const paddle::detail::TensorView* tensors,
                                          const int64_t* counts,
                                          const paddle::detail::AttributeView* attributes) {
  return paddle::detail::Called(paddle::detail::InferTypes, op, tensors, counts, attributes);
}

TWINOAR_EXPORT int64_t twinoar_count(void* results) {
  return static_cast<paddle::detail::Results*>(results)->size();
}

// Moves result `i` out. The handle keeps its memory and its shape until it is released.
TWINOAR_EXPORT void twinoar_take(void* results, int64_t i, paddle::detail::ResultView* view) {
  paddle::Tensor& x = (*static_cast<paddle::detail::Results*>(results))[i];
  auto* taken = new paddle::detail::Taken{x, x.shape()};
  x = paddle::Tensor();
  *view = {taken, taken->tensor.data(), taken->shape.data(),
           static_cast<int32_t>(taken->shape.size()), static_cast<int32_t>(taken->tensor.dtype())};
}

TWINOAR_EXPORT void twinoar_release(void* handle) {
  delete static_cast<paddle::detail::Taken*>(handle);
}

TWINOAR_EXPORT void twinoar_free(void* results) {
  delete static_cast<paddle::detail::Results*>(results);
}
