// The few calls of the C library that Swift's importer does not bring over: macros, unions and variadics.
#ifndef GLISSADE_CSYSTEM_H
#define GLISSADE_CSYSTEM_H

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// Nanoseconds of CLOCK_MONOTONIC: the clock of GLFW's and PulseAudio's own times.
static inline int64_t glissade_monotonic_nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/// Sleeps until the clock above has come to a time.
static inline void glissade_sleep_until(int64_t nanoseconds) {
    struct timespec t = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    if (nanoseconds > 0) while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, 0) == EINTR) {}
}

/// Names the calling thread, for `top -H` and debuggers; Linux keeps 15 bytes.
static inline void glissade_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

/// The calling thread's number, as in /proc/self/task; glibc's `gettid` is shown only under _GNU_SOURCE.
static inline pid_t glissade_thread_id(void) {
    return (pid_t)syscall(SYS_gettid);
}

/// The calling process gets what nobody else wants of the processor. SCHED_IDLE, 5, is shown only under _GNU_SOURCE.
static inline void glissade_work_when_idle(void) {
    struct sched_param none = {0};
    sched_setscheduler(0, 5, &none);
    setpriority(PRIO_PROCESS, 0, 19);
}

/// The process's resource use so far (RUSAGE_SELF is an enum in glibc's headers).
static inline int glissade_process_usage(struct rusage *usage) {
    return getrusage(RUSAGE_SELF, usage);
}

/// Where the allocator's limits lie, in bytes and arenas; 0 where one is refused. Only glibc has them.
static inline int glissade_heap_limits(int large_block, int kept_free, int arenas) {
#ifdef __GLIBC__
    return mallopt(M_MMAP_THRESHOLD, large_block) && mallopt(M_TRIM_THRESHOLD, kept_free) && mallopt(M_ARENA_MAX, arenas);
#else
    return 0;
#endif
}

/// glibc's order of names with numbers in them, "2" before "10"; its header shows it only under _GNU_SOURCE.
extern int strverscmp(const char *a, const char *b);

#endif
