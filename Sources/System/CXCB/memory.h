// Memory that a server can be given by a descriptor: calls of Linux that the C library declares with _GNU_SOURCE alone, which
// Swift's importer does not define.
#ifndef GLISSADE_CXCB_MEMORY_H
#define GLISSADE_CXCB_MEMORY_H
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/// A file without a name, which programs that are started do not get (memfd_create(2): MFD_CLOEXEC is 1); -1 where there is
/// none to be had.
static inline int glissade_memory_file(const char *name) { return (int)syscall(SYS_memfd_create, name, 1u); }

/// Gives a part of a file's memory back, which is zeros from then on (fallocate(2): FALLOC_FL_PUNCH_HOLE and
/// FALLOC_FL_KEEP_SIZE are 2 and 1). 0, or -1 where that cannot be.
static inline int glissade_punch_hole(int file, int64_t offset, int64_t length) {
    return (int)syscall(SYS_fallocate, file, 3, offset, length);
}
#endif
