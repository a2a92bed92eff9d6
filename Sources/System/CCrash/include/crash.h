// A report of a crash, written by the signal handler.
#ifndef GLISSADE_CCRASH_H
#define GLISSADE_CCRASH_H

/// Installs handlers for faults (SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGABRT, SIGSYS). A fault in any thread that
/// does not block the signal then writes a report to a new file at `path`, creating its folders, and ends the process
/// by the same signal, with a core dump if the system is set up to write one.
///
/// Signals that already have a handler keep it: those of sanitizers, fuzzers and debuggers know more. Must be called
/// once. Both strings are copied; the report starts with `program`. Returns the number of signals handled; 0 if the
/// path is too long.
int glissade_report_crashes(const char *path, const char *program);

#endif
