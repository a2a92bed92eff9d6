// Memory that can be passed to a server as a file descriptor. The C library declares these Linux calls only with
// _GNU_SOURCE, which Swift's importer does not define.
#ifndef GLISSADE_CXCB_MEMORY_H
#define GLISSADE_CXCB_MEMORY_H
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Creates an anonymous file that is closed in child processes (memfd_create(2); 1 is MFD_CLOEXEC). Returns -1 on
/// failure.
static inline int glissade_memory_file(const char *name) { return (int)syscall(SYS_memfd_create, name, 1u); }

/// Frees part of a file's memory, which then reads as zeros. Returns 0, or -1 on failure. See fallocate(2): 3
/// combines FALLOC_FL_PUNCH_HOLE and FALLOC_FL_KEEP_SIZE.
static inline int glissade_punch_hole(int file, int64_t offset, int64_t length) {
    return (int)syscall(SYS_fallocate, file, 3, offset, length);
}
#endif
