// Bilinear scaling across a row of bytes. Computes sixteen samples at a time with AVX2, or eight with SSSE3, where
// libyuv computes two. Uses table shuffles, which Swift cannot express.
#ifndef GLISSADE_COLUMNS_H
#define GLISSADE_COLUMNS_H
#include <libyuv/cpu_id.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

// How to compute sixteen consecutive samples, each from two bytes. The first eight samples use the sixteen bytes from
// `first[0]` on, and the others the sixteen bytes from `first[1]` on.
// Sample i is a weighted sum of two of those bytes: number `picks[2 * i]` and number `picks[2 * i + 1]`. The weights
// are `weights[2 * i]` and `weights[2 * i + 1]`, and add up to 128.
struct glissade_columns {
    int32_t first[2];
    uint8_t picks[32];
    uint8_t weights[32];
};

static inline void glissade_blend_columns_portably(
    const uint8_t *row, const struct glissade_columns *columns, size_t count, uint8_t *target) {
    for (size_t block = 0; block < count; ++block) {
        const struct glissade_columns *c = columns + block;
        for (int i = 0; i < 16; ++i) {
            const uint8_t *from = row + c->first[i / 8];
            const int sum = from[c->picks[2 * i]] * c->weights[2 * i] + from[c->picks[2 * i + 1]] * c->weights[2 * i + 1];
            *target++ = (uint8_t)((sum + 64) >> 7);
        }
    }
}

#if defined(__x86_64__)
// The SSSE3 version. Multiplies signed bytes, which are the samples minus 128, by unsigned weights: a weight of 128
// would not fit a signed byte.
__attribute__((target("ssse3"))) static inline void glissade_blend_columns_ssse3(
    const uint8_t *row, const struct glissade_columns *columns, size_t count, uint8_t *target) {
    const __m128i sign = _mm_set1_epi8((char)0x80);
    const __m128i half = _mm_set1_epi16(64);
    for (size_t block = 0; block < count; ++block, target += 16) {
        const struct glissade_columns *c = columns + block;
        __m128i sums[2];
        for (int i = 0; i < 2; ++i) {
            const __m128i bytes = _mm_loadu_si128((const __m128i *)(row + c->first[i]));
            const __m128i pairs = _mm_shuffle_epi8(bytes, _mm_loadu_si128((const __m128i *)(c->picks + 16 * i)));
            const __m128i weights = _mm_loadu_si128((const __m128i *)(c->weights + 16 * i));
            const __m128i sum = _mm_maddubs_epi16(weights, _mm_xor_si128(pairs, sign));
            sums[i] = _mm_srai_epi16(_mm_add_epi16(sum, half), 7);
        }
        _mm_storeu_si128((__m128i *)target, _mm_xor_si128(_mm_packs_epi16(sums[0], sums[1]), sign));
    }
}

__attribute__((target("avx2"))) static inline void glissade_blend_columns_avx2(
    const uint8_t *row, const struct glissade_columns *columns, size_t count, uint8_t *target) {
    const __m256i sign = _mm256_set1_epi8((char)0x80);
    const __m256i half = _mm256_set1_epi16(64);
    for (size_t block = 0; block < count; ++block, target += 16) {
        const struct glissade_columns *c = columns + block;
        const __m128i low = _mm_loadu_si128((const __m128i *)(row + c->first[0]));
        const __m128i high = _mm_loadu_si128((const __m128i *)(row + c->first[1]));
        const __m256i bytes = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
        const __m256i pairs = _mm256_shuffle_epi8(bytes, _mm256_loadu_si256((const __m256i *)c->picks));
        const __m256i weights = _mm256_loadu_si256((const __m256i *)c->weights);
        const __m256i sum = _mm256_maddubs_epi16(weights, _mm256_xor_si256(pairs, sign));
        const __m256i words = _mm256_srai_epi16(_mm256_add_epi16(sum, half), 7);
        const __m128i result = _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
        _mm_storeu_si128((__m128i *)target, _mm_xor_si128(result, _mm_set1_epi8((char)0x80)));
    }
}
#endif

static inline bool glissade_has_avx2(void) {
#if defined(__x86_64__)
    return TestCpuFlag(kCpuHasAVX2);
#else
    return false;
#endif
}

static inline bool glissade_has_ssse3(void) {
#if defined(__x86_64__)
    return TestCpuFlag(kCpuHasSSSE3);
#else
    return false;
#endif
}

// Scales a row: writes 16 * `count` bytes. Reads only the sixteen bytes of `row` at each `first`.
static inline void glissade_blend_columns(
    const uint8_t *row, const struct glissade_columns *columns, size_t count, uint8_t *target) {
#if defined(__x86_64__)
    if (glissade_has_avx2()) return glissade_blend_columns_avx2(row, columns, count, target);
    if (glissade_has_ssse3()) return glissade_blend_columns_ssse3(row, columns, count, target);
#endif
    glissade_blend_columns_portably(row, columns, count, target);
}

#endif
