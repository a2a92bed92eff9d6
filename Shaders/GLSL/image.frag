// A picture that is RGB already; its fourth component says nothing.

uniform sampler2D lumaPlane;

in vec2 luma;
out vec4 color;

void main() {
    color = finished(texture(lumaPlane, luma).rgb);
}
