/* PD_Tensor: an input or an output of a predictor, which has to live longer. See
   pd_inference_api.h.

   Sizes are those for which the model was exported. Another shape or type is refused: it is written
   to stderr, and the next run fails. */
#ifndef TWINOAR_PD_TENSOR_H
#define TWINOAR_PD_TENSOR_H

#include "pd_predictor.h"

typedef struct PD_Tensor {
  PD_Predictor *predictor;
  size_t side, number;
} PD_Tensor;

static inline twinoar_port *twinoar_port_of(const PD_Tensor *tensor) {
  return &tensor->predictor->library->ports[tensor->side][tensor->number];
}

static inline PD_Tensor *twinoar_handle(PD_Predictor *predictor, size_t side, const char *name) {
  size_t n;
  for (n = 0; n < predictor->library->counts[side]; ++n) {
    if (!strcmp(predictor->library->ports[side][n].name, name)) {
      PD_Tensor *tensor = (PD_Tensor *)twinoar_memory(1, sizeof *tensor);
      tensor->predictor = predictor;
      tensor->side = side;
      tensor->number = n;
      return tensor;
    }
  }
  return NULL;
}
static inline PD_Tensor *PD_PredictorGetInputHandle(PD_Predictor *predictor, const char *name) {
  PD_Tensor *found = twinoar_handle(predictor, 0, name);
  if (found == NULL) fprintf(stderr, "PD_PredictorGetInputHandle: there is no input %s\n", name);
  return found;
}
static inline PD_Tensor *PD_PredictorGetOutputHandle(PD_Predictor *predictor, const char *name) {
  PD_Tensor *found = twinoar_handle(predictor, 1, name);
  if (found == NULL) fprintf(stderr, "PD_PredictorGetOutputHandle: there is no output %s\n", name);
  return found;
}
static inline void PD_TensorDestroy(PD_Tensor *tensor) { free(tensor); }

/* Note whether what an input is given was taken. */
static inline int twinoar_taken(PD_Tensor *tensor, int taken) {
  if (tensor->side == 0) tensor->predictor->is_wrong[tensor->number] = (PD_Bool)!taken;
  return taken;
}

static inline int twinoar_reshape(PD_Tensor *tensor, size_t rank, const int32_t *shape,
                                  char *text) {
  const twinoar_port *port = twinoar_port_of(tensor);
  size_t n, at;
  int same = rank == port->rank;
  for (n = 0; same && n < rank; ++n) same = shape[n] == port->shape[n];
  if (same) return twinoar_taken(tensor, 1);
  at = (size_t)snprintf(text, TWINOAR_TEXT, "%.200s was exported for the shape [", port->name);
  for (n = 0; n < port->rank && at < TWINOAR_TEXT; ++n)
    at += (size_t)snprintf(text + at, TWINOAR_TEXT - at, n ? ", %d" : "%d", (int)port->shape[n]);
  if (at < TWINOAR_TEXT) at += (size_t)snprintf(text + at, TWINOAR_TEXT - at, "], received [");
  for (n = 0; n < rank && at < TWINOAR_TEXT; ++n)
    at += (size_t)snprintf(text + at, TWINOAR_TEXT - at, n ? ", %d" : "%d", (int)shape[n]);
  if (at < TWINOAR_TEXT) snprintf(text + at, TWINOAR_TEXT - at, "]");
  return twinoar_taken(tensor, 0);
}
static inline void PD_TensorReshape(PD_Tensor *tensor, size_t rank, int32_t *shape) {
  char text[TWINOAR_TEXT] = "";
  if (!twinoar_reshape(tensor, rank, shape, text))
    fprintf(stderr, "PD_TensorReshape: %s\n", text);
}

/* The memory of a tensor whose elements are of a type; null else, and text tells why. */
static inline void *twinoar_elements(PD_Tensor *tensor, const char *dtype, char *text) {
  const twinoar_port *port = twinoar_port_of(tensor);
  if (!strcmp(port->dtype, dtype)) return tensor->predictor->arrays[tensor->side][tensor->number];
  snprintf(text, TWINOAR_TEXT, "%.200s is of type %s, not %s", port->name, port->dtype, dtype);
  twinoar_taken(tensor, 0);
  return NULL;
}
static inline void *twinoar_told(PD_Tensor *tensor, const char *dtype, const char *where) {
  char text[TWINOAR_TEXT] = "";
  void *found = twinoar_elements(tensor, dtype, text);
  if (found == NULL) fprintf(stderr, "%s: %s\n", where, text);
  return found;
}

#define TWINOAR_ELEMENTS(Name, type, dtype)                                                   \
  static inline void PD_TensorCopyFromCpu##Name(PD_Tensor *tensor, const type *data) {        \
    void *into = twinoar_told(tensor, dtype, "PD_TensorCopyFromCpu" #Name);                   \
    if (into) memcpy(into, data, twinoar_port_of(tensor)->bytes);                             \
  }                                                                                           \
  static inline void PD_TensorCopyToCpu##Name(PD_Tensor *tensor, type *data) {                \
    const void *from = twinoar_told(tensor, dtype, "PD_TensorCopyToCpu" #Name);               \
    if (from) memcpy(data, from, twinoar_port_of(tensor)->bytes);                             \
  }                                                                                           \
  static inline type *PD_TensorMutableData##Name(PD_Tensor *tensor,                           \
                                                 PD_PlaceType place TWINOAR_UNUSED) {         \
    return (type *)twinoar_told(tensor, dtype, "PD_TensorMutableData" #Name);                 \
  }                                                                                           \
  static inline type *PD_TensorData##Name(PD_Tensor *tensor, PD_PlaceType *place,             \
                                          int32_t *size) {                                    \
    *place = PD_PLACE_CPU;                                                                    \
    *size = (int32_t)(twinoar_port_of(tensor)->bytes / sizeof(type));                         \
    return (type *)twinoar_told(tensor, dtype, "PD_TensorData" #Name);                        \
  }

TWINOAR_ELEMENTS(Float, float, "float32")
TWINOAR_ELEMENTS(Int64, int64_t, "int64")
TWINOAR_ELEMENTS(Int32, int32_t, "int32")
TWINOAR_ELEMENTS(Uint8, uint8_t, "uint8")
TWINOAR_ELEMENTS(Int8, int8_t, "int8")

static inline PD_OneDimArrayInt32 *PD_TensorGetShape(PD_Tensor *tensor) {
  const twinoar_port *port = twinoar_port_of(tensor);
  PD_OneDimArrayInt32 *shape = (PD_OneDimArrayInt32 *)twinoar_memory(1, sizeof *shape);
  shape->size = port->rank;
  shape->data = (int32_t *)twinoar_memory(port->rank, sizeof *shape->data);
  memcpy(shape->data, port->shape, port->rank * sizeof *shape->data);
  return shape;
}
static inline const char *PD_TensorGetName(PD_Tensor *tensor) {
  return twinoar_port_of(tensor)->name;
}
static inline PD_DataType PD_TensorGetDataType(PD_Tensor *tensor) {
  static const char *const names[] = {"float32", "int32", "int64", "uint8", "int8"};
  int32_t n;
  for (n = 0; n < 5; ++n)
    if (!strcmp(names[n], twinoar_port_of(tensor)->dtype)) return n;
  return PD_DATA_UNK;
}

/* Ragged rows are an array of their lengths in twinoar: a tensor has no levels. */
static inline void PD_TensorSetLod(PD_Tensor *tensor, PD_TwoDimArraySize *lod) {
  if (lod && lod->size) {
    fputs("PD_TensorSetLod: an exported model has no levels of detail\n", stderr);
    twinoar_taken(tensor, 0);
  }
}
static inline PD_TwoDimArraySize *PD_TensorGetLod(PD_Tensor *tensor TWINOAR_UNUSED) {
  return (PD_TwoDimArraySize *)twinoar_memory(1, sizeof(PD_TwoDimArraySize));
}

static inline PD_IOInfos *twinoar_infos(PD_Predictor *predictor, size_t side) {
  PD_IOInfos *infos = (PD_IOInfos *)twinoar_memory(1, sizeof *infos);
  size_t n, d;
  infos->size = predictor->library->counts[side];
  infos->io_info = (PD_IOInfo **)twinoar_memory(infos->size, sizeof *infos->io_info);
  for (n = 0; n < infos->size; ++n) {
    PD_IOInfo *info = (PD_IOInfo *)twinoar_memory(1, sizeof *info);
    PD_Tensor tensor;
    const twinoar_port *port;
    tensor.predictor = predictor, tensor.side = side, tensor.number = n;
    port = twinoar_port_of(&tensor);
    info->name = twinoar_cstr(port->name);
    info->dtype = PD_TensorGetDataType(&tensor);
    info->shape = (PD_OneDimArrayInt64 *)twinoar_memory(1, sizeof *info->shape);
    info->shape->size = port->rank;
    info->shape->data = (int64_t *)twinoar_memory(port->rank, sizeof(int64_t));
    for (d = 0; d < port->rank; ++d) info->shape->data[d] = port->shape[d];
    infos->io_info[n] = info;
  }
  return infos;
}
static inline PD_IOInfos *PD_PredictorGetInputInfos(PD_Predictor *predictor) {
  return twinoar_infos(predictor, 0);
}
static inline PD_IOInfos *PD_PredictorGetOutputInfos(PD_Predictor *predictor) {
  return twinoar_infos(predictor, 1);
}

#endif
