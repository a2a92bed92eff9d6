// pixman, the compositing library of X servers and Cairo, and loops over rows that it has no function for.
#ifndef GLISSADE_CPIXMAN_H
#define GLISSADE_CPIXMAN_H
#include "rows.h"
#include <pixman.h>
#endif
