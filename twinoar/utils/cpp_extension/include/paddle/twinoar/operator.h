// Declares operators: PD_BUILD_OP and its relatives, and what their functions are called with.
#pragma once

#include <any>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "paddle/twinoar/tensor.h"

namespace paddle {

// std::optional with the two names more that Paddle's has.
template <typename T>
class optional : public std::optional<T> {
 public:
  using std::optional<T>::optional;
  const T& get() const { return this->value(); }
  T& get() { return this->value(); }
  bool is_initialized() const { return this->has_value(); }
};
inline constexpr std::nullopt_t none = std::nullopt;

// How the names of inputs and outputs are marked.
inline std::string Grad(const std::string& name) { return name + "@GRAD"; }
inline std::string New(const std::string& name) { return name + "@NEW"; }
inline std::string Vec(const std::string& name) { return name + "@VECTOR"; }
inline std::string Optional(const std::string& name) { return name + "@OPTIONAL"; }

namespace detail {

template <typename T>
T Owned(const T& value) {
  return value;
}
inline Tensor Owned(const Tensor& x) { return x.copy_to(CPUPlace()); }
inline std::vector<Tensor> Owned(const std::vector<Tensor>& xs) {
  std::vector<Tensor> copies;
  for (const auto& x : xs) copies.push_back(Owned(x));
  return copies;
}

// One call of an operator's function. V is what it gets of an input: Tensor for the kernel, its
// shape or element type for inference. Parameters are read from left to right.
template <typename V>
class Call {
 public:
  std::vector<optional<std::vector<V>>> inputs;
  std::vector<std::any> attributes;

  // The next argument, as a parameter declared `Parameter`. One that the function may change gets
  // a copy of the data.
  template <typename Parameter>
  std::decay_t<Parameter> Next() {
    constexpr bool kMutable =
        std::is_lvalue_reference_v<Parameter> && !std::is_const_v<std::remove_reference_t<Parameter>>;
    return Read<kMutable>(static_cast<std::decay_t<Parameter>*>(nullptr));
  }

  bool Exhausted() const { return input_ == inputs.size(); }

 private:
  template <bool kMutable>
  V Read(V*) {
    if constexpr (std::is_same_v<V, std::vector<int64_t>>) {
      if (Exhausted()) return Attribute<V>();  // after the shapes, a list of integers
    }
    auto& slot = Present();
    PD_CHECK(slot.size() == 1, "expected one tensor for a parameter, received ", slot.size());
    if constexpr (kMutable) slot[0] = Owned(slot[0]);
    return slot[0];
  }
  template <bool kMutable>
  std::vector<V> Read(std::vector<V>*) {
    auto& slot = Present();
    if constexpr (kMutable) slot = Owned(slot);
    return slot;
  }
  template <bool kMutable>
  optional<V> Read(optional<V>*) {
    if (!Peek().has_value()) return ++input_, none;
    return Read<kMutable>(static_cast<V*>(nullptr));
  }
  template <bool kMutable>
  optional<std::vector<V>> Read(optional<std::vector<V>>*) {
    if (!Peek().has_value()) return ++input_, none;
    return Read<kMutable>(static_cast<std::vector<V>*>(nullptr));
  }
  template <bool kMutable, typename T>
  T Read(T*) {
    return Attribute<T>();
  }

  template <typename T>
  T Attribute() {
    PD_CHECK(attribute_ < attributes.size(), "the function has more parameters than the operator ",
             "has inputs and attributes");
    const std::any& value = attributes[attribute_++];
    const T* found = std::any_cast<T>(&value);
    PD_CHECK(found != nullptr, "attribute ", attribute_ - 1, " is declared with another type than ",
             "the function has");
    return *found;
  }

  optional<std::vector<V>>& Peek() {
    PD_CHECK(!Exhausted(), "the function has more parameters than the operator has inputs");
    return inputs[input_];
  }
  std::vector<V>& Present() {
    auto& slot = Peek();
    PD_CHECK(slot.has_value(), "input ", input_, " is None, and the function takes no optional");
    ++input_;
    return *slot;
  }

  size_t input_ = 0, attribute_ = 0;
};

template <typename R>
void Collect(std::vector<R>* results, R&& value) {
  results->push_back(std::move(value));
}
template <typename R>
void Collect(std::vector<R>* results, std::vector<R>&& values) {
  for (auto& value : values) results->push_back(std::move(value));
}
template <typename R>
void Collect(std::vector<R>* results, std::vector<std::vector<R>>&& values) {
  for (auto& value : values) Collect(results, std::move(value));
}
template <typename R, typename... Parts>
void Collect(std::vector<R>* results, std::tuple<Parts...>&& values) {
  std::apply([&](Parts&... part) { (Collect(results, std::move(part)), ...); }, values);
}

// A function of the user's as one that takes a Call and returns a list.
template <typename V, typename R, typename... Parameters>
std::function<std::vector<V>(Call<V>*)> Adapted(R (*function)(Parameters...)) {
  return [function](Call<V>* call) {
    std::tuple<std::decay_t<Parameters>...> given{call->template Next<Parameters>()...};
    PD_CHECK(call->Exhausted(), "the function has fewer parameters than the operator has inputs");
    std::vector<V> results;
    auto run = [&](auto&... values) -> R {
      return function(static_cast<std::conditional_t<std::is_lvalue_reference_v<Parameters>,
                                                     Parameters, std::decay_t<Parameters>&&>>(values)...);
    };
    if constexpr (std::is_void_v<R>) {
      std::apply(run, given);
    } else {
      Collect<V>(&results, std::apply(run, given));
    }
    return results;
  };
}

}  // namespace detail

using KernelFunc = std::function<std::vector<Tensor>(detail::Call<Tensor>*)>;
using InferShapeFunc =
    std::function<std::vector<std::vector<int64_t>>(detail::Call<std::vector<int64_t>>*)>;
using InferDtypeFunc = std::function<std::vector<DataType>(detail::Call<DataType>*)>;

// All that is declared of one operator.
struct OpMetaInfo {
  std::string name;
  std::vector<std::string> inputs, outputs, attributes;
  std::unordered_map<std::string, std::string> inplace;  // input -> output
  KernelFunc kernel;
  InferShapeFunc infer_shape;
  InferDtypeFunc infer_dtype;
};

namespace detail {

// The operators of this library. Hidden, so that two libraries in a process have one each.
__attribute__((visibility("hidden"))) inline std::deque<OpMetaInfo>& Operators() {
  static std::deque<OpMetaInfo> operators;
  return operators;
}

}  // namespace detail

class OpMetaInfoBuilder {
 public:
  OpMetaInfoBuilder(const std::string& name, int order) {
    detail::Operators().emplace_back();
    info_ = &detail::Operators().back();
    info_->name = name;
    for (int i = 0; i < order; ++i) info_->name += "_grad";
  }
  OpMetaInfoBuilder& Inputs(std::vector<std::string> names) {
    info_->inputs = std::move(names);
    return *this;
  }
  OpMetaInfoBuilder& Outputs(std::vector<std::string> names) {
    info_->outputs = std::move(names);
    return *this;
  }
  OpMetaInfoBuilder& Attrs(std::vector<std::string> declarations) {
    info_->attributes = std::move(declarations);
    return *this;
  }
  OpMetaInfoBuilder& SetInplaceMap(std::unordered_map<std::string, std::string> inplace) {
    info_->inplace = std::move(inplace);
    return *this;
  }
  OpMetaInfoBuilder& SetKernelFn(KernelFunc function) {
    info_->kernel = std::move(function);
    return *this;
  }
  OpMetaInfoBuilder& SetInferShapeFn(InferShapeFunc function) {
    info_->infer_shape = std::move(function);
    return *this;
  }
  OpMetaInfoBuilder& SetInferDtypeFn(InferDtypeFunc function) {
    info_->infer_dtype = std::move(function);
    return *this;
  }

 private:
  OpMetaInfo* info_;
};

}  // namespace paddle

#define PD_KERNEL(...) ::paddle::detail::Adapted<::paddle::Tensor>(&__VA_ARGS__)
#define PD_INFER_SHAPE(...) ::paddle::detail::Adapted<std::vector<int64_t>>(&__VA_ARGS__)
#define PD_INFER_DTYPE(...) ::paddle::detail::Adapted<::paddle::DataType>(&__VA_ARGS__)

#define TWINOAR_BUILD_OP(NAME, ORDER, VARIABLE) \
  [[maybe_unused]] static ::paddle::OpMetaInfoBuilder VARIABLE = ::paddle::OpMetaInfoBuilder(#NAME, ORDER)

#define PD_BUILD_OP(NAME) TWINOAR_BUILD_OP(NAME, 0, twinoar_op_##NAME)
#define PD_BUILD_GRAD_OP(NAME) TWINOAR_BUILD_OP(NAME, 1, twinoar_grad_op_##NAME)
#define PD_BUILD_DOUBLE_GRAD_OP(NAME) TWINOAR_BUILD_OP(NAME, 2, twinoar_double_grad_op_##NAME)
