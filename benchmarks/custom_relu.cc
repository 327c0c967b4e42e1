// The relu of the custom operators' tutorial, in C++.
#include <vector>

#include "paddle/extension.h"

template <typename T>
void forward(const T* x, T* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = x[i] > T(0) ? x[i] : T(0);
}

template <typename T>
void backward(const T* out, const T* dout, T* dx, int64_t count) {
  for (int64_t i = 0; i < count; ++i) dx[i] = dout[i] * (out[i] > T(0) ? T(1) : T(0));
}

std::vector<paddle::Tensor> Forward(const paddle::Tensor& x) {
  auto out = paddle::empty_like(x);
  PD_DISPATCH_FLOATING_TYPES(x.dtype(), "custom_relu", ([&] {
    forward<data_t>(x.data<data_t>(), out.data<data_t>(), x.numel());
  }));
  return {out};
}

std::vector<paddle::Tensor> Backward(const paddle::Tensor& out, const paddle::Tensor& dout) {
  auto dx = paddle::empty_like(out);
  PD_DISPATCH_FLOATING_TYPES(out.dtype(), "custom_relu_grad", ([&] {
    backward<data_t>(out.data<data_t>(), dout.data<data_t>(), dx.data<data_t>(), out.numel());
  }));
  return {dx};
}

PD_BUILD_OP(custom_relu).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(Forward));
PD_BUILD_GRAD_OP(custom_relu)
    .Inputs({"Out", paddle::Grad("Out")})
    .Outputs({paddle::Grad("X")})
    .SetKernelFn(PD_KERNEL(Backward));
