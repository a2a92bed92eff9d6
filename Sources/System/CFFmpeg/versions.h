// Hides the differences between the supported versions of FFmpeg, 5.1 to 9. No code outside this folder checks the
// version.
#ifndef GLISSADE_CFFMPEG_VERSIONS_H
#define GLISSADE_CFFMPEG_VERSIONS_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>

// FFmpeg 5.1 has libavcodec 59.37, 6 has 60, 7 has 61, 8 has 62 and 9 has 63.
#if LIBAVCODEC_VERSION_INT < AV_VERSION_INT(59, 37, 100) || LIBAVCODEC_VERSION_MAJOR > 63
#error "Glissade needs FFmpeg 5.1 to 9: this version of its libraries is not supported"
#endif

// --- Frames and packets ---

/// The duration of a frame, in units of its time base; 0 if unknown.
static inline int64_t glissade_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

static inline void glissade_set_frame_duration(AVFrame *frame, int64_t duration) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    frame->duration = duration;
#else
    frame->pkt_duration = duration;
#endif
}

// A number that a decoder passes on from a packet to its frame. FFmpeg 6 and later have a field for it, which
// decoders copy if asked to before they are opened. Earlier versions always copy the packet's file position, which
// decoders do not use.
#if LIBAVCODEC_VERSION_MAJOR >= 60
static inline void glissade_copy_packet_numbers(AVCodecContext *context) { context->flags |= AV_CODEC_FLAG_COPY_OPAQUE; }
static inline int64_t glissade_packet_number(const AVPacket *packet) { return (int64_t)(intptr_t)packet->opaque; }
static inline void glissade_set_packet_number(AVPacket *packet, int64_t number) { packet->opaque = (void *)(intptr_t)number; }
static inline int64_t glissade_frame_number(const AVFrame *frame) { return (int64_t)(intptr_t)frame->opaque; }
#else
static inline void glissade_copy_packet_numbers(AVCodecContext *context) { (void)context; }
static inline int64_t glissade_packet_number(const AVPacket *packet) { return packet->pos; }
static inline void glissade_set_packet_number(AVPacket *packet, int64_t number) { packet->pos = number; }
static inline int64_t glissade_frame_number(const AVFrame *frame) { return frame->pkt_pos; }
#endif

/// Whether the colors of a frame with alpha are already multiplied by it. Before FFmpeg 8.1, no frame says so.
static inline int glissade_is_premultiplied(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(60, 26, 100)
    return frame->alpha_mode == AVALPHA_MODE_PREMULTIPLIED;
#else
    (void)frame;
    return 0;
#endif
}

/// Lets decoder threads call the frame allocator directly. Since FFmpeg 6, they always do.
static inline void glissade_take_frames_on_any_thread(AVCodecContext *context) {
#if FF_API_THREAD_SAFE_CALLBACKS
    _Pragma("GCC diagnostic push")
    _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
    context->thread_safe_callbacks = 1;
    _Pragma("GCC diagnostic pop")
#else
    (void)context;
#endif
}

// --- Streams ---

/// Returns a stream's side data of `type` and sets `size` to its length in bytes; null if there is none.
static inline const uint8_t *glissade_stream_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
    *size = 0;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
    const AVPacketSideData *data = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
    if (!data) return 0;
    *size = data->size;
    return data->data;
#else
    return av_stream_get_side_data(stream, type, size);
#endif
}

/// Gives a stream a display matrix whose upper left part has the rows (a, b) and (c, d). Returns FFmpeg's result code.
static inline int glissade_set_display_matrix(AVStream *stream, int a, int b, int c, int d) {
    const int one = 1 << 16;
    const int32_t matrix[9] = {a * one, b * one, 0, c * one, d * one, 0, 0, 0, 1 << 30};
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
    AVPacketSideData *data = av_packet_side_data_new(
        &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX,
        sizeof(matrix), 0);
    uint8_t *bytes = data ? data->data : 0;
#else
    uint8_t *bytes = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, sizeof(matrix));
#endif
    if (!bytes) return AVERROR(ENOMEM);
    for (size_t i = 0; i < sizeof(matrix); i++) bytes[i] = ((const uint8_t *)matrix)[i];
    return 0;
}

#ifdef AV_PROFILE_H264_HIGH
static const int glissade_profile_aac_low = AV_PROFILE_AAC_LOW;
static const int glissade_profile_h264_baseline = AV_PROFILE_H264_BASELINE;
static const int glissade_profile_h264_constrained = AV_PROFILE_H264_CONSTRAINED;
static const int glissade_profile_h264_main = AV_PROFILE_H264_MAIN;
static const int glissade_profile_h264_extended = AV_PROFILE_H264_EXTENDED;
static const int glissade_profile_h264_high = AV_PROFILE_H264_HIGH;
static const int glissade_profile_h264_high_10 = AV_PROFILE_H264_HIGH_10;
static const int glissade_profile_h264_intra = AV_PROFILE_H264_INTRA;
#else
static const int glissade_profile_aac_low = FF_PROFILE_AAC_LOW;
static const int glissade_profile_h264_baseline = FF_PROFILE_H264_BASELINE;
static const int glissade_profile_h264_constrained = FF_PROFILE_H264_CONSTRAINED;
static const int glissade_profile_h264_main = FF_PROFILE_H264_MAIN;
static const int glissade_profile_h264_extended = FF_PROFILE_H264_EXTENDED;
static const int glissade_profile_h264_high = FF_PROFILE_H264_HIGH;
static const int glissade_profile_h264_high_10 = FF_PROFILE_H264_HIGH_10;
static const int glissade_profile_h264_intra = FF_PROFILE_H264_INTRA;
#endif

// --- Scaling ---

// Before FFmpeg 8, SwsContext is opaque. Since then, it is a struct, and its flags have a type of their own.

/// A libswscale scaler: a SwsContext in all versions.
typedef struct GlissadeScaler GlissadeScaler;

static const int glissade_scale_point = SWS_POINT;
static const int glissade_scale_bilinear = SWS_BILINEAR;
static const int glissade_scale_area = SWS_AREA;
static const int glissade_scale_accurate_rounding = SWS_ACCURATE_RND;
static const int glissade_scale_full_chroma = SWS_FULL_CHR_H_INT;

/// Returns `scaler` if it already has these sizes, formats and flags. Otherwise frees it and returns a new one; null
/// if libswscale does not support a format, or if memory runs out.
static inline GlissadeScaler *glissade_scaler(
    GlissadeScaler *scaler, int width, int height, enum AVPixelFormat format, int target_width, int target_height,
    enum AVPixelFormat target_format, int flags) {
    return (GlissadeScaler *)sws_getCachedContext(
        (struct SwsContext *)scaler, width, height, format, target_width, target_height, target_format, flags, 0, 0, 0);
}

static inline void glissade_free_scaler(GlissadeScaler *scaler) { sws_freeContext((struct SwsContext *)scaler); }

/// Sets the color matrix (`SWS_CS_…`) and the range (1 for full) of the source and of the target.
static inline void glissade_set_scaler_colors(
    GlissadeScaler *scaler, int matrix, int is_full, int target_matrix, int target_is_full) {
    sws_setColorspaceDetails(
        (struct SwsContext *)scaler, sws_getCoefficients(matrix), is_full, sws_getCoefficients(target_matrix),
        target_is_full, 0, 1 << 16, 1 << 16);
}

/// Sets the coefficients of the source's color matrix and its range (1 for full). The target is RGB. The coefficients
/// are those of Cr to red, Cb to blue, Cb to green and Cr to green, the last two without their sign, for chroma of
/// limited range in units of 2^-16: see `sws_getCoefficients`.
static inline void glissade_set_scaler_matrix(GlissadeScaler *scaler, const int coefficients[4], int is_full) {
    sws_setColorspaceDetails(
        (struct SwsContext *)scaler, coefficients, is_full, sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);
}

/// Scales a whole frame into `target`, whose size, format and memory are already set. Returns FFmpeg's result code.
static inline int glissade_scale_frame(GlissadeScaler *scaler, AVFrame *target, const AVFrame *source) {
    return sws_scale_frame((struct SwsContext *)scaler, target, source);
}

/// Scales `rows` rows of packed pixels, from the top of a frame, into the planes of `target`. Returns the number of
/// rows written.
static inline int glissade_scale_rows(
    GlissadeScaler *scaler, const uint8_t *picture, int stride, int rows, AVFrame *target) {
    const uint8_t *const planes[4] = {picture, 0, 0, 0};
    const int strides[4] = {stride, 0, 0, 0};
    return sws_scale((struct SwsContext *)scaler, planes, strides, 0, rows, target->data, target->linesize);
}

#endif
