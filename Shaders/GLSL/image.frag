// A picture that is RGB already.

uniform sampler2D lumaPlane;

in vec2 luma;
out vec4 color;

void main() {
    color = texture(lumaPlane, luma);
}
