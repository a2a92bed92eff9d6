// Draws a rectangle in one color.

// The premultiplied color.
uniform vec4 fillColor;

out vec4 color;

void main() {
    color = fillColor;
}
