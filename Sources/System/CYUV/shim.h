// libyuv: planes to RGB and scaled planes with SIMD, for machines whose "GPU" is the CPU.
#ifndef GLISSADE_CYUV_H
#define GLISSADE_CYUV_H
#include <libyuv/convert_argb.h>
#include <libyuv/scale.h>
#include <libyuv/scale_uv.h>
#include <libyuv/planar_functions.h>

// Addresses of the library's constant matrices; the names say matrix and range as libyuv does: I = BT.601,
// H = BT.709, 2020; JPEG, F, V = the same in full range.
static inline const struct YuvConstants *glissade_yuv_601_limited(void) { return &kYuvI601Constants; }
static inline const struct YuvConstants *glissade_yuv_601_full(void) { return &kYuvJPEGConstants; }
static inline const struct YuvConstants *glissade_yuv_709_limited(void) { return &kYuvH709Constants; }
static inline const struct YuvConstants *glissade_yuv_709_full(void) { return &kYuvF709Constants; }
static inline const struct YuvConstants *glissade_yuv_2020_limited(void) { return &kYuv2020Constants; }
static inline const struct YuvConstants *glissade_yuv_2020_full(void) { return &kYuvV2020Constants; }

#endif
