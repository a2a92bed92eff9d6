// One color.

uniform vec4 fillColor;

out vec4 color;

void main() {
    color = fillColor;
}
