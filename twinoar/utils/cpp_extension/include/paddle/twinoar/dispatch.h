// PD_DISPATCH_*: run code with `data_t` as the C++ type of an element type.
#pragma once

#include <type_traits>

#include "paddle/twinoar/tensor.h"

#define TWINOAR_CASE(ENUMERATOR, TYPE, ...) \
  case ENUMERATOR: {                        \
    using data_t = TYPE;                    \
    __VA_ARGS__();                          \
    break;                                  \
  }

#define TWINOAR_SWITCH(DTYPE, NAME, CASES)                                               \
  do {                                                                                   \
    const ::paddle::DataType dispatched = (DTYPE);                                       \
    switch (dispatched) {                                                                \
      CASES default : PD_THROW(NAME, " is not implemented for the data type ", dispatched); \
    }                                                                                    \
  } while (false)

#define TWINOAR_FLOATING_CASES(...)                              \
  TWINOAR_CASE(::paddle::DataType::FLOAT32, float, __VA_ARGS__)  \
  TWINOAR_CASE(::paddle::DataType::FLOAT64, double, __VA_ARGS__)

#define TWINOAR_HALF_CASES(...)                                               \
  TWINOAR_CASE(::paddle::DataType::FLOAT16, ::paddle::float16, __VA_ARGS__)   \
  TWINOAR_CASE(::paddle::DataType::BFLOAT16, ::paddle::bfloat16, __VA_ARGS__)

#define TWINOAR_INTEGRAL_CASES(...)                                \
  TWINOAR_CASE(::paddle::DataType::UINT8, uint8_t, __VA_ARGS__)    \
  TWINOAR_CASE(::paddle::DataType::INT8, int8_t, __VA_ARGS__)      \
  TWINOAR_CASE(::paddle::DataType::INT16, int16_t, __VA_ARGS__)    \
  TWINOAR_CASE(::paddle::DataType::INT32, int32_t, __VA_ARGS__)    \
  TWINOAR_CASE(::paddle::DataType::INT64, int64_t, __VA_ARGS__)

#define TWINOAR_COMPLEX_CASES(...)                                                \
  TWINOAR_CASE(::paddle::DataType::COMPLEX64, ::paddle::complex<float>, __VA_ARGS__) \
  TWINOAR_CASE(::paddle::DataType::COMPLEX128, ::paddle::complex<double>, __VA_ARGS__)

#define PD_DISPATCH_FLOATING_TYPES(DTYPE, NAME, ...) \
  TWINOAR_SWITCH(DTYPE, NAME, TWINOAR_FLOATING_CASES(__VA_ARGS__))

#define PD_DISPATCH_FLOATING_AND_HALF_TYPES(DTYPE, NAME, ...) \
  TWINOAR_SWITCH(DTYPE, NAME, TWINOAR_FLOATING_CASES(__VA_ARGS__) TWINOAR_HALF_CASES(__VA_ARGS__))

#define PD_DISPATCH_INTEGRAL_TYPES(DTYPE, NAME, ...) \
  TWINOAR_SWITCH(DTYPE, NAME, TWINOAR_INTEGRAL_CASES(__VA_ARGS__))

#define PD_DISPATCH_COMPLEX_TYPES(DTYPE, NAME, ...) \
  TWINOAR_SWITCH(DTYPE, NAME, TWINOAR_COMPLEX_CASES(__VA_ARGS__))

#define PD_DISPATCH_FLOATING_AND_INTEGRAL_TYPES(DTYPE, NAME, ...) \
  TWINOAR_SWITCH(DTYPE, NAME, TWINOAR_FLOATING_CASES(__VA_ARGS__) TWINOAR_INTEGRAL_CASES(__VA_ARGS__))

#define PD_DISPATCH_FLOATING_AND_COMPLEX_TYPES(DTYPE, NAME, ...) \
  TWINOAR_SWITCH(DTYPE, NAME, TWINOAR_FLOATING_CASES(__VA_ARGS__) TWINOAR_COMPLEX_CASES(__VA_ARGS__))

#define PD_DISPATCH_FLOATING_AND_INTEGRAL_AND_COMPLEX_TYPES(DTYPE, NAME, ...)              \
  TWINOAR_SWITCH(DTYPE, NAME,                                                              \
                 TWINOAR_FLOATING_CASES(__VA_ARGS__) TWINOAR_INTEGRAL_CASES(__VA_ARGS__)   \
                 TWINOAR_COMPLEX_CASES(__VA_ARGS__))

#define PD_DISPATCH_ALL_TYPES(DTYPE, NAME, ...)                                            \
  TWINOAR_SWITCH(DTYPE, NAME,                                                              \
                 TWINOAR_CASE(::paddle::DataType::BOOL, bool, __VA_ARGS__)                 \
                 TWINOAR_FLOATING_CASES(__VA_ARGS__) TWINOAR_HALF_CASES(__VA_ARGS__)       \
                 TWINOAR_INTEGRAL_CASES(__VA_ARGS__) TWINOAR_COMPLEX_CASES(__VA_ARGS__))

namespace paddle {
namespace detail {

template <typename T, typename V>
T Converted(const V& value) {
  if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    if constexpr (std::is_constructible_v<T, V>) return T(value);
    else return T(static_cast<typename T::value_type>(value));
  } else if constexpr (std::is_same_v<V, std::complex<float>> || std::is_same_v<V, std::complex<double>>) {
    return T(value.real());
  } else if constexpr (std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>) {
    return T(value);
  } else {
    return static_cast<T>(value);
  }
}

}  // namespace detail

template <typename V>
Tensor full(const IntArray& shape, const V& value, DataType dtype, const Place& place) {
  Tensor made = empty(shape, dtype, place);
  PD_DISPATCH_ALL_TYPES(dtype, "full", ([&] {
    std::fill_n(made.data<data_t>(), made.numel(), detail::Converted<data_t>(value));
  }));
  return made;
}

template <typename>
Tensor Tensor::cast(DataType target) const {
  Tensor made = Allocate(shape(), target);
  PD_DISPATCH_ALL_TYPES(dtype(), "cast", ([&] {
    using source_t = data_t;
    const source_t* source = data<source_t>();
    PD_DISPATCH_ALL_TYPES(target, "cast", ([&] {
      std::transform(source, source + numel(), made.data<data_t>(),
                     [](const source_t& x) { return detail::Converted<data_t>(x); });
    }));
  }));
  return made;
}

}  // namespace paddle
