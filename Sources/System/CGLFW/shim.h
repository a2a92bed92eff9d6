// GLFW without an OpenGL header, which CGLES provides, and Xlib functions that GLFW does not expose. The Xlib functions
// are loaded at run time: a GLFW built only for Wayland does not use X11, so nothing here links to Xlib.
#ifndef GLISSADE_CGLFW_H
#define GLISSADE_CGLFW_H
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <dlfcn.h>

/// Restricts `glfwInit` to X11. The hint requires GLFW 3.4, so the version of the loaded library is checked. The
/// numbers are GLFW_PLATFORM and GLFW_PLATFORM_X11, which older headers lack.
static inline void glissade_require_x11(void) {
    int major, minor, revision;
    glfwGetVersion(&major, &minor, &revision);
    if (major > 3 || (major == 3 && minor >= 4)) glfwInitHint(0x00050003, 0x00060004);
}

// The Xlib types in use (X.h, Xlib.h, Xutil.h). Defined here so that Xlib's headers are not needed to build; their
// layout is part of Xlib's stable binary interface.
typedef unsigned long GlissadeXID;

typedef struct GlissadeXWindowAttributes {
    int x, y, width, height, border_width, depth;
    void *visual;
    GlissadeXID root;
    int c_class, bit_gravity, win_gravity, backing_store;
    unsigned long backing_planes, backing_pixel;
    int save_under;
    GlissadeXID colormap;
    int map_installed, map_state;
    long all_event_masks, your_event_mask, do_not_propagate_mask;
    int override_redirect;
    void *screen;
} GlissadeXWindowAttributes;

typedef struct GlissadeXSetWindowAttributes {
    GlissadeXID background_pixmap;
    unsigned long background_pixel;
    GlissadeXID border_pixmap;
    unsigned long border_pixel;
    int bit_gravity, win_gravity, backing_store;
    unsigned long backing_planes, backing_pixel;
    int save_under;
    long event_mask, do_not_propagate_mask;
    int override_redirect;
    GlissadeXID colormap, cursor;
} GlissadeXSetWindowAttributes;

typedef struct GlissadeXClientMessage {
    int type;
    unsigned long serial;
    int send_event;
    void *display;
    GlissadeXID window, message_type;
    int format;
    long data[5];
    long padding[24];  // The size of XEvent.
} GlissadeXClientMessage;

typedef struct GlissadeXSelection {
    int type;
    unsigned long serial;
    int send_event;
    void *display;
    GlissadeXID requestor, selection, target, property;
    unsigned long time;
} GlissadeXSelection;

/// The initial fields that XButtonEvent and XMotionEvent have in common. Those up to `y_root` are also in
/// XCrossingEvent; `detail` is the number of a button.
typedef struct GlissadeXPointer {
    int type;
    unsigned long serial;
    int send_event;
    void *display;
    GlissadeXID window, root, subwindow;
    unsigned long time;
    int x, y, x_root, y_root;
    unsigned state, detail;
} GlissadeXPointer;

/// Decodes an event. The arguments are the connection, the event to fill, and the 32 bytes received.
typedef int (*GlissadeXConvert)(void *, void *, void *);
/// Replaces the decoder of an event type and returns the previous one.
typedef GlissadeXConvert (*GlissadeXExchange)(void *, int, GlissadeXConvert);

static inline GlissadeXExchange glissade_event_exchange(void) {
    void *library = dlopen("libX11.so.6", RTLD_LAZY | RTLD_LOCAL);
    return library ? (GlissadeXExchange)dlsym(library, "XESetWireToEvent") : 0;
}

/// An error reported by the server (XErrorEvent).
typedef struct GlissadeXError {
    int type;
    void *display;
    GlissadeXID resource;
    unsigned long serial;
    unsigned char error_code, request_code, minor_code;
} GlissadeXError;

/// Handles an error. Called with the connection and a `GlissadeXError`, on the thread that reads from the connection.
typedef int (*GlissadeXErrorHandler)(void *, void *);

/// The Xlib functions in use, preceded by two of GLFW's.
typedef struct GlissadeXlib {
    void *(*glfw_display)(void);
    GlissadeXID (*glfw_window)(GLFWwindow *);
    GlissadeXID (*default_root)(void *);
    int (*default_screen)(void *);
    GlissadeXID (*intern_atom)(void *, const char *, int);
    int (*get_attributes)(void *, GlissadeXID, GlissadeXWindowAttributes *);
    int (*change_attributes)(void *, GlissadeXID, unsigned long, GlissadeXSetWindowAttributes *);
    int (*get_geometry)(void *, GlissadeXID, GlissadeXID *, int *, int *, unsigned *, unsigned *, unsigned *, unsigned *);
    int (*translate)(void *, GlissadeXID, GlissadeXID, int, int, int *, int *, GlissadeXID *);
    int (*query_pointer)(void *, GlissadeXID, GlissadeXID *, GlissadeXID *, int *, int *, int *, int *, unsigned *);
    int (*move_resize)(void *, GlissadeXID, int, int, unsigned, unsigned);
    int (*map_raised)(void *, GlissadeXID);
    int (*withdraw)(void *, GlissadeXID, int);
    int (*change_property)(void *, GlissadeXID, GlissadeXID, GlissadeXID, int, int, const unsigned char *, int);
    int (*get_property)(
        void *, GlissadeXID, GlissadeXID, long, long, int, GlissadeXID, GlissadeXID *, int *, unsigned long *,
        unsigned long *, unsigned char **);
    int (*delete_property)(void *, GlissadeXID, GlissadeXID);
    int (*send_event)(void *, GlissadeXID, int, long, GlissadeXClientMessage *);
    int (*flush)(void *);
    int (*free)(void *);
    GlissadeXErrorHandler (*set_error_handler)(GlissadeXErrorHandler);
} GlissadeXlib;

/// Looks up the functions. Returns 0 if GLFW does not support X11, or if a function is missing.
static inline int glissade_load_xlib(GlissadeXlib *xlib) {
    void *program = dlopen(0, RTLD_LAZY);
    if (!program) return 0;
    const char *names[] = {
        "glfwGetX11Display", "glfwGetX11Window", "XDefaultRootWindow", "XDefaultScreen", "XInternAtom",
        "XGetWindowAttributes", "XChangeWindowAttributes", "XGetGeometry", "XTranslateCoordinates", "XQueryPointer",
        "XMoveResizeWindow", "XMapRaised", "XWithdrawWindow", "XChangeProperty", "XGetWindowProperty", "XDeleteProperty", "XSendEvent", "XFlush", "XFree",
        "XSetErrorHandler",
    };
    _Static_assert(sizeof names == sizeof(GlissadeXlib), "a name for each function");
    void **functions = (void **)xlib;
    void *library = 0;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        functions[i] = dlsym(program, names[i]);
        // GLFW 3.4 keeps Xlib's symbols private. `dlopen` returns the library that it has loaded.
        if (!functions[i] && i >= 2) {
            if (!library) library = dlopen("libX11.so.6", RTLD_LAZY | RTLD_LOCAL);
            if (library) functions[i] = dlsym(library, names[i]);
        }
        if (!functions[i]) return 0;
    }
    return 1;
}
#endif
