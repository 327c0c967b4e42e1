// What a custom operator includes: Paddle's names for tensors, element types, checks and the
// macros that declare operators, for twinoar. The library is header-only; C++17.
#pragma once

#include "paddle/twinoar/error.h"

#include "paddle/twinoar/dtype.h"

#include "paddle/twinoar/tensor.h"

#include "paddle/twinoar/dispatch.h"

#include "paddle/twinoar/operator.h"

#include "paddle/twinoar/library.h"
