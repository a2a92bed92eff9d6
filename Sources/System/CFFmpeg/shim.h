// FFmpeg's headers, with inline functions in place of macros that Swift cannot import.
#ifndef GLISSADE_CFFMPEG_H
#define GLISSADE_CFFMPEG_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/aes.h>
#include <libavutil/avstring.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/macros.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

#include "resource.h"
#include "versions.h"

static inline int glissade_averror_again(void) { return AVERROR(EAGAIN); }
static inline int glissade_averror_eof(void) { return AVERROR_EOF; }
static inline int glissade_averror_external(void) { return AVERROR_EXTERNAL; }
static inline int glissade_averror_exit(void) { return AVERROR_EXIT; }
static inline int glissade_averror_invaliddata(void) { return AVERROR_INVALIDDATA; }
static inline int glissade_averror_from_errno(int code) { return AVERROR(code); }
static inline int64_t glissade_nopts(void) { return AV_NOPTS_VALUE; }
/// Sets `extended_data` of a frame whose plane pointers all fit in `data`.
static inline void glissade_set_extended_data(AVFrame *frame) { frame->extended_data = frame->data; }
static inline AVRational glissade_time_base_nanoseconds(void) { return (AVRational){1, 1000000000}; }

#endif
