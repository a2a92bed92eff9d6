// FFmpeg's headers, and static inline functions for the macros that Swift cannot import.
#ifndef GLISSADE_CFFMPEG_H
#define GLISSADE_CFFMPEG_H

#include <dlfcn.h>
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/macros.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

static inline int glissade_averror_again(void) { return AVERROR(EAGAIN); }
static inline int glissade_averror_eof(void) { return AVERROR_EOF; }
static inline int glissade_averror_exit(void) { return AVERROR_EXIT; }
static inline int glissade_averror_invaliddata(void) { return AVERROR_INVALIDDATA; }
static inline int glissade_averror_from_errno(int code) { return AVERROR(code); }
static inline int64_t glissade_nopts(void) { return AV_NOPTS_VALUE; }
static inline AVRational glissade_time_base_nanoseconds(void) { return (AVRational){1, 1000000000}; }

/// The functions of libavfilter that are used, found at run time: the library and its seventy dependencies cost a
/// fifth of the start and 11 MiB, and only a changed speed needs it.
typedef struct GlissadeFilters {
    __typeof__(avfilter_graph_alloc) *graph_alloc;
    __typeof__(avfilter_graph_free) *graph_free;
    __typeof__(avfilter_graph_create_filter) *create_filter;
    __typeof__(avfilter_get_by_name) *get_by_name;
    __typeof__(avfilter_link) *link;
    __typeof__(avfilter_graph_config) *config;
    __typeof__(av_buffersrc_add_frame_flags) *add_frame;
    __typeof__(av_buffersink_get_frame) *get_frame;
} GlissadeFilters;

/// Fills `filters`; 0 where the library or one of its functions is missing. It is never closed again.
static inline int glissade_load_filters(GlissadeFilters *filters) {
    void *library = dlopen("libavfilter.so." AV_STRINGIFY(LIBAVFILTER_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    const char *names[] = {"avfilter_graph_alloc",  "avfilter_graph_free",         "avfilter_graph_create_filter",
                           "avfilter_get_by_name",  "avfilter_link",               "avfilter_graph_config",
                           "av_buffersrc_add_frame_flags", "av_buffersink_get_frame"};
    void **functions = (void **)filters;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!(functions[i] = dlsym(library, names[i]))) return 0;
    return 1;
}

#endif
