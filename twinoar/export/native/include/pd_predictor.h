/* PD_Predictor: an exported library with memory of its own for a run. See pd_inference_api.h. */
#ifndef TWINOAR_PD_PREDICTOR_H
#define TWINOAR_PD_PREDICTOR_H

#include "pd_config.h"
#include "twinoar_threads.h"

typedef struct PD_Predictor {
  twinoar_library *library;
  void *workspace;
  int threads;
  twinoar_pool *pool; /* of threads besides the one that runs, or null */
  void **arrays[2];   /* of inputs and outputs: what a run is given */
  void **owned[2];    /* the memory that this one made for them, or null */
  PD_Bool *is_wrong;  /* of inputs: what was last given was refused */
} PD_Predictor;

static inline void PD_PredictorDestroy(PD_Predictor *predictor) {
  size_t side, n;
  if (predictor == NULL) return;
  for (side = 0; side < 2; ++side) {
    for (n = 0; n < predictor->library->counts[side]; ++n)
      twinoar_released(predictor->owned[side][n]);
    free(predictor->owned[side]);
    free(predictor->arrays[side]);
  }
  free(predictor->is_wrong);
  twinoar_pool_destroy(predictor->pool);
  twinoar_released(predictor->workspace);
  twinoar_close(predictor->library);
  free(predictor);
}

/* A predictor of a library, which it closes in the end. */
static inline PD_Predictor *twinoar_predictor(twinoar_library *library, int threads) {
  PD_Predictor *made = (PD_Predictor *)twinoar_memory(1, sizeof *made);
  size_t side, n;
  made->library = library;
  made->threads = threads;
  if (threads > 1 && library->run_threads) made->pool = twinoar_pool_create(threads);
  made->workspace = twinoar_aligned(library->workspace_bytes);
  made->is_wrong = (PD_Bool *)twinoar_memory(library->counts[0], sizeof *made->is_wrong);
  for (side = 0; side < 2; ++side) {
    size_t count = library->counts[side];
    made->arrays[side] = (void **)twinoar_memory(count, sizeof(void *));
    made->owned[side] = (void **)twinoar_memory(count, sizeof(void *));
    for (n = 0; n < count; ++n)
      made->arrays[side][n] = made->owned[side][n] =
          twinoar_aligned(library->ports[side][n].bytes);
  }
  return made;
}

/* What a config names: a library itself, one beside a file of that name, or the one of a folder. */
static inline char *twinoar_named(const PD_Config *config, char *text) {
  const char *prog = config->prog, *folder = config->folder;
  char *found = NULL;
  if (prog && *prog) {
    size_t size = strlen(prog);
    if (size > 3 && !strcmp(prog + size - 3, ".so")) return twinoar_copied(prog);
    found = twinoar_beside(prog, "lib", ".so");
    if (!found)
      snprintf(text, TWINOAR_TEXT,
               "there is no library for %s: export the model as libNAME.so beside it", prog);
  } else if (folder && *folder) {
    found = twinoar_in_folder(folder);
    if (!found)
      snprintf(text, TWINOAR_TEXT, "expected one library libNAME.so in the folder %s", folder);
  } else {
    snprintf(text, TWINOAR_TEXT, "the config names no model: call SetModel");
  }
  return found;
}

/* The file with the weights of a library, or null where they are inside. */
static inline char *twinoar_weights(const PD_Config *config, const char *path) {
  const char *params = config->params;
  size_t size = params ? strlen(params) : 0;
  const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  char *plain, *found;
  if (size > 8 && !strcmp(params + size - 8, ".weights")) return twinoar_copied(params);
  if (strncmp(file, "lib", 3)) return NULL;
  plain = twinoar_joined(path, (size_t)(file - path), file + 3);
  found = twinoar_beside(plain, "", ".weights");
  free(plain);
  return found;
}

/* The predictor that a config asks for, or null, and text tells why. */
static inline PD_Predictor *twinoar_created(const PD_Config *config, char *text) {
  twinoar_library *library = NULL;
  if (*config->refusal) {
    snprintf(text, TWINOAR_TEXT, "%s", config->refusal);
  } else {
    char *path = twinoar_named(config, text);
    if (path) {
      char *weights = twinoar_weights(config, path);
      library = twinoar_open(path, weights, text);
      free(weights);
      free(path);
    }
  }
  return library ? twinoar_predictor(library, config->threads) : NULL;
}

/* Takes the config. Null where it fails: what is written to stderr tells why. */
static inline PD_Predictor *PD_PredictorCreate(PD_Config *config) {
  char text[TWINOAR_TEXT] = "";
  PD_Predictor *made = twinoar_created(config, text);
  if (made == NULL) fprintf(stderr, "PD_PredictorCreate: %s\n", text);
  PD_ConfigDestroy(config);
  return made;
}

/* Another one of the same library and weights, with its own memory: for another thread. */
static inline PD_Predictor *PD_PredictorClone(PD_Predictor *predictor) {
  __atomic_add_fetch(&predictor->library->users, 1, __ATOMIC_RELAXED);
  return twinoar_predictor(predictor->library, predictor->threads);
}

static inline PD_OneDimArrayCstr *PD_PredictorGetInputNames(PD_Predictor *predictor) {
  return twinoar_names(predictor->library->ports[0], predictor->library->counts[0]);
}
static inline PD_OneDimArrayCstr *PD_PredictorGetOutputNames(PD_Predictor *predictor) {
  return twinoar_names(predictor->library->ports[1], predictor->library->counts[1]);
}
static inline size_t PD_PredictorGetInputNum(PD_Predictor *predictor) {
  return predictor->library->counts[0];
}
static inline size_t PD_PredictorGetOutputNum(PD_Predictor *predictor) {
  return predictor->library->counts[1];
}

/* 1, or 0, and text tells why. */
static inline int twinoar_run(PD_Predictor *predictor, char *text) {
  const twinoar_library *library = predictor->library;
  int32_t code;
  size_t n;
  for (n = 0; n < library->counts[0]; ++n) {
    if (predictor->is_wrong[n]) {
      snprintf(text, TWINOAR_TEXT, "what was given for the input %s was refused",
               library->ports[0][n].name);
      return 0;
    }
  }
  if (predictor->pool)
    code = library->run_threads(library->model, (const void *const *)predictor->arrays[0],
                                predictor->arrays[1], predictor->workspace,
                                library->workspace_bytes, twinoar_pool_run, predictor->pool);
  else
    code = library->run(library->model, (const void *const *)predictor->arrays[0],
                        predictor->arrays[1], predictor->workspace, library->workspace_bytes);
  if (code) snprintf(text, TWINOAR_TEXT, "%s", library->error(code));
  return code == 0;
}

/* FALSE where it fails: what is written to stderr tells why. */
static inline PD_Bool PD_PredictorRun(PD_Predictor *predictor) {
  char text[TWINOAR_TEXT] = "";
  if (twinoar_run(predictor, text)) return TRUE;
  fprintf(stderr, "PD_PredictorRun: %s\n", text);
  return FALSE;
}

/* A run keeps nothing that could be released. */
static inline void PD_PredictorClearIntermediateTensor(PD_Predictor *predictor TWINOAR_UNUSED) {}
static inline uint64_t PD_PredictorTryShrinkMemory(PD_Predictor *predictor TWINOAR_UNUSED) {
  return 0;
}

#endif
