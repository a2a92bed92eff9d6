// Draws a frame from Y'CbCr or gray planes. PLANAR, SEMI_PLANAR or GRAY selects the plane layout.

// Samples have up to 16 bits. The default precision of samplers is low (GLSL ES 3.00, 4.5.4), which some drivers
// implement as half floats.
uniform highp sampler2D lumaPlane;
#ifdef PLANAR
uniform highp sampler2D firstChromaPlane;
uniform highp sampler2D secondChromaPlane;
#endif
#ifdef SEMI_PLANAR
uniform highp sampler2D firstChromaPlane;
#endif
// Maps the samples (y, first chroma, second chroma, 1) to R'G'B': range, depth and matrix in one.
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
