// With ROUNDED, computes a pixel's coverage by a rounded rectangle, from the signed distance to its outline.

#ifdef ROUNDED
// Half the width, half the height and the corner radius, in pixels.
uniform vec3 outline;

// The position of the pixel's center from the rectangle's top left corner, in pixels.
in vec2 place;

// The approximate fraction of the pixel around `place` that is inside. Straight edges between pixels stay sharp.
float coverage() {
    vec2 beyond = abs(place - outline.xy) - outline.xy + outline.z;
    float outside = length(max(beyond, 0.0)) + min(max(beyond.x, beyond.y), 0.0) - outline.z;
    return clamp(0.5 - outside, 0.0, 1.0);
}
#endif
