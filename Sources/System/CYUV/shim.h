// libyuv: SIMD conversion of planes to RGB, and scaling, for drawing on the CPU.
#ifndef GLISSADE_CYUV_H
#define GLISSADE_CYUV_H
#include "columns.h"
#include <libyuv/convert_argb.h>
#include <libyuv/planar_functions.h>
#include <libyuv/row.h>
#include <libyuv/scale.h>

// Fills in a conversion matrix. libyuv has no function for this, and the layout depends on the processor
// (MAKEYUVCONSTANTS in source/row_common.cc).
// The chroma factors are in 64ths: U times `ub` is added to blue, and V times `vr` to red. U times `ug` and V times
// `vg` are subtracted from green. Luma, as a 16-bit sample, is multiplied by `yg`, and the upper 16 bits of the
// product are kept. Then `yb` is added, which includes half a step for rounding.
static inline void glissade_fill_yuv_constants(
    struct YuvConstants *constants, uint8_t ub, uint8_t ug, uint8_t vg, uint8_t vr, int16_t yg, int16_t yb) {
#if defined(__aarch64__) || defined(__arm__)
    for (int i = 0; i < 16; i += 4) {
        constants->kUVCoeff[i] = ub;
        constants->kUVCoeff[i + 1] = vr;
        constants->kUVCoeff[i + 2] = ug;
        constants->kUVCoeff[i + 3] = vg;
    }
    const int16_t sums[8] = {yg, ub * 128 - yb, (ug + vg) * 128 + yb, vr * 128 - yb, yb, 0, 0, 0};
    for (int i = 0; i < 8; ++i) constants->kRGBCoeffBias[i] = sums[i];
#else
    for (int i = 0; i < 32; i += 2) {
        constants->kUVToB[i] = ub;
        constants->kUVToB[i + 1] = 0;
        constants->kUVToG[i] = ug;
        constants->kUVToG[i + 1] = vg;
        constants->kUVToR[i] = 0;
        constants->kUVToR[i + 1] = vr;
    }
    for (int i = 0; i < 16; ++i) {
        constants->kYToRgb[i] = yg;
        constants->kYBiasToRgb[i] = yb;
    }
#endif
}

#endif
