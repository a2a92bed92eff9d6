// GLFW without any OpenGL header: those come from CGLES.
#ifndef GLISSADE_CGLFW_H
#define GLISSADE_CGLFW_H
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#endif
