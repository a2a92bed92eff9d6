// XCB functions that send two requests in one round trip. Xlib waits for each reply, and the window may change in
// between. Loaded at run time, like the Xlib functions in shim.h. The XCB libraries are usually installed, because
// Mesa's GLX and PulseAudio's library depend on them.
#ifndef GLISSADE_CGLFW_XCB_H
#define GLISSADE_CGLFW_XCB_H
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// The XCB types in use (xproto.h). Defined here so that XCB's headers are not needed to build. Replies have the
// layout of the X protocol.
typedef struct GlissadeXcbCookie {
    unsigned sequence;
} GlissadeXcbCookie;

typedef struct GlissadeXcbGeometry {
    uint8_t response_type, depth;
    uint16_t sequence;
    uint32_t length, root;
    int16_t x, y;
    uint16_t width, height, border_width;
} GlissadeXcbGeometry;

typedef struct GlissadeXcbPlace {
    uint8_t response_type, same_screen;
    uint16_t sequence;
    uint32_t length, child;
    int16_t x, y;
} GlissadeXcbPlace;

typedef struct GlissadeXcbArea {
    int x, y, width, height;
} GlissadeXcbArea;

/// The XCB functions in use, preceded by the function that returns the XCB connection of an Xlib one.
typedef struct GlissadeXcb {
    void *(*connection)(void *);
    GlissadeXcbCookie (*get_geometry)(void *, uint32_t);
    GlissadeXcbCookie (*translate)(void *, uint32_t, uint32_t, int16_t, int16_t);
    GlissadeXcbGeometry *(*geometry_reply)(void *, GlissadeXcbCookie, void **);
    GlissadeXcbPlace *(*translate_reply)(void *, GlissadeXcbCookie, void **);
} GlissadeXcb;

/// Looks up the functions. Returns 0 if one is missing.
static inline int glissade_load_xcb(GlissadeXcb *xcb) {
    void *bridge = dlopen("libX11-xcb.so.1", RTLD_LAZY | RTLD_LOCAL);
    void *library = dlopen("libxcb.so.1", RTLD_LAZY | RTLD_LOCAL);
    const char *names[] = {
        "XGetXCBConnection", "xcb_get_geometry", "xcb_translate_coordinates", "xcb_get_geometry_reply",
        "xcb_translate_coordinates_reply",
    };
    _Static_assert(sizeof names == sizeof(GlissadeXcb), "a name for each function");
    void **functions = (void **)xcb;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        void *from = i == 0 ? bridge : library;
        functions[i] = from ? dlsym(from, names[i]) : 0;
        if (!functions[i]) return 0;
    }
    return 1;
}

/// Sets `area` to the position of `window` relative to `root`, and to its size. Returns 0 if the server does not know
/// the window. Takes one round trip to the server.
static inline int glissade_xcb_area(
    const GlissadeXcb *xcb, void *display, unsigned long window, unsigned long root, GlissadeXcbArea *area) {
    void *connection = xcb->connection(display), *errors[2] = {0, 0};
    GlissadeXcbCookie size = xcb->get_geometry(connection, (uint32_t)window);
    GlissadeXcbCookie corner = xcb->translate(connection, (uint32_t)window, (uint32_t)root, 0, 0);
    GlissadeXcbGeometry *geometry = xcb->geometry_reply(connection, size, &errors[0]);
    GlissadeXcbPlace *place = xcb->translate_reply(connection, corner, &errors[1]);
    int is_known = geometry && place;
    if (is_known) {
        area->x = place->x;
        area->y = place->y;
        area->width = geometry->width;
        area->height = geometry->height;
    }
    free(geometry);
    free(place);
    free(errors[0]);
    free(errors[1]);
    return is_known;
}
#endif
