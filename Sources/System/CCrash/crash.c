// Writes crash reports. All code that runs in the signal handler is async-signal-safe (signal-safety(7)): it takes no
// lock, allocates no memory and does not use stdio. To find modules, it uses _dl_find_object (glibc 2.35), like the
// unwinder of GCC 12, because dladdr and dl_iterate_phdr take a lock.
#define _GNU_SOURCE
#include "crash.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

enum { most_frames = 128, most_modules = 32, most_files = 32, scanned_words = 1024, timeout = 10 };

static const struct { int number; const char *name; } signals[] = {
    {SIGSEGV, "SIGSEGV"}, {SIGILL, "SIGILL"}, {SIGTRAP, "SIGTRAP"}, {SIGBUS, "SIGBUS"},
    {SIGFPE, "SIGFPE"}, {SIGABRT, "SIGABRT"}, {SIGSYS, "SIGSYS"},
};
enum { signal_count = sizeof signals / sizeof *signals };

// Set by `glissade_report_crashes`, then never changed.
static char report_path[4096];
static char program_name[128];
static char executable[4096];
static char kernel[256];
static struct timespec began;

/// The ID of the first thread that crashed; 0 before that.
static atomic_int crashed_thread;
static int crash_signal;

// Direct system calls. The C library's functions first check whether the thread was canceled, which reads memory at
// the end of the thread's stack. That memory may be corrupted.
static int open_file(const char *path, int flags, int mode) {
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
static ssize_t write_bytes(int file, const char *bytes, size_t count) { return syscall(SYS_write, file, bytes, count); }
static void close_file(int file) { syscall(SYS_close, file); }

// --- Writing -----------------------------------------------------------------------------------------------------

struct report {
    int file;
    size_t count;
    char bytes[512];
};

static void flush(struct report *report) {
    size_t sent = 0;
    while (sent < report->count) {
        ssize_t count = write_bytes(report->file, report->bytes + sent, report->count - sent);
        if (count <= 0) break;
        sent += (size_t)count;
    }
    report->count = 0;
}

static void put_byte(struct report *report, char byte) {
    if (report->count == sizeof report->bytes) flush(report);
    report->bytes[report->count++] = byte;
}

static void put(struct report *report, const char *text) {
    while (*text) put_byte(report, *text++);
}

/// Writes a name that comes from outside the program. Replaces control characters, such as line breaks, with question
/// marks.
static void put_name(struct report *report, const char *name) {
    for (; *name; name++) put_byte(report, (unsigned char)*name < 0x20 || *name == 0x7F ? '?' : *name);
}

static void put_number(struct report *report, uint64_t number, int least_digits) {
    char digits[20];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number || count < least_digits);
    while (count) put_byte(report, digits[--count]);
}

static void put_hex_digits(struct report *report, uint64_t number, int least_digits) {
    char digits[16];
    int count = 0;
    do {
        digits[count++] = "0123456789abcdef"[number & 15];
        number >>= 4;
    } while (number || count < least_digits);
    while (count) put_byte(report, digits[--count]);
}

static void put_address(struct report *report, uint64_t address) {
    put(report, "0x");
    put_hex_digits(report, address, 1);
}

/// Writes the current date and time in UTC. Does not use gmtime_r, which may take a lock.
static void put_time(struct report *report) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    // Days are counted from 1 March of year 0, so that a leap day is the last day of a year.
    int64_t days = now.tv_sec / 86400 + 719468, second = now.tv_sec % 86400;
    int64_t era = days / 146097, day_of_era = days % 146097;
    int64_t year = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day = day_of_era - (365 * year + year / 4 - year / 100), month = (5 * day + 2) / 153;
    put_number(report, (uint64_t)(year + era * 400 + (month >= 10)), 4);
    put_byte(report, '-');
    put_number(report, (uint64_t)(month < 10 ? month + 3 : month - 9), 2);
    put_byte(report, '-');
    put_number(report, (uint64_t)(day - (153 * month + 2) / 5 + 1), 2);
    put_byte(report, ' ');
    put_number(report, (uint64_t)(second / 3600), 2);
    put_byte(report, ':');
    put_number(report, (uint64_t)(second / 60 % 60), 2);
    put_byte(report, ':');
    put_number(report, (uint64_t)(second % 60), 2);
    put(report, " UTC");
}

// --- Modules -----------------------------------------------------------------------------------------------------

struct module {
    const char *path;
    /// The load bias: an address in memory minus the address in the file.
    uintptr_t bias;
    const ElfW(Ehdr) *header;
};

static int find_module(uintptr_t address, struct module *module) {
    struct dl_find_object found;
    if (_dl_find_object((void *)address, &found) != 0 || !found.dlfo_link_map) return 0;
    const char *name = found.dlfo_link_map->l_name;
    module->path = name && *name ? name : executable;
    module->bias = found.dlfo_link_map->l_addr;
    module->header = found.dlfo_map_start;
    return memcmp(module->header->e_ident, ELFMAG, SELFMAG) == 0;
}

static const ElfW(Phdr) *segments(const struct module *module) {
    return (const ElfW(Phdr) *)((const char *)module->header + module->header->e_phoff);
}

static int is_code(const struct module *module, uintptr_t address) {
    const ElfW(Phdr) *segment = segments(module);
    for (int i = 0; i < module->header->e_phnum; i++, segment++) {
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
        if (address - module->bias - segment->p_vaddr < segment->p_memsz) return 1;
    }
    return 0;
}

/// Writes the module's build ID, which identifies its debug symbols.
static void put_build_id(struct report *report, const struct module *module) {
    const ElfW(Phdr) *segment = segments(module);
    for (int i = 0; i < module->header->e_phnum; i++, segment++) {
        if (segment->p_type != PT_NOTE) continue;
        const char *note = (const char *)(module->bias + segment->p_vaddr), *end = note + segment->p_memsz;
        while (note + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *head = (const ElfW(Nhdr) *)note;
            const char *name = note + sizeof *head, *content = name + ((head->n_namesz + 3) & ~3u);
            note = content + ((head->n_descsz + 3) & ~3u);
            if (note > end || head->n_type != NT_GNU_BUILD_ID || head->n_namesz != 4 || memcmp(name, "GNU", 4)) continue;
            put(report, ", build ID ");
            for (unsigned j = 0; j < head->n_descsz; j++) put_hex_digits(report, (unsigned char)content[j], 2);
            return;
        }
    }
}

// --- Backtrace ---------------------------------------------------------------------------------------------------

struct trace {
    int count;
    /// The addresses of the faulting instruction and of the calls that led to it, innermost first.
    uintptr_t frames[most_frames];
};

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *argument) {
    struct trace *trace = argument;
    int is_instruction = 0;
    uintptr_t address = _Unwind_GetIPInfo(context, &is_instruction);
    // A return address is after the call instruction, and may belong to another line or function. So subtract 1.
    if (address) trace->frames[trace->count++] = is_instruction ? address : address - 1;
    return trace->count < most_frames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/// Where to continue if the unwinder itself faults.
static sigjmp_buf after_unwinding;
static volatile sig_atomic_t is_unwinding;

/// Collects the addresses of the calls into `trace`. If the unwinder faults, the frames found before are kept.
///
/// The fault can happen in code without unwind tables: libgcc then reads instructions to recognize a signal frame.
/// After a wild jump, or with a corrupted return address, that memory may not be mapped.
static void unwind(struct trace *trace) {
    sigset_t faults;
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    sigaddset(&faults, SIGBUS);
    if (sigsetjmp(after_unwinding, 0) == 0) {
        is_unwinding = 1;
        pthread_sigmask(SIG_UNBLOCK, &faults, 0);
        _Unwind_Backtrace(add_frame, trace);
    }
    is_unwinding = 0;
    pthread_sigmask(SIG_BLOCK, &faults, 0);
}

static void put_place(struct report *report, uintptr_t address) {
    struct module module;
    if (find_module(address, &module)) {
        put_name(report, module.path);
        put(report, "+");
        put_address(report, address - module.bias);
    } else {
        put_address(report, address);
    }
    put(report, "\n");
}

static void put_frame(struct report *report, int number, uintptr_t address) {
    put(report, "  #");
    put_number(report, (uint64_t)number, 1);
    put(report, " ");
    put_place(report, address);
}

/// Writes the addresses on the stack that point to code, innermost first: callers, and leftovers of earlier calls.
/// Used for code without unwind tables, such as FFmpeg's assembly.
///
/// The kernel copies the stack, so that an invalid stack pointer does not cause another fault.
static void put_stack(struct report *report, uintptr_t stack, struct trace *found) {
    static uintptr_t words[scanned_words];
    int memory = open_file("/proc/self/mem", O_RDONLY | O_CLOEXEC, 0);
    if (memory < 0) return;
    // May read less than requested, because the last page may be unmapped.
    ssize_t size = syscall(SYS_pread64, memory, words, sizeof words, stack & ~(sizeof *words - 1));
    close_file(memory);
    for (ssize_t i = 0; i < size / (ssize_t)sizeof *words && found->count < most_frames; i++) {
        struct module module;
        uintptr_t address = words[i] - 1;
        if (!find_module(address, &module) || !is_code(&module, address)) continue;
        if (found->count == 0) put(report, "code addresses on the stack:\n");
        found->frames[found->count++] = address;
        put(report, "  ");
        put_place(report, address);
    }
}

/// Writes each module that contains an address in the report, with its build ID.
static void put_modules(struct report *report, const struct trace *trace, const struct trace *stack) {
    static const void *seen[most_modules];
    int count = 0;
    put(report, "modules:\n");
    for (int i = 0; i < trace->count + stack->count; i++) {
        struct module module;
        uintptr_t address = i < trace->count ? trace->frames[i] : stack->frames[i - trace->count];
        if (!find_module(address, &module)) continue;
        int known = 0;
        for (int j = 0; j < count; j++) known |= seen[j] == module.header;
        if (known || count == most_modules) continue;
        seen[count++] = module.header;
        put(report, "  ");
        put_name(report, module.path);
        put_build_id(report, &module);
        put(report, "\n");
    }
}

// --- The rest of the report --------------------------------------------------------------------------------------

/// Writes the paths of the open regular files.
static void put_open_files(struct report *report) {
    put(report, "open files:\n");
    int count = 0;
    for (int number = STDERR_FILENO + 1; number < 1024 && count < most_files; number++) {
        if (number == report->file) continue;
        char link[32] = "/proc/self/fd/", path[4096];
        char digits[4];
        int length = 0, rest = number;
        do digits[length++] = (char)('0' + rest % 10); while (rest /= 10);
        size_t end = strlen(link);
        while (length) link[end++] = digits[--length];
        ssize_t size = readlink(link, path, sizeof path - 1);
        if (size <= 0 || path[0] != '/') continue;
        path[size] = 0;
        struct stat status;
        if (fstat(number, &status) != 0 || !S_ISREG(status.st_mode) || strncmp(path, "/memfd:", 7) == 0) continue;
        put(report, "  ");
        put_name(report, path);
        put(report, "\n");
        count++;
    }
}

static void put_cause(struct report *report, int number, const siginfo_t *info) {
    for (int i = 0; i < signal_count; i++) if (signals[i].number == number) put(report, signals[i].name);
    if (info->si_code <= 0) {
        put(report, info->si_pid == getpid() ? ", raised by itself" : ", sent by process ");
        if (info->si_pid != getpid()) put_number(report, (uint64_t)info->si_pid, 1);
    } else {
        put(report, ", code ");
        put_number(report, (uint64_t)info->si_code, 1);
        put(report, number == SIGSEGV || number == SIGBUS ? ", at memory address " : ", at instruction ");
        put_address(report, (uintptr_t)info->si_addr);
    }
}

static void put_circumstances(struct report *report, int number, const siginfo_t *info) {
    char name[17] = "";
    prctl(PR_GET_NAME, name);
    put(report, program_name);
    put(report, " crashed: ");
    put_cause(report, number, info);
    put(report, "\ntime: ");
    put_time(report);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    put(report, ", after ");
    put_number(report, (uint64_t)(now.tv_sec - began.tv_sec), 1);
    put(report, " s\nthread: ");
    put_name(report, name);
    put(report, ", ");
    put_number(report, (uint64_t)syscall(SYS_gettid), 1);
    put(report, " of process ");
    put_number(report, (uint64_t)getpid(), 1);
    put(report, "\nsystem: ");
    put_name(report, kernel);
    put(report, "\n");
}

static uintptr_t instruction(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return context->uc_mcontext.pc;
#else
    return 0;
#endif
}

static uintptr_t stack_pointer(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return context->uc_mcontext.sp;
#else
    return 0;
#endif
}

static int create(const char *path) {
    // New folders are accessible only to this user. Existing folders are not changed.
    static char folder[sizeof report_path];
    for (size_t i = 0; path[i]; i++) {
        if (path[i] == '/' && i > 0) {
            folder[i] = 0;
            mkdir(folder, 0700);
        }
        folder[i] = path[i];
    }
    return open_file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/// Writes the report. The crash may have corrupted the stack, so the parts that read it come last.
static void write_report(int number, const siginfo_t *info, const ucontext_t *context) {
    static struct report report;
    static struct trace trace, stack;
    report.file = create(report_path);
    if (report.file < 0) return;
    put_circumstances(&report, number, info);
    put_open_files(&report);
    uintptr_t place = instruction(context);
    put(&report, "backtrace, innermost first (addr2line -Cfipe FILE ADDRESS):\n");
    put_frame(&report, 0, place);
    flush(&report);
    unwind(&trace);
    // Skips the handler's own frames, which come first.
    int first = 0;
    while (first < trace.count && trace.frames[first] != place) first++;
    for (int i = first + 1; i < trace.count; i++) put_frame(&report, i - first, trace.frames[i]);
    flush(&report);
    if (trace.count - first < 4) put_stack(&report, stack_pointer(context), &stack);
    put_modules(&report, &trace, &stack);
    flush(&report);
    close_file(report.file);
}

// --- The handler -------------------------------------------------------------------------------------------------

static void restore_default(int number) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(number, &action, 0);
}

/// Ends the process if the report takes longer than `timeout` seconds: a corrupted stack can make the unwinder loop.
static void give_up(int number) {
    (void)number;
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, crash_signal);
    restore_default(crash_signal);
    pthread_sigmask(SIG_UNBLOCK, &one, 0);
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), crash_signal);
}

static void handle(int number, siginfo_t *info, void *context) {
    int thread = (int)syscall(SYS_gettid), nobody = 0;
    if (!atomic_compare_exchange_strong(&crashed_thread, &nobody, thread)) {
        if (nobody == thread && is_unwinding) siglongjmp(after_unwinding, 1);
        // Another thread is writing the report and will end the process. Wait for that.
        for (;;) syscall(SYS_ppoll, 0, 0, 0, 0, 0);
    }
    crash_signal = number;
    struct sigaction limit = {.sa_handler = give_up};
    sigaction(SIGALRM, &limit, 0);
    alarm(timeout);
    write_report(number, info, context);
    restore_default(number);
    // The signal is blocked while this handler runs. It is delivered when the handler returns, so that the core dump
    // shows the state at the crash.
    if (syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, number, info) != 0) syscall(SYS_tgkill, getpid(), thread, number);
}

static _Unwind_Reason_Code stop(struct _Unwind_Context *context, void *argument) {
    (void)context, (void)argument;
    return _URC_END_OF_STACK;
}

int glissade_report_crashes(const char *path, const char *program) {
    if (strlen(path) >= sizeof report_path) return 0;
    strcpy(report_path, path);
    strncpy(program_name, program, sizeof program_name - 1);
    ssize_t size = readlink("/proc/self/exe", executable, sizeof executable - 1);
    executable[size > 0 ? size : 0] = 0;
    struct utsname names;
    if (uname(&names) == 0) {
        const char *parts[] = {names.sysname, " ", names.release, " ", names.machine};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            strncat(kernel, parts[i], sizeof kernel - 1 - strlen(kernel));
    }
    clock_gettime(CLOCK_MONOTONIC, &began);
    // Makes the unwinder initialize itself now rather than in the handler.
    _Unwind_Backtrace(stop, 0);

    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < signal_count; i++) sigaddset(&action.sa_mask, signals[i].number);
    int count = 0;
    for (int i = 0; i < signal_count; i++) {
        struct sigaction present;
        if (sigaction(signals[i].number, 0, &present) != 0 || present.sa_handler != SIG_DFL) continue;
        count += sigaction(signals[i].number, &action, 0) == 0;
    }
    return count;
}
