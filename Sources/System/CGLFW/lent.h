// An OpenGL context of one GLFW window made current on others, by GLX. Found at run time, as all of Xlib is; types as in
// `shim.h`, by what they are (Xlib.h, glx.h).
#ifndef GLISSADE_CGLFW_LENT_H
#define GLISSADE_CGLFW_LENT_H
#include "direct.h"

typedef struct GlissadeGLX {
    void *(*glfw_context)(GLFWwindow *);
    int (*make_current)(void *, GlissadeXID, void *);
    void *(*current)(void);
    GlissadeXID (*drawable)(void);
    void (*swap)(void *, GlissadeXID);
    void **(*choose)(void *, int, const int *, int *);
    void *(*proc)(const unsigned char *);
    int (*ask)(void *, void *, int, int *);
    GlissadeXID (*create_window)(void *, void *, GlissadeXID, const int *);
    void (*destroy_window)(void *, GlissadeXID);
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

/// Shows a part of what was drawn, and leaves all of it there (GLX_MESA_copy_sub_buffer); y counts from the lower edge.
typedef void (*GlissadeCopyPart)(void *, GlissadeXID, int, int, int, int);

/// Fills `glx`; 0 where a function is missing. Loads the library, and no driver yet. Any thread.
static inline int glissade_load_glx(GlissadeGLX *glx) {
    void *program = dlopen(0, RTLD_LAZY);
    void *library = dlopen("libGL.so.1", RTLD_LAZY | RTLD_LOCAL);
    void *xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (!program || !library || !xlib) return 0;
    const char *names[] = {
        "glfwGetGLXContext", "glXMakeCurrent", "glXGetCurrentContext", "glXGetCurrentDrawable", "glXSwapBuffers", "glXChooseFBConfig",
        "glXGetProcAddressARB", "glXQueryContext", "glXCreateWindow", "glXDestroyWindow", "glXCreatePbuffer",
        "glXDestroyPbuffer", "glXDestroyContext",
        "glXQueryExtensionsString", "XQueryExtension", "XSetErrorHandler", "XSync",
        "XDefaultScreen", "XFree",
    };
    _Static_assert(sizeof names == sizeof(GlissadeGLX), "a name for each function");
    void **functions = (void **)glx;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        functions[i] = dlsym(i == 0 ? program : i < 14 ? library : xlib, names[i]);
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

/// `window` as something that `context` draws into, which keeps its buffers until it is destroyed: a window by itself loses
/// them whenever the context is made current elsewhere. 0 where they do not go together. Main thread.
static inline GlissadeXID glissade_glx_window(
    const GlissadeGLX *glx, void *display, GlissadeXID window, void *context) {
    const int config_id = 0x8013; // GLX_FBCONFIG_ID
    int wanted[] = {config_id, 0, 0}, count = 0;
    if (glx->ask(display, context, config_id, &wanted[1])) return 0;
    void **configs = glx->choose(display, glx->default_screen(display), wanted, &count);
    GlissadeXID drawable = 0;
    if (configs && count > 0) {
        *glissade_xshm_refused() = 0;
        GlissadeXErrorHandler before = glx->set_handler(glissade_xshm_error);
        drawable = glx->create_window(display, configs[0], window, 0);
        glx->sync(display, 0);
        glx->set_handler(before);
        if (*glissade_xshm_refused()) drawable = 0;
    }
    if (configs) glx->free(configs);
    return drawable;
}

/// Null where the server or the driver cannot. Main thread.
static inline GlissadeCopyPart glissade_glx_copy_part(const GlissadeGLX *glx, void *display) {
    const char *known = glx->extensions(display, glx->default_screen(display));
    if (!known || !strstr(known, "GLX_MESA_copy_sub_buffer")) return 0;
    return (GlissadeCopyPart)glx->proc((const unsigned char *)"glXCopySubBufferMESA");
}
#endif
