// AVIOContext options that the HLS demuxer reads by name: the content type, and the URL after redirects,
// which is the base for relative URLs in a playlist. FFmpeg's own contexts provide these options through their
// AVClass, so Glissade's contexts do the same.
#ifndef GLISSADE_CFFMPEG_RESOURCE_H
#define GLISSADE_CFFMPEG_RESOURCE_H

#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <stddef.h>

/// The `opaque` value of Glissade's AVIOContexts.
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

/// Creates a resource for `reader`; null if memory runs out. Free it with `glissade_free_resource`.
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

/// Makes the options of a GlissadeResource readable through `io`. The resource must be the `opaque` value of `io`.
static inline void glissade_name_resource(AVIOContext *io) { io->av_class = &glissade_io_class; }

#endif
