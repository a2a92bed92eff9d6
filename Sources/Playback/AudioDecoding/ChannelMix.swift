import GlissadeCFFmpeg
import Glibc

/// How channels are mixed where swresample's own matrix has another loudness than players, sound servers and Web Audio
/// (section 4.4, speakers) have.
///
/// swresample gives each of two speakers 0.71 of a single channel, and a single speaker 0.71 of the sum of two: 3 dB too
/// quiet and 3 dB too loud. A broadcast that changes between one channel and two would change its loudness, too. From
/// more channels to two, swresample keeps the level of the front channels, as do others.
enum ChannelMix {
    /// Returns the matrix from the channels of `input` to those of `output`, a row for each channel of `output`; nil for
    /// swresample's own.
    static func matrix(from input: AVChannelLayout, to output: AVChannelLayout) -> [Double]? {
        switch (input.nb_channels, output.nb_channels) {
        case (1, 2): return [1, 1]
        case (2, 1): return [0.5, 0.5]
        case (3..., 1): return mono(from: input)
        default: return nil
        }
    }

    /// The mean of the two channels to which swresample mixes `input`, so that one speaker is as loud as two.
    private static func mono(from input: AVChannelLayout) -> [Double]? {
        let count = Int(input.nb_channels)
        var (input, stereo) = (input, AVChannelLayout())
        av_channel_layout_default(&stereo, 2)
        var matrix = [Double](repeating: 0, count: 2 * count)
        let code = swr_build_matrix2(
            &input, &stereo, 0.5.squareRoot(), 0.5.squareRoot(), 0, Double(Int32.max), 1, &matrix, count,
            AV_MATRIX_ENCODING_NONE, nil)
        return code >= 0 ? (0..<count).map { (matrix[$0] + matrix[count + $0]) / 2 } : nil
    }
}
