import GlissadePicture

extension ColorConversion {
    /// Returns the four columns of a `mat4x3`: for luma, for the first and the second chroma sample, and for the bias.
    /// If `vFirst` is true, Cr is the first chroma sample. Otherwise, Cb is the first one.
    func columns(vFirst: Bool) -> InlineArray<12, Float> {
        let first = vFirst ? redDifference : blueDifference
        let second = vFirst ? blueDifference : redDifference
        return InlineArray { index in
            let column = index < 3 ? luma : index < 6 ? first : index < 9 ? second : bias
            return Float(column[index % 3])
        }
    }
}
