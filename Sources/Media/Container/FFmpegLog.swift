import CFFmpeg

/// Keeps FFmpeg from writing to standard error by itself: what matters comes back as errors and problems, one line each.
public func silenceFFmpeg() { av_log_set_level(AV_LOG_QUIET) }

/// Whether an argument is an address rather than a path.
public func isAddress(_ location: String) -> Bool { MediaInput.isAddress(location) }
