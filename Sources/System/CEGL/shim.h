// EGL without the headers of a window system: GLFW creates windows, and offscreen surfaces need no window system.
#ifndef GLISSADE_CEGL_H
#define GLISSADE_CEGL_H
#define EGL_NO_X11
#define EGL_EGLEXT_PROTOTYPES 0
#include <EGL/egl.h>
#include <EGL/eglext.h>

static inline EGLDisplay glissade_egl_no_display(void) { return EGL_NO_DISPLAY; }
static inline EGLContext glissade_egl_no_context(void) { return EGL_NO_CONTEXT; }
static inline EGLSurface glissade_egl_no_surface(void) { return EGL_NO_SURFACE; }
static inline EGLNativeDisplayType glissade_egl_default_display(void) { return EGL_DEFAULT_DISPLAY; }
#endif
