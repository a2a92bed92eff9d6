// The last steps for a frame's color: shade, rounded corners and opacity. Plain frames need none of them. With
// rounded corners, the output is premultiplied.

#ifdef SHADED
// The fraction of light that the shade leaves.
uniform float gain;
#endif
#ifdef ROUNDED
uniform float opacity;
#endif

vec4 finished(vec3 rgb) {
#if defined(SHADED) || defined(ROUNDED)
    rgb = clamp(rgb, 0.0, 1.0);
#endif
#ifdef SHADED
    rgb *= gain;
#endif
#ifdef ROUNDED
    return vec4(rgb, 1.0) * (coverage() * opacity);
#else
    return vec4(rgb, 1.0);
#endif
}
