// Preloaded into the program, it takes Mesa's rasterizer for a GPU, and has OpenGL fail late.
//
//   GLISSADE_FAIL        what fails: "link", "memory", "swap", or "window": swaps of any window but the first
//   GLISSADE_FAIL_AFTER  after so many swaps, of all windows
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NO_ERROR = 0, OUT_OF_MEMORY = 0x0505, LINK_STATUS = 0x8B82, CONTEXT_LOST = 0x300E };

static unsigned swaps;
static int swap_failed;

static int fails(const char *what) {
    const char *wanted = getenv("GLISSADE_FAIL"), *after = getenv("GLISSADE_FAIL_AFTER");
    return wanted && !strcmp(wanted, what) && swaps >= (after ? strtoul(after, NULL, 10) : 0);
}

static void *(*real_dlsym(void))(void *, const char *) {
    static void *(*found)(void *, const char *);
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
    for (unsigned i = 0; !found && i < sizeof versions / sizeof *versions; i++)
        found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    return found;
}

static unsigned (*real_swap)(void *, void *);

static unsigned failing_swap(void *display, void *surface) {
    static void *first;
    if (!first) first = surface;
    if (fails("swap") || (surface != first && fails("window"))) {
        swap_failed = 1;
        return 0;
    }
    swaps++;
    swap_failed = 0;
    return real_swap(display, surface);
}

// GLFW asks for EGL's functions by name.
void *dlsym(void *restrict handle, const char *restrict name) {
    void *symbol = real_dlsym()(handle, name);
    if (!symbol || strcmp(name, "eglSwapBuffers")) return symbol;
    real_swap = symbol;
    return failing_swap;
}

int eglGetError(void) {
    if (swap_failed) {
        swap_failed = 0;
        return CONTEXT_LOST;
    }
    return ((int (*)(void))real_dlsym()(RTLD_NEXT, "eglGetError"))();
}

unsigned glGetError(void) {
    if (fails("memory")) return OUT_OF_MEMORY;
    return ((unsigned (*)(void))real_dlsym()(RTLD_NEXT, "glGetError"))();
}

void glGetProgramiv(unsigned program, unsigned name, int *value) {
    ((void (*)(unsigned, unsigned, int *))real_dlsym()(RTLD_NEXT, "glGetProgramiv"))(program, name, value);
    if (name == LINK_STATUS && fails("link")) *value = 0;
}

// The program takes a machine with this file for one with a GPU.
int access(const char *path, int mode) {
    if (!strcmp(path, "/dev/nvidiactl")) return 0;
    return ((int (*)(const char *, int))real_dlsym()(RTLD_NEXT, "access"))(path, mode);
}
