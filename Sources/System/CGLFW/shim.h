// GLFW without an OpenGL header, which CGLES provides.
#ifndef GLISSADE_CGLFW_H
#define GLISSADE_CGLFW_H
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

// From glfw3native.h, which would also need Xrandr's headers. A GLFW that is built without X11 lacks these functions.

/// The connection to the X server; null if GLFW does not use X11.
struct _XDisplay *glfwGetX11Display(void);
/// The window's ID at the X server.
unsigned long glfwGetX11Window(GLFWwindow *);

/// Restricts `glfwInit` to X11. The hint requires GLFW 3.4, so the version of the loaded library is checked. The
/// numbers are GLFW_PLATFORM and GLFW_PLATFORM_X11, which older headers lack.
static inline void glissade_require_x11(void) {
    int major, minor, revision;
    glfwGetVersion(&major, &minor, &revision);
    if (major > 3 || (major == 3 && minor >= 4)) glfwInitHint(0x00050003, 0x00060004);
}
#endif
