/* Arrays and texts that functions give, and what frees them: see pd_inference_api.h. */
#ifndef TWINOAR_PD_TYPES_H
#define TWINOAR_PD_TYPES_H

#include "pd_common.h"
#include "twinoar_library.h"

typedef struct PD_OneDimArrayInt32 {
  size_t size;
  int32_t *data;
} PD_OneDimArrayInt32;
typedef struct PD_OneDimArraySize {
  size_t size;
  size_t *data;
} PD_OneDimArraySize;
typedef struct PD_OneDimArrayInt64 {
  size_t size;
  int64_t *data;
} PD_OneDimArrayInt64;
typedef struct PD_OneDimArrayCstr {
  size_t size;
  char **data;
} PD_OneDimArrayCstr;
typedef struct PD_Cstr {
  size_t size;
  char *data;
} PD_Cstr;
typedef struct PD_TwoDimArraySize {
  size_t size;
  PD_OneDimArraySize **data;
} PD_TwoDimArraySize;
typedef struct PD_IOInfo {
  PD_Cstr *name;
  PD_OneDimArrayInt64 *shape;
  PD_DataType dtype;
} PD_IOInfo;
typedef struct PD_IOInfos {
  size_t size;
  PD_IOInfo **io_info;
} PD_IOInfos;

static inline void PD_OneDimArrayInt32Destroy(PD_OneDimArrayInt32 *array) {
  if (array) free(array->data);
  free(array);
}
static inline void PD_OneDimArrayInt64Destroy(PD_OneDimArrayInt64 *array) {
  if (array) free(array->data);
  free(array);
}
static inline void PD_OneDimArraySizeDestroy(PD_OneDimArraySize *array) {
  if (array) free(array->data);
  free(array);
}
static inline void PD_OneDimArrayCstrDestroy(PD_OneDimArrayCstr *array) {
  size_t n;
  for (n = 0; array && n < array->size; ++n) free(array->data[n]);
  if (array) free(array->data);
  free(array);
}
static inline void PD_TwoDimArraySizeDestroy(PD_TwoDimArraySize *array) {
  size_t n;
  for (n = 0; array && n < array->size; ++n) PD_OneDimArraySizeDestroy(array->data[n]);
  if (array) free(array->data);
  free(array);
}
static inline void PD_CstrDestroy(PD_Cstr *text) {
  if (text) free(text->data);
  free(text);
}
static inline void PD_IOInfoDestroy(PD_IOInfo *info) {
  if (info == NULL) return;
  PD_CstrDestroy(info->name);
  PD_OneDimArrayInt64Destroy(info->shape);
  free(info);
}
static inline void PD_IOInfosDestroy(PD_IOInfos *infos) {
  size_t n;
  for (n = 0; infos && n < infos->size; ++n) PD_IOInfoDestroy(infos->io_info[n]);
  if (infos) free(infos->io_info);
  free(infos);
}

static inline PD_OneDimArrayCstr *twinoar_names(const twinoar_port *ports, size_t count) {
  PD_OneDimArrayCstr *names = (PD_OneDimArrayCstr *)twinoar_memory(1, sizeof *names);
  size_t n;
  names->size = count;
  names->data = (char **)twinoar_memory(count, sizeof *names->data);
  for (n = 0; n < count; ++n) names->data[n] = twinoar_copied(ports[n].name);
  return names;
}

static inline PD_Cstr *twinoar_cstr(const char *text) {
  PD_Cstr *made = (PD_Cstr *)twinoar_memory(1, sizeof *made);
  made->data = twinoar_copied(text);
  made->size = strlen(text) + 1;
  return made;
}

#endif
