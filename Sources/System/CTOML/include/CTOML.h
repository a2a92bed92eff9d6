// A C interface to toml++, limited to what a settings file needs: tables of options.
#ifndef GLISSADE_CTOML_H
#define GLISSADE_CTOML_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    GLISSADE_TOML_STRING,
    GLISSADE_TOML_NUMBER,
    GLISSADE_TOML_BOOLEAN,
    GLISSADE_TOML_DATE,
    GLISSADE_TOML_ARRAY,
    GLISSADE_TOML_TABLE,
} glissade_toml_kind;

/// A key with its value, or an element of an array. The pointers are valid only during the callback.
typedef struct {
    /// 0 at the top level, 1 in a top-level table, 2 for an element of an array in such a table. Other elements and
    /// deeper values are not reported.
    int depth;
    glissade_toml_kind kind;
    /// The key, in UTF-8. Not terminated, and may contain zeros. Empty for an element of an array.
    const char *key;
    size_t key_count;
    /// The position of the key's first occurrence, counted from 1. Both are 0 for an element of an array.
    uint32_t line, column;
    /// The value of a string, in the same form as `key`.
    const char *text;
    size_t text_count;
    double number;
    bool boolean;
} glissade_toml_item;

/// The reason why parsing failed. The position is counted from 1, and is 0 if unknown; the message may be truncated.
typedef struct {
    uint32_t line, column;
    char message[256];
} glissade_toml_error;

/// Parses a UTF-8 document and calls `visit` for each item. A table or an array is visited before its contents. On an
/// error, returns false without calling `visit`. No exception escapes.
///
/// The recursion depth is limited to 256 for nested values, but not for tables made by dotted keys. So callers must
/// limit the number of dots.
bool glissade_toml_parse(
    const char *bytes, size_t count, void *context, void (*visit)(void *context, const glissade_toml_item *item),
    glissade_toml_error *error);

#ifdef __cplusplus
}
#endif
#endif
