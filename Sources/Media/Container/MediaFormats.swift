import GlissadeCFFmpeg

/// The containers and codecs that Glissade plays. Excludes vector graphics (SVG), tracker music, formats of single
/// games, and playlists other than HLS and DASH.
///
/// The names are those of all supported FFmpeg versions. FFmpeg ignores unknown names. The lists have the format of
/// FFmpeg's options `format_whitelist` and `codec_whitelist`.
package enum MediaFormats {
    /// The containers allowed when opening a file, including a subtitle file on its own.
    static let ofFiles = list(containers + streams + pictures + subtitles)

    /// The containers allowed when opening a URL: those of files except images, and also HLS and live protocols. DASH is
    /// played as HLS. SDP is excluded, since an SDP file can make FFmpeg contact any address.
    static let ofAddresses = list(containers + streams + subtitles + " hls rtsp rtp live_flv")

    /// FFmpeg's options that restrict containers, decoders and the number of streams when a URL is opened.
    static let limitsOfAddresses = [
        ("format_whitelist", ofAddresses), ("codec_whitelist", decoders), ("max_streams", String(MemoryBudget.streams)),
    ]

    /// The containers allowed when opening a subtitle file for a film.
    package static let ofSubtitles = list(subtitles + " matroska")

    /// The containers allowed when opening a VobSub index, whose pictures are in an MPEG program stream.
    package static let ofVobSub = list("vobsub mpeg")

    /// The decoders allowed for any of the containers above.
    static let decoders = list(videoDecoders + audioDecoders + subtitleDecoders)

    /// The decoders allowed when opening a subtitle file for a film.
    package static let decodersOfSubtitles = list(subtitleDecoders)

    /// Whether `name` is FFmpeg's name for a format of pictures, which may be animated.
    static func isOfPictures(_ name: UnsafePointer<CChar>?) -> Bool { contains(name, in: list(pictures)) }

    /// Whether `list` contains `name`. The name of a container may be several names separated by commas. One match is
    /// then enough.
    package static func contains(_ name: UnsafePointer<CChar>?, in list: String) -> Bool {
        av_match_list(name, list, CChar(UInt8(ascii: ","))) > 0
    }

    private static func list(_ words: String) -> String { words.split(separator: " ").joined(separator: ",") }

    // MARK: - Containers

    private static let containers =
        "matroska webm mov mp4 avi mpegts mpeg ogg asf flv mxf nut rm dv gxf wtv nuv pva ty dhav ivf "
        // Audio.
        + "wav w64 aiff au caf flac mp3 ape wv tta tak shn mpc mpc8 oma dsf amr voc xwma qcp "

    /// The formats of raw streams, which have no container.
    private static let streams =
        "h261 h263 h264 hevc vvc m4v mpegvideo vc1 vc1test av1 obu cavsvideo avs2 avs3 dirac dnxhd mjpeg yuv4mpegpipe "
        + "aac loas ac3 eac3 dts dtshd truehd mlp amrnb amrwb gsm spdif "

    private static let pictures = "gif apng png_pipe jpeg_pipe webp_pipe bmp_pipe "

    private static let subtitles =
        "srt ass webvtt sup microdvd mpl2 mpsub subviewer subviewer1 sami realtext jacosub vplayer pjs stl aqtitle "
        + "tedcaptions lrc scc mcc dvbsub dvbtxt "

    // MARK: - Decoders

    private static let videoDecoders =
        "h264 libopenh264 hevc vvc libvvdec av1 libdav1d libaom-av1 libgav1 vp9 libvpx-vp9 vp8 libvpx vp7 vp6 vp6a vp6f vp5 vp4 "
        + "vp3 theora mpeg1video mpeg2video mpegvideo mpeg4 msmpeg4 msmpeg4v1 msmpeg4v2 h261 h263 h263i h263p flv flashsv "
        + "flashsv2 wmv1 wmv2 wmv3 wmv3image vc1 vc1image mss1 mss2 mts2 rv10 rv20 rv30 rv40 rv60 cavs libdavs2 libuavs3d dirac "
        // Cameras and editors.
        + "dvvideo mjpeg mjpegb amv sp5x prores dnxhd cfhd ffv1 ffvhuff huffyuv hymt utvideo lagarith magicyuv sheervideo "
        + "hq_hqa hqx aic pixlet speedhq notchlc hap dxv jpeg2000 rawvideo v210 v210x v308 v408 v410 r210 r10k y41p yuv4 ayuv "
        + "8bps avui cljr cllc vble loco asv1 asv2 "
        // Older codecs, and screen recordings.
        + "svq1 svq3 cinepak indeo2 indeo3 indeo4 indeo5 qtrle rpza smc msrle msvideo1 mszh zlib zmbv camtasia tscc2 "
        + "camstudio screenpresso dxtory fraps g2m vmnc wnv1 truemotion1 truemotion2 nuv snow mimic aasc cyuv "
        // Covers and still images.
        + "png apng gif bmp webp webp_anim "

    private static let audioDecoders =
        "aac aac_fixed aac_latm libfdk_aac mp3float mp3 mp3adufloat mp3adu mp3on4float mp3on4 mp2float mp2 mp1float mp1 ac3 "
        + "ac3_fixed eac3 dca truehd mlp flac alac opus libopus vorbis libvorbis wavpack ape tta tak shorten als mpc7 mpc8 "
        + "wmav1 wmav2 wmapro wmalossless wmavoice xma1 xma2 cook sipr ralf real_144 real_288 atrac1 atrac3 atrac3al atrac3plus "
        + "atrac3plusal atrac9 amrnb amrwb libopencore_amrnb libopencore_amrwb speex libspeex nellymoser qdm2 qdmc mace3 mace6 "
        + "gsm gsm_ms libgsm libgsm_ms ilbc libilbc g723_1 g729 qcelp evrc imc iac truespeech on2avc dolby_e s302m dvaudio dst "
        + "dsd_lsbf dsd_lsbf_planar dsd_msbf dsd_msbf_planar g722 g726 g726le adpcm_ms adpcm_ima_wav adpcm_ima_qt "
        + "adpcm_ima_amv adpcm_ima_dk3 adpcm_ima_dk4 adpcm_swf adpcm_yamaha adpcm_ct "
        + "pcm_alaw pcm_mulaw pcm_vidc pcm_u8 pcm_s8 pcm_s8_planar pcm_s16le pcm_s16be pcm_s16le_planar pcm_s16be_planar "
        + "pcm_u16le pcm_u16be pcm_s24le pcm_s24be pcm_s24le_planar pcm_s24daud pcm_u24le pcm_u24be pcm_s32le pcm_s32be "
        + "pcm_s32le_planar pcm_u32le pcm_u32be pcm_s64le pcm_s64be pcm_f16le pcm_f24le pcm_f32le pcm_f32be pcm_f64le "
        + "pcm_f64be pcm_bluray pcm_dvd pcm_lxf "

    private static let subtitleDecoders =
        "ass ssa srt subrip text webvtt mov_text microdvd mpl2 pjs realtext sami stl subviewer subviewer1 jacosub vplayer "
        + "dvbsub dvdsub pgssub xsub cc_dec libzvbi_teletextdec libaribb24 libaribcaption "
}
