import Layers

extension Layer {
    /// Whether neither this layer nor an ancestor is hidden or fading out.
    var isEffectivelyVisible: Bool {
        var layer: Layer? = self
        while let current = layer {
            if current.isHidden || !(current.opacity > 0) { return false }
            layer = current.superlayer
        }
        return true
    }
}
