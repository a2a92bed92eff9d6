// A picture that is RGB already. Nothing but the look-up: llvmpipe has a short way for just this.

uniform sampler2D lumaPlane;

in vec2 luma;
out vec4 color;

void main() {
    color = texture(lumaPlane, luma);
}
