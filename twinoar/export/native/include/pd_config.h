/* PD_Config: which exported library is run, and what is asked of it. See pd_inference_api.h.

   What was decided when the model was exported is kept and told back, and changes nothing: passes,
   memory, oneDNN. What the library cannot do makes PD_PredictorCreate fail, with the reason. */
#ifndef TWINOAR_PD_CONFIG_H
#define TWINOAR_PD_CONFIG_H

#include "pd_types.h"

#define TWINOAR_UNUSED __attribute__((unused))

typedef struct PD_Config {
  char *prog, *params, *folder, *cache;
  char refusal[TWINOAR_TEXT]; /* the first thing that was asked and cannot be */
  int32_t threads;
  PD_Bool passes, memory, onednn, int8, padding, quiet, invalid;
} PD_Config;

static inline PD_Config *PD_ConfigCreate(void) {
  PD_Config *config = (PD_Config *)twinoar_memory(1, sizeof *config);
  config->threads = 1;
  config->passes = config->padding = 1;
  return config;
}
static inline void PD_ConfigDestroy(PD_Config *config) {
  if (config == NULL) return;
  free(config->prog);
  free(config->params);
  free(config->folder);
  free(config->cache);
  free(config);
}

static inline void twinoar_set(char **text, const char *value) {
  char *made = value ? twinoar_copied(value) : NULL;
  free(*text);
  *text = made;
}
static inline void twinoar_refuse(PD_Config *config, const char *what, const char *why) {
  if (!*config->refusal) snprintf(config->refusal, TWINOAR_TEXT, "%s: %s", what, why);
}

/* The model. */
static inline void PD_ConfigSetModel(PD_Config *config, const char *prog, const char *params) {
  twinoar_set(&config->prog, prog);
  twinoar_set(&config->params, params);
}
static inline void PD_ConfigSetModelDir(PD_Config *config, const char *folder) {
  twinoar_set(&config->folder, folder);
}
static inline void PD_ConfigSetProgFile(PD_Config *config, const char *prog) {
  twinoar_set(&config->prog, prog);
}
static inline void PD_ConfigSetParamsFile(PD_Config *config, const char *params) {
  twinoar_set(&config->params, params);
}
static inline const char *PD_ConfigGetModelDir(PD_Config *config) {
  return config->folder ? config->folder : "";
}
static inline const char *PD_ConfigGetProgFile(PD_Config *config) {
  return config->prog ? config->prog : "";
}
static inline const char *PD_ConfigGetParamsFile(PD_Config *config) {
  return config->params ? config->params : "";
}
static inline PD_Bool PD_ConfigModelFromMemory(PD_Config *config TWINOAR_UNUSED) { return 0; }

/* What is kept and told back. */
#define TWINOAR_KEEPS(set, told, member)                                  \
  static inline void set(PD_Config *config) { config->member = 1; }       \
  static inline PD_Bool told(PD_Config *config) { return config->member; }
#define TWINOAR_SWITCHES(set, told, member)                                     \
  static inline void set(PD_Config *config, PD_Bool x) { config->member = x; }  \
  static inline PD_Bool told(PD_Config *config) { return config->member; }

TWINOAR_SWITCHES(PD_ConfigSwitchIrOptim, PD_ConfigIrOptim, passes)
TWINOAR_SWITCHES(PD_ConfigEnableMemoryOptim, PD_ConfigMemoryOptimEnabled, memory)
TWINOAR_KEEPS(PD_ConfigEnableMKLDNN, PD_ConfigMkldnnEnabled, onednn)
TWINOAR_KEEPS(PD_ConfigEnableMkldnnInt8, PD_ConfigMkldnnInt8Enabled, int8)
TWINOAR_KEEPS(PD_ConfigDisableGlogInfo, PD_ConfigGlogInfoDisabled, quiet)
static inline void PD_ConfigDisableFCPadding(PD_Config *config) { config->padding = 0; }
static inline PD_Bool PD_ConfigUseFcPadding(PD_Config *config) { return config->padding; }
static inline void PD_ConfigSetInvalid(PD_Config *config) { config->invalid = 1; }
static inline PD_Bool PD_ConfigIsValid(PD_Config *config) { return !config->invalid; }
static inline void PD_ConfigSetCpuMathLibraryNumThreads(PD_Config *config, int32_t threads) {
  config->threads = threads < 1 ? 1 : threads;
}
static inline int32_t PD_ConfigGetCpuMathLibraryNumThreads(PD_Config *config) {
  return config->threads;
}
static inline void PD_ConfigSetOptimCacheDir(PD_Config *config, const char *folder) {
  twinoar_set(&config->cache, folder);
}
static inline void PD_ConfigSetMkldnnCacheCapacity(PD_Config *config TWINOAR_UNUSED,
                                                   int32_t capacity TWINOAR_UNUSED) {}
static inline void PD_ConfigSetMkldnnOp(PD_Config *config TWINOAR_UNUSED,
                                        size_t count TWINOAR_UNUSED,
                                        const char **names TWINOAR_UNUSED) {}
static inline void PD_ConfigSwitchUseFeedFetchOps(PD_Config *config TWINOAR_UNUSED,
                                                  PD_Bool x TWINOAR_UNUSED) {}
static inline void PD_ConfigSwitchSpecifyInputNames(PD_Config *config TWINOAR_UNUSED,
                                                    PD_Bool x TWINOAR_UNUSED) {}
static inline void PD_ConfigPartiallyRelease(PD_Config *config TWINOAR_UNUSED) {}
static inline void PD_ConfigDisableGpu(PD_Config *config TWINOAR_UNUSED) {}
static inline void PD_ConfigDisableONNXRuntime(PD_Config *config TWINOAR_UNUSED) {}

/* What the library cannot do. */
#define TWINOAR_REFUSES(name, parameters, why) \
  static inline void name parameters { twinoar_refuse(config, #name, why); }
#define TWINOAR_NEVER(name) \
  static inline PD_Bool name(PD_Config *config TWINOAR_UNUSED) { return 0; }
#define TWINOAR_CPU "an exported library runs on the CPU"
#define TWINOAR_OWN "an exported library runs its own code"
#define TWINOAR_EXPORTED "this is decided when a model is exported"

TWINOAR_REFUSES(PD_ConfigEnableUseGpu,
                (PD_Config * config, uint64_t size TWINOAR_UNUSED, int32_t number TWINOAR_UNUSED,
                 PD_PrecisionType precision TWINOAR_UNUSED),
                TWINOAR_CPU)
TWINOAR_REFUSES(PD_ConfigEnableXpu,
                (PD_Config * config, int32_t size TWINOAR_UNUSED, PD_Bool locked TWINOAR_UNUSED,
                 PD_Bool tunes TWINOAR_UNUSED, const char *file TWINOAR_UNUSED,
                 const char *precision TWINOAR_UNUSED, PD_Bool adapts TWINOAR_UNUSED,
                 PD_Bool streams TWINOAR_UNUSED),
                TWINOAR_CPU)
TWINOAR_REFUSES(PD_ConfigEnableCustomDevice,
                (PD_Config * config, char *kind TWINOAR_UNUSED, int32_t number TWINOAR_UNUSED,
                 PD_PrecisionType precision TWINOAR_UNUSED),
                TWINOAR_CPU)
TWINOAR_REFUSES(PD_ConfigEnableGpuMultiStream, (PD_Config * config), TWINOAR_CPU)
TWINOAR_REFUSES(PD_ConfigSetExecStream, (PD_Config * config, void *stream TWINOAR_UNUSED),
                TWINOAR_CPU)
TWINOAR_REFUSES(PD_ConfigEnableCudnn, (PD_Config * config), TWINOAR_CPU)
TWINOAR_REFUSES(PD_ConfigEnableONNXRuntime, (PD_Config * config), TWINOAR_OWN)
TWINOAR_REFUSES(PD_ConfigEnableORTOptimization, (PD_Config * config), TWINOAR_OWN)
TWINOAR_REFUSES(PD_ConfigEnableTensorRtEngine,
                (PD_Config * config, int64_t size TWINOAR_UNUSED, int32_t batch TWINOAR_UNUSED,
                 int32_t least TWINOAR_UNUSED, PD_PrecisionType precision TWINOAR_UNUSED,
                 PD_Bool keeps TWINOAR_UNUSED, PD_Bool calibrates TWINOAR_UNUSED),
                TWINOAR_OWN)
TWINOAR_REFUSES(PD_ConfigSetTrtDynamicShapeInfo,
                (PD_Config * config, size_t count TWINOAR_UNUSED,
                 const char **names TWINOAR_UNUSED, size_t *ranks TWINOAR_UNUSED,
                 int32_t **least TWINOAR_UNUSED, int32_t **most TWINOAR_UNUSED,
                 int32_t **best TWINOAR_UNUSED, PD_Bool whole TWINOAR_UNUSED),
                TWINOAR_OWN)
TWINOAR_REFUSES(PD_ConfigEnableTunedTensorRtDynamicShape,
                (PD_Config * config, const char *path TWINOAR_UNUSED,
                 PD_Bool builds TWINOAR_UNUSED),
                TWINOAR_OWN)
TWINOAR_REFUSES(PD_ConfigDisableTensorRtOPs,
                (PD_Config * config, size_t count TWINOAR_UNUSED,
                 const char **names TWINOAR_UNUSED),
                TWINOAR_OWN)
TWINOAR_REFUSES(PD_ConfigEnableVarseqlen, (PD_Config * config), TWINOAR_OWN)
TWINOAR_REFUSES(PD_ConfigEnableTensorRtDla, (PD_Config * config, int32_t core TWINOAR_UNUSED),
                TWINOAR_OWN)
TWINOAR_REFUSES(PD_ConfigEnableLiteEngine,
                (PD_Config * config, PD_PrecisionType precision TWINOAR_UNUSED,
                 PD_Bool shares TWINOAR_UNUSED, size_t passes_count TWINOAR_UNUSED,
                 const char **passes TWINOAR_UNUSED, size_t ops_count TWINOAR_UNUSED,
                 const char **ops TWINOAR_UNUSED),
                TWINOAR_OWN)
TWINOAR_REFUSES(PD_ConfigCollectShapeRangeInfo,
                (PD_Config * config, const char *path TWINOAR_UNUSED), TWINOAR_EXPORTED)
TWINOAR_REFUSES(PD_ConfigEnableMkldnnQuantizer, (PD_Config * config), TWINOAR_EXPORTED)
TWINOAR_REFUSES(PD_ConfigEnableMkldnnBfloat16, (PD_Config * config), TWINOAR_EXPORTED)
TWINOAR_REFUSES(PD_ConfigSetBfloat16Op,
                (PD_Config * config, size_t count TWINOAR_UNUSED,
                 const char **names TWINOAR_UNUSED),
                TWINOAR_EXPORTED)
TWINOAR_REFUSES(PD_ConfigSwitchIrDebug, (PD_Config * config, PD_Bool x TWINOAR_UNUSED),
                TWINOAR_EXPORTED)
TWINOAR_REFUSES(PD_ConfigDeletePass, (PD_Config * config, const char *pass TWINOAR_UNUSED),
                TWINOAR_EXPORTED)
TWINOAR_REFUSES(PD_ConfigInsertPass,
                (PD_Config * config, size_t place TWINOAR_UNUSED,
                 const char *pass TWINOAR_UNUSED),
                TWINOAR_EXPORTED)
TWINOAR_REFUSES(PD_ConfigAppendPass, (PD_Config * config, const char *pass TWINOAR_UNUSED),
                TWINOAR_EXPORTED)
TWINOAR_REFUSES(PD_ConfigEnableProfile, (PD_Config * config),
                "an exported library measures nothing: time its runs")
TWINOAR_REFUSES(PD_ConfigSetModelBuffer,
                (PD_Config * config, const char *prog TWINOAR_UNUSED,
                 size_t prog_size TWINOAR_UNUSED, const char *params TWINOAR_UNUSED,
                 size_t params_size TWINOAR_UNUSED),
                "a library is loaded from a file: give its path")
TWINOAR_NEVER(PD_ConfigUseGpu)
TWINOAR_NEVER(PD_ConfigUseXpu)
TWINOAR_NEVER(PD_ConfigUseCustomDevice)
TWINOAR_NEVER(PD_ConfigONNXRuntimeEnabled)
TWINOAR_NEVER(PD_ConfigCudnnEnabled)
TWINOAR_NEVER(PD_ConfigTensorRtEngineEnabled)
TWINOAR_NEVER(PD_ConfigTensorRtDynamicShapeEnabled)
TWINOAR_NEVER(PD_ConfigTunedTensorRtDynamicShape)
TWINOAR_NEVER(PD_ConfigTrtAllowBuildAtRuntime)
TWINOAR_NEVER(PD_ConfigTensorRtOssEnabled)
TWINOAR_NEVER(PD_ConfigTensorRtDlaEnabled)
TWINOAR_NEVER(PD_ConfigLiteEngineEnabled)
TWINOAR_NEVER(PD_ConfigShapeRangeInfoCollected)
TWINOAR_NEVER(PD_ConfigMkldnnQuantizerEnabled)
TWINOAR_NEVER(PD_ConfigMkldnnBfloat16Enabled)
TWINOAR_NEVER(PD_ConfigThreadLocalStreamEnabled)
TWINOAR_NEVER(PD_ConfigProfileEnabled)

static inline PD_OneDimArrayCstr *PD_ConfigAllPasses(PD_Config *config TWINOAR_UNUSED) {
  return twinoar_names(NULL, 0); /* they ran when the model was exported */
}
static inline PD_Cstr *PD_ConfigSummary(PD_Config *config) {
  char text[2 * TWINOAR_TEXT];
  snprintf(text, sizeof text, "model_dir: %s\nmodel_file: %s\nparams_file: %s\nthreads: %d\n",
           PD_ConfigGetModelDir(config), PD_ConfigGetProgFile(config),
           PD_ConfigGetParamsFile(config), (int)config->threads);
  return twinoar_cstr(text);
}

#endif
