// Two triangles covering a rectangle, computed from the vertex ID: no buffer is read.
//
// With PICTURE, each corner also has a position in the frame, in luma texels from the top left corner. Both texture
// coordinates are derived from it: chroma planes of odd-sized frames are not half as large as luma, and their samples
// are not centered on the luma that they serve, so one coordinate for both would be wrong. With AREA, it has a position
// in the whole rectangle, of which this is the visible part.

// Left, top, right, bottom in clip coordinates.
uniform vec4 rectangle;

#ifdef PICTURE
// Maps (0…1 across, 0…1 down, 1) in the rectangle to luma texels.
uniform mat3x2 toPicture;
// Maps luma texels to the luma plane's texture coordinates.
uniform vec2 lumaScale;
// Maps luma texels to the chroma planes' texture coordinates: factor, then offset.
uniform vec4 chromaPlacement;

out vec2 luma;
out vec2 chroma;
#endif

#ifdef AREA
#ifdef ROTATED
// Maps (0…1 across, 0…1 down, 1) in the rectangle to pixels from the top left corner of the whole, with its rotation
// undone.
uniform mat3x2 toPlace;
#else
// The rectangle's left, top, width and height in pixels, from the top left corner of the whole.
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
