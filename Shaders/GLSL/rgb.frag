// An RGB frame; its fourth component is unused.

// 8 bits, for which low precision is enough. With high precision, Mesa 22.3's CPU rasterizer swaps red and blue of RGBA
// textures.
uniform sampler2D lumaPlane;
#ifdef OFFSET
// Added to red, green and blue.
uniform float brightnessOffset;
#endif

in vec2 luma;
out vec4 color;

void main() {
    vec3 rgb = texture(lumaPlane, luma).rgb;
#ifdef OFFSET
    rgb += brightnessOffset;
#endif
    color = finished(rgb);
}
