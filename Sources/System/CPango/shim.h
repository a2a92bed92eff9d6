// Pango and Cairo, with the parts of GObject that they need.
#ifndef GLISSADE_CPANGO_H
#define GLISSADE_CPANGO_H
#include <pango/pangocairo.h>
#endif
