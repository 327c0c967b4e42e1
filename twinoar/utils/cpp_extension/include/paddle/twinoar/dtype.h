// Element types: the enumeration, and the C++ type of each.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>

namespace paddle {

template <typename T>
using complex = std::complex<T>;

namespace detail {

inline float FloatOfBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

inline uint32_t BitsOfFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float HalfToFloat(uint16_t x) {
  const uint32_t sign = static_cast<uint32_t>(x & 0x8000u) << 16;
  const uint32_t exponent = (x >> 10) & 0x1f, fraction = x & 0x3ffu;
  if (exponent == 0x1f) return FloatOfBits(sign | 0x7f800000u | (fraction << 13));
  if (exponent != 0) return FloatOfBits(sign | ((exponent + 112) << 23) | (fraction << 13));
  const float value = static_cast<float>(fraction) * 0x1p-24f;
  return sign != 0 ? -value : value;
}

// Rounds to nearest, ties to even.
inline uint16_t FloatToHalf(float value) {
  const uint32_t bits = BitsOfFloat(value), sign = (bits >> 16) & 0x8000u, rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);
  if (rest >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);
  if (rest < 0x38800000u) {  // subnormal: adding 0.5 leaves the rounded fraction in the low bits
    return static_cast<uint16_t>(sign | (BitsOfFloat(FloatOfBits(rest) + 0.5f) - 0x3f000000u));
  }
  return static_cast<uint16_t>(sign | ((rest - 0x38000000u + 0xfffu + ((rest >> 13) & 1u)) >> 13));
}

inline uint16_t FloatToBfloat(float value) {
  const uint32_t bits = BitsOfFloat(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

}  // namespace detail

struct float16 {
  uint16_t x = 0;
  float16() = default;
  template <typename T>
  explicit float16(T value) : x(detail::FloatToHalf(static_cast<float>(value))) {}
  operator float() const { return detail::HalfToFloat(x); }
  template <typename T>
  float16& operator+=(T value) { return *this = float16(float(*this) + float(value)); }
};

struct bfloat16 {
  uint16_t x = 0;
  bfloat16() = default;
  template <typename T>
  explicit bfloat16(T value) : x(detail::FloatToBfloat(static_cast<float>(value))) {}
  operator float() const { return detail::FloatOfBits(static_cast<uint32_t>(x) << 16); }
  template <typename T>
  bfloat16& operator+=(T value) { return *this = bfloat16(float(*this) + float(value)); }
};

// Each element type: name of the enumerator, C++ type, name in Python.
#define TWINOAR_DTYPES(ENTRY)                      \
  ENTRY(BOOL, bool, "bool")                        \
  ENTRY(UINT8, uint8_t, "uint8")                   \
  ENTRY(INT8, int8_t, "int8")                      \
  ENTRY(INT16, int16_t, "int16")                   \
  ENTRY(INT32, int32_t, "int32")                   \
  ENTRY(INT64, int64_t, "int64")                   \
  ENTRY(FLOAT16, ::paddle::float16, "float16")     \
  ENTRY(BFLOAT16, ::paddle::bfloat16, "bfloat16")  \
  ENTRY(FLOAT32, float, "float32")                 \
  ENTRY(FLOAT64, double, "float64")                \
  ENTRY(COMPLEX64, ::std::complex<float>, "complex64") \
  ENTRY(COMPLEX128, ::std::complex<double>, "complex128")

#define TWINOAR_ENUMERATOR(NAME, TYPE, PYTHON) NAME,
enum class DataType : int32_t { UNDEFINED, TWINOAR_DTYPES(TWINOAR_ENUMERATOR) NUM_DATA_TYPES };
#undef TWINOAR_ENUMERATOR

namespace detail {

template <typename T>
struct DataTypeOf {
  static constexpr DataType value = DataType::UNDEFINED;
};
#define TWINOAR_TYPE(NAME, TYPE, PYTHON)                 \
  template <>                                            \
  struct DataTypeOf<TYPE> {                              \
    static constexpr DataType value = DataType::NAME;    \
  };
TWINOAR_DTYPES(TWINOAR_TYPE)
#undef TWINOAR_TYPE

}  // namespace detail

inline size_t SizeOf(DataType dtype) {
  switch (dtype) {
#define TWINOAR_SIZE(NAME, TYPE, PYTHON) \
  case DataType::NAME:                   \
    return sizeof(TYPE);
    TWINOAR_DTYPES(TWINOAR_SIZE)
#undef TWINOAR_SIZE
    default:
      return 0;
  }
}

inline const char* DataTypeToString(DataType dtype) {
  switch (dtype) {
#define TWINOAR_NAME(NAME, TYPE, PYTHON) \
  case DataType::NAME:                   \
    return PYTHON;
    TWINOAR_DTYPES(TWINOAR_NAME)
#undef TWINOAR_NAME
    default:
      return "undefined";
  }
}

inline std::ostream& operator<<(std::ostream& out, DataType dtype) {
  return out << DataTypeToString(dtype);
}

}  // namespace paddle

namespace phi {
using DataType = ::paddle::DataType;
using float16 = ::paddle::float16;
using bfloat16 = ::paddle::bfloat16;
namespace dtype {
using float16 = ::paddle::float16;
using bfloat16 = ::paddle::bfloat16;
template <typename T>
using complex = ::std::complex<T>;
}  // namespace dtype
}  // namespace phi
