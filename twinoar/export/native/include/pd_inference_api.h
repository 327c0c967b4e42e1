/* Paddle's inference in C, on a shared library that twinoar exported: headers alone.

     PD_Config *config = PD_ConfigCreate();
     PD_ConfigSetModel(config, "model/libnet.so", NULL);
     PD_Predictor *predictor = PD_PredictorCreate(config);

   A config names libNAME.so; or, as programs for Paddle do, NAME.pdmodel and NAME.pdiparams beside
   which it lies; or a folder with one library. Weights are inside, or in NAME.weights beside it. A
   predictor is for one thread at a time; clones of it share the weights. */
#ifndef TWINOAR_PD_INFERENCE_API_H
#define TWINOAR_PD_INFERENCE_API_H

#include "pd_common.h"
#include "pd_config.h"
#include "pd_predictor.h"
#include "pd_tensor.h"
#include "pd_types.h"
#include "pd_utils.h"

#endif
