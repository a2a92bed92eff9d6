// libyuv: planes to RGB and scaled planes with SIMD, for machines whose "GPU" is the CPU.
#ifndef GLISSADE_CYUV_H
#define GLISSADE_CYUV_H
#include <libyuv/convert_argb.h>
#include <libyuv/scale.h>
#include <libyuv/scale_uv.h>
#include <libyuv/planar_functions.h>

// Addresses of the library's constant matrices; the names say matrix and range as libyuv does: I = BT.601,
// H = BT.709, 2020; J, F, V = the same in full range. The "Yvu" forms are for ABGR order, i.e. RGBA in memory.
static inline const struct YuvConstants *glissade_yvu_601_limited(void) { return &kYvuI601Constants; }
static inline const struct YuvConstants *glissade_yvu_601_full(void) { return &kYvuJPEGConstants; }
static inline const struct YuvConstants *glissade_yvu_709_limited(void) { return &kYvuH709Constants; }
static inline const struct YuvConstants *glissade_yvu_709_full(void) { return &kYvuF709Constants; }
static inline const struct YuvConstants *glissade_yvu_2020_limited(void) { return &kYvu2020Constants; }
static inline const struct YuvConstants *glissade_yvu_2020_full(void) { return &kYvuV2020Constants; }
#endif
