// Checks that become Python errors: PD_CHECK, PD_THROW, and Paddle's PADDLE_ENFORCE family.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace paddle {

class PD_Exception : public std::runtime_error {
 public:
  PD_Exception(const std::string& message, const char* file, int line)
      : std::runtime_error(message + "\n  [" + file + ":" + std::to_string(line) + "]") {}
};

// All arguments, written one after the other.
template <typename... Parts>
std::string ErrorMessage(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

namespace detail {

inline void Format(std::ostringstream* text, const char* format) { *text << format; }

// Writes `format` with each %d, %s and so on replaced by an argument of any type.
template <typename First, typename... Rest>
void Format(std::ostringstream* text, const char* format, const First& first, const Rest&... rest) {
  for (; *format != '\0'; ++format) {
    if (*format != '%') {
      *text << *format;
    } else if (format[1] == '%') {
      *text << *++format;
    } else {
      ++format;
      while (*format != '\0' && std::string("diufFeEgGxXoscpaA").find(*format) == std::string::npos) ++format;
      *text << first;
      return Format(text, *format == '\0' ? format : format + 1, rest...);
    }
  }
}

}  // namespace detail

template <typename... Arguments>
std::string FormatMessage(const std::string& format, const Arguments&... arguments) {
  std::ostringstream text;
  detail::Format(&text, format.c_str(), arguments...);
  return text.str();
}

}  // namespace paddle

// The kinds of error that Paddle names; the kind becomes part of the message.
#define TWINOAR_ERROR_KIND(KIND)                                                       \
  template <typename... Arguments>                                                     \
  std::string KIND(const std::string& format, const Arguments&... arguments) {         \
    return "(" #KIND ") " + ::paddle::FormatMessage(format, arguments...);             \
  }

namespace common {
namespace errors {
TWINOAR_ERROR_KIND(InvalidArgument)
TWINOAR_ERROR_KIND(NotFound)
TWINOAR_ERROR_KIND(OutOfRange)
TWINOAR_ERROR_KIND(AlreadyExists)
TWINOAR_ERROR_KIND(ResourceExhausted)
TWINOAR_ERROR_KIND(PreconditionNotMet)
TWINOAR_ERROR_KIND(PermissionDenied)
TWINOAR_ERROR_KIND(ExecutionTimeout)
TWINOAR_ERROR_KIND(Unimplemented)
TWINOAR_ERROR_KIND(Unavailable)
TWINOAR_ERROR_KIND(Fatal)
TWINOAR_ERROR_KIND(External)
}  // namespace errors
}  // namespace common

namespace phi {
namespace errors = ::common::errors;
}
namespace paddle {
namespace platform {
namespace errors = ::common::errors;
}
}  // namespace paddle

#define PD_THROW(...) throw ::paddle::PD_Exception(::paddle::ErrorMessage(__VA_ARGS__), __FILE__, __LINE__)

#define PD_CHECK(CONDITION, ...)                                                              \
  do {                                                                                        \
    if (!(CONDITION)) {                                                                       \
      const std::string said = ::paddle::ErrorMessage("" __VA_OPT__(,) __VA_ARGS__);          \
      PD_THROW(said.empty() ? std::string("expected " #CONDITION) : said);                    \
    }                                                                                         \
  } while (false)

#define PADDLE_THROW(...) PD_THROW(__VA_ARGS__)
#define PADDLE_ENFORCE(CONDITION, ...) PD_CHECK(CONDITION, __VA_ARGS__)
#define PADDLE_ENFORCE_NOT_NULL(POINTER, ...) PD_CHECK((POINTER) != nullptr, __VA_ARGS__)

#define TWINOAR_COMPARE(A, B, SIGN, ...)                                                      \
  do {                                                                                        \
    const auto left = (A); /* by value: it may be a part of a temporary */                    \
    const auto right = (B);                                                                   \
    if (!(left SIGN right)) {                                                                 \
      PD_THROW(::paddle::ErrorMessage("" __VA_OPT__(,) __VA_ARGS__),                          \
               "\n  expected " #A " " #SIGN " " #B ", received ", left, " and ", right);      \
    }                                                                                         \
  } while (false)

#define PADDLE_ENFORCE_EQ(A, B, ...) TWINOAR_COMPARE(A, B, ==, __VA_ARGS__)
#define PADDLE_ENFORCE_NE(A, B, ...) TWINOAR_COMPARE(A, B, !=, __VA_ARGS__)
#define PADDLE_ENFORCE_GT(A, B, ...) TWINOAR_COMPARE(A, B, >, __VA_ARGS__)
#define PADDLE_ENFORCE_GE(A, B, ...) TWINOAR_COMPARE(A, B, >=, __VA_ARGS__)
#define PADDLE_ENFORCE_LT(A, B, ...) TWINOAR_COMPARE(A, B, <, __VA_ARGS__)
#define PADDLE_ENFORCE_LE(A, B, ...) TWINOAR_COMPARE(A, B, <=, __VA_ARGS__)
