// With ROUNDED: the outline of a rectangle with round corners, by its signed distance.

#ifdef ROUNDED
// Half the width, half the height, the corners' radius; in pixels.
uniform vec3 outline;

in vec2 place;

// How much of the pixel around `place` lies inside. Straight edges lie between pixels and stay as sharp as that.
float coverage() {
    vec2 beyond = abs(place - outline.xy) - outline.xy + outline.z;
    float outside = length(max(beyond, 0.0)) + min(max(beyond.x, beyond.y), 0.0) - outline.z;
    return clamp(0.5 - outside, 0.0, 1.0);
}
#endif
