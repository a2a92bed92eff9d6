// A raster image, text or an icon: premultiplied.

uniform sampler2D lumaPlane;
// What shade and opacity leave of red, green and blue, and of alpha.
uniform vec2 strength;

in vec2 luma;
out vec4 color;

void main() {
    color = texture(lumaPlane, luma) * strength.xxxy;
#ifdef ROUNDED
    color *= coverage();
#endif
}
