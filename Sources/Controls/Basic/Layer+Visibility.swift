import GlissadeLayers

extension Layer {
    /// Whether this layer and all its ancestors are visible: not hidden, and with an opacity above 0.
    var isEffectivelyVisible: Bool {
        var layer: Layer? = self
        while let current = layer {
            if current.isHidden || !(current.opacity > 0) { return false }
            layer = current.superlayer
        }
        return true
    }
}
