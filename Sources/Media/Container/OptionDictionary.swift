import CFFmpeg
import Glibc

/// An `AVDictionary` of options for FFmpeg's open functions.
package struct OptionDictionary: ~Copyable {
    /// The dictionary to pass to FFmpeg, which removes the options that it recognizes.
    package var pointer: OpaquePointer?

    package init() {}

    deinit {
        var pointer = pointer
        av_dict_free(&pointer)
    }

    /// Sets an option and returns FFmpeg's code. Check the code, so that an option missing for lack of memory does not
    /// go unnoticed.
    package mutating func set(_ name: String, _ value: String) -> CInt { av_dict_set(&pointer, name, value, 0) }
}

/// FFmpeg's code for out of memory.
package let outOfMemory = glissade_averror_from_errno(ENOMEM)
