/* What all of Paddle's C interface uses: see pd_inference_api.h. */
#ifndef TWINOAR_PD_COMMON_H
#define TWINOAR_PD_COMMON_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PADDLE_CAPI_EXPORT
#ifndef __pd_give
#define __pd_give
#endif
#ifndef __pd_take
#define __pd_take
#endif
#ifndef __pd_keep
#define __pd_keep
#endif

typedef int8_t PD_Bool;
#ifndef TRUE
#define TRUE 1
#define FALSE 0
#endif

#define PD_ENUM(type)   \
  typedef int32_t type; \
  enum

PD_ENUM(PD_PrecisionType){PD_PRECISION_FLOAT32 = 0, PD_PRECISION_INT8, PD_PRECISION_HALF};
PD_ENUM(PD_PlaceType){PD_PLACE_UNK = -1, PD_PLACE_CPU, PD_PLACE_GPU, PD_PLACE_XPU};
PD_ENUM(PD_DataType){PD_DATA_UNK = -1, PD_DATA_FLOAT32, PD_DATA_INT32,
                     PD_DATA_INT64,    PD_DATA_UINT8,   PD_DATA_INT8};

#endif
