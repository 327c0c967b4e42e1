// paddle::Tensor: a handle of a dense array in memory; copies of a handle mean the same array.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "paddle/twinoar/dtype.h"
#include "paddle/twinoar/error.h"

namespace paddle {

enum class PlaceType { kUNK = -1, kCPU, kGPU };

class Place {
 public:
  Place() = default;
  Place(PlaceType type) : type_(type) {}  // NOLINT: Paddle's code compares and passes both
  PlaceType GetType() const { return type_; }
  bool operator==(const Place& other) const { return type_ == other.type_; }
  bool operator!=(const Place& other) const { return type_ != other.type_; }

 private:
  PlaceType type_ = PlaceType::kCPU;
};

struct CPUPlace : Place {
  CPUPlace() : Place(PlaceType::kCPU) {}
};

struct GPUPlace : Place {
  explicit GPUPlace(int = 0) : Place(PlaceType::kGPU) {}
};

inline std::ostream& operator<<(std::ostream& out, const Place& place) {
  return out << (place == CPUPlace() ? "Place(cpu)" : "Place(gpu)");
}

using IntArray = std::vector<int64_t>;

class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(const Place& place) : Tensor(place, {}) {}
  Tensor(const Place& place, const std::vector<int64_t>& shape) : impl_(std::make_shared<Impl>()) {
    PD_CHECK(place == CPUPlace(), "there is no device but the CPU");
    impl_->shape = shape;
  }

  // An array with memory of its own, not filled.
  static Tensor Allocate(const std::vector<int64_t>& shape, DataType dtype) {
    Tensor made((CPUPlace()), shape);
    made.Allocate(dtype);
    return made;
  }

  // The shape and element type of an array, without memory.
  static Tensor Described(const std::vector<int64_t>& shape, DataType dtype) {
    Tensor made((CPUPlace()), shape);
    made.impl_->dtype = dtype;
    return made;
  }

  // An array in memory that belongs to the caller.
  static Tensor Borrowed(void* data, const std::vector<int64_t>& shape, DataType dtype) {
    Tensor made = Described(shape, dtype);
    made.impl_->memory = std::shared_ptr<void>(data, [](void*) {});
    made.impl_->borrowed = true;
    return made;
  }

  bool defined() const { return impl_ != nullptr; }
  bool initialized() const { return defined() && impl_->memory != nullptr; }
  bool is_initialized() const { return initialized(); }
  bool is_dense_tensor() const { return true; }
  bool is_selected_rows() const { return false; }
  bool is_sparse_coo_tensor() const { return false; }
  bool is_sparse_csr_tensor() const { return false; }
  bool is_cpu() const { return true; }
  bool is_gpu() const { return false; }
  bool is_custom_device() const { return false; }
  bool is_borrowed() const { return Get().borrowed; }
  Place place() const { return CPUPlace(); }

  std::vector<int64_t> shape() const { return Get().shape; }
  std::vector<int64_t> dims() const { return Get().shape; }
  DataType dtype() const { return Get().dtype; }
  DataType type() const { return Get().dtype; }
  int64_t numel() const {
    const auto& s = Get().shape;
    return std::accumulate(s.begin(), s.end(), int64_t{1}, std::multiplies<int64_t>());
  }
  int64_t size() const { return numel(); }
  std::vector<int64_t> strides() const {
    std::vector<int64_t> found(Get().shape.size(), 1);
    for (size_t i = found.size(); i-- > 1;) found[i - 1] = found[i] * Get().shape[i];
    return found;
  }
  bool is_contiguous() const { return true; }
  Tensor contiguous() const { return *this; }
  const std::string& name() const { return Get().name; }
  void set_name(const std::string& name) { Get().name = name; }

  const void* data() const { return Get().data(); }
  void* data() { return Get().data(); }
  template <typename T>
  const T* data() const {
    return static_cast<const T*>(Typed<T>());
  }
  template <typename T>
  T* data() {
    return static_cast<T*>(Typed<T>());
  }
  template <typename T>
  T* mutable_data() {
    const DataType wanted = detail::DataTypeOf<T>::value;
    if (!initialized() || dtype() != wanted) Allocate(wanted);
    return data<T>();
  }
  template <typename T>
  T* mutable_data(const Place& place) {
    PD_CHECK(place == CPUPlace(), "there is no device but the CPU");
    return mutable_data<T>();
  }

  void reshape(const std::vector<int64_t>& shape) {
    const Tensor wanted = Described(shape, dtype());
    PD_CHECK(!initialized() || wanted.numel() == numel(), "an array of ", numel(),
             " elements cannot be reshaped to ", wanted.numel());
    Get().shape = shape;
  }

  // A copy of the elements.
  Tensor copy_to(const Place& place, bool blocking = true) const {
    PD_CHECK(place == CPUPlace() && blocking, "there is no device but the CPU");
    Tensor copy = Allocate(shape(), dtype());
    std::memcpy(copy.data(), data(), numel() * SizeOf(dtype()));
    return copy;
  }
  template <typename T>
  Tensor copy_to(const Place& place) const {
    Typed<T>();
    return copy_to(place);
  }

  // Rows [begin, end) of the same array.
  Tensor slice(int64_t begin, int64_t end) const {
    PD_CHECK(!Get().shape.empty() && 0 <= begin && begin <= end && end <= Get().shape[0],
             "rows ", begin, " to ", end, " are not all in the array");
    Tensor rows;
    rows.impl_ = std::make_shared<Impl>(Get());
    rows.impl_->shape[0] = end - begin;
    const int64_t row = Get().shape[0] == 0 ? 0 : numel() / Get().shape[0];
    rows.impl_->offset += begin * row * SizeOf(dtype());
    return rows;
  }

  // The elements as another type. A template, as it makes code for each pair of types.
  template <typename = void>
  Tensor cast(DataType target) const;

 private:
  struct Impl {
    std::vector<int64_t> shape;
    DataType dtype = DataType::UNDEFINED;
    std::shared_ptr<void> memory;
    size_t offset = 0;
    bool borrowed = false;
    std::string name;
    void* data() { return static_cast<char*>(memory.get()) + (memory ? offset : 0); }
  };

  Impl& Get() const {
    PD_CHECK(impl_ != nullptr, "the Tensor is empty: it has neither shape nor data");
    return *impl_;
  }

  template <typename T>
  void* Typed() const {
    if (detail::DataTypeOf<T>::value != Get().dtype) {
      PD_THROW("the Tensor has elements of type ", Get().dtype, ", data<T>() asks for ",
               DataTypeToString(detail::DataTypeOf<T>::value));
    }
    return Get().data();
  }

  void Allocate(DataType dtype) {
    constexpr size_t kLine = 64;
    const size_t bytes = static_cast<size_t>(numel()) * SizeOf(dtype);
    void* memory = std::aligned_alloc(kLine, std::max<size_t>((bytes + kLine - 1) / kLine, 1) * kLine);
    if (memory == nullptr) throw std::bad_alloc();
    impl_->memory = std::shared_ptr<void>(memory, std::free);
    impl_->offset = 0;
    impl_->borrowed = false;
    impl_->dtype = dtype;
  }

  std::shared_ptr<Impl> impl_;
};

inline Tensor empty(const IntArray& shape, DataType dtype = DataType::FLOAT32,
                    const Place& place = CPUPlace()) {
  PD_CHECK(place == CPUPlace(), "there is no device but the CPU");
  return Tensor::Allocate(shape, dtype);
}

template <typename V>
Tensor full(const IntArray& shape, const V& value, DataType dtype = DataType::FLOAT32,
            const Place& place = CPUPlace());

inline Tensor zeros(const IntArray& shape, DataType dtype = DataType::FLOAT32,
                    const Place& place = CPUPlace()) {
  Tensor made = empty(shape, dtype, place);
  std::memset(made.data(), 0, made.numel() * SizeOf(dtype));
  return made;
}

inline Tensor ones(const IntArray& shape, DataType dtype = DataType::FLOAT32,
                   const Place& place = CPUPlace()) {
  return full(shape, 1, dtype, place);
}

namespace detail {
inline DataType Chosen(DataType asked, const Tensor& x) {
  return asked == DataType::UNDEFINED ? x.dtype() : asked;
}
}  // namespace detail

inline Tensor empty_like(const Tensor& x, DataType dtype = DataType::UNDEFINED,
                         const Place& place = CPUPlace()) {
  return empty(x.shape(), detail::Chosen(dtype, x), place);
}

inline Tensor zeros_like(const Tensor& x, DataType dtype = DataType::UNDEFINED,
                         const Place& place = CPUPlace()) {
  return zeros(x.shape(), detail::Chosen(dtype, x), place);
}

inline Tensor ones_like(const Tensor& x, DataType dtype = DataType::UNDEFINED,
                        const Place& place = CPUPlace()) {
  return ones(x.shape(), detail::Chosen(dtype, x), place);
}

template <typename V>
Tensor full_like(const Tensor& x, const V& value, DataType dtype = DataType::UNDEFINED,
                 const Place& place = CPUPlace()) {
  return full(x.shape(), value, detail::Chosen(dtype, x), place);
}

namespace experimental {  // where Paddle 2.1 to 2.3 had them
using ::paddle::empty;
using ::paddle::empty_like;
using ::paddle::full;
using ::paddle::full_like;
using ::paddle::ones;
using ::paddle::ones_like;
using ::paddle::zeros;
using ::paddle::zeros_like;
}  // namespace experimental

}  // namespace paddle
