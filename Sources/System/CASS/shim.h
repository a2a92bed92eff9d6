// libass's headers, with its functions loaded at run time. This way, playing a video without subtitles does not pay
// for loading libass and the font and shaping libraries that it needs.
#ifndef GLISSADE_CASS_H
#define GLISSADE_CASS_H

#include <ass/ass.h>
#include <dlfcn.h>

/// The libass functions in use.
typedef struct GlissadeASS {
    __typeof__(ass_library_init) *library_init;
    __typeof__(ass_library_done) *library_done;
    __typeof__(ass_set_message_cb) *set_message_cb;
    __typeof__(ass_set_extract_fonts) *set_extract_fonts;
    __typeof__(ass_add_font) *add_font;
    __typeof__(ass_renderer_init) *renderer_init;
    __typeof__(ass_renderer_done) *renderer_done;
    __typeof__(ass_set_fonts) *set_fonts;
    __typeof__(ass_set_frame_size) *set_frame_size;
    __typeof__(ass_set_storage_size) *set_storage_size;
    __typeof__(ass_set_font_scale) *set_font_scale;
    __typeof__(ass_set_line_position) *set_line_position;
    __typeof__(ass_set_cache_limits) *set_cache_limits;
    __typeof__(ass_new_track) *new_track;
    __typeof__(ass_free_track) *free_track;
    __typeof__(ass_track_set_feature) *track_set_feature;
    __typeof__(ass_process_codec_private) *process_codec_private;
    __typeof__(ass_process_chunk) *process_chunk;
    __typeof__(ass_set_check_readorder) *set_check_readorder;
    __typeof__(ass_flush_events) *flush_events;
    __typeof__(ass_render_frame) *render_frame;
} GlissadeASS;

/// Looks up the functions. Returns 0 if the library or a function is missing. The library is never unloaded.
static inline int glissade_load_ass(GlissadeASS *ass) {
    // The headers do not contain the library's soname version, which has been 9 since 0.13 (2015).
    void *library = dlopen("libass.so.9", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libass.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    const char *names[] = {
        "ass_library_init", "ass_library_done", "ass_set_message_cb", "ass_set_extract_fonts", "ass_add_font",
        "ass_renderer_init", "ass_renderer_done", "ass_set_fonts", "ass_set_frame_size", "ass_set_storage_size",
        "ass_set_font_scale", "ass_set_line_position", "ass_set_cache_limits", "ass_new_track", "ass_free_track",
        "ass_track_set_feature", "ass_process_codec_private", "ass_process_chunk", "ass_set_check_readorder",
        "ass_flush_events", "ass_render_frame",
    };
    _Static_assert(sizeof names == sizeof(GlissadeASS), "a name for each function");
    void **functions = (void **)ass;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!(functions[i] = dlsym(library, names[i]))) return 0;
    return 1;
}

static inline void glissade_ass_ignore(int level, const char *format, va_list arguments, void *data) {
    (void)level, (void)format, (void)arguments, (void)data;
}

/// Keeps libass from writing messages to standard error.
static inline void glissade_ass_silence(const GlissadeASS *ass, ASS_Library *library) {
    ass->set_message_cb(library, glissade_ass_ignore, 0);
}

#endif
