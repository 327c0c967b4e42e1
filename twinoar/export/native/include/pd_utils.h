/* Paddle has here what frees arrays: see pd_types.h. */
#include "pd_types.h"
