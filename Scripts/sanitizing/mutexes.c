// Makes Swift's `Mutex` visible to the thread sanitizer. To be preloaded.
//
// When a mutex is contended, the kernel hands it over (futex(2), FUTEX_LOCK_PI): the sanitizer sees neither the call
// nor an atomic operation of the new owner, and reports a race on what the lock protects. It does see uncontended
// locks.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SELF __attribute__((swift_context)) void *self

// Synchronization._MutexHandle._lockSlow(UInt32) and ._unlockSlow(), by their mangled names.
__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
__attribute__((swiftcall)) void unlock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

typedef __attribute__((swiftcall)) void (*lock_call)(uint32_t, SELF);
typedef __attribute__((swiftcall)) void (*unlock_call)(SELF);

static lock_call real_lock;
static unlock_call real_unlock;
static void (*acquire)(void *);
static void (*release)(void *);

__attribute__((constructor)) static void look_up(void) {
    real_lock = (lock_call)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    real_unlock = (unlock_call)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    acquire = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_acquire");
    release = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_release");
}

__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF) {
    real_lock(thread, self);
    if (acquire) acquire(self);
}

__attribute__((swiftcall)) void unlock_slow(SELF) {
    if (release) release(self);
    real_unlock(self);
}
