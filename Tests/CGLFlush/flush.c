// The program's own definition of `glFlush` comes before the library's: it counts, and hands on to the library's.

#define _GNU_SOURCE
#include "flush.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int count;

int glissade_flush_count(void) { return atomic_load(&count); }

void glFlush(void) {
    atomic_fetch_add(&count, 1);
    void (*flush)(void) = (void (*)(void))dlsym(RTLD_NEXT, "glFlush");
    if (flush) flush();
}
