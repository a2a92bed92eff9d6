// A picture that is RGB already; its fourth component says nothing.

// 8 bits, for which low precision is enough. With a high one, Mesa 22.3 draws RGBA textures on the CPU with red and blue exchanged.
uniform sampler2D lumaPlane;
#ifdef LIFTED
// What is added to red, green and blue.
uniform float lift;
#endif

in vec2 luma;
out vec4 color;

void main() {
    vec3 rgb = texture(lumaPlane, luma).rgb;
#ifdef LIFTED
    rgb += lift;
#endif
    color = finished(rgb);
}
