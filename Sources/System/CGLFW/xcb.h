// Two questions to the X server with one wait: Xlib asks one after the other, and what is asked about may change in between.
// Found at run time, as the functions of Xlib are (shim.h); Mesa's GLX and PulseAudio's library bring them along.
#ifndef GLISSADE_CGLFW_XCB_H
#define GLISSADE_CGLFW_XCB_H
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// XCB's own headers are not needed to build: these are its types by what they are (xproto.h), which is what goes over the
// wire.
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

/// The functions of XCB that are used, and Xlib's that gives its connection.
typedef struct GlissadeXcb {
    void *(*connection)(void *);
    GlissadeXcbCookie (*get_geometry)(void *, uint32_t);
    GlissadeXcbCookie (*translate)(void *, uint32_t, uint32_t, int16_t, int16_t);
    GlissadeXcbGeometry *(*geometry_reply)(void *, GlissadeXcbCookie, void **);
    GlissadeXcbPlace *(*translate_reply)(void *, GlissadeXcbCookie, void **);
} GlissadeXcb;

/// Fills `xcb`; 0 where a function is missing.
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

/// Where `window` is on `root`; 0 where the server does not know it. One round trip.
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
