// The relu of the custom operators' tutorial in C++.
#include <vector>

#include "paddle/extension.h"

std::vector<paddle::Tensor> Forward(const paddle::Tensor& x) {
  auto out = paddle::empty_like(x);
  const float* from = x.data<float>();
  float* to = out.data<float>();
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = from[i] > 0.f ? from[i] : 0.f;
  return {out};
}

std::vector<paddle::Tensor> Backward(const paddle::Tensor& out, const paddle::Tensor& grad_out) {
  auto grad_x = paddle::empty_like(out);
  const float* y = out.data<float>();
  const float* g = grad_out.data<float>();
  float* to = grad_x.data<float>();
  for (int64_t i = 0; i < out.numel(); ++i) to[i] = y[i] > 0.f ? g[i] : 0.f;
  return {grad_x};
}

PD_BUILD_OP(custom_relu).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(Forward));

PD_BUILD_GRAD_OP(custom_relu)
    .Inputs({"Out", paddle::Grad("Out")})
    .Outputs({paddle::Grad("X")})
    .SetKernelFn(PD_KERNEL(Backward));
