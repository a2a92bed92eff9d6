// toml++ behind a C interface, limited to what settings need: sections of options.
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

/// A key with its value, or an element of an array. Its pointers are valid during the callback.
typedef struct {
    /// 0 at the top level, 1 in a table there, 2 for an element of an array in such a table. Deeper values are not
    /// reported.
    int depth;
    glissade_toml_kind kind;
    /// UTF-8, not terminated, may contain zeros; empty for an element.
    const char *key;
    size_t key_count;
    /// The position of the key's first occurrence; both start at 1, and are 0 for an element.
    uint32_t line, column;
    /// UTF-8, like `key`.
    const char *text;
    size_t text_count;
    double number;
    bool boolean;
} glissade_toml_item;

/// Why parsing failed: the start of a message, and the parser's position, from 1; 0 if unknown.
typedef struct {
    uint32_t line, column;
    char message[256];
} glissade_toml_error;

/// Parses UTF-8 and reports its items, a table or an array before its contents; none after an error.
///
/// Recurses only through nested values, at most 256, and through tables of dotted keys: callers limit the number of
/// dots. Returns false on an error. No exception escapes.
bool glissade_toml_parse(
    const char *bytes, size_t count, void *context, void (*visit)(void *context, const glissade_toml_item *item),
    glissade_toml_error *error);

#ifdef __cplusplus
}
#endif
#endif
