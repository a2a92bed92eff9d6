//! Places moving comments on a video, and prints where they are at a given time.

import GlissadeDanmaku
import GlissadeGeometry
import GlissadeTime

let comments = [
    MovingComment(time: MediaTime(seconds: 1), text: "here it comes"),
    MovingComment(time: MediaTime(seconds: 1.5), text: "!!!"),
    MovingComment(time: MediaTime(seconds: 2), kind: .top, text: "what a view"),
]
let layout = CommentLayout(comments, picture: Size(width: 1280, height: 720))
let time = MediaTime(seconds: 4)
layout.forEachVisible(at: time) { placed in
    let frame = layout.frame(of: placed, at: time)
    print("\(comments[placed.index].text): \(frame.minX), \(frame.minY)")
}
