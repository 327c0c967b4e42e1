/* Where programs look for it in an installed Paddle. */
#include "../../paddle_inference_api.h"
