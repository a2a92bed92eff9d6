// Pango and Cairo, and what their objects need of GObject.
#ifndef GLISSADE_CPANGO_H
#define GLISSADE_CPANGO_H
#include <pango/pangocairo.h>
#endif
