/// Video whose frames carry their number: eight columns, each white or black, hold it in binary. It survives any codec and
/// any scaling.
package enum NumberedFrames {
    /// A source of libavfilter's whose frames are numbered from `first`.
    package static func source(
        seconds: Double, rate: String = "25", size: String = "160x90", first: Int = 0, format: String = "yuv420p"
    ) -> [String] {
        let code = "if(bitand(N+\(first)\\,pow(2\\,X))\\,235\\,16)"
        // A pixel for each column, enlarged: the expression is slow.
        return [
            "-f", "lavfi", "-i",
            "color=c=black:s=8x2:r=\(rate):d=\(seconds),format=yuv444p,geq=lum='\(code)':cb=128:cr=128,"
                + "scale=\(size.replacing("x", with: ":")):flags=neighbor,setsar=1,"
                + "setparams=range=limited:colorspace=smpte170m,format=\(format)",
        ]
    }

    package static let h264 = [
        "-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-keyint_min", "50", "-sc_threshold", "0", "-bf", "3",
        "-b_strategy", "0", "-threads", "2",
    ]

    package static let tone = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000"]
}
