//! Reads comments from a file in Bilibili's format, and prints them.

import GlissadeDanmaku
import GlissadeDanmakuFiles

let xml = """
    <i><d p="1,1,25,16777215,0,0,ann,1">here it comes</d>
    <d p="2.5,5,25,16711680,0,0,bob,2">what a view</d>
    <d p="3,7,25,16777215,0,0,bob,3">positioned</d></i>
    """
let file = try CommentFile(Array(xml.utf8))
for comment in file.comments { print("\(comment.time.seconds) s: \(comment.text) (\(comment.kind))") }
print("\(file.skippedCount) skipped")
