// A picture that is RGB already; its fourth component says nothing.

// 8 bits, for which low precision is enough. With a high one, Mesa 22.3 draws RGBA textures on the CPU with red and blue exchanged.
uniform sampler2D lumaPlane;
#ifdef OFFSET
// What is added to red, green and blue.
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
