// The operators that the tests build: one for each thing that a declaration can say.
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "paddle/extension.h"

using paddle::Tensor;
using Tensors = std::vector<Tensor>;
using Shape = std::vector<int64_t>;
using Shapes = std::vector<Shape>;

#define CHECK_INPUT(x) PD_CHECK(x.is_cpu(), #x " must be a CPU Tensor.")

// relu, with first and second gradients.
template <typename data_t>
void relu_kernel(const data_t* x, data_t* out, int64_t numel) {
  for (int64_t i = 0; i < numel; ++i) out[i] = x[i] > static_cast<data_t>(0.) ? x[i] : static_cast<data_t>(0.);
}

template <typename data_t>
void relu_grad_kernel(const data_t* g, const data_t* out, data_t* dx, int64_t numel) {
  for (int64_t i = 0; i < numel; ++i) dx[i] = out[i] > static_cast<data_t>(0.) ? g[i] : static_cast<data_t>(0.);
}

Tensors ReluForward(const Tensor& x) {
  CHECK_INPUT(x);
  auto out = paddle::empty_like(x);
  PD_DISPATCH_FLOATING_AND_HALF_TYPES(x.type(), "relu", ([&] {
    relu_kernel<data_t>(x.data<data_t>(), out.data<data_t>(), x.numel());
  }));
  return {out};
}

Tensors ReluBackward(const Tensor& x, const Tensor& out, const Tensor& grad_out) {
  auto grad_x = paddle::empty_like(x);
  PD_DISPATCH_FLOATING_TYPES(out.type(), "relu_grad", ([&] {
    relu_grad_kernel<data_t>(grad_out.data<data_t>(), out.data<data_t>(), grad_x.data<data_t>(), out.size());
  }));
  return {grad_x};
}

Tensors ReluDoubleBackward(const Tensor& out, const Tensor& ddx) {
  auto ddout = paddle::empty(out.shape(), out.dtype(), out.place());
  PD_DISPATCH_FLOATING_TYPES(out.type(), "relu_double_grad", ([&] {
    relu_grad_kernel<data_t>(ddx.data<data_t>(), out.data<data_t>(), ddout.data<data_t>(), out.size());
  }));
  return {ddout};
}

Shapes SameShape(Shape x) { return {x}; }
std::vector<paddle::DataType> SameType(paddle::DataType x) { return {x}; }
Shapes ReluDoubleBackwardShape(const Shape& out, const Shape& ddx) { return {out}; }

PD_BUILD_OP(cpp_relu)
    .Inputs({"X"})
    .Outputs({"Out"})
    .SetKernelFn(PD_KERNEL(ReluForward))
    .SetInferShapeFn(PD_INFER_SHAPE(SameShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(SameType));
PD_BUILD_GRAD_OP(cpp_relu)
    .Inputs({"X", "Out", paddle::Grad("Out")})
    .Outputs({paddle::Grad("X")})
    .SetKernelFn(PD_KERNEL(ReluBackward));
PD_BUILD_DOUBLE_GRAD_OP(cpp_relu)
    .Inputs({"Out", paddle::Grad(paddle::Grad("X"))})
    .Outputs({paddle::Grad(paddle::Grad("Out"))})
    .SetKernelFn(PD_KERNEL(ReluDoubleBackward))
    .SetInferShapeFn(PD_INFER_SHAPE(ReluDoubleBackwardShape));

// out = x^2 with a second gradient for both operands of the first.
Tensors Map(const Tensor& a, const Tensor& b, double scale) {
  auto out = paddle::empty_like(a);
  PD_DISPATCH_FLOATING_TYPES(a.dtype(), "map", ([&] {
    for (int64_t i = 0; i < a.numel(); ++i) out.data<data_t>()[i] = scale * a.data<data_t>()[i] * b.data<data_t>()[i];
  }));
  return {out};
}
Tensors SquareForward(const Tensor& x) { return Map(x, x, 1.0); }
Tensors SquareBackward(const Tensor& x, const Tensor& g) { return Map(x, g, 2.0); }
Tensors SquareDoubleBackward(const Tensor& x, const Tensor& g, const Tensor& ddx) {
  return {Map(ddx, g, 2.0)[0], Map(ddx, x, 2.0)[0]};
}
PD_BUILD_OP(cpp_square).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(SquareForward));
PD_BUILD_GRAD_OP(cpp_square)
    .Inputs({"X", paddle::Grad("Out")})
    .Outputs({paddle::Grad("X")})
    .SetKernelFn(PD_KERNEL(SquareBackward));
PD_BUILD_DOUBLE_GRAD_OP(cpp_square)
    .Inputs({"X", paddle::Grad("Out"), paddle::Grad(paddle::Grad("X"))})
    .Outputs({paddle::New(paddle::Grad("X")), paddle::Grad(paddle::Grad("Out"))})
    .SetKernelFn(PD_KERNEL(SquareDoubleBackward));

// Every kind of attribute, told back as numbers.
Tensors Attributes(const Tensor& x, bool flag, int number, float alpha, int64_t big, const std::string& text,
                   const std::vector<int>& ints, const std::vector<float>& floats, const std::vector<int64_t>& longs,
                   const std::vector<std::string>& texts) {
  std::vector<double> found{flag ? 1.0 : 0.0, double(number), double(alpha), double(big), double(text.size())};
  for (auto v : ints) found.push_back(v);
  for (auto v : floats) found.push_back(v);
  for (auto v : longs) found.push_back(v);
  for (auto& v : texts) found.push_back(v.size());
  auto out = paddle::full({static_cast<int64_t>(found.size())}, 0.0, paddle::DataType::FLOAT64, x.place());
  for (size_t i = 0; i < found.size(); ++i) out.data<double>()[i] = found[i];
  return {out};
}
Shapes AttributesShape(const Shape& x, bool flag, int number, float alpha, int64_t big, const std::string& text,
                       const std::vector<int>& ints, const std::vector<float>& floats,
                       const std::vector<int64_t>& longs, const std::vector<std::string>& texts) {
  return {{static_cast<int64_t>(5 + ints.size() + floats.size() + longs.size() + texts.size())}};
}
std::vector<paddle::DataType> Float64(const paddle::DataType& x) { return {paddle::DataType::FLOAT64}; }
PD_BUILD_OP(cpp_attributes)
    .Inputs({"X"})
    .Outputs({"Out"})
    .Attrs({"flag: bool", "number: int", "alpha: float", "big: int64_t", "text: std::string",
            "ints: std::vector<int>", "floats: std::vector<float>", "longs: std::vector<int64_t>",
            "texts: std::vector<std::string>"})
    .SetKernelFn(PD_KERNEL(Attributes))
    .SetInferShapeFn(PD_INFER_SHAPE(AttributesShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(Float64));

// A list of tensors, joined along their first dimension, and its gradient: a list again.
Tensors StackForward(const Tensors& xs, int64_t repeats) {
  int64_t rows = 0;
  for (auto& x : xs) rows += x.shape()[0];
  auto out = paddle::empty({rows * repeats, xs[0].shape()[1]}, xs[0].dtype());
  float* next = out.data<float>();
  for (int64_t r = 0; r < repeats; ++r)
    for (auto& x : xs) next = std::copy_n(x.data<float>(), x.numel(), next);
  return {out};
}
Shapes StackShape(const Shapes& xs, int64_t repeats) {
  int64_t rows = 0;
  for (auto& x : xs) rows = rows < 0 || x[0] < 0 ? -1 : rows + x[0] * repeats;
  return {{rows, xs[0][1]}};
}
std::vector<paddle::DataType> StackType(const std::vector<paddle::DataType>& xs) { return {xs[0]}; }
Tensors StackBackward(const Tensors& xs, const Tensor& g, int64_t repeats) {
  Tensors grads;
  for (auto& x : xs) grads.push_back(paddle::zeros(x.shape(), x.dtype()));
  const float* next = g.data<float>();
  for (int64_t r = 0; r < repeats; ++r)
    for (auto& grad : grads)
      for (int64_t i = 0; i < grad.numel(); ++i) grad.data<float>()[i] += *next++;
  return grads;
}
PD_BUILD_OP(cpp_stack)
    .Inputs({paddle::Vec("X")})
    .Outputs({"Out"})
    .Attrs({"repeats: int64_t"})
    .SetKernelFn(PD_KERNEL(StackForward))
    .SetInferShapeFn(PD_INFER_SHAPE(StackShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(StackType));
PD_BUILD_GRAD_OP(cpp_stack)
    .Inputs({paddle::Vec("X"), paddle::Grad("Out")})
    .Outputs({paddle::Grad(paddle::Vec("X"))})
    .Attrs({"repeats: int64_t"})
    .SetKernelFn(PD_KERNEL(StackBackward));

// An input that may be None.
Tensors MaybeAddForward(const Tensor& x, const paddle::optional<Tensor>& y) {
  auto out = x.copy_to(paddle::CPUPlace(), true);
  if (y)
    for (int64_t i = 0; i < x.numel(); ++i) out.data<float>()[i] += y->data<float>()[i];
  return {out};
}
Shapes MaybeAddShape(const Shape& x, const paddle::optional<Shape>& y) { return {x}; }
std::vector<paddle::DataType> MaybeAddType(const paddle::DataType& x, const paddle::optional<paddle::DataType>& y) {
  return {x};
}
Tensors MaybeAddBackward(const Tensor& x, const paddle::optional<Tensor>& y, const Tensor& g) {
  if (y.is_initialized()) return {g.copy_to(paddle::CPUPlace(), true), g.copy_to(paddle::CPUPlace(), true)};
  return {g.copy_to(paddle::CPUPlace(), true)};
}
PD_BUILD_OP(cpp_maybe_add)
    .Inputs({"X", paddle::Optional("Y")})
    .Outputs({"Out"})
    .SetKernelFn(PD_KERNEL(MaybeAddForward))
    .SetInferShapeFn(PD_INFER_SHAPE(MaybeAddShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(MaybeAddType));
PD_BUILD_GRAD_OP(cpp_maybe_add)
    .Inputs({"X", paddle::Optional("Y"), paddle::Grad("Out")})
    .Outputs({paddle::Grad("X"), paddle::Grad(paddle::Optional("Y"))})
    .SetKernelFn(PD_KERNEL(MaybeAddBackward));

// An input that takes the value of the output.
void AddInPlace(Tensor& x, const Tensor& y) {
  for (int64_t i = 0; i < x.numel(); ++i) x.data<float>()[i] += y.data<float>()[i];
}
Tensors AddInPlaceBackward(const Tensor& g) {
  return {g.copy_to(paddle::CPUPlace(), true), g.copy_to(paddle::CPUPlace(), true)};
}
PD_BUILD_OP(cpp_add_)
    .Inputs({"X", "Y"})
    .Outputs({"Out"})
    .SetInplaceMap({{"X", "Out"}})
    .SetKernelFn(PD_KERNEL(AddInPlace));
PD_BUILD_GRAD_OP(cpp_add_)
    .Inputs({paddle::Grad("Out")})
    .Outputs({paddle::Grad("X"), paddle::Grad("Y")})
    .SetKernelFn(PD_KERNEL(AddInPlaceBackward));

// Two lists in, two results out, of other shapes and types than the inputs.
Tensors TotalsForward(const Tensors& xs, const Tensor& weight, const Tensors& ys) {
  auto sum = paddle::zeros({1}, paddle::DataType::FLOAT32);
  auto count = paddle::full({2}, static_cast<int64_t>(xs.size()), paddle::DataType::INT64);
  count.data<int64_t>()[1] = ys.size();
  for (auto* list : {&xs, &ys})
    for (auto& x : *list)
      for (int64_t i = 0; i < x.numel(); ++i) *sum.data<float>() += *weight.data<float>() * x.data<float>()[i];
  return {sum, count};
}
Shapes TotalsShape(const Shapes& xs, const Shape& weight, const Shapes& ys) { return {{1}, {2}}; }
std::vector<paddle::DataType> TotalsType(const std::vector<paddle::DataType>& xs, paddle::DataType weight,
                                         const std::vector<paddle::DataType>& ys) {
  return {paddle::DataType::FLOAT32, paddle::DataType::INT64};
}
Tensors TotalsBackward(const Tensors& xs, const Tensor& weight, const Tensors& ys, const Tensor& g) {
  Tensors grads;
  for (auto& x : xs) grads.push_back(paddle::full(x.shape(), *g.data<float>() * *weight.data<float>(), x.dtype()));
  for (auto& y : ys) grads.push_back(paddle::full(y.shape(), *g.data<float>() * *weight.data<float>(), y.dtype()));
  return grads;
}
PD_BUILD_OP(cpp_totals)
    .Inputs({paddle::Vec("X"), "Weight", paddle::Vec("Y")})
    .Outputs({"Sum", "Count"})
    .SetKernelFn(PD_KERNEL(TotalsForward))
    .SetInferShapeFn(PD_INFER_SHAPE(TotalsShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(TotalsType));
PD_BUILD_GRAD_OP(cpp_totals)
    .Inputs({paddle::Vec("X"), "Weight", paddle::Vec("Y"), paddle::Grad("Sum")})
    .Outputs({paddle::Grad(paddle::Vec("X")), paddle::Grad(paddle::Vec("Y"))})
    .SetKernelFn(PD_KERNEL(TotalsBackward));

// One input as a list of its rows.
Tensors RowsForward(const Tensor& x) {
  Tensors rows;
  for (int64_t i = 0; i < x.shape()[0]; ++i) rows.push_back(x.slice(i, i + 1));
  return rows;
}
Shapes RowsShape(const Shape& x) { return Shapes(x[0], Shape{1, x[1]}); }
std::vector<paddle::DataType> RowsType(const paddle::DataType& x) { return std::vector<paddle::DataType>(2, x); }
PD_BUILD_OP(cpp_two_rows)
    .Inputs({"X"})
    .Outputs({paddle::Vec("Out")})
    .SetKernelFn(PD_KERNEL(RowsForward))
    .SetInferShapeFn(PD_INFER_SHAPE(RowsShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(RowsType));

// Shapes that depend on sizes in other ways.
Tensors ReshapedForward(const Tensor& x, int64_t mode) {
  const auto s = x.shape();
  auto out = x.copy_to(paddle::CPUPlace(), true);
  if (mode == 0) out.reshape({s[1], s[0]});
  if (mode == 1) out.reshape({s[0] * s[1]});
  if (mode == 2) out = x.slice(0, std::min<int64_t>(s[0], 4)).copy_to(paddle::CPUPlace(), true);
  return {out};
}
Shapes ReshapedShape(const Shape& x, int64_t mode) {
  if (mode == 0) return {{x[1], x[0]}};
  if (mode == 1) return {{x[0] < 0 || x[1] < 0 ? -1 : x[0] * x[1]}};
  return {{std::min<int64_t>(x[0], 4), x[1]}};
}
PD_BUILD_OP(cpp_reshaped)
    .Inputs({"X"})
    .Outputs({"Out"})
    .Attrs({"mode: int64_t"})
    .SetKernelFn(PD_KERNEL(ReshapedForward))
    .SetInferShapeFn(PD_INFER_SHAPE(ReshapedShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(SameType));

// What fails, and what lies about its result.
Tensors Failing(const Tensor& x, int how) {
  if (how == 1) PADDLE_ENFORCE_EQ(x.shape()[0], 7, phi::errors::InvalidArgument("rows of %s are %d", "X", x.shape()[0]));
  if (how == 2) throw std::out_of_range("no such row");
  if (how == 3) throw 3;
  if (how == 4) return {paddle::empty({1}, x.dtype())};
  if (how == 5) x.data<int64_t>();
  PD_CHECK(how != 0, "how is ", how);
  return {x};
}
PD_BUILD_OP(cpp_failing)
    .Inputs({"X"})
    .Outputs({"Out"})
    .Attrs({"how: int"})
    .SetKernelFn(PD_KERNEL(Failing))
    .SetInferShapeFn(PD_INFER_SHAPE(SameShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(SameType));

// No functions that infer, and more than one output.
Tensors Halves(const Tensor& x) { return {x, x}; }
PD_BUILD_OP(cpp_unsaid).Inputs({"X"}).Outputs({"A", "B"}).SetKernelFn(PD_KERNEL(Halves));

// Functions that do not have the parameters which are declared.
Tensors Scaled(const Tensor& x, float by) { return {x}; }
PD_BUILD_OP(cpp_other_type).Inputs({"X"}).Outputs({"Out"}).Attrs({"by: int"}).SetKernelFn(PD_KERNEL(Scaled));
PD_BUILD_OP(cpp_more_parameters).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(Scaled));
PD_BUILD_OP(cpp_fewer_parameters)
    .Inputs({"X", "Y"})
    .Outputs({"Out"})
    .SetKernelFn(PD_KERNEL(Halves));
PD_BUILD_OP(cpp_no_kernel).Inputs({"X"}).Outputs({"Out"});
