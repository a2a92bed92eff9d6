// Draws a raster image, text or an icon, with premultiplied alpha.

uniform sampler2D lumaPlane;
// The factors for red, green and blue (x), and for alpha (y), from shade and opacity.
uniform vec2 strength;

in vec2 luma;
out vec4 color;

void main() {
    color = texture(lumaPlane, luma) * strength.xxxy;
#ifdef ROUNDED
    color *= coverage();
#endif
}
