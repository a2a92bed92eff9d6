// Counts the heap allocations of each thread, in a program that is started with this library in LD_PRELOAD.
//
// GLISSADE_ALLOCATIONS names an existing file of 4096 bytes. It is an array of `struct thread`, which may be read at
// any time. A thread takes an element at its first allocation; after 256 threads, further ones are not counted.
// Compile it as C11.

#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// Little endian, like the machines that run the tests.
struct thread {
    uint32_t id; // 0: not in use.
    uint32_t unused;
    _Atomic uint64_t count;
};

#define MAXIMUM 256

static struct thread *_Atomic threads;
static atomic_uint thread_count;
// "initial-exec", because other thread-local storage may be allocated at its first use.
static __thread __attribute__((tls_model("initial-exec"))) struct thread *own;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("GLISSADE_ALLOCATIONS");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *place = mmap(NULL, MAXIMUM * sizeof(struct thread), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (place != MAP_FAILED) threads = place;
    // A child process would count from the first element on, too.
    unsetenv("LD_PRELOAD");
    unsetenv("GLISSADE_ALLOCATIONS");
}

static void note(void) {
    if (!own) {
        struct thread *list = threads;
        if (!list) return;
        unsigned index = atomic_fetch_add(&thread_count, 1);
        if (index >= MAXIMUM) return;
        own = &list[index];
        own->id = (uint32_t)syscall(SYS_gettid);
    }
    atomic_fetch_add_explicit(&own->count, 1, memory_order_relaxed);
}

#include "../../Benchmarks/CAllocations/interposers.h"
