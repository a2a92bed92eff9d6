// The X server's screen saver extension (MIT-SCREEN-SAVER). Like Xlib in shim.h, its library is loaded at run time,
// and scrnsaver.h is not needed to build.
#ifndef GLISSADE_CGLFW_SCREENSAVER_H
#define GLISSADE_CGLFW_SCREENSAVER_H
#include "shim.h"

typedef struct GlissadeXScreenSaver {
    int (*query_extension)(void *, int *, int *);
    int (*query_version)(void *, int *, int *);
    void (*suspend)(void *, int);
} GlissadeXScreenSaver;

/// Looks up the functions. Returns 0 if the library or a function is missing.
static inline int glissade_load_screensaver(GlissadeXScreenSaver *saver) {
    void *library = dlopen("libXss.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return 0;
    const char *names[] = {"XScreenSaverQueryExtension", "XScreenSaverQueryVersion", "XScreenSaverSuspend"};
    _Static_assert(sizeof names == sizeof(GlissadeXScreenSaver), "a name for each function");
    void **functions = (void **)saver;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        functions[i] = dlsym(library, names[i]);
        if (!functions[i]) return 0;
    }
    return 1;
}

/// Whether the server supports at least version 1.1 of the extension. Takes two round trips to the server.
static inline int glissade_has_screensaver(const GlissadeXScreenSaver *saver, void *display) {
    int event, error, major = 0, minor = 0;
    if (!saver->query_extension(display, &event, &error) || !saver->query_version(display, &major, &minor)) return 0;
    return major > 1 || (major == 1 && minor >= 1);
}

#endif
