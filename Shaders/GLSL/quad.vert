// Draws a rectangle as two triangles. Their corners follow from the vertex ID, so no buffer is read.
//
// With PICTURE, each corner also has a position in the frame, in luma texels from the top left corner. The texture
// coordinates of luma and chroma are both derived from it. One coordinate for both would be wrong: chroma planes of
// odd-sized frames are not exactly half as large as luma, and chroma samples may be sited off the center of their luma
// samples.
//
// With AREA, each corner also has a position in the whole rectangle, of which the drawn rectangle is the visible part.

// The left, top, right and bottom of the drawn rectangle, in clip coordinates.
uniform vec4 rectangle;

#ifdef PICTURE
// Maps (0…1 across, 0…1 down, 1) in the drawn rectangle to luma texels.
uniform mat3x2 toPicture;
// Maps luma texels to the luma plane's texture coordinates.
uniform vec2 lumaScale;
// Maps luma texels to the chroma planes' texture coordinates: the factor (xy), then the offset (zw).
uniform vec4 chromaPlacement;

out vec2 luma;
out vec2 chroma;
#endif

#ifdef AREA
#ifdef ROTATED
// Maps (0…1 across, 0…1 down, 1) in the drawn rectangle to pixels from the top left corner of the whole rectangle,
// with the rotation undone.
uniform mat3x2 toPlace;
#else
// The left, top, width and height of the drawn rectangle, in pixels from the top left corner of the whole rectangle.
uniform vec4 area;
#endif

out vec2 place;
#endif

const vec2 corners[6] = vec2[6](
    vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(0.0, 1.0), vec2(1.0, 0.0), vec2(1.0, 1.0));

void main() {
    vec2 corner = corners[gl_VertexID];
    gl_Position = vec4(mix(rectangle.xy, rectangle.zw, corner), 0.0, 1.0);
#ifdef PICTURE
    vec2 position = toPicture * vec3(corner, 1.0);
    luma = position * lumaScale;
    chroma = position * chromaPlacement.xy + chromaPlacement.zw;
#endif
#ifdef AREA
#ifdef ROTATED
    place = toPlace * vec3(corner, 1.0);
#else
    place = area.xy + corner * area.zw;
#endif
#endif
}
