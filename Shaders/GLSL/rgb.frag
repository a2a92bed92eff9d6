// Draws an RGB frame. Its fourth component is ignored.

// The default low precision is enough for 8 bits. With high precision, Mesa 22.3's CPU rasterizer swaps red and blue
// in RGBA textures.
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
