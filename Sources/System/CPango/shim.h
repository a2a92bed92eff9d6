// Pango and Cairo, and the parts of GObject that their objects need.
#ifndef GLISSADE_CPANGO_H
#define GLISSADE_CPANGO_H
#include <pango/pangocairo.h>
#endif
