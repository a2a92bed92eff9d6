// Loops over rows of pixels (blue, green, red, alpha; 8 bits each) and of masks, written with Clang's portable vector
// types.
#ifndef GLISSADE_ROWS_H
#define GLISSADE_ROWS_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Sixteen 16-bit words: eight pixels, with two channels in each word.
typedef uint16_t glissade_words __attribute__((vector_size(32)));
// The channels of one pixel, as bytes and as words.
typedef uint8_t glissade_pixel __attribute__((vector_size(4)));
typedef uint16_t glissade_channels __attribute__((vector_size(8)));
// The channels of two adjacent pixels, as bytes and as words.
typedef uint8_t glissade_byte_pair __attribute__((vector_size(8)));
typedef uint16_t glissade_pair __attribute__((vector_size(16)));

// Multiplies blue, green and red by `gain`, and alpha by `alpha_gain`. Both are in 256ths and at most 256. Rounds the
// results.
static inline void glissade_darken_row(uint32_t *row, size_t count, uint16_t gain, uint16_t alpha_gain) {
    // The lower byte of a word is blue or red, the upper one green or alpha. The largest intermediate value, 255 ·
    // 256 + 128, fits in a word.
    const uint16_t g = gain, a = alpha_gain;
    const glissade_words upper = {g, a, g, a, g, a, g, a, g, a, g, a, g, a, g, a};
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        glissade_words words;
        memcpy(&words, row + i, sizeof words);
        words = (((words & 0x00FF) * g + 128) >> 8) | (((words >> 8) * upper + 128) & 0xFF00);
        memcpy(row + i, &words, sizeof words);
    }
    for (; i < count; ++i) {
        const uint32_t p = row[i];
        const uint32_t odd = ((p & 0x00FF00FF) * g + 0x00800080) >> 8 & 0x00FF00FF;
        const uint32_t green = (((p >> 8 & 0xFF) * g + 128) >> 8) << 8, alpha = (((p >> 24) * a + 128) >> 8) << 24;
        row[i] = odd | green | alpha;
    }
}

// Adds `up` to each byte and subtracts `down`, at least one of which is 0. Clamps the results to 0…255.
static inline void glissade_offset_row(uint8_t *bytes, size_t count, uint8_t up, uint8_t down) {
    for (size_t i = 0; i < count; ++i) {
        const uint8_t raised = bytes[i] > 255 - up ? 255 : (uint8_t)(bytes[i] + up);
        bytes[i] = raised < down ? 0 : (uint8_t)(raised - down);
    }
}

// The pixels of an image that is not empty.
struct glissade_picture {
    const uint8_t *rows;
    ptrdiff_t stride;
    int64_t width;
    int64_t height;
};

static inline int64_t glissade_clamp(int64_t value, int64_t last) {
    return value < 0 ? 0 : value > last ? last : value;
}

static inline glissade_channels glissade_channels_at(const uint8_t *at) {
    glissade_pixel pixel;
    memcpy(&pixel, at, sizeof pixel);
    return __builtin_convertvector(pixel, glissade_channels);
}

static inline glissade_pair glissade_pair_at(const uint8_t *at) {
    glissade_byte_pair pair;
    memcpy(&pair, at, sizeof pair);
    return __builtin_convertvector(pair, glissade_pair);
}

// Writes a row of a rotated image, with bilinear interpolation. Positions beyond an edge use the pixels at the edge.
// Positions are in 2^-32 pixels, relative to the center of the image's first pixel. The first position is (x, y), and
// the step to the next one is (dx, dy).
static inline void glissade_sample_row(
    const struct glissade_picture *picture, uint32_t *target, size_t count, int64_t x, int64_t y, int64_t dx,
    int64_t dy) {
    const int64_t right = picture->width - 1, bottom = picture->height - 1;
    // Rounds positions to 1/256.
    x += 1 << 23;
    y += 1 << 23;
    for (size_t i = 0; i < count; ++i, x += dx, y += dy) {
        const int64_t column = x >> 32, row = y >> 32;
        const uint16_t across = (uint16_t)(x >> 24 & 255), down = (uint16_t)(y >> 24 & 255);
        // The four weights add up to 256, so no sum exceeds 16 bits.
        const uint16_t d = (uint16_t)((across * down + 128) >> 8), b = (uint16_t)(across - d), c = (uint16_t)(down - d);
        const uint16_t a = (uint16_t)(256 - across - c);
        glissade_channels sum;
        if ((uint64_t)column < (uint64_t)right && (uint64_t)row < (uint64_t)bottom) {
            const uint8_t *upper = picture->rows + row * picture->stride + column * 4;
            const glissade_pair pairs = glissade_pair_at(upper) * (glissade_pair){a, a, a, a, b, b, b, b}
                + glissade_pair_at(upper + picture->stride) * (glissade_pair){c, c, c, c, d, d, d, d};
            sum = __builtin_shufflevector(pairs, pairs, 0, 1, 2, 3) + __builtin_shufflevector(pairs, pairs, 4, 5, 6, 7);
        } else {
            const uint8_t *upper = picture->rows + glissade_clamp(row, bottom) * picture->stride;
            const uint8_t *lower = picture->rows + glissade_clamp(row + 1, bottom) * picture->stride;
            const int64_t left = glissade_clamp(column, right) * 4, next = glissade_clamp(column + 1, right) * 4;
            sum = glissade_channels_at(upper + left) * a + glissade_channels_at(upper + next) * b
                + glissade_channels_at(lower + left) * c + glissade_channels_at(lower + next) * d;
        }
        const glissade_pixel pixel = __builtin_convertvector((sum + 128) >> 8, glissade_pixel);
        memcpy(target + i, &pixel, sizeof pixel);
    }
}

// A rounded rectangle centered at (0, 0), given by half its width, half its height and its corner radius, in pixels.
struct glissade_outline {
    double half_width;
    double half_height;
    double radius;
};

// Writes the coverage of each pixel in a row, scaled to 0…`most`. Computes it like `coverage()` in outline.glsl. The
// center of the first pixel is (x, y), and the step to the next one is (dx, dy).
static inline void glissade_cover_row(
    const struct glissade_outline *outline, uint8_t *mask, size_t count, double x, double y, double dx, double dy,
    double most) {
    const double radius = outline->radius;
    const double left = radius - outline->half_width, top = radius - outline->half_height;
    for (size_t i = 0; i < count; ++i) {
        const double across = fabs(x + (double)i * dx) + left, down = fabs(y + (double)i * dy) + top;
        const double beyond_x = across > 0 ? across : 0, beyond_y = down > 0 ? down : 0;
        const double nearer = across > down ? across : down;
        const double outside = sqrt(beyond_x * beyond_x + beyond_y * beyond_y) + (nearer < 0 ? nearer : 0) - radius;
        const double inside = 0.5 - outside;
        mask[i] = (uint8_t)((inside < 0 ? 0 : inside > 1 ? 1 : inside) * most + 0.5);
    }
}

#endif
