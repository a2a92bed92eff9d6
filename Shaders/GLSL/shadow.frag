// Draws the shadow of a rectangle, blurred by a Gaussian, outside the rectangle itself. With ROUNDED, the shader
// excludes the inside. Otherwise, the caller must not draw there.
//
// A Gaussian is separable, and a blurred straight edge is an error function. So without rounded corners, the shadow is
// a product of two profiles. With them, each row of the rectangle is blurred horizontally, and the rows are summed
// with weights from the Gaussian. With SOFT, the Gaussian is so wide that rounded corners make no visible difference
// to the blur, which ignores them.

// The premultiplied color.
uniform vec4 fillColor;
// Half the width and half the height of the rectangle, in pixels, and 1 / (√2 · standard deviation).
uniform vec3 caster;

#ifndef ROUNDED
in vec2 place;
#endif
out vec4 color;

// Abramowitz and Stegun, 7.1.27: the error is at most 0.0005.
vec2 errorFunction(vec2 x) {
    vec2 a = abs(x);
    vec2 b = 1.0 + a * (0.278393 + a * (0.230389 + a * (0.000972 + a * 0.078108)));
    b *= b;
    return sign(x) * (1.0 - 1.0 / (b * b));
}

// The value at `x`, 0…1, of a blurred step function that is 1 from -reach to reach and 0 elsewhere.
float blurred(float x, float reach) {
    vec2 ends = errorFunction((x + vec2(-reach, reach)) * caster.z);
    return 0.5 * (ends.y - ends.x);
}

void main() {
    vec2 at = place - caster.xy;
#if defined(ROUNDED) && !defined(SOFT)
    // The sum ends at three standard deviations; one is √½ / caster.z pixels. Beyond that, there is almost nothing.
    const int rows = 12;
    float deviation = 0.70710678 / caster.z;
    float first = clamp(-3.0 * deviation, at.y - caster.y, at.y + caster.y);
    float last = clamp(3.0 * deviation, at.y - caster.y, at.y + caster.y);
    float height = (last - first) / float(rows);
    float shade = 0.0;
    for (int row = 0; row < rows; row++) {
        float away = first + height * (float(row) + 0.5);
        float intoCorner = min(caster.y - outline.z - abs(at.y - away), 0.0);
        float reach = caster.x - outline.z + sqrt(max(outline.z * outline.z - intoCorner * intoCorner, 0.0));
        float weight = away * caster.z;
        // The peak of the Gaussian is caster.z / √π.
        shade += blurred(at.x, reach) * exp(-weight * weight) * 0.56418958 * caster.z * height;
    }
#else
    float shade = blurred(at.x, caster.x) * blurred(at.y, caster.y);
#endif
#ifdef ROUNDED
    shade *= 1.0 - coverage();
#endif
    color = fillColor * shade;
}
