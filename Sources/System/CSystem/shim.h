// C library calls that Swift cannot import: macros, unions and variadics.
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

/// Nanoseconds of CLOCK_MONOTONIC, the clock that GLFW and PulseAudio use too.
static inline int64_t glissade_monotonic_nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/// Sleeps until that clock has reached a time.
static inline void glissade_sleep_until(int64_t nanoseconds) {
    struct timespec t = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    if (nanoseconds > 0) while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, 0) == EINTR) {}
}

/// Names the calling thread, for `top -H` and debuggers; Linux keeps 15 bytes.
static inline void glissade_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

/// Whether a signal's disposition is SIG_IGN, which is a macro.
static inline int glissade_ignores(const struct sigaction *disposition) {
    return disposition->sa_handler == SIG_IGN;
}

/// Makes writes to a pipe without a reader fail instead of ending the program.
static inline void glissade_ignore_broken_pipes(void) {
    signal(SIGPIPE, SIG_IGN);
}

enum { glissade_fault_stack_size = 64 << 10 };

/// Gives the calling thread an alternate stack for fault handlers, such as for a stack overflow. Memory is allocated
/// when it is used. Null if it already has one, or on failure.
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

/// Undoes the call above, on the same thread.
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

/// Both ends of a pipe, closed in child processes; glibc declares `pipe2` only with _GNU_SOURCE.
static inline int glissade_pipe(int ends[2]) {
    return (int)syscall(SYS_pipe2, ends, O_CLOEXEC);
}

/// The calling thread's ID, as in /proc/self/task; glibc declares `gettid` only with _GNU_SOURCE.
static inline pid_t glissade_thread_id(void) {
    return (pid_t)syscall(SYS_gettid);
}

/// Runs the calling process only when the CPU is otherwise idle. SCHED_IDLE, 5, is declared only with _GNU_SOURCE.
static inline void glissade_work_when_idle(void) {
    struct sched_param none = {0};
    sched_setscheduler(0, 5, &none);
    setpriority(PRIO_PROCESS, 0, 19);
}

/// Sets the calling thread's time slice in nanoseconds, 0 for the system's default; -1 if the thread does not use the
/// default scheduling policy, and is left alone. Effective since Linux 6.12, ignored before. The structure is the
/// kernel's (sched_setattr(2)); glibc 2.36 has none.
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

/// The time slice according to the kernel; 0 if unsupported.
static inline uint64_t glissade_time_slice(pid_t thread) {
    uint64_t attributes[6] = {0};
    return syscall(SYS_sched_getattr, thread, attributes, sizeof attributes, 0) == 0 ? attributes[3] : 0;
}

/// The process's resource use so far (RUSAGE_SELF is an enum in glibc's headers).
static inline int glissade_process_usage(struct rusage *usage) {
    return getrusage(RUSAGE_SELF, usage);
}

/// Sets the allocator's limits, in bytes and arenas; 0 if one is rejected. Only glibc has them.
static inline int glissade_heap_limits(int large_block, int kept_free, int arenas) {
#ifdef __GLIBC__
    return mallopt(M_MMAP_THRESHOLD, large_block) && mallopt(M_TRIM_THRESHOLD, kept_free) && mallopt(M_ARENA_MAX, arenas);
#else
    return 0;
#endif
}

/// glibc's order for names with numbers, "2" before "10"; declared only with _GNU_SOURCE.
extern int strverscmp(const char *a, const char *b);

#endif
