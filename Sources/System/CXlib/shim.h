// Xlib with the extensions XInput 2 and MIT-SCREEN-SAVER, its XCB connection, and the functions that replace its event
// decoders.
#ifndef GLISSADE_CXLIB_H
#define GLISSADE_CXLIB_H
#include <X11/Xlib.h>
#include <X11/Xlib-xcb.h>
#include <X11/extensions/XInput2.h>
#include <X11/extensions/scrnsaver.h>

// From Xlibint.h, which is part of Xlib's interface for extensions, but defines the connection's private parts, too. An
// xEvent is the 32 bytes received, or more for a cookie.

/// Decodes an event. Returns 0 if the event is to be hidden from the program.
typedef int (*GlissadeXConvert)(Display *, XEvent *, void *);
/// Replaces the decoder of an event type and returns the previous one.
GlissadeXConvert XESetWireToEvent(Display *, int type, GlissadeXConvert);

/// Decodes an event of an extension with more than 32 bytes.
typedef int (*GlissadeXConvertCookie)(Display *, XGenericEventCookie *, void *);
/// Replaces the decoder of an extension, given by its major opcode, and returns the previous one.
GlissadeXConvertCookie XESetWireToEventCookie(Display *, int opcode, GlissadeXConvertCookie);

/// Whether the server has at least version 1.1 of the screen saver extension. Takes two round trips to the server.
static inline int glissade_has_screensaver(Display *display) {
    int event, error, major = 0, minor = 0;
    if (!XScreenSaverQueryExtension(display, &event, &error)) return 0;
    if (!XScreenSaverQueryVersion(display, &major, &minor)) return 0;
    return major > 1 || (major == 1 && minor >= 1);
}
#endif
