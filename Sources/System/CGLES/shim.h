// OpenGL ES 3.0, and the constants of optional extensions.
#ifndef GLISSADE_CGLES_H
#define GLISSADE_CGLES_H
#include <GLES3/gl3.h>
#include <GLES2/gl2ext.h>
#endif
