// A report of a crash, written by the signal handler.
#ifndef GLISSADE_CCRASH_H
#define GLISSADE_CCRASH_H

/// From now on a fault (SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGABRT, SIGSYS) in any thread that does not block it
/// writes a report into a new file at `path`, whose folders are made then, and ends the process as it would without this:
/// by the same signal, with a core dump where the system makes them.
///
/// A signal that has a handler already keeps it: those of sanitizers, fuzzers and debugging runtimes know more. To be called
/// once. Both texts are copied; `program` is the report's first words. Returns how many signals are handled; 0 where the path
/// is too long.
int glissade_report_crashes(const char *path, const char *program);

#endif
