// The X Input extension, version 2 (XInput 2), which reports fingers. Its library is loaded at run time, like Xlib in
// shim.h; only the functions that select events are used. The events are parsed in Swift.
#ifndef GLISSADE_CGLFW_XINPUT_H
#define GLISSADE_CGLFW_XINPUT_H
#include "shim.h"

typedef struct GlissadeXIEventMask {
    int device, length;
    unsigned char *mask;
} GlissadeXIEventMask;

/// Decodes an event with more than 32 bytes. The arguments are the connection, the event to fill, and the bytes received.
typedef int (*GlissadeXConvertCookie)(void *, void *, void *);

/// The class of a valuator that scrolls (XIScrollClassInfo), or the first fields of any other class.
typedef struct GlissadeXIScrollClass {
    int type, source, number, direction;
    double increment;
    int flags;
} GlissadeXIScrollClass;

typedef struct GlissadeXIDevice {
    int id;
    char *name;
    int use, attachment, is_enabled, class_count;
    GlissadeXIScrollClass **classes;
} GlissadeXIDevice;

typedef struct GlissadeXInput {
    int (*select_events)(void *, GlissadeXID, GlissadeXIEventMask *, int);
    GlissadeXIDevice *(*query_device)(void *, int, int *);
    void (*free_devices)(GlissadeXIDevice *);
    int (*query_extension)(void *, const char *, int *, int *, int *);
    GlissadeXConvertCookie (*exchange)(void *, int, GlissadeXConvertCookie);
} GlissadeXInput;

/// Looks up the functions. Returns 0 if one is missing.
static inline int glissade_load_xinput(GlissadeXInput *xinput) {
    void *input = dlopen("libXi.so.6", RTLD_LAZY | RTLD_LOCAL), *x = dlopen("libX11.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (!input || !x) return 0;
    void **functions = (void **)xinput;
    functions[0] = dlsym(input, "XISelectEvents");
    functions[1] = dlsym(input, "XIQueryDevice");
    functions[2] = dlsym(input, "XIFreeDeviceInfo");
    functions[3] = dlsym(x, "XQueryExtension");
    functions[4] = dlsym(x, "XESetWireToEventCookie");
    for (unsigned i = 0; i < sizeof *xinput / sizeof *functions; i++) {
        if (!functions[i]) return 0;
    }
    return 1;
}

#endif
