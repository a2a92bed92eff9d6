// Draws a box with a gradient between two colors.

// The premultiplied colors at the start and at the end.
uniform vec4 startColor;
uniform vec4 endColor;
// Maps (x, y, 1), with x and y in pixels from the top left corner of the box, to 0…1 along the gradient.
uniform vec3 ramp;

#ifndef ROUNDED
in vec2 place;
#endif
out vec4 color;

void main() {
    color = mix(startColor, endColor, clamp(dot(ramp, vec3(place, 1.0)), 0.0, 1.0));
#ifdef ROUNDED
    color *= coverage();
#endif
}
