// What the demuxers of HLS and DASH ask an AVIOContext for by name, and FFmpeg's own contexts answer through their classes:
// where an address has led to, which addresses in a playlist are relative to, and what the server calls its content.
#ifndef GLISSADE_CFFMPEG_RESOURCE_H
#define GLISSADE_CFFMPEG_RESOURCE_H

#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <stddef.h>

/// The `opaque` of an AVIOContext of ours.
typedef struct GlissadeResource {
    const AVClass *options;
    char *location;
    char *mime_type;
    void *reader;
} GlissadeResource;

static const AVOption glissade_resource_options[] = {
    {"location", 0, offsetof(GlissadeResource, location), AV_OPT_TYPE_STRING, {.str = 0}, 0, 0, AV_OPT_FLAG_EXPORT},
    {"mime_type", 0, offsetof(GlissadeResource, mime_type), AV_OPT_TYPE_STRING, {.str = 0}, 0, 0, AV_OPT_FLAG_EXPORT},
    {0},
};

static const AVClass glissade_resource_class = {
    .class_name = "resource",
    .item_name = av_default_item_name,
    .option = glissade_resource_options,
    .version = LIBAVUTIL_VERSION_INT,
};

static inline void *glissade_resource_of(void *io, void *previous) { return previous ? 0 : ((AVIOContext *)io)->opaque; }

static const AVClass glissade_io_class = {
    .class_name = "AVIOContext",
    .item_name = av_default_item_name,
    .version = LIBAVUTIL_VERSION_INT,
    .child_next = glissade_resource_of,
};

/// Made with `reader` in it; null without memory. `glissade_free_resource` frees it.
static inline GlissadeResource *glissade_make_resource(const char *location, const char *mime_type, void *reader) {
    GlissadeResource *resource = (GlissadeResource *)av_mallocz(sizeof(GlissadeResource));
    if (!resource) return 0;
    resource->options = &glissade_resource_class;
    resource->location = av_strdup(location);
    resource->mime_type = mime_type ? av_strdup(mime_type) : 0;
    resource->reader = reader;
    return resource;
}

static inline void glissade_free_resource(GlissadeResource *resource) {
    if (!resource) return;
    av_free(resource->location);
    av_free(resource->mime_type);
    av_free(resource);
}

/// Has `io`, whose `opaque` is a resource, answer for it.
static inline void glissade_name_resource(AVIOContext *io) { io->av_class = &glissade_io_class; }

#endif
