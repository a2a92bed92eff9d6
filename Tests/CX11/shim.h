// Xlib with the DAMAGE, MIT-SCREEN-SAVER and XTEST extensions, and the macros that Swift cannot import.
#ifndef GLISSADE_CX11_H
#define GLISSADE_CX11_H
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/XKBlib.h>
#include <X11/keysym.h>
#include <X11/extensions/XTest.h>
#include <X11/extensions/Xdamage.h>
#include <X11/extensions/scrnsaver.h>

/// A picture of a part of a drawable, all planes, each pixel in one piece.
static inline XImage *glissade_x11_image(Display *display, Drawable drawable, int x, int y, unsigned width, unsigned height) {
    return XGetImage(display, drawable, x, y, width, height, AllPlanes, ZPixmap);
}
static inline void glissade_x11_destroy_image(XImage *image) { XDestroyImage(image); }
static inline int glissade_x11_is_little_endian(const XImage *image) { return image->byte_order == LSBFirst; }

#endif
