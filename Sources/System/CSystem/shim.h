// Wrappers for parts of the C library that Swift cannot import, such as macros, unions and variadic functions.
#ifndef GLISSADE_CSYSTEM_H
#define GLISSADE_CSYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// The time of CLOCK_MONOTONIC in nanoseconds. GLFW and PulseAudio use this clock too.
static inline int64_t glissade_monotonic_nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/// Sleeps until CLOCK_MONOTONIC reaches the given time, in nanoseconds. Returns at once if the time is 0 or negative.
static inline void glissade_sleep_until(int64_t nanoseconds) {
    struct timespec t = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    if (nanoseconds > 0) while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, 0) == EINTR) {}
}

/// Names the calling thread, for `top -H` and debuggers. Linux limits a name to 15 bytes; a longer one has no effect.
static inline void glissade_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

/// Whether a disposition ignores its signal (SIG_IGN, which is a macro).
static inline int glissade_ignores(const struct sigaction *disposition) {
    return disposition->sa_handler == SIG_IGN;
}

/// Lets a write fail, instead of ending the program, if the other end of the pipe or socket is closed.
static inline void glissade_ignore_broken_pipes(void) {
    signal(SIGPIPE, SIG_IGN);
}

enum { glissade_fault_stack_size = 64 << 10 };

/// Gives the calling thread an alternate stack for fault handlers, so that they can run after a stack overflow. The
/// system allocates its memory when it is first used. Returns null on failure, or if the thread already has such a
/// stack.
static inline void *glissade_begin_fault_stack(void) {
    stack_t present;
    if (sigaltstack(0, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return 0;
    void *memory = mmap(0, glissade_fault_stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return 0;
    stack_t own = {.ss_sp = memory, .ss_size = glissade_fault_stack_size};
    if (sigaltstack(&own, 0) == 0) return memory;
    munmap(memory, glissade_fault_stack_size);
    return 0;
}

/// Removes and frees the calling thread's stack from `glissade_begin_fault_stack`. Does nothing if `memory` is null.
static inline void glissade_end_fault_stack(void *memory) {
    if (!memory) return;
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, 0);
    munmap(memory, glissade_fault_stack_size);
}

/// Makes the kernel kill the calling process when the thread that started it exits.
static inline int glissade_end_with_parent(void) {
    return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

/// Creates a pipe whose ends are closed in child processes. Without _GNU_SOURCE, glibc does not declare `pipe2`.
static inline int glissade_pipe(int ends[2]) {
    return (int)syscall(SYS_pipe2, ends, O_CLOEXEC);
}

/// The calling thread's ID, as listed in /proc/self/task. Without _GNU_SOURCE, glibc does not declare `gettid`.
static inline pid_t glissade_thread_id(void) {
    return (pid_t)syscall(SYS_gettid);
}

/// Lowers the calling thread, and the threads that it starts later, to a priority at which they run only when the CPU
/// is otherwise idle. 5 is SCHED_IDLE, which glibc declares only with _GNU_SOURCE.
static inline void glissade_work_when_idle(void) {
    struct sched_param none = {0};
    sched_setscheduler(0, 5, &none);
    setpriority(PRIO_PROCESS, 0, 19);
}

/// Sets the calling thread's time slice in nanoseconds; 0 is the system's default. Returns -1 without a change if the
/// thread does not have the default scheduling policy.
///
/// Linux ignores the value before version 6.12. The structure is the kernel's (sched_setattr(2)); glibc 2.36 does not
/// define it.
static inline int glissade_set_time_slice(uint64_t nanoseconds) {
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {0};
    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0 || attributes.policy != SCHED_OTHER) return -1;
    attributes.size = sizeof attributes;
    attributes.flags &= 1; // SCHED_FLAG_RESET_ON_FORK
    attributes.runtime = nanoseconds;
    return (int)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

/// Returns a thread's time slice in nanoseconds, according to the kernel; 0 if unsupported.
static inline uint64_t glissade_time_slice(pid_t thread) {
    uint64_t attributes[6] = {0};
    return syscall(SYS_sched_getattr, thread, attributes, sizeof attributes, 0) == 0 ? attributes[3] : 0;
}

/// Gets the process's resource usage so far. In Swift, RUSAGE_SELF does not have the type that `getrusage` takes.
static inline int glissade_process_usage(struct rusage *usage) {
    return getrusage(RUSAGE_SELF, usage);
}

/// Sets the allocator's thresholds, in bytes, and its number of arenas. Returns 0 if glibc rejects one, or if the C
/// library is not glibc.
static inline int glissade_heap_limits(int large_block, int kept_free, int arenas) {
#ifdef __GLIBC__
    return mallopt(M_MMAP_THRESHOLD, large_block) && mallopt(M_TRIM_THRESHOLD, kept_free) && mallopt(M_ARENA_MAX, arenas);
#else
    return 0;
#endif
}

/// Compares names that contain numbers, so that "2" comes before "10". glibc declares this only with _GNU_SOURCE.
extern int strverscmp(const char *a, const char *b);

#endif
