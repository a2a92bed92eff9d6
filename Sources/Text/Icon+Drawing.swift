import CPango
import Motion
import Stage

extension Icon {
    /// Draws the icon in the largest square in the middle of `box`.
    func draw(on canvas: borrowing Canvas, in box: PixelSize, color: Color, scale: Double) {
    }
}
