// Pictures handed to an X server without OpenGL, in memory that both share (MIT-SHM). Found at run time, as all of Xlib is;
// types as in `shim.h`, by what they are (XShm.h, Xlib.h).
#ifndef GLISSADE_CGLFW_DIRECT_H
#define GLISSADE_CGLFW_DIRECT_H
#include "shim.h"
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>

typedef struct GlissadeXImage {
    int width, height, xoffset, format;
    char *data;
    int byte_order, bitmap_unit, bitmap_bit_order, bitmap_pad, depth, bytes_per_line, bits_per_pixel;
    unsigned long red_mask, green_mask, blue_mask;
    // More follows that only Xlib looks at.
} GlissadeXImage;

typedef struct GlissadeShmInfo {
    GlissadeXID segment;
    int id;
    char *address;
    int is_read_only;
} GlissadeShmInfo;

typedef struct GlissadeXShm {
    int (*query)(void *);
    int (*attach)(void *, GlissadeShmInfo *);
    int (*detach)(void *, GlissadeShmInfo *);
    GlissadeXImage *(*create)(void *, void *, unsigned, int, char *, GlissadeShmInfo *, unsigned, unsigned);
    int (*put)(void *, GlissadeXID, void *, GlissadeXImage *, int, int, int, int, unsigned, unsigned, int);
    void *(*default_visual)(void *, int);
    int (*default_depth)(void *, int);
    int (*default_screen)(void *);
    void *(*create_gc)(void *, GlissadeXID, unsigned long, void *);
    int (*free_gc)(void *, void *);
    int (*set_foreground)(void *, void *, unsigned long);
    int (*fill)(void *, GlissadeXID, void *, int, int, unsigned, unsigned);
    int (*sync)(void *, int);
    GlissadeXErrorHandler (*set_handler)(GlissadeXErrorHandler);
    int (*free)(void *);
} GlissadeXShm;

/// Fills `shm`; 0 where a function is missing.
static inline int glissade_load_xshm(GlissadeXShm *shm) {
    void *xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_LOCAL);
    void *extensions = dlopen("libXext.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (!xlib || !extensions) return 0;
    const char *names[] = {
        "XShmQueryExtension", "XShmAttach", "XShmDetach", "XShmCreateImage", "XShmPutImage", "XDefaultVisual",
        "XDefaultDepth", "XDefaultScreen", "XCreateGC", "XFreeGC", "XSetForeground", "XFillRectangle", "XSync",
        "XSetErrorHandler", "XFree",
    };
    _Static_assert(sizeof names == sizeof(GlissadeXShm), "a name for each function");
    void **functions = (void **)shm;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        functions[i] = dlsym(i < 5 ? extensions : xlib, names[i]);
        if (!functions[i]) return 0;
    }
    return 1;
}

// In a function: what stands outside of all is not carried over to Swift's side.
static inline int *glissade_xshm_refused(void) {
    static int is_refused;
    return &is_refused;
}
static inline int glissade_xshm_error(void *display, void *event) {
    (void)display;
    (void)event;
    *glissade_xshm_refused() = 1;
    return 0;
}

/// A picture in `bytes` of memory that the server has too, at the begin of them, or, with `data` set, elsewhere: 32 bits a
/// pixel with blue first, opaque, rows one after the other. Null where the server is another machine's, or keeps its pixels
/// otherwise. `info` must stay where it is: the image refers to it. Main thread.
static inline GlissadeXImage *glissade_make_shared_image(
    const GlissadeXShm *shm, void *display, int width, int height, size_t bytes, GlissadeShmInfo *info) {
    const int zpixmap = 2, least_significant_first = 0;
    int screen = shm->default_screen(display);
    memset(info, 0, sizeof *info);
    GlissadeXImage *image = shm->create(
        display, shm->default_visual(display, screen), (unsigned)shm->default_depth(display, screen), zpixmap, 0, info,
        (unsigned)width, (unsigned)height);
    if (!image) return 0;
    if (image->bits_per_pixel != 32 || image->byte_order != least_significant_first || image->depth != 24
        || image->red_mask != 0xff0000 || image->green_mask != 0xff00 || image->blue_mask != 0xff
        || image->bytes_per_line != width * 4) {
        shm->free(image);
        return 0;
    }
    info->id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
    info->address = info->id < 0 ? (char *)-1 : shmat(info->id, 0, 0);
    int is_there = info->address != (char *)-1;
    if (is_there) {
        image->data = info->address;
        *glissade_xshm_refused() = 0;
        GlissadeXErrorHandler before = shm->set_handler(glissade_xshm_error);
        is_there = shm->attach(display, info) != 0;
        shm->sync(display, 0);
        shm->set_handler(before);
        is_there = is_there && !*glissade_xshm_refused();
    }
    // It goes with the last who has it attached.
    if (info->id >= 0) shmctl(info->id, IPC_RMID, 0);
    if (is_there) return image;
    if (info->id >= 0 && info->address != (char *)-1) shmdt(info->address);
    shm->free(image);
    return 0;
}

/// The server is done with it; this process still has the memory, at `info`'s address.
static inline void glissade_free_shared_image(
    const GlissadeXShm *shm, void *display, GlissadeXImage *image, GlissadeShmInfo *info) {
    shm->detach(display, info);
    shm->sync(display, 0);
    shm->free(image);
}
#endif
