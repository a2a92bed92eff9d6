// Two colors and what lies between them.

// Premultiplied.
uniform vec4 startColor;
uniform vec4 endColor;
// (x, y, 1) of a place in the box to how far it is from the one to the other.
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
