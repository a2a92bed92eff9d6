// SQLite, and wrappers for functions that take SQLITE_TRANSIENT, a macro that Swift cannot import.
#ifndef GLISSADE_CSQLITE_H
#define GLISSADE_CSQLITE_H
#include <sqlite3.h>

static inline int glissade_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    // SQLite would bind a null pointer as NULL rather than as an empty string.
    return sqlite3_bind_text(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

static inline int glissade_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                      : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}
#endif
