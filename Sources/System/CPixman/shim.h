// pixman: what X servers and Cairo put pictures together with, and the few loops over rows that it has no function for.
#ifndef GLISSADE_CPIXMAN_H
#define GLISSADE_CPIXMAN_H
#include "rows.h"
#include <pixman.h>
#endif
