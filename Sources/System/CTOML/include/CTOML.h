// toml++ behind a C interface: as much of a TOML text as settings have, sections of options.
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

/// A key with its value, or an element of an array. Its pointers are valid during the call that hands it out.
typedef struct {
    /// 0 at the top of the text, 1 in a table there, 2 for an element of an array in such a table. Deeper values are
    /// not handed out.
    int depth;
    glissade_toml_kind kind;
    /// UTF-8, not terminated, and possibly with zeros; empty for an element.
    const char *key;
    size_t key_count;
    /// Where the key first appears; both start at 1, and are 0 for an element.
    uint32_t line, column;
    /// UTF-8, as the key.
    const char *text;
    size_t text_count;
    double number;
    bool boolean;
} glissade_toml_item;

/// Why a text cannot be parsed: the start of a message, and where the parser stopped, from 1; 0 where it does not know.
typedef struct {
    uint32_t line, column;
    char message[256];
} glissade_toml_error;

/// Parses UTF-8 and hands out its items, a table or an array before what it holds; nothing after an error.
///
/// Recurses only through nested values, 256 at most, and through the tables of dotted keys: callers limit the dots.
/// Returns false on an error. No exception leaves it.
bool glissade_toml_parse(
    const char *bytes, size_t count, void *context, void (*visit)(void *context, const glissade_toml_item *item),
    glissade_toml_error *error);

#ifdef __cplusplus
}
#endif
#endif
