// Pictures handed to an X server without OpenGL, in memory that both share (MIT-SHM), and an OpenGL context of one GLFW
// window made current on another. Found at run time, as all of Xlib is; types as in `shim.h`, by what they are (XShm.h,
// Xlib.h, glx.h).
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

typedef int (*GlissadeXErrorHandler)(void *, void *);

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

/// A picture that the server has too: 32 bits a pixel with blue first, opaque, rows one after the other. Null where the
/// server is another machine's, or keeps its pixels otherwise. `info` must stay where it is: the image refers to it. Main
/// thread.
static inline GlissadeXImage *glissade_make_shared_image(
    const GlissadeXShm *shm, void *display, int width, int height, GlissadeShmInfo *info) {
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
    info->id = shmget(IPC_PRIVATE, (size_t)image->bytes_per_line * (size_t)height, IPC_CREAT | 0600);
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

static inline void glissade_free_shared_image(
    const GlissadeXShm *shm, void *display, GlissadeXImage *image, GlissadeShmInfo *info) {
    shm->detach(display, info);
    shm->sync(display, 0);
    shmdt(info->address);
    shm->free(image);
}

typedef struct GlissadeGLX {
    void *(*glfw_context)(GLFWwindow *);
    int (*make_current)(void *, GlissadeXID, void *);
    void *(*current)(void);
    void (*swap)(void *, GlissadeXID);
    void **(*choose)(void *, int, const int *, int *);
    void *(*proc)(const unsigned char *);
    GlissadeXID (*create_buffer)(void *, void *, const int *);
    void (*destroy_buffer)(void *, GlissadeXID);
    void (*destroy)(void *, void *);
    const char *(*extensions)(void *, int);
    int (*query)(void *, const char *, int *, int *, int *);
    GlissadeXErrorHandler (*set_handler)(GlissadeXErrorHandler);
    int (*sync)(void *, int);
    int (*default_screen)(void *);
    int (*free)(void *);
} GlissadeGLX;

/// Fills `glx`; 0 where a function is missing. Loads the library, and no driver yet. Any thread.
static inline int glissade_load_glx(GlissadeGLX *glx) {
    void *program = dlopen(0, RTLD_LAZY);
    void *library = dlopen("libGL.so.1", RTLD_LAZY | RTLD_LOCAL);
    void *xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (!program || !library || !xlib) return 0;
    const char *names[] = {
        "glfwGetGLXContext", "glXMakeCurrent", "glXGetCurrentContext", "glXSwapBuffers", "glXChooseFBConfig",
        "glXGetProcAddressARB", "glXCreatePbuffer", "glXDestroyPbuffer", "glXDestroyContext",
        "glXQueryExtensionsString", "XQueryExtension", "XSetErrorHandler", "XSync",
        "XDefaultScreen", "XFree",
    };
    _Static_assert(sizeof names == sizeof(GlissadeGLX), "a name for each function");
    void **functions = (void **)glx;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        functions[i] = dlsym(i == 0 ? program : i < 10 ? library : xlib, names[i]);
        if (!functions[i]) return 0;
    }
    return 1;
}

/// Whether the server knows of GLX.
static inline int glissade_has_glx(const GlissadeGLX *glx, void *display) {
    int opcode, event, error;
    return glx->query(display, "GLX", &opcode, &event, &error);
}

/// Has the driver loaded and begun on GLFW's connection, which then only makes contexts; 0 where there is no OpenGL ES 3
/// by GLX. Any thread but the main one: GLFW has Xlib lock what threads share.
static inline int glissade_begin_driver(const GlissadeGLX *glx, void *display) {
    // GLX_X_RENDERABLE, GLX_DRAWABLE_TYPE: GLX_PBUFFER_BIT, GLX_RENDER_TYPE: GLX_RGBA_BIT, 8 bits each.
    const int wanted[] = {0x8012, 1, 0x8010, 4, 0x8011, 1, 8, 8, 9, 8, 10, 8, 0};
    // GLX_CONTEXT_MAJOR_VERSION_ARB, …MINOR…, GLX_CONTEXT_PROFILE_MASK_ARB: GLX_CONTEXT_ES2_PROFILE_BIT_EXT.
    const int version[] = {0x2091, 3, 0x2092, 0, 0x9126, 4, 0};
    const int size[] = {0x8041, 16, 0x8040, 16, 0};
    int count = 0;
    void **configs = glx->choose(display, glx->default_screen(display), wanted, &count);
    void *context = 0;
    if (configs && count > 0) {
        void *(*create)(void *, void *, void *, int, const int *) =
            (void *(*)(void *, void *, void *, int, const int *))
                glx->proc((const unsigned char *)"glXCreateContextAttribsARB");
        // Asked for what it does not know, a server ends the program.
        const char *known = glx->extensions(display, glx->default_screen(display));
        int knows = known && strstr(known, "GLX_ARB_create_context_profile")
            && strstr(known, "GLX_EXT_create_context_es2_profile");
        if (create && knows) {
            // What it refuses is an error of X's, of which the program would die.
            GlissadeXErrorHandler before = glx->set_handler(glissade_xshm_error);
            context = create(display, configs[0], 0, 1, version);
            glx->sync(display, 0);
            glx->set_handler(before);
        }
        if (context) {
            GlissadeXID buffer = glx->create_buffer(display, configs[0], size);
            // What a first context does once: the rasterizer's threads, the compiler's tables.
            glx->make_current(display, buffer, context);
            glx->make_current(display, 0, 0);
            glx->destroy_buffer(display, buffer);
            glx->destroy(display, context);
        }
    }
    if (configs) glx->free(configs);
    return context != 0;
}
#endif
