// Y'CbCr planes to R'G'B'. PLANAR, SEMI_PLANAR or GRAY says where the samples are.

// Samples have up to 16 bits. Without a precision, samplers have a low one (GLSL ES 3.00, 4.5.4), which some drivers take
// for half floats.
uniform highp sampler2D lumaPlane;
#ifdef PLANAR
uniform highp sampler2D firstChromaPlane;
uniform highp sampler2D secondChromaPlane;
#endif
#ifdef SEMI_PLANAR
uniform highp sampler2D firstChromaPlane;
#endif
// From (y, first chroma, second chroma, 1) as the textures give them: range, depth and matrix in one.
uniform mat4x3 conversion;

in vec2 luma;
in vec2 chroma;
out vec4 color;

void main() {
    float y = texture(lumaPlane, luma).r;
#if defined(PLANAR)
    vec2 c = vec2(texture(firstChromaPlane, chroma).r, texture(secondChromaPlane, chroma).r);
#elif defined(SEMI_PLANAR)
    vec2 c = texture(firstChromaPlane, chroma).rg;
#else
    vec2 c = vec2(0.0);
#endif
    color = finished(conversion * vec4(y, c, 1.0));
}
