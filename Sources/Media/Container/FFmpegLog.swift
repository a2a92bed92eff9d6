import GlissadeCFFmpeg

/// Stops FFmpeg from logging to standard error, in the whole process.
public func silenceFFmpeg() { av_log_set_level(AV_LOG_QUIET) }

/// Whether `location` is a URL rather than a path. A `file://` URL counts as a path.
public func isAddress(_ location: String) -> Bool { MediaInput.isAddress(location) }
