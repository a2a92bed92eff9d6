// Two triangles over a rectangle, made from the vertex's number: no buffer is read.
//
// With PICTURE, each corner also carries its position in the picture, in luma texels from the top left corner, from
// which both texture coordinates follow: chroma planes of odd pictures are not half as large as luma, and their samples
// are not in the middle of what they serve, so one coordinate for both would be wrong. With AREA, it carries its place
// in the whole of which the rectangle is the visible part.

// Left, top, right, bottom in clip coordinates.
uniform vec4 rectangle;

#ifdef PICTURE
// (0…1 across, 0…1 down, 1) in the rectangle to luma texels.
uniform mat3x2 toPicture;
// Luma texels to the luma plane's texture coordinate.
uniform vec2 lumaScale;
// Luma texels to the chroma planes' texture coordinate: factor, then offset.
uniform vec4 chromaPlacement;

out vec2 luma;
out vec2 chroma;
#endif

#ifdef AREA
#ifdef ROTATED
// (0…1 across, 0…1 down, 1) in the rectangle to pixels from the top left corner of the whole, before it is turned.
uniform mat3x2 toPlace;
#else
// The rectangle's left, top, width and height in pixels, from the whole's top left corner.
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
