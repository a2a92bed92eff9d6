// What is done to a picture's color last. Plain pictures cost nothing here; those with round corners come out
// premultiplied by what covers the pixel.

#ifdef SHADED
// The part of the light that its shade leaves.
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
