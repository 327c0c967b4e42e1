/* Where programs look for it in an installed Paddle. */
#include "../../pd_common.h"
