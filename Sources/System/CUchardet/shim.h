// uchardet's header, with its functions loaded at run time. Only text in legacy encodings needs them.
#ifndef GLISSADE_CUCHARDET_H
#define GLISSADE_CUCHARDET_H

#include <dlfcn.h>
#include <uchardet/uchardet.h>

/// The uchardet functions in use. Sendable, because the pointers never change.
typedef struct __attribute__((swift_attr("@Sendable"))) GlissadeUchardet {
    __typeof__(uchardet_new) *create;
    __typeof__(uchardet_delete) *release;
    __typeof__(uchardet_handle_data) *handle_data;
    __typeof__(uchardet_data_end) *data_end;
    __typeof__(uchardet_get_charset) *get_charset;
} GlissadeUchardet;

/// Looks up the functions. Returns 0 if the library or a function is missing. The library is never unloaded.
static inline int glissade_load_uchardet(GlissadeUchardet *detector) {
    // The soname version has been 0 since the first release (2015).
    void *library = dlopen("libuchardet.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libuchardet.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    const char *names[] = {
        "uchardet_new", "uchardet_delete", "uchardet_handle_data", "uchardet_data_end", "uchardet_get_charset",
    };
    _Static_assert(sizeof names == sizeof(GlissadeUchardet), "a name for each function");
    void **functions = (void **)detector;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!(functions[i] = dlsym(library, names[i]))) return 0;
    return 1;
}

#endif
