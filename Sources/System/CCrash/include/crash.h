// Crash reports, written by a signal handler.
#ifndef GLISSADE_CCRASH_H
#define GLISSADE_CCRASH_H

/// Installs handlers for SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGABRT and SIGSYS. A handler writes a report to a
/// new file at `path`, and creates its folders if needed. The signal then ends the process, with a core dump if the
/// system is set up for one. If the faulting thread blocks the signal, there is no report.
///
/// Signals that already have a handler keep it: the handlers of sanitizers, fuzzers and debuggers report more. Call
/// only once. Both strings are copied. The report starts with `program`. Returns the number of signals handled; 0 if
/// `path` is too long.
int glissade_report_crashes(const char *path, const char *program);

#endif
