// Applies shade, rounded corners and opacity to the color of a frame. With ROUNDED, the output is premultiplied.
// Without it, blending applies the opacity.

#ifdef SHADED
// The factor for red, green and blue: 1 − shade.
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
